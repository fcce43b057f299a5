# SPDX-License-Identifier: Apache-2.0
"""A small engine of key switching, and its units alone."""

from pathlib import Path

import numpy as np

from nttforge.cache import design_files
from nttforge.design import Design, parse_design
from nttforge.flow.prepare import Prepared, prepare_kind
from nttforge.kinds.rns.build import RnsCore
from nttforge.kinds.rns.switching import addition
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.rns import Basis, Lift
from nttforge.standards.rns.basis import Array


def design(n: int = 64, **changed: object) -> Design:
    """Of n coefficients and 7 moduli of up to 54 bits, but for what is changed in [rns]."""
    table = {"butterflies": 2, "rows": 64, "terms": 6, "banks": 2, **changed}
    rings = [{"n": n, "q": "runtime", "bits": 54, "moduli": 7}]
    data = {"name": "ks-small", "family": "rns", "rings": rings, "rns": table}
    return parse_design(data, "test")


def prepared(n: int = 64, **changed: object) -> Prepared[RnsCore]:
    """The same, written."""
    return prepare_kind(design(n, **changed), RnsCore)


def unit(
    made: Prepared[RnsCore],
    folder: Path,
    name: str,
    inputs: dict[str, int],
    outputs: dict[str, int],
) -> CycleModel:
    """A unit of an engine with the engine's parameters."""
    package = f"{made.core.name}_pkg"
    parameters = {"Cfg": f"{package}::Rns"}
    if name == "ntf_rns_sum":
        parameters["Steps"] = f"{package}::SumSteps"
    sources = [
        path
        for path in design_files(made.folder)
        if path.suffix == ".sv" and path.stem != made.core.name
    ]
    return CycleModel.build(folder, sources, name, Ports(inputs, outputs, ("clk_i",)), parameters)


def near_words(core: RnsCore, x: Array, p: Basis, lift: Lift) -> int:
    """Of limbs of remainders: those whose sum of fractions is within the error of an integer."""
    fractions, added = core.fractions, addition(lift, p.product)
    low, ones = core.bits + fractions.whole, (1 << fractions.guard - fractions.whole) - 1
    totals = np.zeros(x.shape[1], object)
    for row, q in zip(x, p.moduli, strict=True):
        shift, factor = fractions.constant(q)
        y = (row + added) * pow(p.product // q, -1, q) % q
        totals += (y << shift) * factor
    return sum((total >> low) & ones == ones for total in totals)
