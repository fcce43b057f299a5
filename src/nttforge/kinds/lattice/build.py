# SPDX-License-Identifier: Apache-2.0
"""From a design to a lattice coprocessor, by its standards."""

from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.pqc.build import build as build_pqc
from nttforge.kinds.lattice.standard import part, standards


def build(design: Design) -> LatticeCore:
    """The coprocessor of a design, or its core alone."""
    first, *more = design.table(LatticeTable).standards
    if not more:
        core: LatticeCore = part(standards()[first], "build").build(design)
        return core
    if (first, *more) != ("ml-kem", "ml-dsa"):
        known = "use one alone, or ml-kem and ml-dsa"
        raise NttforgeError("lattice.standards", "no coprocessor has these together", known)
    return build_pqc(design)
