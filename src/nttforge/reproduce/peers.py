# SPDX-License-Identifier: Apache-2.0
"""Other open cores and ours, by time and by area times time, all of them on one open flow.

The peers were put through Yosys (`synth_ecp5 -no-rw-check`) and nextpnr for an LFE5U-85F of speed
grade 8 as ours are, with seeds 1 and 2, the one of eight butterflies with seed 1 alone; their
cycles are those of their own benches in Verilator. HOPE-MLKEM is too large for nextpnr's router to
end, so its clock is the static estimate of :mod:`nttforge.synthesize.timing`, which is above what
nextpnr reaches of a design of that size; ours beside it is placed with --clock, else that, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nttforge.families import Hardware
from nttforge.families.mlkem.build import PRESET
from nttforge.families.mlkem.program import OPERATIONS, SETS
from nttforge.flow.clock import clock_of, mapped_lut4
from nttforge.flow.mlkem.measure import measure_mlkem
from nttforge.flow.prepare import Prepared, Progress, prepare, prepare_mlkem
from nttforge.flow.stream.measure import measure
from nttforge.flow.timing import timing_in_a_design
from nttforge.kinds.lattice.bus import open_kem
from nttforge.reproduce.clocks import ML_KEM
from nttforge.reproduce.scalable import TIMED, Ours
from nttforge.reproduce.table import Paper, Rows
from nttforge.table import Cell

COLUMNS = [
    "what",
    "design",
    "cycles",
    "MHz",
    "from",
    "us",
    "LUT4",
    "1000 LUT4 x us",
    "ours: times as fast",
    "less LUT4 x us, times",
]
_RUNS = 2
_TRANSFORMS = 50


@dataclass(frozen=True)
class Peer:
    """Somebody else's core.

    Attributes
    ----------
    name
        What it is called.
    mhz, source
        Its clock, and where that is from.
    lut4
        Sites of look-up tables, carries included.
    """

    name: str
    mhz: float
    source: str
    lut4: int


@dataclass(frozen=True)
class Transform:
    """A peer's transform beside ours of as many butterflies.

    Attributes
    ----------
    ours
        What is beside it.
    cycles
        Of a transform with its words loaded and unloaded: what a stream of them takes.
    """

    peer: Peer
    ours: Ours
    cycles: int


_ITERATIVE = "nttforge, iterative"
_TRANSFORM = "n = 256, q = 8380417, {} butterfl{}"
_ONE = Transform(Peer("parametric-ntt", 113.9, "nextpnr", 1_433), TIMED[0], 1_673)
_EIGHT = Transform(Peer("parametric-ntt", 105.6, "nextpnr", 11_599), TIMED[2], 777)
HOPE = Peer("HOPE-MLKEM, 4 butterflies", 74.6, "estimate", 34_321 + 2 * 1_567)
#: KeyGen, Encaps and Decaps, without its input and output.
HOPE_CYCLES: Mapping[str, Sequence[int]] = {
    "ML-KEM-512": (1_280, 2_667, 3_875),
    "ML-KEM-768": (2_525, 3_251, 4_602),
    "ML-KEM-1024": (3_560, 4_556, 5_733),
}


def _pair(what: str, theirs: tuple[Peer, int], ours: tuple[Peer, float]) -> Rows:
    """Their row, and ours with how much less it takes."""
    (peer, peer_cycles), (own, cycles) = theirs, ours
    peer_us, own_us = peer_cycles / peer.mhz, cycles / own.mhz
    peer_area, own_area = peer.lut4 * peer_us / 1e3, own.lut4 * own_us / 1e3

    def row(of: Peer, count: float, us: float, area: float) -> list[Cell]:
        number: Cell = int(count) if count == int(count) else round(count, 1)
        cost: list[Cell] = [round(us, 2), of.lut4, round(area, 1)]
        return [what, of.name, number, round(of.mhz, 1), of.source, *cost]

    return [
        [*row(peer, peer_cycles, peer_us, peer_area), None, None],
        [
            *row(own, cycles, own_us, own_area),
            round(peer_us / own_us, 2),
            round(peer_area / own_area, 2),
        ],
    ]


def _estimated(name: str, prepared: Prepared[Hardware], progress: Progress) -> Peer:
    """Ours before it is placed, with wires as the peer's were estimated."""
    mhz = timing_in_a_design(prepared, progress=progress).fmax_mhz
    return Peer(name, mhz, "estimate", mapped_lut4(prepared, progress=progress))


def _transforms(at: Transform, clock: bool, progress: Progress) -> Rows:
    prepared = prepare(at.ours.design("ecp5"))
    cycles = measure(prepared, transforms=_TRANSFORMS, progress=progress).cycles_per_transform
    if clock:
        found = clock_of(prepared, progress=progress)
        own = Peer(_ITERATIVE, found.mhz, "nextpnr", found.lut4)
    else:
        own = _estimated(_ITERATIVE, prepared, progress)
    butterflies = at.ours.table["butterflies"]
    what = _TRANSFORM.format(butterflies, "y" if butterflies == 1 else "ies")
    return _pair(what, (at.peer, at.cycles), (own, cycles))


def _transforms_paper(at: Transform, placed: str, more: str) -> Paper:
    """--clock: Place and route ours, too, which takes minutes; the estimate without."""
    return Paper(
        "Another open core's transforms on the same flow",
        COLUMNS,
        lambda clock, progress: _transforms(at, clock, progress),
        [
            _FLOW,
            f"nextpnr: the best of seeds 1 and 2{placed}.",
            "Cycles: of one transform after the other, with loading and unloading, which "
            "parametric-ntt does in turn and ours meanwhile; observed in simulation, the peer's by "
            "its own bench.",
            f"Multipliers and block RAM are in neither: parametric-ntt takes {more}.",
        ],
    )


def _coprocessor(clock: bool, progress: Progress) -> Rows:
    prepared = prepare_mlkem(ML_KEM.design())
    rounds = prepared.core.rounds_per_cycle
    found = measure_mlkem(open_kem(prepared), PRESET, rounds, runs=_RUNS, progress=progress)
    if clock:
        placed = ML_KEM.place(prepared, progress)
        own = Peer(PRESET, placed.fmax_mhz, "nextpnr", placed.utilization["TRELLIS_COMB"][0])
    else:
        own = _estimated(PRESET, prepared, progress)
    rows: Rows = []
    for p in SETS:
        for name, theirs in zip(OPERATIONS, HOPE_CYCLES[p.name], strict=True):
            cycles = found.operations[f"{p.name} {name}"].latency_cycles
            rows += _pair(f"{p.name} {name}", (HOPE, theirs), (own, cycles))
    return rows


_FLOW = (
    "All on an LFE5U-85F of speed grade 8, mapped by Yosys. LUT4: with those that are carries or "
    "memory (two a CCU2C, six a memory of 16 x 4)."
)
PEERS: Mapping[str, Paper] = {
    "peers-transforms": _transforms_paper(_ONE, "", "7 MULT18 and 10 block RAMs"),
    "peers-transforms-wide": _transforms_paper(
        _EIGHT, "; parametric-ntt's with seed 1 alone", "56 MULT18 and 24 block RAMs"
    ),
    "peers-ml-kem": Paper(
        "Another open ML-KEM core on the same flow",
        COLUMNS,
        _coprocessor,
        [
            _FLOW,
            "The peer's clock is the static estimate of `nttforge timing`: its routing does not "
            "end. Ours is nextpnr's where --clock was given, as in `clocks-ml-kem`.",
            "Cycles are observed in simulation, the peer's by its own benches, without its input "
            "and output, which ours includes.",
            "Multipliers and block RAM are in neither: HOPE-MLKEM takes 16 MULT18 and 28 block "
            "RAMs.",
        ],
    ),
}
