# SPDX-License-Identifier: Apache-2.0
"""What the ML-DSA family hands to the tools: operations from seeds and messages to bytes."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.design import Design
from nttforge.families.commands import ADDRESS_BITS
from nttforge.families.core import Hardware
from nttforge.families.mldsa.registers import REGISTERS
from nttforge.families.registers import RegisterMap
from nttforge.families.wrapper import Port, Wrapper, control_ports, stream_ports

_BYTE = {"tdata": 8}
_WORD = {"tlast": 1, "tdata": 64}
_BYTES = {"tlast": 1, "tkeep": 8, "tdata": 64}


@dataclass(frozen=True, kw_only=True)
class MldsaCore(Hardware):
    """An ML-DSA coprocessor, or its core alone, as data.

    Attributes
    ----------
    operations
        Names, in the order of their codes: `keygen`, `verify`, and `verify_mu`, which takes mu.
    parameter_sets
        Names as in FIPS 204, in the order of their codes.
    rounds_per_cycle
        Of Keccak.
    transform
        Design of the transform inside.
    host
        It has registers and a queue of commands; without them commands and results are streams.
    checks
        It verifies each signature before it is let out, by what the host sends behind the message:
        the public key, and the message again.
    """

    what: ClassVar[str] = "an ML-DSA coprocessor"
    instead: ClassVar[str] = "use `nttforge dsa keygen`, `dsa sign` or `dsa verify`"

    operations: tuple[str, ...]
    parameter_sets: tuple[str, ...]
    rounds_per_cycle: int
    transform: Design
    host: bool
    checks: bool

    @property
    def registers(self) -> RegisterMap | None:
        """Of its AXI4-Lite port, if it has one."""
        return REGISTERS if self.host else None

    @property
    def wrapper(self) -> Wrapper:
        """With the names of the core's own ports."""
        if self.host:
            control = control_ports("s_axi", ADDRESS_BITS)
            entropy = stream_ports("entropy", True, tdata=64)
            ends: tuple[str, ...] = ("s_axi", "entropy")
        else:
            control = [
                *stream_ports("s_command", True, **_BYTE),
                *stream_ports("m_result", False, **_BYTE),
            ]
            entropy, ends = [], ("s_command", "m_result")
        levels = (*(("interrupt_o",) if self.host else ()), "idle_o", "keccak_busy_o", "alert_o")
        ports = [
            *(Port("output", 1, name, name) for name in levels),
            Port("input", 1, "zeroize_i", "zeroize_i"),
            *control,
            *stream_ports("s_pub", True, **_BYTES),
            *stream_ports("s_sec", True, **_WORD),
            *entropy,
            *stream_ports("m_pub", False, **_WORD),
            *stream_ports("m_sec", False, **_WORD),
        ]
        buses = (*ends, "s_pub", "s_sec", "m_pub", "m_sec")
        return Wrapper(f"{self.name}_wrapper", self.name, tuple(ports), buses)
