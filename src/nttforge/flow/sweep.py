# SPDX-License-Identifier: Apache-2.0
"""`sweep`: a verb over a grid of designs and options, a row a point.

A point is identified by what its result depends on: verb, options, the design with all of its keys,
the library's RTL, and nttforge's version. Its row is written as soon as it is done, so that an
interrupted sweep is resumed. Each point is a process of its own, the command itself: its memory and
its end do not affect the others.
"""

import gc
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from functools import cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nttforge.design import load_design
from nttforge.draw.points import check_page
from nttforge.emit.toml import design_toml
from nttforge.errors import NttforgeError, shortened, shown
from nttforge.flow.prepare import Progress, silent
from nttforge.flow.rows import check_arrow, page_of_rows, write_parquet
from nttforge.machine import processors
from nttforge.options.model import Options
from nttforge.options.verbs import Measure, Pnr, Sweep, Synth, Timing, Verify
from nttforge.output import check_writable, read_toml, write_bytes, write_text, writing
from nttforge.packages import imported
from nttforge.progress import eta
from nttforge.results import Result
from nttforge.rtl_library import library
from nttforge.table import Block, Table, verdict
from nttforge.version import __version__

Row = dict[str, Any]
Value = bool | int | float | str
#: Verbs of a grid, with the models of their options.
VERBS: Mapping[str, type[Options]] = {
    "verify": Verify,
    "measure": Measure,
    "synth": Synth,
    "timing": Timing,
    "pnr": Pnr,
}
_PROGRAM = (sys.executable, "-m", "nttforge")
#: Number of times that a point is started whose process is killed.
_ATTEMPTS = 3
_PATIENCE = "10s"
#: Seconds after which a process sees that it has to end, at the latest.
_TICK = 0.2
_MOST_POINTS = 1_000_000


class Grid(BaseModel):
    """Points of a sweep: every design with every value of every key and every option.

    - `designs`: names or paths.
    - `keys`: dotted key of a design -> values.
    - `options`: option of the verb, without dashes -> its value, or a list of values.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    verb: Literal["verify", "measure", "synth", "timing", "pnr"]
    designs: list[str] = Field(min_length=1)
    keys: dict[str, list[Any]] = {}
    options: dict[str, Value | list[Value]] = {}


@dataclass(frozen=True)
class Point:
    """One point of a grid.

    `name` is a hash of all that its row depends on, `text` the design with all of its keys as TOML,
    or empty if there is no such design, for the reason in `error`.
    """

    name: str
    verb: str
    design: str
    keys: Mapping[str, Any]
    options: Mapping[str, Value]
    text: str
    error: str

    def command(self, file: Path) -> list[str]:
        """Words after `nttforge`, for the design in `file`."""
        flags = ((f"--{name}", value) for name, value in self.options.items() if value is not False)
        words = (flag if value is True else f"{flag}={value}" for flag, value in flags)
        return [self.verb, str(file), "--json", *words]

    def row(self, **found: Any) -> Row:
        """A row that says which point it is of."""
        asked = {name: getattr(self, name) for name in ("verb", "design", "keys", "options")}
        return {"point": self.name, **asked, **found}


class SweepResult(Result):
    """Numbers of points: of the grid, with a row before, that failed, whose result did not hold.

    - `workers`: points at the same time.
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
        """The numbers, and the file of the rows."""
        columns = ("points", "skipped", "failed", "did not hold", "at the same time", "seconds")
        counts = (self.points, self.kept, self.failed, self.wrong, self.workers, self.seconds)
        yield Table(f"{self.verb} of {self.grid}", columns, [counts])
        bad = f"not all held: look for `error` and `ok` in {self.output}"
        yield verdict(self.ok, f"rows in {self.output}", bad)


def read_grid(path: Path) -> Grid:
    """Read a grid's file."""
    hint = "name a TOML file with `verb`, `designs`, and perhaps `keys` and `options`"
    try:
        return Grid.model_validate(read_toml(path, hint))
    except ValidationError as errors:
        error = errors.errors()[0]
        key = ".".join(map(str, error["loc"])) or "grid"
        problem = shortened(f"{error['msg']}: {shown(error['input'])}", 120)
        raise NttforgeError(f"{path}: {key}", problem, hint) from None


@cache
def _version() -> str:
    """A hash of what every row depends on: the version, and the library's RTL."""
    files = b"".join(path.read_bytes() for path in library().values())
    return hashlib.sha256(__version__.encode() + files).hexdigest()


def _choices(lists: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Every choice of a value for each name."""
    return [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]


def _design_points(
    verb: str, design: str, keys: Mapping[str, Any], options: Sequence[Mapping[str, Value]]
) -> Iterator[Point]:
    """Those of a design, or of a design that is none, for the reason that they have."""
    text = error = ""
    try:
        text = design_toml(load_design(design, keys))
    except NttforgeError as wrong:
        error = str(wrong)
    for each in options:
        asked = [verb, text or [design, keys, error], each]
        content = json.dumps(asked, sort_keys=True, default=str) + _version()
        name = hashlib.sha256(content.encode()).hexdigest()[:16]
        yield Point(name, verb, design, keys, each, text, error)


def _check_options(verb: str, options: Mapping[str, Any]) -> None:
    """Refuse options that the verb's model does not have or take."""
    model = VERBS[verb]
    flags = {flag: name for name in model.model_fields for flag in model.flag(name).split(" / ")}
    given = {flags.get(f"--{name}", name): value for name, value in options.items()}
    try:
        model.read(given | {"design": ""})
    except NttforgeError as wrong:
        problem = f"{model.flag(wrong.field)}: {wrong.problem}"
        raise NttforgeError("grid: options", problem, f"see `nttforge {verb} --help`") from None


def points_of(grid: Grid) -> list[Point]:
    """All points of a grid, equal ones once, in the order of the file."""
    lists = {k: v if isinstance(v, list) else [v] for k, v in grid.options.items()}
    total = prod(map(len, (grid.designs, *grid.keys.values(), *lists.values())))
    if not 0 < total <= _MOST_POINTS:
        problem = "is empty: a list has no values" if total == 0 else f"has {shown(total)} points"
        raise NttforgeError("grid", problem, f"give from 1 to {_MOST_POINTS:,}")
    options = _choices(lists)
    for each in options:
        _check_options(grid.verb, each)
    found = (
        point
        for design, keys in product(grid.designs, _choices(grid.keys))
        for point in _design_points(grid.verb, design, keys, options)
    )
    return list({point.name: point for point in found}.values())


def output_of(command: Sequence[str], stop: threading.Event) -> tuple[int, str]:
    """Exit code and output of a process; on `stop` it ends, with those that it has started."""
    with subprocess.Popen(
        [*command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as process:
        while True:
            if stop.is_set():
                os.killpg(process.pid, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                said, _ = process.communicate(timeout=_TICK)
                return process.returncode, said


def done(point: Point, stop: threading.Event | None = None) -> Row:
    """Run a point, and give its row."""
    if point.error:
        return point.row(ok=False, error=point.error)
    stop, start = stop or threading.Event(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="nttforge-") as place:
        file = Path(place) / "design.toml"
        file.write_text(point.text, "utf-8")
        for _ in range(_ATTEMPTS):
            code, said = output_of([*_PROGRAM, *point.command(file)], stop)
            if code >= 0 or stop.is_set():
                break
    seconds = round(time.monotonic() - start, 2)
    try:
        result = json.loads(said)
        error = result.get("error")
    except (ValueError, AttributeError):  # no result, or half of one
        error = f"it ended with {code} and no result; run `nttforge {point.verb}` on it to see why"
        if code < 0:
            error = f"its process was ended by signal {-code}, {_ATTEMPTS} times"
    if error is not None:
        return point.row(ok=False, error=error, seconds=seconds)
    return point.row(ok=code == 0, result=result, seconds=seconds)


class Workers(Protocol):
    """Runs several points at the same time."""

    @property
    def count(self) -> int:
        """Points at the same time."""

    def rows(self, points: Sequence[Point]) -> Generator[Row]:
        """Rows as they come; no point is run twice, unless its process was killed."""


@dataclass(frozen=True)
class Local:
    """Processes of this machine."""

    count: int

    def rows(self, points: Sequence[Point]) -> Generator[Row]:
        """Rows as they come."""
        stop = threading.Event()
        with ThreadPoolExecutor(self.count) as pool:
            try:
                for future in as_completed([pool.submit(done, point, stop) for point in points]):
                    yield future.result()
            finally:
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True)
class Cluster:
    """Workers of a Dask cluster, by a client that is connected to its scheduler."""

    client: Any
    work: Callable[[Point], Row] = done

    @classmethod
    def at(cls, address: str) -> "Cluster":
        """Connect to a scheduler."""
        distributed = _distributed()
        try:
            return cls(distributed.Client(address, timeout=_PATIENCE))
        except Exception as error:  # of any of its parts
            problem = shortened(f"{shown(address)}: {error}", 150)
        # A failed client closes itself when it is collected: in the start of another, a deadlock.
        gc.collect()
        raise NttforgeError("--scheduler", problem, "give tcp://HOST:PORT")

    @property
    def count(self) -> int:
        """Threads of all workers."""
        return sum(self.client.nthreads().values())

    def rows(self, points: Sequence[Point]) -> Generator[Row]:
        """Rows as they come; the points of a worker that is gone are run by another one."""
        by_name = {f"nttforge-{point.name}": point for point in points}
        how = {"key": [*by_name], "pure": False, "retries": _ATTEMPTS - 1}
        futures = self.client.map(self.work, points, **how)
        try:
            for future in _distributed().as_completed(futures):
                error = future.exception()
                text = shortened(f"{type(error).__name__}: {error}", 200)
                failed = by_name[future.key].row(ok=False, error=text)
                yield failed if error is not None else future.result()
                future.release()
        finally:
            self.client.cancel(futures)


def _distributed() -> Any:
    return imported("distributed", "distributed", "--scheduler needs it")


@contextmanager
def _locked(output: Path) -> Iterator[BinaryIO]:
    """The file of the rows, refused if another sweep writes it."""
    with writing(output):
        file = output.open("a+b")
    with file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except OSError:
            hint = "wait for it, or name another"
            raise NttforgeError(str(output), "another sweep writes it", hint) from None
        yield file


def _rows_of(file: BinaryIO, name: str) -> dict[str, Row]:
    """Rows by point, the last one of each; an incomplete last line is cut off the file."""
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


def sweep_file(options: Sweep, progress: Progress = silent) -> SweepResult:
    """Sweep by processes of this machine or on a Dask cluster, see :func:`sweep`."""
    jobs, scheduler = options.jobs, options.scheduler
    if scheduler is not None and jobs is not None:
        problem = "the number of a cluster's workers is fixed"
        raise NttforgeError("--jobs", problem, "leave it out, or --scheduler")
    workers = Local(jobs or processors()) if scheduler is None else Cluster.at(scheduler)
    how: dict[str, Any] = options.model_dump(include={"rerun", "table", "page"})
    name = str(options.grid)
    return sweep(read_grid(options.grid), name, options.output, workers, **how, progress=progress)[
        0
    ]


def sweep(
    grid: Grid,
    name: str,
    output: Path,
    workers: Workers,
    *,
    rerun: bool = False,
    table: Path | None = None,
    page: Path | None = None,
    progress: Progress = silent,
) -> tuple[SweepResult, list[Row]]:
    """Run all points of a grid that have no row.

    - `grid`, `name`: the grid, and its name in messages.
    - `output`: file of the rows, JSON a line; at the end in the order of the grid.
    - `rerun`: whether points whose rows have an error are run again.
    - `table`, `page`: files for the rows as Parquet and as an HTML page with a plot.
    """
    check_writable(output)
    if table is not None:
        check_arrow(table)
    if page is not None:
        check_page(page)
    points, start = points_of(grid), time.monotonic()
    with _locked(output) as file:
        rows = _rows_of(file, str(output))
        missing = [p for p in points if p.name not in rows or (rerun and "error" in rows[p.name])]
        failed = 0
        with closing(workers.rows(missing)) as found:
            for number, row in enumerate(found, start=1):
                rows[row["point"]] = row
                failed += "error" in row
                file.write(_line(row))
                file.flush()
                bad = f", {failed} failed" if failed else ""
                progress(eta(number, len(missing), "points", time.monotonic() - start, bad))
        names = dict.fromkeys([*(point.name for point in points), *rows])
        write_bytes(output, b"".join(_line(rows[each]) for each in names))
    swept = [rows[point.name] for point in points]
    if table is not None:
        write_parquet(swept, table)
    if page is not None:
        write_text(page, page_of_rows(f"{grid.verb} of {name}", points, swept))
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
