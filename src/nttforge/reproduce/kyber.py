# SPDX-License-Identifier: Apache-2.0
"""The Kyber-512 coprocessor of the scalable HLS paper, beside our ML-KEM coprocessor.

The paper's figures and its peers' are those of its table I; operations a second, which its figure 6
draws, are the clock over the cycles, as there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nttforge.design import load_design
from nttforge.families.mlkem.build import PRESET
from nttforge.families.mlkem.program import OPERATIONS, SETS
from nttforge.flow.mlkem.measure import measure_mlkem
from nttforge.flow.prepare import Progress, prepare_mlkem
from nttforge.flow.synth import synth
from nttforge.kinds.lattice.bus import open_kem
from nttforge.reproduce.clocks import ML_KEM
from nttforge.reproduce.table import Paper, Rows
from nttforge.reproduce.time import times
from nttforge.table import Cell

PAPER_MHZ = 241
OURS: tuple[dict[str, Any], ...] = ({}, {"mlkem.rounds_per_cycle": 2})
_RUNS = 2

COLUMNS = [
    "design",
    "set",
    "flow",
    "LUT",
    "FF",
    "DSP",
    "BRAM18",
    "MHz",
    "KeyGen, cycles",
    "Encaps",
    "Decaps",
    "KeyGen, us",
    "Encaps",
    "Decaps",
    f"at {PAPER_MHZ} MHz: KeyGen, 1000/s",
    "Encaps",
    "Decaps",
]


@dataclass(frozen=True)
class Published:
    """A row of the paper's table I; a block RAM of 36 Kbit is counted twice."""

    name: str
    flow: str
    luts: int
    ffs: int | None
    dsps: int | None
    brams: int | None
    mhz: int
    cycles: tuple[int | None, int, int]


TABLE_I = (
    Published(
        "paper, 64 cores", "HLS, Stratix 10", 204474, None, 78, None, 241, (1793, 2904, 3973)
    ),
    Published("its [12]", "HLS, Virtex-7", 1977896, 194126, None, None, 67, (None, 31669, 43018)),
    Published("its [14]", "RTL, Artix-7", 7412, 4644, 2, 6, 161, (3768, 5079, 6668)),
    Published("its [13]", "RTL, Artix-7", 18000, 5000, 6, 30, 161, (4000, 7000, 10000)),
    Published("its [15]", "RTL, Artix-7", 9347, 8186, 4, 12, 220, (2100, 3300, 4500)),
    Published("its [10]", "RTL, Artix-7", 10502, 9859, 8, 26, 200, (1882, 2446, 3754)),
)


def _rates(mhz: float, cycles: Sequence[int]) -> list[Cell]:
    """Thousands of operations a second."""
    return [round(1e3 * mhz / count, 1) for count in cycles]


def _published(row: Published) -> list[Cell]:
    area: list[Cell] = [row.luts, row.ffs, row.dsps, row.brams]
    own = [*area, row.mhz, *row.cycles, *times(row.mhz, row.cycles)]
    return [row.name, 512, row.flow, *own, None, None, None]


def _ours(keys: dict[str, Any], clock: bool, progress: Progress) -> Rows:
    """A row a parameter set; the area, which is the same for all, in the first."""
    prepared = prepare_mlkem(load_design(PRESET, keys))
    rounds = prepared.core.rounds_per_cycle
    observed = measure_mlkem(open_kem(prepared), PRESET, rounds, runs=_RUNS, progress=progress)
    counts = synth(prepared, "xcup", progress=progress)
    mhz: float | None = None
    if clock and not keys:
        on_ecp5 = prepare_mlkem(ML_KEM.design())
        mhz = round(ML_KEM.place(on_ecp5, progress).fmax_mhz, 1)
    area: list[Cell] = [counts.lut_total, counts.ff, counts.dsp, counts.bram18, mhz]
    rows: Rows = []
    for p in SETS:
        cycles = [observed.operations[f"{p.name} {name}"].latency_cycles for name in OPERATIONS]
        name = f"ours, {rounds} round{'s' if rounds > 1 else ''} a cycle"
        number = int(p.name.removeprefix("ML-KEM-"))
        own: list[Cell] = [*cycles, *times(mhz, cycles), *_rates(PAPER_MHZ, cycles)]
        rows.append([name, number, "Yosys, xcup", *(area if not rows else 5 * [None]), *own])
    return rows


def _rows(clock: bool, progress: Progress) -> Rows:
    rows = [_published(row) for row in TABLE_I]
    for keys in OURS:
        rows += _ours(keys, clock, progress)
    return rows


# --clock: Also place and route the preset on an ECP5-85F (speed grade 8), as `clocks-ml-kem` does,
# which takes half an hour.
reproduce_kyber = Paper(
    "A scalable HLS accelerator for lattice cryptography: Kyber-512 (table I, figure 6)",
    COLUMNS,
    _rows,
    [
        "Cycles of ours are observed in simulation, from the first input word to the last "
        "output word, in the usual case of three blocks a matrix polynomial. The paper's [n] "
        "are the works it compares with.",
        "LUT counts logic, RAM and shift registers; the paper's own are ALUTs, with 1,860 M20K "
        "of memory beside them. Ours are one circuit for all three sets.",
        f"No clock of ours on the paper's device is known: the columns at {PAPER_MHZ} MHz, the "
        "paper's clock, compare cycles alone. MHz of ours, where it is given, is that of an "
        "ECP5-85F, a smaller and slower device than any other in the table.",
    ],
)
