# SPDX-License-Identifier: Apache-2.0
from pathlib import Path
from random import Random

import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.decomposed.unit_bench import (
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
    sources = [RTL / "prim/ntf_prim_pipe.sv", RTL / PACKAGE, RTL / "decomposed/ntf_xor_network.sv"]
    parameters = {"Width": str(BITS), "LogBeat": str(t)}
    model = CycleModel.build(tmp_path, sources, "ntf_xor_network", ports, parameters)
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


def buffer_model(where: Path, shape: Shape, rtl: Path = RTL) -> CycleModel:
    data = BITS * shape.words
    return unit(
        where,
        "ntf_plane_buffer",
        {
            **dict.fromkeys(("read_valid_i", "read_half_i", "write_valid_i", "write_half_i"), 1),
            **dict.fromkeys(("read_place_i", "write_place_i"), PLACE_BITS),
            **dict.fromkeys(("load_valid_i", "fetch_valid_i"), 2),
            **dict.fromkeys(("load_place_i", "fetch_place_i"), 2 * PLACE_BITS),
            "write_data_i": data,
            "load_data_i": 2 * data,
        },
        {"read_data_o": data, "load_ready_o": 2, "fetch_ready_o": 2, "fetch_data_o": 2 * data},
        needs=("decomposed/ntf_xor_network.sv", "decomposed/ntf_plane_arbiter.sv"),
        rtl=rtl,
        **shape.parameters,
        W=BITS,
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
        self.kernel: dict[int, int] = {}  # which half the kernel's words reach in a cycle
        self.checked = 0

    def half(self, index: Index) -> int:
        return (index.p ^ index.c ^ index.r) >> self.shape.t & 1

    def bank(self, index: Index) -> int:
        t, v = self.shape.t, self.shape.v
        every = index.p ^ index.c ^ index.r
        return every & (1 << t) - 1 ^ (every >> v - 1 & 1) << t - 1

    def written(self, index: Index, lanes: Lanes, data: list[int], latency: int) -> None:
        for at, word in zip(self.shape.indices(index, lanes), data, strict=True):
            self.memory[at] = word
            self.landed[at] = self.now + latency

    def load(self, index: Index, lanes: Lanes, data: list[int]) -> dict[str, int]:
        """Inputs of a load: words in the order of the banks."""
        half = self.half(index)
        rows = sorted(zip(map(self.bank, self.shape.indices(index, lanes)), data, strict=True))
        return {
            "load_valid_i": 1 << half,
            "load_place_i": place(index, lanes) << half * PLACE_BITS,
            "load_data_i": joined([w for _, w in rows], BITS) << half * BITS * self.shape.words,
        }

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
                        self.written(index, lanes, data, 1)
                        assert self.step(self.load(index, lanes, data))["load_ready_o"] == 3

    def mix_loads(
        self,
        drive: dict[str, int],
        writes: list[tuple[Index, Lanes, list[int], int]],
        reads: list[Index],
        busy: int | None,
    ) -> None:
        """Loads of either half, or not; the one of the half that is busy is not taken."""
        rng = self.rng
        for h in range(2):
            if rng.random() < 0.6:
                index, lanes = self.draw(readable=True, half=h)
                taken = {at for write in writes for at in self.shape.indices(*write[:2])}
                if not set(self.shape.indices(index, lanes)) & (set(reads) | taken):
                    data = self.words()
                    if busy != h:
                        writes.append((index, lanes, data, 1))
                    for name, value in self.load(index, lanes, data).items():
                        drive[name] = drive.get(name, 0) | value

    def mix(self) -> None:
        """One cycle with something on every port, or not."""
        rng, drive = self.rng, dict[str, int]()
        reads: list[Index] = []
        half = None
        if rng.random() < 0.7:
            index, lanes = self.draw(readable=True)
            half = self.half(index)
            drive |= {"read_valid_i": 1, "read_place_i": place(index, lanes), "read_half_i": half}
            self.expect("read", index, lanes, BANK_LATENCY + self.shape.network)
            reads += self.shape.indices(index, lanes)
        for h in range(2):
            if rng.random() < 0.6:
                index, lanes = self.draw(readable=True, half=h)
                drive["fetch_valid_i"] = drive.get("fetch_valid_i", 0) | 1 << h
                drive["fetch_place_i"] = (
                    drive.get("fetch_place_i", 0) | place(index, lanes) << h * PLACE_BITS
                )
                reads += self.shape.indices(index, lanes)
                if half != h:
                    self.expect(str(h), index, lanes, BANK_LATENCY)
        writes: list[tuple[Index, Lanes, list[int], int]] = []
        if rng.random() < 0.7:
            index, lanes = self.draw(readable=True)
            if not set(self.shape.indices(index, lanes)) & set(reads):
                data = self.words()
                written_half = self.half(index)
                self.kernel[self.now + self.shape.network - 1] = written_half
                writes.append((index, lanes, data, self.shape.network))
                drive |= {
                    "write_valid_i": 1,
                    "write_place_i": place(index, lanes),
                    "write_half_i": written_half,
                    "write_data_i": joined(data, BITS),
                }
        busy = self.kernel.pop(self.now, None)
        self.mix_loads(drive, writes, reads, busy)
        seen = self.step(drive)
        for h in range(2):
            assert seen["load_ready_o"] >> h & 1 == (busy != h)
            assert seen["fetch_ready_o"] >> h & 1 == (half != h)
        self.now -= 1
        for write in writes:
            self.written(*write)
        self.now += 1


SHAPES = [Shape(4, 2, 4), Shape(5, 3, 4), Shape(4, 2, 3)]


@pytest.mark.parametrize("shape", SHAPES)
def test_buffer_keeps_every_word(shape: Shape, tmp_path: Path) -> None:
    traffic = Traffic(buffer_model(tmp_path, shape), shape, seed=shape.p)
    traffic.fill()
    for _ in range(3000):
        traffic.mix()
    assert traffic.checked > 4000
