# SPDX-License-Identifier: Apache-2.0
"""The fast reference against the definition, and against itself."""

import numpy as np
import pytest

from nttforge.ring.primes import is_prime, next_ntt_prime
from nttforge.ring.roots import minimal_root
from nttforge.simulate.native import (
    from_limbs,
    limbs_of,
    native_evaluate,
    native_transform,
    random_words,
    to_limbs,
)

MODULI = {
    "30 bits": 998244353,
    "goldilocks": (1 << 64) - (1 << 32) + 1,
    "bn254": 0x30644E72E131A029B85045B68181585D2833E84879B9709143E1F593F0000001,
    "bls12-381": 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001,
    "128 bits": next_ntt_prime(128, 1 << 40),
}


@pytest.mark.parametrize("q", MODULI.values(), ids=MODULI)
@pytest.mark.parametrize("way", ["cyclic", "negacyclic", "coset"])
def test_it_is_the_definition(q: int, way: str) -> None:
    assert is_prime(q)
    size = 5
    root, shift = minimal_root(q, 1 << size), 1
    if way == "negacyclic":
        shift = minimal_root(q, 2 << size)
        root = shift * shift % q
    if way == "coset":
        shift = q // 3
    words = random_words(q, (2, 1 << size), np.random.default_rng(3))
    words[1] = to_limbs(np.array([q - 1] * 32, dtype=object), words.shape[2])
    result = native_transform(q, root, words, shift=shift)
    given, got = from_limbs(words), from_limbs(result)
    for row in range(2):
        for k in range(1 << size):
            at = shift * pow(root, k, q) % q
            expected = sum(int(value) * pow(at, i, q) for i, value in enumerate(given[row])) % q
            assert int(got[row, k]) == expected
            assert native_evaluate(q, words[row], at) == expected
    back = native_transform(q, root, result, inverse=True, shift=shift)
    assert (back == words).all()


def test_random_words_are_below_q_and_use_all_of_it() -> None:
    for q in MODULI.values():
        values = from_limbs(random_words(q, (2000,), np.random.default_rng(0)))
        assert max(int(v) for v in values) < q
        assert max(int(v) for v in values) > q * 99 // 100
        assert min(int(v) for v in values) < q // 100
        assert (from_limbs(to_limbs(values, limbs_of(q.bit_length()))) == values).all()
