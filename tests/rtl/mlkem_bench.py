# SPDX-License-Identifier: Apache-2.0
"""Compiling one unit of the library and stepping it."""

from collections.abc import Sequence
from pathlib import Path

from nttforge.rtl_library import library, needed, rtl_root
from nttforge.simulate.cycles import CycleModel, Ports

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
