# SPDX-License-Identifier: Apache-2.0
from pathlib import Path
from random import Random

import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.decomposed.bench import (
    PACKAGE,
    PLACE_BITS,
    RTL,
    Index,
    Lanes,
    Shape,
    joined,
    place,
    unit,
    words,
)

BITS = 12
BANK_LATENCY = 3


@pytest.mark.parametrize("t", [1, 2, 3, 5])
def test_network_exchanges(t: int, tmp_path: Path) -> None:
    ports = Ports(
        {"en_i": 1, "k_i": t, "data_i": BITS << t}, {"data_o": BITS << t}, common=("clk_i",)
    )
    sources = [RTL / "prim/prim_pipe.sv", RTL / PACKAGE, RTL / "decomposed/xor_network.sv"]
    parameters = {"Width": str(BITS), "T": str(t)}
    model = CycleModel.build(tmp_path, sources, "xor_network", ports, parameters)
    rng, latency = Random(t), -(-t // 2)
    expected: list[list[int]] = []
    for _ in range(300):
        enable, k = rng.random() < 0.7, rng.randrange(1 << t)
        data = [rng.getrandbits(BITS) for _ in range(1 << t)]
        seen = model.step(en_i=enable, k_i=k, data_i=joined(data, BITS))
        if len(expected) >= latency:
            assert words(seen["data_o"], BITS, 1 << t) == expected[-latency]
        if enable:
            expected.append([data[j ^ k] for j in range(1 << t)])


def buffer_model(where: Path, shape: Shape, data_path: int = 1, rtl: Path = RTL) -> CycleModel:
    data = BITS * shape.words
    return unit(
        where,
        "plane_buffer",
        {
            **dict.fromkeys(("read_valid_i", "write_valid_i", "load_valid_i"), 1),
            **dict.fromkeys(("read_place_i", "write_place_i", "load_place_i"), PLACE_BITS),
            **dict.fromkeys(("write_data_i", "load_data_i"), data),
            "fetch_valid_i": 2,
            "fetch_place_i": 2 * PLACE_BITS,
        },
        {"read_data_o": data, "load_ready_o": 1, "fetch_ready_o": 2, "fetch_data_o": 2 * data},
        needs=("decomposed/xor_network.sv",),
        rtl=rtl,
        **shape.parameters,
        W=BITS,
        DataPath=f"1'b{data_path}",
        BlockFrom=256,
    )


class Traffic:
    """Random beats on all ports of the buffer at once, against a dictionary."""

    def __init__(self, model: CycleModel, shape: Shape, seed: int) -> None:
        self.model, self.shape, self.rng = model, shape, Random(seed)
        self.memory: dict[Index, int] = {}
        self.landed: dict[Index, int] = {}
        self.now = 0
        self.due: dict[int, list[tuple[str, list[int]]]] = {}
        self.checked = 0

    def half(self, index: Index) -> int:
        return (index.p ^ index.c ^ index.r) >> self.shape.t & 1

    def bank(self, index: Index) -> int:
        t, v = self.shape.t, self.shape.v
        every = index.p ^ index.c ^ index.r
        return every & (1 << t) - 1 ^ (every >> v - 1 & 1) << t - 1

    def written(self, index: Index, lanes: Lanes, data: list[int]) -> None:
        for at, word in zip(self.shape.indices(index, lanes), data, strict=True):
            self.memory[at] = word
            self.landed[at] = self.now + self.shape.network

    def readable(self, index: Index, lanes: Lanes) -> bool:
        return all(
            self.landed.get(at, self.now + 1) <= self.now for at in self.shape.indices(index, lanes)
        )

    def draw(self, readable: bool, half: int | None = None) -> tuple[Index, Lanes]:
        while True:
            index, lanes = self.shape.random(self.rng)
            if (not readable or self.readable(index, lanes)) and half in (None, self.half(index)):
                return index, lanes

    def expect(self, port: str, index: Index, lanes: Lanes, latency: int) -> None:
        indices = self.shape.indices(index, lanes)
        if port != "read":
            indices.sort(key=self.bank)
        data = [self.memory[at] for at in indices]
        self.due.setdefault(self.now + latency, []).append((port, data))

    def step(self, drive: dict[str, int]) -> dict[str, int]:
        seen = self.model.step(**drive)
        data = BITS * self.shape.words
        for port, expected in self.due.pop(self.now, ()):
            vector = (
                seen["read_data_o"]
                if port == "read"
                else seen["fetch_data_o"] >> int(port) * data & (1 << data) - 1
            )
            assert words(vector, BITS, self.shape.words) == expected, (self.now, port)
            self.checked += 1
        self.now += 1
        return seen

    def words(self) -> list[int]:
        return [self.rng.getrandbits(BITS) for _ in range(self.shape.words)]

    def fill(self) -> None:
        """Load every word once."""
        shape, lanes = self.shape, Lanes("p", "p", False)
        for slot in range(2):
            for r in range(1 << shape.v):
                for c in range(1 << shape.v):
                    for p in range(0, 1 << shape.p, shape.words):
                        index, data = Index(p, c, r, slot), self.words()
                        seen = self.step(
                            {
                                "load_valid_i": 1,
                                "load_place_i": place(index, lanes),
                                "load_data_i": joined(data, BITS),
                            }
                        )
                        assert seen["load_ready_o"]
                        self.now -= 1
                        self.written(index, lanes, data)
                        self.now += 1

    def mix(self) -> None:
        """One cycle with something on every port, or not."""
        rng, drive = self.rng, dict[str, int]()
        reads, half = [], None
        if rng.random() < 0.7:
            index, lanes = self.draw(readable=True)
            half = self.half(index)
            drive |= {"read_valid_i": 1, "read_place_i": place(index, lanes)}
            self.expect("read", index, lanes, BANK_LATENCY + self.shape.network)
            reads += self.shape.indices(index, lanes)
        fetched = []
        for h in range(2):
            if rng.random() < 0.6:
                index, lanes = self.draw(readable=True, half=h)
                drive["fetch_valid_i"] = drive.get("fetch_valid_i", 0) | 1 << h
                drive["fetch_place_i"] = (
                    drive.get("fetch_place_i", 0) | place(index, lanes) << h * PLACE_BITS
                )
                reads += self.shape.indices(index, lanes)
                if half != h:
                    fetched.append(h)
                    self.expect(str(h), index, lanes, BANK_LATENCY)
        writes = []
        write_half, taken = None, False
        if rng.random() < 0.7:
            index, lanes = self.draw(readable=True)
            if not set(self.shape.indices(index, lanes)) & set(reads):
                data, write_half = self.words(), self.half(index)
                writes.append((index, lanes, data))
                drive |= {
                    "write_valid_i": 1,
                    "write_place_i": place(index, lanes),
                    "write_data_i": joined(data, BITS),
                }
        if rng.random() < 0.7:
            index, lanes = self.draw(readable=True)
            if not set(self.shape.indices(index, lanes)) & set(reads):
                data, taken = self.words(), self.half(index) != write_half
                if taken:
                    writes.append((index, lanes, data))
                drive |= {
                    "load_valid_i": 1,
                    "load_place_i": place(index, lanes),
                    "load_data_i": joined(data, BITS),
                }
        now = self.now
        seen = self.step(drive)
        if "load_valid_i" in drive:
            assert seen["load_ready_o"] == taken
        for h in range(2):
            assert seen["fetch_ready_o"] >> h & 1 == (half != h)
        self.now = now
        for index, lanes, data in writes:
            self.written(index, lanes, data)
        self.now = now + 1


SHAPES = [Shape(4, 2, 4), Shape(5, 3, 4), Shape(4, 2, 3)]


@pytest.mark.parametrize("shape", SHAPES)
def test_buffer_keeps_every_word(shape: Shape, tmp_path: Path) -> None:
    traffic = Traffic(buffer_model(tmp_path, shape), shape, seed=shape.p)
    traffic.fill()
    for _ in range(3000):
        traffic.mix()
    assert traffic.checked > 4000
