# SPDX-License-Identifier: Apache-2.0
"""What all twiddles are made from; docs/decomposed.md, *Twiddles on the fly*."""

from dataclasses import dataclass

from nttforge.ring.primes import root_of_unity


@dataclass(frozen=True)
class Seeds:
    """The words from which all twiddles are made.

    Attributes
    ----------
    q
        The modulus.
    roots
        roots[e] has the order 2^e, and is the square of roots[e + 1].
    inverses
        Their inverses.
    scales
        scales[L] = 2^L.
    """

    q: int
    roots: tuple[int, ...]
    inverses: tuple[int, ...]
    scales: tuple[int, ...]

    @classmethod
    def create(cls, q: int, largest: int, root: int | None = None) -> "Seeds":
        """Seeds of the orders up to 2^largest.

        Parameters
        ----------
        q
            The modulus.
        largest
            log2 of the largest order.
        root
            A root of that order; one is chosen if it is not given.

        Raises
        ------
        NttforgeError
            `order`: q has no root of that order.
        """
        chosen = root_of_unity(q, 1 << largest) if root is None else root
        roots = [chosen]
        for _ in range(largest):
            roots.append(roots[-1] * roots[-1] % q)
        roots.reverse()
        return cls(
            q,
            tuple(roots),
            tuple(pow(root, -1, q) for root in roots),
            tuple(pow(2, size, q) for size in range(largest + 1)),
        )

    def root(self, order: int, inverse: bool) -> int:
        """The root of order 2^order, or its inverse; 1 for orders below 0 too."""
        return (self.inverses if inverse else self.roots)[max(0, order)]
