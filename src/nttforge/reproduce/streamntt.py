# SPDX-License-Identifier: Apache-2.0
"""StreamNTT's four configurations, beside our presets.

Choi, Park, He, Kim: StreamNTT: A High-Throughput, HLS-Based Streaming NTT Accelerator for
HBM-Equipped FPGAs. The paper's figures are those of its table IV, for 16 instances on an Alveo
U280: its areas are divided by 16 here. Its clock is that of table III.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nttforge.design import load_design
from nttforge.errors import FaultError
from nttforge.families import Core
from nttforge.flow.prepare import Prepared, Progress, prepare, silent
from nttforge.flow.stream.measure import measure
from nttforge.flow.stream.shell import ShellThroughput, measure_shell
from nttforge.flow.synth import synth
from nttforge.reproduce.table import Paper, Rows
from nttforge.table import Cell

TRANSFORMS = 10_000
INSTANCES = 16
CLOCK_MHZ = 306

COLUMNS = [
    "design, one instance",
    "flow",
    "LUT",
    "FF",
    "DSP",
    "BRAM18",
    "latency",
    "cycles a transform",
    "through memory, packed",
    "through memory, words",
    "of min(core, port), %",
    f"MPoly/s of {INSTANCES} at {CLOCK_MHZ} MHz",
]


#: The columns behind the area.
UNKNOWN: list[Cell] = [None] * (len(COLUMNS) - 6)


@dataclass(frozen=True)
class Published:
    """A row of the paper's table IV."""

    modulus: int
    lut: int
    ff: int
    dsp: int
    bram: int
    mpoly_s: float


PUBLISHED = (
    Published(7681, 540_000, 522_000, 2048, 376, 195),
    Published(8380417, 447_000, 632_000, 2048, 440, 128),
    Published(12289, 411_000, 472_000, 1280, 568, 62.5),
    Published(3221225473, 648_000, 605_000, 2560, 536, 32.4),
)


def _paper(row: Published) -> list[Cell]:
    cycles = round(INSTANCES * CLOCK_MHZ / row.mpoly_s, 1)
    area: list[Cell] = [v // INSTANCES for v in (row.lut, row.ff, row.dsp)]
    return [
        f"paper, q = {row.modulus}",
        "Vitis, U280",
        *area,
        row.bram / INSTANCES,
        None,
        None,
        cycles,
        None,
        None,
        row.mpoly_s,
    ]


def _prepare(row: Published, **settings: Any) -> Prepared[Core]:
    overrides = {key.replace("__", "."): value for key, value in settings.items()}
    return prepare(load_design(f"streamntt-{row.modulus}", overrides))


def _shares(observed: ShellThroughput | None) -> tuple[float, float]:
    """Cycles a transform of the slowest operation, all overheads included, and what they reach.

    The second is the slower one of core and channel over the first.
    """
    if observed is None or not all(job.ok for job in observed.jobs):
        raise FaultError("results", "results through memory differ from the reference")
    return (
        max(job.cycles_per_transform for job in observed.jobs),
        min(job.efficiency for job in observed.jobs),
    )


def measured(row: Published, progress: Progress = silent) -> list[Cell]:
    """Cycles of a configuration, both directions: of the core, and of jobs through memory."""
    core = _prepare(row, shell__instances=1)
    cycles = measure(core, transforms=TRANSFORMS, progress=progress)
    other = _prepare(row, shell__packing="words", shell__instances=1)
    rng = np.random.default_rng(0)
    packed, packed_share = _shares(cycles.shell)
    words, words_share = _shares(measure_shell(other, TRANSFORMS, rng, progress=progress))
    share = round(100 * min(packed_share, words_share), 1)
    rate = round(INSTANCES * CLOCK_MHZ / packed, 1)
    return [cycles.latency_cycles, cycles.cycles_per_transform, packed, words, share, rate]


def _area(row: Published, directions: list[str], progress: Progress) -> list[Cell]:
    """Area of one instance with its movers and the control."""
    prepared = _prepare(row, shell__instances=1, operations=directions)
    area = synth(prepared, "xcup", shell=True, progress=progress)
    name = f"streamntt-{row.modulus}, {' and '.join(directions)}"
    return [name, "Yosys, xcup", area.lut_total, area.ff, area.dsp, area.bram18]


def _all_instances(row: Published, ours: list[Cell]) -> Rows:
    """The whole of the paper, and of ours as so many times one instance with its control."""
    paper: list[Cell] = [row.lut, row.ff, row.dsp, row.bram]
    area = [INSTANCES * int(cell) for cell in ours[2:6] if cell is not None]
    name = f"{INSTANCES} instances, q = {row.modulus}"
    return [
        [f"paper, {name}", "Vitis, U280", *paper, *UNKNOWN],
        [f"nttforge, {name}", f"{INSTANCES} x one", *area, *UNKNOWN],
    ]


_NOTES = [
    "One instance with its memory movers and the control; the paper's areas are a "
    f"sixteenth of its {INSTANCES} instances, forward only, by Vitis. LUT counts logic, "
    "RAM and shift registers. Only rows of one flow compare closely.",
    "Cycles of ours are observed in simulation: of the core back to back, and of one job "
    f"of {TRANSFORMS:,} transforms from its start to its interrupt with a memory of 128 "
    "cycles latency and a word a cycle, the slower one of the two directions, all results "
    "compared with the reference. Least of both packings: cycles of the slower one of core "
    "and channel, over those of the job. The paper's cycles are its throughput at "
    f"{CLOCK_MHZ} MHz, the clock of its table III.",
    f"MPoly/s of ours is {INSTANCES} instances at the paper's clock over the observed "
    "cycles: no clock of ours on that device is known.",
]


def _paper_of(published: Sequence[Published]) -> Paper:
    """These configurations; --clock synthesizes ours a second time, forward only as the paper's."""

    def rows(clock: bool, progress: Progress) -> Rows:
        found: Rows = []
        for row in published:
            both = _area(row, ["ntt", "intt"], progress)
            found += [_paper(row), [*both, *measured(row, progress)]]
            if clock:
                found.append(_area(row, ["ntt"], progress) + UNKNOWN)
            found += _all_instances(row, both)
        return found

    title = "StreamNTT: A High-Throughput, HLS-Based Streaming NTT Accelerator"
    return Paper(title, COLUMNS, rows, _NOTES)


reproduce_streamntt = _paper_of(PUBLISHED)


def one_configuration(row: Published) -> Paper:
    """:data:`reproduce_streamntt` for one of the configurations alone."""
    return _paper_of([row])
