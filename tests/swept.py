# SPDX-License-Identifier: Apache-2.0
"""A sweep of 200 designs, as its users will treat it: interrupted, and with a worker killed.

`python -m tests.swept run` measures some of the designs one after the other; all of them on a Dask
cluster of two workers, one of which is killed on the way; and all on processes, interrupted by
Ctrl-C and gone on with. It compares the rows and makes the record, which `python -m tests.swept`
prints.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from nttforge.flow.sweep import Cluster, Local, Point, Row, done, points_of, read_grid, sweep
from tests.benches import cache_with_runtime
from tests.tally import keep, kept, markdown

RECORD = "sweep"
MODULI = (97, 193, 257, 353, 449)
_DESIGN = 'name = "q{q}"\n[[rings]]\nn = 16\nq = {q}\n'
_GRID = """
verb = "measure"
designs = {designs}
[keys]
"pipeline.butterflies" = [1, 2, 4, 8]
"pipeline.seamless" = [true, false]
"pipeline.adders_per_stage" = [1, 2, 3, 4, 8]
[options]
transforms = 20
"""
#: Rows when a worker is killed, and when Ctrl-C comes.
KILLED, INTERRUPTED = 70, 60
_LOG = "NTTFORGE_SWEPT"
#: What depends on the time and the place, not on the point.
_PASSING = ("seconds", "time", "log")


def logged(point: Point) -> Row:
    """Do a point as `sweep` does, and leave a line when it is done."""
    row = done(point)
    with Path(os.environ[_LOG]).open("a") as log:
        log.write(f"{point.name}\n")
    return row


def lasting(value: Any) -> Any:
    """A row without what depends on the time and the place."""
    if isinstance(value, dict):
        return {key: lasting(held) for key, held in value.items() if key not in _PASSING}
    return [lasting(held) for held in value] if isinstance(value, list) else value


def _grid(where: Path, designs: int) -> Path:
    names = []
    for q in MODULI[:designs]:
        file = where / f"q{q}.toml"
        file.write_text(_DESIGN.format(q=q), "utf-8")
        names.append(str(file))
    grid = where / f"grid{designs}.toml"
    grid.write_text(_GRID.format(designs=json.dumps(names)), "utf-8")
    return grid


def _rows(file: Path) -> dict[str, Any]:
    return {row["point"]: lasting(row) for row in map(json.loads, file.read_text().splitlines())}


def _anew(where: Path, name: str) -> Path:
    """Where rows go; what is compiled is compiled again, but for Verilator itself."""
    cache = where / f"cache-{name}"
    cache_with_runtime(cache)
    os.environ["NTTFORGE_CACHE"] = str(cache)
    return where / f"{name}.jsonl"


def _on_a_cluster(where: Path, grid: Path) -> dict[str, Any]:
    """All points on two workers, one of which is killed."""
    distributed: Any = import_module("distributed")  # which has no types
    output, log = _anew(where, "cluster"), where / "log"
    os.environ[_LOG] = str(log)
    killed: list[int] = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(where)
        ) as cluster,
        distributed.Client(cluster.scheduler_address) as client,
    ):

        def kill(text: str) -> None:
            print(text, file=sys.stderr)
            if text.startswith(f"{KILLED} of") and not killed:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        result, _ = sweep(
            read_grid(grid), str(grid), output, Cluster(client, logged), progress=kill
        )
    times = Counter(log.read_text().split())
    return {
        "points": result.points,
        "failed": result.failed + result.wrong,
        "seconds": result.seconds,
        "workers killed": len(killed),
        "lost": len({point.name for point in points_of(read_grid(grid))} - set(times)),
        "done twice": sum(count > 1 for count in times.values()),
    }


def _interrupted(where: Path, grid: Path) -> dict[str, Any]:
    """All points on two processes, by the command line; Ctrl-C on the way, and the same again."""
    output = where / "processes.jsonl"  # what the cluster has compiled is there
    words = ["sweep", str(grid), "-o", str(output), "--jobs", "2", "--json"]
    command = [sys.executable, "-m", "nttforge", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as first:
        while not output.is_file() or len(output.read_text().splitlines()) < INTERRUPTED:
            time.sleep(0.05)
        os.killpg(first.pid, signal.SIGINT)
        first.communicate()
    before = len(_rows(output))
    second = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return {
        "rows at Ctrl-C": before,
        "exit code": first.returncode,
        "there before": json.loads(second.stdout)["kept"],
    }


def run() -> None:
    """Make the record."""
    shown: Callable[[str], None] = lambda text: print(text, file=sys.stderr)  # noqa: E731
    with tempfile.TemporaryDirectory(prefix="nttforge-swept-") as place:
        where = Path(place)
        few, grid = _grid(where, 1), _grid(where, len(MODULI))
        alone, _ = sweep(read_grid(few), str(few), _anew(where, "alone"), Local(1), progress=shown)
        cluster = _on_a_cluster(where, grid)
        resumed = _interrupted(where, grid)
        names = ("alone", "cluster", "processes")
        one, two, three = (_rows(where / f"{name}.jsonl") for name in names)
    keep(
        RECORD,
        {
            "alone": {"points": alone.points, "seconds": alone.seconds},
            "cluster": cluster,
            "interrupted": resumed,
            "rows that differ": sum(two[name] != three[name] for name in two)
            + sum(two[name] != row for name, row in one.items()),
        },
    )


def table() -> str:
    """The record as Markdown."""
    record = kept(RECORD)
    alone, cluster, resumed = (record[name] for name in ("alone", "cluster", "interrupted"))
    paces = [each["seconds"] / each["points"] for each in (alone, cluster)]
    rows = [
        ("one process", f"{alone['points']} designs in {alone['seconds']:.0f} s"),
        (
            "a cluster of two workers",
            f"{cluster['points']} designs in {cluster['seconds']:.0f} s,"
            f" {paces[0] / paces[1]:.2f} times as fast; {cluster['failed']} failed",
        ),
        (
            "of which one was killed",
            f"{cluster['lost']} points lost, {cluster['done twice']} done twice",
        ),
        (
            "two processes, Ctrl-C, the same command again",
            f"exit code {resumed['exit code']}, {resumed['rows at Ctrl-C']} rows;"
            f" then {resumed['there before']} were there before",
        ),
        ("rows that differ among the three", f"{record['rows that differ']}"),
    ]
    return markdown((f"{cluster['points']} designs", "seen"), rows, 2)


if __name__ == "__main__":
    if sys.argv[1:] == ["run"]:
        run()
    print(table())
