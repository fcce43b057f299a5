# SPDX-License-Identifier: Apache-2.0
"""The scalable core for Kyber, from 1 to n/2 butterflies, beside our iterative family.

The scalable NTT architecture of the HLS paper `scalable-hls-kyber`: its cycles are equations 5 to 7
with t_core = 2; its section IV-A and figure 5 report 14 of them, and 11,771 MB/s, with 128
butterflies. The peers' generators were put through the same Yosys flow as ours; their cycles are
those of their own test benches.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nttforge.design import Design, parse_design
from nttforge.families import Core
from nttforge.families.iterative import work_out
from nttforge.families.iterative.memory import least_block_rams
from nttforge.flow.prepare import Prepared, Progress, prepare
from nttforge.flow.reference import random_polynomials
from nttforge.flow.stream.measure import measure
from nttforge.flow.synth import SynthResult, synth
from nttforge.keys.iterative import IterativeTable
from nttforge.reproduce.table import Paper, Rows
from nttforge.reproduce.time import TIME_COLUMNS, TIME_NOTE, time_cells
from nttforge.ring.primes import next_ntt_prime
from nttforge.table import Cell
from nttforge.targets import Target

#: Polynomials back to back, for equation 7.
BATCH = 100
COLUMNS = [
    "design",
    "n, q",
    "butterflies",
    "eq. 6",
    "ntt",
    "intt",
    "of all butterflies busy",
    "one ntt, I/O included",
    f"{BATCH} ntt",
    "bytes a cycle",
    "pointwise",
    "polymul",
    "LUT",
    "FF",
    "DSP",
    "BRAM18",
    "of polynomials / least",
    "below peers",
    *TIME_COLUMNS,
]

T_CORE = 2
KYBER = (256, 3329, 7)
OURS = "nttforge"
TRANSFORMS = ("ntt", "intt")
PRODUCTS = ("ntt", "intt", "pointwise", "polymul")
#: A modulus of 60 bits for 4096 coefficients: what homomorphic encryption takes.
LARGE = {"name": "large", "n": 4096, "q": str(next_ntt_prime(60, 8192))}


@dataclass(frozen=True)
class Ours:
    """One of our designs in the table.

    Attributes
    ----------
    label
        What is said of it.
    rings
        Its rings.
    table
        Keys of `[iterative]`.
    operations
        What it does.
    area
        Whether to synthesize it.
    clock
        Whether to place and route it if clocks are wanted.
    """

    label: str
    rings: tuple[Mapping[str, Any], ...]
    table: Mapping[str, Any]
    operations: tuple[str, ...] = TRANSFORMS
    area: bool = True
    clock: bool = False

    def design(self, target: Target = "xcup") -> Design:
        """The design itself."""
        data = {
            "name": "scalable",
            "target": target,
            "family": "iterative",
            "rings": [dict(ring) for ring in self.rings],
            "operations": list(self.operations),
            "iterative": dict(self.table),
        }
        return parse_design(data, "scalable")


def preset(name: str) -> Mapping[str, Any]:
    """A ring of a name."""
    return {"preset": name}


ML_KEM, ML_DSA = preset("ml-kem"), preset("ml-dsa")
BOTH = (ML_KEM, ML_DSA)
SCALED = (
    *(
        Ours("short", (ML_KEM,), {"butterflies": 1 << k, "short": True}, area=False)
        for k in range(8)
    ),
    Ours("short, 2 slots", (ML_KEM,), {"butterflies": 128, "short": True, "slots": 2}, area=False),
)


@dataclass(frozen=True)
class Peer:
    """Somebody else's design, through the same flow."""

    name: str
    ring: str
    butterflies: int
    forward: int
    inverse: int
    with_io: int | None
    area: tuple[int, int, int, int] = field(default=(0, 0, 0, 0))

    @property
    def row(self) -> list[Cell]:
        """Its cells."""
        cycles: list[Cell] = [None, self.forward, self.inverse, None, self.with_io]
        unknown: list[Cell] = [None] * 4
        rest: list[Cell] = [None] * (2 + len(TIME_COLUMNS))
        return [self.name, self.ring, self.butterflies, *cycles, *unknown, *self.area, *rest]

    def is_above(self, cycles: tuple[int, int], area: SynthResult) -> bool:
        """Whether it takes more LUTs, more DSP blocks and more cycles, both ways."""
        lut, _, dsp, _ = self.area
        return (
            area.lut_total < lut
            and area.dsp < dsp
            and cycles[0] < self.forward
            and cycles[1] < self.inverse
        )


def peers_of(ring: str, butterflies: int) -> list[Peer]:
    """The peers in the same ring with as many butterflies."""
    return [peer for peer in PEERS if (peer.ring, peer.butterflies) == (ring, butterflies)]


PEERS = (
    Peer("parametric-ntt", "256, 8380417", 1, 1160, 1432, 1673, (835, 1750, 7, 10)),
    Peer("OpenNTT", "256, 8380417", 1, 1043, 1056, 1555, (963, 1725, 10, 4)),
    Peer("GMU Dilithium 2x2", "256, 8380417", 4, 304, 296, None, (4887, 3513, 8, 0)),
    Peer("Adams Bridge 2x2", "256, 8380417", 4, 306, 310, None, (10253, 3972, 60, 0)),
    Peer("parametric-ntt", "256, 8380417", 8, 264, 312, 777, (7184, 9089, 56, 24)),
    Peer("parametric-ntt", "1024, 12289", 8, 808, 950, 2857, (4281, 5009, 24, 32)),
    Peer("OpenNTT", "1024, 268369921", 8, 659, 672, 2707, (12414, 14716, 112, 18)),
)
#: In ML-DSA's ring; these are placed.
TIMED = (
    *(Ours("default", (ML_DSA,), {"butterflies": c}, clock=True) for c in (1, 4, 8)),
    Ours("fast clock", (ML_DSA,), {"butterflies": 1, "adders_per_stage": 1}, clock=True),
)
BESIDE_PEERS = (
    *TIMED,
    *(
        Ours("default", (preset(name),), {"butterflies": 8})
        for name in ("newhope-1024", "fhe-28bit")
    ),
    *(Ours("products", (ML_DSA,), {"butterflies": c}, PRODUCTS) for c in (1, 4)),
    Ours("products", (ML_KEM,), {"butterflies": 4}, PRODUCTS),
    Ours("with ML-DSA", BOTH, {"butterflies": 1}),
    Ours("with ML-DSA, pairs", BOTH, {"butterflies": 1, "pairs": True}),
    *(Ours("default", (LARGE,), {"butterflies": c}, area=c in (1, 4)) for c in (1, 2, 4, 8, 16)),
)


def formula(n: int, stages: int, butterflies: int) -> int:
    """The paper's cycles of a transform (equation 6)."""
    return stages * n * T_CORE // (2 * butterflies)


def _batch(prepared: Prepared[Core]) -> int:
    """Cycles of a batch of forward transforms, from the first beat in to the last beat out."""
    operation = prepared.core.operations[0]
    polynomials = random_polynomials(operation.ring, BATCH, np.random.default_rng(0))
    with prepared.simulator() as simulator:
        run = simulator.stream([operation] * BATCH, polynomials)
    return int(run.last_out[-1] - run.first_in[0] + 1)


def _time(ours: Ours, progress: Progress) -> list[Cell]:
    prepared = prepare(ours.design("ecp5"))
    return time_cells(prepared, measure(prepared, transforms=50, progress=progress), progress)


def _memory(design: Design, area: SynthResult) -> str:
    """Block RAM of the polynomials, beside the least that their words need."""
    core = work_out(design)
    used = sum(block["bram18"] for path, block in area.blocks.items() if ".u_memory." in path)
    least = least_block_rams(core.words * 2 * core.lines, core.residue_bits, core.lines)
    return f"{used} / {least}"


def _row(ours: Ours, clock: bool, progress: Progress) -> list[Cell]:
    design = ours.design()
    prepared = prepare(design)
    figures = measure(prepared, transforms=50, progress=progress).operations
    first = prepared.core.operations[0]
    ring = first.ring
    name, butterflies = f"{ring.n}, {ring.q}", design.table(IterativeTable).butterflies
    inverse = first.name.removesuffix("ntt") + "intt"
    longest = figures[first.name].cycles_longest, figures[inverse].cycles_longest
    products = [figures[op].cycles_per_transform if op in figures else None for op in PRODUCTS[2:]]
    size: list[Cell] = [None] * 6
    if ours.area:
        area = synth(prepared, "xcup", progress=progress)
        size = [area.lut_total, area.ff, area.dsp, area.bram18, _memory(design, area), None]
        peers = peers_of(name, butterflies)
        if peers and ours.operations == TRANSFORMS:
            below = sum(peer.is_above(longest, area) for peer in peers)
            size[-1] = f"{below} of {len(peers)}"
    by_formula = formula(ring.n, ring.layers, butterflies)
    batch = _batch(prepared)
    return [
        f"{OURS}, {ours.label}",
        name,
        butterflies,
        by_formula,
        *longest,
        f"{100 * T_CORE * max(longest) / by_formula:.0f} %",
        figures[first.name].latency_cycles,
        batch,
        round(BATCH * ring.n * ring.width / 8 / batch, 2),
        *products,
        *size,
        *(_time(ours, progress) if clock and ours.clock else [None] * len(TIME_COLUMNS)),
    ]


def _beside_peers(clock: bool, progress: Progress) -> Rows:
    """Ours, the first of each size behind the peers of that size."""
    rows: Rows = []
    waiting = list(PEERS)
    for ours in BESIDE_PEERS:
        row = _row(ours, clock, progress)
        same = [peer for peer in waiting if (peer.ring, peer.butterflies) == (row[1], row[2])]
        rows += [*(peer.row for peer in same), row]
        waiting = [peer for peer in waiting if peer not in same]
    return rows


def _rows(clock: bool, progress: Progress) -> Rows:
    n, q, stages = KYBER
    most = n // 2
    cycles = formula(n, stages, most)
    at_14 = round(n * q.bit_length() / 8 / cycles, 2)
    head: list[Cell] = [
        "paper",
        f"{n}, {q}",
        most,
        cycles,
        14,
        14,
        None,
        None,
        BATCH * cycles,
        at_14,
    ]
    paper: list[Cell] = [*head, *[None] * (len(COLUMNS) - len(head))]
    return [
        paper,
        *(_row(ours, clock, progress) for ours in SCALED),
        *_beside_peers(clock, progress),
    ]


# --clock: Also place and route a few on an ECP5-85F (speed grade 8), which takes minutes.
reproduce_scalable = Paper(
    "The scalable NTT core for Kyber in the cloud (scalable-hls-kyber)",
    COLUMNS,
    _rows,
    [
        "eq. 6: the paper's cycles of a transform with two clocks a butterfly; its eq. 7 is so "
        "many times that for a batch without idling, as its row has it. ntt and intt: the "
        "longest time between the last beats of transforms streamed back to back, which "
        "includes loading and unloading; the peers' leave those out.",
        "of all butterflies busy: the slower of the two, of stages n / 2c cycles with c "
        "butterflies, each of which then works in every cycle. Pairs do two in one.",
        "bytes a cycle: of a batch, as figure 5 of the paper compares throughput; its 11,771 "
        "MB/s are 92 for each of 128 butterflies. The paper's row is its 14 cycles.",
        "I/O included: first beat in to last beat out of a transform that is alone in the "
        "core; a peer's is its loading, computing and unloading in turn.",
        "pointwise and polymul: cycles of a product of two transforms, and of two polynomials, "
        "streamed back to back.",
        "of polynomials / least: block RAM that holds them, beside what nobody can do without "
        "for their bits, or for reading as many words a cycle. The rest of it is tables.",
        "below peers: how many of the peers in the same ring with as many butterflies take "
        "more LUTs, more DSP blocks and more cycles in both directions.",
        "LUT counts logic, RAM and shift registers, after Yosys for xcup.",
        TIME_NOTE,
    ],
)
