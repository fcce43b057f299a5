# SPDX-License-Identifier: Apache-2.0
"""Compiling one unit of the library and stepping it; a coprocessor, with its registers."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from nttforge.kinds.lattice.bus import Coprocessor
from nttforge.kinds.lattice.mlkem.standard import REGISTERS
from nttforge.rtl_library import library, needed, rtl_root
from nttforge.simulate.cycles import CycleModel, Ports, places
from tests.register_access import RegisterAccess
from tests.rtl.kem_port import KemPort

RTL = rtl_root()
Q = 3329


def unit(
    where: Path,
    name: str,
    inputs: dict[str, int],
    outputs: dict[str, int],
    *,
    common: tuple[str, ...] = ("clk_i", "rst_ni"),
    **parameters: int,
) -> CycleModel:
    known = library()
    sources = [known[each] for each in needed(name, known)]
    ports = Ports(inputs, outputs, common)
    given = {key: str(value) for key, value in parameters.items()}
    return CycleModel.build(where, sources, name, ports, given)


def pack(values: Sequence[int], bits: int) -> int:
    return sum(int(v) % (1 << bits) << i * bits for i, v in enumerate(values))


def unpack(vector: int, bits: int, count: int) -> list[int]:
    return [vector >> i * bits & (1 << bits) - 1 for i in range(count)]


class RegisterKem(KemPort):
    """An ML-KEM coprocessor, and its registers while nothing runs."""

    def __init__(self, model: CycleModel) -> None:
        super().__init__(Coprocessor(model))
        access = RegisterAccess(model, REGISTERS)
        self.read, self.write = access.read, access.write


@contextmanager
def each_step(model: CycleModel, step: Any) -> Iterator[None]:
    """Have whatever runs the model do it by `step`, a cycle at a time; inputs of 0 are left out."""
    inputs, shown = list(places(model.ports.inputs)), model.ports.read

    def until(
        watched: bytes, counted: bytes, given: Sequence[int], most: int = 1
    ) -> tuple[int, dict[str, int], int]:
        del watched, most
        named = {name: given[0] >> at & mask for name, at, mask in inputs}
        seen = step(**{name: value for name, value in named.items() if value})
        busy = any(seen[name] and model.mask(name) == counted for name in shown if shown[name] == 1)
        return 1, seen, int(busy)

    with patch.object(model, "step", step), patch.object(model, "until", until):
        yield
