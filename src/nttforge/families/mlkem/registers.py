# SPDX-License-Identifier: Apache-2.0
"""The coprocessor's registers, described once.

From this table come the decoder in SystemVerilog, the C header, SystemRDL and the page's table.
"""

from nttforge.families.commands import ADDRESS_BITS, QUEUE_DEPTH, Commands
from nttforge.families.mlkem import program
from nttforge.families.registers import Register

__all__ = ["ADDRESS_BITS", "QUEUE_DEPTH"]

#: Of the table; a driver for another one refuses the hardware.
VERSION = 2
# rho, H(ek) and z, with which a decapsulation key ends, are sent first, but to `decaps_standard`:
# Keccak needs them first.
TAIL_BYTES = 96

_REFUSALS = ("command", "public_length", "secret_length", "modulus", "hash")
ERRORS = ("none", *_REFUSALS, "fault", "zeroized")

COMMANDS = Commands(
    version=VERSION,
    operations=program.CODES,
    sets=("512", "768", "1024"),
    flags=(
        ("check", "Decaps: compare the hash of the key too"),
        ("entropy", "the entropy port gives seeds, but in Decaps, and a word for the wiping"),
    ),
    errors=ERRORS,
    operation_bits=2,
    error_bits=3,
    refused="why there was no output",
)
REGISTERS = COMMANDS.registers()


def address(name: str) -> int:
    """Byte address of a register."""
    return REGISTERS[name].address


def register(name: str) -> Register:
    """The register of that name."""
    return REGISTERS[name]
