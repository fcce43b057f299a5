# SPDX-License-Identifier: Apache-2.0
"""The registers of an ML-DSA coprocessor, and how a command can end."""

from nttforge.kinds.lattice.commands import Commands
from nttforge.kinds.lattice.mldsa.signing import OPERATIONS

#: Of the table; those of ML-KEM's are below 64.
VERSION = 64
#: How a command ended, in the order of the codes: `error_e`.
ERRORS = ("none", "command", "length", "fault", "zeroized", "signature", "key", "tries")

#: The verdict of Verify, a half by each rail, of a signature that is right.
ACCEPTED = bytes.fromhex("6e510d6091aef29f")

COMMANDS = Commands(
    version=VERSION,
    operations=tuple(OPERATIONS),
    sets=("44", "65", "87"),
    flags=(("entropy", "the entropy port gives xi, or rnd"),),
    errors=ERRORS,
    operation_bits=4,
    error_bits=4,
    refused="why there was no output, or that the signature is wrong",
)
REGISTERS = COMMANDS.registers()


def operation_code(operation: str) -> int:
    """The code of an operation."""
    return COMMANDS.operations.index(operation)
