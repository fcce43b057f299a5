# SPDX-License-Identifier: Apache-2.0
"""Cores for ML-KEM and ML-DSA, and for ML-DSA alone, beside ours: cycles and area.

Of KaLi (IEEE TCAS-I 2023) the area and the clock are those of its abstract; cycles of GMU's core
(FPT 2021) and of Adams Bridge are what their authors give for each operation, of Sign the mean, and
so are their clocks. Clocks of ours are estimates for ECP5.
"""

from dataclasses import dataclass

from nttforge.design import load_design
from nttforge.families import PqcCore
from nttforge.flow.prepare import Progress, prepare_any, prepare_kind
from nttforge.flow.synth import synth
from nttforge.flow.timing import timing
from nttforge.kinds.lattice.both import measure_pqc
from nttforge.kinds.lattice.bus import open_core
from nttforge.limits import COPROCESSOR, DSA_CORE, PQC
from nttforge.reproduce.table import Paper, Rows
from nttforge.reproduce.time import times
from nttforge.table import Cell

COLUMNS = [
    *("design", "set", "flow", "LUT", "FF", "DSP", "BRAM18"),
    *("KeyGen, cycles", "Encaps or Sign", "Decaps or Verify", "MHz"),
    *("KeyGen, us", "Encaps or Sign", "Decaps or Verify"),
]
_RUNS = 20
_ON_ECP5 = {"target": "ecp5"}
_GMU, _ADAMS, _KALI = "GMU, three Keccaks", "Adams Bridge", "KaLi, both standards"


@dataclass(frozen=True)
class Published:
    """What is said of a core; None for what is not. A block RAM of 36 Kbit counts twice."""

    name: str
    parameter_set: str
    flow: str
    area: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    cycles: tuple[int | None, int | None, int | None] = (None, None, None)
    mhz: int | None = None


TABLE = (
    Published(_KALI, "all", "vendor's, ZU+", area=(23277, 9758, 4, 48), mhz=270),
    Published(_GMU, "ML-DSA-44", "vendor's", cycles=(4868, 29876, 6581), mhz=116),
    Published(_GMU, "ML-DSA-65", "vendor's", cycles=(8289, 49437, 9723), mhz=116),
    Published(_GMU, "ML-DSA-87", "vendor's", cycles=(14031, 55070, 14637), mhz=116),
    Published(_ADAMS, "ML-DSA-87", "ASIC", cycles=(15154, 134473, 18252), mhz=600),
)


def _area(name: str, progress: Progress) -> list[Cell]:
    counts = synth(prepare_any(load_design(name)), "xcup", progress=progress)
    return [counts.lut_total, counts.ff, counts.dsp, counts.bram18]


def _clock(name: str, progress: Progress) -> float:
    """What is estimated for an ECP5 of speed grade 8, in MHz."""
    return timing(prepare_any(load_design(name, _ON_ECP5)), progress=progress).fmax_mhz


def _rows(clock: bool, progress: Progress) -> Rows:
    """Ours: a row a set, the area, which is one for all, in the first; then the cores alone."""
    rows: Rows = [
        [p.name, p.parameter_set, p.flow, *p.area, *p.cycles, p.mhz, *times(p.mhz, p.cycles)]
        for p in TABLE
    ]
    clocks = {name: _clock(name, progress) for name in (PQC, COPROCESSOR, DSA_CORE) if clock}
    prepared = prepare_kind(load_design(PQC), PqcCore)
    latency = prepared.core.facts["multiplier_latency"]
    model = open_core(prepared)
    found = measure_pqc(model, PQC, 1, latency, runs=_RUNS, progress=progress)
    area = _area(PQC, progress)
    kinds = (("keygen", "encaps", "decaps"), ("keygen", "sign", "verify"))
    for names, sets in zip(kinds, prepared.core.parameter_sets.values(), strict=True):
        for each in sets:
            latencies = [round(found.timed[f"{each} {name}"].latency) for name in names]
            took = [*latencies, clocks.get(PQC), *times(clocks.get(PQC), latencies)]
            rows.append([PQC, each, "Yosys, xcup", *area, *took])
            area = [None] * 4
    for alone in (COPROCESSOR, DSA_CORE):
        own = [*_area(alone, progress), *[None] * 3, clocks.get(alone), *[None] * 3]
        rows.append([alone, "all", "Yosys, xcup", *own])
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
        "MHz of ours, with --clock: estimated by `nttforge timing` for an ECP5 of speed grade 8, "
        "a smaller and slower device than any other in the table; us are cycles over it.",
    ],
)
