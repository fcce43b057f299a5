# SPDX-License-Identifier: Apache-2.0
"""The coprocessor's registers, described once.

From this table come the decoder in SystemVerilog, the C header, SystemRDL and the page's table.
"""

from nttforge.families.registers import Bits, Register, RegisterMap

ADDRESS_BITS = 6
#: Of the table; a driver for another one refuses the hardware.
VERSION = 2
# rho, H(ek) and z, with which a decapsulation key ends, are sent first: Keccak needs them first.
TAIL_BYTES = 96
#: Commands that wait, and results that nobody has taken yet.
QUEUE_DEPTH = 4


_REFUSALS = ("command", "public_length", "secret_length", "modulus", "hash")
ERRORS = ("none", *_REFUSALS, "fault", "zeroized")

#: In the order of their addresses, a word each.
_REGISTERS = (
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
            Bits("operation", 0, 2, "what to do", ("keygen", "encaps", "decaps")),
            Bits("set", 2, 2, "parameter set", ("512", "768", "1024")),
            Bits("check", 4, 1, "Decaps: compare the hash of the key too"),
            Bits(
                "entropy",
                5,
                1,
                "the entropy port gives seeds, but in Decaps, and a word for the wiping",
            ),
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
            Bits("error", 0, 3, "why there was no output", ERRORS),
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

REGISTERS = RegisterMap.packed(_REGISTERS)


def address(name: str) -> int:
    """Byte address of a register."""
    return REGISTERS[name].address


def register(name: str) -> Register:
    """The register of that name."""
    return REGISTERS[name]
