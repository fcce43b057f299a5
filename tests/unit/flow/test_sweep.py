# SPDX-License-Identifier: Apache-2.0
"""Sweeps: what a grid is, rows that outlive whatever happens, and workers that do not."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from fcntl import LOCK_EX, flock
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from nttforge.errors import NttforgeError
from nttforge.flow import sweep as sweeps
from nttforge.flow.sweep import (
    Cluster,
    Grid,
    Local,
    Point,
    Row,
    SweepResult,
    Workers,
    points_of,
    read_grid,
    sweep,
)
from tests.browser import installed, opened

DESIGN = 'name = "mine"\n[[rings]]\nn = 16\nq = 97\n'
GRID = """
verb = "synth"
designs = ["{design}"]
[keys]
"pipeline.butterflies" = [1, 2, 0]
[options]
target = ["xcup", "ecp5"]
"""
# Says what it was asked for as a verb does, and leaves a line of it in the folder it lies in.
FAKE = """
import json, os, pathlib, signal, sys, time
words = sys.argv[1:]
design = pathlib.Path(words[1]).read_text()
here = pathlib.Path(__file__).parent
with open(here / "log", "a") as log:
    log.write(json.dumps([design, words[2:]]) + "\\n")
mode = (here / "mode").read_text() if (here / "mode").exists() else ""
if mode == "once":  # of those that run beside each other, one gets the file
    try:
        (here / "once").rmdir()
    except FileNotFoundError:
        pass
    else:
        os.kill(os.getpid(), signal.SIGKILL)
if mode == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
if mode == "usage":
    sys.exit(2)
if mode in ("nothing", "half", "a list"):
    print({"nothing": "", "half": '{"lut": 1', "a list": "[1]"}[mode])
    sys.exit(1)
if mode == "slow" and "ecp5" in words[-1]:
    time.sleep(30)
if mode == "refused":
    print(json.dumps({"error": "no room; make some"}))
    sys.exit(1)
print(json.dumps({"words": words[2:], "lut": len(design), "ok": mode != "wrong"}))
sys.exit(mode == "wrong")
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a grid of six points, and a program that counts what it does."""
    (tmp_path / "mine.toml").write_text(DESIGN)
    (tmp_path / "grid.toml").write_text(GRID.format(design=tmp_path / "mine.toml"))
    (tmp_path / "fake.py").write_text(FAKE)
    monkeypatch.setattr(sweeps, "_PROGRAM", (sys.executable, "-S", str(tmp_path / "fake.py")))
    return tmp_path


def ran(grid: Path, output: Path, workers: Workers, **how: Any) -> SweepResult:
    return sweep(read_grid(grid), str(grid), output, workers, **how)[0]


def swept(place: Path, **how: Any) -> SweepResult:
    return ran(place / "grid.toml", place / "rows.jsonl", Local(2), **how)


def rows(place: Path) -> list[Row]:
    return [json.loads(line) for line in (place / "rows.jsonl").read_text().splitlines()]


def begun(place: Path) -> int:
    """Points that were begun."""
    log = place / "log"
    return len(log.read_text().splitlines()) if log.exists() else 0


def test_a_grid_has_every_choice_once_in_order(place: Path) -> None:
    points = points_of(read_grid(place / "grid.toml"))
    asked = [(p.keys["pipeline.butterflies"], p.options["target"]) for p in points]
    assert asked == [(b, t) for b in (1, 2, 0) for t in ("xcup", "ecp5")]
    assert len({p.name for p in points}) == 6
    twice = Grid(verb="synth", designs=["rlwe-7681", "rlwe-7681"])
    assert len(points_of(twice)) == 1


def test_a_point_is_its_design_whatever_the_file_is_called(place: Path) -> None:
    grid = Grid(verb="synth", designs=[str(place / "mine.toml")])
    first = points_of(grid)
    (place / "mine.toml").rename(place / "moved.toml")
    moved = points_of(Grid(verb="synth", designs=[str(place / "moved.toml")]))
    (place / "moved.toml").write_text(DESIGN.replace("97", "193"))
    changed = points_of(Grid(verb="synth", designs=[str(place / "moved.toml")]))
    assert first[0].name == moved[0].name != changed[0].name


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("verb = ", "is not TOML"),
        (f"verb = {'9' * 20_000}", "is not TOML"),
        ('verb = "eat"\ndesigns = ["a"]', "verb"),
        ('verb = "synth"', "designs"),
        ('verb = "synth"\ndesigns = []', "designs"),
        ('verb = "synth"\ndesigns = ["a"]\nkey = 1', "key"),
        ('verb = "synth"\ndesigns = ["a"]\n[options]\nseed = []', "is empty"),
        (f'verb = "synth"\ndesigns = ["a"]\n[keys]\nx = {list(range(2000))}\ny = {[1] * 999}', "1"),
    ],
)
def test_a_wrong_grid_is_refused_in_one_line(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "grid.toml").write_text(text)
    with pytest.raises(NttforgeError) as refused:
        ran(tmp_path / "grid.toml", tmp_path / "rows.jsonl", Local(1))
    line = str(refused.value)
    assert named in line
    assert "\n" not in line
    assert len(line) <= 300 + len(str(tmp_path))


def test_a_row_is_a_point_or_why_there_is_none(place: Path) -> None:
    result = swept(place)
    assert (result.points, result.kept, result.failed, result.wrong) == (6, 0, 2, 0)
    found = rows(place)
    assert [row["ok"] for row in found] == [True] * 4 + [False] * 2
    assert "butterflies" in found[-1]["error"]
    assert found[1]["result"]["words"] == ["--json", "--target=ecp5"]
    assert begun(place) == 4  # what is no design is no work


def test_nothing_is_done_twice(place: Path) -> None:
    swept(place)
    before = rows(place)
    again = swept(place)
    assert (again.kept, begun(place)) == (6, 4)
    assert rows(place) == before


def test_a_sweep_goes_on_behind_the_last_row_that_is_whole(place: Path) -> None:
    swept(place)
    whole = (place / "rows.jsonl").read_text()
    lines = whole.splitlines(keepends=True)
    (place / "rows.jsonl").write_text("".join(lines[:2]) + lines[2][:40])
    result = swept(place)
    assert result.kept == 2
    assert begun(place) == 4 + 2
    timeless = [
        [{k: v for k, v in r.items() if k != "seconds"} for r in map(json.loads, t)]
        for t in (lines, (place / "rows.jsonl").read_text().splitlines())
    ]
    assert timeless[0] == timeless[1]


def test_an_interrupt_leaves_rows_and_no_process(place: Path) -> None:
    def stop(text: str) -> None:
        raise KeyboardInterrupt

    (place / "mode").write_text("slow")
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        swept(place, progress=stop)
    assert time.monotonic() - start < 25  # not as long as those under way would take
    assert len(rows(place)) == 1
    (place / "mode").unlink()
    assert swept(place).kept == 1


def test_what_starts_while_all_are_ended_is_ended_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what it has started, which keeps its output open."""
    stop, real = threading.Event(), subprocess.Popen

    def started(*given: Any, **options: Any) -> Any:
        stop.set()
        return real(*given, **options)

    monkeypatch.setattr(subprocess, "Popen", started)
    start = time.monotonic()
    code, _ = sweeps.output_of(["sh", "-c", "sleep 60 & sleep 60"], stop)
    assert code == -signal.SIGKILL and time.monotonic() - start < 50


def test_rows_of_other_grids_stay(place: Path) -> None:
    swept(place)
    grid = (place / "grid.toml").read_text()
    (place / "grid.toml").write_text(grid.replace('["xcup", "ecp5"]', '"xc7"'))
    assert swept(place).points == 3
    assert len(rows(place)) == 9


@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "error"),
    [
        ("refused", "no room"),
        ("killed", "signal 9"),
        ("nothing", "ended with 1 and no result"),
        ("half", "ended with 1 and no result"),
        ("a list", "ended with 1 and no result"),
    ],
)
def test_what_fails_is_a_row_and_can_be_done_again(place: Path, mode: str, error: str) -> None:
    (place / "mode").write_text(mode)
    assert swept(place).failed == 6
    assert error in rows(place)[0]["error"]
    (place / "mode").unlink()
    assert swept(place).kept == 6
    assert swept(place, rerun=True).failed == 2
    assert [row["ok"] for row in rows(place)] == [True] * 4 + [False] * 2


def test_a_process_that_was_killed_is_begun_again(place: Path) -> None:
    (place / "mode").write_text("once")
    (place / "once").mkdir()
    assert swept(place).failed == 2
    assert begun(place) == 5


def test_what_does_not_hold_is_no_failure(place: Path) -> None:
    (place / "mode").write_text("wrong")
    result = swept(place)
    assert (result.failed, result.wrong) == (2, 4)


def test_options_that_the_verb_does_not_have_end_the_sweep(place: Path) -> None:
    (place / "mode").write_text("usage")
    grid = (place / "grid.toml").read_text()
    (place / "grid.toml").write_text(grid.replace('["xcup", "ecp5"]', str(list(range(30)))))
    with pytest.raises(NttforgeError, match=r"--target.*synth --help"):
        swept(place)
    assert begun(place) < 30  # of sixty; two at a time begin before the first has been looked at


def test_two_sweeps_do_not_write_the_same_rows(place: Path) -> None:
    with (place / "rows.jsonl").open("a") as file:
        flock(file, LOCK_EX)
        with pytest.raises(NttforgeError, match="another sweep"):
            swept(place)


def test_a_file_of_something_else_stays_as_it_is(place: Path) -> None:
    (place / "rows.jsonl").write_text("dear diary\n")
    with pytest.raises(NttforgeError, match="line 1 is no row"):
        swept(place)
    assert (place / "rows.jsonl").read_text() == "dear diary\n"


def test_rows_as_a_table(place: Path) -> None:
    swept(place, table=place / "rows.parquet")
    table = import_module("pyarrow.parquet").read_table(place / "rows.parquet")
    assert table.num_rows == 6
    assert table.column("keys.pipeline.butterflies").to_pylist() == [1, 1, 2, 2, 0, 0]
    assert table.column("options.target").to_pylist() == ["xcup", "ecp5"] * 3
    assert table.column("result.lut").to_pylist()[-1] is None


def test_rows_as_a_page(place: Path) -> None:
    pytest.importorskip("plotly")
    swept(place, page=place / "rows.html")
    text = (place / "rows.html").read_text("utf-8")
    (data,) = re.findall(r"^const data = (.*);$", text, re.MULTILINE)
    (group,) = json.loads(data)["needs"]  # the figure `lut` is alike in all of them
    points = group["points"]
    # On a fast machine all points take as many hundredths of a second.
    axes = set(json.loads(data)["axes"])
    assert axes - {"seconds"} == {"keys.pipeline.butterflies"}
    assert [bool(point["violations"]) for point in points] == [False] * 4 + [True] * 2
    assert points[2]["keys.pipeline.butterflies"] == 2 and "butterflies = 2" in points[2]["design"]


@pytest.mark.long
def test_a_browser_draws_the_rows(place: Path) -> None:
    pytest.importorskip("plotly")
    browser = installed()
    swept(place, page=place / "rows.html")
    shown = opened(browser, place / "rows.html")
    assert 'data-points="6"' in shown and "scatterlayer" in shown


def test_a_package_that_is_missing_is_named(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(NttforgeError, match="--parquet needs it; pip install pyarrow"):
        swept(place, table=place / "rows.parquet")
    assert begun(place) == 0  # it is looked for before the work


# ---------------------------------------------------------------------------------------------
# A cluster


def slowly(point: Point) -> Row:
    """Take half a second, and leave a line."""
    time.sleep(0.5)
    with Path(os.environ["SWEEP_LOG"]).open("a") as log:
        log.write(f"{point.name}\n")
    return point.row(ok=True, result={"lut": len(point.text)})


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("SWEEP_LOG", str(tmp_path / "log"))
    distributed: Any = import_module("distributed")  # has no types, and takes long
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)
    ) as found:
        yield found


def client_of(cluster: Any) -> Any:
    return import_module("distributed").Client(cluster.scheduler_address)


def seeds(place: Path, count: int) -> Path:
    text = f'verb = "verify"\ndesigns = ["rlwe-7681"]\n[options]\nseed = {list(range(count))}\n'
    (place / "seeds.toml").write_text(text)
    return place / "seeds.toml"


@pytest.mark.long
def test_a_cluster_whose_worker_is_killed(tmp_path: Path, cluster: Any) -> None:
    """Nothing is lost, nothing is done twice, and rows are those of one worker."""
    grid, output = seeds(tmp_path, 16), tmp_path / "rows.jsonl"
    killed: list[int] = []

    with client_of(cluster) as client:
        workers = Cluster(client, slowly)
        assert workers.count == 2

        def kill(text: str) -> None:
            if text.startswith("4 of") and not killed:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        result = ran(grid, output, workers, progress=kill)
    assert killed
    assert (result.points, result.failed) == (16, 0)
    counts = Counter((tmp_path / "log").read_text().split())
    assert set(counts.values()) == {1}
    expected = [slowly_row(point) for point in points_of(read_grid(grid))]
    assert [json.loads(line) for line in output.read_text().splitlines()] == expected


def slowly_row(point: Point) -> Row:
    row: Row = json.loads(json.dumps(point.row(ok=True, result={"lut": len(point.text)})))
    return row


def fails(point: Point) -> Row:
    raise ValueError("of the worker's own")


@pytest.mark.long
def test_an_exception_of_a_worker_is_a_row(tmp_path: Path, cluster: Any) -> None:
    with client_of(cluster) as client:
        result = ran(seeds(tmp_path, 2), tmp_path / "rows.jsonl", Cluster(client, fails))
    assert result.failed == 2
    assert "of the worker's own" in (tmp_path / "rows.jsonl").read_text()


@pytest.mark.long
@pytest.mark.parametrize("address", ["", "nobody", "tcp://127.0.0.1:1"])
def test_an_address_where_nobody_answers(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "_PATIENCE", "1s")
    with pytest.raises(NttforgeError, match="--scheduler"):
        Cluster.at(address)


@pytest.mark.long
def test_the_command(tmp_path: Path) -> None:
    """A real verb on a real design, and what cannot be is a row."""
    (tmp_path / "mine.toml").write_text(DESIGN)
    (tmp_path / "grid.toml").write_text(
        f'verb = "measure"\ndesigns = ["{tmp_path / "mine.toml"}", "nothing"]\n'
    )
    command = [sys.executable, "-m", "nttforge", "sweep", str(tmp_path / "grid.toml"), "--json"]
    output = tmp_path / "rows.jsonl"
    done = subprocess.run(
        [*command, "-o", str(output), "--jobs", "1"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr  # one failed
    said = json.loads(done.stdout)
    assert (said["points"], said["failed"], said["wrong"]) == (2, 1, 0)
    first, second = (json.loads(line) for line in output.read_text().splitlines())
    assert first["result"]["design"] == "mine"
    assert "nothing" in second["error"]
