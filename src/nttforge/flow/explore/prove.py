# SPDX-License-Identifier: Apache-2.0
"""Synthesized areas of candidates, beside the estimates."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from nttforge.flow.explore.candidates import CandidateDesign
from nttforge.flow.prepare import Progress, prepare_any
from nttforge.flow.synth import synth
from nttforge.flow.timing import timing_in_a_design
from nttforge.table import Cell, Table

#: Targets whose clock the verb `timing` estimates from the netlist.
TIMED = ("ecp5",)
_NAMES = {"lut": "LUT", "ff": "FF", "dsp": "DSP", "bram18": "BRAM", "mhz": "MHz"}


class Proof(BaseModel):
    """A synthesized candidate: estimated and measured `lut`, `ff`, `dsp`, `bram18`, `mhz`."""

    engine: str
    estimated: dict[str, float | None]
    measured: dict[str, float]
    seconds: float


def prove(
    candidate_design: CandidateDesign,
    engine: str,
    estimated: dict[str, float | None],
    progress: Progress,
) -> Proof:
    """Synthesize a candidate, by the verbs that anybody would."""
    prepared, target = prepare_any(candidate_design.design), candidate_design.design.target
    area = synth(prepared, target, progress=progress)
    # UltraRAM is asked for, and so known.
    measured = {name: value for name, value in area.figures.items() if name in _NAMES}
    seconds = area.seconds
    if target in TIMED:
        clock = timing_in_a_design(prepared, progress=progress)
        measured["mhz"] = clock.fmax_mhz
        seconds += clock.seconds
    return Proof(engine=engine, estimated=estimated, measured=measured, seconds=round(seconds, 1))


def table(proofs: Sequence[Proof]) -> Table:
    """Estimate, measurement and error side by side."""
    there = [name for name in _NAMES if any(name in proof.measured for proof in proofs)]
    rows: list[list[Cell]] = []
    for proof in proofs:
        cells: list[Cell] = [proof.engine]
        for name in there:
            cells.append(_beside(proof.estimated.get(name), proof.measured.get(name)))
        rows.append(cells)
    titles = [f"{_NAMES[name]}: estimated, measured" for name in there]
    return Table("Estimated, and measured", ["engine", *titles], rows)


def _beside(estimated: Any, measured: float | None) -> str | None:
    if measured is None:
        return None
    if estimated is None:
        return f"{measured:,.0f}"
    share = "" if not measured else f" ({estimated / measured - 1:+.0%})"
    return f"{estimated:,.0f}, {measured:,.0f}{share}"
