# SPDX-License-Identifier: Apache-2.0
"""Control flip-flops of which one flip can open something: `python -m tests.rails`.

The elaborated, flattened design is a graph of flip-flops. A flip of each *control* flip-flop is
followed, clock edge by clock edge, to the *openers*: what says that a secret is there, that it may
leave, or how an operation ended. A flip stops where both rails of a pair meet and only one of them
is wrong, and in a state with a code. docs/threat-model.md has the rules and their limits;
tests/rails.toml has the openers, and for every single point of failure that remains the reason why
it may.

Exit code 1: a single point has no line, or something in tests/rails.toml matches nothing.
"""

import argparse
import json
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from itertools import combinations
from pathlib import Path
from typing import Any

from nttforge.cache import cached, design_files, design_key
from nttforge.design import load_design
from nttforge.flow.prepare import prepare_any
from nttforge.rtl_library import library
from tests.tally import markdown
from tests.undriven import passes

RULES = Path(__file__).with_suffix(".toml")
NETLIST = "control.json"
READ = "read_slang --unroll-limit 1048576 -D SYNTHESIS"
# No pass that merges or removes flip-flops that anything reads.
PASSES = (
    *("flatten", "proc", "chformal -remove"),
    *("opt_expr", "opt_clean") * 2,
    f"write_json -compat-int {NETLIST}",
)

# Each bit of the output depends on that bit of the words, and on all of what chooses.
BITWISE = {"$and", "$or", "$xor", "$xnor", "$not", "$mux", "$pmux", "$bwmux", "$buf", "$pos"}
# Pins that choose, and those that are an index.
CHOICES = {"$mux": "S", "$pmux": "S", "$bwmux": "S"}
INDICES = {
    **dict.fromkeys(("$bmux", "$demux"), "S"),
    **dict.fromkeys(("$shl", "$shr", "$sshl", "$sshr", "$shift", "$shiftx"), "B"),
}
# What computes or compares numbers.
ARITHMETIC = {
    *("$add", "$sub", "$mul", "$div", "$mod", "$neg", "$alu", "$macc", "$macc_v2"),
    *("$lt", "$le", "$gt", "$ge", "$reduce_xor", "$reduce_xnor", "$xor", "$xnor"),
}
FLOPS = {"$dff", "$aldff", "$adff", "$sdff", "$dffe", "$adffe", "$sdffe", "$sdffce", "$aldffe"}
SILENT = {"$scopeinfo", "$meminit_v2", "$print", "$check"}
# What distinguishes the rails of a pair.
COMPARES = {"$eq", "$ne", "$xor", "$xnor", "$reduce_xor", "$reduce_xnor"}
# Clock edges from a difference between rails until units are wiped instead of running.
CAUGHT = 4
# Two words that are wider than this, if they are compared, are data.
NARROW = 8
# A rail, by its name: a generate block of two, the end of an instance's name, the third of three.
BLOCK = re.compile(r"(|.*\.)gen_(\w+)\[(\d+)\]\.(u_\w+)\.kept_q")
SUFFIX = re.compile(r"(|.*\.)(u_\w+)_([01])\.kept_q")
THIRD = re.compile(r"(|.*\.)u_third\.kept_q")
DISTANCE = 3  # of codes

Bit = int
Flips = int  # a set of control flip-flops, by bit


@dataclass(frozen=True)
class Register:
    """A word of flip-flops, or a memory.

    Attributes
    ----------
    name
        With its instances.
    state
        Its bits; one stands for all words of a memory.
    width
        Bits of a word.
    next
        What each bit's next value is made of: data, enables and synchronous resets.
    cleared
        Whether it has an asynchronous reset, which control has and data has not.
    """

    name: str
    state: tuple[Bit, ...]
    width: int
    next: tuple[tuple[Bit, ...], ...]
    cleared: bool


@dataclass(frozen=True)
class Node:
    """A function: each output bit depends on every input bit."""

    outputs: tuple[Bit, ...]
    inputs: tuple[Bit, ...]
    arithmetic: bool = False
    compares: bool = False


@dataclass
class Netlist:
    """An elaborated design.

    Attributes
    ----------
    registers, nodes
        Flip-flops and memories, and what is between them.
    choices, indices
        Bits that enable, choose or mask a word, and bits of addresses and indices.
    words, ports
        Bits by the name of a wire, a port or a register; those of outputs.
    """

    registers: list[Register] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    choices: set[Bit] = field(default_factory=set)
    indices: set[Bit] = field(default_factory=set)
    words: dict[str, tuple[Bit, ...]] = field(default_factory=dict)
    ports: set[Bit] = field(default_factory=set)


def _bits(word: Iterable[Bit | str]) -> tuple[Bit, ...]:
    """Without constants and repetitions."""
    return tuple(dict.fromkeys(bit for bit in word if isinstance(bit, int)))


def parse(module: Mapping[str, Any]) -> Netlist:
    """The netlist of a module in Yosys's JSON, as `PASSES` leave it."""
    netlist = Netlist()
    for name, net in module["netnames"].items():
        if not net["hide_name"]:
            netlist.words[name] = _bits(net["bits"])
    outputs = [port["bits"] for port in module["ports"].values() if port["direction"] == "output"]
    netlist.ports.update(bit for bits in outputs for bit in _bits(bits))
    cells = module["cells"]
    widths = {
        cell["parameters"]["MEMID"]: cell["parameters"]["WIDTH"]
        for cell in cells.values()
        if "MEMID" in cell["parameters"]
    }
    unused = 1 + max(bit for net in module["netnames"].values() for bit in _bits(net["bits"]))
    memories = {name: unused + number for number, name in enumerate(widths)}
    writes: dict[str, list[Bit]] = defaultdict(list)
    for label, cell in cells.items():
        kind, wires = cell["type"], cell["connections"]
        if kind in FLOPS:
            _add_register(netlist, label.removeprefix("$driver$"), wires)
        elif kind in ("$memrd_v2", "$memwr_v2"):
            memory = cell["parameters"]["MEMID"]
            address, data = _bits(wires["ADDR"]), _bits(wires["DATA"])
            netlist.indices.update(address)
            if kind == "$memrd_v2":
                assert not cell["parameters"]["CLK_ENABLE"]
                netlist.nodes.append(Node(data, (*address, memories[memory])))
            else:
                enable = _bits(wires["EN"])
                netlist.choices.update(enable)
                writes[memory] += [*address, *enable, *data]
        elif kind not in SILENT:
            _add_function(netlist, kind, wires)
    for memory, bit in memories.items():
        name = f"{memory.removeprefix(chr(92))} (memory)"
        after = (_bits(writes[memory]),)
        netlist.registers.append(Register(name, (bit,), widths[memory], after, cleared=False))
    netlist.words |= {register.name: register.state for register in netlist.registers}
    return netlist


def _add_register(netlist: Netlist, name: str, wires: Mapping[str, Sequence[Bit | str]]) -> None:
    common = _bits(bit for pin in ("EN", "SRST") for bit in wires.get(pin, ()))
    bits = [(q, d) for q, d in zip(wires["Q"], wires["D"], strict=True) if isinstance(q, int)]
    state = tuple(q for q, _ in bits if isinstance(q, int))
    after = tuple(_bits((d, *common)) for _, d in bits)
    cleared = "ALOAD" in wires or "ARST" in wires
    netlist.choices.update(common)
    netlist.registers.append(Register(name, state, len(state), after, cleared))


def _add_function(netlist: Netlist, kind: str, wires: Mapping[str, Sequence[Bit | str]]) -> None:
    outputs = wires["Y"]
    words = [word for pin, word in wires.items() if pin != "Y"]
    arithmetic = kind in ARITHMETIC or (
        # Two words of data, compared.
        kind in ("$eq", "$ne") and all(len(_bits(word)) > NARROW for word in words)
    )
    if kind in CHOICES:
        netlist.choices.update(_bits(wires[CHOICES[kind]]))
    elif kind in INDICES and any(map(_bits, words[:1])):  # not those of a table
        netlist.indices.update(_bits(wires[INDICES[kind]]))
    elif kind == "$and":  # a bit that masks a word
        netlist.choices.update(
            bit for word in words if len(word) > 1 and len(set(word)) == 1 for bit in _bits(word)
        )
    if kind not in BITWISE:
        inputs = _bits(bit for word in words for bit in word)
        netlist.nodes.append(Node(_bits(outputs), inputs, arithmetic, kind in COMPARES))
        return
    select = _bits(wires.get("S", ()))
    data = [word for pin, word in wires.items() if pin not in ("Y", "S")]
    for place, bit in enumerate(outputs):
        chosen = _bits(b for word in data for b in word[place :: len(outputs)])
        if isinstance(bit, int):
            node = Node((bit,), (*chosen, *select), arithmetic, kind in COMPARES)
            netlist.nodes.append(node)


# --------------------------------------------------------------------------------------------------
# What is declared.


@cache
def matcher(pattern: str) -> re.Pattern[str]:
    """A pattern of names: `*` is all but a dot, `**` anything, `{a,b}` one of these."""
    words = {"**": ".*", "*": "[^.]*"}
    return re.compile(
        "|".join(
            "".join(words.get(part) or re.escape(part) for part in re.split(r"(\*\*|\*)", name))
            for name in alternatives(pattern)
        )
    )


def alternatives(pattern: str) -> Iterator[str]:
    """The patterns without braces that a pattern stands for."""
    before, brace, after = pattern.partition("{")
    if brace:
        words, _, rest = after.partition("}")
        for word in words.split(","):
            yield from alternatives(before + word + rest)
    else:
        yield pattern


@dataclass
class Rules:
    """What is declared of a design; patterns (:func:`matcher`) are of names of words.

    Attributes
    ----------
    openers
        What opens: pattern to reason. The words of a pattern are one, for both rails of a pair.
    closers
        What ends an operation as a fault: pattern to reason. No flip is followed through it.
    data
        Registers and memories without a reset that choose, and hold data nevertheless: pattern to
        reason.
    codes
        Registers of which any two legal values differ in three bits: pattern to their enumeration,
        `module.type`.
    pairs
        Rails that their names do not tell: the patterns of either.
    stays
        Why single points of failure may stay: pattern to reason.
    known
        Single points that should not stay: pattern to what a flip can do.
    """

    openers: dict[str, str] = field(default_factory=dict)
    closers: dict[str, str] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    stays: dict[str, str] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)


def rules_of(coprocessor: str) -> Rules:
    """What tests/rails.toml declares of a coprocessor: its sections, each under its instance."""
    declared = tomllib.loads(RULES.read_text("utf-8"))
    rules = Rules()
    for section, prefix in declared["coprocessors"][coprocessor].items():
        part = declared[section]
        for entry in ("openers", "closers", "data", "codes"):
            getattr(rules, entry).update({prefix + k: v for k, v in part.get(entry, {}).items()})
        rules.pairs += [(prefix + one, prefix + other) for one, other in part.get("pairs", [])]
        for entry in ("stays", "known"):
            for group in part.get(entry, []):
                names = [name for pattern in group["registers"] for name in alternatives(pattern)]
                getattr(rules, entry).update({prefix + name: group["reason"] for name in names})
    near = {code for code in rules.codes.values() if distance(code) < DISTANCE}
    assert not near, f"values differ in fewer than {DISTANCE} bits: {near}"
    return rules


def distance(code: str) -> int:
    """The least number of bits that two values of an enumeration (`module.type`) differ in."""
    module, _, kind = code.partition(".")
    text = library()[module].read_text("utf-8")
    found = re.search(rf"typedef enum logic \[\d+:0\] \{{([^}}]*)\}} {kind};", text)
    assert found, f"no enumeration {code}"
    codes: list[str] = re.findall(r"= *\d+'b([01]+)", found[1])
    return min(sum(a != b for a, b in zip(*pair, strict=True)) for pair in combinations(codes, 2))


def rails_of(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[str, int]]:
    """The group of each register that is a rail, and which of its rails it is.

    A generate block of more than two has copies, and a rail without the other one is none.
    """
    rails: dict[str, tuple[str, int]] = {}
    for name in names:
        if found := BLOCK.fullmatch(name):
            rails[name] = f"{found[1]}{found[2]}.{found[4]}", int(found[3])
        elif found := SUFFIX.fullmatch(name):
            rails[name] = f"{found[1]}{found[2]}", int(found[3])
        elif found := THIRD.fullmatch(name):
            rails[name] = f"{found[1]}u_rails.u_rail", 2
        for pair in pairs:
            for side, pattern in enumerate(pair):
                if matcher(pattern).fullmatch(name):
                    rails[name] = pair[0], side
    sides: dict[str, set[int]] = defaultdict(set)
    for group, side in rails.values():
        sides[group].add(side)
    voted = {group for group in sides if group.endswith("u_rails.u_rail")}
    return {
        name: (group, side)
        for name, (group, side) in rails.items()
        if sides[group] == {0, 1} or (group in voted and sides[group] == {0, 1, 2})
    }


# --------------------------------------------------------------------------------------------------
# How flips spread.


@dataclass(frozen=True)
class Seen:
    """The flips that may be seen at a wire.

    Attributes
    ----------
    plain
        Of these any.
    rails
        By group, and by each of its rails that the wire follows: those that are seen only if the
        other rail is not looked at.
    """

    plain: Flips
    rails: Mapping[str, Mapping[int, Flips]]

    def every(self) -> Flips:
        """For what looks at this wire alone."""
        flips = self.plain
        for sides in self.rails.values():
            for side in sides.values():
                flips |= side
        return flips


NONE = Seen(0, {})


def meet(wires: Iterable[Seen]) -> Seen:
    """A function of wires: where rails of a group meet, only what moves two of them goes on."""
    plain = 0
    rails: dict[str, dict[int, Flips]] = {}
    for wire in wires:
        plain |= wire.plain
        for group, sides in wire.rails.items():
            known = rails.setdefault(group, {})
            for side, flips in sides.items():
                known[side] = known.get(side, 0) | flips
    for group in [group for group, sides in rails.items() if len(sides) > 1]:
        for one, other in combinations(rails.pop(group).values(), 2):
            plain |= one & other
    return Seen(plain, rails)


@dataclass(frozen=True)
class Findings:
    """What a flip of each control flip-flop reaches.

    Attributes
    ----------
    flops
        Flip-flops of the design.
    names
        The register of each control flip-flop.
    kept
        Registers that are a rail or a code.
    compared
        Rails of pairs that something compares.
    ports
        The openers that are ports.
    opened
        The openers that a flip of it reaches, each with the clock edges until then; 1 is the
        opener itself.
    """

    flops: int
    names: Mapping[Bit, str]
    kept: frozenset[str]
    compared: frozenset[str]
    ports: frozenset[str]
    opened: Mapping[Bit, Mapping[str, int]]

    def opens(self, bit: Bit) -> dict[str, int]:
        """The openers that are open after a flip.

        A rail that is compared is seen to be wrong even if it steers something alone: what has not
        left by then is wiped.
        """
        opened = self.opened[bit]
        if self.names[bit] not in self.compared:
            return dict(opened)
        return {name: at for name, at in opened.items() if name in self.ports and at <= CAUGHT}

    def points(self) -> dict[str, dict[str, int]]:
        """The registers that are single points of failure: as `opens`, by name."""
        found: dict[str, dict[str, int]] = {}
        for bit, name in self.names.items():
            for opener, edges in self.opens(bit).items():
                nearest = found.setdefault(name, {})
                nearest[opener] = min(edges, nearest.get(opener, edges))
        return dict(sorted(found.items()))

    def kind(self, bit: Bit) -> str:
        """What a control flip-flop is."""
        if self.opens(bit):
            return "single point"
        return "doubled" if self.names[bit] in self.kept else "reaches no opener"


class Graph:
    """The control of a design, and how flips of it spread.

    Parameters
    ----------
    netlist
        As :func:`parse` makes it.
    rules
        What is declared of it.
    """

    def __init__(self, netlist: Netlist, rules: Rules) -> None:
        self._netlist = netlist
        registers = netlist.registers
        self._register = {bit: register for register in registers for bit in register.state}
        self._next = {
            bit: after
            for register in registers
            for bit, after in zip(register.state, register.next, strict=True)
        }
        self._driver = {bit: node for node in netlist.nodes for bit in node.outputs}
        self._ports = netlist.ports
        self._openers = {pattern: self._matching(pattern) for pattern in rules.openers}
        self._closed = {bit for pattern in rules.closers for bit in self._matching(pattern)}
        names = [register.name for register in registers]
        self._rails = rails_of(names, rules.pairs)
        coded = [matcher(pattern) for pattern in rules.codes]
        self._coded = {name for name in names if any(code.fullmatch(name) for code in coded)}
        data = [matcher(pattern) for pattern in rules.data]
        self._data = {name for name in names if any(word.fullmatch(name) for word in data)}
        self.control = self._control()

    def _matching(self, pattern: str) -> list[Bit]:
        words = self._netlist.words
        fits = matcher(pattern).fullmatch
        return [bit for name, word in words.items() if fits(name) for bit in word]

    def _deciding(self, bits: Iterable[Bit]) -> set[Bit]:
        """The flip-flops that decide these bits, through functions alone.

        What has no reset is data if a number is made of it on the way.
        """
        found: set[Bit] = set()
        seen: set[tuple[Bit, bool]] = set()
        stack = [(bit, False) for bit in bits]
        while stack:
            bit, number = at = stack.pop()
            if at in seen:
                continue
            seen.add(at)
            if register := self._register.get(bit):
                if register.cleared or not (number or register.name in self._data):
                    found.add(bit)
            elif node := self._driver.get(bit):
                stack += [(needed, number or node.arithmetic) for needed in node.inputs]
        return found

    def _control(self) -> set[Bit]:
        opening = {bit for word in self._openers.values() for bit in word}
        fresh = opening & self._register.keys()
        fresh |= self._deciding(self._netlist.indices | self._netlist.choices | opening)
        control: set[Bit] = set()
        while fresh:
            control |= fresh
            fresh = self._deciding({bit for flop in fresh for bit in self._next[flop]}) - control
        return control

    def _levelled(self) -> list[Node]:
        """The functions that control and ports look at, each after those that it needs."""
        ends = [bit for flop in self.control for bit in self._next[flop]]
        ends += [bit for word in self._openers.values() for bit in word] + sorted(self._ports)
        order: list[Node] = []
        done: set[int] = set()
        stack = [(self._driver[bit], False) for bit in ends if bit in self._driver]
        while stack:
            node, entered = stack.pop()
            if entered:
                order.append(node)
            elif id(node) not in done:
                done.add(id(node))
                stack.append((node, True))
                stack += [(self._driver[i], False) for i in node.inputs if i in self._driver]
        return order

    def _shown(self, bit: Bit, flips: Flips) -> Seen:
        """The flips that are in a flip-flop, as others see it."""
        if bit in self._closed:
            return NONE
        rail = self._rails.get(self._register[bit].name)
        return Seen(0, {rail[0]: {rail[1]: flips}}) if rail else Seen(flips, {})

    def follow(self) -> Findings:
        """Follow all flips, a clock edge at a time, until they reach nothing more."""
        order = self._levelled()
        flops = sorted(bit for bit in self.control if not self._is_memory(bit))
        mark = {bit: 1 << number for number, bit in enumerate(flops)}
        inside: dict[Bit, Flips] = {}
        for bit in sorted(self.control):
            name = self._register[bit].name
            # What flips in a code is no code.
            detected = name in self._coded and name not in self._rails
            inside[bit] = 0 if detected else mark.get(bit, 0)
        opened: dict[Bit, dict[str, int]] = {bit: {} for bit in flops}
        reached = dict.fromkeys(self._openers, 0)
        at: dict[Bit, Seen] = {}
        compared: set[str] = set()
        edges, moves = 0, True
        while moves:
            edges += 1
            at.update({bit: self._shown(bit, flips) for bit, flips in inside.items()})
            for node in order:
                inputs = [at[bit] for bit in node.inputs if bit in at]
                seen = meet(inputs)
                if node.compares:
                    compared |= {g for i in inputs for g in i.rails if g not in seen.rails}
                for bit in node.outputs:
                    at[bit] = NONE if bit in self._closed else seen
            for pattern, word in self._openers.items():
                fresh = meet(at[bit] for bit in word if bit in at).every() & ~reached[pattern]
                reached[pattern] |= fresh
                for number in _members(fresh):
                    opened[flops[number]][pattern] = edges
            after = {
                bit: flips | meet(at[i] for i in self._next[bit] if i in at).every()
                for bit, flips in inside.items()
            }
            moves, inside = after != inside, after
        return Findings(
            flops=sum(not self._is_memory(bit) for bit in self._register),
            names={bit: self._register[bit].name for bit in flops},
            kept=frozenset(self._rails) | frozenset(self._coded),
            compared=frozenset(n for n, (group, _) in self._rails.items() if group in compared),
            ports=frozenset(p for p, word in self._openers.items() if self._ports.issuperset(word)),
            opened=opened,
        )

    def _is_memory(self, bit: Bit) -> bool:
        return self._register[bit].name.endswith(" (memory)")


def _members(flips: Flips) -> Iterator[int]:
    while flips:
        least = flips & -flips
        yield least.bit_length() - 1
        flips ^= least


# --------------------------------------------------------------------------------------------------
# Designs.


def elaborate(sources: Sequence[Path], top: str, scratch: Path) -> Netlist:
    """The netlist of a design, elaborated in `scratch`."""
    passes(scratch, f"{READ} --top {top} {' '.join(map(str, sources))}", *PASSES)
    return _load(scratch, top)


def _load(folder: Path, top: str) -> Netlist:
    return parse(json.loads((folder / NETLIST).read_text("utf-8"))["modules"][top])


def coprocessor_netlist(name: str) -> Netlist:
    """The netlist of an example's core; elaborated designs are kept by content."""
    chosen = tomllib.loads(RULES.read_text("utf-8"))["designs"].get(name, {})
    made = prepare_any(load_design(chosen.get("preset", name), chosen.get("keys", {})))
    top = made.core.name

    def make(scratch: Path) -> None:
        elaborate(design_files(made.folder), top, scratch)

    key = design_key(made.folder, READ, *PASSES, metadata.version("pyosys"))
    return _load(cached("control", key, make), top)


@dataclass(frozen=True)
class Report:
    """The single points of a design, held against what is declared.

    Attributes
    ----------
    findings
        What was found.
    known
        Single points that should not stay, and are declared as such.
    open
        Single points without a line.
    unused
        Patterns that match nothing: a reason whose register is no single point any more.
    """

    findings: Findings
    known: tuple[str, ...]
    open: tuple[str, ...]
    unused: tuple[str, ...]


def report(netlist: Netlist, rules: Rules) -> Report:
    """Follow the flips of a design, and hold what is found against what is declared."""
    findings = Graph(netlist, rules).follow()
    points = findings.points()
    listed = {
        pattern: {name for name in points if matcher(pattern).fullmatch(name)}
        for pattern in (*rules.stays, *rules.known)
    }
    named = [*rules.openers, *rules.closers, *rules.data, *rules.codes]
    unmatched = [
        name
        for pattern in named
        for name in alternatives(pattern)
        if not any(map(matcher(name).fullmatch, netlist.words))
    ]
    return Report(
        findings,
        tuple(sorted({name for pattern in rules.known for name in listed[pattern]})),
        tuple(sorted(set(points).difference(*listed.values()))),
        (*unmatched, *(pattern for pattern, names in listed.items() if not names)),
    )


def stale(reports: Mapping[str, Report]) -> list[str]:
    """The patterns of tests/rails.toml that match in none of the coprocessors they are for.

    Of a section whose coprocessors are not all here nothing is known.
    """
    declared = tomllib.loads(RULES.read_text("utf-8"))["coprocessors"]
    found = []
    for section in dict.fromkeys(part for parts in declared.values() for part in parts):
        prefixes = {name: parts[section] for name, parts in declared.items() if section in parts}
        if prefixes.keys() <= reports.keys():
            unused = [
                {p.removeprefix(prefix) for p in reports[name].unused if p.startswith(prefix)}
                for name, prefix in prefixes.items()
            ]
            mine = set(_patterns(section))
            found += [f"[{section}] {p}" for p in sorted(mine.intersection(*unused))]
    return found


def _patterns(section: str) -> Iterator[str]:
    part = tomllib.loads(RULES.read_text("utf-8"))[section]
    groups = [part.get(entry, {}) for entry in ("openers", "closers", "data", "codes")]
    groups += [group["registers"] for entry in ("stays", "known") for group in part.get(entry, [])]
    for group in groups:
        for pattern in group:
            yield from alternatives(pattern)


def table(reports: Mapping[str, Report]) -> str:
    """A row for each coprocessor, in flip-flops."""
    head = (
        *("coprocessor", "flip-flops", "control", "doubled", "reach no opener"),
        *("single points with a reason", "known and open", "without a line"),
    )
    rows = []
    for name, found in reports.items():
        findings = found.findings
        kinds = {bit: findings.kind(bit) for bit in findings.names}
        points = [findings.names[bit] for bit, kind in kinds.items() if kind == "single point"]
        known, bare = (sum(p in group for p in points) for group in (found.known, found.open))
        rest = [list(kinds.values()).count(kind) for kind in ("doubled", "reaches no opener")]
        figures = [findings.flops, len(kinds), *rest, len(points) - known - bare, known, bare]
        rows.append((f"`{name}`", *(f"{figure:,}" for figure in figures)))
    return markdown(head, rows)


def _registers(findings: Findings) -> Iterator[str]:
    """A line for each control register, by instance."""
    bits: dict[str, list[Bit]] = defaultdict(list)
    for bit, name in findings.names.items():
        bits[name].append(bit)
    points = findings.points()
    for name in sorted(bits):
        kinds = sorted({findings.kind(bit) for bit in bits[name]})
        near = min(points[name].items(), key=lambda item: item[1]) if name in points else None
        where = f"; {len(points[name])} openers, {near[0]} after {near[1]}" if near else ""
        yield f"{name}: {len(bits[name])} bits, {' and '.join(kinds)}{where}"


def main() -> int:
    """Run the command line."""
    names = list(tomllib.loads(RULES.read_text("utf-8"))["coprocessors"])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("coprocessor", nargs="*", default=names, help="default: all")
    parser.add_argument("--list", action="store_true", help="list every control register")
    args = parser.parse_args()
    reports = {name: report(coprocessor_netlist(name), rules_of(name)) for name in args.coprocessor}
    if args.list:
        for name, found in reports.items():
            print(f"# {name}", *_registers(found.findings), sep="\n")
    else:
        print(table(reports))
    bare = [(name, register) for name, found in reports.items() for register in found.open]
    unused = stale(reports)
    for name, register in bare:
        print(f"{name}: {register} is a single point of failure without a line", file=sys.stderr)
    for pattern in unused:
        print(f"{RULES.name}: {pattern} matches nothing", file=sys.stderr)
    return 1 if bare or unused else 0


if __name__ == "__main__":
    sys.exit(main())
