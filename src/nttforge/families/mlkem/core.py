# SPDX-License-Identifier: Apache-2.0
"""What the ML-KEM family hands to the tools: no stream of transforms, but three operations."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.design import Design
from nttforge.families.core import Hardware
from nttforge.families.mlkem.registers import REGISTERS
from nttforge.families.registers import RegisterMap
from nttforge.families.wrapper import Port, Wrapper, control_ports, stream_ports

_WORD = {"tlast": 1, "tdata": 64}


@dataclass(frozen=True, kw_only=True)
class MlkemCore(Hardware):
    """An ML-KEM coprocessor, as data.

    Attributes
    ----------
    operations
        Names, in the order of their codes: `keygen`, `encaps`, `decaps`, ...; at last
        `decaps_seed`, which is `decaps` with a flag.
    parameter_sets
        Names as in FIPS 203, in the order of their codes.
    rounds_per_cycle
        Of Keccak.
    keccak_cores
        All but the first sample the matrix.
    transform
        Design of the transform inside.
    address_bits
        Of its registers.
    """

    what: ClassVar[str] = "an ML-KEM coprocessor"
    instead: ClassVar[str] = "use `nttforge kem keygen`, `kem encaps` or `kem decaps`"

    operations: tuple[str, ...]
    parameter_sets: tuple[str, ...]
    rounds_per_cycle: int
    keccak_cores: int
    transform: Design
    address_bits: int

    @property
    def registers(self) -> RegisterMap:
        """Of its AXI4-Lite port."""
        return REGISTERS

    @property
    def wrapper(self) -> Wrapper:
        """With the names of the coprocessor's own ports."""
        outputs = ("interrupt_o", "idle_o", "keccak_busy_o", "alert_o")
        inputs, results = ("s_pub", "s_sec"), ("m_pub", "m_sec")
        ports = [
            *(Port("output", 1, name, name) for name in outputs),
            Port("input", 1, "zeroize_i", "zeroize_i"),
            *control_ports("s_axi", self.address_bits),
            *(port for bus in inputs for port in stream_ports(bus, True, **_WORD)),
            *stream_ports("entropy", True, tdata=64),
            *(port for bus in results for port in stream_ports(bus, False, **_WORD)),
        ]
        buses = ("s_axi", *inputs, "entropy", *results)
        return Wrapper(f"{self.name}_wrapper", self.name, tuple(ports), buses)
