# SPDX-License-Identifier: Apache-2.0
"""Whatever the coprocessor does, and whatever its host does not: secrets are gone in time.

Two runs that differ in secrets alone are ended at one moment. From then on the host does nothing.
As soon as all registers, memories and wires of the two models are alike, and stay so, no bit of a
secret is left: the cycles until then are compared with the bound that is stated.
"""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from unittest.mock import patch

import pytest

from nttforge.content import design_files
from nttforge.design import load_design
from nttforge.families.mlkem.program import SETS
from nttforge.families.mlkem.registers import register
from nttforge.flow.prepare import prepare_mlkem
from nttforge.simulate.cycles import CycleModel
from nttforge.simulate.mlkem import PORTS, Coprocessor, Request, rotate_key
from nttforge.standards.ml_kem.parameters import Parameters
from tests.rtl.faulty import bits, registers, settings
from tests.rtl.mlkem_state import REFERENCE

BOUND = 512  # cycles, as docs/threat-model.md has it
P = SETS[0]
KEPT = {"prim_kept": "*_q"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    where = tmp_path_factory.mktemp("zeroize")
    prepared = prepare_mlkem(load_design("ml-kem-coprocessor"))
    sources = [settings(where, KEPT), *design_files(prepared.folder)]
    return CycleModel.build(where / "model", sources, prepared.core.name, PORTS)


class StoppedError(Exception):
    """The host stops in the middle of an operation."""


def until(model: CycleModel, run: Callable[[], object], cycle: int) -> None:
    """Run up to that cycle, then leave everything as it is."""
    step, count = model.step, 0

    def counted(**inputs: int) -> dict[str, int]:
        nonlocal count
        count += 1
        if count > cycle:
            raise StoppedError
        return step(**inputs)

    with patch.object(model, "step", counted), suppress(StoppedError):
        run()


def pairs(seed: int, p: Parameters = P) -> dict[str, tuple[Request, Request]]:
    """Requests that differ in a secret alone."""
    rng, reference = random.Random(seed), REFERENCE[p]
    d, one, other = (rng.randbytes(32) for _ in range(3))
    ek, dk = reference._keygen_internal(d, d)
    c = reference._encaps_internal(ek, one)[1]
    vector = rng.randbytes(96 * 4 * p.k)
    forged = bytes(byte & 0x7F for byte in vector) + dk[384 * p.k :]
    return {
        "keygen": (Request("keygen", p, b"", d + one), Request("keygen", p, b"", d + other)),
        "encaps": (Request("encaps", p, ek, one), Request("encaps", p, ek, other)),
        "decaps": (
            Request("decaps", p, c, rotate_key(dk)),
            Request("decaps", p, c, rotate_key(forged[:-32] + other)),
        ),
    }


def apart(
    model: CycleModel,
    pair: tuple[Request, Request],
    cycle: int,
    end: Sequence[dict[str, int]],
    upset: Callable[[], object] = lambda: None,
) -> int:
    """Cycles after `end` in which two runs, stopped at a cycle, still are apart."""
    start, seen = model.state(), []
    for request in pair:
        model.restore(start)
        until(model, partial(Coprocessor(model).run_all, [request]), cycle)
        upset()
        states = []
        for drive in [*end, *[{}] * (BOUND + 100)]:
            model.step(**drive)
            states.append(hash(model.state()))
        seen.append(states)
    model.restore(start)
    return max((at for at, (a, b) in enumerate(zip(*seen, strict=True)) if a != b), default=-1) + 1


@pytest.fixture
def fresh(model: CycleModel) -> CycleModel:
    model.reset()
    while not model.step()["idle_o"]:
        pass
    return model


def moments(count: int, seed: int) -> list[tuple[str, int]]:
    rng = random.Random(seed)
    return [
        (rng.choice(("keygen", "encaps", "decaps")), rng.randrange(5, 1900)) for _ in range(count)
    ]


def longest(model: CycleModel, count: int, seed: int) -> int:
    """Of so many random moments: the most cycles from `zeroize_i` to the last bit of a secret."""
    requests = [pairs(seed, p) for p in SETS]
    end = [{"zeroize_i": 1}]
    return max(
        apart(model, requests[cycle % len(SETS)][name], cycle, end)
        for name, cycle in moments(count, seed)
    )


@pytest.mark.parametrize("count", [6, pytest.param(150, marks=pytest.mark.slow)])
def test_zeroize_in_time(fresh: CycleModel, count: int) -> None:
    # The search can find something: without an end nothing is ever wiped.
    assert apart(fresh, pairs(1)["decaps"], 400, [{}]) == BOUND + 101
    cycles = longest(fresh, count, 11)
    print(f"at most {cycles} cycles in {count} moments")
    assert 128 <= cycles <= BOUND


def test_an_error_with_a_host_that_never_ends_its_packets(fresh: CycleModel) -> None:
    requests = pairs(3)["encaps"]
    bad = [
        Request("encaps", P, bytes([255] * 8) + request.public[8:400], request.secret)
        for request in requests
    ]
    seen: list[int] = []
    for cycle in (30, 60, 200):
        # The host gives no last word, and then nothing at all.
        streams = [Request(r.operation, r.p, r.public + bytes(8), r.secret + bytes(8)) for r in bad]
        seen.append(apart(fresh, (streams[0], streams[1]), cycle, [{}]))
    assert all(cycles <= BOUND for cycles in seen), seen


def test_what_was_begun_ends(fresh: CycleModel) -> None:
    """Packets that were offered end with zeros, streams are drained, what follows is right."""
    reference, requests = REFERENCE[P], pairs(4)
    coprocessor = Coprocessor(fresh)
    until(fresh, lambda: coprocessor.run_all([requests["keygen"][0]]), 650)
    seen = [fresh.step(zeroize_i=1), *(fresh.step() for _ in range(BOUND))]
    assert seen[-1]["m_sec_tvalid"] and seen[-1]["m_sec_tlast"] and not seen[-1]["m_sec_tdata"]
    assert all(s["m_sec_tvalid"] for s in seen[5:]) and not seen[-1]["idle_o"]
    fresh.step(m_sec_tready=1, m_pub_tready=1)
    assert [fresh.step()["idle_o"] for _ in range(3)][-1]
    result = coprocessor.read("result")
    assert (
        register("result").fields[0].values[register("result").field("error").get(result)]
        == "zeroized"
    )
    coprocessor.write("acknowledge", 1)
    # A host that never ends its streams is waited for, until it says zeroize again.
    until(fresh, lambda: coprocessor.run_all([requests["decaps"][0]]), 60)
    assert coprocessor.write("zeroize", 1)
    for _ in range(BOUND):
        seen_last = fresh.step()
    assert not seen_last["idle_o"] and seen_last["s_pub_tready"] and seen_last["s_sec_tready"]
    assert coprocessor.write("zeroize", 1)
    for _ in range(BOUND):
        seen_last = fresh.step()
    assert seen_last["idle_o"]
    coprocessor.write("acknowledge", 1)
    run = coprocessor.run_all([requests["encaps"][0]])[0]
    ek, m = requests["encaps"][0].public, requests["encaps"][0].secret
    assert (run.secret, run.public) == reference._encaps_internal(ek, m)


def test_a_state_that_cannot_be_wipes(fresh: CycleModel) -> None:
    """Each bit of every register that is kept against faults: an alert, and no secret stays."""
    requests, rng = pairs(5), random.Random(9)
    guards = ("u_state", "u_phase", "u_unended", "u_left")  # the last: how far a memory is
    places = [r for r in registers(fresh) if any(f".{name}." in r.name for name in guards)]
    assert sum(r.bits for r in places) == 6 + 6 + 1 + (3 * 9 + 2 * 8)
    for place, bit in bits(places):
        name, cycle = rng.choice(sorted(requests)), rng.randrange(100, 600)
        start = fresh.state()
        until(fresh, partial(Coprocessor(fresh).run_all, [requests[name][0]]), cycle)
        assert not fresh.step()["alert_o"]
        place.flip(bit)
        seen = [fresh.step(m_pub_tready=1, m_sec_tready=1) for _ in range(BOUND)]
        assert all(s["alert_o"] for s in seen[4:])
        assert register("result").field("error").get(Coprocessor(fresh).read("result")) == 6
        fresh.restore(start)
    for place, bit in list(bits(places))[::5]:
        end: list[dict[str, int]] = [{}]
        cycles = apart(fresh, requests["encaps"], 450, end, partial(place.flip, bit))
        assert cycles <= BOUND
