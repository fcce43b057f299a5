# SPDX-License-Identifier: Apache-2.0
"""Line and toggle coverage of rtl/: what models counted while tests ran, merged and recorded.

    NTTFORGE_COVERAGE=$PWD/build/coverage pytest tests/rtl/pipeline
    python -m tests.coverage build/coverage

The first leaves a file for each model, the second one merges them into the record: a point counts
as met if any instance of its module has met it. Rooms without a point keep the lines that they
have, as do those that are not named, if some are: `python -m tests.coverage FOLDER mlkem lattice`.
With `--add` what the record has stays, and lines that it has as not run, of which the text is what
it was, are taken out if they were run here.
Without a folder the record is printed. Lines that no model elaborated (a branch of a generate that
no design takes) have no points.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from nttforge.rtl_library import rtl_root
from tests.tally import keep, kept, markdown

RECORD = "coverage"
_POINT = re.compile(rb"^C '(.*)' (\d+)$", re.MULTILINE)


@dataclass
class Module:
    """What was met of a file of the library.

    Attributes
    ----------
    lines
        Line number -> whether it was run.
    toggles
        (Line, bit of a signal and direction) -> whether it was seen.
    """

    lines: dict[int, bool] = field(default_factory=dict)
    toggles: dict[tuple[int, str], bool] = field(default_factory=dict)


def points(data: bytes) -> Iterator[tuple[dict[str, str], int]]:
    """Fields and count of each point of a file that Verilator wrote."""
    for text, count in _POINT.findall(data):
        parts = (part.split(b"\x02", 1) for part in text.split(b"\x01") if part)
        yield {k.decode(): v.decode("utf-8", "replace") for k, v in parts}, int(count)


def ranges(text: str) -> Iterator[int]:
    """Lines of ranges as `3-5,9`, or as :func:`in_words` has them."""
    for part in filter(None, text.replace(" to ", "-").split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def merge(modules: dict[str, Module], files: Mapping[str, str], data: bytes) -> None:
    """Add the points of a file; `files` are the library's by their names without a folder."""
    for fields, count in points(data):
        name = files.get(Path(fields.get("f", "")).name)
        if name is None:  # generated, or a bench
            continue
        module = modules.setdefault(name, Module())
        line, met = int(fields["l"]), count > 0
        kind = fields.get("page", fields.get("t", ""))
        if kind.startswith("v_toggle") or fields.get("t") == "toggle":
            bit = (line, fields.get("o", ""))
            module.toggles[bit] = module.toggles.get(bit, False) or met
        else:
            for number in ranges(fields.get("S", "")) if fields.get("S") else (line,):
                module.lines[number] = module.lines.get(number, False) or met


def in_words(lines: Iterable[int]) -> str:
    """Line numbers as ranges."""
    runs = groupby(enumerate(sorted(lines)), lambda pair: pair[1] - pair[0])
    ends = ([line for _, line in run] for _, run in runs)
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]} to {r[-1]}" for r in ends)


#: What lines that no test runs begin with -> why none does.
_REASONS = {"default:": "a state, or a value, that is never reached"}


def reasons(text: Sequence[str], lines: Iterable[int]) -> dict[int, str]:
    """Why lines of a file are not run, of those for which a rule says it."""
    found: dict[int, str] = {}
    inside = False
    for number, line in enumerate(text, start=1):
        words = line.split()
        inside = inside or "function" in words[:2]
        if number in lines:
            rules = (why for start, why in _REASONS.items() if line.strip().startswith(start))
            why = "of parameters: run while a design is elaborated" if inside else next(rules, "")
            found |= {number: why} if why else {}
        inside = inside and "endfunction" not in words[:1]
    return found


def record_of(modules: Mapping[str, Module], texts: Mapping[str, list[str]]) -> dict[str, Any]:
    """Counts by room, and the lines that were not run, by their text: numbers change."""
    rooms: dict[str, Any] = {}
    for name, module in sorted(modules.items()):
        room = rooms.setdefault(name.split("/")[0], {"modules": {}, "uncovered": {}})
        room["modules"][name] = {
            kind: [sum(met.values()), len(met)]
            for kind, met in (("lines", module.lines), ("toggles", module.toggles))
        }
        missed = [line for line, met in module.lines.items() if not met]
        if missed:
            shown = [texts[name][line - 1].strip() for line in sorted(missed)]
            why = reasons(texts[name], set(missed))
            every = [
                {"lines": in_words(n for n in missed if why.get(n, "") == one), "reason": one}
                for one in sorted({why.get(n, "") for n in missed})
            ]
            room["uncovered"][name] = {"lines": in_words(missed), "why": every, "text": shown}
    return rooms


def added(
    record: Mapping[str, Any], modules: Mapping[str, Module], texts: Mapping[str, list[str]]
) -> dict[str, Any]:
    """The record without lines that were run now, where their text is the one that it has."""
    rooms = deepcopy(dict(record))
    for room in rooms.values():
        for file, missed in [*room["uncovered"].items()]:
            run = modules[file].lines if file in modules else {}
            old = dict(zip(ranges(missed["lines"]), missed["text"], strict=True))
            met = {n for n in old if run.get(n) and texts[file][n - 1].strip() == old[n]}
            for of in (room, room.get("modules", {}).get(file, {})):
                if "lines" in of:
                    of["lines"][0] += len(met)
            missed["lines"] = in_words(old.keys() - met)
            missed["text"] = [text for n, text in old.items() if n not in met]
            for one in missed["why"]:
                one["lines"] = in_words({*ranges(one["lines"])} - met)
            missed["why"] = [one for one in missed["why"] if one["lines"]]
            if not missed["lines"]:
                del room["uncovered"][file]
    return rooms


def recorded() -> dict[str, Any]:
    """What is recorded of files that are there, with sums of each room."""
    return {name: present(room) for name, room in kept(RECORD).items()}


def placed(missed: Mapping[str, Any], texts: Sequence[str]) -> dict[str, Any]:
    """Lines that were not run, by where their text stands now; lines that are gone do not count.

    Nor do those of which the reason would be another one now.
    """
    now = [text.strip() for text in texts]
    today = reasons(texts, set(range(1, len(texts) + 1)))
    why_of = {n: one["reason"] for one in missed["why"] for n in ranges(one["lines"])}
    moved: dict[int, int] = {}

    def same(at: int, some: Sequence[tuple[int, str]]) -> bool:
        """Whether lines stand there, from index `at` on."""
        kept_why = all(
            today.get(at + i + 1, "") == why_of.get(n, "") for i, (n, _) in enumerate(some)
        )
        return now[at : at + len(some)] == [text for _, text in some] and kept_why

    old = list(zip(ranges(missed["lines"]), missed["text"], strict=True))
    for _, run in groupby(enumerate(old), lambda pair: pair[1][0] - pair[0]):
        lines = [line for _, line in run]
        # What stood together is looked for together: `end else begin` stands everywhere.
        for some in (lines, *([line] for line in lines)):
            first = some[0][0]
            if first in moved:
                continue
            found = (at for at in range(len(now)) if same(at, some))
            if (at := min(found, key=lambda at: abs(at + 1 - first), default=None)) is not None:
                moved |= {number: at + 1 + i for i, (number, _) in enumerate(some)}
    why = [
        {**one, "lines": in_words(moved[n] for n in ranges(one["lines"]) if n in moved)}
        for one in missed["why"]
    ]
    return {
        "lines": in_words(moved.values()),
        "text": [now[number - 1] for number in sorted(moved.values())],
        "why": [one for one in why if one["lines"]],
    }


def present(room: Mapping[str, Any]) -> dict[str, Any]:
    """A room without files that are gone, and its lines where they are today."""
    here, missed = (
        {file: found for file, found in room.get(what, {}).items() if (rtl_root() / file).is_file()}
        for what in ("modules", "uncovered")
    )
    missed = {
        file: where
        for file, old in missed.items()
        if (where := placed(old, (rtl_root() / file).read_text("utf-8").splitlines()))["lines"]
    }
    sums = {
        kind: [sum(of) for of in zip(*(counts[kind] for counts in here.values()), strict=True)]
        for kind in ("lines", "toggles")
        if here
    }
    return {**room, **sums, "modules": here, "uncovered": missed}


def missed_of(room: Mapping[str, Any], file: str) -> str | None:
    """Lines of a file that were not run, in words; None if nothing is recorded of it."""
    if not room or (room["modules"] and file not in room["modules"]):
        return None
    return str(room["uncovered"].get(file, {}).get("lines", ""))


def shown(record: Mapping[str, Any]) -> str:
    """A line a room, and the lines that were not run."""
    if not record:
        return "Nothing is recorded yet."
    rows = [
        (f"`rtl/{name}`", *_cells(room["lines"]), *_cells(room["toggles"]))
        for name, room in sorted(record.items())
    ]
    head = ("room", "lines", "run", "bits toggling", "seen")
    missed = [
        (f"`{file}`", one["lines"], one["reason"])
        for _, room in sorted(record.items())
        for file, where in room["uncovered"].items()
        for one in where["why"]
    ]
    listed = markdown(("file", "lines that no test runs", "why"), missed, 3) if missed else ""
    return f"{markdown(head, rows)}\n\n{listed}".strip()


def _cells(counts: list[int]) -> tuple[str, str]:
    met, of = counts
    return f"{of:,}", f"{met / max(1, of):.1%}"


def main() -> int:
    """Merge a folder into the record, or print the record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("rooms", nargs="*", help="those to record; without any, all")
    parser.add_argument("--add", action="store_true", help="only take lines out of those not run")
    options = parser.parse_args()
    folder = options.folder
    if folder is None:
        print(shown(recorded()))
        return 0
    root = rtl_root()
    library = {path.name: path for path in root.rglob("*.sv")}
    files = {name: str(path.relative_to(root)) for name, path in library.items()}
    modules: dict[str, Module] = {}
    for path in sorted(folder.glob("*.dat")):
        merge(modules, files, path.read_bytes())
    if not modules:
        sys.exit(f"{folder}: nothing was counted; run tests with NTTFORGE_COVERAGE={folder}")
    texts = {name: (root / name).read_text("utf-8").splitlines() for name in modules}
    if options.add:
        keep(RECORD, added(kept(RECORD), modules, texts))
        return 0
    found = record_of(modules, texts)
    chosen = {name: room for name, room in found.items() if name in (options.rooms or found)}
    keep(RECORD, kept(RECORD) | chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main())
