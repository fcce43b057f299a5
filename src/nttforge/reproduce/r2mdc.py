# SPDX-License-Identifier: Apache-2.0
"""The ML-KEM and ML-DSA engine of the R2MDC paper, beside our presets.

Kundi, Bermudo Mera, Strub, Hutter: High-Performance NTT Hardware Accelerator to Support ML-KEM and
ML-DSA, ASHES 2024. The paper's figures are those of its tables 2 and 3; the peer's are Proteus'
generator (n = 256, 28 bits, one modulus, forward only) put through the same Yosys flow as ours.
"""

import numpy as np

from nttforge.design import load_design
from nttforge.families import Core
from nttforge.flow.prepare import Prepared, Progress, prepare
from nttforge.flow.stream.measure import measure
from nttforge.flow.synth import synth
from nttforge.reproduce.table import Paper, Rows
from nttforge.reproduce.time import TIME_COLUMNS, TIME_NOTE, time_cells
from nttforge.table import Cell

OURS = ("mlkem-mldsa", "mlkem-mldsa-seamless", "mlkem-mldsa-fast")
BATCH = 8

COLUMNS = [
    "design",
    "flow",
    "LUT",
    "FF",
    "DSP",
    "BRAM18",
    "latency",
    "cycles a transform",
    f"{BATCH} transforms",
    "forward to inverse, idle",
    "inverse to forward, idle",
    *TIME_COLUMNS,
]

_UNTIMED: list[Cell] = [None] * len(TIME_COLUMNS)
PUBLISHED: Rows = [
    # Table 2 (area with the post-processing unit, BRAM36 counted twice) and table 3.
    [
        *("paper", "Vivado, ZU+, 322 MHz", 3821, 2970, 20, 10, 258, 128, 1158),
        *("drains", "drains", *_UNTIMED),
    ],
    [
        *("Proteus MDC, one modulus, forward", "Yosys, xcup", 8101, 4534, 32, 0, 310, 128),
        *(None, None, None, *_UNTIMED),
    ],
]


def _batch_cycles(prepared: Prepared[Core]) -> int:
    """Cycles from the first beat in to the last beat out of 8 ML-DSA transforms, both counted."""
    with prepared.simulator() as simulator:
        operation = next(o for o in prepared.core.operations if o.name == "ml-dsa.ntt")
        run = simulator.stream([operation] * BATCH, np.zeros((BATCH, 256), dtype=np.int64))
    return int(run.last_out[-1] - run.first_in[0] + 1)


def _row(name: str, clock: bool, progress: Progress) -> list[Cell]:
    prepared = prepare(load_design(name))
    cycles = measure(prepared, progress=progress)
    area = synth(prepared, "xcup", progress=progress)
    worst = {kind: cycles.turnaround_cycles[kind] for kind in ("ntt to intt", "intt to ntt")}
    time = _UNTIMED
    if clock:
        on_ecp5 = prepare(load_design(name, {"target": "ecp5"}))
        time = time_cells(on_ecp5, measure(on_ecp5, progress=progress), progress=progress)
    return [
        name,
        "Yosys, xcup",
        area.lut_total,
        area.ff,
        area.dsp,
        area.bram18,
        cycles.latency_cycles,
        int(cycles.cycles_per_transform),
        _batch_cycles(prepared),
        worst["ntt to intt"],
        worst["intt to ntt"],
        *time,
    ]


def _rows(clock: bool, progress: Progress) -> Rows:
    return [*PUBLISHED, *(_row(name, clock, progress) for name in OURS)]


# --clock: Also place and route on an ECP5-85F (speed grade 8), which takes several minutes a
# preset.
reproduce_r2mdc = Paper(
    "High-Performance NTT Hardware Accelerator to Support ML-KEM and ML-DSA (ASHES 2024)",
    COLUMNS,
    _rows,
    [
        "LUT counts logic, RAM and shift registers. The paper's area is Vivado's, ours is "
        "Yosys's: only rows of one flow compare closely.",
        "Latency: cycles from the first beat in to the last beat out, both counted; ours are "
        "observed in simulation. The paper's 258 is below the schedule's own floor of 255 plus "
        "the eight butterflies' pipeline registers; it counts from another point.",
        TIME_NOTE,
    ],
)
