# SPDX-License-Identifier: Apache-2.0
"""Registers and ports of coprocessors that take commands: whatever the standard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nttforge.hw.register_map import Bits, RegisterMap, read_registers
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
    """Parts of a standard's commands.

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
        found, bits = read_registers(__package__, "registers.toml"), self.operation_bits
        flags = [
            Bits(name, self.flags_at + at, 1, text) for at, (name, text) in enumerate(self.flags)
        ]
        tag_at = -(-self.bits // TAG_BITS) * TAG_BITS
        fields = {
            "command": (
                Bits("operation", 0, bits, "what to do", tuple(self.operations)),
                Bits("set", bits, self.set_bits, "parameter set", tuple(self.sets)),
                *flags,
                Bits("tag", tag_at, TAG_BITS, "comes back with the result"),
            ),
            "result": (
                Bits("error", 0, self.error_bits, self.refused, tuple(self.errors)),
                Bits("tag", 8, TAG_BITS, "of the command"),
            ),
        }
        made = {name: replace(found[name], fields=own) for name, own in fields.items()}
        return RegisterMap.packed({**found, **made}.values())

    def variables(self, rounds: int, lanes: int) -> dict[str, object]:
        """Variables of templates of a coprocessor with these registers."""
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
