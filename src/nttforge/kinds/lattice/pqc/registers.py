# SPDX-License-Identifier: Apache-2.0
"""The registers of a coprocessor of both standards, and what its core takes and says for them."""

from nttforge.kinds.lattice.commands import Commands
from nttforge.kinds.lattice.mldsa.registers import COMMANDS as DSA_COMMANDS
from nttforge.kinds.lattice.mldsa.registers import operation_code as dsa_code
from nttforge.kinds.lattice.mlkem.registers import COMMANDS as KEM_COMMANDS
from nttforge.kinds.lattice.mlkem.registers import operation_code as kem_code

#: Of the table; those of ML-KEM's are below 64, those of ML-DSA's below 128.
VERSION = 128
#: Of a command's and of a result's byte: it is ML-KEM's.
KEM = 1 << 7
#: In front of the names of a standard's operations.
KEM_PREFIX, DSA_PREFIX = "kem_", "dsa_"
# In a command's byte: sets that no standard has; ML-KEM's flag `seed`.
_NO_SET, _SEED_AT = 3 << 3, 2

COMMANDS = Commands.joined(
    {KEM_PREFIX: KEM_COMMANDS, DSA_PREFIX: DSA_COMMANDS}, VERSION, DSA_COMMANDS.refused
)
REGISTERS = COMMANDS.registers()


def kem_byte(operation: str) -> int:
    """An operation of ML-KEM in a command's byte."""
    code, seed = kem_code(operation)
    return KEM | code | seed << _SEED_AT


def dsa_byte(operation: str) -> int:
    """An operation of ML-DSA in a command's byte."""
    code = dsa_code(operation)
    return code % 8 | code // 8 << 5


def command_bytes() -> list[int]:
    """Of each operation code of the register; of one that does not exist, a set that none has."""
    known = [
        *map(kem_byte, KEM_COMMANDS.operations),
        *map(dsa_byte, DSA_COMMANDS.operations),
    ]
    return [*known, *[_NO_SET] * ((1 << COMMANDS.operation_bits) - len(known))]


def error_codes() -> dict[str, list[int]]:
    """By standard, of each of its errors the code in the register."""
    parts = {"Kem": KEM_COMMANDS, "Dsa": DSA_COMMANDS}
    return {name: [COMMANDS.errors.index(e) for e in each.errors] for name, each in parts.items()}


def reason_of(result: int) -> str:
    """How a command ended, from the byte that says it."""
    return KEM_COMMANDS.errors[result ^ KEM] if result & KEM else DSA_COMMANDS.errors[result]
