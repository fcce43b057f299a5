# SPDX-License-Identifier: Apache-2.0
"""Common parts of the results of a verb, for every kind of core."""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, ClassVar, NamedTuple, ParamSpec, Self, TypeVar

from pydantic import BaseModel, Field, PrivateAttr

from nttforge.design import Design, design_hash
from nttforge.provenance import Provenance
from nttforge.table import Block, Cell, Line, Shown, Table, verdict

P = ParamSpec("P")
R = TypeVar("R", bound="Result")


def timed(work: Callable[P, R]) -> Callable[P, R]:
    """A function whose result says how many seconds of wall time it took, in its `seconds`."""

    @wraps(work)
    def measured(*given: P.args, **options: P.kwargs) -> R:
        start = time.monotonic()
        result = work(*given, **options)
        return result.model_copy(update={"seconds": round(time.monotonic() - start, 2)})

    return measured


class Result(Shown, BaseModel):
    """Result of a verb.

    - `provenance`: where it is from.
    """

    provenance: Provenance = Field(default_factory=Provenance)
    #: The exit code of a result that is not `ok`.
    exit_code: ClassVar[int] = 1
    _files: dict[str, str] = PrivateAttr(default_factory=dict)
    _lines: list[Line] = PrivateAttr(default_factory=list)

    def with_line(self, line: Line, **files: str) -> Self:
        """The same result with a line about the files that were written, by name, in its data."""
        made = self.model_copy()
        made._files, made._lines = self._files | files, [*self._lines, line]
        return made

    def data(self) -> dict[str, Any]:
        """Output of `--json`."""
        return self.model_dump(mode="json") | self._files

    def view(self) -> Iterator[Block]:
        """Output for people: :meth:`shown`, and the lines that were added."""
        yield from self.shown()
        yield from self._lines

    @property
    def figures(self) -> Mapping[str, float]:
        """Figures that can be held to a bound, by name."""
        return {}

    def with_provenance(self, design: Design) -> Self:
        """The same result, which says of what design it is, and of what seed if it has one."""
        known = {"design_hash": design_hash(design), "seed": getattr(self, "seed", None)}
        return self.model_copy(update={"provenance": self.provenance.model_copy(update=known)})


class Text(NamedTuple):
    """A text that is a result by itself, and whether all of it held."""

    text: str
    ok: bool = True


class Listing(Result):
    """A table that is a result by itself."""

    title: str
    columns: list[str]
    rows: list[list[Cell]]
    notes: list[str] = Field(default_factory=list)

    def shown(self) -> Iterator[Block]:
        """The table."""
        yield Table(self.title, self.columns, self.rows, self.notes)


class Generated(Result):
    """A written design folder.

    - `files`: SystemVerilog files relative to the folder, packages first, the top and its wrapper
      last.
    """

    design: str
    folder: str
    top: str
    files: list[str]

    def shown(self) -> Iterator[Block]:
        """Files of the result."""
        yield Line(f"{len(self.files)} files in {self.folder}, top module {self.top}")


class Verification(Result):
    """Result of `verify`.

    - `ok`: all of it held.
    - `violation`: what the hardware did that it must never do, or None.
    - `seconds`: wall time.
    """

    design: str
    ok: bool
    violation: str | None
    seconds: float = 0.0
    _replay: Any = PrivateAttr(None)

    @property
    def replay(self) -> Any:
        """The step that failed first, as :class:`nttforge.flow.trace.Replay`; None if none did."""
        return self._replay

    def with_replay(self, replay: Any) -> Self:
        """The same, which knows the step that failed first."""
        self._replay = replay
        return self

    @property
    @abstractmethod
    def verdict(self) -> tuple[str, str]:
        """Comparisons, as `500 transforms`, and the message for a failure."""

    def ending(self, mismatches: Sequence[BaseModel]) -> Iterator[Block]:
        """The first mismatches, what broke off if anything did, and the verdict."""
        if mismatches:
            columns = [name.replace("_", " ") for name in type(mismatches[0]).model_fields]
            rows = [list(mismatch.model_dump().values()) for mismatch in mismatches]
            yield Table("First mismatches", columns, rows)
        if self.violation:
            yield Line(self.violation, "bad")
        compared, bad = self.verdict
        yield verdict(self.ok, f"{compared}, no mismatch, in {self.seconds} s", bad)


class Clock(BaseModel):
    """The clock of a design, placed or estimated, and what turns cycles into time.

    - `device`: with its speed grade.
    - `mhz`: the best of the seeds.
    - `seeds`: of placements; none if it takes more than the device has, and the clock is an
      estimate.
    - `lut4`: look-up tables that it takes there.
    """

    device: str
    mhz: float
    seeds: list[int]
    lut4: int

    @property
    def source(self) -> str:
        """Provenance of the result."""
        if self.seeds:
            return (
                f"{self.mhz} MHz on {self.device}, best of seeds {', '.join(map(str, self.seeds))}."
            )
        return f"{self.mhz} MHz, estimated for an {self.device}: it takes more than that has."

    def us(self, cycles: float) -> float:
        """Microseconds, with three digits."""
        return float(f"{cycles / self.mhz:.3g}")

    def area_time(self, cycles: float) -> float:
        """Look-up tables times microseconds, in thousands, with three digits."""
        return float(f"{self.lut4 * cycles / self.mhz / 1000:.3g}")


class Timed(NamedTuple):
    """Cycles of an operation: from first word in to last word out, and of each in a sequence."""

    latency: float
    each: float | None


class Measurement(Result):
    """Result of `measure`.

    - `clock`: of the design as built for ECP5; None without `--place`.
    """

    design: str
    seconds: float = 0.0
    clock: Clock | None = None

    @property
    @abstractmethod
    def timed(self) -> Mapping[str, Timed]:
        """Cycles of each operation."""

    @property
    def figures(self) -> Mapping[str, float]:
        """The latency of the slowest operation, and the clock if the design was placed."""
        clock = {} if self.clock is None else {"mhz": self.clock.mhz}
        return {"cycles": max(each.latency for each in self.timed.values()), **clock}

    def times(self) -> Iterator[Block]:
        """Time and area times time; nothing without a clock."""
        if self.clock is None:
            return
        clock = self.clock
        rows: list[list[Cell]] = []
        for name, cycles in self.timed.items():
            each: list[Cell] = [None, None]
            if cycles.each is not None:
                each = [clock.us(cycles.each), clock.area_time(cycles.each)]
            rows.append([name, clock.us(cycles.latency), *each])
        yield Table(
            "Time",
            ["operation", "latency, us", "each, us", "1000 LUT4 x us"],
            rows,
            [clock.source],
        )


class Ran(Result):
    """Result of `run`.

    - `cycles`: simulated.
    - `input`, `output`: files; no output if the results are wrong, which are not written.
    - `input_format`, `output_format`: what the files hold, in words; of raw words their width and
      byte order too.
    - `ok`: the results equal the reference's.
    """

    design: str
    operation: str
    cycles: int
    input: str
    output: str | None
    input_format: str
    output_format: str
    ok: bool
    seconds: float = 0.0

    def ending(self, what: str) -> Iterator[Block]:
        """What was done, where it is, and the verdict."""
        written = f"written to {self.output} ({self.output_format})"
        where = "not written" if self.output is None else written
        yield Line(f"{what} in {self.cycles:,} cycles, {where}")
        yield verdict(self.ok, "equal to the reference", "DIFFERENT from the reference")
