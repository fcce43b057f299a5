# SPDX-License-Identifier: Apache-2.0
"""Whatever the coprocessor does, and whatever its host does not: secrets are gone in time.

Two runs that differ in secrets alone are ended at one moment. From then on the host does nothing.
As soon as all registers, memories and wires of the two models are alike, and stay so, no bit of a
secret is left: the cycles until then are compared with the bound that is stated.
"""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import pytest

from nttforge.cache import design_files
from nttforge.design import load_design
from nttforge.flow.prepare import prepare_kind
from nttforge.kinds.lattice.bus import Request
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mlkem.program import CODES, SETS
from nttforge.kinds.lattice.mlkem.standard import ERRORS, rotate_key
from nttforge.simulate.cycles import CycleModel
from nttforge.standards.ml_kem.parameters import Parameters
from tests.coprocessors import KEM_PORTS, kem_request, register
from tests.rtl.faulty import bits, registers, settings
from tests.rtl.mlkem_bench import RegisterKem, each_step
from tests.rtl.mlkem_state import REFERENCE

BOUND = 512  # cycles, as docs/threat-model.md has it
P = SETS[0]
# What is kept against faults, and the error of the operation that runs.
OPEN = {"ntf_prim_kept": "*_q", "ntf_mlkem_control": "error_q"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    where = tmp_path_factory.mktemp("zeroize")
    prepared = prepare_kind(load_design("ml-kem-coprocessor"), LatticeCore)
    sources = [settings(where, OPEN), *design_files(prepared.folder)]
    return CycleModel.build(where / "model", sources, prepared.core.name, KEM_PORTS)


class StoppedError(Exception):
    """The host stops in the middle of an operation."""


def until(model: CycleModel, run: Callable[[], object], over: Callable[[int], bool] | int) -> None:
    """Run up to a cycle, or to the first one with which it is over; then leave all as it is."""
    step, count = model.step, 0

    def counted(**inputs: int) -> dict[str, int]:
        nonlocal count
        if count and (over(count) if callable(over) else count == over):
            raise StoppedError
        count += 1
        return step(**inputs)

    with each_step(model, counted), suppress(StoppedError):
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
        "keygen": (
            kem_request("keygen", p, b"", d + one),
            kem_request("keygen", p, b"", d + other),
        ),
        "encaps": (kem_request("encaps", p, ek, one), kem_request("encaps", p, ek, other)),
        "decaps": (
            kem_request("decaps", p, c, rotate_key(dk)),
            kem_request("decaps", p, c, rotate_key(forged[:-32] + other)),
        ),
        "decaps_standard": (
            kem_request("decaps_standard", p, c, dk),
            kem_request("decaps_standard", p, c, forged[:-32] + other),
        ),
        "decaps_seed": (
            kem_request("decaps_seed", p, c, d + one),
            kem_request("decaps_seed", p, c, d + other),
        ),
    }


def apart(
    model: CycleModel,
    pair: tuple[Request, Request],
    over: Callable[[int], bool] | int,
    end: Sequence[dict[str, int]],
    upset: Callable[[], object] = lambda: None,
) -> int:
    """Cycles after `end` in which two runs, stopped somewhere, still are apart."""
    start, seen = model.state(), []
    for request in pair:
        model.restore(start)
        until(model, partial(RegisterKem(model).run_all, [request]), over)
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
    names = [rng.choice(CODES) for _ in range(count)]
    return [(name, rng.randrange(5, 3000 if name == "decaps_seed" else 1900)) for name in names]


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


def refused(rng: random.Random) -> tuple[str, tuple[Request, Request]]:
    """Requests that differ in a secret, and are refused for the same reason at the same place."""
    p = rng.choice(SETS)
    name = rng.choice(CODES)
    pair = pairs(rng.randrange(100), p)[name]
    public = name != "keygen"  # which have words on that port
    kinds = ["secret length", *["public length"] * public, *["modulus"] * (name == "encaps")]
    kind = rng.choice([*kinds, *["hash"] * (name in ("decaps", "decaps_standard"))])
    (data,) = pair[0].public if kind in ("public length", "modulus") else (pair[0].secret,)
    length = len(data)
    words = rng.choice((rng.randrange(1, length // 8), length // 8 + rng.randrange(1, 9)))
    place = 3 * rng.randrange(128 * p.k)  # bytes of a public key with two coefficients

    def spoiled(request: Request) -> Request:
        match kind:
            case "secret length":
                return replace(request, secret=request.secret.ljust(8 * words, b"x")[: 8 * words])
            case "public length":
                return replace(
                    request, public=(request.public[0].ljust(8 * words, b"x")[: 8 * words],)
                )
            case "modulus":
                (key,) = request.public
                return replace(request, public=(key[:place] + b"\xff" * 3 + key[place + 3 :],))
            case _:  # the key's hash is the second of its last 32 bytes, which may come first
                key, at = request.secret, 32 if name == "decaps" else length - 64
                other = bytes([key[at] ^ 1 << place % 8])
                return replace(request, secret=key[:at] + other + key[at + 1 :], check=True)

    return f"{p.name} {name}: {kind}", (spoiled(pair[0]), spoiled(pair[1]))


@pytest.mark.parametrize("count", [6, pytest.param(150, marks=pytest.mark.slow)])
def test_an_error_in_time(fresh: CycleModel, count: int) -> None:
    """From the cycle that has an error on, the host does nothing any more."""
    rng, (error,) = random.Random(12), (r for r in registers(fresh) if r.name.endswith("error_q"))
    most: dict[str, int] = {}
    for _ in range(count):
        what, pair = refused(rng)
        reasons: list[int] = []

        def seen(_: int, reasons: list[int] = reasons) -> bool:
            reasons[:] = [error.read()]
            return bool(reasons[0])

        cycles = apart(fresh, pair, seen, [{}])
        assert ERRORS[reasons[0]].replace("_", " ") == what.split(": ")[1], (what, reasons)
        most[what.split(": ")[1]] = max(cycles, most.get(what.split(": ")[1], 0))
        assert cycles <= BOUND, what
    print(f"at most {most} cycles in {count} moments")


def test_an_error_with_a_host_that_never_ends_its_packets(fresh: CycleModel) -> None:
    requests = pairs(3)["encaps"]
    bad = [
        kem_request("encaps", P, bytes([255] * 8) + request.public[0][8:400], request.secret)
        for request in requests
    ]
    seen: list[int] = []
    for cycle in (30, 60, 200):
        # The host gives no last word, and then nothing at all.
        streams = [
            kem_request(r.operation, r.p, r.public[0] + bytes(8), r.secret + bytes(8)) for r in bad
        ]
        seen.append(apart(fresh, (streams[0], streams[1]), cycle, [{}]))
    assert all(cycles <= BOUND for cycles in seen), seen


def test_what_was_begun_ends(fresh: CycleModel) -> None:
    """Packets that were offered end with zeros, streams are drained, what follows is right."""
    reference, requests = REFERENCE[P], pairs(4)
    coprocessor = RegisterKem(fresh)
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
    # One that comes while all is wiped begins that again, and lets no packet go.
    until(fresh, lambda: coprocessor.run_all([requests["decaps"][0]]), 60)
    assert coprocessor.write("zeroize", 1)
    for _ in range(80):
        fresh.step()
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
    (ek,), m = requests["encaps"][0].public, requests["encaps"][0].secret
    assert (run.secret, run.public) == reference._encaps_internal(ek, m)


def test_a_state_that_cannot_be_wipes(fresh: CycleModel) -> None:
    """Each bit of every register that is kept against faults: an alert, and no secret stays."""
    requests, rng = pairs(5), random.Random(9)
    states = {"u_state": 6, "u_phase": 6, "u_unended": 1}
    counts = {"u_left": 3 * 9 + 2 * 8 + 5 + 5 + 11, "u_key_left": 9, "u_far": 25, "u_other": 8}
    rails = {"u_command": 2 * 7, "u_source": 2 * 6, "u_seeds": 2 * 14, "u_rails.u_rails": 2 * 13}
    rails["u_wiping"] = 2 * (11 + 7)  # of them the cycles until the transform is flushed
    places = []
    for guard, width in (states | counts | rails).items():
        found = [r for r in registers(fresh) if f".{guard}." in r.name]
        assert sum(r.bits for r in found) == width, guard
        places += found
    for place, bit in bits(places):
        name, cycle = rng.choice(sorted(requests)), rng.randrange(100, 600)
        start = fresh.state()
        until(fresh, partial(RegisterKem(fresh).run_all, [requests[name][0]]), cycle)
        assert not fresh.step()["alert_o"]
        place.flip(bit)
        seen = [fresh.step(m_pub_tready=1, m_sec_tready=1) for _ in range(BOUND)]
        assert all(s["alert_o"] for s in seen[4:])
        assert register("result").field("error").get(RegisterKem(fresh).read("result")) == 6
        fresh.restore(start)
    for place, bit in list(bits(places))[::15]:
        end: list[dict[str, int]] = [{}]
        cycles = apart(fresh, requests["encaps"], 450, end, partial(place.flip, bit))
        assert cycles <= BOUND
