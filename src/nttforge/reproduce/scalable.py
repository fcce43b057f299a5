# SPDX-License-Identifier: Apache-2.0
"""The scalable core for Kyber, from 1 to n/2 butterflies, beside our iterative family.

The scalable NTT architecture of the HLS paper `scalable-hls-kyber`: its cycles are equation 6 with
t_core = 2; its section IV-A reports 14 of them with 128 butterflies. The peers' generators were put
through the same Yosys flow as ours; their cycles are those of their own test benches.
"""

from collections.abc import Mapping
from typing import Any

from nttforge.design import load_design
from nttforge.flow.measure import measure
from nttforge.flow.prepare import Progress, prepare, silent
from nttforge.flow.synth import synth
from nttforge.reproduce.table import Cell, Reproduction

COLUMNS = [
    "design",
    "n, q",
    "butterflies",
    "cycles by eq. 6",
    "ntt",
    "intt",
    "one ntt, I/O included",
    "LUT",
    "FF",
    "DSP",
    "BRAM18",
]

T_CORE = 2
KYBER = (256, 3329, 7)
OURS = "nttforge"

PEERS: list[list[Cell]] = [
    ["parametric-ntt", "256, 8380417", 1, None, 1160, 1432, 1673, 835, 1750, 7, 10],
    ["OpenNTT", "256, 8380417", 1, None, 1043, 1056, 1555, 963, 1725, 10, 4],
    ["GMU Dilithium 2x2", "256, 8380417", 4, None, 304, 296, None, 4887, 3513, 8, 0],
    ["Adams Bridge 2x2", "256, 8380417", 4, None, 306, 310, None, 10253, 3972, 60, 0],
    ["parametric-ntt", "256, 8380417", 8, None, 264, 312, 777, 7184, 9089, 56, 24],
    ["parametric-ntt", "1024, 12289", 8, None, 808, 950, 2857, 4281, 5009, 24, 32],
    ["OpenNTT", "1024, 268369921", 8, None, 659, 672, 2707, 12414, 14716, 112, 18],
]
BESIDE_PEERS: tuple[tuple[str, dict[str, int]], ...] = (
    ("ml-dsa", {"butterflies": 1}),
    ("ml-dsa", {"butterflies": 4}),
    ("ml-dsa", {"butterflies": 4, "lut_tile": 6}),
    ("ml-dsa", {"butterflies": 8}),
    ("newhope-1024", {"butterflies": 8}),
    ("fhe-28bit", {"butterflies": 8}),
)


def formula(n: int, stages: int, butterflies: int) -> int:
    """The paper's cycles of a transform (equation 6)."""
    return stages * n * T_CORE // (2 * butterflies)


def _ours(ring: str, table: Mapping[str, Any], *, area: bool, progress: Progress) -> list[Cell]:
    keys = {f"iterative.{key}": value for key, value in table.items()}
    design = load_design(ring, {"family": "iterative", **keys})
    prepared = prepare(design)
    figures = measure(prepared, transforms=50, progress=progress)
    first = prepared.core.operations[0].ring
    size: list[Cell] = [None, None, None, None]
    if area:
        found = synth(prepared, "xcup", progress=progress)
        size = [found.lut_total, found.ff, found.dsp, found.bram18]
    kind = [key for key in table if key != "butterflies"] or ["default"]
    return [
        f"{OURS}, {', '.join(kind)}",
        f"{first.n}, {first.q}",
        design.iterative.butterflies,
        formula(first.n, first.layers, design.iterative.butterflies),
        figures.operations["ntt"].cycles_longest,
        figures.operations["intt"].cycles_longest,
        figures.operations["ntt"].latency_cycles,
        *size,
    ]


def reproduce_scalable(clock: bool = False, progress: Progress = silent) -> Reproduction:
    """Measure every power of two of butterflies, and put our areas beside the peers'.

    Parameters
    ----------
    clock
        Takes no notice of it: neither the paper nor its peers have a clock in this flow.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        If a tool is missing.
    """
    del clock
    n, q, stages = KYBER
    most = n // 2
    paper: list[Cell] = ["paper", f"{n}, {q}", most, formula(n, stages, most), 14]
    scaled = [
        _ours("ml-kem", {"butterflies": 1 << k, "short": True}, area=False, progress=progress)
        for k in range(most.bit_length())
    ]
    beside = [_ours(ring, table, area=True, progress=progress) for ring, table in BESIDE_PEERS]
    return Reproduction(
        paper="The scalable NTT core for Kyber in the cloud (scalable-hls-kyber)",
        columns=COLUMNS,
        rows=[[*paper, *[None] * (len(COLUMNS) - len(paper))], *scaled, *PEERS, *beside],
        notes=[
            "ntt and intt: the longest time between the last beats of transforms streamed back to "
            "back, which includes loading and unloading; the peers' leave those out.",
            "I/O included: first beat in to last beat out of a transform that is alone in the "
            "core; a peer's is its loading, computing and unloading in turn.",
            "LUT counts logic, RAM and shift registers, after Yosys for xcup.",
        ],
    )
