# SPDX-License-Identifier: Apache-2.0
"""Registers of coprocessors with a queue of commands, and of results: whatever the standard."""

from collections.abc import Sequence
from dataclasses import dataclass

from nttforge.families.registers import Bits, Register, RegisterMap

ADDRESS_BITS = 6
#: Commands that wait, and results that nobody has taken yet.
QUEUE_DEPTH = 4


@dataclass(frozen=True)
class Commands:
    """What the commands of a standard are made of.

    Attributes
    ----------
    version
        Of the table of registers; a driver for another one refuses the hardware.
    operations, sets, errors
        Names, in the order of their codes.
    flags
        Of a command, a bit each: name and meaning.
    operation_bits, error_bits
        Of their fields.
    refused
        What an error means.
    """

    version: int
    operations: Sequence[str]
    sets: Sequence[str]
    flags: Sequence[tuple[str, str]]
    errors: Sequence[str]
    operation_bits: int
    error_bits: int
    refused: str

    def registers(self) -> RegisterMap:
        """In the order of their addresses, a word each."""
        bits = self.operation_bits
        flags = [Bits(name, bits + 2 + at, 1, text) for at, (name, text) in enumerate(self.flags)]
        return RegisterMap.packed(
            (
                Register(
                    "identity",
                    "ro",
                    "Which coprocessor this is.",
                    (
                        Bits("version", 0, 8, "of this table"),
                        Bits("rounds", 8, 8, "of Keccak, a cycle"),
                        Bits("lanes", 16, 8, "coefficients a beat of the transform"),
                        Bits("depth", 24, 8, "commands that can wait"),
                    ),
                ),
                Register(
                    "command",
                    "wo",
                    "Queues an operation; refused if the queue is full.",
                    (
                        Bits("operation", 0, bits, "what to do", tuple(self.operations)),
                        Bits("set", bits, 2, "parameter set", tuple(self.sets)),
                        *flags,
                        Bits("tag", 8, 8, "comes back with the result"),
                    ),
                ),
                Register(
                    "status",
                    "ro",
                    "What it is doing.",
                    (
                        Bits("idle", 0, 1, "no operation runs or waits, and everything is wiped"),
                        Bits("busy", 1, 1, "an operation runs"),
                        Bits("full", 2, 1, "no further command is taken"),
                        Bits("result", 3, 1, "there is a result"),
                        Bits("alert", 4, 1, "a fault was seen since reset"),
                        Bits("waiting", 8, 8, "commands that wait"),
                        Bits("results", 16, 8, "results that nobody has taken"),
                    ),
                ),
                Register(
                    "result",
                    "ro",
                    "The oldest result that nobody has taken; 0 if there is none.",
                    (
                        Bits("error", 0, self.error_bits, self.refused, tuple(self.errors)),
                        Bits("tag", 8, 8, "of the command"),
                    ),
                ),
                Register(
                    "cycles",
                    "ro",
                    "Of that result: cycles from the command's beginning to its end.",
                    (Bits("count", 0, 32, "2^32 - 1 at most"),),
                ),
                Register(
                    "acknowledge",
                    "wo",
                    "Takes the oldest result away; refused if there is none.",
                    (Bits("result", 0, 1, "written 1"),),
                ),
                Register(
                    "interrupt_enable",
                    "rw",
                    "When the interrupt line is high.",
                    (
                        Bits("result", 0, 1, "while there is a result"),
                        Bits("idle", 1, 1, "while it is idle"),
                    ),
                ),
                Register(
                    "zeroize",
                    "wo",
                    "Ends the operation that runs, and wipes; again: waits for no stream any more.",
                    (Bits("now", 0, 1, "written 1"),),
                ),
            )
        )

    def variables(self, rounds: int, lanes: int) -> dict[str, object]:
        """What templates of a coprocessor with these registers want to know."""
        return {
            "commands": self,
            "registers": self.registers(),
            "address_bits": ADDRESS_BITS,
            "depth": QUEUE_DEPTH,
            "version_of_registers": self.version,
            "hardware_errors": self.errors[1:],
            "rounds": rounds,
            "lanes": lanes,
        }
