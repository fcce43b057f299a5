# SPDX-License-Identifier: Apache-2.0
"""C drivers of coprocessors with a queue of commands: their functions, from operations as data."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from nttforge.hw.drivers import Files, driver_files
from nttforge.kinds.lattice.commands import SET_SPACE
from nttforge.kinds.lattice.operation import Function, Operation, Standard, Value

_COLUMNS = 100  # of C


@dataclass(frozen=True)
class StandardDriver:
    """A standard's part of the driver of a coprocessor with commands.

    - `standard`, `name`: the standard, and the coprocessor's module.
    - `prefix`: of its functions, and of its operations in the command register.
    - `first`: the code of its first parameter set.
    - `checks`: signatures are verified before they leave.
    """

    standard: Standard
    name: str
    prefix: str = ""
    first: int = 0
    checks: bool = False

    @property
    def set(self) -> str:
        """In C, the number of a parameter set, from its code."""
        return f"set - {self.first}u" if self.first else "set"

    @cached_property
    def sizes(self) -> dict[str, Value]:
        """Values whose length depends on the set, by what C calls it."""
        values = (v for o in self.standard.operations.values() for v in (*o.inputs, *o.outputs))
        sets = self.standard.sets
        return {v.label or v.name: v for v in values if len({v.size(p) for p in sets}) > 1}

    @cached_property
    def functions(self) -> list[dict[str, Any]]:
        """Those of operations whose inputs are bytes as they are, as templates want them."""
        found: dict[str, dict[str, Any]] = {}
        for function in self.standard.functions.values():
            does = self.standard.operations[function.operation]
            if function.driver and not any(value.form for value in does.inputs):
                found.setdefault(function.driver[0], self._function(function, does))
        return list(found.values())

    @property
    def pieces(self) -> int:
        """Of a packet that goes in, at most."""
        mine: Iterator[int] = (function["pieces"] for function in self.functions)
        own = self.standard.own
        return max([own.checked_pieces if self.checks else own.pieces, *mine])

    @property
    def variables(self) -> dict[str, Any]:
        """Template variable `of`."""
        standard = self.standard
        return {
            "standard": standard.name,
            "published": standard.published,
            "driver": standard.own.template,
            "prefix": self.prefix,
            "first": self.first,
            "set": self.set,
            "labels": [*self.sizes],
            "sets": [
                {"name": name, **{label: v.size(p) for label, v in self.sizes.items()}}
                for name, p in zip(standard.commands.sets, standard.sets, strict=True)
            ],
            "seed_bytes": next((v.size(standard.sets[0]) for v in standard.seeds.values()), 0),
            "functions": self.functions,
            **standard.own.known,
        }

    def _bytes(self, value: Value, whole: int = 1, more: int = 0) -> str:
        """In C, so many times the length of a value, and some bytes more."""
        label = value.label or value.name
        if value.length is None:
            return f"(uint32_t){value.name}_bytes"
        if not whole or label not in self.sizes:
            return f"{whole * value.length(self.standard.sets[0]) + more}u"
        text = f"{self.prefix}size_of[{self.set}].{label}"
        return f"{text} {'-' if more < 0 else '+'} {abs(more)}u" if more else text

    def _pieces(self, value: Value) -> Iterator[tuple[str, str]]:
        """In C, places and lengths of a value's pieces, in the order of the stream."""
        for first, end in value.pieces:
            begins = int(first < 0), first
            ends = (1, 0) if end is None else (int(end < 0), end)
            at = f"{value.name} + {self._bytes(value, *begins)}" if first else value.name
            yield at, self._bytes(value, ends[0] - begins[0], ends[1] - begins[1])

    def _mask(self, flag: str) -> str:
        return f"{self.name}_COMMAND_{flag}_MASK".upper()

    def _function(self, function: Function, does: Operation) -> dict[str, Any]:
        """A function of the driver."""
        called, *takes = function.driver
        name = f"{self.prefix}{called}"
        parts = {part.name: part for value in does.inputs for part in value.parts}
        values = {value.name: value for value in does.inputs} | parts
        data = [values[each] for each in takes if each in values]
        # Seeds have one length; those that may come from the entropy port may be null.
        sized = [each for each in data if each.name not in self.standard.seeds]
        drawn = [each.name for each in data if each.drawn and each.name not in parts]
        arguments: list[tuple[str, str]] = []
        for each in takes:
            arguments += [(f"const uint8_t *{each}" if each in values else f"int {each}", each)]
            arguments += [(f"size_t {each}_bytes", f"{each}_bytes")] * (values.get(each) in sized)
        for value in does.outputs:
            arguments += [(f"uint8_t *{value.name}", value.name)]
            arguments += [(f"size_t {value.name}_bytes", f"{value.name}_bytes")]
        there = [f"{each.name} != 0" for each in (*data, *does.outputs) if each.name not in drawn]
        both = [f"({a} == 0) == ({b} == 0)" for a, b in pairwise(drawn)]
        fixed = [each for each in (*sized, *does.outputs) if each.length is not None]
        moves, pieces = self._moves(does, drawn)
        of_set = bool(does.inputs or does.outputs)
        known, flags = f"{self.prefix}known_set(set)", self._flags(function, drawn)
        code = self.standard.flagged.get(function.operation, (function.operation,))[0]
        front = [("uint32_t set", "set")] if of_set else []
        declared = [text for text, _ in front + arguments]
        return {
            "name": name,
            "about": self._about(function, does),
            "prepares": self._signature(f"prepare_{name}", "_request *request", declared),
            "does": self._signature(name, " *device", declared),
            "given": "".join(f", {given}" for _, given in front + arguments),
            "of_set": of_set,
            "known": known,
            "present": " && ".join([*there, *both]) or "1",
            "fits": " && ".join([known, *(f"{v.name}_bytes == {self._bytes(v)}" for v in fixed)]),
            "operation": f"{self.name}_COMMAND_OPERATION_{self.prefix}{code}".upper(),
            "flags": flags,
            "moves": moves,
            "pieces": pieces,
            "buffers": [(v.name, v.size(self.standard.sets[0])) for v in (*sized, *does.outputs)],
            "example": "".join(f", {text}" for text in self._example(takes, values, drawn, does)),
        }

    def _signature(self, name: str, first: str, arguments: Sequence[str]) -> str:
        """Of a function in C, over as many lines as it takes."""
        taken = ", ".join((f"{self.name}{first}", *arguments)).replace(" ", "~").replace(",~", ", ")
        text = f"int~{self.name}_{name}({taken})"
        lines = textwrap.wrap(text, _COLUMNS, subsequent_indent="    ")
        return "\n".join(lines).replace("~", " ")

    @staticmethod
    def _example(
        takes: Sequence[str], values: Mapping[str, Value], drawn: Sequence[str], does: Operation
    ) -> Iterator[str]:
        """Arguments of a call whose seeds come from the entropy port."""
        for each in (*takes, *(value.name for value in does.outputs)):
            if each in drawn:
                yield "0"
            elif each in takes and each not in values:
                yield "1"
            else:
                yield f"{each}, sizeof {each}"

    def _flags(self, function: Function, drawn: Sequence[str]) -> str:
        """Of the command."""
        entropy = self._mask("entropy")
        flags = [f"({drawn[0]} == 0 ? {entropy} : 0)"] if drawn else []
        # No operation waits for a word that is for the wiping alone.
        flags += [entropy] if self.standard.wipes and not drawn else []
        flags += [f"({each} != 0 ? {self._mask(each)} : 0)" for each in function.flags]
        flags += map(self._mask, self.standard.flagged.get(function.operation, ("",))[1:])
        return " | ".join(flags) or "0"

    def _moves(self, does: Operation, drawn: Sequence[str]) -> tuple[list[str], int]:
        """What goes in and comes out, piece by piece, and how many pieces a packet has at most."""
        secret, public = f"{self.name}_SECRET".upper(), f"{self.name}_PUBLIC".upper()
        moves, most, kept = [], [1], [value for value in does.inputs if value.secret]
        for value in (*kept, *(value for value in does.inputs if not value.secret)):
            port = secret if value.secret else public
            for part in value.parts or (value,):
                given = f"if ({part.name} != 0) " if part.name in drawn else ""
                pieces = [*self._pieces(part)]
                moves += [f"{given}give(request, {port}, {at}, {size});" for at, size in pieces]
                most.append(len(pieces))
            if not value.secret:
                moves.append(f"end_packet(request, {port});")
            elif value is kept[-1]:
                entire = all(each.name in drawn for each in kept)
                given = f"if ({drawn[0]} != 0) " if entire else ""
                moves.append(f"{given}end_packet(request, {port});")
        for value in does.outputs:
            port = secret if value.secret else public
            moves += [f"want(request, {port}, {at}, {size});" for at, size in self._pieces(value)]
        together = sum(len(part.pieces) for value in kept for part in value.parts or (value,))
        return moves, max(*most, together)

    def _about(self, function: Function, does: Operation) -> str:
        """A comment."""
        inputs, outputs = (
            ", ".join(value.name for value in values) for values in (does.inputs, does.outputs)
        )
        text = function.about or f"{function.driver[0]}: {outputs} from {inputs}."
        lines = textwrap.wrap(text.format(P=self.name.upper()), _COLUMNS - len(" * "))
        return "/* " + "\n * ".join(lines) + " */"


def command_files(
    name: str, variables: Mapping[str, object], *standards: Standard, checks: bool = False
) -> Files:
    """Registers of the coprocessor `name` of these standards, in SystemVerilog, and its driver."""
    alone = len(standards) == 1
    drivers = [
        StandardDriver(each, name, "" if alone else each.prefix, SET_SPACE * at, checks)
        for at, each in enumerate(standards)
    ]
    known = {
        **variables,
        "name": name,
        "standards": [each.variables for each in drivers],
        "answers": [end for each in standards for end in each.answered if end != "none"],
        "pieces": max(each.pieces for each in drivers),
        "checks": checks,
    }
    registers: Files = {f"{name}_registers.sv": ("registers.sv.j2", known)}
    return {**registers, **driver_files(name, "command", known)}
