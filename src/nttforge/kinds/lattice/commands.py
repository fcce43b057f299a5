# SPDX-License-Identifier: Apache-2.0
"""Registers and ports of coprocessors that take commands: whatever the standard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nttforge.hw.register_map import Bits, Register, RegisterMap
from nttforge.hw.wrapper import Port, Wrapper, control_ports, stream_ports

ADDRESS_BITS = 6
#: Depth of the queues of commands and of unread results.
QUEUE_DEPTH = 4
#: A byte, which begins where one does.
TAG_BITS = 8
#: Codes that the sets of each standard have, where there are several.
SET_SPACE = 4


@dataclass(frozen=True)
class Commands:
    """What the commands of a standard are made of.

    - `version`: of the table of registers; a driver for another one refuses the hardware.
    - `operations`, `sets`, `errors`: names, in the order of their codes; empty if there is none of
      that code.
    - `flags`: of a command, a bit each: name and meaning.
    - `operation_bits`, `error_bits`, `set_bits`: of their fields.
    - `refused`: what an error means.
    """

    version: int
    operations: Sequence[str]
    sets: Sequence[str]
    flags: Sequence[tuple[str, str]]
    errors: Sequence[str]
    operation_bits: int
    error_bits: int
    refused: str
    set_bits: int = 2

    @classmethod
    def joined(cls, parts: Mapping[str, "Commands"], version: int, refused: str) -> "Commands":
        """Several standards in one table; flags and errors of a name are one."""
        operations = [
            f"{prefix}{name}" for prefix, each in parts.items() for name in each.operations
        ]
        errors = tuple(dict.fromkeys(name for each in parts.values() for name in each.errors))
        spaces = [[*each.sets, *[""] * (SET_SPACE - len(each.sets))] for each in parts.values()]
        flags: dict[str, list[str]] = {}
        for name, text in (flag for each in parts.values() for flag in each.flags):
            flags.setdefault(name, []).append(text)
        return cls(
            version=version,
            operations=operations,
            sets=[name for space in spaces for name in space],
            flags=[(name, "; ".join(texts)) for name, texts in flags.items()],
            errors=errors,
            operation_bits=len(operations).bit_length(),
            error_bits=(len(errors) - 1).bit_length(),
            refused=refused,
            set_bits=(len(spaces) * SET_SPACE - 1).bit_length(),
        )

    @property
    def flags_at(self) -> int:
        """The first bit after operation and set, in the register and in the queue."""
        return self.operation_bits + self.set_bits

    @property
    def bits(self) -> int:
        """Of a command in the queue, which has no tag."""
        return self.flags_at + len(self.flags)

    def registers(self) -> RegisterMap:
        """In the order of their addresses, a word each."""
        bits = self.operation_bits
        flags = [
            Bits(name, self.flags_at + at, 1, text) for at, (name, text) in enumerate(self.flags)
        ]
        tag_at = -(-self.bits // TAG_BITS) * TAG_BITS
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
                        Bits("set", bits, self.set_bits, "parameter set", tuple(self.sets)),
                        *flags,
                        Bits("tag", tag_at, TAG_BITS, "comes back with the result"),
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
                        Bits("results", 16, 8, "number of unread results"),
                    ),
                ),
                Register(
                    "result",
                    "ro",
                    "The oldest unread result; 0 if there is none.",
                    (
                        Bits("error", 0, self.error_bits, self.refused, tuple(self.errors)),
                        Bits("tag", 8, TAG_BITS, "of the command"),
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


_WORD = {"tlast": 1, "tdata": 64}
_BYTES = {"tlast": 1, "tkeep": 8, "tdata": 64}


def coprocessor_wrapper(name: str, *, host: bool, keep: bool, entropy: bool) -> Wrapper:
    """The wrapper of a coprocessor: registers if `host`, byte packets if `keep`, entropy port."""
    ends: tuple[str, ...] = ("s_axi",) if host else ("s_command", "m_result")
    if host:
        control = control_ports("s_axi", ADDRESS_BITS)
    else:
        control = [
            *stream_ports("s_command", True, tdata=8),
            *stream_ports("m_result", False, tdata=8),
        ]
    levels = (*(("interrupt_o",) if host else ()), "idle_o", "keccak_busy_o", "alert_o")
    ports = [
        *(Port("output", 1, level, level) for level in levels),
        Port("input", 1, "zeroize_i", "zeroize_i"),
        *control,
        *stream_ports("s_pub", True, **(_BYTES if keep else _WORD)),
        *stream_ports("s_sec", True, **_WORD),
        *(stream_ports("entropy", True, tdata=64) if entropy else ()),
        *stream_ports("m_pub", False, **_WORD),
        *stream_ports("m_sec", False, **_WORD),
    ]
    seeds = ("entropy",) if entropy else ()
    buses = (*ends, "s_pub", "s_sec", *seeds, "m_pub", "m_sec")
    return Wrapper(f"{name}_wrapper", name, tuple(ports), buses)
