# SPDX-License-Identifier: Apache-2.0
"""Host software of a design: a library and a Python API that drive it, simulated or on a board."""

from nttforge.host.amd import Pynq, Xrt
from nttforge.host.device import Device
from nttforge.host.devices import open_device as open
from nttforge.host.etherbone import Etherbone
from nttforge.host.jobs import Board
from nttforge.host.transport import Mapped, Pcie, Transport, Uart

__all__ = [
    "Board",
    "Device",
    "Etherbone",
    "Mapped",
    "Pcie",
    "Pynq",
    "Transport",
    "Uart",
    "Xrt",
    "open",
]
