# SPDX-License-Identifier: Apache-2.0
"""The coprocessor's registers, described once.

From this table come the decoder in SystemVerilog, the C header, SystemRDL and the page's table.
"""

from nttforge.hw.register_map import Register
from nttforge.kinds.lattice.commands import Commands
from nttforge.kinds.lattice.mlkem import program

#: Of the table; a driver for another one refuses the hardware.
VERSION = 3
# rho, H(ek) and z, with which a decapsulation key ends, are sent first, but to `decaps_standard`:
# Keccak needs them first.
TAIL_BYTES = 96

_REFUSALS = ("command", "public_length", "secret_length", "modulus", "hash")
ERRORS = ("none", *_REFUSALS, "fault", "zeroized")

#: Operations by their codes; `decaps_seed` is `decaps` with a flag.
_OPERATIONS = program.CODES[:4]
COMMANDS = Commands(
    version=VERSION,
    operations=_OPERATIONS,
    sets=("512", "768", "1024"),
    flags=(
        ("check", "Decaps: compare the hash of the key too"),
        ("entropy", "the entropy port gives seeds, but in Decaps, and a word for the wiping"),
        ("seed", "with `decaps`: `decaps_seed`, which takes d and z, and makes the key of them"),
    ),
    errors=ERRORS,
    operation_bits=2,
    error_bits=3,
    refused="why there was no output",
)
REGISTERS = COMMANDS.registers()


def operation_code(operation: str) -> tuple[int, int]:
    """The code of an operation, and the flag `seed` with it."""
    seed = operation == "decaps_seed"
    return _OPERATIONS.index("decaps" if seed else operation), int(seed)


def address(name: str) -> int:
    """Byte address of a register."""
    return REGISTERS[name].address


def register(name: str) -> Register:
    """The register of that name."""
    return REGISTERS[name]
