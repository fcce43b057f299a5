# SPDX-License-Identifier: Apache-2.0
"""A host at a coprocessor's AXI4-Lite port: its accesses, cycle by cycle."""

from collections.abc import Generator, Mapping

from nttforge.errors import FaultError
from nttforge.hw.register_map import RegisterMap

#: What input ports are driven with in a cycle is given, what output ports show comes back.
Access = Generator[dict[str, int], Mapping[str, int], int]


class HostPort:
    """Accesses to registers, as fast as they can be."""

    def __init__(self, registers: RegisterMap) -> None:
        self._registers = registers

    def writing(self, name: str, value: int) -> Access:
        """A write in three cycles, taken in the second; 1 if the hardware accepts it."""
        asked = {"s_axi_awaddr": self._registers[name].address, "s_axi_wdata": value}
        given = {"s_axi_awvalid": 1, "s_axi_wvalid": 1, "s_axi_wstrb": 15, **asked}
        yield given
        seen = yield given
        if not (seen["s_axi_awready"] and seen["s_axi_wready"]):
            raise FaultError("bus", f"a write of {name} is not taken within two cycles")
        seen = yield {"s_axi_bready": 1}
        return int(not seen["s_axi_bresp"])

    def reading(self, name: str) -> Access:
        """A read in two cycles: the register's value."""
        yield {"s_axi_arvalid": 1, "s_axi_araddr": self._registers[name].address}
        seen = yield {"s_axi_rready": 1}
        if not seen["s_axi_rvalid"] or seen["s_axi_rresp"]:
            raise FaultError("bus", f"a read of {name} is refused or late")
        return seen["s_axi_rdata"]
