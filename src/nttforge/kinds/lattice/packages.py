# SPDX-License-Identifier: Apache-2.0
"""Packages of standards by their names in designs; parts as in docs/extending.md."""

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
