# SPDX-License-Identifier: Apache-2.0
"""Verbs and functions of a small engine: a user's own polynomials and keys."""

import json
import random
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import silent
from nttforge.kinds.rns.backend import BACKEND
from nttforge.kinds.rns.calls import FUNCTIONS
from nttforge.kinds.rns.cases import Shape, draw_moduli, run_case, switching_case
from nttforge.kinds.rns.machine import Machine, StuckError
from nttforge.kinds.rns.program import Op
from nttforge.kinds.rns.run import reference
from nttforge.kinds.rns.switching import Job, Limbs, Switch, hoisted
from nttforge.options.verbs import MeasureOptions, RunOptions, VerifyOptions
from nttforge.standards import rns
from nttforge.standards.rns import Basis
from nttforge.standards.rns.basis import Array
from nttforge.standards.rns.keys import decrypt, encrypt, small, switching_key, uniform
from tests.rtl.rns.bench import prepared


def job() -> tuple[dict[str, Any], rns.SwitchingKey]:
    """Arguments of `key_switch`, and its key."""
    made, rng = prepared(), random.Random(0)
    moduli = draw_moduli(made.core, rng, 50)
    q, p = Basis(moduli[:3]), Basis(moduli[3:5])
    old, new = (small(rng, made.core.n, 1) for _ in range(2))
    key = switching_key(rng, old, new, q, p, convention=rns.CONVENTIONS["lattigo"])
    c = uniform(rng, q.first(2), made.core.n)
    pairs = [[b.tolist(), a.tolist()] for b, a in key.pairs]
    given = {"c": c.tolist(), "q": q.moduli, "p": p.moduli, "key": pairs, "digit_limbs": 2}
    return given, key


def test_run_writes_a_pair(tmp_path: Path) -> None:
    given, key = job()
    source, target = tmp_path / "job.json", tmp_path / "pair.json"
    source.write_text(json.dumps(given), "utf-8")
    ran = BACKEND.run(prepared(), [source], target, RunOptions(), silent)
    right = rns.key_switch(np.array(given["c"], object), key)
    assert ran.ok and ran.cycles > 0
    assert json.loads(target.read_text("utf-8")) == [limbs.tolist() for limbs in right]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"c": [[0]]}, "c"),
        ({"q": []}, "key"),
        ({"library": "nobody"}, "convention"),
        ({"digits": 3}, "job.json"),
    ],
)
def test_wrong_arguments_are_one_line(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    given, _ = job()
    source = tmp_path / "job.json"
    source.write_text(json.dumps(given | change), "utf-8")
    with pytest.raises(NttforgeError) as error:
        BACKEND.run(prepared(), [source], tmp_path / "out.json", RunOptions(), silent)
    assert said in str(error.value)


def test_a_rotated_ciphertext_decrypts() -> None:
    """By its key for lattigo's rotation: from s to its image under the inverse of g."""
    made, rng, g = prepared(), random.Random(1), 5
    n, moduli = made.core.n, draw_moduli(made.core, random.Random(1), 50)
    q, p = Basis(moduli[:3]), Basis(moduli[3:4])

    def image(integers: Array, by: int) -> Array:
        wide = Basis((moduli[5],))
        return wide.integers(rns.automorphism(wide.residues(integers), wide, by), rns.Lift.CENTRED)

    secret, message = small(rng, n, 1), small(rng, n, 1) * (1 << 40)
    source = image(secret, pow(g, -1, 2 * n))
    key = switching_key(rng, secret, source, q, p, convention=rns.CONVENTIONS["lattigo"])
    pair = encrypt(rng, message, secret, q)
    call = BACKEND.functions(made)["rotate"]
    u0, u1 = call(pair, g, q=q.moduli, p=p.moduli, key=key.pairs)
    noise = decrypt((u0, u1), secret, q) - image(message, g)
    assert max(map(abs, noise)) < 1 << 30


@pytest.mark.parametrize("keccaks", [0, 2])
def test_half_of_a_key_may_be_a_seed(keccaks: int) -> None:
    """With Keccaks or without: the same pair, and that of the whole key."""
    made, rng = prepared(keccaks=keccaks), random.Random(3)
    moduli = draw_moduli(made.core, rng, 50)
    q, p = moduli[:3], moduli[5:6]
    bases = [Basis((*q, *p)) for _ in range(3)]
    key = [uniform(rng, basis, made.core.n) for basis in bases]
    given: dict[str, Any] = {"q": q, "p": p, "key": key, "seed": bytes(range(32)).hex()}
    c = uniform(rng, Basis(q), made.core.n)
    pair, gs = (uniform(rng, Basis(q), made.core.n), c), [3, 127]
    calls: dict[str, dict[str, Any]] = {
        "key_switch": {"c": c, **given},
        "key_switches": {"cs": [c, pair[0]], **given},
        "rotate": {"pair": pair, "g": 5, **given},
        "hoisted": {"pair": pair, "gs": gs, "keys": [key, key[::-1]]}
        | {name: value for name, value in given.items() if name != "key"},
    }
    with Machine.of(made) as machine:
        for name, arguments in calls.items():
            found = FUNCTIONS[name](machine, **arguments)
            right = reference(machine, name, arguments)
            assert all((a == b).all() for a, b in zip(found, right, strict=True)), name
        for seed in (bytes(31), "00", "no digits"):
            with pytest.raises(NttforgeError, match=r"^seed: is not 32 bytes"):
                FUNCTIONS["key_switch"](machine, c, **given | {"seed": seed})


def test_hoisted_rotations_are_those_alone() -> None:
    """Of three keys, one of them for no rotation; and each from JSON, compared by `run`."""
    made, rng = prepared(), random.Random(2)
    n, moduli = made.core.n, draw_moduli(made.core, random.Random(2), 50)
    q, p = Basis(moduli[:3]), Basis(moduli[3:4])
    pair = [uniform(rng, q.first(2), n) for _ in range(2)]
    both = Basis(q.moduli + p.moduli)
    keys = [[[uniform(rng, both, n) for _ in range(2)] for _ in range(3)] for _ in range(3)]
    gs = [3, 1, 2 * n - 1]
    calls = BACKEND.functions(made)
    found = calls["hoisted"](pair, gs, keys=keys, q=q.moduli, p=p.moduli)
    alone = [
        half
        for g, key in zip(gs, keys, strict=True)
        for half in calls["rotate"](pair, g, q=q.moduli, p=p.moduli, key=key)
    ]
    assert all((a == b).all() for a, b in zip(found, alone, strict=True))
    assert len(found) == 2 * len(gs)


def test_several_polynomials_with_one_key_overlap() -> None:
    """Each as alone, in less time; by the function, and from JSON as `run` takes it."""
    made, rng = prepared(), random.Random(6)
    n, moduli = made.core.n, draw_moduli(made.core, random.Random(6), 50)
    q, p = Basis(moduli[:4]), Basis(moduli[4:5])
    both = Basis(q.moduli + p.moduli)
    key = [[uniform(rng, both, n) for _ in range(2)] for _ in range(4)]
    cs = [uniform(rng, q.first(3), n) for _ in range(4)]
    named: dict[str, Any] = {"q": q.moduli, "p": p.moduli, "key": key}
    with Machine.of(made) as machine:
        found = FUNCTIONS["key_switches"](machine, cs, **named)
        together = machine.cycles
        alone = [half for c in cs for half in FUNCTIONS["key_switch"](machine, c, **named)]
        assert together < 0.9 * len(cs) * machine.cycles
        assert all((a == b).all() for a, b in zip(found, alone, strict=True))
        for wrong in ([], [cs[0], cs[1][:2]]):
            with pytest.raises(NttforgeError, match="cs: has polynomials of"):
                FUNCTIONS["key_switches"](machine, wrong, **named)
        right = reference(machine, "key_switches", {"cs": cs, **named})
    assert all((a == b).all() for a, b in zip(found, right, strict=True))


def test_hoisting_takes_fewer_transforms() -> None:
    """Digits are raised once; remainders and what is subtracted are of each key."""
    core, level = prepared().core, 4
    job = Job(Limbs(core, draw_moduli(core, random.Random(3), 50)))
    how = Switch(range(level), [6], 1, rns.CONVENTIONS["lattigo"], added=1)
    hoisted(job, how, [3, 5, 7], level)
    found = sum(command.op is Op.TRANSFORM for command in job.program.commands)
    shared, own = level + level * (level + 1) - level, 2 + 2 * level
    assert found == shared + 3 * own


_NO_RESIDUES = np.full((3, 64), -1, object)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("rotate", {"g": 4}, "g: 4 is no rotation"),
        ("rotate", {"g": 128 + 3}, "g: 131 is no rotation"),
        ("rotate", {"g": -3}, "g: -3 is no rotation"),
        ("rotate", {"pair": (_NO_RESIDUES, _NO_RESIDUES)}, "c: has words that are no residues"),
        ("key_switch", {"c": np.zeros((0, 64), object)}, "c: has 0 limbs"),
        ("key_switch", {"c": np.zeros((4, 64), object)}, "c: has 4 limbs"),
        ("key_switch", {"c": np.zeros((2, 63), object)}, "c: has the shape (2, 63)"),
        ("key_switch", {"keep": 1}, "key: has 1 digits"),
        ("key_switches", {"cs": [np.zeros((4, 64), object)]}, "c: has 4 limbs"),
        ("key_switches", {"cs": [_NO_RESIDUES]}, "cs: has words that are no residues"),
        ("hoisted", {"gs": [3, 4]}, "g: 4 is no rotation"),
        ("hoisted", {"gs": [3]}, "gs: 1 rotations have 2 keys"),
        ("hoisted", {"library": "seal"}, "library: seal permutes"),
        ("rescale", {"c": _NO_RESIDUES}, "c: has words that are no residues"),
        ("rescale", {"q": (97,)}, "q: has one modulus"),
        ("rescale", {"q": (129 * 257, 257)}, "q: 33153 is not an odd prime"),
        ("rescale", {"q": (259, 257)}, "modulus: 259 is not 1 modulo 128"),
        ("rescale", {"q": ((1 << 59) + 1, 257)}, "has 60 bits; use a prime of at most 54 bits"),
        ("rescale", {"q": tuple(range(257, 265))}, "moduli: 8 are too many"),
        ("tensor", {"b": (_NO_RESIDUES, _NO_RESIDUES)}, "b: has words that are no residues"),
        ("tensor", {"q": (97, 97, 193)}, "moduli: [97, 97, 193] are not distinct"),
    ],
)
def test_wrong_calls_run_nothing_and_the_next_is_right(
    name: str, change: dict[str, Any], said: str
) -> None:
    """One line each, before a modulus is loaded."""
    made, rng = prepared(), random.Random(4)
    moduli = draw_moduli(made.core, random.Random(4), 50)
    q, p = Basis(moduli[:3]), Basis(moduli[3:4])
    both = Basis(q.moduli + p.moduli)
    n = made.core.n
    key = [[uniform(rng, both, n) for _ in range(2)] for _ in range(3)]
    kept = key[: change.get("keep", 3)]
    c = np.zeros((len(change["q"]), n), object) if "q" in change else uniform(rng, q, n)
    switch = {"q": q.moduli, "p": p.moduli}
    arguments: dict[str, dict[str, Any]] = {
        "rotate": {"pair": (c, c), "key": key, "g": 3, **switch},
        "key_switch": {"c": c, "key": kept, **switch},
        "key_switches": {"cs": [c], "key": key, **switch},
        "hoisted": {"pair": (c, c), "keys": [key, key], "gs": [3, 5], **switch},
        "rescale": {"c": c, "q": q.moduli},
        "tensor": {"a": (c, c), "b": (c, c), "q": q.moduli},
    }
    wrong = {word: value for word, value in change.items() if word != "keep"}
    with Machine.of(made) as machine:
        with pytest.raises(NttforgeError) as error:
            FUNCTIONS[name](machine, **(arguments[name] | wrong))
        assert said in str(error.value)
        assert machine.cycles == 0 and not machine.moduli
        right = uniform(rng, q, n)
        (found,) = FUNCTIONS["rescale"](machine, right, q.moduli)
        assert (found == rns.rescale(right, q)).all()


def test_an_engine_takes_a_rotation_modulo_2n() -> None:
    """A command has (g - 1) / 2, so it cannot name an even g."""
    made, rng = prepared(), random.Random(8)
    n, moduli = made.core.n, draw_moduli(made.core, random.Random(8), 50)
    basis = Basis(moduli[:1])
    row = uniform(rng, basis, n)
    with Machine.of(made) as machine:
        machine.load(moduli)
        for g in (3, 2 * n + 3, 10 * n + 9):

            def make(job: Job, g: int = g) -> None:
                job.store(job.image(job.load(0, 0), 0, g), 0, 0)

            done = machine.compute(make, {(0, 0): row[0]})
            assert not done.outcome.errors
            assert (done.rows[0, 0] == rns.automorphism(row, basis, g)[0]).all()


def test_verify_and_measure_say_what_they_saw() -> None:
    made = prepared()
    checked = BACKEND.verify(made, VerifyOptions(count=8, seed=3), silent)
    assert checked.ok and checked.cases == 8
    measured = BACKEND.measure(made, MeasureOptions(), silent)
    assert all(each.cycles > each.floor for each in measured.operations)
    (several,) = BACKEND.measure(made, MeasureOptions(count=3), silent).operations
    assert several.calls == 3
    assert measured.operations[0].floor * 3 == several.floor < several.cycles
    assert several.cycles < 3 * measured.operations[0].cycles


@pytest.mark.parametrize("settled", [True, False])
def test_the_first_program_after_a_load_takes_no_longer(*, settled: bool) -> None:
    """Unless it has to wait for the check of the last root."""
    with Machine.of(prepared()) as machine:
        machine.load(draw_moduli(machine.core, random.Random(7), 50))
        if settled:
            machine.settle()
        case = switching_case(machine, Shape("key_switch", "lattigo", 3, 3, 1, 1), random.Random(7))
        first, second = (run_case(machine, case).cycles for _ in range(2))
    assert (first == second) == settled
    # Of each bit of the root two clocks, in each of the squarings.
    assert settled or first - second < 2 * 54 * 6 + 64


def test_measure_counts_no_check_of_a_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first operation takes as long where all roots have been checked long ago."""
    usual = BACKEND.measure(prepared(), MeasureOptions(), silent).operations[0].cycles
    settle = Machine.settle
    monkeypatch.setattr(Machine, "settle", lambda machine: (settle(machine), settle(machine)))
    assert BACKEND.measure(prepared(), MeasureOptions(), silent).operations[0].cycles == usual
    monkeypatch.setattr(Machine, "settle", lambda _: None)
    assert BACKEND.measure(prepared(), MeasureOptions(), silent).operations[0].cycles > usual


def test_moduli_of_a_load_without_an_outcome_are_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the next call loads them again."""

    def stuck(*_: object, **_more: object) -> NoReturn:
        raise StuckError("no outcome")

    with Machine.of(prepared()) as machine:
        moduli = draw_moduli(machine.core, random.Random(7), 50)
        machine.load(moduli)
        assert machine.moduli
        monkeypatch.setattr(Machine, "run", stuck)
        with pytest.raises(StuckError):
            machine.load(moduli)
        assert not machine.moduli


def test_the_bench_plays_every_stream() -> None:
    streams = BACKEND.stimulus(prepared().core).streams
    assert {each.bus for each in streams} == {"p_axis", "s_axis", "k_axis", "m_axis", "r_axis"}
    assert all(each.beats for each in streams)
