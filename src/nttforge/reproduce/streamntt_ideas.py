# SPDX-License-Identifier: Apache-2.0
"""StreamNTT's three ideas, one after the other, in our RTL.

Table III of the paper adds them to a baseline, for n = 1024 and q = 3221225473: butterfly and
buffer in one pipelined loop (ICBU), butterflies merged so that they share control and twiddles, and
many small instances instead of a large one (ILP). The same steps with our modules: transforms one
at a time, then back to back; four engines of one butterfly a stage, then one of four; and sixteen
of those.
"""

from nttforge.design import load_design
from nttforge.flow.prepare import Progress, prepare
from nttforge.flow.stream.measure import MeasureResult, measure
from nttforge.flow.synth import SynthResult, synth
from nttforge.reproduce.table import Paper, Rows
from nttforge.table import Cell

DESIGN = "streamntt-3221225473"
MERGED = 4
INSTANCES = 16
CLOCK_MHZ = 306
TRANSFORMS = 1000

COLUMNS = [
    "step",
    "engines x butterflies a stage",
    "LUT",
    "FF",
    "DSP",
    "BRAM",
    "cycles a transform",
    f"MPoly/s, ours at {CLOCK_MHZ} MHz",
    "of the step before",
]

PUBLISHED: Rows = [
    ["paper, baseline", "1 x 32", 371_000, 346_000, 1280, 444, None, 4.5, None],
    ["paper, +ICBU", "1 x 32", 357_000, 358_000, 1280, 444, None, 12.9, "x 2.9"],
    ["paper, +merge", "1 x 32", 307_000, 270_000, 1280, 268, None, 12.6, "LUT x 0.86"],
    ["paper, +ILP", "16 x 4", 648_000, 605_000, 2560, 536, None, 32.4, "x 2.6"],
]


def _measured(butterflies: int, progress: Progress) -> tuple[MeasureResult, SynthResult]:
    overrides = {"pipeline.butterflies": butterflies, "operations": ["ntt"]}
    design = load_design(DESIGN, overrides).model_copy(update={"shell": None})
    prepared = prepare(design)
    cycles = measure(prepared, transforms=TRANSFORMS, progress=progress)
    return cycles, synth(prepared, "xcup", progress=progress)


def _area(area: SynthResult, times: int) -> list[Cell]:
    return [times * count for count in (area.lut_total, area.ff, area.dsp, area.bram18)]


def _rows(_: bool, progress: Progress) -> Rows:
    narrow, narrow_area = _measured(1, progress)
    wide, wide_area = _measured(MERGED, progress)
    alone = narrow.latency_cycles / MERGED
    apart = narrow.cycles_per_transform / MERGED
    together = wide.cycles_per_transform
    unmerged, merged = MERGED * narrow_area.lut_total, wide_area.lut_total

    def rate(cycles: float, instances: int = 1) -> Cell:
        return round(instances * CLOCK_MHZ / cycles, 2)

    engines = f"{MERGED} x 1"
    before, after = _area(narrow_area, MERGED), _area(wide_area, 1)
    rows: Rows = [
        ["ours, one transform at a time", engines, *before, alone, rate(alone), None],
        ["ours, back to back", engines, *before, apart, rate(apart), f"x {alone / apart:.2f}"],
        [
            "ours, merged",
            f"1 x {MERGED}",
            *after,
            together,
            rate(together),
            f"LUT x {merged / unmerged:.2f}",
        ],
        [
            "ours, instances",
            f"{INSTANCES} x {MERGED}",
            *_area(wide_area, INSTANCES),
            together / INSTANCES,
            rate(together, INSTANCES),
            f"x {INSTANCES}",
        ],
    ]
    return [*PUBLISHED, *rows]


reproduce_streamntt_ideas = Paper(
    "StreamNTT, table III: what each idea buys (n = 1024, q = 3221225473, forward)",
    COLUMNS,
    _rows,
    [
        "The paper's rows are its table III, board and clock of each step included. Ours are "
        "engines without memory movers: area by Yosys for xcup, cycles observed in simulation. "
        "LUT counts logic, RAM and shift registers; BRAM of ours are of 18 Kbit.",
        "One at a time: the next transform begins when the one before has left, as if stages "
        "did not overlap; its cycles are the observed latency over the number of engines.",
        "What instances buy the paper is placement and clock, which nothing here shows: for us "
        "they multiply throughput and area alike, where one wider engine would, too.",
    ],
)
