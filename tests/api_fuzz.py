# SPDX-License-Identifier: Apache-2.0
"""Hostile calls of the Python API, drawn from a seed: each returns, or raises an NttforgeError.

Functions are those that docs/python.md names: `nttforge.open`, the operations and verbs of engines,
devices of `nttforge.host` and ways to boards. Arguments are valid ones, of which some are replaced
by values that users pass by mistake: other types, other lengths, numpy's scalars, masked arrays,
NUL characters. Yosys and nextpnr are replaced by a refusal: what is tried comes before them.

`python -m tests.api_fuzz FIRST END` tries the calls of these numbers and prints what was counted.
"""

import argparse
import contextlib
import inspect
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import nttforge
import nttforge.host
from nttforge.errors import MOST, NttforgeError
from tests.tally import markdown

#: Engines of every kind; those of `QUICK` compile in seconds, or their model is in the cache.
DESIGNS: Mapping[str, Mapping[str, Any]] = {
    "sixteen": {"name": "sixteen", "rings": [{"n": 16, "q": 97}]},
    "row": {"name": "row", "family": "iterative", "rings": [{"n": 16, "q": 97}]},
    "sixty-four": {
        "name": "sixty-four",
        "family": "decomposed",
        "rings": [{"q": 7681}],
        "decomposed": {"l_max": 6, "n": 16, "t": 4},
    },
    "ml-kem-coprocessor": {},
    "ml-dsa-coprocessor": {},
    "pqc-core": {},
    "pqc-coprocessor": {},
}
QUICK = ("sixteen", "row", "sixty-four", "ml-kem-coprocessor")
#: Verbs that are refused here once their arguments are right.
_TOOLS = ("nttforge.flow.synth.synthesize", "nttforge.flow.synth.on_ecp5")
_OPTIONS = ("count", "seed", "sizes", "operation", "frequency_mhz", "seeds", "jobs", "speed",
            "shell", "target", "time_limit", "part", "placer", "nothing", "progress")  # fmt: skip
_DEVICE_OPTIONS = ("stall", "seed", "board", "progress", "nothing")
_KEYS = ("name", "rings", "family", "target", "operations", "pipeline__butterflies", "shell",
         "prefer", "decomposed__l_max", "description", "nothing", "rings__q")  # fmt: skip


@dataclass(frozen=True)
class Call:
    """A call: what it is in words, and how to make it."""

    text: str
    make: Callable[[], object]


def _endless() -> list[object]:
    values: list[object] = []
    values.append(values)
    return values


def hostile(rng: random.Random) -> object:
    """A value that callers should not pass, or one that is nearly right."""
    numbers: list[object] = [None, True, -1, 0, 1, 2, 7, 1 << 70, 1.5, float("nan"), float("inf")]
    numbers += [np.int64(5), np.float32(0.5), np.bool_(True), 1j, Decimal("NaN"), Fraction(1, 3)]
    texts: list[object] = ["", "text", "\0", "a" * 1000, "ntt", "44", "ML-KEM-512", "\n", "\udcff"]
    octets: list[object] = [b"", bytes(31), bytes(32), bytearray(32), memoryview(bytes(32))]
    arrays: list[object] = [
        *(np.zeros(16), np.zeros(16, int), np.zeros((2, 16), np.uint64), np.array(["a"] * 16)),
        *(np.ma.masked_array(range(16), mask=[True] + [False] * 15), np.full(16, -1)),
        *(np.zeros(32, np.uint8), np.array(None), np.zeros((0, 16), int), np.array([1j] * 16)),
    ]
    others: list[object] = [[], (), {}, set(), object(), len, _endless(), [[1], [1, 2]], {"a": 1}]
    others += [range(16), Path("x"), Ellipsis, int, iter([1]), slice(3)]
    return rng.choice(rng.choice((numbers, texts, octets, arrays, others)))


@cache
def engine(name: str) -> nttforge.Engine:
    """The engine of that name, opened once."""
    known = DESIGNS[name]
    return nttforge.open("ml-kem", **known) if known else nttforge.open(name)


@cache
def device(name: str) -> nttforge.host.Device:
    """The same as a device."""
    return nttforge.host.open(engine(name).design)


def _arguments(
    function: Callable[..., Any], rng: random.Random
) -> tuple[list[Any], dict[str, Any]]:
    """Arguments by the signature, right ones or not; one too many now and then."""
    given: list[Any] = []
    named: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind == parameter.VAR_KEYWORD:
            continue
        value = _right(parameter.name, rng) if rng.random() < 0.6 else hostile(rng)
        if parameter.kind == parameter.KEYWORD_ONLY:
            if rng.random() < 0.4:
                named[parameter.name] = value
        elif parameter.default is parameter.empty or rng.random() < 0.4:
            given.append(value)
    if rng.random() < 0.1:
        given.append(hostile(rng))
    if rng.random() < 0.1:
        named[rng.choice(_OPTIONS)] = hostile(rng)
    return given, named


def _right(name: str, rng: random.Random) -> object:
    match name:
        case "parameter_set":
            return rng.choice((44, 512, "ML-DSA-65", 768))
        case "operands" | "words":
            return np.arange(16)
        case "padding":
            return rng.choice((0, 1))
        case "check":
            return True
        case _:
            return rng.choice((bytes(32), bytes(64), bytes(rng.randrange(3000))))


def _some(names: Sequence[str], rng: random.Random) -> dict[str, Any]:
    return {name: hostile(rng) for name in rng.sample(names, rng.randrange(3))}


def draw(number: int, designs: Sequence[str]) -> Call:
    """The call of that number."""
    rng = random.Random(number)
    chosen = rng.choice(designs)
    kind = rng.choice(
        ("operation", "operation", "operation", "verb", "open", "device", "name", "attach")
    )
    if kind == "open":
        name, keys = rng.choice((*DESIGNS, hostile(rng))), _some(_KEYS, rng)
        return Call(f"open({name!r}, {keys!r})", lambda: nttforge.open(name, **keys))  # type: ignore[arg-type]
    if kind in ("attach", "verb"):
        return _attach(rng, chosen) if kind == "attach" else _verb(rng, chosen)
    opened = engine(chosen)
    if kind == "name":
        name = hostile(rng)
        how: Callable[[Any], object] = rng.choice(
            (opened.ops.__getitem__, opened.__getitem__, device(chosen).start)
        )
        return Call(f"{chosen}: {how.__qualname__}({name!r})", lambda: how(name))
    name = rng.choice(list(opened.functions))
    arguments, named = _arguments(opened.functions[name], rng)
    text = f"{chosen} {kind} {name}({arguments!r}, {named!r})"
    if kind == "device":
        batch = rng.choice((arguments, [tuple(arguments)], hostile(rng)))
        if rng.random() < 0.3:
            return Call(f"batch {text}", lambda: device(chosen).batch(name, batch))  # type: ignore[arg-type]
        return Call(text, lambda: device(chosen).ops[name](*arguments, **named))
    return Call(text, lambda: opened.ops[name](*arguments, **named))


def _verb(rng: random.Random, chosen: str) -> Call:
    verb = rng.choice(("verify", "measure", "synth", "pnr", "generate"))
    options = {"count": 2} | _some(_OPTIONS, rng) if verb in ("verify", "measure") else {}
    given = [hostile(rng)] if rng.random() < 0.3 or verb == "generate" else []
    options = options or _some(_OPTIONS, rng)
    text = f"{chosen}.{verb}({given!r}, {options!r})"
    return Call(text, lambda: getattr(engine(chosen), verb)(*given, **options))


def _attach(rng: random.Random, chosen: str) -> Call:
    """A device that is opened, or a way to a board."""
    way: Callable[..., object] | None = rng.choice((nttforge.host.Mapped, nttforge.host.Pcie, None))
    if way is not None:
        given = [hostile(rng) for _ in range(rng.randrange(2, 5))]
        return Call(f"{way}({given!r})", lambda: way(*given))
    name, options = rng.choice((engine(chosen).design, hostile(rng))), _some(_DEVICE_OPTIONS, rng)
    text = f"host.open({name!r}, {options!r})"
    return Call(text, lambda: nttforge.host.open(name, **options).close())  # type: ignore[arg-type]


@contextlib.contextmanager
def without_tools() -> Iterator[None]:
    """Yosys and nextpnr refuse."""
    refusal = NttforgeError("yosys", "is not here", "install it")
    with contextlib.ExitStack() as stack:
        for tool in _TOOLS:
            stack.enter_context(mock.patch(tool, side_effect=refusal))
        yield


def outcome(call: Call) -> str:
    """`returned`, `refused`, or what else was raised."""
    try:
        call.make()
    except NttforgeError as error:
        text = str(error)
        return "refused" if "\n" not in text and len(text) <= MOST else f"no line: {text!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "returned"


def tried(numbers: Sequence[int], designs: Sequence[str]) -> tuple[Counter[str], list[str]]:
    """Counts of outcomes, and the calls that broke the rule."""
    counts: Counter[str] = Counter()
    wrong = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), without_tools():
        for number in numbers:
            call = draw(number, designs)
            ended = outcome(call)
            kind = ended if ended in ("returned", "refused") else "raw"
            counts[kind] += 1
            if kind == "raw":
                wrong.append(f"{number}: {call.text[:300]}: {ended[:300]}")
    return counts, wrong


def main() -> int:
    """Try calls, and print what was counted."""
    parser = argparse.ArgumentParser(prog="python -m tests.api_fuzz", description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    parser.add_argument("--designs", nargs="+", choices=DESIGNS, default=list(DESIGNS))
    options = parser.parse_args()
    counts, wrong = tried(range(options.first, options.end), options.designs)
    rows = [(kind, f"{counts[kind]:,}") for kind in ("returned", "refused", "raw")]
    print(markdown(("outcome", "calls"), rows))
    print("\n".join(wrong), file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
