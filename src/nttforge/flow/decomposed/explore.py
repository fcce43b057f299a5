# SPDX-License-Identifier: Apache-2.0
"""`explore`: engines for large transforms that a board may take, and the one to take."""

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from nttforge.design import parse_design
from nttforge.emit.toml import to_toml
from nttforge.errors import NttforgeError
from nttforge.families.decomposed.build import build
from nttforge.families.decomposed.core import DecomposedCore
from nttforge.families.decomposed.explore import Board, Choice, shapes, words_a_beat
from nttforge.families.decomposed.floors import latency_floor, throughput_floor
from nttforge.families.decomposed.offer import (
    buffer_bits,
    largest_size,
    store_bits,
    table_of,
)
from nttforge.flow.prepare import Progress, silent
from nttforge.names import did_you_mean
from nttforge.output import check_writable, write_text
from nttforge.results import Result
from nttforge.ring.presets import PRESETS, find_preset
from nttforge.ring.primes import check_modulus
from nttforge.table import Block, Code, Line, Table
from nttforge.targets import Target

SIZES = (16, 20, 24)

#: Candidates whose transforms take that much longer than the fastest one's are as good.
_AS_FAST = 1.02


class Candidate(Choice):
    """One engine, as it would be built.

    Attributes
    ----------
    chosen
        Whether it is the one to take.
    latency_floor, batch_floor
        By log2 of the words: cycles that one transform, and each of an endless batch, takes at
        least. None: the engine has no transform of that size.
    """

    chosen: bool = False
    latency_floor: dict[int, float | None]
    batch_floor: dict[int, float | None]


class ExploreResult(Result):
    """What a board may take.

    Attributes
    ----------
    q, word_bits
        The modulus, and the bits of a word in memory.
    words_a_beat
        At which memory and kernel are as fast.
    sizes
        log2 of the transforms that are compared.
    candidates
        All of them.
    design
        The design file of the chosen one.
    file
        Where it was written, if it was.
    """

    q: str
    word_bits: int
    words_a_beat: float
    sizes: list[int]
    candidates: list[Candidate]
    design: str
    file: str | None = None

    def shown(self) -> Iterator[Block]:
        """A line a candidate, then the design file."""
        cycles = [f"2^{size}: one / in a batch" for size in self.sizes]
        yield Table(
            f"Engines for words of {self.word_bits} bits; memory and kernel are as fast at "
            f"{self.words_a_beat:g} words a beat",
            ["n", "t", "b", "ports", "mul", "DSP", "buffer, Mb", *cycles, ""],
            [
                [
                    *(c.n, c.t, c.b, c.ports, c.multipliers, c.dsp, round(c.ram_bits / 1e6, 1)),
                    *(_cycles(c.latency_floor[size], c.batch_floor[size]) for size in self.sizes),
                    "chosen" if c.chosen else "" if c.fits else "too large",
                ]
                for c in self.candidates
            ],
        )
        yield Line("cycles are floors: what no control can be faster than")
        yield Code(self.design, "toml")
        if self.file:
            yield Line(f"written to {self.file}")


def _cycles(one: float | None, batch: float | None) -> str:
    return f"{one:,.0f} / {batch:,.0f}" if one is not None and batch is not None else "none"


def explore(
    ring: str,
    board: Board,
    *,
    sizes: Sequence[int] = SIZES,
    largest: int | None = None,
    target: Target = "xcup",
    output: Path | None = None,
    progress: Progress = silent,
) -> ExploreResult:
    """Build every engine that is worth a look, as data, and choose one.

    The one that is chosen fits the board; the floors of its transforms are the lowest together;
    and of those that are as fast it takes the least.

    Parameters
    ----------
    ring
        A modulus, decimal or hexadecimal, or the name of a ring.
    board
        The board.
    sizes
        log2 of the transforms that matter.
    largest
        log2 of the largest transform; what the modulus allows, up to 2^28, if None.
    target
        FPGA family.
    output
        Design file to write; none if None.

    Raises
    ------
    NttforgeError
        If the ring or the board is wrong, no engine fits, or the file cannot be written.
    """
    _check(board, sizes)
    table, q = _ring(ring)
    depth = largest_size(q, largest)
    wrong = [size for size in sizes if size > depth]
    if wrong:
        raise NttforgeError(
            "--sizes", f"2^{wrong[0]} is above the largest, 2^{depth}", "leave it out"
        )
    if output is not None:
        _check_design_file(output)
    name = "explored" if output is None else output.stem
    fixed: Any = {"word_bits": store_bits(q), "largest": depth, "target": target}
    cores: list[DecomposedCore] = []
    problem: NttforgeError | None = None
    for shape in shapes(board, store_bits(q)):
        progress("planning n = {}, t = {}, b = {}".format(*shape))
        data = _data(name, table, shape, board, **fixed)
        try:
            cores.append(build(parse_design(data, "explore")))
        except NttforgeError as error:
            # What one shape cannot do another one may.
            if not error.field.startswith("decomposed"):
                raise
            problem = error
    if problem is not None and not cores:
        raise problem
    candidates = [_candidate(core, board, sizes) for core in cores]
    best = _choose(candidates, board, sizes, min(core.least for core in cores))
    candidates[best] = candidates[best].model_copy(update={"chosen": True})
    text = to_toml(_data(name, table, _shape(cores[best]), board, **fixed))
    if output is not None:
        write_text(output, text)
    return ExploreResult(
        q=str(q),
        word_bits=store_bits(q),
        words_a_beat=round(words_a_beat(board, store_bits(q)), 2),
        sizes=list(sizes),
        candidates=candidates,
        design=text,
        file=None if output is None else str(output),
    )


def _check(board: Board, sizes: Sequence[int]) -> None:
    for option, value in (
        ("--bandwidth", board.channel_gbytes_s),
        ("--clock", board.clock_mhz),
        ("--burst", board.burst_bytes),
        ("--dsp", board.dsp),
        ("--ram", board.ram_bits),
    ):
        if not (math.isfinite(value) and value > 0):
            raise NttforgeError(option, f"{value:g} is not above 0", "say what the board has")
    if not sizes:
        raise NttforgeError("--sizes", "there are none", "write 16,20,24")


def _ring(text: str) -> tuple[dict[str, str], int]:
    """A ring's table of a design file, and its modulus."""
    if text in PRESETS:
        return {"preset": text}, find_preset(text).ring.q
    try:
        q = int(text, 0)
    except ValueError:
        raise NttforgeError(
            "RING",
            f"{text} is neither a modulus nor the name of a ring",
            did_you_mean(text, PRESETS),
        ) from None
    check_modulus(q, "RING", "give a prime, or a ring's name")
    return {"q": text}, q


def _shape(core: DecomposedCore) -> tuple[int, int, int]:
    return core.board.n, core.board.t, core.board.b


def _data(
    name: str,
    ring: dict[str, str],
    shape: tuple[int, int, int],
    board: Board,
    *,
    word_bits: int,
    largest: int,
    target: Target,
) -> dict[str, Any]:
    """A design, as its file has it."""
    return {
        "name": name,
        "family": "decomposed",
        "target": target,
        "rings": [ring],
        "decomposed": table_of(shape, board, word_bits=word_bits, largest=largest),
    }


def _candidate(core: DecomposedCore, board: Board, sizes: Sequence[int]) -> Candidate:
    parts: dict[str, tuple[int, int]] = core.facts["multipliers"]
    n, t, b = _shape(core)
    dsp = sum(count * each for count, each in parts.values())
    ram_bits = buffer_bits(n, t, b, core.plan.modulus_width)
    return Candidate(
        n=n,
        t=t,
        b=b,
        ports=core.ports,
        multipliers=sum(count for count, _ in parts.values()),
        dsp=dsp,
        ram_bits=ram_bits,
        fits=dsp <= board.dsp and ram_bits <= board.ram_bits,
        latency_floor=_floors(core, sizes, latency_floor),
        batch_floor=_floors(core, sizes, throughput_floor),
    )


def _floors(
    core: DecomposedCore, sizes: Sequence[int], floor: Callable[[DecomposedCore, int], float]
) -> dict[int, float | None]:
    return {size: round(floor(core, size)) if size >= core.least else None for size in sizes}


def _choose(
    candidates: Sequence[Candidate], board: Board, sizes: Sequence[int], smallest: int
) -> int:
    """The place of the one to take.

    Raises
    ------
    NttforgeError
        If none fits.
    """
    if min(sizes) < smallest:
        raise NttforgeError(
            "--sizes",
            f"no engine that suits the board has transforms of 2^{min(sizes)}",
            f"use {smallest} or more",
        )
    fitting = (i for i, c in enumerate(candidates) if c.fits)
    times = {i: time for i in fitting if (time := _time(candidates[i])) is not None}
    if not times:
        least = min(candidates, key=lambda c: (c.dsp > board.dsp, c.ram_bits))
        raise NttforgeError(
            "board",
            f"no engine for these sizes fits {board.dsp:,} multiplier blocks and "
            f"{board.ram_bits / 1e6:,.1f} Mb of memory; the smallest, n = {least.n} and "
            f"t = {least.t}, takes {least.dsp:,} and {least.ram_bits / 1e6:,.1f} Mb",
            "give it more of them, or a slower channel",
        )
    fast = min(times.values()) * _AS_FAST
    good = (i for i, time in times.items() if time <= fast)
    return min(good, key=lambda i: (candidates[i].dsp, candidates[i].ram_bits))


def _time(candidate: Candidate) -> float | None:
    """Geometric mean of all floors; None if there is a size that it does not have."""
    floors = [*candidate.latency_floor.values(), *candidate.batch_floor.values()]
    known = [floor for floor in floors if floor is not None]
    if len(known) < len(floors):
        return None
    return math.exp(sum(map(math.log, known)) / len(known))


def _check_design_file(output: Path) -> None:
    if output.suffix != ".toml":
        raise NttforgeError("-o", f"{output} is no design file", "let it end in .toml")
    check_writable(output)
