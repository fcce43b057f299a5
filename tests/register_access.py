# SPDX-License-Identifier: Apache-2.0
"""Registers of a compiled coprocessor, accessed while nothing else is driven."""

from collections.abc import Mapping

from nttforge.hw.register_map import RegisterMap
from nttforge.simulate.cycles import CycleModel
from nttforge.simulate.host_port import Access, HostPort


class RegisterAccess:
    """Register accesses of a compiled coprocessor while nothing else is driven."""

    def __init__(self, model: CycleModel, registers: RegisterMap) -> None:
        self._model = model
        self._port = HostPort(registers)

    def _do(self, access: Access) -> int:
        seen: Mapping[str, int] | None = None
        while True:
            try:
                drive = next(access) if seen is None else access.send(seen)
            except StopIteration as end:
                return int(end.value)
            seen = self._model.step(**drive)

    def write(self, name: str, value: int) -> bool:
        """Write a register; whether the coprocessor accepts it."""
        return bool(self._do(self._port.writing(name, value)))

    def read(self, name: str) -> int:
        """Read a register."""
        return self._do(self._port.reading(name))
