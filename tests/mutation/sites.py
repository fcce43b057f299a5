# SPDX-License-Identifier: Apache-2.0
"""Defects by rule: where a module's text can be changed, and into what.

A site is an expression that hardware evaluates: the right side of an assignment, a condition, what
is connected to an input. What elaboration evaluates (parameters, widths, ranges, loop limits,
functions that these call) is not one: a model has one elaboration and many defects. Every site is
rewritten as a choice between the defect and what stood there, and a number outside the design
makes the choice.
"""

import hashlib
import re
import shutil
import sys
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

from pyslang import SourceManager
from pyslang.syntax import SyntaxKind as K
from pyslang.syntax import SyntaxNode, SyntaxTree

from nttforge.rtl_library import rtl_root

#: The environment's variable that chooses, once for each model that is opened.
CHOSEN = "NTTFORGE_MUTANT"
PACKAGE = "mutants_pkg"
# In front of each spoiled file, whichever is compiled first.
_PACKAGE_TEXT = f"""\
`ifndef NTTFORGE_MUTANTS
`define NTTFORGE_MUTANTS
package {PACKAGE};
  int unsigned chosen =
      $c32("(std::getenv(\\"{CHOSEN}\\") ? std::atoi(std::getenv(\\"{CHOSEN}\\")) : 0)");
endpackage
`endif
"""
# What changed text may be suspect of without being wrong.
_LINT = (
    *("WIDTHEXPAND", "WIDTHTRUNC", "WIDTHCONCAT", "UNSIGNED", "CMPCONST", "ENUMVALUE", "SELRANGE"),
    *("UNOPTFLAT", "LATCH", "CASEINCOMPLETE", "CASEWITHX", "BLKSEQ", "SYNCASYNCNET", "MULTIDRIVEN"),
)
_HEADER = _PACKAGE_TEXT + "".join(f"/* verilator lint_off {code} */ " for code in _LINT) + "\n"

_SWAPS = {
    K.AddExpression: ("-",),
    K.SubtractExpression: ("+",),
    K.MultiplyExpression: ("+",),
    K.BinaryAndExpression: ("|",),
    K.BinaryOrExpression: ("&", "^"),
    K.BinaryXorExpression: ("|",),
    K.LogicalAndExpression: ("||",),
    K.LogicalOrExpression: ("&&",),
    K.EqualityExpression: ("!=",),
    K.InequalityExpression: ("==",),
    K.LessThanExpression: ("<=", ">="),
    K.LessThanEqualExpression: ("<", ">"),
    K.GreaterThanExpression: (">=", "<="),
    K.GreaterThanEqualExpression: (">", "<"),
    K.LogicalShiftLeftExpression: (">>",),
    K.LogicalShiftRightExpression: ("<<",),
    K.ArithmeticShiftRightExpression: (">>",),
}
# Operators of which either side alone is a dropped condition or term.
_DROPS = {
    *(K.BinaryAndExpression, K.BinaryOrExpression, K.BinaryXorExpression),
    *(K.LogicalAndExpression, K.LogicalOrExpression, K.AddExpression, K.SubtractExpression),
}
_NEGATIONS = {K.UnaryLogicalNotExpression, K.UnaryBitwiseNotExpression, K.UnaryMinusExpression}
_REDUCTIONS = {
    K.UnaryBitwiseAndExpression: "|",
    K.UnaryBitwiseOrExpression: "&",
    K.UnaryBitwiseXorExpression: "|",
}
# What synthesis does not see, watches and is no hardware.
_GUARDED = re.compile(rb"`ifndef SYNTHESIS\n.*?`endif", re.DOTALL)
_ASSIGNMENTS = {K.AssignmentExpression, K.NonblockingAssignmentExpression}
_ALWAYS = {K.AlwaysBlock, K.AlwaysFFBlock, K.AlwaysCombBlock}
# Not hardware, or not a plain value.
_SKIPPED = {
    *(K.ScopedName, K.StreamingConcatenationExpression, K.ElementSelect),
    *(K.ImmediateAssertStatement, K.AssertPropertyStatement, K.AttributeInstance),
    *(K.DataDeclaration, K.LocalVariableDeclaration, K.ParameterDeclarationStatement),
}


@dataclass(frozen=True)
class Mutant:
    """One defect.

    Attributes
    ----------
    file
        In the library, `room/module.sv`.
    line
        Of the site, from 1.
    operator
        By which rule.
    start, end
        Place in the file's bytes.
    good, bad
        What stands there, and the defect.
    which
        Of those of the file that have the same text, from 1.
    """

    file: str
    line: int
    operator: str
    start: int
    end: int
    good: str
    bad: str
    which: int = 1

    @property
    def key(self) -> str:
        """What it is known by as long as its text does not change."""
        which = f" ({self.which})" if self.which > 1 else ""
        return f"{self.file}: {' '.join(self.good.split())} -> {' '.join(self.bad.split())}{which}"


class _Source:
    """The text of a file and its sites."""

    def __init__(self, file: str, data: bytes, constant: frozenset[str]) -> None:
        self.file, self.data, self.constant = file, data, constant
        self.found: list[Mutant] = []
        text = _GUARDED.sub(lambda block: re.sub(rb"[^\n]", b" ", block[0]), data).decode("utf-8")
        self.walk(SyntaxTree.fromText(text, SourceManager()).root)

    def span(self, node: SyntaxNode) -> tuple[int, int]:
        return node.sourceRange.start.offset, node.sourceRange.end.offset

    def text(self, node: SyntaxNode) -> str:
        start, end = self.span(node)
        return self.data[start:end].decode("utf-8")

    def add(self, node: SyntaxNode, operator: str, bad: str) -> None:
        start, end = self.span(node)
        line = self.data.count(b"\n", 0, start) + 1
        self.found.append(Mutant(self.file, line, operator, start, end, self.text(node), bad))

    def walk(self, node: Any) -> None:
        """Module items, down to what is hardware."""
        match node.kind:
            case K.ContinuousAssign:
                for child in nodes(node):
                    self.statement(child)
            case kind if kind in _ALWAYS:
                self.statement(node)
            case K.FunctionDeclaration:
                if node.prototype.name.getLastToken().valueText not in self.constant:
                    self.function(node)
            case K.HierarchicalInstance:
                for port in nodes(node):
                    if port.kind is K.NamedPortConnection and port.name.valueText.endswith("_i"):
                        for inside in nodes(port):
                            self.value(leaf(inside))
            case _:
                for child in nodes(node):
                    self.walk(child)

    def function(self, node: SyntaxNode) -> None:
        for child in nodes(node):
            if child.kind is not K.FunctionPrototype:
                self.statement(child)

    def statement(self, node: Any) -> None:
        """Statements: right sides and conditions."""
        kind = node.kind
        if kind in _SKIPPED:
            return
        if kind in _ASSIGNMENTS:
            if not text_of(node.left).startswith("unused"):  # those are for lint alone
                self.value(node.right)
                self.stuck(node.right)
        elif kind is K.ConditionalStatement:
            condition = node.predicate
            self.add(condition, "negated condition", f"!({self.text(condition)})")
            self.add(condition, "dropped condition", "1'b1")
            self.value(leaf(condition))
            self.statement(node.statement)
            if node.elseClause is not None:
                self.statement(node.elseClause)
        elif kind is K.CaseStatement:
            self.value(node.expr)
            for item in node.items:
                self.statement(item.clause)
        elif kind in (K.ForLoopStatement, K.TimingControlStatement):
            self.statement(node.statement)
        elif kind is K.ReturnStatement:
            for child in nodes(node):
                self.value(child)
        else:
            for child in nodes(node):
                self.statement(child)

    def stuck(self, node: SyntaxNode) -> None:
        """The whole of a value stuck; in its own type, so that what is right stays right."""
        if node.kind in (K.UnbasedUnsizedLiteralExpression, K.IntegerVectorExpression):
            return
        if node.kind in (K.AssignmentPatternExpression, K.ConditionalExpression):
            return
        text = self.text(node)
        self.add(node, "stuck at 0", f"({text}) ^ ({text})")
        self.add(node, "stuck at 1", f"~(({text}) ^ ({text}))")
        self.add(node, "stuck bit", f"({text}) & ~(1'sd1)")

    def value(self, node: Any) -> None:
        """An expression and what is in it."""
        kind, text = node.kind, self.text
        if kind in _SWAPS:
            left, right = text(node.left), text(node.right)
            for operator in _SWAPS[kind]:
                was = text_of(node.operatorToken)
                self.add(node, f"{was} to {operator}", f"{left} {operator} {right}")
        if kind in _DROPS:
            self.add(node, "dropped term", text(node.left))
            self.add(node, "dropped term", text(node.right))
        if kind in _NEGATIONS:
            self.add(node, "dropped negation", text(node.operand))
        if kind in _REDUCTIONS:
            self.add(node, "other reduction", f"{_REDUCTIONS[kind]}({text(node.operand)})")
        if kind is K.ConditionalExpression:
            self.add(
                node,
                "other branch",
                f"({text(node.predicate)}) ? {text(node.right)} : {text(node.left)}",
            )
            self.add(node, "one branch", text(node.left))
            self.add(node, "one branch", text(node.right))
        for bad in literals(kind, text(node)):
            self.add(node, "constant by one", bad)
        self.inside(node)

    def inside(self, node: SyntaxNode) -> None:
        """The parts of an expression that are values of hardware."""
        for part in _parts(node):
            self.value(part)


def _parts(node: Any) -> Iterator[SyntaxNode]:
    kind = node.kind
    if kind in _SKIPPED:
        return
    if kind is K.CastExpression:
        yield leaf(node.right)
    elif kind is K.MultipleConcatenationExpression:
        yield from nodes(node.concatenation)
    elif kind is K.InvocationExpression:
        if not text_of(node.left).startswith("$") or text_of(node.left) in _SIGNS:
            yield from map(leaf, nodes(node.arguments))
    elif kind in (K.IdentifierSelectName, K.ElementSelectExpression):
        yield from _indices(node)
    elif kind is K.StructuredAssignmentPattern:
        yield from (item.expr for item in nodes(node) if item.kind is K.AssignmentPatternItem)
    elif kind is K.InsideExpression:
        yield node.expr
    else:
        yield from nodes(node)


def _indices(node: Any) -> Iterator[SyntaxNode]:
    """What is evaluated in selections; the width of a range is not."""
    for select in (part for part in nodes(node) if part.kind is K.ElementSelect):
        for child in nodes(select):
            if child.kind is K.BitSelect:
                yield leaf(child)
            elif child.kind is K.AscendingRangeSelect:
                yield child.left


_SIGNS = ("$signed", "$unsigned")


def nodes(node: Any) -> Iterator[Any]:
    """The children that are no tokens."""
    return (child for child in node if isinstance(child, SyntaxNode))


def leaf(node: SyntaxNode) -> Any:
    """What is wrapped in nodes of one child that have the same text."""
    inner = list(nodes(node))
    same = len(inner) == 1 and str(inner[0]).strip() == str(node).strip()
    return leaf(inner[0]) if same else node


def text_of(node: object) -> str:
    """Text without blanks around it."""
    return str(node).strip()


def literals(kind: K, text: str) -> Iterator[str]:
    """A literal's neighbours; of '0 and '1 the other one."""
    if kind is K.UnbasedUnsizedLiteralExpression and text in ("'0", "'1"):
        yield "'1" if text == "'0" else "'0"
    elif kind is K.IntegerLiteralExpression and text.isdigit():
        yield str(int(text) + 1)
        if int(text) > 1:
            yield str(int(text) - 1)
    elif kind is K.IntegerVectorExpression:
        sized = re.fullmatch(r"(\d+)'(s?)([dhb])([0-9a-fA-F_]+)", text)
        if sized:
            width, sign, base, digits = sized.groups()
            value = int(digits.replace("_", ""), {"d": 10, "h": 16, "b": 2}[base])
            for other in dict.fromkeys(((value + 1) % (1 << int(width)), value - 1)):
                if 0 <= other != value:
                    yield f"{width}'{sign}d{other}"


def constant_functions(texts: Iterable[str]) -> frozenset[str]:
    """Names of functions that elaboration calls, itself or through another such one."""
    bodies: dict[str, set[str]] = {}
    called: set[str] = set()
    for whole in texts:
        text = re.sub(r"//.*", "", whole)
        for name, body in re.findall(
            r"function automatic [^;]*?(\w+)\s*\(.*?\);(.*?)endfunction", text, re.DOTALL
        ):
            bodies.setdefault(name, set()).update(re.findall(r"\w+", body))
        outside = re.sub(r"function automatic.*?endfunction", "", text, flags=re.DOTALL)
        for part in re.findall(r"\bparam\b.*?[;)]|\b(?:localparam|parameter)\b[^;]*", outside):
            called |= set(re.findall(r"\w+", part))
        # Generate conditions, parameters of instances, ranges.
        conditions = r"^ *(?:end else )?if \(.*begin *:"
        for part in re.findall(conditions + r"|\.\w+ *\([^;]*?\)", outside, re.MULTILINE):
            if not re.match(r"\.\w+_[io]\b", part):
                called |= set(re.findall(r"\w+", part))
        for part in re.findall(r"\[[^\]]*:[^\]]*\]", outside):
            called |= set(re.findall(r"\w+", part))
    found = called & set(bodies)
    while more := {n for f in found for n in bodies[f] & set(bodies)} - found:
        found |= more
    return frozenset(found)


def mutants_of(file: str, data: bytes, constant: frozenset[str]) -> list[Mutant]:
    """All defects of a file by all rules."""
    unique: dict[tuple[int, int, str], Mutant] = {}
    for mutant in _Source(file, data, constant).found:
        if mutant.good != mutant.bad:
            unique.setdefault((mutant.start, mutant.end, mutant.bad), mutant)
    alike: Counter[str] = Counter()
    numbered = []
    for place in sorted(unique):
        mutant = unique[place]
        alike[mutant.key] += 1
        numbered.append(replace(mutant, which=alike[mutant.key]))
    return numbered


@cache
def keys_of(file: str) -> frozenset[str]:
    """What the defects of a file of the library are known by; none if it is not there."""
    root = rtl_root()
    path = root / file
    return frozenset(
        m.key for m in (mutants_of(file, path.read_bytes(), _functions()) if path.is_file() else ())
    )


@cache
def _functions() -> frozenset[str]:
    return constant_functions(path.read_text("utf-8") for path in rtl_root().rglob("*.sv"))


def in_turn(mutants: Iterable[Mutant]) -> list[Mutant]:
    """One of each rule, then another one; which ones depends on their text alone."""
    by_rule: dict[str, list[Mutant]] = {}
    for mutant in sorted(mutants, key=lambda m: hashlib.sha256(m.key.encode()).digest()):
        by_rule.setdefault(mutant.operator, []).append(mutant)
    rounds = zip_longest(*(by_rule[name] for name in sorted(by_rule)))
    return [mutant for turn in rounds for mutant in turn if mutant]


def sample(mutants: list[Mutant], count: int) -> list[Mutant]:
    """The first so many of them in turn, by their place."""
    return sorted(in_turn(mutants)[:count], key=lambda m: (m.start, m.end, m.bad))


def spoiled(data: bytes, mutants: Mapping[int, Mutant]) -> str:
    """A file with the defects beside what they replace, by number."""
    at: dict[tuple[int, int], list[tuple[int, Mutant]]] = {}
    for number, mutant in mutants.items():
        at.setdefault((mutant.start, mutant.end), []).append((number, mutant))

    def render(start: int, end: int, places: list[tuple[int, int]]) -> str:
        """The text of a range with all sites inside it; `places` are outer first."""
        parts, position = [], start
        while places:
            outer = places[0]
            inner = [p for p in places[1:] if p[1] <= outer[1]]
            places = [p for p in places[1:] if p[1] > outer[1]]
            parts.append(data[position : outer[0]].decode("utf-8"))
            text = f"({render(*outer, inner)})"
            for number, mutant in at[outer]:
                text = f"(({PACKAGE}::chosen == 32'd{number}) ? ({mutant.bad}) : {text})"
            parts.append(text)
            position = outer[1]
        return "".join([*parts, data[position:end].decode("utf-8")])

    order = sorted(at, key=lambda place: (place[0], -place[1]))
    return _HEADER + render(0, len(data), order) if order else data.decode("utf-8")


def blamed(complaint: str, library: Path) -> set[int]:
    """Numbers of the defects on the line of a spoiled file that a compiler complains of."""
    for name, line in re.findall(r"(\w+\.sv):(\d+)", complaint):
        for path in library.rglob(name):
            text = path.read_text("utf-8").splitlines()[int(line) - 1]
            if numbers := re.findall(rf"{PACKAGE}::chosen == 32'd(\d+)", text):
                return set(map(int, numbers))
    return set()


@dataclass(frozen=True)
class Library:
    """The RTL library with defects.

    Attributes
    ----------
    mutants
        By number, from 1.
    """

    mutants: Mapping[int, Mutant]

    @classmethod
    def sampled(
        cls, root: Path, rooms: Iterable[str], count: int, modules: Sequence[str] = ()
    ) -> "Library":
        """So many defects of each module of these rooms, or of those that are named."""
        constant = constant_functions(path.read_text("utf-8") for path in root.rglob("*.sv"))
        found: list[Mutant] = []
        for room in rooms:
            for path in sorted((root / room).glob("*.sv")):
                if modules and path.stem not in modules:
                    continue
                file = str(path.relative_to(root))
                found += sample(mutants_of(file, path.read_bytes(), constant), count)
        return cls(dict(enumerate(found, start=1)))

    @classmethod
    def known(cls, root: Path, room: str, keys: Container[str]) -> "Library":
        """The defects of a room that have these keys."""
        every = cls.sampled(root, [room], sys.maxsize).mutants
        return cls({n: mutant for n, mutant in every.items() if mutant.key in keys})

    def without(self, refused: Iterable[int]) -> "Library":
        """The same but for some defects; numbers stay."""
        gone = set(refused)
        return Library({n: mutant for n, mutant in self.mutants.items() if n not in gone})

    def in_turn(self) -> list[tuple[int, Mutant]]:
        """One of each module, then another one."""
        of: dict[str, dict[Mutant, int]] = {}
        for number, mutant in self.mutants.items():
            of.setdefault(mutant.file, {})[mutant] = number
        rounds = zip_longest(*([(each[m], m) for m in in_turn(each)] for each in of.values()))
        return [one for turn in rounds for one in turn if one]

    def write(self, root: Path, target: Path) -> None:
        """Write all of the library, spoiled where there are defects."""
        by_file: dict[str, dict[int, Mutant]] = {}
        for number, mutant in self.mutants.items():
            by_file.setdefault(mutant.file, {})[number] = mutant
        for path in filter(Path.is_file, sorted(root.rglob("*"))):
            file = str(path.relative_to(root))
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".sv":
                text = spoiled(path.read_bytes(), by_file.get(file, {}))
                (target / file).write_text(text, "utf-8")
            else:
                shutil.copy(path, target / file)
