# SPDX-License-Identifier: Apache-2.0
"""Packages of standards, by the names that designs have for them.

A standard is a package with `standard` (its table) and `build` (from a design to a coprocessor of
it alone); `verify`, `measure` and `stimulus` if it does more than run its operations.
"""

from collections.abc import Mapping

from nttforge.kinds import STANDARDS, installed

_BUILT_IN = {
    "ml-kem": "nttforge.kinds.lattice.mlkem",
    "ml-dsa": "nttforge.kinds.lattice.mldsa",
}
#: By the names that designs have for them.
PACKAGES: Mapping[str, str] = {
    **_BUILT_IN,
    **{name: of for name, of in installed(STANDARDS).items() if name not in _BUILT_IN},
}
