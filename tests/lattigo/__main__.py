# SPDX-License-Identifier: Apache-2.0
"""Key switching by our reference and by lattigo: `python -m tests.lattigo COUNT`.

Each case is a drawn set of moduli, a level, an operation, and a polynomial: uniform, or with digits
near half of their modulus. A key may be anything: it is uniform. lattigo decides in floating point
on which side of a border a digit of several limbs lies, so that it is wrong within about 2^-53 of
it: cases with such digits ("at borders") are counted and listed, and may differ. In others every
coefficient is the same, or the exit code is 1.
"""

import argparse
import random
import sys
from collections import Counter
from dataclasses import dataclass

import numpy as np

from nttforge.ring.primes import largest_ntt_primes
from nttforge.standards.rns import Basis, SwitchingKey, convention, key_switch, rescale, rotate
from nttforge.standards.rns.basis import Array
from nttforge.standards.rns.keys import uniform
from tests.lattigo.peer import Lattigo, lattigo

HOW = convention("lattigo")
OPERATIONS = ("key switch", "rotate", "rescale")
PLACES = ("uniform", "near borders", "at borders")
#: How near digits "near borders" come, of their modulus: log2.
NEAR = -45


@dataclass(frozen=True)
class Case:
    """What is asked: n, moduli, limbs, an operation, and where polynomials lie."""

    n: int
    q: Basis
    p: Basis
    limbs: int
    operation: str
    place: str

    def __str__(self) -> str:
        bits = max(q.bit_length() for q in self.q.moduli)
        sizes = f"{len(self.q.moduli)} + {len(self.p.moduli)} limbs of {bits} bits"
        return f"{self.operation}, n = {self.n}, {sizes}, {self.limbs} used, {self.place}"

    @property
    def exact(self) -> bool:
        """Whether lattigo is: a digit of one limb is compared as an integer."""
        digits_are_limbs = self.operation == "rescale" or len(self.p.moduli) == 1
        return self.place != "at borders" or digits_are_limbs


def draw(rng: random.Random, most_log_n: int = 12, most_limbs: int = 32) -> Case:
    """A case of lattigo's: NTT primes of one width or of several, fewer of P than of Q."""
    n = 1 << rng.randint(10, most_log_n)
    of_p = rng.randint(1, min(8, most_limbs // 2))
    of_q = rng.randint(1, most_limbs - of_p)
    bits = rng.randint(max(30, (2 * n * 8 * most_limbs).bit_length()), 60)
    found = largest_ntt_primes(bits, 2 * n, of_p + of_q)
    rng.shuffle(found)
    operation = rng.choice(OPERATIONS)
    if operation == "rescale":
        of_q = max(of_q, 2)
        found = largest_ntt_primes(bits, 2 * n, of_p + of_q)
    limbs = rng.randint(2 if operation == "rescale" else 1, of_q)
    q, p = Basis(tuple(found[:of_q])), Basis(tuple(found[of_q:]))
    return Case(n, q, p, limbs, operation, rng.choice(PLACES))


def borders(rng: random.Random, q: Basis, group: int, case: Case) -> Array:
    """Limbs whose digits of `group` limbs lie around half of their modulus: D / 2 +- 2^j."""
    rows: list[Array] = []
    for start in range(0, len(q.moduli), group):
        digit = Basis(q.moduli[start : start + group])
        bits = digit.product.bit_length()
        least = 0 if case.place == "at borders" else max(0, bits + NEAR)
        offsets = [rng.choice((-1, 1)) << rng.randrange(least, bits - 2) for _ in range(case.n)]
        if not least:
            offsets[:4] = (-1, 0, 1, 2)
        rng.shuffle(offsets)
        values = [digit.product // 2 + each for each in offsets]
        rows += list(digit.residues(np.array(values, object)))
    return np.stack(rows)


def polynomial(rng: random.Random, case: Case) -> Array:
    """The polynomial that is switched or rescaled."""
    q = case.q.first(case.limbs)
    if case.place == "uniform":
        return uniform(rng, q, case.n)
    if case.operation == "rescale":
        rows = uniform(rng, q, case.n)
        rows[-1] = borders(rng, Basis(q.moduli[-1:]), 1, case)[0]
        return rows
    return borders(rng, q, len(case.p.moduli), case)


def differ(peer: Lattigo, case: Case, rng: random.Random) -> int:
    """Coefficients of our reference that are not lattigo's."""
    c = polynomial(rng, case)
    if case.operation == "rescale":
        q = case.q.first(case.limbs)
        return int(np.sum(rescale(c, q) != peer.rescale(c, case.q, case.p)))
    both, width = Basis(case.q.moduli + case.p.moduli), len(case.p.moduli)
    count = -(-len(case.q.moduli) // width)
    pairs = tuple((uniform(rng, both, case.n), uniform(rng, both, case.n)) for _ in range(count))
    key = SwitchingKey(case.q, case.p, pairs, width, HOW)
    if case.operation == "rotate":
        pair, g = (
            (uniform(rng, case.q.first(case.limbs), case.n), c),
            2 * rng.randrange(1, case.n) + 1,
        )
        ours, theirs = rotate(pair, g, key), peer.rotate(pair, g, key)
    else:
        ours, theirs = key_switch(c, key), peer.key_switch(c, key)
    return sum(int(np.sum(x != y)) for x, y in zip(ours, theirs, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip())
    parser.add_argument("count", type=int, nargs="?", default=20, help="cases (default: 20)")
    parser.add_argument("--seed", type=int, default=0, help="of all cases (default: 0)")
    parser.add_argument("--most-log-n", type=int, default=12, help="log2 of n at most")
    given = parser.parse_args()
    done, wrong, failed = Counter[str](), Counter[str](), 0
    with lattigo() as peer:
        for number in range(given.count):
            rng = random.Random(f"{given.seed}/{number}")
            case = draw(rng, given.most_log_n)
            found = differ(peer, case, rng)
            name = f"{case.operation}, {case.place}"
            done[name] += 1
            wrong[name] += found > 0
            failed += found > 0 and case.exact
            if found:
                print(f"{given.seed}/{number}: {case}: {found} coefficients differ")
    for name, count in sorted(done.items()):
        print(f"{name}: {count} cases, {wrong[name]} with other coefficients")
    print(f"seed {given.seed}, {given.count} cases, {failed} wrong")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
