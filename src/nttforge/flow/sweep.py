# SPDX-License-Identifier: Apache-2.0
"""`sweep`: a verb over a grid of designs and options, a row a point.

A point is known by what its result depends on: verb, options, the design with all of its keys, the
library's RTL, and nttforge's version. A row is written as soon as its point is done, so that a
sweep that ends early goes on where it was. Each point is a process of its own, the command itself:
what it takes of memory, and how it ends, is its own affair.
"""

import hashlib
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from fcntl import LOCK_EX, LOCK_NB, flock
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nttforge.design import load_design
from nttforge.draw.points import check_page, page_of, point
from nttforge.emit.toml import design_toml
from nttforge.errors import NttforgeError, shortened, shown
from nttforge.flow.prepare import Progress, silent
from nttforge.output import check_writable, read_toml, replacing, write_bytes, write_text, writing
from nttforge.packages import imported
from nttforge.progress import so_far
from nttforge.results import Result
from nttforge.rtl_library import library
from nttforge.table import Block, Table, verdict
from nttforge.version import __version__

Row = dict[str, Any]
Value = bool | int | float | str
_PROGRAM = (sys.executable, "-m", "nttforge")
_USAGE = 2
#: How often a point is begun whose process was killed.
_ATTEMPTS = 3
_PATIENCE = "10s"
_MOST_POINTS = 1_000_000


class Grid(BaseModel):
    """What is swept: every design with every value of every key and every option.

    Attributes
    ----------
    verb
        What is done with each.
    designs
        Names or paths.
    keys
        Dotted key of a design -> values.
    options
        Option of the verb, without dashes -> its value, or a list of values. True gives an option
        that takes none.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    verb: Literal["verify", "measure", "synth", "timing", "pnr"]
    designs: list[str] = Field(min_length=1)
    keys: dict[str, list[Any]] = {}
    options: dict[str, Value | list[Value]] = {}


@dataclass(frozen=True)
class Point:
    """One point of a grid.

    Attributes
    ----------
    name
        Hash of all that its row depends on.
    design, keys, options
        As the grid has them.
    text
        The design with all of its keys, as TOML; empty if there is no such design.
    error
        Why there is none.
    """

    name: str
    verb: str
    design: str
    keys: Mapping[str, Any]
    options: Mapping[str, Value]
    text: str
    error: str = ""

    def command(self, file: Path) -> list[str]:
        """Words behind `nttforge`, for the design in `file`."""
        words = [self.verb, str(file), "--json"]
        for name, value in self.options.items():
            if value is True:
                words.append(f"--{name}")
            elif value is not False:
                words.append(f"--{name}={value}")
        return words

    def row(self, **found: Any) -> Row:
        """A row that says which point it is of."""
        asked = {name: value for name, value in asdict(self).items() if name not in _NOT_SHOWN}
        return {"point": self.name, **asked, **found}


_NOT_SHOWN = ("name", "text", "error")


class SweepResult(Result):
    """What `sweep` did.

    Attributes
    ----------
    points
        Of the grid.
    kept
        Whose rows were there before.
    failed
        Whose rows have an error.
    wrong
        That were done, and did not hold.
    workers
        Points at the same time.
    """

    grid: str
    verb: str
    output: str
    points: int
    kept: int
    failed: int
    wrong: int
    workers: int
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether every point was done, and held."""
        return self.failed == self.wrong == 0

    def shown(self) -> Iterator[Block]:
        """Counts, and where the rows are."""
        counts = {
            "points": self.points,
            "there before": self.kept,
            "failed": self.failed,
            "did not hold": self.wrong,
            "at the same time": self.workers,
            "seconds": self.seconds,
        }
        yield Table(f"{self.verb} of {self.grid}", list(counts), [list(counts.values())])
        bad = f"not all held: look for `error` and `ok` in {self.output}"
        yield verdict(self.ok, f"rows in {self.output}", bad)


class Workers(Protocol):
    """What does points, several at the same time."""

    @property
    def count(self) -> int:
        """Points at the same time."""

    def rows(self, points: Sequence[Point]) -> Generator[Row]:
        """Rows as they come; no point is done twice, unless what did it was killed."""


def read_grid(path: Path) -> Grid:
    """Read a grid's file.

    Raises
    ------
    NttforgeError
        Naming the file, and the first key that is wrong.
    """
    mend = "name a TOML file with `verb`, `designs`, and perhaps `keys` and `options`"
    try:
        return Grid.model_validate(read_toml(path, mend))
    except ValidationError as errors:
        error = errors.errors()[0]
        key = ".".join(map(str, error["loc"])) or "grid"
        problem = shortened(f"{error['msg']}: {shown(error['input'])}", 120)
        raise NttforgeError(f"{path}: {key}", problem, mend) from None


@cache
def _version() -> str:
    """What a point's row depends on beside the point."""
    digest = hashlib.sha256(__version__.encode())
    for path in library().values():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _product(choices: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Every choice of a value for each name."""
    for values in itertools.product(*choices.values()):
        yield dict(zip(choices, values, strict=True))


def _text_of(design: str, keys: Mapping[str, Any]) -> tuple[str, str]:
    """A design with all of its keys, as TOML, or why there is none."""
    try:
        return design_toml(load_design(design, keys)), ""
    except NttforgeError as wrong:
        return "", str(wrong)


def _name_of(point: Point) -> str:
    """A hash of all that a point's row depends on."""
    design = point.text or [point.design, point.keys, point.error]
    asked = json.dumps([point.verb, design, point.options], sort_keys=True, default=str)
    return hashlib.sha256((asked + _version()).encode()).hexdigest()[:16]


def points_of(grid: Grid) -> list[Point]:
    """All points of a grid, those that are the same once, in the order of the file.

    Raises
    ------
    NttforgeError
        If there are more than a sweep can take.
    """
    lists = {k: v if isinstance(v, list) else [v] for k, v in grid.options.items()}
    total = prod(map(len, (grid.designs, *grid.keys.values(), *lists.values())))
    if not 0 < total <= _MOST_POINTS:
        problem = "is empty: a list has no values" if total == 0 else f"has {shown(total)} points"
        raise NttforgeError("grid", problem, f"give from 1 to {_MOST_POINTS:,}")
    found: dict[str, Point] = {}
    for design in grid.designs:
        for keys in _product(grid.keys):
            text, error = _text_of(design, keys)
            for options in _product(lists):
                point = Point("", grid.verb, design, keys, options, text, error)
                name = _name_of(point)
                found[name] = replace(point, name=name)
    return list(found.values())


class _Processes:
    """Processes that run, and end with those that they have started when they are told to."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[str]] = set()
        self._starting = threading.Lock()
        self.over = False

    def output(self, command: Sequence[str]) -> tuple[int, str]:
        """Exit code and standard output of one, which does not start any more if all were ended."""
        # One that is not among those that run when they are ended would run on.
        with self._starting:
            if self.over:
                return -signal.SIGKILL, ""
            process = subprocess.Popen(
                [*command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
            self._running.add(process)
        try:
            said, _ = process.communicate()
            return process.returncode, said
        finally:
            self._running.discard(process)

    def end(self) -> None:
        """End all."""
        with self._starting:
            self.over = True
            for process in tuple(self._running):
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def _result(said: str) -> dict[str, Any] | None:
    """What a program said, if it came to that: one that ends by itself can say nothing."""
    try:
        result = json.loads(said)
    except ValueError:
        return None
    return result if isinstance(result, dict) else None


def done(point: Point, processes: _Processes | None = None) -> Row:
    """Do a point, and give its row."""
    if point.error:
        return point.row(ok=False, error=point.error)
    running = processes or _Processes()
    start = time.monotonic()
    code, said = -1, ""
    with tempfile.TemporaryDirectory(prefix="nttforge-") as place:
        file = Path(place) / "design.toml"
        file.write_text(point.text, "utf-8")
        command = [*_PROGRAM, *point.command(file)]
        for _ in range(_ATTEMPTS):
            code, said = running.output(command)
            if code >= 0 or running.over:
                break
    seconds = round(time.monotonic() - start, 2)
    if code < 0:
        error = f"its process was ended by signal {-code}, {_ATTEMPTS} times"
        return point.row(ok=False, error=error, seconds=seconds)
    if code == _USAGE:
        return point.row(ok=False, error="the options were not understood", usage=True)
    result = _result(said)
    if result is None:
        error = f"it ended with {code} and no result; run `nttforge {point.verb}` on it to see why"
        return point.row(ok=False, error=error, seconds=seconds)
    if "error" in result:
        return point.row(ok=False, error=result["error"], seconds=seconds)
    return point.row(ok=code == 0, result=result, seconds=seconds)


@dataclass(frozen=True)
class Local:
    """Processes of this machine."""

    count: int

    def rows(self, points: Sequence[Point]) -> Generator[Row]:
        """Rows as they come."""
        processes = _Processes()
        with ThreadPoolExecutor(self.count) as pool:
            under_way = [pool.submit(done, point, processes) for point in points]
            try:
                for future in as_completed(under_way):
                    yield future.result()
            finally:
                for future in under_way:
                    future.cancel()
                processes.end()


@dataclass(frozen=True)
class Cluster:
    """Workers of a Dask cluster, wherever they are.

    Attributes
    ----------
    client
        Connected to its scheduler.
    work
        What a worker does.
    """

    client: Any
    work: Callable[[Point], Row] = done

    @classmethod
    def at(cls, address: str) -> "Cluster":
        """Connect to a scheduler.

        Raises
        ------
        NttforgeError
            If Dask is not installed, or nobody answers.
        """
        distributed = imported("distributed", "distributed", "--scheduler needs it")
        try:
            return cls(distributed.Client(address, timeout=_PATIENCE))
        except Exception as error:  # of whatever it consists of
            problem = shortened(f"{shown(address)}: {error}", 150)
            raise NttforgeError("--scheduler", problem, "give tcp://HOST:PORT") from None

    @property
    def count(self) -> int:
        """Threads of all workers."""
        return sum(self.client.nthreads().values())

    def rows(self, points: Sequence[Point]) -> Generator[Row]:
        """Rows as they come; what a worker had begun that is gone is begun again by another."""
        distributed = imported("distributed", "distributed", "--scheduler needs it")
        names = [f"nttforge-{point.name}" for point in points]
        futures = self.client.map(self.work, points, key=names, pure=False, retries=_ATTEMPTS - 1)
        by_name = dict(zip(names, points, strict=True))
        try:
            for future in distributed.as_completed(futures):
                error = future.exception()
                if error is None:
                    yield future.result()
                else:
                    text = shortened(f"{type(error).__name__}: {error}", 200)
                    yield by_name[future.key].row(ok=False, error=text)
                future.release()
        finally:
            self.client.cancel(futures)


@contextmanager
def _alone(output: Path) -> Iterator[BinaryIO]:
    """The file of the rows, which nobody else sweeps into meanwhile.

    Raises
    ------
    NttforgeError
        If another sweep writes it.
    """
    with writing(output):
        file = output.open("a+b")
    with file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except OSError:
            problem = "another sweep writes it"
            raise NttforgeError(str(output), problem, "wait for it, or name another") from None
        yield file


def rows_of(file: BinaryIO, name: str) -> dict[str, Row]:
    """Rows by point, the last one of each; a line that was cut is taken off the file.

    Raises
    ------
    NttforgeError
        If the file is of something else.
    """
    file.seek(0)
    rows: dict[str, Row] = {}
    for number, line in enumerate(file.read().splitlines(keepends=True), start=1):
        if not line.endswith(b"\n"):
            file.truncate(file.tell() - len(line))
            break
        try:
            row = json.loads(line)
            rows[row["point"]] = row
        except (ValueError, TypeError, KeyError, RecursionError):
            problem = f"line {number} is no row of a sweep"
            raise NttforgeError(name, problem, "name another file") from None
    return rows


def _line(row: Row) -> bytes:
    return json.dumps(row).encode() + b"\n"


def _flat(row: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Columns of a row: names of inner tables are joined by dots, lists are JSON."""
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", json.dumps(value) if isinstance(value, list) else value


def _arrow(module: str) -> Any:
    return imported(module, "pyarrow", "--parquet needs it")


def write_parquet(rows: Iterable[Row], path: Path) -> None:
    """Write rows as a table; a column whose values are of several kinds is one of text.

    Raises
    ------
    NttforgeError
        If PyArrow is not installed, or the file cannot be written.
    """
    arrow, parquet = map(_arrow, ("pyarrow", "pyarrow.parquet"))
    flat = [dict(_flat(row)) for row in rows]
    columns: dict[str, list[Any]] = {}
    for name in dict.fromkeys(itertools.chain.from_iterable(flat)):
        values = [row.get(name) for row in flat]
        kinds = {type(value) for value in values if value is not None}
        if len(kinds) > 1 and kinds != {int, float}:
            values = [value if value is None else json.dumps(value) for value in values]
        columns[name] = values
    with replacing(path) as file:
        parquet.write_table(arrow.table(columns), file)


def page_of_rows(name: str, points: Sequence[Point], rows: Sequence[Row]) -> str:
    """Rows as a page with a plot: any figure of the results, and any key, against any other."""
    figures = [
        {
            column.removeprefix("result."): value
            for column, value in _flat(row)
            if column.startswith(("result.", "keys.", "options.", "seconds"))
            and isinstance(value, int | float)
            and not isinstance(value, bool)
            and "provenance" not in column
        }
        for row in rows
    ]
    every = dict.fromkeys(itertools.chain.from_iterable(figures))
    values = {axis: {found[axis] for found in figures if axis in found} for axis in every}
    # What is alike in all of them is no axis, unless nothing differs.
    axes = [axis for axis in every if len(values[axis]) > 1] or [*every]
    axes.sort(key="seconds".__eq__)
    shown_points = []
    for each, row, found in zip(points, rows, figures, strict=True):
        asked = [f"{key} = {value}" for key, value in (*each.keys.items(), *each.options.items())]
        wrong = [row["error"]] if "error" in row else [] if row["ok"] else ["did not hold"]
        text = ", ".join([each.design, *asked])
        taken = {axis: found.get(axis) for axis in axes}
        shown_points.append(point(each.design, text, each.text, taken, misses=wrong))
    note = "Each point is a row of the sweep; grey: failed, or did not hold."
    groups = {f"{points[0].verb} of {name}": shown_points}
    return page_of("A sweep", groups, {axis: axis for axis in axes}, of="rows", note=note)


def sweep(path: Path, output: Path, workers: Workers, **options: Any) -> SweepResult:
    """Do all points of a grid's file whose rows are not there yet, see :func:`sweep_grid`.

    Raises
    ------
    NttforgeError
        If the grid is wrong, and as :func:`sweep_grid`.
    """
    return sweep_grid(read_grid(path), str(path), output, workers, **options)[0]


def sweep_grid(
    grid: Grid,
    name: str,
    output: Path,
    workers: Workers,
    *,
    again: bool = False,
    table: Path | None = None,
    page: Path | None = None,
    progress: Progress = silent,
) -> tuple[SweepResult, list[Row]]:
    """Do all points of a grid whose rows are not there yet.

    Parameters
    ----------
    grid, name
        The grid, and what it is called.
    output
        File of the rows, JSON a line; at the end in the order of the grid.
    again
        Whether points whose rows have an error are done anew.
    table
        File for the same rows as Parquet, if wanted.
    page
        HTML file with a plot of their figures, if wanted.

    Raises
    ------
    NttforgeError
        If a file cannot be written, or the verb does not know an option.
    """
    for written in filter(None, (output, table)):
        check_writable(written)
    if table is not None:
        _arrow("pyarrow")
    if page is not None:
        check_page(page)
    points = points_of(grid)
    start = time.monotonic()
    with _alone(output) as file:
        rows = rows_of(file, str(output))
        missing = [p for p in points if p.name not in rows or (again and "error" in rows[p.name])]
        failed = 0
        with closing(workers.rows(missing)) as found:
            for number, row in enumerate(found, start=1):
                if row.pop("usage", False):
                    options = " ".join(f"--{name}" for name in grid.options)
                    mend = f"see `nttforge {grid.verb} --help`"
                    raise NttforgeError(f"{name}: options", f"{options}: {row['error']}", mend)
                rows[row["point"]] = row
                failed += "error" in row
                file.write(_line(row))
                file.flush()
                bad = f", {failed} failed" if failed else ""
                taken = time.monotonic() - start
                progress(so_far(number, len(missing), "points", taken, bad))
        names = dict.fromkeys([*(point.name for point in points), *rows])
        write_bytes(output, b"".join(_line(rows[each]) for each in names))
    swept = [rows[point.name] for point in points]
    if table is not None:
        write_parquet(swept, table)
    if page is not None:
        write_text(page, page_of_rows(name, points, swept))
    result = SweepResult(
        grid=name,
        verb=grid.verb,
        output=str(output),
        points=len(points),
        kept=len(points) - len(missing),
        failed=sum("error" in row for row in swept),
        wrong=sum(not row["ok"] and "error" not in row for row in swept),
        workers=workers.count,
        seconds=round(time.monotonic() - start, 1),
    )
    return result, swept
