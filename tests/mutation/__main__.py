# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.mutation ROOM`: the score of a room of rtl/, recorded; without a room, shown.

All defects of a room are in one copy of the library, so that each bench compiles once. The benches
are compiled and pass with no defect chosen; then a process is forked for each defect, which runs
them until one says no. A defect that makes a bench run on is stopped at
twice its processor time and a few seconds, and counts as caught.
"""

import argparse
import importlib
import os
import resource
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

from nttforge import rtl_library
from nttforge.errors import NttforgeError
from tests.mutation.score import RECORD, recorded, shown
from tests.mutation.sites import CHOSEN, Library, Mutant, blamed
from tests.tally import keep

ROOT = Path(__file__).parents[2]
_EXAMPLES = 14  # defects of a module
_SURVIVED = 100  # exit code; below it, the number of the bench that caught the defect
_TIMES, _SECONDS = 2, 4


def prepare(room: str, count: int) -> tuple[Library, Path, Path]:
    """The defects, the library that has them, and a folder for benches; imports come after."""
    root = rtl_library.rtl_root()
    where = ROOT / "build" / "mutation" / room
    spoiled = where / "rtl"
    library = Library.sampled(root, [room], count)
    library.write(root, spoiled)
    shutil.copy(rtl_library.licence(), spoiled)  # folders of designs are complete
    rtl_library.rtl_root = lambda: spoiled
    os.environ[CHOSEN] = "0"
    sys.path.insert(0, str(ROOT / "tests" / "rtl"))
    return library, spoiled, where


def attempt(number: int, killers: Sequence[Any], seconds: Sequence[float]) -> int | None:
    """The bench that catches a defect, by its place; None if none does. Each has its seconds.

    -1 if the process is ended: by an assertion of the model, or because it takes too long.
    """
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        if -code in (signal.SIGINT, signal.SIGTERM):
            sys.exit(1)
        if code < 0:
            return -1
        return None if code == _SURVIVED else code
    os.environ[CHOSEN] = str(number)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for place, (killer, alone) in enumerate(zip(killers, seconds, strict=True)):
        limit = int(time.process_time() + alone * _TIMES + _SECONDS)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        try:
            held = killer.holds()
        except BaseException:
            held = False
        if not held:
            os._exit(place)
    os._exit(_SURVIVED)


def passes(killers: Sequence[Any]) -> list[float]:
    """Processor seconds of each bench without a defect, those of compilers not counted.

    Raises
    ------
    AssertionError
        If one does not pass.
    """
    taken = []
    for killer in killers:
        before = time.process_time()
        assert killer.holds(), f"{killer.name} fails without a defect"
        taken.append(time.process_time() - before)
        print(f"{killer.name}: {taken[-1]:.1f} s", file=sys.stderr, flush=True)
    return taken


def built(room: str, count: int) -> tuple[Library, Sequence[Any], list[float]]:
    """The defects that compile, the benches with them, and the benches' processor seconds."""
    root = rtl_library.rtl_root()
    library, spoiled, where = prepare(room, count)
    # Not before: benches look for the library when they are imported.
    benches = importlib.import_module("tests.mutation.killers")
    while True:
        try:
            killers = benches.ROOMS[room](where, spoiled)
            return library, killers, passes(killers)
        except (NttforgeError, AssertionError) as error:
            refused = blamed(str(error), spoiled)
            if not refused:
                raise
            print(f"does not compile: {sorted(refused)}: {error}", file=sys.stderr, flush=True)
            library = library.without(refused)
            library.write(root, spoiled)


def score(room: str, count: int, only: str = "", minutes: float = inf) -> dict[str, Any]:
    """Run the benches of a room against its defects, as many as there is time for."""
    library, killers, seconds = built(room, count)
    caught: Counter[str] = Counter()
    of: Counter[str] = Counter()
    by: Counter[str] = Counter()
    survivors: list[Mutant] = []
    chosen = [(n, m) for n, m in library.in_turn() if only in m.key]
    start = time.monotonic()
    for done, (number, mutant) in enumerate(chosen, start=1):
        if time.monotonic() > start + 60 * minutes:
            break
        place = attempt(number, killers, seconds)
        of[mutant.file] += 1
        if place is None:
            survivors.append(mutant)
            print(f"{number} survives: {mutant.line}: {mutant.operator}: {mutant.key}", flush=True)
        else:
            caught[mutant.file] += 1
            by[killers[place].name if place >= 0 else "ended by itself or by the clock"] += 1
        if done % 25 == 0:
            pace = (time.monotonic() - start) / done
            print(
                f"{done} of {len(chosen)}, {len(survivors)} survive, {pace:.1f} s each",
                file=sys.stderr,
                flush=True,
            )
    return {
        "mutants": sum(of.values()),
        "killed": sum(caught.values()),
        "modules": {file: [caught[file], of[file]] for file in sorted(of)},
        "benches": dict(by),
        "survivors": [{"rule": m.operator, "line": m.line, "what": m.key} for m in survivors],
    }


def main() -> int:
    """Score a room, or print the record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("room", nargs="?")
    parser.add_argument("--each", type=int, default=_EXAMPLES, help="defects of a module")
    parser.add_argument("--minutes", type=float, default=inf, help="what is tried by then counts")
    parser.add_argument("--only", default="", help="those that contain this text; nothing is kept")
    options = parser.parse_args()
    if options.room is None:
        print(shown(recorded()))
        return 0
    found = score(options.room, options.each, options.only, options.minutes)
    print(f"{found['mutants']} tried, {len(found['survivors'])} survive")
    if not options.only:
        keep(RECORD, recorded() | {options.room: found})
    return 0


if __name__ == "__main__":
    sys.exit(main())
