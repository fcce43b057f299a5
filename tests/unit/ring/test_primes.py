# SPDX-License-Identifier: Apache-2.0
from typing import Any

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nttforge.errors import NttforgeError
from nttforge.ring.primes import (
    _BASES,
    _PROVEN_BELOW,
    _is_strong_lucas_probable_prime,
    _is_strong_probable_prime,
    is_prime,
    largest_ntt_primes,
    nearest_ntt_prime,
    next_ntt_prime,
)


def test_every_small_number() -> None:
    assert [v for v in range(-3, 20000) if is_prime(v)] == [
        v for v in range(2, 20000) if flint.fmpz(v).is_prime()
    ]


@given(st.integers(2, 400), st.data())
def test_random_numbers_of_any_size(bits: Any, data: Any) -> None:
    value = data.draw(st.integers(1 << (bits - 1), (1 << bits) - 1)) | 1
    assert is_prime(value) == bool(flint.fmpz(value).is_prime())


@pytest.mark.parametrize("bits", [16, 31, 40, 64, 81, 90, 128, 256])
def test_products_of_two_primes_are_composite(bits: int) -> None:
    p = next_ntt_prime(bits, 2)
    assert not is_prime(p * p)
    assert not is_prime(p * next_ntt_prime(bits + 1, 2))


# The least composites that pass the Miller-Rabin test to the first k prime bases: OEIS A014233.
@pytest.mark.parametrize(
    "value",
    [
        2047,
        1373653,
        25326001,
        3215031751,
        2152302898747,
        3474749660383,
        341550071728321,
        3825123056546413051,
        318665857834031151167461,
        3317044064679887385961981,
    ],
)
def test_strong_pseudoprimes_are_composite(value: int) -> None:
    assert not is_prime(value)


def test_the_lucas_test_catches_what_miller_rabin_lets_pass() -> None:
    """The least composite that passes all 13 bases is where the proof without Lucas ends."""
    composite = _PROVEN_BELOW
    assert not flint.fmpz(composite).is_prime()
    assert all(_is_strong_probable_prime(composite, base) for base in _BASES)
    assert not is_prime(composite)


def test_the_lucas_test_alone_errs_exactly_where_it_is_known_to() -> None:
    """The strong Lucas pseudoprimes with Selfridge's parameters: OEIS A217255."""
    wrong = [v for v in range(3, 26000, 2) if _is_strong_lucas_probable_prime(v) != is_prime(v)]
    assert wrong == [5459, 5777, 10877, 16109, 18971, 22499, 24569, 25199]


def test_next_ntt_prime() -> None:
    expected = next(v for v in range(2049, 4096, 256) if flint.fmpz(v).is_prime())
    assert next_ntt_prime(12, 256) == expected == 3329
    assert next_ntt_prime(4, 6) == 13  # not 7, which has three bits
    q = next_ntt_prime(200, 1 << 20)
    assert q.bit_length() == 200
    assert q % (1 << 20) == 1
    assert flint.fmpz(q).is_prime()


def test_no_prime_of_so_few_bits() -> None:
    with pytest.raises(NttforgeError, match="no prime of 8 bits is 1 modulo 128") as error:
        next_ntt_prime(8, 128)
    assert error.value.field == "bits"


@given(st.integers(-5, 1 << 13), st.integers(1, 9))
def test_the_nearest_prime(value: int, log_order: int) -> None:
    order = 1 << log_order
    fitting = [q for q in range(1 + order, 1 << 15, order) if flint.fmpz(q).is_prime()]
    expected = min(fitting, key=lambda q: (abs(q - value), q))
    assert nearest_ntt_prime(value, order) == expected


def test_the_nearest_prime_has_at_most_256_bits() -> None:
    for value in ((1 << 256) - 1, 1 << 5000):
        q = nearest_ntt_prime(value, 1 << 32)
        assert q is not None and q.bit_length() == 256 and q % (1 << 32) == 1
        above = range(q + (1 << 32), 1 << 256, 1 << 32)
        assert is_prime(q) and not any(map(is_prime, above))
    assert nearest_ntt_prime(97, 1 << 256) is None


@given(st.integers(2, 14), st.integers(1, 9), st.integers(1, 5))
def test_the_largest_primes(bits: int, log_order: int, count: int) -> None:
    order = 1 << log_order
    least, end = 1 << (bits - 1), 1 << bits
    fitting = [q for q in range(end - 1, least - 1, -1) if q % order == 1 and is_prime(q)]
    if len(fitting) < count:
        with pytest.raises(NttforgeError, match=f"^bits: {len(fitting)} primes of {bits} bits"):
            largest_ntt_primes(bits, order, count)
    else:
        assert largest_ntt_primes(bits, order, count) == fitting[:count]
