# SPDX-License-Identifier: Apache-2.0
"""What the pqc family hands to the tools: ports of both standards."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.design import Design
from nttforge.families.core import Hardware
from nttforge.families.mldsa.registers import ERRORS as DSA_ERRORS
from nttforge.families.mlkem.registers import ERRORS as KEM_ERRORS
from nttforge.families.wrapper import Port, Wrapper, stream_ports

#: Of a command and of a result: it is ML-KEM's.
KEM = 1 << 7
_BYTE = {"tdata": 8}
_WORD = {"tlast": 1, "tdata": 64}
_BYTES = {"tlast": 1, "tkeep": 8, "tdata": 64}


def reason_of(result: int) -> str:
    """How a command ended, from the byte that says it."""
    return KEM_ERRORS[result ^ KEM] if result & KEM else DSA_ERRORS[result]


@dataclass(frozen=True, kw_only=True)
class PqcCore(Hardware):
    """A core for ML-KEM and ML-DSA, as data.

    Attributes
    ----------
    operations
        By standard, in the order of their codes.
    parameter_sets
        By standard: names, in the order of their codes.
    rounds_per_cycle
        Of Keccak.
    transform
        Design of the transform inside.
    checks
        It verifies each signature before it is let out, see
        :class:`nttforge.families.mldsa.core.MldsaCore`.
    """

    what: ClassVar[str] = "a core for ML-KEM and ML-DSA"
    instead: ClassVar[str] = "use verify, measure, generate, synth or pnr, which take it"

    operations: dict[str, tuple[str, ...]]
    parameter_sets: dict[str, tuple[str, ...]]
    rounds_per_cycle: int
    transform: Design
    checks: bool

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
            *stream_ports("entropy", True, tdata=64),
            *stream_ports("m_pub", False, **_WORD),
            *stream_ports("m_sec", False, **_WORD),
        ]
        buses = ("s_command", "m_result", "s_pub", "s_sec", "entropy", "m_pub", "m_sec")
        return Wrapper(f"{self.name}_wrapper", self.name, tuple(ports), buses)
