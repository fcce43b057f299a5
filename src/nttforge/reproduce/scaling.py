# SPDX-License-Identifier: Apache-2.0
"""The streaming engine from 1 to 32 butterflies a stage, beside a published radix-4 pipeline.

1024 coefficients, a sparse prime of 25 bits, forward only. The published figures are those of a
radix-4 multi-path delay commutator of four, sixteen and sixty-four lanes with a prime of the same
width, by its vendor's tools; it is the best published streaming core known to us.
"""

import numpy as np

from nttforge.design import parse_design
from nttforge.flow.prepare import Progress, prepare
from nttforge.flow.stream.measure import measure
from nttforge.flow.synth import synth
from nttforge.reproduce.table import Paper, Rows
from nttforge.table import Cell

RING = {"n": 1024, "q": 16801793}  # 2^24 + 2^14 + 2^13 + 1
BUTTERFLIES = (1, 2, 4, 8, 16, 32)
#: Narrow tiles as adders: one multiplier block a butterfly instead of two.
LUT_TILE = 8
#: Latency is compared here, and no clock is: fewer registers than a design has by default.
ADDERS = 4
TRANSFORMS = 200
#: What is synthesized unless more is asked for: one butterfly a stage, and the published lanes but
#: the most, which take half an hour.
SYNTHESIZED = (1, 2, 8)
OURS = "nttforge"

COLUMNS = [
    "design",
    "lanes",
    "butterflies a stage",
    "cycles a transform",
    "latency",
    "LUT",
    "FF",
    "DSP",
    "BRAM18",
    "DSP x cycles",
]

PUBLISHED: Rows = [
    ["radix-4 MDC, published", lanes, None, cycles, latency, lut, None, dsp, bram, dsp * cycles]
    for lanes, cycles, latency, lut, dsp, bram in (
        (4, 256, 601, 6600, 30, 8),
        (16, 64, 217, 25_000, 120, 14),
        (64, 16, 121, 97_000, 480, 0),
    )
]


def _ours(butterflies: int, synthesized: bool, progress: Progress) -> list[Cell]:
    design = parse_design(
        {
            "name": f"scaling-{butterflies}",
            "rings": [RING],
            "operations": ["ntt"],
            "pipeline": {
                "butterflies": butterflies,
                "lut_tile": LUT_TILE,
                "adders_per_stage": ADDERS,
            },
        },
        "scaling",
    )
    prepared = prepare(design)
    cycles = measure(prepared, transforms=TRANSFORMS, progress=progress)
    row: list[Cell] = [
        OURS,
        prepared.core.stream.lanes,
        butterflies,
        cycles.cycles_per_transform,
        cycles.latency_cycles,
    ]
    if not synthesized:
        return row + [None] * (len(COLUMNS) - len(row))
    area = synth(prepared, "xcup", progress=progress)
    each = int(np.rint(area.dsp * cycles.cycles_per_transform))
    return [*row, area.lut_total, area.ff, area.dsp, area.bram18, each]


def _rows(clock: bool, progress: Progress) -> Rows:
    ours = [_ours(size, clock or size in SYNTHESIZED, progress) for size in BUTTERFLIES]
    return [*PUBLISHED, *ours]


def _notes(clock: bool, _: Progress) -> list[str]:
    return [
        "Cycles and latency (first beat in to last beat out) of ours are observed in "
        f"simulation over {TRANSFORMS} transforms; area is Yosys's for xcup. LUT counts logic, "
        "RAM and shift registers. The published figures are by a vendor's tools.",
        f"Ours have `lut_tile = {LUT_TILE}`: a product of 27 x 25 bits takes one multiplier "
        "block, and what it leaves over is adders. Without, it takes two, and fewer LUTs.",
        *([] if clock else ["Area of the others takes half an hour: `--clock` adds it."]),
    ]


# --clock: Synthesize all of them, not only `SYNTHESIZED`. No clock is measured: the larger ones
# do not fit an ECP5.
reproduce_scaling = Paper(
    "Scaling of the streaming engine: 1024 coefficients, a prime of 25 bits, forward",
    COLUMNS,
    _rows,
    _notes,
)
