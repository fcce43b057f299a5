# SPDX-License-Identifier: Apache-2.0
"""Candidates that meet the requirements, their Pareto front, the choice, or the reason for none."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field

from nttforge.config.requirements import Requirements
from nttforge.reduction.constant import LUTS_PER_BLOCK, LUTS_PER_DSP, LUTS_PER_FLOP

#: Candidates of which each is so little slower than the fastest are as good.
AS_FAST = 1.02
#: Large cards have about so many block RAMs for each block of UltraRAM.
_BLOCKS_PER_URAM = 4


class Candidate(BaseModel):
    """A design that a family offers.

    - `family`, `keys`: the family, and the keys of its table that were chosen.
    - `text`: the same for people, without the keys that all of the family's candidates have alike.
    - `cycles`: by operation, or by size: latency, and cycles of each in a sequence.
    - `each`, `latency`: of the slowest of them.
    - `together`: of data in memory: the geometric mean of both figures of all sizes; of a
      coprocessor that of the latencies of all operations.
    - `lacks`: operations of its standards that a coprocessor does not have.
    - `lut`, `ff`, `dsp`, `bram18`: area, estimated; None if nothing of the kind was measured.
    - `ram`: of data in memory: Mb of the buffer.
    - `uram`, `channels`: of key switching: UltraRAM of its rows, and channels of HBM2 for keys.
    - `mhz`: the clock, estimated or as it was given.
    - `each_us`, `latency_us`: the same in microseconds, if there is a clock.
    - `violations`: the bounds that it does not keep to, and how many times over it is.
    - `front`: nothing else that meets as many bounds is better in one figure and as good in the
      others.
    - `chosen`: it is the one to take.
    - `design`: its design file.
    """

    family: str
    keys: dict[str, Any]
    text: str = ""
    cycles: dict[str, tuple[float, float]]
    each: float
    latency: float
    together: float | None = None
    lacks: int = 0
    lut: float | None = None
    ff: float | None = None
    dsp: float | None = None
    bram18: float | None = None
    ram: float | None = None
    uram: float | None = None
    channels: float | None = None
    mhz: float | None = None
    violations: dict[str, float] = Field(default_factory=dict)
    front: bool = False
    chosen: bool = False
    design: str = ""

    @property
    def each_us(self) -> float | None:
        """Microseconds of each in a sequence."""
        return None if self.mhz is None else self.each / self.mhz

    @property
    def latency_us(self) -> float | None:
        """Microseconds from the first beat in to the last beat out."""
        return None if self.mhz is None else self.latency / self.mhz

    def time(self) -> float:
        """Time of a candidate: in microseconds if its clock is known, else in cycles."""
        cycles = self.each if self.together is None else self.together
        return cycles if self.mhz is None else cycles / self.mhz

    def area(self, prefer: str) -> float:
        """Total area as LUT equivalents."""
        return (
            (self.lut or 0)
            + LUTS_PER_FLOP * (self.ff or 0)
            + LUTS_PER_DSP[prefer] * (self.dsp or 0)
            + LUTS_PER_BLOCK * ((self.bram18 or 0) + _BLOCKS_PER_URAM * (self.uram or 0))
        )


def add_labels(candidates: Sequence[Candidate]) -> None:
    """Give each its text: the family, and what is not alike in all that it offers."""
    seen: dict[tuple[str, str], set[str]] = {}
    for each in candidates:
        for name, value in each.keys.items():
            seen.setdefault((each.family, name), set()).add(_toml(value))
    many = Counter(each.family for each in candidates)
    named = Counter((each.family, name) for each in candidates for name in each.keys)
    for each in candidates:
        said = [
            f"{name} = {_toml(value)}"
            for name, value in each.keys.items()
            if len(seen[each.family, name]) > 1 or named[each.family, name] < many[each.family]
        ]
        each.text = f"{each.family}: {', '.join(said)}" if said else each.family


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


Bounds = Mapping[str, tuple[str, float, Literal["most", "least"]]]


def bounds(need: Requirements) -> Bounds:
    """Bounds of the requirements: option -> figure of a candidate, its bound, and direction."""
    found: dict[str, tuple[str, float | None]] = {
        "--interval": ("each", need.interval),
        "--latency": ("latency", need.latency),
        "--interval-us": ("each_us", need.interval_us),
        "--latency-us": ("latency_us", need.latency_us),
        "--max-lut": ("lut", need.max_lut),
        "--max-ff": ("ff", need.max_ff),
        "--max-dsp": ("dsp", need.max_dsp),
        "--max-bram18": ("bram18", need.max_bram18),
        "--max-uram": ("uram", need.max_uram),
        "--max-channels": ("channels", need.max_channels),
        "--ram": ("ram", need.memory.ram if need.memory else None),
        "--min-mhz": ("mhz", need.min_mhz),
    }
    return {
        option: (figure, bound, "least" if option.startswith("--min") else "most")
        for option, (figure, bound) in found.items()
        if bound is not None
    }


def violations(candidate: Candidate, asked: Bounds) -> dict[str, float]:
    """The bounds that a candidate does not keep to, and how many times over it is."""
    found = {}
    for option, (figure, bound, way) in asked.items():
        value = getattr(candidate, figure)
        over = value / max(bound, 0.5) if way == "most" else bound / value
        if value > bound if way == "most" else value < bound:
            found[option] = over
    return found


def _figures(candidate: Candidate, latency: bool) -> tuple[float, ...]:
    """Figures by which candidates are compared; less is better."""
    figures = (
        *(candidate.time(), candidate.lut, candidate.dsp, candidate.bram18, candidate.ff),
        candidate.lacks,
    )
    more = (candidate.latency_us or candidate.latency,) if latency else ()
    return tuple(value or 0.0 for value in (*figures, candidate.uram, *more))


def dominates(one: Candidate, other: Candidate, latency: bool) -> bool:
    """Whether one is as good as another in each figure."""
    pairs = zip(_figures(one, latency), _figures(other, latency), strict=True)
    return all(a <= b for a, b in pairs)


def front(candidates: Sequence[Candidate], *, latency: bool) -> list[int]:
    """Indices of candidates that no other dominates in time, area and, if asked, latency."""
    figures = [_figures(each, latency) for each in candidates]
    order = sorted(range(len(figures)), key=figures.__getitem__)
    kept: list[int] = []
    for i in order:
        if not any(all(a <= b for a, b in zip(figures[k], figures[i], strict=True)) for k in kept):
            kept.append(i)
    return kept


def choose(candidates: Sequence[Candidate], need: Requirements) -> Candidate:
    """The one to take: of least area, or the fastest, and of those that are as fast the least.

    Coprocessors that have all operations go first.
    """
    least = min(c.lacks for c in candidates)
    candidates = [c for c in candidates if c.lacks == least]
    if need.aim == "area":
        return min(candidates, key=lambda c: (c.area(need.prefer), c.time()))
    fast = min(c.time() for c in candidates) * AS_FAST
    good = (c for c in candidates if c.time() <= fast)
    return min(good, key=lambda c: c.area(need.prefer))


def nearest(candidates: Sequence[Candidate], need: Requirements) -> Candidate:
    """If no candidate meets the requirements: the one with the least total excess."""
    return min(
        candidates,
        key=lambda c: (sum(map(math.log, c.violations.values())), c.area(need.prefer)),
    )


def binding(candidates: Sequence[Candidate]) -> Iterator[tuple[str, int]]:
    """Bounds without which the need could be met, and how many candidates would meet it then."""
    single = [next(iter(c.violations)) for c in candidates if len(c.violations) == 1]
    yield from sorted(((o, single.count(o)) for o in set(single)), key=lambda pair: -pair[1])
