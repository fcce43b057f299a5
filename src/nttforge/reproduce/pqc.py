# SPDX-License-Identifier: Apache-2.0
"""Cores for ML-KEM and ML-DSA, and for ML-DSA alone, beside ours: cycles and area.

Of KaLi (IEEE TCAS-I 2023) the area and the clock are those of its abstract; cycles of GMU's core
(FPT 2021) and of Adams Bridge are what their authors give for each operation, of Sign the mean.
"""

from dataclasses import dataclass

from nttforge.design import load_design
from nttforge.families import PqcCore
from nttforge.flow.pqc.measure import measure_pqc
from nttforge.flow.pqc.verify import open_pqc
from nttforge.flow.prepare import Progress, prepare_any, prepare_kind
from nttforge.flow.synth import synth
from nttforge.limits import COPROCESSOR, DSA_CORE, PQC
from nttforge.reproduce.table import Paper, Rows
from nttforge.table import Cell

COLUMNS = [
    *("design", "set", "flow", "LUT", "FF", "DSP", "BRAM18"),
    *("KeyGen, cycles", "Encaps or Sign", "Decaps or Verify"),
]
_RUNS = 20
_GMU, _ADAMS, _KALI = "GMU, three Keccaks", "Adams Bridge", "KaLi, both standards"


@dataclass(frozen=True)
class Published:
    """What is said of a core; None for what is not. A block RAM of 36 Kbit counts twice."""

    name: str
    parameter_set: str
    flow: str
    area: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    cycles: tuple[int | None, int | None, int | None] = (None, None, None)


TABLE = (
    Published(_KALI, "all", "vendor's, ZU+, 270 MHz", area=(23277, 9758, 4, 48)),
    Published(_GMU, "ML-DSA-44", "simulation", cycles=(4868, 29876, 6581)),
    Published(_GMU, "ML-DSA-65", "simulation", cycles=(8289, 49437, 9723)),
    Published(_GMU, "ML-DSA-87", "simulation", cycles=(14031, 55070, 14637)),
    Published(_ADAMS, "ML-DSA-87", "simulation", cycles=(15154, 134473, 18252)),
)


def _area(name: str, progress: Progress) -> list[Cell]:
    counts = synth(prepare_any(load_design(name)), "xcup", progress=progress)
    return [counts.lut_total, counts.ff, counts.dsp, counts.bram18]


def _rows(clock: bool, progress: Progress) -> Rows:
    """Ours: a row a set, the area, which is one for all, in the first; then the cores alone."""
    del clock
    rows: Rows = [[p.name, p.parameter_set, p.flow, *p.area, *p.cycles] for p in TABLE]
    prepared = prepare_kind(load_design(PQC), PqcCore)
    found = measure_pqc(open_pqc(prepared, progress), PQC, 1, runs=_RUNS, progress=progress)
    area = _area(PQC, progress)
    kinds = (("keygen", "encaps", "decaps"), ("keygen", "sign", "verify"))
    for names, sets in zip(kinds, prepared.core.parameter_sets.values(), strict=True):
        for each in sets:
            latencies: list[Cell] = [round(found.timed[f"{each} {name}"].latency) for name in names]
            rows.append([PQC, each, "Yosys, xcup", *area, *latencies])
            area = [None] * 4
    for alone in (COPROCESSOR, DSA_CORE):
        rows.append([alone, "all", "Yosys, xcup", *_area(alone, progress), None, None, None])
    return rows


reproduce_pqc = Paper(
    "Cores for ML-KEM and ML-DSA",
    COLUMNS,
    _rows,
    [
        "Cycles of ours are observed in simulation, from the first input word to the last output "
        f"word; of ML-DSA the mean of {_RUNS} runs, whose tries are not those of another's "
        "sample: 20 signatures say little of a mean.",
        "LUT counts logic, RAM and shift registers, and is Yosys's, which packs less than a "
        "vendor's tool. KaLi's cycles are not in its abstract.",
        "GMU's core is of Dilithium's third round, as KaLi is; Adams Bridge has one set, and masks "
        "part of what it computes, which none of the others does.",
        "No clock of ours on these devices is known.",
    ],
)
