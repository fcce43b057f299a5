# SPDX-License-Identifier: Apache-2.0
"""The memory on a board between two that use it at once, and a bridge whose host broke off."""

import random
from pathlib import Path

import pytest

from nttforge.rtl_library import library, needed
from nttforge.simulate.cycles import CycleModel, Ports

BYTES, WIDTH, BASE = 256, 64, 1 << 30
WORDS = BYTES * 8 // WIDTH
MEMORY = Ports(
    inputs={
        **{"req_i": 1, "write_i": 1, "addr_i": 32, "wdata_i": 32, "read_req_i": 74},
        **{"write_req_i": 76, "wdata_axi_i": WIDTH, "wstrb_i": WIDTH // 8},
    },
    outputs={
        **{"ack_o": 1, "rdata_o": 32, "read_rsp_o": 5, "rdata_axi_o": WIDTH},
        "write_rsp_o": 5,
    },
)
BRIDGE = Ports(
    inputs={"valid_i": 1, "data_i": 8, "ready_i": 1, "ack_i": 1, "rdata_i": 32},
    outputs={"valid_o": 1, "data_o": 8, "req_o": 1, "write_o": 1, "addr_o": 32, "wdata_o": 32},
)


def build(folder: Path, module: str, ports: Ports, **parameters: str) -> CycleModel:
    known = library()
    sources = [known[name] for name in needed(module, known)]
    return CycleModel.build(folder, sources, module, ports, parameters)


def fill(model: CycleModel, rng: random.Random) -> list[int]:
    """Write all of the memory: its words of 32 bits."""
    words = [rng.getrandbits(32) for _ in range(2 * WORDS)]
    for at, word in enumerate(words):
        single = {"req_i": 1, "write_i": 1, "addr_i": BASE + 4 * at, "wdata_i": word}
        while not model.step(**single)["ack_o"]:
            pass
        model.step()
    return words


@pytest.mark.parametrize("seed", range(2))
def test_bursts_and_single_accesses_at_once(seed: int, tmp_path: Path) -> None:
    """The single ones have the lower half to write, the bursts the upper; both read all of it."""
    settings = {"DataW": str(WIDTH), "Bytes": str(BYTES), "Base": f"64'd{BASE}"}
    model = build(tmp_path, "ntf_board_memory", MEMORY, **settings)
    rng = random.Random(seed)
    words = fill(model, rng)
    single: dict[str, int] = {}
    burst: list[int] | None = None
    asked, wrote = (0, 0, 0), 0
    taken = singles = 0
    reading: list[int] = []
    for cycle in range(6000):
        if not single and rng.random() < 0.3:
            at = rng.randrange(WORDS)  # the half that no burst writes
            single = {"req_i": 1, "write_i": rng.getrandbits(1), "addr_i": BASE + 4 * at}
            single["wdata_i"] = rng.getrandbits(32)
        if not asked[0] and not reading and rng.random() < 0.3:
            first = rng.randrange(WORDS // 2, WORDS)
            asked = (1, first, rng.randrange(WORDS - first))
        if burst is None and rng.random() < 0.05:
            burst, wrote = [rng.randrange(3 * WORDS // 4, WORDS), rng.getrandbits(WIDTH)], 0
        rready, wvalid = rng.getrandbits(1), rng.getrandbits(1) & (wrote == 1)
        awvalid = int(burst is not None and wrote == 0)
        first, value = burst or (0, 0)
        # Words that are written meanwhile are not read: whose they are is not promised.
        if awvalid and (reading or asked[0]):
            awvalid = 0
        seen = model.step(
            **single,
            read_req_i=(asked[0] if wrote == 0 else 0) << 73
            | (BASE + 8 * asked[1]) << 9
            | asked[2] << 1
            | rready,
            write_req_i=awvalid << 75 | (BASE + 8 * first) << 11 | wvalid << 2 | wvalid << 1 | 1,
            wdata_axi_i=value,
            wstrb_i=0x0F,
        )
        if seen["read_rsp_o"] >> 3 & rready & 1:
            at = reading.pop(0)
            assert seen["rdata_axi_o"] == words[2 * at] | words[2 * at + 1] << 32, (seed, cycle)
            assert seen["read_rsp_o"] & 7 == (not reading)
            taken += 1
        if asked[0] and wrote == 0 and seen["read_rsp_o"] >> 4 & 1:
            reading = list(range(asked[1], asked[1] + asked[2] + 1))
            asked = (0, 0, 0)
        if awvalid and seen["write_rsp_o"] >> 4 & 1:
            wrote = 1
        elif wvalid and seen["write_rsp_o"] >> 3 & 1:
            words[2 * first] = value & 0xFFFF_FFFF
            burst, wrote = None, 0
        if seen["ack_o"]:
            at = (single["addr_i"] - BASE) // 4
            if single["write_i"]:
                words[at] = single["wdata_i"]
            else:
                assert seen["rdata_o"] == words[at], (seed, cycle)
            single, singles = {}, singles + 1
    assert taken > 500 and singles > 500, (taken, singles)


def test_bursts_beside_the_memory_are_errors(tmp_path: Path) -> None:
    settings = {"DataW": str(WIDTH), "Bytes": str(BYTES), "Base": f"64'd{BASE}"}
    model = build(tmp_path, "ntf_board_memory", MEMORY, **settings)
    for base, error in ((BASE, 0), (BASE + BYTES, 3), (0, 3), (1 << 40 | BASE, 3)):
        model.step(read_req_i=1 << 73 | base << 9 | 1, write_req_i=1 << 75 | base << 11 | 1)
        seen = [model.step(read_req_i=1, write_req_i=0b110, wstrb_i=0) for _ in range(4)]
        assert next(s["read_rsp_o"] >> 1 & 3 for s in seen if s["read_rsp_o"] >> 3 & 1) == error
        assert next(s["write_rsp_o"] & 3 for s in seen if s["write_rsp_o"] >> 2 & 1) == error
        model.step(read_req_i=1, write_req_i=1)


def test_a_host_that_broke_off_begins_anew(tmp_path: Path) -> None:
    model = build(tmp_path, "ntf_uart_bridge", BRIDGE, IdleBits="4")

    def send(*data: int) -> dict[str, int]:
        for byte in data:
            model.step(valid_i=1, data_i=byte)
        return model.step()

    for sent in range(1, 9):
        send(*bytes([1, 2, 0, 0, 0, 4, 9, 9, 9])[:sent])
        for _ in range(20):
            model.step()
        seen = send(1, 1, 0, 0, 1, 2, 0xDE, 0xAD, 0xBE, 0xEF)
        assert (seen["req_o"], seen["write_o"]) == (1, 1), sent
        assert (seen["addr_o"], seen["wdata_o"]) == (0x408, 0xDEADBEEF)
        model.step(ack_i=1)
        assert not model.step()["req_o"]
