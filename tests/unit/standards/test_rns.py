# SPDX-License-Identifier: Apache-2.0
"""Key switching by each convention: it decrypts, its borders, and what libraries differ in."""

import hashlib
import random
from collections.abc import Sequence

import numpy as np
import pytest

from nttforge.errors import NttforgeError
from nttforge.ring.primes import largest_ntt_primes
from nttforge.standards.rns import (
    CONVENTIONS,
    Basis,
    Convention,
    Lift,
    add,
    automorphism,
    convention,
    digits,
    divide,
    expand,
    expand_key,
    key_switch,
    relinearize,
    rescale,
    rotate,
    tensor,
)
from nttforge.standards.rns.basis import Array
from nttforge.standards.rns.keys import decrypt, encrypt, small, switching_key, uniform

N = 16
every_convention = pytest.mark.parametrize("how", CONVENTIONS.values(), ids=list(CONVENTIONS))


Q, P = (Basis(tuple(largest_ntt_primes(b, 2 * N, k))) for b, k in ((30, 5), (31, 2)))


def bases(how: Convention) -> tuple[Basis, Basis]:
    return Q, (P if how.digit_limbs is None else P.first(1))


def noise(values: Array) -> int:
    return int(max(abs(values)))


@every_convention
@pytest.mark.parametrize("level", [1, 2, 3, 5])
def test_switched_polynomials_decrypt_to_their_product_with_the_old_secret(
    how: Convention, level: int
) -> None:
    rng = random.Random(level)
    q, p = bases(how)
    old, new = small(rng, N, 1), small(rng, N, 1)
    key = switching_key(rng, old, new, q, p, convention=how)
    c, of_level = uniform(rng, q.first(level), N), q.first(level)
    zero = np.zeros_like(c)
    error = decrypt(key_switch(c, key), new, of_level) - decrypt((zero, c), old, of_level)
    error = (error + of_level.product // 2) % of_level.product - of_level.product // 2
    # Digits below D k, keys' noise of 19, over P; and what is rounded, times a secret.
    assert noise(error) <= 3 * 19 * N * 2 * 2 + N * 4


@every_convention
def test_products_rotations_and_rescaling_decrypt(how: Convention) -> None:
    rng = random.Random(3)
    q, p = bases(how)
    secret = small(rng, N, 1)
    one, two = small(rng, N, 9), small(rng, N, 9)
    scale = 1 << 25
    a, b = (encrypt(rng, m * scale, secret, q) for m in (one, two))
    square = decrypt((np.zeros_like(a[0]), q.residues(secret)), secret, q)
    key = switching_key(rng, square, secret, q, p, convention=how)
    pair = relinearize(tensor(a, b, q), key)
    smaller = (rescale(pair[0], q), rescale(pair[1], q))
    last = q.moduli[-1]
    expected = np.zeros(N, object)
    for i, x in enumerate(one):
        for j, y in enumerate(two):
            expected[(i + j) % N] += x * y * (1 if i + j < N else -1)
    seen = decrypt(smaller, secret, q.first(4))
    unit = scale * scale / last
    assert [round(value / unit) for value in seen] == list(expected)
    for g in (3, 5, 2 * N - 1):
        inverse = pow(g, -1, 2 * N)
        image = automorphism(Q.residues(secret), Q, inverse if how.permute_after else g)
        moved = Q.integers(image, Lift.CENTRED)
        source, target = (secret, moved) if how.permute_after else (moved, secret)
        turned = rotate(a, g, switching_key(rng, source, target, q, p, convention=how))
        whole = automorphism(q.residues(one), q, g)
        seen = decrypt(turned, secret, q)
        assert [round(v / scale) for v in seen] == list(q.integers(whole, Lift.CENTRED))


@every_convention
def test_a_plaintext_modulus_is_kept(how: Convention) -> None:
    """Of BGV: what is switched, divided and dropped is 0 modulo t, so that messages stay exact."""
    rng, t = random.Random(4), 257
    q, p = bases(how)
    old, new = small(rng, N, 1), small(rng, N, 1)
    message = small(rng, N, 100)
    key = switching_key(rng, old, new, q, p, convention=how, t=t)
    c0, c1 = encrypt(rng, message, old, q, t)
    u0, u1 = key_switch(c1, key, t=t)
    switched = (add(q, c0, u0), u1)
    assert list((decrypt(switched, new, q) - message) % t) == [0] * N
    dropped = tuple(rescale(each, q, t=t) for each in switched)
    factor = pow(q.moduli[-1], -1, t)
    seen = decrypt((dropped[0], dropped[1]), new, q.first(4))
    assert list((seen - message * factor) % t) == [0] * N


def border(basis: Basis, offsets: Sequence[int]) -> tuple[Array, list[int]]:
    """Limbs of D // 2 and its neighbours, and those integers."""
    values = [basis.product // 2 + each for each in offsets]
    return basis.residues(np.array(values, object)), values


@pytest.mark.parametrize("limbs", [1, 2, 5])
def test_borders_of_centred_integers(limbs: int) -> None:
    """(D - 1) / 2 stays but in a digit of one limb of lattigo's; 1 more is negative in both."""
    basis = Q.first(limbs)
    given, (half, above) = border(basis, (0, 1))
    d = basis.product
    assert list(basis.integers(given, Lift.CENTRED)) == [half, above - d]
    assert list(basis.integers(given, Lift.CENTRED_DOWN)) == [half - d, above - d]
    (digit,) = digits(given, basis, limbs, convention("lattigo"))
    assert list(digit) == [half - d * (limbs == 1), above - d]
    near, values = border(basis, [s << j for j in range(25) for s in (1, -1)])
    assert list(basis.integers(near, Lift.CENTRED)) == [v - d * (v > half) for v in values]


def test_without_the_correction_there_are_as_many_moduli_too_much_at_most() -> None:
    rng = random.Random(6)
    limbs = uniform(rng, Q, 2000)
    more = (Q.integers(limbs, Lift.UNCORRECTED) - Q.integers(limbs)) // Q.product
    assert set(more) == {0, 1, 2, 3, 4}


def test_division_is_rounded_or_rounded_down() -> None:
    q, p = Q.first(2), P.first(1)
    both = Basis(q.moduli + p.moduli)
    half = p.product // 2
    values = np.array([0, half, half + 1, p.product, 7 * p.product + half + 1], object)
    limbs = both.residues(values)
    assert list(q.integers(divide(limbs, q, p, Lift.CENTRED))) == [0, 0, 1, 1, 8]
    assert list(q.integers(divide(limbs, q, p, Lift.PLAIN))) == [0, 0, 0, 1, 7]


def test_automorphisms_are_those_of_the_definition() -> None:
    rng = random.Random(8)
    c = uniform(rng, Q, N)
    for g in (1, 3, 5, 13, 2 * N - 1):
        image = [0] * N
        for i, value in enumerate(Q.integers(c)):
            place = i * g % (2 * N)
            image[place % N] = int(value if place < N else -value) % Q.product
        assert list(Q.integers(automorphism(c, Q, g))) == image


def test_what_cannot_be_is_refused() -> None:
    rng = random.Random(9)
    c, s = uniform(rng, Q, N), small(rng, N, 1)
    how = convention("lattigo")
    key = switching_key(rng, s, s, Q.first(4), P, convention=how)
    with pytest.raises(NttforgeError, match=r"^c: has 5 limbs"):
        key_switch(c, key)
    short = switching_key(rng, s, s, Q.first(2), P, convention=how)
    few = type(key)(Q, P, short.pairs, 2, how)
    with pytest.raises(NttforgeError, match=r"^key: has 1 digits"):
        key_switch(c, few)
    with pytest.raises(NttforgeError, match=r"^moduli: .* are not distinct"):
        Basis((97, 97))
    with pytest.raises(NttforgeError, match=r"^g: 4 is even"):
        automorphism(c, Q, 4)
    with pytest.raises(NttforgeError, match=r"^limbs: there is one"):
        rescale(c[:1], Q.first(1))
    with pytest.raises(NttforgeError, match=r"^convention: there is no lattice"):
        convention("lattice")


def test_the_uniform_half_is_expanded_as_is_said() -> None:
    """By another reading of the output: one integer, whose digits are the candidates."""
    seed, q, n = bytes(range(32)), Q.moduli[2], 512
    mask, expected = (1 << q.bit_length()) - 1, []
    for chunk in range(2):
        xof = hashlib.shake_128(seed + bytes([1, 2, chunk, 0]))
        output = int.from_bytes(xof.digest(8192), "little")
        candidates = (output >> 64 * at & mask for at in range(1024))
        expected += [each for each in candidates if each < q][:256]
    assert list(expand(seed, 1, 2, q, n)) == expected
    assert list(expand_key(seed, 2, Q, n)[1][2]) == expected
    # Fewer than 256 are the first ones of the same.
    assert list(expand(seed, 1, 2, q, 64)) == expected[:64]
    # Of a modulus just above a power of two, half of the candidates are refused.
    assert max(expand(seed, 0, 0, 65537, 4096)) < 65537
    assert max(expand(seed, 0, 0, (1 << 63) + 29, 256)) > 1 << 62
    # All values have their bits, as a modulus of 64 bits shows.
    assert max(expand(seed, 0, 0, (1 << 64) - 59, 256)) > 1 << 63
    with pytest.raises(NttforgeError, match=r"^seed: has 31 bytes"):
        expand(seed[1:], 0, 0, q, n)
    with pytest.raises(NttforgeError, match=r"^limb: 256 is no byte"):
        expand(seed, 0, 256, q, n)
