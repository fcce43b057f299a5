# SPDX-License-Identifier: Apache-2.0
"""From a design to a lattice coprocessor, by its standards."""

from collections.abc import Callable, Mapping

from nttforge.design import Design
from nttforge.hw.core import Hardware
from nttforge.kinds.lattice.config import LatticeTable, StandardName
from nttforge.kinds.lattice.mldsa.build import build as build_mldsa
from nttforge.kinds.lattice.mlkem.build import build as build_mlkem
from nttforge.kinds.lattice.pqc.build import build as build_pqc

_BUILDERS: Mapping[tuple[StandardName, ...], Callable[[Design], Hardware]] = {
    ("ml-kem",): build_mlkem,
    ("ml-dsa",): build_mldsa,
    ("ml-kem", "ml-dsa"): build_pqc,
}


def build(design: Design) -> Hardware:
    """The coprocessor of a design, or its core alone.

    Raises
    ------
    NttforgeError
        If the design asks for other rings than its standards', not for both directions, or for a
        shell.
    """
    return _BUILDERS[design.table(LatticeTable).standards](design)
