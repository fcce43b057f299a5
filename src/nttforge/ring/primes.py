# SPDX-License-Identifier: Apache-2.0
"""Primes: whether a modulus is one, and primes that have roots of unity of an order."""

import random
from math import isqrt

from nttforge.errors import NttforgeError

_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)

# The least composite that passes the Miller-Rabin test to all of _BASES (Sorenson and Webster,
# "Strong pseudoprimes to twelve prime bases", Math. Comp. 86, 2017).
_PROVEN_BELOW = 3317044064679887385961981


def is_prime(value: int) -> bool:
    """Tell whether `value` is prime.

    The answer is proven below 3.3e24 (Miller-Rabin to the first 13 prime bases). Beyond, the test
    adds a strong Lucas test to those bases, so it includes the Baillie-PSW test, to which no
    counterexample is known; it never takes a prime for a composite.
    """
    if value < 2:
        return False
    for prime in _BASES:
        if value % prime == 0:
            return value == prime
    if not all(_is_strong_probable_prime(value, base) for base in _BASES):
        return False
    return value < _PROVEN_BELOW or _is_strong_lucas_probable_prime(value)


def drawn_primes(
    count: int, bits: int, zeros: int, rng: random.Random, least: int = 0
) -> tuple[int, ...]:
    """Distinct primes that are 1 modulo 2^zeros, of all widths from `least` to `bits` bits.

    The least width is at least zeros + 6, so that there are enough of them, but at most `bits`.
    """
    found, narrowest = dict[int, None](), min(max(least, zeros + 6), bits)
    while len(found) < count:
        width = rng.randint(narrowest, bits)
        q = (rng.getrandbits(width - zeros - 1) | 1 << width - zeros - 1) << zeros | 1
        if is_prime(q):
            found[q] = None
    return tuple(found)


def largest_prime(bits: int, zeros: int) -> int:
    """The largest prime of at most `bits` bits that is 1 modulo 2^zeros.

    Raises NttforgeError: `bits`, if there is none.
    """
    for q in range((1 << bits) - (1 << zeros) + 1, 1, -(1 << zeros)):
        if is_prime(q):
            return q
    problem = f"no prime of {bits} bits is 1 modulo {1 << zeros}"
    raise NttforgeError("bits", problem, "use more bits, or a smaller n")


MAX_MODULUS_BITS = 256
"""Bits of the largest modulus."""


def check_modulus(q: int, field: str, order: int = 2) -> None:
    """Check that `q` is a modulus: its size first, as a test of a large number takes long.

    Raises NttforgeError: `field`: it is not an odd prime of at most 256 bits. The message names the
    nearest prime that is 1 modulo `order`.
    """
    if q.bit_length() > MAX_MODULUS_BITS:
        problem = f"it has {q.bit_length()} bits, the largest modulus {MAX_MODULUS_BITS}"
        raise NttforgeError(field, problem, use_nearest(q, order))
    if q < 3 or not is_prime(q):
        raise NttforgeError(field, f"{q} is not an odd prime", use_nearest(q, order))


def _is_strong_probable_prime(value: int, base: int) -> bool:
    """Miller-Rabin: one round for an odd `value` that `base` does not divide."""
    twos = _twos(value - 1)
    power = pow(base, (value - 1) >> twos, value)
    if power in (1, value - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % value
        if power == value - 1:
            return True
    return False


def _is_strong_lucas_probable_prime(value: int) -> bool:
    """Strong Lucas test with Selfridge's parameters (Baillie and Wagstaff, 1980, section 5)."""
    if isqrt(value) ** 2 == value:
        return False  # no discriminant would ever be a non-residue
    discriminant = 5
    while (symbol := _jacobi(discriminant, value)) != -1:
        if symbol == 0 and abs(discriminant) % value:
            return False
        discriminant = -discriminant - 2 if discriminant > 0 else -discriminant + 2
    q = (1 - discriminant) // 4
    half = (value + 1) // 2
    twos = _twos(value + 1)
    # U_k and V_k of the Lucas sequence with P = 1, from the top bit of k = (value + 1) / 2^twos.
    u, v, q_power = 1, 1, q % value
    for bit in bin((value + 1) >> twos)[3:]:
        u, v, q_power = u * v % value, (v * v - 2 * q_power) % value, q_power * q_power % value
        if bit == "1":
            u, v = (u + v) * half % value, (discriminant * u + v) * half % value
            q_power = q_power * q % value
    if u == 0:
        return True
    for _ in range(twos):
        if v == 0:
            return True
        v, q_power = (v * v - 2 * q_power) % value, q_power * q_power % value
    return False


def _twos(value: int) -> int:
    """Exponent of 2 in a positive `value`."""
    return (value & -value).bit_length() - 1


def _jacobi(a: int, n: int) -> int:
    """Jacobi symbol (a / n) for an odd positive `n`."""
    a %= n
    sign = 1
    while a:
        twos = _twos(a)
        a >>= twos
        if twos & 1 and n % 8 in (3, 5):
            sign = -sign
        if a % 4 == n % 4 == 3:
            sign = -sign
        a, n = n % a, a
    return sign if n == 1 else 0


def next_ntt_prime(bits: int, order: int) -> int:
    """Find the smallest prime of exactly `bits` bits that is 1 modulo `order`.

    Raises NttforgeError: `bits`: there is no such prime.
    """
    candidate = (1 << (bits - 1)) // order * order + 1
    while candidate >> bits == 0:
        if candidate.bit_length() == bits and is_prime(candidate):
            return candidate
        candidate += order
    raise NttforgeError(
        "bits", f"no prime of {bits} bits is 1 modulo {order}", "use more bits or a smaller order"
    )


def largest_ntt_primes(bits: int, order: int, count: int) -> list[int]:
    """The largest `count` primes of exactly `bits` bits that are 1 modulo `order`, largest first.

    Raises NttforgeError: `bits`: there are fewer.
    """
    found: list[int] = []
    candidate = ((1 << bits) - 2) // order * order + 1
    while candidate.bit_length() == bits and len(found) < count:
        if is_prime(candidate):
            found.append(candidate)
        candidate -= order
    if len(found) < count:
        problem = f"{len(found)} primes of {bits} bits are 1 mod {order}, and {count} were wanted"
        raise NttforgeError("bits", problem, "use more bits, a smaller n, or ask for fewer")
    return found


def nearest_ntt_prime(value: int, order: int) -> int | None:
    """The prime nearest to `value` that is 1 modulo the even `order`; None if there is none.

    It has at most :data:`MAX_MODULUS_BITS` bits. Of two at the same distance it is the smaller one.
    """
    last = ((1 << MAX_MODULUS_BITS) - 2) // order
    below = min(max(value - 1, 0) // order, last)
    above = below + 1
    while below > 0 or above <= last:
        low, high = below * order + 1, above * order + 1
        down = below > 0 and (above > last or value - low <= high - value)
        if is_prime(low if down else high):
            return low if down else high
        if down:
            below -= 1
        else:
            above += 1
    return None


def use_nearest(value: int, order: int) -> str:
    """Hint for a modulus that does not fit, with the nearest one that does."""
    nearest = nearest_ntt_prime(value, order)
    if nearest is None:
        return f"use a smaller n: no prime of {MAX_MODULUS_BITS} bits is 1 mod {order}"
    return f"use {nearest}, the nearest prime that is 1 mod {order}"
