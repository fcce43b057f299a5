# SPDX-License-Identifier: Apache-2.0
"""Where a burst is, of engines with memory channels of their own: the RTL's map and Python's."""

from collections import deque
from pathlib import Path
from random import Random
from shutil import copytree

import numpy as np
import pytest

from nttforge.kinds.decomposed.maps import Map
from nttforge.simulate.cycles import CycleModel
from tests.formal.proof import broken
from tests.rtl.decomposed.unit_bench import LOG, RTL, fields, unit

BURST, PAYLOAD, BUFFERS, CASES = 5, 7, 3, 400


def mapper(where: Path, sets: int, rtl: Path = RTL) -> CycleModel:
    return unit(
        where,
        "ntf_channel_map",
        {
            "buffers_i": BUFFERS * (64 + 2 * LOG),
            **{"valid_i": 1, "spot_i": 64, "data_i": PAYLOAD, "ready_i": 1},
        },
        {
            **{"ready_o": 1, "valid_o": 1, "addr_o": 64, "set_o": sets},
            **{"data_o": PAYLOAD, "busy_o": 1},
        },
        needs=("decomposed/ntf_channel_pkg.sv",),
        rtl=rtl,
        LogSets=sets,
        RowAt=BURST + 2,
        Width=PAYLOAD,
    )


def check(model: CycleModel, sets: int, seed: int) -> None:
    """All bursts come out in order, each where Python says; nothing moves or changes meanwhile."""
    rng = Random(seed)
    places = range(BURST, 40)
    given = [
        (rng.randrange(1 << 50) << 12, Map(rng.choice(places), rng.choice(places)))
        for _ in range(BUFFERS)
    ]
    buffers = sum(
        fields((base, 64), (at.owner, LOG), (at.row, LOG)) << i * (64 + 2 * LOG)
        for i, (base, at) in enumerate(given)
    )
    model.reset()
    asked, expected, held = 0, deque[tuple[int, int, int]](), None
    while asked < CASES or expected:
        which, offset = rng.randrange(BUFFERS), rng.randrange(1 << 40) >> BURST << BURST
        data, give = rng.randrange(1 << PAYLOAD), asked < CASES and rng.random() < 0.8
        ready = rng.random() < (0.4, 0.95)[seed % 2]
        seen = model.step(
            **{"buffers_i": buffers, "valid_i": int(give), "spot_i": which << 62 | offset},
            **{"data_i": data, "ready_i": int(ready)},
        )
        assert seen["busy_o"] or not expected, seed
        if seen["valid_o"]:
            out = seen["addr_o"], seen["set_o"], seen["data_o"]
            assert out == expected[0], (seed, asked)
            assert held in (None, out)
            held = None if ready else out
            if ready:
                expected.popleft()
        if give and seen["ready_o"]:
            base, at = given[which]
            chosen, there = (int(x) for x in at.place(np.array(offset), sets, BURST))
            expected.append((base + there, chosen, data))
            asked += 1
    assert not model.step(buffers_i=buffers)["busy_o"]


@pytest.mark.parametrize("sets", [1, 2])
def test_bursts_are_where_the_map_says(sets: int, tmp_path: Path) -> None:
    model = mapper(tmp_path, sets)
    for seed in range(6):
        check(model, sets, seed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "good", "bad"),
    [
        ("ntf_channel_pkg", "place > LogW'(i)", "place >= LogW'(i)"),
        ("ntf_channel_pkg", "(offset >> count) & ~low", "(offset >> count)"),
        ("ntf_channel_pkg", "(offset >> above) & here", "offset & here"),
        ("ntf_channel_map", "without(masked_q, owner_low_q, LogSets)", "masked_q"),
        ("ntf_channel_map", "<< RowAt) |", "<< (RowAt + 1)) |"),
        ("ntf_channel_map", "base_q[2] + 64'(place)", "base_q[1] + 64'(place)"),
        ("ntf_channel_map", "set_q[1], data_q", "set_q[0], data_q"),
        ("ntf_channel_map", "buffers_i[spot_i.buffer]", "buffers_i[0]"),
        ("ntf_channel_map", "else if (en) valid_q", "else valid_q"),
        ("ntf_channel_map", "(|valid_q) | valid_o", "valid_o"),
    ],
)
def test_defects_are_caught(file: str, good: str, bad: str, tmp_path: Path) -> None:
    rtl = tmp_path / "rtl"
    copytree(RTL, rtl)
    broken(rtl / "decomposed" / f"{file}.sv", good, bad, rtl / "decomposed")
    model = mapper(tmp_path / "build", 2, rtl)
    with pytest.raises((AssertionError, IndexError)):
        for seed in range(6):
            check(model, 2, seed)
