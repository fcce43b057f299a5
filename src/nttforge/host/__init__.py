# SPDX-License-Identifier: Apache-2.0
"""Host software of a design: a library and a Python API that drive it, simulated or on a board."""

from nttforge.host.device import Device
from nttforge.host.devices import open_device as open
from nttforge.host.jobs import Board
from nttforge.host.transport import Mapped, Transport, Uart

__all__ = ["Board", "Device", "Mapped", "Transport", "Uart", "open"]
