# SPDX-License-Identifier: Apache-2.0
"""Seeds of all twiddles; docs/decomposed.md, *Twiddles on the fly*."""

from dataclasses import dataclass

from nttforge.ring.roots import choose_root


@dataclass(frozen=True)
class Seeds:
    """The words from which all twiddles are made.

    - `q`: the modulus.
    - `roots`: roots[e] has the order 2^e, and is the square of roots[e + 1].
    - `inverses`: their inverses.
    - `scales`: scales[L] = 2^L.
    - `shifts`, `shift_inverses`: if there are transforms on a coset g w^k, and such of 2^l words at
      most: shifts[e] is g to the power 2^(l-e), the square of shifts[e + 1]; and their inverses, if
      there is a way back.
    """

    q: int
    roots: tuple[int, ...]
    inverses: tuple[int, ...]
    scales: tuple[int, ...]
    shifts: tuple[int, ...] = ()
    shift_inverses: tuple[int, ...] = ()

    @classmethod
    def create(
        cls,
        q: int,
        largest: int,
        root: int | None = None,
        *,
        shift: int = 0,
        sizes: int = 0,
        back: bool = True,
    ) -> "Seeds":
        """Seeds of the orders up to 2^largest, and of a coset's g for sizes up to 2^sizes."""
        chosen = choose_root(q, 1 << largest).value if root is None else root
        roots = _squares(chosen, largest + 1, q)
        shifts = _squares(shift, sizes + 1, q) if shift else ()
        return cls(
            q,
            roots,
            tuple(pow(root, -1, q) for root in roots),
            tuple(pow(2, size, q) for size in range(largest + 1)),
            shifts,
            tuple(pow(power, -1, q) for power in shifts) if back else (),
        )

    def root(self, order: int, inverse: bool) -> int:
        """The root of order 2^order, or its inverse; 1 for orders below 0 too."""
        return (self.inverses if inverse else self.roots)[max(0, order)]


def _squares(base: int, count: int, q: int) -> tuple[int, ...]:
    """The base last, and in front of each its square."""
    powers = [base]
    for _ in range(count - 1):
        powers.append(powers[-1] * powers[-1] % q)
    return tuple(reversed(powers))
