# SPDX-License-Identifier: Apache-2.0
"""The recorded score of each room, and why survivors are no defects."""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.mutation.sites import keys_of
from tests.tally import kept, markdown

RECORD = "mutants"


def text_of(file: str) -> str:
    """What a file of the library is known by: all defects that it may have, and no comments."""
    return sha256("\n".join(sorted(keys_of(file))).encode()).hexdigest()[:12]


def applies(what: str) -> bool:
    """Whether the text that a defect replaces is there."""
    return what in keys_of(what.partition(":")[0])


def joined(record: Mapping[str, Any], room: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """The record with what was found of modules of a room in the place of what it has of them."""
    before = record.get(room, {"modules": {}, "survivors": []})
    others = [s for s in before["survivors"] if s["what"].partition(":")[0] not in found["modules"]]
    modules = dict(before["modules"]) | dict(found["modules"])
    texts = dict(before.get("texts", {})) | {file: text_of(file) for file in found["modules"]}
    survivors = others + list(found["survivors"])
    return {**record, room: {"modules": modules, "survivors": survivors, "texts": texts}}


def again(record: Mapping[str, Any], room: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """The record with recorded survivors tried once more: what was killed now is, others stay."""
    before, still = record[room], {s["what"] for s in found["survivors"]}
    modules = {file: list(counts) for file, counts in before["modules"].items()}
    for file, (killed, _) in found["modules"].items():
        modules[file][0] += killed
    killed_now = {*found["tried"]} - still
    left = [s for s in before["survivors"] if s["what"] not in killed_now]
    return {**record, room: {**before, "modules": modules, "survivors": left}}


def unexplained(room: Mapping[str, Any], modules: Sequence[str]) -> frozenset[str]:
    """Survivors of a room, or of modules of it, without a reason."""
    every = (s["what"] for s in room.get("survivors", ()))
    named = (w for w in every if not modules or Path(w.partition(":")[0]).stem in modules)
    return frozenset(what for what in named if reason_of(what) is None)


def recorded() -> dict[str, Any]:
    """What is recorded of modules that are there; survivors whose text has changed do not count."""
    return {name: _present(room) for name, room in kept(RECORD).items()}


def _present(room: Mapping[str, Any]) -> dict[str, Any]:
    left = [s for s in room["survivors"] if applies(s["what"])]
    gone = Counter(s["what"].split(":")[0] for s in room["survivors"] if s not in left)
    modules = {f: [k, of - gone[f]] for f, (k, of) in room["modules"].items() if keys_of(f)}
    killed, tried = (sum(counts[i] for counts in modules.values()) for i in (0, 1))
    return {**room, "modules": modules, "mutants": tried, "killed": killed, "survivors": left}


@cache
def reasons() -> dict[str, str]:
    """Defect -> why it is none."""
    text = Path(__file__).with_name("reasons.toml").read_text("utf-8")
    return {what: why for why, listed in tomllib.loads(text).items() for what in listed}


def reason_of(what: str) -> str | None:
    """Why a defect cannot be seen from outside its module; None if that is not shown.

    Reasons are in reasons.toml, each with the defects it is of, by their text as a run prints it.
    """
    return reasons().get(what)


def totals(room: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """Defects, equivalent ones, killed, and survivors that count."""
    reasons = [reason_of(s["what"]) for s in room["survivors"]]
    equivalent = sum(reason is not None for reason in reasons)
    return room["mutants"], equivalent, room["killed"], len(reasons) - equivalent


def of_module(room: Mapping[str, Any], file: str) -> tuple[int, int] | None:
    """Defects of a file: killed, and those that are not equivalent. None if none was tried."""
    if file not in room.get("modules", {}):
        return None
    killed, tried = room["modules"][file]
    of_file = [s["what"] for s in room["survivors"] if s["what"].startswith(f"{file}: ")]
    return killed, tried - sum(reason_of(what) is not None for what in of_file)


def shown(record: Mapping[str, Any]) -> str:
    """The score as Markdown, and the survivors with their reasons."""
    if not record:
        return "Nothing is recorded yet."
    rows = []
    every = []
    for name, room in sorted(record.items()):
        counts = totals(room)
        every.append(counts)
        texts = room.get("texts", {})
        same = sum(texts.get(file) == text_of(file) for file in room["modules"])
        rows.append((f"`rtl/{name}`", len(room["modules"]), same, *counts, _percent(counts)))
    sums = [sum(column) for column in zip(*every, strict=True)]
    files, alike = (sum(int(row[i]) for row in rows) for i in (1, 2))
    rows.append(("**all**", files, alike, *sums, _percent(sums)))
    head = (
        "room",
        "modules",
        "of today's text",
        "mutants",
        "equivalent",
        "killed",
        "survive",
        "score",
    )
    survivors = sorted(s["what"] for room in record.values() for s in room["survivors"])
    listed = [
        ("`" + what.replace("|", "\\|") + "`", reason_of(what) or "not shown") for what in survivors
    ]
    head_of_list = ("survivor", "why it is no defect")
    return f"{markdown(head, rows)}\n\n{markdown(head_of_list, listed, 2)}"


def _percent(counts: Sequence[int]) -> str:
    mutants, equivalent, killed, _ = counts
    return f"{killed / max(1, mutants - equivalent):.1%}"
