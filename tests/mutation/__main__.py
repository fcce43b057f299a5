# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.mutation ROOM`: the score of a room of rtl/, recorded; without a room, shown.

With modules behind the room, theirs; the others keep what they have. With `--survivors`, those
alone that the record has without a reason: what kills one now is counted.

All defects of a room are in one copy of the library, so that each bench compiles once. One after
the other they are compiled, pass with no defect chosen, and are run against what those before have
not caught, in a process forked for each defect. A defect that makes a bench run on is stopped at
three times its processor time and a bit, and counts as caught.
"""

import argparse
import contextlib
import importlib
import os
import resource
import shutil
import signal
import sys
import time
from collections import Counter
from math import ceil, inf
from pathlib import Path
from typing import Any

from nttforge import rtl_library
from nttforge.errors import NttforgeError
from tests.mutation.score import RECORD, again, joined, recorded, shown, unexplained
from tests.mutation.sites import CHOSEN, Library, Mutant, blamed
from tests.tally import keep, kept

ROOT = Path(__file__).parents[2]
_EXAMPLES = 14  # defects of a module
_SURVIVED = 100  # exit code
_TIMES, _SECONDS = 3, 1.5


def prepare(room: str, library: Library) -> tuple[Path, Path]:
    """The library that has the defects, and a folder for benches; imports come after."""
    root = rtl_library.rtl_root()
    where = ROOT / "build" / "mutation" / room
    spoiled = where / "rtl"
    library.write(root, spoiled)
    shutil.copy(rtl_library.licence(), spoiled)  # folders of designs are complete
    rtl_library.rtl_root = lambda: spoiled
    os.environ[CHOSEN] = "0"
    sys.path.insert(0, str(ROOT / "tests" / "rtl"))
    return spoiled, where


def caught(number: int, killer: Any, seconds: float) -> bool:
    """Whether a bench, which takes so long without a defect, says no to this one.

    As good as that is the end of its process: by an assertion of the model, or by the clock.
    """
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        if -code in (signal.SIGINT, signal.SIGTERM):
            sys.exit(1)
        return code != _SURVIVED
    os.environ[CHOSEN] = str(number)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limit = ceil(seconds * _TIMES + _SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
    held = False
    with contextlib.suppress(BaseException):
        held = killer.holds()
    os._exit(_SURVIVED if held else 0)


def passes(killer: Any) -> float:
    """Processor seconds of a bench without a defect, those of compilers not counted.

    Raises
    ------
    AssertionError
        If it does not pass.
    """
    before = time.process_time()
    assert killer.holds(), f"{killer.name} fails without a defect"
    return time.process_time() - before


def survivors(
    left: dict[int, Mutant], killer: Any, seconds: float, minutes: float
) -> tuple[dict[int, Mutant], set[int]]:
    """Those that a bench does not catch, and those for which there was no time."""
    found: dict[int, Mutant] = {}
    start = time.monotonic()
    for done, number in enumerate(left):
        if time.monotonic() > start + 60 * minutes:
            return found, {*[*left][done:]}
        if not caught(number, killer, seconds):
            found[number] = left[number]
        if done % 25 == 24:
            pace = (time.monotonic() - start) / (done + 1)
            message = f"{done + 1} of {len(left)}, {len(found)} survive, {pace:.1f} s each"
            print(f"{killer.name}: {message}", file=sys.stderr, flush=True)
    return found, set()


def score(
    room: str, library: Library, minutes: float, only: str = "", count: int | None = None
) -> dict[str, Any]:
    """Run a room's benches, or its first ones, against as many defects as there is time for."""
    root = rtl_library.rtl_root()
    spoiled, where = prepare(room, library)
    # Not before: benches look for the library when they are imported.
    benches = importlib.import_module("tests.mutation.killers")
    tried = {n: mutant for n, mutant in library.in_turn() if only in mutant.key}
    left, place = tried, 0
    killers: list[Any] = []
    while left and (not place or place < len(killers)):
        try:
            killers = killers or benches.ROOMS[room](where, spoiled)[:count]
            seconds = passes(killers[place])
        except (NttforgeError, AssertionError) as error:
            refused = blamed(str(error), spoiled)
            if not refused:
                raise
            print(f"does not compile: {sorted(refused)}: {error}", file=sys.stderr, flush=True)
            library = library.without(refused)
            library.write(root, spoiled)
            tried, left = (
                {n: m for n, m in of.items() if n not in refused} for of in (tried, left)
            )
            killers = []
            continue
        print(f"{killers[place].name}: {seconds:.1f} s alone", file=sys.stderr, flush=True)
        left, late = survivors(left, killers[place], seconds, inf if place else minutes)
        tried = {n: m for n, m in tried.items() if n not in late}
        place += 1
    of = Counter(mutant.file for mutant in tried.values())
    survive = Counter(mutant.file for mutant in left.values())
    for mutant in left.values():
        print(f"survives: {mutant.line}: {mutant.operator}: {mutant.key}", flush=True)
    return {
        "tried": sorted(mutant.key for mutant in tried.values()),
        "modules": {file: [of[file] - survive[file], of[file]] for file in sorted(of)},
        "survivors": [
            {"rule": m.operator, "line": m.line, "what": m.key}
            for m in sorted(left.values(), key=lambda m: (m.file, m.line))
        ],
    }


def main() -> int:
    """Score a room, or print the record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("room", nargs="?")
    parser.add_argument("modules", nargs="*", help="of it; without any, all")
    parser.add_argument("--each", type=int, default=_EXAMPLES, help="defects of a module")
    parser.add_argument("--minutes", type=float, default=inf, help="what is tried by then counts")
    parser.add_argument("--only", default="", help="those that contain this text; nothing is kept")
    parser.add_argument("--benches", type=int, help="the first so many of the room's; all without")
    parser.add_argument("--survivors", action="store_true", help="those that are not shown, again")
    options = parser.parse_intermixed_args()
    if options.room is None:
        print(shown(recorded()))
        return 0
    room, modules, root = options.room, options.modules, rtl_library.rtl_root()
    if options.survivors:
        library = Library.known(root, room, unexplained(recorded().get(room, {}), modules))
    else:
        library = Library.sampled(root, [room], options.each, modules)
    found = score(room, library, options.minutes, options.only, options.benches)
    tried = sum(of for _, of in found["modules"].values())
    print(f"{tried} tried, {len(found['survivors'])} survive")
    if not options.only:
        keep(RECORD, (again if options.survivors else joined)(kept(RECORD), room, found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
