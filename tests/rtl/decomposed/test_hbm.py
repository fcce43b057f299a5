# SPDX-License-Identifier: Apache-2.0
"""Engines with high-bandwidth memory: every port has channels of its own, to read and to write."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from nttforge.errors import NttforgeError
from nttforge.families.dram import TRAFFIC
from nttforge.simulate.decomposed import DecomposedRun, DecomposedSimulator
from tests.rtl.decomposed.test_large import Engine, prepared_of

#: Four ports of 64 bits, eight of them: words of 32 and of 64 bits.
RINGS: dict[int, dict[str, object]] = {4: {"q": 998244353}, 8: {"preset": "goldilocks"}}
PORTS = pytest.mark.parametrize("ports", RINGS)


def engine_of(ports: int, **table: Any) -> Engine:
    keys = {"n": 32, "t": 8, "port_bits": 64, "l_max": 12, "memory": "hbm2", "clock_mhz": 300.0}
    return prepared_of(RINGS[ports], **keys | table)


class Opened:
    """Engines without data, by the number of ports."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._made: dict[int, DecomposedSimulator] = {}

    def __call__(self, ports: int) -> DecomposedSimulator:
        if ports not in self._made:
            prepared = engine_of(ports)
            build = DecomposedSimulator.build(prepared.core, prepared.folder, data=False)
            self._made[ports] = self._stack.enter_context(build)
        return self._made[ports]


@pytest.fixture(scope="module")
def opened() -> Iterator[Opened]:
    with ExitStack() as stack:
        yield Opened(stack)


def traffic(run: DecomposedRun, channels: range) -> list[dict[str, int]]:
    return [dict(zip(TRAFFIC, run.drams[channel], strict=True)) for channel in channels]


@PORTS
def test_each_channel_has_an_equal_part(opened: Opened, ports: int) -> None:
    """A round reads from one channel of each port and writes to the other; all as often."""
    engine = opened(ports)
    core = engine.core
    assert (core.ports, core.port_bytes) == (ports, 8)
    for size in (9, 12):  # of one round, of two
        run = engine.count(core.operations[0], size, 2)
        assert run.status == "ok"
        rounds = len(core.rounds(size))
        near, far = traffic(run, range(ports)), traffic(run, range(ports, 2 * ports))
        for side, reads, writes in ((near, 1, rounds - 1), (far, rounds - 1, 1)):
            for name, share in (("reads", reads), ("writes", writes)):
                # A burst of 16 bytes is one atom.
                expected = run.read_bursts // rounds * share
                assert [channel[name] for channel in side] == [expected] * ports
        assert not any(any(channel) for channel in run.drams[2 * ports :])


def test_what_does_not_fit_is_refused(opened: Opened) -> None:
    with pytest.raises(NttforgeError, match=r"decomposed\.b: .* longer than those of HBM2's ports"):
        engine_of(4, b=32)
    engine = opened(4)
    with pytest.raises(NttforgeError, match=r"sizes: .* do not fit half a channel .* or fewer"):
        engine.count(engine.core.operations[0], 12, 1 << 18)
