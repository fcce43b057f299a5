# SPDX-License-Identifier: Apache-2.0
"""Verbs and functions of a small engine: a user's own polynomials and keys."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import silent
from nttforge.kinds.rns.backend import BACKEND
from nttforge.kinds.rns.cases import draw_moduli
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


def test_verify_and_measure_say_what_they_saw() -> None:
    made = prepared()
    checked = BACKEND.verify(made, VerifyOptions(count=7, seed=3), silent)
    assert checked.ok and checked.cases == 7
    measured = BACKEND.measure(made, MeasureOptions(), silent)
    assert all(each.cycles > each.floor for each in measured.operations)


def test_the_bench_plays_every_stream() -> None:
    streams = BACKEND.stimulus(prepared().core).streams
    assert {each.bus for each in streams} == {"p_axis", "s_axis", "k_axis", "m_axis", "r_axis"}
    assert all(each.beats for each in streams)
