# SPDX-License-Identifier: Apache-2.0
"""cocotb tests of a small engine; run by test_axis.py.

Good transforms, and each kind of bad one: too short, too long, of no known operation.
"""

import random
from dataclasses import dataclass
from typing import Any

import cocotb
import numpy as np
import pytest
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiStreamFrame

from nttforge.cocotb import Engine
from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.reference import random_polynomials, reference
from nttforge.hw import StreamCore, build_kind
from tests.cocotb.stream_bench import Ports
from tests.rtl.small_cores import design_data

DESIGN = parse_design(
    design_data(
        {"name": "a", "n": 8, "q": 97},
        {"name": "b", "n": 8, "q": 3329, "layers": 2},
        {"name": "c", "n": 8, "q": 257, "form": "x^n-1"},
    ),
    "test",
)
CORE = build_kind(DESIGN, StreamCore)
LANES, BEATS = CORE.stream.lanes, CORE.stream.beats
UNKNOWN = range(len(CORE.operations), 1 << CORE.stream.user_bits)


@dataclass(frozen=True)
class Sent:
    """A frame on the input, and what must come out for it."""

    user: int
    words: list[int]
    expected: list[int]
    error: bool

    @property
    def expected_user(self) -> int:
        """{error, operation} on the last beat."""
        code = 0 if self.user in UNKNOWN else self.user
        return int(self.error) << CORE.stream.user_bits | code


def transform(user: int, beats: int, rng: random.Random) -> Sent:
    """A transform of so many beats; the engine sees BEATS of them, zeros for those that lack."""
    operation = CORE.operations[0 if user in UNKNOWN else user]
    words = [rng.randrange(operation.ring.q) for _ in range(beats * LANES)]
    seen = (words + [0] * BEATS * LANES)[: BEATS * LANES]
    polynomial = np.empty((1, operation.ring.n), dtype=np.int64)
    polynomial[:, operation.input_layout.order().reshape(-1)] = seen
    result = reference(operation, polynomial)[:, operation.output_layout.order().reshape(-1)]
    return Sent(user, words, result[0].tolist(), beats != BEATS or user in UNKNOWN)


def any_transform(rng: random.Random, good: float) -> Sent:
    user = rng.randrange(len(CORE.operations))
    if rng.random() < good:
        return transform(user, BEATS, rng)
    beats = rng.choice([*range(1, BEATS), *range(BEATS + 1, 3 * BEATS)])
    kind = rng.randrange(3)
    if kind == 0:
        return transform(rng.choice(UNKNOWN), BEATS, rng)
    return transform(user if kind == 1 else rng.choice(UNKNOWN), beats, rng)


async def start(dut: Any, idle: float = 0.0, backpressure: float = 0.0, seed: int = 0) -> Any:
    ports = Ports(dut, CORE.stream.word_bits)
    await ports.start(idle, backpressure, seed)
    return ports


async def send(ports: Any, sent: Sent, rng: random.Random) -> None:
    """Only the first beat's tuser counts: the others are noise."""
    users = [rng.randrange(1 << CORE.stream.user_bits) for _ in sent.words]
    users[:LANES] = [sent.user] * LANES
    await ports.source.send(AxiStreamFrame(sent.words, tuser=users))


async def receive(ports: Any, sent: Sent) -> None:
    got = await with_timeout(ports.sink.recv(compact=False), 100, "us")
    assert got.tdata == sent.expected
    assert got.tuser[-1] == sent.expected_user
    code = sent.expected_user & ((1 << CORE.stream.user_bits) - 1)
    assert {user & ((1 << CORE.stream.user_bits) - 1) for user in got.tuser} == {code}


async def stream(ports: Any, transforms: list[Sent], seed: int) -> None:
    rng = random.Random(seed)
    for sent in transforms:
        await send(ports, sent, rng)
    for sent in transforms:
        await receive(ports, sent)
    await ClockCycles(ports.dut.clk_i, 100)
    assert ports.sink.empty() and ports.sink.idle()


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.5], backpressure=[0.0, 0.5])
async def good_transforms(dut: Any, idle: float, backpressure: float) -> None:
    rng = random.Random(1)
    ports = await start(dut, idle, backpressure, 1)
    await stream(ports, [any_transform(rng, 1.0) for _ in range(60)], 1)


@cocotb.test()
@cocotb.parametrize(beats=[*range(1, BEATS), BEATS + 1, 2 * BEATS, 5 * BEATS + 1])
async def one_of_the_wrong_length(dut: Any, beats: int) -> None:
    """Between good ones, which it does not harm."""
    rng = random.Random(beats)
    ports = await start(dut)
    codes = range(len(CORE.operations))
    transforms = []
    for code in codes:
        transforms += [transform(code, BEATS, rng), transform(code, beats, rng)]
        transforms += [transform(rng.choice(codes), BEATS, rng) for _ in range(2)]
    await stream(ports, transforms, 2)


@cocotb.test()
async def unknown_operations(dut: Any) -> None:
    rng = random.Random(3)
    ports = await start(dut)
    transforms = [transform(user, BEATS, rng) for user in (1, 6, 1, 7, 7, 0, 5, 6, 2)]
    assert [sent.error for sent in transforms] == [
        user in (6, 7) for user in (1, 6, 1, 7, 7, 0, 5, 6, 2)
    ]
    await stream(ports, transforms, 3)


@cocotb.test()
@cocotb.parametrize(idle=[0.0, 0.3, 0.8], backpressure=[0.0, 0.3, 0.8])
async def bad_ones_among_good_ones(dut: Any, idle: float, backpressure: float) -> None:
    seed = int(10 * idle + 100 * backpressure)
    rng = random.Random(seed)
    ports = await start(dut, idle, backpressure, seed)
    await stream(ports, [any_transform(rng, 0.5) for _ in range(80)], seed)


@cocotb.test()
@cocotb.parametrize(beats=[1, 2, 3], code=[0, 1])
async def half_a_transform_and_silence(dut: Any, beats: int, code: int) -> None:
    """What was sent before comes out although nothing pushes; the rest is taken up later."""
    rng = random.Random(beats)
    ports = await start(dut)
    before = [any_transform(rng, 1.0) for _ in range(5)] + [transform(code, BEATS, rng)]
    for sent in before:
        await send(ports, sent, rng)
    await ports.source.wait()
    half = transform(code, BEATS, rng)
    words, users = half.words, [half.user] * len(half.words)
    silence = cocotb.start_soon(ports_pause_after(ports, beats))
    await ports.source.send(AxiStreamFrame(words, tuser=users))
    for sent in before:
        await receive(ports, sent)
    await silence
    assert ports.sink.empty()
    ports.source.pause = False
    await receive(ports, half)


async def ports_pause_after(ports: Any, beats: int) -> None:
    """Let so many beats in, then nothing for long."""
    dut = ports.dut
    while beats:
        await ClockCycles(dut.clk_i, 1)
        if dut.s_axis_tvalid.value == 1 and dut.s_axis_tready.value == 1:
            beats -= 1
            if beats == 0:
                ports.source.pause = True
    await ClockCycles(dut.clk_i, 500)


@cocotb.test()
async def arrays_in_and_out(dut: Any) -> None:
    """The driver that users have."""
    engine = Engine(dut, DESIGN)
    await engine.reset()
    rng = np.random.default_rng(5)
    for operation in CORE.operations:
        x = random_polynomials(operation.ring, 3, rng)
        assert (await engine.transform(operation.name, x) == reference(operation, x)).all()
    with pytest.raises(NttforgeError, match="not in"):
        await engine.transform(CORE.operations[0].name, [97] * 8)
