# SPDX-License-Identifier: Apache-2.0
"""Whole designs, drawn at random from the keys' own types and limits, and what must hold of each.

A key of `nttforge.design` is drawn as its type and its limits say, so that a new one is drawn
without a line here. What ties keys to each other and no type tells (a modulus with roots of unity,
butterflies that fit the ring) is in `TIES`; those keys too are drawn without a tie now and then.
A design is either refused, in one line that names a key, or it computes right and takes as many
cycles as derived.

Every check leaves its outcome in `build/drawn`, whether a test or a command has asked for it.
`python -m tests.drawn FIRST END` checks the designs of these seeds, of all families or of the one
that `--family` names; `--record` makes the record of all outcomes that are there, `--add` adds them
to the record, and `python -m tests.drawn` prints the record as tables.
"""

import argparse
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from nttforge.cache import design_files
from nttforge.config.family import StreamConfig
from nttforge.design import Design, Family, load_design, parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.backends import backend_of
from nttforge.flow.prepare import Prepared, prepare_any, silent
from nttforge.hw import StreamCore, build
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.verify import verify_decomposed
from nttforge.kinds.iterative.arbitration import completions
from nttforge.kinds.iterative.engine import elaborate
from nttforge.kinds.lattice.bus import open_core
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.verify import cases_of, verify_standard
from nttforge.kinds.stream.measure import MeasureResult, measure
from nttforge.options.verbs import VerifyOptions
from nttforge.ring.presets import PRESETS
from nttforge.ring.primes import is_prime
from nttforge.ring.roots import least_non_residue, minimal_root
from nttforge.show.keys import tables
from tests.tally import Met, keep, kept, key_table, markdown
from tests.undriven import undriven

RECORD = "designs"
# Of the keys that may be left out, how many are; and of the ties, how many are not kept to.
_LEFT_OUT, _UNTIED = 0.45, 0.03
_FAMILIES: dict[Family, int] = {
    "pipeline": 46,
    "iterative": 40,
    "decomposed": 11,
    "lattice": 6,
}
#: Standards of a lattice coprocessor, as its kind is counted, and how often.
_STANDARDS = {"mlkem": ("ml-kem",), "mldsa": ("ml-dsa",), "pqc": ("ml-kem", "ml-dsa")}
_EACH_STANDARD = {"mlkem": 3, "mldsa": 2, "pqc": 1}
_DEPTHS = {2: 3, 3: 4, 4: 5, 5: 3, 6: 1}
_NARROW = (4, 5, 6, 7, 8, 10, 12, 13, 14, 17, 20, 23, 24, 28, 31, 32)
_WIDE = (33, 40, 47, 48, 49, 55, 60, 63, 64, 65, 80, 100, 127, 128, 192, 255, 256)
# log2 of a lane's bits in the largest transform of several rounds that is simulated: 2^15 words of
# 64 bits, and fewer of wider ones, whose simulation takes longer by more than their width.
_LARGEST_BITS = 21
#: Limits of what is drawn where the model has none.
_OPEN = 1 << 12
# Lengths of the words of a name.
_WORDS = ((0,), (1,), (3, 1), (9,), (5, 4, 2), (40,))
_TEXT = "\nabcxyz ABC 019 .,;:!?-_/*\\'\"`$%&#@()[]{}<>|~^=+\t\u00e9\u6570"


# ---------------------------------------------------------------------------------------------
# The space of a key


@dataclass(frozen=True)
class Space:
    """What a key may be, as its schema says.

    Attributes
    ----------
    kind
        `choice`, `integer`, `number` or `text`.
    choices
        All values, of a choice.
    least, most
        Limits of an integer.
    optional
        Whether it may be none of these.
    """

    kind: str
    choices: tuple[Any, ...] = ()
    least: int | None = None
    most: int | None = None
    optional: bool = False
    pattern: str = ""

    @property
    def limits(self) -> tuple[int, int]:
        """Of an integer that has both."""
        assert self.least is not None and self.most is not None
        return self.least, self.most

    @property
    def words(self) -> str:
        """For the table."""
        match self.kind:
            case "choice":
                return ", ".join(f"`{str(c).lower()}`" for c in self.choices)
            case "integer":
                least = "any" if self.least is None else str(self.least)
                return f"{least} and more" if self.most is None else f"{least} to {self.most}"
            case kind:
                return kind

    def draw(self, rng: random.Random) -> Any:
        """Any value: of integers the ends more often, and small ones more often than large ones."""
        match self.kind:
            case "choice":
                return rng.choice(self.choices)
            case "number":
                return round(10 ** rng.uniform(-1, 3), 2)
            case "integer":
                return self._integer(rng)
            case _ if self.pattern:
                words = ("".join(rng.choices("abcxyz019", k=k)) for k in rng.choice(_WORDS))
                return rng.choice("abcdefgxyz") + "-".join(words)
            case _:
                return "".join(rng.choices(_TEXT, k=rng.choice((0, 5, 40, 200))))

    def _integer(self, rng: random.Random) -> int:
        least = 0 if self.least is None else self.least
        most = max(least + 1, _OPEN) if self.most is None else self.most
        if rng.random() < 0.1:
            return rng.choice((least, most))
        if most - least < 100:
            return rng.randint(least, most)
        return min(most, least + int((most - least + 1) ** rng.random()) - 1)


def _space(schema: Mapping[str, Any]) -> Space:
    if "anyOf" in schema:
        some = [s for s in schema["anyOf"] if s.get("type") != "null"]
        return Space(**{**vars(_space(some[0])), "optional": len(some) < len(schema["anyOf"])})
    choices = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if choices is not None or schema["type"] == "boolean":
        return Space("choice", (False, True) if choices is None else tuple(choices))
    if schema["type"] == "integer":
        above = schema.get("exclusiveMaximum")
        most = schema.get("maximum", None if above is None else above - 1)
        return Space("integer", least=schema.get("minimum"), most=most)
    kind = schema["type"] if schema["type"] in ("number", "array") else "text"
    return Space(kind, pattern=schema.get("pattern", ""))


@cache
def spaces(model: type[BaseModel]) -> dict[str, Space]:
    """The keys of a table that hold values, by name."""
    schema = model.model_json_schema()["properties"]
    return {
        name: _space(schema[name]) for name in model.model_fields if "$ref" not in str(schema[name])
    }


MODELS = {heading.strip("[]"): model for heading, model in tables()}
KEYS = {
    f"{table}.{name}".lstrip("."): space
    for table, model in MODELS.items()
    for name, space in spaces(model).items()
}
_NAMES = {name for key in KEYS for name in key.split(".")} | set(MODELS)


@cache
def size_of(key: str) -> int | None:
    """How many values the model takes, of those that can be counted."""
    space = KEYS[key]
    table, _, name = key.rpartition(".")
    if space.kind == "choice":
        return len(space.choices) + space.optional
    if space.kind != "integer" or space.least is None or space.most is None:
        return None
    if space.most - space.least > _OPEN:
        return None

    def takes(value: int) -> bool:
        try:
            MODELS[table].model_validate({name: value})
        except ValidationError as error:  # other keys may be missing
            return not any(name in problem["loc"] for problem in error.errors())
        return True

    return sum(map(takes, range(space.least, space.most + 1))) + space.optional


# ---------------------------------------------------------------------------------------------
# A design


@dataclass
class Draft:
    """A design while it is drawn: what ties look at."""

    rng: random.Random
    family: Family = "pipeline"
    depth: int = 4
    bits: int = 0
    wide: bool = False
    worked_out: bool = False
    standards: tuple[str, ...] = ("ml-kem",)
    data: dict[str, Any] = field(default_factory=dict)

    def weighted(self, weights: Mapping[Any, int]) -> Any:
        return self.rng.choices(list(weights), list(weights.values()))[0]


def _throughput(draft: Draft) -> int | None:
    """None, or what a fitting number of butterflies reaches, and some cycles more."""
    if draft.rng.random() < 0.8:
        return None
    lines = _butterflies(draft)
    if lines is None:  # of a table that does not belong there, beside one that has a throughput
        return None
    cycles = (1 << draft.depth) // (2 * lines)
    if draft.family == "iterative":
        cycles = draft.depth * (cycles + draft.rng.choice((0, 8, 15)))  # a pass may wait
    draft.worked_out = True
    return cycles + draft.rng.choice((0, 0, 1, cycles // 2, cycles))


def _butterflies(draft: Draft) -> int | None:
    """A power of two; few where stages are wide, which take long to compile.

    None if a throughput was drawn that works them out.
    """
    if draft.worked_out:
        return None
    most = draft.depth - 1 if draft.family == "iterative" else min(draft.depth - 1, 3)
    if draft.bits > 400:
        most = 0
    elif draft.wide or draft.depth > 5:
        most = min(most, 1)
    return 1 << draft.rng.randint(0, most)


def _of_kem_alone(*values: int) -> Callable[[Draft], int | None]:
    return lambda draft: draft.rng.choice(values) if draft.standards == ("ml-kem",) else None


def _power(least: int, most: int) -> Callable[[Draft], int]:
    return lambda draft: 1 << draft.rng.randint(least, most)


def _operations(draft: Draft) -> list[str]:
    names = list(KEYS_OF_OPERATIONS)
    if draft.family != "iterative" or draft.rng.random() < 0.4:
        names = names[:2]
    if draft.family in ("decomposed", "lattice"):
        return names[:2]
    return draft.rng.sample(names, draft.rng.randint(1, len(names)))


KEYS_OF_OPERATIONS: tuple[str, ...] = get_args(
    get_args(Design.model_fields["operations"].annotation)[0]
)

#: Beyond its type: key -> how a legal value is drawn; None leaves the key out.
TIES: dict[str, Callable[[Draft], Any]] = {
    "family": lambda draft: draft.family,
    "operations": _operations,
    "pipeline.interval": _throughput,
    "iterative.interval": _throughput,
    "pipeline.butterflies": _butterflies,
    "iterative.butterflies": _butterflies,
    "iterative.slots": lambda draft: draft.rng.randint(0, 9),
    "iterative.pairs": lambda draft: "pairs" in draft.data,
    "shell.instances": _power(0, 2),
    "decomposed.n": lambda draft: 1 << draft.weighted({4: 5, 5: 5, 6: 4, 7: 1, 8: 1}),
    "decomposed.engines": lambda draft: 1 if draft.wide else draft.weighted({1: 4, 2: 2, 4: 1}),
    "decomposed.t": lambda draft: 4 if draft.wide else draft.weighted({4: 8, 8: 4, 16: 1}),
    "decomposed.b": _power(1, 6),
    "decomposed.digit": lambda draft: draft.weighted({0: 3, 3: 1, 4: 2, 5: 2, 6: 1}),
    "decomposed.l_max": lambda draft: draft.depth,
    "decomposed.made": _power(0, 1),
    "decomposed.blowup": lambda draft: draft.weighted({1: 3, 2: 1, 4: 1, 16: 1}),
    "lattice.standards": lambda draft: list(draft.standards),
    "lattice.butterflies": _of_kem_alone(1, 2, 4),
    "lattice.keccak_cores": _of_kem_alone(1, 2, 3, 4),
    # Widths of 2 and 4 have no other key: cores of them have tests of their own.
    "lattice.width": _of_kem_alone(8),
    "lattice.registers": lambda draft: (
        draft.standards == ("ml-kem",) or draft.rng.choice((False, True))
    ),
    "lattice.verify_signatures": lambda draft: (
        "ml-dsa" in draft.standards and draft.rng.choice((False, True))
    ),
    "lattice.equal_tries": lambda draft: (
        "ml-dsa" in draft.standards and draft.rng.choice((False, True))
    ),
    "decomposed.coset": lambda draft: draft.weighted({None: 2, 3: 1, 7: 1, "0xb": 1}),
}


def random_prime(rng: random.Random, bits: int, order: int) -> int | None:
    """A prime of so many bits that is 1 modulo `order`; None if some tries find none."""
    low, high = (1 << bits - 1) // order, (1 << bits) // order
    for _ in range(40 * bits):
        q = rng.randint(low, high) * order + 1
        if q.bit_length() == bits and q > 2 and is_prime(q):
            return q
    return None


def _ring(draft: Draft, name: str, bits: int, layers: int) -> dict[str, Any]:
    """A ring table of 2^depth coefficients; of as many layers as it has roots for."""
    rng = draft.rng
    negacyclic = rng.random() < 0.6
    q = None
    while q is None:
        q = random_prime(rng, bits, 1 << (layers + negacyclic))
        bits, layers = (bits + 1, layers) if rng.random() < 0.5 else (bits, max(1, layers - 1))
    order = q - 1 & 1 - q
    layers = max(layers, min(draft.depth, order.bit_length() - 1 - negacyclic, layers + 1))
    order = 1 << (layers + negacyclic)
    table = {"name": name, "n": 1 << draft.depth, "q": q if q < 1 << 62 else hex(q)}
    table |= {"form": "x^n+1" if negacyclic else "x^n-1", "layers": layers}
    if rng.random() < 0.3:
        table |= _own_root(q, order, 2 * rng.randrange(order) + 1)
    return table


def _own_root(q: int, order: int, odd: int) -> dict[str, Any]:
    """Each way to give a root: a generator, a root of the largest order, a word, a root."""
    g, largest = least_non_residue(q), q - 1 & 1 - q
    match odd >> 1 & 3:
        case 0:
            return {"generator": str(pow(g, odd, q))}
        case 1:
            return {"root": str(pow(g, odd * (q - 1) // largest, q))}
        case 2:
            return {"root": "minimal"}
    return {"root": str(pow(minimal_root(q, order), odd, q))}


def _rings(draft: Draft) -> list[dict[str, Any]]:
    rng = draft.rng
    if draft.family == "lattice":
        draft.standards = _STANDARDS[draft.weighted(_EACH_STANDARD)]
        return [{"preset": preset} for preset in draft.standards]
    if draft.family == "decomposed":
        draft.depth = rng.randint(*((13, 18) if rng.random() < 0.75 else (4, 36)))
        if rng.random() < 0.3:
            preset = rng.choice(("goldilocks", "goldilocks", "bn254", "bls12-381"))
            draft.wide = preset != "goldilocks"
            return [{"preset": preset}]
        bits = rng.choice((*_NARROW[-4:], 40, 55, 63, 64, 65, 128))
        bits = max(bits, draft.depth + 2)
        while (q := random_prime(rng, bits, 1 << draft.depth)) is None:
            bits += 1
        draft.wide = bits > 65
        own = {"generator": str(pow(least_non_residue(q), 3, q))} if q >> draft.depth & 2 else {}
        return [{"q": str(q), **own}]
    if rng.random() < 0.04:
        small = [name for name, preset in PRESETS.items() if preset.ring.n <= 256]
        names = rng.sample(small, rng.choice((1, 1, 2)))
        draft.depth = 8
        return [{"preset": name} for name in names]
    draft.depth = draft.weighted(_DEPTHS)
    if draft.family == "iterative" and rng.random() < 0.12:
        return _pairs(draft)
    draft.wide = rng.random() < 0.3
    count = rng.choice((1, 1, 2, 3))
    widths = [rng.choice(_NARROW) for _ in range(count)]
    if draft.wide:
        widths[rng.randrange(count)] = rng.choice(_WIDE)
    draft.bits = max(widths) * draft.depth
    whole = rng.random() < 0.6
    return [
        _ring(draft, f"r{i}", b, draft.depth if whole else rng.randint(1, draft.depth))
        for i, b in enumerate(widths)
    ]


def _pairs(draft: Draft) -> list[dict[str, Any]]:
    """A narrow ring whose transform ends with pairs, and a wide one."""
    draft.depth = max(3, draft.depth)
    bits = draft.rng.randint(10, 13)
    draft.data["pairs"] = True
    rings = [
        _ring(draft, "narrow", bits, draft.depth - 1),
        _ring(draft, "wide", 2 * bits - draft.rng.randint(0, 2), draft.depth),
    ]
    rings[0]["layers"] = draft.depth - 1
    for key in ("root", "generator"):
        rings[0].pop(key, None)
    draft.rng.shuffle(rings)
    return rings


def _table(draft: Draft, table: str) -> dict[str, Any]:
    """The keys of a table, each drawn or left out."""
    drawn = {}
    for name, space in spaces(MODELS[table]).items():
        key = f"{table}.{name}".lstrip(".")
        required = MODELS[table].model_fields[name].is_required()
        if not required and key not in TIES and draft.rng.random() < _LEFT_OUT:
            continue
        tied = key in TIES and draft.rng.random() >= _UNTIED
        if space.kind != "array" or tied:
            drawn[name] = TIES[key](draft) if tied else space.draw(draft.rng)
    return {name: value for name, value in drawn.items() if value is not None}


def draw(seed: str) -> dict[str, Any]:
    """A design as its TOML would be: a function of the seed."""
    draft = Draft(random.Random(seed))
    draft.family = draft.weighted(_FAMILIES)
    rings = _rings(draft)
    data = _table(draft, "") | {"rings": rings}
    data[draft.family] = _table(draft, draft.family)
    if draft.family in ("pipeline", "iterative") and draft.rng.random() < 0.2:
        data["shell"] = _table(draft, "shell")
    elif draft.rng.random() < 0.02:  # where it does not belong
        other = draft.rng.choice([name for name in MODELS if name not in ("", "rings")])
        data[other] = _table(draft, other)
    return data


def toml(data: Mapping[str, Any]) -> str:
    """A drawn design as a file, so that what it shows can be seen again."""

    def value(of: Any) -> str:
        if isinstance(of, bool):
            return str(of).lower()
        if isinstance(of, list):
            return f"[{', '.join(map(value, of))}]"
        if isinstance(of, dict):
            return f"{{ {', '.join(f'{k} = {value(v)}' for k, v in of.items())} }}"
        if isinstance(of, str):
            escaped = of.replace("\\", "\\\\").replace('"', '\\"')
            return '"' + re.sub(r"[\x00-\x1f]", lambda c: f"\\u{ord(c[0]):04x}", escaped) + '"'
        return str(of)

    own = [f"{key} = {value(of)}" for key, of in data.items() if not isinstance(of, dict)]
    for name, table in data.items():
        if isinstance(table, dict):
            own += [f"[{name}]", *(f"{key} = {value(of)}" for key, of in table.items())]
    return "\n".join([*own, ""])


# ---------------------------------------------------------------------------------------------
# What must hold


def names_a_key(error: NttforgeError) -> bool:
    """Whether a refusal is one line of bounded length that names a key of designs."""
    text = str(error)
    words = {*re.findall(r"\w+", error.field), *re.findall(r"\[(\w+)\]", text)}
    return "\n" not in text and len(text) <= 300 and bool(words & _NAMES)


def figures_hold(prepared: Prepared[StreamCore], transforms: int = 24) -> MeasureResult:
    """Derived latencies, intervals and idle cycles are observed; a shell's results are right."""
    core = prepared.core
    # Each that may be under way finds the core empty once.
    figures = measure(prepared, transforms=transforms * core.facts.get("contexts", 1))
    for operation in core.operations:
        observed = figures.operations[operation.name].latency_cycles
        assert observed == operation.latency, f"latency {observed}, not {operation.latency}"
    if "contexts" not in core.facts:
        _pipeline_figures(core, figures)
    else:
        _iterative_figures(prepared, figures)
    if figures.shell is not None:
        assert all(job.ok for job in figures.shell.jobs), "wrong through the shell"
    return figures


def _iterative_figures(prepared: Prepared[StreamCore], figures: MeasureResult) -> None:
    """Operations end when they are derived to; the first one finds the core empty."""
    core = prepared.core
    (file,) = prepared.folder.glob("*.toml")
    engine = elaborate(load_design(str(file)))
    for operation in core.operations:
        observed, code = figures.operations[operation.name], operation.code
        ends = completions(engine.programs[code], engine.waits[code], engine.contexts)
        times = [time for time, _ in islice(ends, observed.transforms)]
        derived = round((times[-1] - times[0]) / (len(times) - 1), 3)
        interval = observed.cycles_per_transform
        assert interval == derived, f"{operation.name} every {interval} cycles, not {derived}"
        # Of the steady state this is a window, which begins with an empty core.
        slack = 0 if engine.contexts == 1 else 1 + 0.05 * interval
        assert abs(core.facts["intervals"][code] - interval) <= slack


def throughput_holds(design: Design, core: StreamCore, figures: MeasureResult) -> None:
    """A throughput that was asked for is observed, and half the butterflies would not reach it."""
    asked, lines = design.table(StreamConfig).interval, core.stream.lanes // 2
    if asked is None:
        return
    # The first of several that are under way find the core empty.
    most = asked if core.facts.get("contexts", 1) == 1 else 1.05 * asked
    assert figures.cycles_per_transform <= most, (figures.cycles_per_transform, asked)
    if lines > 1:
        keys = design.model_dump(exclude_unset=True, exclude_none=True)
        del keys[design.family]["interval"]
        keys[design.family]["butterflies"] = lines // 2
        slower = max(build(parse_design(keys, "half")).facts["intervals"])
        assert slower > asked, f"{lines // 2} butterflies would do for {asked}"


def _pipeline_figures(core: StreamCore, figures: Any) -> None:
    by_name = {operation.name: operation for operation in core.operations}
    for name in by_name:
        assert figures.operations[name].cycles_longest == core.stream.beats, name
    for turn in figures.turnarounds:
        before, after = by_name[turn.before], by_name[turn.after]
        derived = core.turnaround(before, after)
        shown = derived + after.latency - before.latency
        assert turn.output_idle_cycles == shown, f"{turn}, not {shown} at the output"
        # The spare entry of the input's slice hides one of them from the source.
        assert derived - 1 <= turn.input_idle_cycles <= derived, f"{turn}, not {derived}"


def sizes_of(core: DecomposedCore, seed: int) -> list[int]:
    """Sizes to try an engine with: the ends of each number of rounds, and some between them."""
    beats = _LARGEST_BITS - max(6, (core.store_bits - 1).bit_length())
    most = min(core.largest, max(core.least, beats + core.shape.t))
    fits = core.shape.fits
    ends = {core.least, fits, fits + 1, most}
    between = random.Random(seed).choices(range(core.least, most + 1), k=3)
    return sorted(size for size in ends.union(between) if core.least <= size <= most)


def of_family(family: Family) -> Callable[[Mapping[str, Any]], bool]:
    """Whether a drawn design is of a family."""

    def wanted(data: Mapping[str, Any]) -> bool:
        return bool(data["family"] == family)

    wanted.__name__ = family
    return wanted


def check(design: Design, seed: int = 0) -> int:
    """Whether a design drives all its bits, computes right and as fast as derived; transforms that
    were compared.

    Raises
    ------
    NttforgeError
        If the tool refuses it.
    AssertionError
        If it does not hold.
    """
    prepared: Any = prepare_any(design)
    core = prepared.core
    with TemporaryDirectory() as scratch:
        open_bits = undriven(design_files(prepared.folder), core.name, Path(scratch))
    assert not open_bits, open_bits
    result: Any
    if isinstance(core, LatticeCore):
        opened = open_core(prepared)
        for standard in core.standards:
            how: dict[str, Any] = {"cases": 2, "seed": seed, "sets": standard.sets[:1]}
            result = verify_standard(cases_of(standard), opened, core.name, **how)
            assert result.ok, result
    elif isinstance(core, DecomposedCore):
        result = verify_decomposed(prepared, seed=seed, sizes=sizes_of(core, seed))
    else:
        result = backend_of(core).verify(prepared, VerifyOptions(count=63, seed=seed), silent)
    assert result.ok, result
    if isinstance(core, StreamCore):
        throughput_holds(design, core, figures_hold(prepared))
    whole = isinstance(core, LatticeCore)
    return int(result.comparisons if whole else result.transforms)


#: Where outcomes are left, a file for each seed.
OUTCOMES = Path(__file__).parents[1] / "build" / "drawn"


class Outcome(BaseModel):
    """What became of a seed: the designs that were refused, and the one that was checked.

    Attributes
    ----------
    data
        Of the checked design; None as long as there is none.
    """

    data: dict[str, Any] | None
    refused: int
    transforms: int

    def leave(self, name: str) -> "Outcome":
        """Write it down for the record."""
        OUTCOMES.mkdir(parents=True, exist_ok=True)
        (OUTCOMES / f"{name}.json").write_text(self.model_dump_json(), "utf-8")
        return self


def small(data: Mapping[str, Any]) -> bool:
    """Whether a drawn design compiles and runs in seconds."""
    if "shell" in data or data["family"] not in ("pipeline", "iterative"):
        return False
    rings = data["rings"]
    bits = sum(int(str(ring.get("q", 1 << 64)), 0).bit_length() for ring in rings)
    lanes = data.get(data["family"], {}).get("butterflies", 1)
    return bits < 64 and rings[0].get("n", 256) <= 16 and lanes <= 4


def of_throughput(data: Mapping[str, Any]) -> bool:
    """Whether a small design asks for a throughput that takes several butterflies."""
    asked = data.get(data["family"], {}).get("interval")
    return small(data) and asked is not None and asked < data["rings"][0].get("n", 256)


def of_generator(data: Mapping[str, Any]) -> bool:
    """Whether a small design names the generator of a field."""
    return small(data) and any("generator" in ring for ring in data["rings"])


def checked(seed: int, wanted: Callable[[Mapping[str, Any]], bool] = lambda _: True) -> Outcome:
    """Draw until a design is wanted and not refused, check it, and leave the outcome.

    Raises
    ------
    AssertionError
        With the design, if it does not hold, or a refusal is not a line that names a key.
    """
    name, refused = f"{wanted.__name__.strip('<>')}-{seed}", 0
    Outcome(data=None, refused=0, transforms=0).leave(name)
    for data in filter(wanted, (draw(f"{seed}.{number}") for number in count())):
        try:
            transforms = check(parse_design(data, "drawn"), seed)
            return Outcome(data=data, refused=refused, transforms=transforms).leave(name)
        except NttforgeError as error:
            assert names_a_key(error), f"{error}\n{toml(data)}"
            refused += 1
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}\n{toml(data)}") from error
    raise AssertionError("there is always another")


def values(design: Design) -> Iterator[tuple[str, Any]]:
    """(key, value) of all keys that a design has: those of its family, defaults too."""
    dump = design.model_dump()
    for key in KEYS:
        table, _, name = key.rpartition(".")
        if table == "rings":
            for ring in dump["rings"]:
                yield key, ring[name]
        elif table in ("", design.family) or (table == "shell" and dump["shell"]):
            yield key, (dump[table] if table else dump)[name]


# ---------------------------------------------------------------------------------------------
# The record


def _kind(design: Design) -> str:
    if design.family == "lattice":
        standards = design.table(LatticeTable).standards
        return next(name for name, of in _STANDARDS.items() if of == standards)
    return design.family if design.shell is None else f"{design.family}, shell"


def record_of(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """What is kept of outcomes; `broken` are those that have no design which holds."""
    counts = {name: Counter[str]() for name in ("designs", "refused", "transforms")}
    met = {key: Met(space.words, size_of(key)) for key, space in KEYS.items()}
    broken = 0
    for outcome in outcomes:
        if outcome.data is None:
            broken += 1
            continue
        design = parse_design(outcome.data, "drawn")
        kind = _kind(design)
        counts["designs"][kind] += 1
        counts["refused"][kind] += outcome.refused
        counts["transforms"][kind] += outcome.transforms
        for key, value in values(design):
            met[key].values.add(value)
    return {
        "families": {
            kind: {name: count[kind] for name, count in counts.items()}
            for kind in sorted(counts["designs"])
        },
        "keys": {key: of.record() for key, of in met.items()},
        "broken": broken,
    }


def added(record: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """A record of the designs of both, and of the keys that either has met.

    Of values met it is the larger number, because a record does not name them.
    """
    families: dict[str, Counter[str]] = {}
    for name, counts in (*record["families"].items(), *more["families"].items()):
        families.setdefault(name, Counter()).update(counts)
    keys = dict(record["keys"])
    for key, met in more["keys"].items():
        if met["met"]:
            both = (keys.get(key, met), met)
            most = max(of["met"] for of in both)
            keys[key] = {**met, "met": most if met["size"] is None else min(most, met["size"])}
            for end, choose in (("least", min), ("most", max)):
                if ends := [of[end] for of in both if end in of]:
                    keys[key][end] = choose(ends, key=Decimal)
    return {
        "families": {name: dict(counts) for name, counts in families.items()},
        "keys": keys,
        "broken": record["broken"] + more["broken"],
    }


def shown(record: Mapping[str, Any]) -> str:
    """The record as tables."""
    if not record:
        return "Nothing is recorded yet."
    families: dict[str, dict[str, int]] = record["families"]
    counted = ("designs", "refused", "transforms")
    everything = {name: sum(of[name] for of in families.values()) for name in counted}
    rows = [
        (kind, *(f"{of[name]:,}" for name in counted))
        for kind, of in (*families.items(), ("**all**", everything))
    ]
    head = ("family", "designs drawn", "refused on the way", "transforms compared")
    wrong = f"\n\nBeside these, {record['broken']} did not hold." if record["broken"] else ""
    return f"{markdown(head, rows)}{wrong}\n\n{key_table(record['keys'])}"


def main() -> int:
    """Check the designs of some seeds, make the record, or print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("seeds", nargs="*", type=int, metavar="FIRST END")
    parser.add_argument("--family", choices=list(_FAMILIES), help="designs of this one alone")
    parser.add_argument("--record", action="store_true", help="of all outcomes in build/drawn")
    parser.add_argument("--add", action="store_true", help="those in build/drawn to the record")
    options = parser.parse_args()
    broken = 0
    for seed in range(*options.seeds) if options.seeds else ():
        start = time.process_time()
        try:
            one = checked(seed, of_family(options.family)) if options.family else checked(seed)
        except AssertionError as error:
            broken += 1
            print(f"seed {seed}: {error}", flush=True)
            continue
        assert one.data is not None
        print(
            f"seed {seed}: {one.data['family']}, {one.refused} refused, "
            f"{one.transforms} compared, {time.process_time() - start:.1f} s",
            file=sys.stderr,
            flush=True,
        )
    if options.record or options.add:
        texts = (path.read_text("utf-8") for path in sorted(OUTCOMES.glob("*.json")))
        made = record_of(map(Outcome.model_validate_json, texts))
        keep(RECORD, added(kept(RECORD), made) if options.add else made)
    elif not options.seeds:
        print(shown(kept(RECORD)))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
