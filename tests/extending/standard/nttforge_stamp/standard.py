# SPDX-License-Identifier: Apache-2.0
"""Stamps as data: what each operation takes and gives; the reference; the program."""

from typing import Any, NamedTuple

from nttforge.kinds.lattice.commands import Commands
from nttforge.kinds.lattice.operation import Function, Operation, Standard, Value

WORD = 8


class Parameters(NamedTuple):
    """How many words a text has."""

    name: str
    words: int


SETS = (Parameters("STAMP-4", 4), Parameters("STAMP-8", 8))
KEY = Value("key", lambda _: WORD, "random bytes", secret=True, drawn=True)
TEXT = Value("text", lambda p: WORD * p.words, "a text")
STAMPED = Value("stamped", TEXT.length, "a stamped text")
TOTAL = Value("total", lambda _: WORD, "the sum of a text", secret=True)
OPERATIONS = {
    "stamp": Operation((KEY, TEXT), (STAMPED, TOTAL), refused="text"),
    "sum": Operation((TEXT,), (TOTAL,), refused="text"),
}
#: What the hardware does: by operation and set, whether it wants a key, and words of a text.
PROGRAM = [(bool(o.seeds), p.words) for o in OPERATIONS.values() for p in SETS]


def reference(p: Parameters, given: Any) -> dict[str, bytes]:
    """Words of the text with the key's bits turned over; the sum modulo 2^64."""
    text = given.get("text", bytes(range(WORD * p.words)))
    words = [text[at : at + WORD] for at in range(0, len(text), WORD)]
    total = sum(int.from_bytes(word, "little") for word in words) % (1 << 64)
    stamped = (bytes(a ^ b for a, b in zip(word, given["key"], strict=True)) for word in words)
    more = {"stamped": b"".join(stamped), "total": total.to_bytes(WORD, "little")}
    return {**given, "text": text, **more}


COMMANDS = Commands(
    version=192,
    operations=tuple(OPERATIONS),
    sets=("4", "8"),
    flags=(("entropy", "the entropy port gives the key"),),
    errors=("none", "command", "length", "zeroized"),
    operation_bits=2,
    error_bits=2,
    refused="why there was no output",
)
STANDARD = Standard(
    name="Stamp",
    package=__package__ or "",
    kind_label="a stamping coprocessor",
    usage_hint="use its functions from Python",
    sets=SETS,
    operations=OPERATIONS,
    functions={
        "stamp": Function("stamp", ("stamp", "key", "text")),
        "sum": Function("sum", ("sum", "text")),
    },
    commands=COMMANDS,
    prefix="stamp_",
    reference=reference,
    keep=False,
)
