# SPDX-License-Identifier: Apache-2.0
"""Good and bad frames through a core's ports: too short, too long, of no known operation."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nttforge.cache import design_files
from nttforge.flow.prepare import Prepared
from nttforge.flow.reference import references
from nttforge.hw import Operation, StreamCore
from nttforge.simulate.cycles import CycleModel, Ports


@dataclass(frozen=True)
class Frame:
    """What is sent, and what must come out for it.

    Attributes
    ----------
    user
        Of the first beat; the others have noise.
    beats
        Words of each beat that is sent.
    operation
        The one that is done.
    error
        Whether the result is marked.
    """

    user: int
    beats: Sequence[Sequence[int]]
    operation: Operation
    error: bool

    def expected(self, core: StreamCore) -> list[list[int]]:
        """Words of each beat that comes out: of what is cut, or filled up with zeros."""
        operation = self.operation
        whole = operation.beats * operation.operands
        lanes = core.stream.lanes
        seen = [list(beat) for beat in self.beats[:whole]]
        seen += [[0] * lanes] * (whole - len(seen))
        order = operation.input_layout.order().reshape(-1)
        given = np.array([word for beat in seen for word in beat], dtype=object)
        given = given.reshape(operation.operands, -1)
        polynomials = np.zeros((1, core.operands, operation.ring.n), dtype=object)
        polynomials[0, : operation.operands, order] = given.T
        single = polynomials if core.operands > 1 else polynomials[:, 0]
        (result,) = references([operation], single)
        stream = result[operation.output_layout.order().reshape(-1)].reshape(-1, lanes)
        return [list(map(int, beat)) for beat in stream]


def random_frame(core: StreamCore, rng: random.Random, good: float = 0.4) -> Frame:
    """A frame that is good, of any wrong length, of an unknown operation, or both."""
    codes = 1 << core.stream.user_bits
    user = rng.randrange(len(core.operations))
    if rng.random() > 0.5 + good / 2:
        user = rng.randrange(codes)
    known = user < len(core.operations)
    operation = core.operations[user if known else 0]
    whole = operation.beats * operation.operands
    count = whole
    if rng.random() > good:
        count = rng.choice([*range(1, whole), *range(whole + 1, 2 * whole + 2)])
    below = operation.ring.q
    beats = [[rng.randrange(below) for _ in range(core.stream.lanes)] for _ in range(count)]
    return Frame(user, beats, operation, not known or count != whole)


def frame_model(prepared: Prepared[StreamCore], where: Path) -> CycleModel:
    """The core's ports, a cycle at a time."""
    stream, flush = prepared.core.stream, prepared.core.flush
    data = stream.data_bits
    ports = Ports(
        {"s_axis_tvalid": 1, "s_axis_tlast": 1, "s_axis_tuser": stream.user_bits}
        | {"s_axis_tdata": data, "m_axis_tready": 1}
        | ({"s_axis_tkeep": stream.keep_bits} if stream.keep_bits else {})
        | ({"flush_i": 1, "test_mode_i": 1} if flush else {}),
        {"s_axis_tready": 1, "m_axis_tvalid": 1, "m_axis_tlast": 1}
        | {"m_axis_tuser": stream.user_bits + 1, "m_axis_tdata": data}
        | ({"m_axis_tkeep": stream.keep_bits} if stream.keep_bits else {})
        | ({"flushing_o": 1} if flush else {}),
    )
    return CycleModel.build(where, design_files(prepared.folder), prepared.core.name, ports)


def offers(core: StreamCore, frame: Frame, rng: random.Random) -> list[dict[str, int]]:
    """Inputs of the beats of a frame; `tuser` is noise on all but the first one."""
    stream = core.stream
    return [
        {
            "s_axis_tvalid": 1,
            "s_axis_tlast": int(number == len(frame.beats) - 1),
            "s_axis_tuser": frame.user if number == 0 else rng.randrange(1 << stream.user_bits),
            "s_axis_tdata": stream.beat(beat),
        }
        for number, beat in enumerate(frame.beats)
    ]


def check_frames(
    core: StreamCore,
    model: CycleModel,
    frames: Sequence[Frame],
    stall: float = 0.0,
    seed: int = 0,
    *,
    stop: range = range(0),
) -> int:
    """Send frames back to back, or with stalls at random, and compare all that comes out.

    In the cycles `stop` the sink takes nothing. Returns how many beats were taken from the source
    and not given to the sink, at most.
    """
    rng = random.Random(seed)
    stream = core.stream
    joined = [offer for frame in frames for offer in offers(core, frame, rng)]
    wanted = [
        (
            int(number == frame.operation.beats - 1),
            frame.operation.code,
            int(frame.error),
            stream.beat(beat),
        )
        for frame in frames
        for number, beat in enumerate(frame.expected(core))
    ]
    model.reset()
    given = 0
    got = 0
    patience = 4 * max(operation.latency for operation in core.operations) + 1000
    idle = 0
    offered = False
    cycle = held = 0
    while got < len(wanted):
        offered = given < len(joined) and (offered or rng.random() >= stall)
        drive = joined[given] if offered else {}
        ready = int(rng.random() >= stall and cycle not in stop)
        seen = model.step(m_axis_tready=ready, **drive)
        if offered and seen["s_axis_tready"]:
            given, offered, idle = given + 1, False, 0
        if ready and seen["m_axis_tvalid"]:
            last, code, error, data = wanted[got]
            assert seen["m_axis_tlast"] == last, got
            assert seen["m_axis_tuser"] & (1 << stream.user_bits) - 1 == code, got
            assert not last or seen["m_axis_tuser"] >> stream.user_bits == error, got
            assert seen["m_axis_tdata"] == data, got
            got, idle = got + 1, 0
        held = max(held, given - got)
        cycle += 1
        idle += 1
        assert idle < patience, "stuck"
    for _ in range(50):
        assert not model.step(m_axis_tready=1)["m_axis_tvalid"]
    assert given == len(joined)
    return held
