# SPDX-License-Identifier: Apache-2.0
"""`flush_i`: whatever a core does, and whatever its source and sink do not, polynomials are gone.

Two runs that differ in coefficients alone are flushed at one moment; from then on nobody takes or
gives a beat. When `flushing_o` falls, all registers, memories and wires of the two models must be
alike: then no bit of a polynomial is left. In the middle of a run the same search finds some.
"""

import dataclasses
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, prepare
from nttforge.hw import StreamCore
from nttforge.kinds.stream.verify import verify
from nttforge.simulate.cycles import CycleModel
from tests.drawn import figures_hold
from tests.mutants import mutated
from tests.rtl.frames import frame_model, offers, random_frame
from tests.rtl.small_cores import SMALL_RING, TWO_RINGS

WIDE = {"name": "wide", "n": 16, "q": 8380417}
NARROW = {"name": "narrow", "n": 16, "q": 97, "layers": 3}
PRODUCTS = ["ntt", "intt", "polymul", "pointwise", "mac"]
#: The families, and within them whatever else keeps words: paddings, block RAM, contexts, pairs.
DESIGNS: dict[str, dict[str, Any]] = {
    "pipeline": {"rings": [SMALL_RING], "pipeline": {}},
    "two rings, seamless": {
        "rings": TWO_RINGS,
        "pipeline": {
            "byte_lanes": True,
            "seamless": True,
            "butterflies": 2,
            "adders_per_stage": 1,
            "ram_block_from": 2,
            "rom_block_from": 2,
        },
    },
    "mirrored, one beat, fused": {
        "rings": [SMALL_RING],
        "pipeline": {"butterflies": 8, "order": "mirrored", "fused": True, "short": True},
    },
    "credits, more of them than beats": {
        "rings": TWO_RINGS,
        "pipeline": {"flow_control": "credits", "butterflies": 2},
    },
    "iterative": {
        "rings": [SMALL_RING],
        "family": "iterative",
        "iterative": {"byte_lanes": True},
    },
    "products, contexts": {
        "rings": [NARROW],
        "family": "iterative",
        "operations": PRODUCTS,
        "iterative": {"slots": 9, "memory": "banks", "adders_per_stage": 1},
    },
    "pairs, block RAM": {
        "rings": [{"name": "half", "n": 16, "q": 3329, "layers": 3}, WIDE],
        "family": "iterative",
        "iterative": {"pairs": True, "ram_block_from": 2, "butterflies": 2},
    },
}
Beat = dict[str, int]


def prepared(keys: Mapping[str, Any], **more: Any) -> Prepared[StreamCore]:
    family = keys.get("family", "pipeline")
    own = {"name": "dut", **keys, family: {**keys[family], "flush": True}}
    return prepare(parse_design(own | more, "test"))


class Host:
    """Frames at random, with pauses on both sides; only their words are drawn from `words`."""

    def __init__(self, model: CycleModel, core: StreamCore, way: int, words: int) -> None:
        self.model, self.core = model, core
        self.way, self.words = random.Random(way), random.Random(words)
        self.coming, self.beat = self.beats(), Beat()
        self.open = self.leaving = self.held = False  # a packet in, a packet out, a beat

    def beats(self) -> Iterator[Beat]:
        while True:
            frame = random_frame(self.core, self.way, good=0.8)
            words = [[self.words.randrange(frame.operation.ring.q) for _ in b] for b in frame.beats]
            yield from offers(self.core, dataclasses.replace(frame, beats=words), self.way)

    def step(self, ready: bool = False, **more: int) -> Beat:
        """Offer what is to be offered, take something or not; nothing is taken back."""
        seen = self.model.step(**self.beat, m_axis_tready=int(ready), **more)
        if self.beat and seen["s_axis_tready"]:
            self.open = not self.beat["s_axis_tlast"]
            self.beat = {}
        assert seen["m_axis_tvalid"] or not self.held
        self.held = bool(seen["m_axis_tvalid"]) and not ready
        if seen["m_axis_tvalid"]:
            self.leaving = self.held or not seen["m_axis_tlast"]
        return seen

    def run(self, cycles: int) -> list[Beat]:
        seen = []
        for _ in range(cycles):
            if not self.beat and self.way.random() < 0.7:
                self.beat = next(self.coming)
            seen.append(self.step(self.way.random() < 0.6))
        return seen

    def flush(self, ask: int = 1) -> int:
        """Ask, and wait; what was offered stays so for half of that: the cycles that it takes."""
        assert self.core.flush is not None
        self.step(flush_i=ask)
        took = 0
        while self.step()["flushing_o"]:
            took += 1
            assert took <= self.core.flush.cycles
            if took == self.core.flush.cycles // 2:
                self.beat = {}
        return took


def fresh(model: CycleModel) -> None:
    """After a reset, and the flush that follows it."""
    model.reset()
    while model.step()["flushing_o"]:
        pass


def moments(core: StreamCore, count: int) -> list[int]:
    rng = random.Random(5)
    most = 3 * max(operation.latency for operation in core.operations)
    return [rng.randrange(1, most) for _ in range(count)]


def left(
    model: CycleModel, core: StreamCore, moment: int, seed: int, ask: int = 1
) -> tuple[int, int]:
    """Cycles that a flush takes at a moment, and bytes in which two runs differ after it."""
    ends, took = [], 0
    for words in (1, 2):
        fresh(model)
        host = Host(model, core, seed, words)
        host.run(moment)
        took = host.flush(ask)
        ends.append(model.state())
    return took, sum(a != b for a, b in zip(*ends, strict=True))


def worst(model: CycleModel, core: StreamCore, count: int) -> tuple[int, int]:
    """Of so many moments, the most of both."""
    results = [left(model, core, moment, seed) for seed, moment in enumerate(moments(core, count))]
    return max(took for took, _ in results), max(different for _, different in results)


@pytest.fixture(scope="module", params=DESIGNS)
def made(request: pytest.FixtureRequest) -> Prepared[StreamCore]:
    return prepared(DESIGNS[request.param])


@pytest.fixture(scope="module")
def model(made: Prepared[StreamCore], tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    return frame_model(made, tmp_path_factory.mktemp("flush") / "model")


@pytest.mark.parametrize("count", [10, pytest.param(300, marks=pytest.mark.slow)])
def test_nothing_is_left(made: Prepared[StreamCore], model: CycleModel, count: int) -> None:
    core = made.core
    took, different = worst(model, core, count)
    print(f"{took} cycles of {core.flush} in {count} moments")
    assert not different
    assert core.flush is not None
    if "iterative/ntf_iterative.sv" not in core.sources:
        assert took == core.flush.cycles
    # The search finds what is there: without a request all is.
    assert left(model, core, moments(core, 1)[0], 0, ask=0)[1]


def shown(seen: list[Beat], user_bits: int) -> list[tuple[int, ...]]:
    """What means something: payload of beats, and the error of the last one."""
    operation = (1 << user_bits) - 1
    means = []
    for s in seen:
        user = s["m_axis_tuser"] & (operation if not s["m_axis_tlast"] else ~0)
        beat = (s["m_axis_tlast"], user, s["m_axis_tdata"]) if s["m_axis_tvalid"] else ()
        means.append((s["s_axis_tready"], *beat))
    return means


def test_packets_end_and_what_follows_is_as_behind_a_reset(
    made: Prepared[StreamCore], model: CycleModel
) -> None:
    core = made.core
    user_bits = core.stream.user_bits
    behind = 2 * max(operation.latency for operation in core.operations) + 40
    for seed, moment in enumerate(moments(core, 10)):
        fresh(model)
        wanted = shown(Host(model, core, 1000 + seed, seed).run(behind), user_bits)
        assert any(len(cycle) > 1 for cycle in wanted)
        fresh(model)
        host = Host(model, core, seed, seed)
        host.run(moment)
        host.step(flush_i=1)
        host.beat = {}
        host.flush(ask=0)
        if seed % 2:  # A source that says no more, and a second request.
            host.flush()
            host.open = False
        while host.open:  # One that goes on: what it has begun is thrown away.
            host.beat = host.beat or next(host.coming)
            host.step()
        owed = host.leaving
        last = host.step(ready=True)
        assert last["m_axis_tvalid"] == owed
        if owed:
            assert last["m_axis_tlast"] and not last["m_axis_tdata"]
            assert last["m_axis_tuser"] == 1 << user_bits
        assert shown(Host(model, core, 1000 + seed, seed).run(behind), user_bits) == wanted


def test_a_request_in_front_of_any_packet_throws_none_away(
    made: Prepared[StreamCore], model: CycleModel
) -> None:
    core = made.core
    cycles = 2 * max(operation.latency for operation in core.operations) + 40
    ends = []
    for ask in (0, 1):
        fresh(model)
        Host(model, core, 0, 0).flush(ask)
        ends.append(shown(Host(model, core, 1, 1).run(cycles), core.stream.user_bits))
    assert ends[0] == ends[1] and any(len(cycle) > 1 for cycle in ends[0])


@pytest.mark.parametrize("name", ["pipeline", "two rings, seamless", "iterative"])
def test_otherwise_nothing_changes(name: str) -> None:
    """Bit-exact under all stalls, in as many cycles as without it; lanes of whole bytes as well."""
    made = prepared(DESIGNS[name])
    assert verify(made, transforms=60).ok
    figures_hold(made)


def test_a_shell_has_no_ports_for_it() -> None:
    with pytest.raises(NttforgeError, match=r"pipeline\.flush"):
        prepared(DESIGNS["pipeline"], shell={})
    data = {"name": "dut", "rings": [SMALL_RING], "pipeline": {"byte_lanes": True}, "shell": {}}
    with pytest.raises(NttforgeError, match=r"pipeline\.byte_lanes"):
        prepare(parse_design(data, "test"))


#: File, what it has, what it has then: something is not reached, or not in time, or not reset.
MUTANTS = {
    "one path alone": ("dut.sv", "{1'd0, 1'd1}", "{1'd1, 1'd1}"),
    "words of the source": ("ntf_flusher.sv", "s_axis_tdata & {DataW{enter}}", "s_axis_tdata"),
    "no reset in front": ("ntf_flusher.sv", ".run_i(state_q != StReset)", ".run_i(1'b1)"),
    "a memory": ("ntf_prim_ram_1r1w.sv", "if (en_i & we_i) mem", "if (en_i & we_i & |wdata_i) mem"),
}
QUICK = ("one path alone", "a memory")


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in MUTANTS],
)
def test_a_core_that_forgets_something_is_found(name: str, tmp_path: Path) -> None:
    file, good, bad = MUTANTS[name]
    made = prepared(DESIGNS["pipeline"])
    (path,) = made.folder.rglob(file)
    broken = mutated(made, tmp_path / "mutant", str(path.relative_to(made.folder)), good, bad)
    model = frame_model(broken, tmp_path / "model")
    with pytest.raises(AssertionError):
        assert not worst(model, made.core, 10)[1]
