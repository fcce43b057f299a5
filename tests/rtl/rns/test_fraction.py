# SPDX-License-Identifier: Apache-2.0
"""Quotients of base conversion, alone: drawn words, and words at every distance from a border."""

import random
from collections.abc import Sequence
from math import prod
from pathlib import Path

import pytest

from nttforge.kinds.rns.cases import draw_moduli
from tests.rtl.rns.bench import prepared, unit

_CLOCKS = 30


class Fraction:
    """`ntf_rns_fraction`, a sum at a time."""

    def __init__(self, folder: Path) -> None:
        made = prepared()
        self.core = made.core
        guard, bits = self.core.fractions.guard, self.core.bits
        flags = {"valid_i": 1, "first_i": 1, "has_sign_i": 1, "sign_i": 1}
        words = {"shift_i": 6, "y_i": bits, "r_i": guard + 2}
        outputs = {"r_o": self.core.fractions.whole, "near_o": 1}
        self.model = unit(made, folder, "ntf_rns_fraction", flags | words, outputs)

    def run(
        self, x: int, moduli: Sequence[int], *, sign: bool = False, positive: bool | None = None
    ) -> tuple[int, int]:
        """Result and near of x; `positive` is what a row of signs has, if there is one."""
        steps = []
        for y, q in zip(ys_of(x, moduli), moduli, strict=True):
            shift, factor = self.core.fractions.constant(q)
            steps.append({"shift_i": shift, "y_i": y, "r_i": factor})
        if positive is not None:
            # Its word has other bits, too, and its factor is not 0.
            steps.append({"has_sign_i": 1, "y_i": 6 | positive, "r_i": 99})
        for number, step in enumerate(steps):
            self.model.step(valid_i=1, first_i=number == 0, sign_i=sign, **step)
            self.model.step(y_i=77, r_i=1 << 60)  # a pause
        # The flags of the last step stay until the next one.
        for _ in range(_CLOCKS):
            seen = self.model.step(sign_i=sign, has_sign_i=positive is not None, y_i=positive or 0)
        return seen["r_o"], seen["near_o"]

    def sign(self, w: int, moduli: Sequence[int]) -> int:
        """Whether w is 0 or more, by one modulus, two, ..., all."""
        positive: bool | None = None
        for count in range(1, len(moduli) + 1):
            found, _ = self.run(w, moduli[:count], sign=True, positive=positive)
            positive = bool(found)
        return found


def ys_of(x: int, moduli: Sequence[int]) -> list[int]:
    """x (D / q)^-1 modulo each q."""
    whole = prod(moduli)
    return [x * pow(whole // q, -1, q) % q for q in moduli]


def quotient(x: int, moduli: Sequence[int]) -> int:
    """The right one."""
    whole = prod(moduli)
    total = sum(y * (whole // q) for y, q in zip(ys_of(x, moduli), moduli, strict=True))
    return total // whole


@pytest.fixture(scope="module")
def fraction(tmp_path_factory: pytest.TempPathFactory) -> Fraction:
    return Fraction(tmp_path_factory.mktemp("fraction"))


def test_drawn_words_are_right_and_far(fraction: Fraction) -> None:
    rng = random.Random(0)
    for _ in range(200):
        moduli = draw_moduli(fraction.core, rng, 40)[: rng.randint(1, fraction.core.table.terms)]
        x = rng.randrange(prod(moduli))
        assert fraction.run(x, moduli) == (quotient(x, moduli), 0)


def test_a_word_is_near_where_its_quotient_may_be_wrong(fraction: Fraction) -> None:
    """On both sides of 0, at every distance; wrong ones are near, near ones within the bound."""
    rng, core = random.Random(1), fraction.core
    near = wrong = 0
    for count in (2, 4, core.table.terms):
        moduli = draw_moduli(core, rng, 50)[:count]
        whole = prod(moduli)
        bound = (whole << core.fractions.whole) >> core.fractions.guard
        for bit in range(whole.bit_length() - 1):
            for w in (1 << bit, -(1 << bit)):
                found, flagged = fraction.run(w % whole, moduli)
                right = quotient(w % whole, moduli)
                assert found == right or (flagged and found == right - 1), (count, bit, w)
                assert not flagged or abs(w) <= bound
                near += flagged
                wrong += found != right
    assert near > 20
    assert wrong > 10


def test_signs_make_near_words_right(fraction: Fraction) -> None:
    rng, core = random.Random(2), fraction.core
    for count in (2, 3, core.table.terms - 1):
        moduli = draw_moduli(core, rng, 50)[:count]
        whole = prod(moduli)
        for bit in range(0, whole.bit_length() - core.fractions.guard, 3):
            for w in (1 << bit, -(1 << bit), 0, 1, -1):
                positive = fraction.sign(w, moduli[:-1])
                assert positive == (w >= 0)
                found = fraction.run(w % whole, moduli, positive=bool(positive))
                assert found == (quotient(w % whole, moduli), 0)


def test_the_sign_of_one_limb(fraction: Fraction) -> None:
    """(q - 1) / 2 is the largest that counts as 0 or more, q - 1 as -1."""
    for q in (*draw_moduli(fraction.core, random.Random(3), 54)[:2], 257):
        for x, positive in ((0, 1), (1, 1), (q // 2, 1), (q // 2 + 1, 0), (q - 1, 0)):
            assert fraction.run(x, [q], sign=True)[0] == positive
