# SPDX-License-Identifier: Apache-2.0
"""What a campaign found, as it is kept between runs, and as tables."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.faults.fault_campaign import CONTROL, DATA, IDLE, LISTED, SEEDS, WIPED, Tried, counted
from tests.faults.scenario import (
    ALERTED,
    BAD,
    ERROR,
    FAULT,
    HANG,
    LOCKED,
    NO_EFFECT,
    RIGHT,
    STUCK,
    WRONG,
)
from tests.tally import markdown

OUTCOMES = (NO_EFFECT, RIGHT, FAULT, ERROR, WRONG, ALERTED, HANG, LOCKED, STUCK, "bad")
_KINDS = (CONTROL, SEEDS, IDLE, DATA, WIPED)
_ALL = "in all"


def empty(begun: Mapping[str, Any], planned: int) -> dict[str, Any]:
    """A record of nothing."""
    return {
        "begun": dict(begun),
        "planned": planned,
        "chunks": 0,
        "outcomes": {},
        "registers": {},
        "bad": {},
    }


def add(record: dict[str, Any], tried: Sequence[Tried]) -> None:
    """Put a chunk into a record."""
    record["chunks"] += 1
    for (coprocessor, kind, outcome), count in counted(tried).items():
        of = record["outcomes"].setdefault(coprocessor, {}).setdefault(kind, {})
        of[outcome] = of.get(outcome, 0) + count
    for each in tried:
        if each.outcome in LISTED and each.kind != DATA:
            of = record["registers"].setdefault(each.coprocessor, {}).setdefault(each.register, {})
            of[each.outcome] = of.get(each.outcome, 0) + 1
        if each.outcome.startswith(BAD) or each.outcome == STUCK:
            what = each.outcome.removeprefix(BAD)
            record["bad"].setdefault(what, []).append(each.place)


def total(record: Mapping[str, Any]) -> int:
    """Flips that were tried."""
    return sum(_sum(record["outcomes"]).values())


def bad(record: Mapping[str, Any]) -> int:
    """Flips after which something was that must never be, and hangs that nothing ends."""
    found = _sum(record.get("outcomes", {}))
    return found["bad"] + found[STUCK]


def _sum(tree: Mapping[str, Any]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, value in tree.items():
        found.update(_sum(value) if isinstance(value, Mapping) else {name: value})
    return found


def table(record: Mapping[str, Any]) -> str:
    """Flips by coprocessor and kind of flip-flop, and by outcome."""
    if "outcomes" not in record:
        return "Nothing is recorded yet."
    rows = [
        (f"`{name}`", kind, *_cells(kinds[kind]))
        for name, kinds in record["outcomes"].items()
        for kind in _KINDS
        if kind in kinds
    ]
    rows.append((_ALL, "", *_cells(_sum(record["outcomes"]))))
    text = markdown(("coprocessor", "flip-flops", "flips", *OUTCOMES), rows, 2)
    left = record["planned"] - total(record)
    text += f"\n\n{left:,} more are planned." if left > 0 else ""
    return "\n\n".join([text, *_bad(record)])


def _cells(found: Mapping[str, int]) -> Iterable[str]:
    yield f"{sum(found.values()):,}"
    yield from (f"{found.get(outcome, 0):,}" for outcome in OUTCOMES)


def _bad(record: Mapping[str, Any]) -> list[str]:
    if not record["bad"]:
        return []
    rows = [(what, len(places), places[0]) for what, places in sorted(record["bad"].items())]
    return [markdown(("bad", "flips", "one of them"), rows)]


def registers_table(record: Mapping[str, Any]) -> str:
    """Control registers whose flips gave a wrong result without an error, or a hang."""
    rows = [
        (f"`{name}`", f"`{register}`", *(found.get(outcome, 0) for outcome in LISTED))
        for name, of in record.get("registers", {}).items()
        for register, found in sorted(of.items(), key=lambda item: -sum(item[1].values()))
    ]
    return markdown(("coprocessor", "register", *LISTED), rows, 2)


def bad_list(record: Mapping[str, Any]) -> str:
    """Every bad flip, a line each."""
    lines = [
        f"{what}: {p}" for what, places in sorted(record.get("bad", {}).items()) for p in places
    ]
    return "\n".join(lines)
