# SPDX-License-Identifier: Apache-2.0
"""What the ML-DSA family hands to the tools: streams of commands, seeds and keys."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.design import Design
from nttforge.families.core import Hardware
from nttforge.families.wrapper import Port, Wrapper, stream_ports

_BYTE = {"tdata": 8}
_WORD = {"tlast": 1, "tdata": 64}
_BYTES = {"tlast": 1, "tkeep": 8, "tdata": 64}
#: How a command ended, in the order of the codes: `error_e`.
ERRORS = ("none", "command", "length", "fault", "zeroized", "signature", "key")


@dataclass(frozen=True, kw_only=True)
class MldsaCore(Hardware):
    """An ML-DSA core, as data.

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
    """

    what: ClassVar[str] = "an ML-DSA core"
    instead: ClassVar[str] = "use `nttforge dsa keygen`"

    operations: tuple[str, ...]
    parameter_sets: tuple[str, ...]
    rounds_per_cycle: int
    transform: Design

    @property
    def wrapper(self) -> Wrapper:
        """With the names of the core's own ports."""
        levels = ("idle_o", "keccak_busy_o", "alert_o")
        ports = [
            *(Port("output", 1, name, name) for name in levels),
            Port("input", 1, "zeroize_i", "zeroize_i"),
            *stream_ports("s_command", True, **_BYTE),
            *stream_ports("m_result", False, **_BYTE),
            *stream_ports("s_pub", True, **_BYTES),
            *stream_ports("s_sec", True, **_WORD),
            *stream_ports("m_pub", False, **_WORD),
            *stream_ports("m_sec", False, **_WORD),
        ]
        buses = ("s_command", "m_result", "s_pub", "s_sec", "m_pub", "m_sec")
        return Wrapper(f"{self.name}_wrapper", self.name, tuple(ports), buses)
