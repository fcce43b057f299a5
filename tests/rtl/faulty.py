# SPDX-License-Identifier: Apache-2.0
"""Models whose registers can be upset: a bit flipped, or a value written, at any cycle."""

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nttforge.simulate.cycles import CycleModel

PUBLIC = '{how} -module "{module}" -var "{names}"'
#: Verilator takes into account that it is written, which makes models three times slower; or not,
#: and the model must settle afterwards.
WRITTEN, READ = "public_flat_rw", "public_flat_rd"


def settings(where: Path, modules: Mapping[str, str], how: str = WRITTEN) -> Path:
    """A file of Verilator's settings that opens registers: those of a module, by a pattern."""
    lines = [PUBLIC.format(how=how, module=m, names=names) for m, names in modules.items()]
    where.mkdir(parents=True, exist_ok=True)
    path = where / "open.vlt"
    # Of a memory that two blocks write Verilator says so, once it is public.
    head = ["`verilator_config", "lint_off -rule MULTIDRIVEN"]
    path.write_text("\n".join([*head, *lines, ""]), "utf-8")
    return path


def without_assertions(folder: Path) -> Path:
    """A source in front of all others that leaves assertions out, which a fault may well break."""
    path = folder / "synthesis.sv"
    path.write_text("`define SYNTHESIS\n", "utf-8")
    return path


@dataclass(frozen=True)
class Register:
    """A register of a model: where it is, and in how many bits."""

    name: str
    bits: int
    address: int

    def flip(self, bit: int) -> None:
        """Invert one of its bits, now."""
        place = (ctypes.c_uint8 * 1).from_address(self.address + bit // 8)
        place[0] ^= 1 << bit % 8

    def read(self) -> int:
        return int.from_bytes(ctypes.string_at(self.address, (self.bits + 7) // 8), "little")

    def write(self, value: int) -> None:
        size = (self.bits + 7) // 8
        ctypes.memmove(self.address, (value % (1 << self.bits)).to_bytes(size, "little"), size)


def registers(model: CycleModel) -> list[Register]:
    """All that were opened, by name; the wrapper's part of it left out."""
    found = sorted(model.registers().items())
    return [Register(name.split("u_dut.")[-1], *place) for name, place in found]


def bits(of: list[Register]) -> Iterator[tuple[Register, int]]:
    for register in of:
        yield from ((register, bit) for bit in range(register.bits))


def with_mutants(text: str, mutants: Sequence[Mapping[str, str]]) -> str:
    """A module with every mutant in it, and a port that chooses: 0 for none.

    A copy that has defects of `tests.mutation` already gets none besides.
    """
    if "NTTFORGE_MUTANTS" in text:
        mutants = ()
    for number, places in enumerate(mutants, start=1):
        for good, bad in places.items():
            assert text.count(good) == 1, good
            text = text.replace(good, f"((mutant_i == 3'd{number}) ? ({bad}) : ({good}))")
    return text.replace("input  logic ", "input logic [2:0] mutant_i,\n  input  logic ", 1)


def released(raw: bytes, cycles: int) -> bool:
    """Whether both rails say so in any cycle: the lowest two bits of a cycle's outputs."""
    return any(byte & 3 == 3 for byte in set(raw[:: len(raw) // cycles]))


def flips(
    model: CycleModel, cycles: Sequence[Mapping[str, int]]
) -> Iterator[tuple[str, int, int, bool]]:
    """Each flip of a bit at a cycle: register, bit, cycle, and whether both rails then say yes."""
    vectors = [model.vectors([cycle]) for cycle in cycles]
    places = list(bits(registers(model)))
    model.reset()
    for at, vector in enumerate(vectors):
        state = model.state()
        for register, bit in places:
            model.restore(state)
            register.flip(bit)
            raw = model.replay(b"".join(vectors[at:]))
            yield register.name, bit, at, released(raw, len(vectors) - at)
        model.restore(state)
        model.replay(vector)
