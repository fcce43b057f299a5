# SPDX-License-Identifier: Apache-2.0
"""The registers of a coprocessor of both standards, and their encoding for its core."""

from nttforge.kinds.lattice.commands import Commands
from nttforge.kinds.lattice.mldsa.standard import STANDARD as ML_DSA
from nttforge.kinds.lattice.mlkem.standard import STANDARD as ML_KEM

#: Of the table; those of ML-KEM's are below 64, those of ML-DSA's below 128.
VERSION = 128
# In a command's byte: sets that no standard has.
_NO_SET = 3 << 3
_BOTH = (ML_KEM, ML_DSA)

COMMANDS = Commands.joined(
    {each.prefix: each.commands for each in _BOTH}, VERSION, ML_DSA.commands.refused
)
REGISTERS = COMMANDS.registers()


def command_bytes() -> list[int]:
    """Of each operation code of the register; of one that does not exist, a set that none has."""
    known = [each.byte(name) for each in _BOTH for name in each.commands.operations]
    return [*known, *[_NO_SET] * ((1 << COMMANDS.operation_bits) - len(known))]


def error_codes() -> dict[str, list[int]]:
    """By standard, of each of its errors the code in the register."""
    return {
        each.prefix.rstrip("_").capitalize(): [COMMANDS.errors.index(e) for e in each.errors]
        for each in _BOTH
    }
