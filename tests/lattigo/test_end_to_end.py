# SPDX-License-Identifier: Apache-2.0
"""Ciphertexts go through the simulated engine: with our own keys, and with lattigo's."""

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from nttforge.kinds.rns.machine import Machine
from nttforge.standards import rns
from nttforge.standards.rns import CONVENTIONS, Basis, Lift
from nttforge.standards.rns.basis import Array
from nttforge.standards.rns.keys import decrypt, encrypt, small, switching_key
from tests.lattigo import end_to_end
from tests.lattigo.end_to_end import COLUMNS, Rtl, compare, computed, moduli, product
from tests.lattigo.parameter_sets import engine
from tests.lattigo.peer import Encrypted, Lattigo, NoLattigoError, lattigo
from tests.rtl.rns.bench import prepared
from tests.tally import kept

_OPERATIONS = ["tensor", "key_switch", "rescale", "rescale", "rotate"]
_LOG_N, _LIMBS = 10, (3, 2)


def _moved(integers: Array, wide: Basis, g: int) -> Array:
    return wide.integers(rns.automorphism(wide.residues(integers), wide, g), Lift.CENTRED)


@pytest.mark.parametrize("times", [1, 3])
def test_a_product_is_rescaled_and_rotated(times: int) -> None:
    """Without Go: by our own encryption, on a small engine."""
    rng, made, g = random.Random(times), prepared(), pow(5, 13, 128)
    n, how = made.core.n, CONVENTIONS["lattigo"]
    q, p = moduli(6, _LIMBS)
    secret, x, y = small(rng, n, 1), small(rng, n, 9), small(rng, n, 9)
    scale = 1 << end_to_end.PARAMETERS["CKKS"]
    a, b = (encrypt(rng, each * scale, secret, q) for each in (x, y))
    square = decrypt((np.zeros_like(a[0]), q.residues(secret)), secret, q)
    image = _moved(secret, q, pow(g, -1, 2 * n))
    keys = [switching_key(rng, of, secret, q, p, convention=how) for of in (square,)]
    keys.append(switching_key(rng, secret, image, q, p, convention=how))
    with Machine.of(made) as machine:
        rtl = Rtl(machine)
        pair = product(rtl, Encrypted(g, a, b, *keys), times)
    lower = q.first(len(q.moduli) - 1)
    seen = decrypt(pair, secret, lower)
    whole = q.integers(rns.switching.product(q, q.residues(x), q.residues(y)), Lift.CENTRED)
    unit = times * scale * scale / q.moduli[-1]
    assert [round(value / unit) for value in seen] == list(_moved(whole, q, g))
    assert [name for name, _ in rtl.done] == _OPERATIONS
    assert all(cycles > n for _, cycles in rtl.done)


@pytest.fixture(scope="module")
def peer() -> Iterator[Lattigo]:
    try:
        with lattigo() as running:
            yield running
    except NoLattigoError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    with engine(_LOG_N) as found:
        yield found


@pytest.mark.slow  # builds a program whose module may have to be loaded, and a large engine
@pytest.mark.parametrize("scheme", list(end_to_end.PARAMETERS))
def test_lattigo_decrypts_what_the_rtl_computed(
    peer: Lattigo, machine: Machine, scheme: str
) -> None:
    """Each coefficient as by its own evaluator; and it sees what is wrong."""
    result = computed(machine, peer, scheme, _LIMBS)
    row = compare(peer, result)
    assert row["ok"], row
    assert row["words that differ"] == 0
    assert [name for name, _ in result.done] == _OPERATIONS
    c0, c1 = result.pair
    word = c0.copy()
    word[0, 0] = (word[0, 0] + (1 << 50)) % result.q.moduli[0]
    one = compare(peer, replace(result, pair=(word, c1)))
    assert not one["ok"], one
    assert one["words that differ"] == machine.core.n  # of a transform
    lower, t = result.q.first(len(c0)), end_to_end.PARAMETERS["BGV"]
    inverse = np.array([[pow(t, -1, m)] for m in lower.moduli], object)
    moduli_of = np.array([[m] for m in lower.moduli], object)
    without = [half * inverse % moduli_of for half in result.pair]
    for wrong in ((c1, c0), (without[0], without[1])):
        assert not compare(peer, replace(result, pair=wrong))["ok"]


def test_the_record_decrypts() -> None:
    rows = kept(end_to_end.RECORD)["rows"]
    assert {row["scheme"] for row in rows} == set(end_to_end.PARAMETERS)
    for row in rows:
        assert row["ok"] and row["words that differ"] == 0
        assert row["operations on the RTL"] == len(_OPERATIONS)
        assert set(COLUMNS) <= set(row)
