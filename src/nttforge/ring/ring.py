# SPDX-License-Identifier: Apache-2.0
"""Rings Z_q[x]/(x^n +- 1) and the tree of factors that a transform walks down.

A radix-2 transform splits x^(2m) - z^2 into (x^m - z)(x^m + z), stage after stage. The same tree
describes the negacyclic ring (x^n + 1), the cyclic one (x^n - 1), and incomplete transforms such
as ML-KEM's, which stop before the factors are linear (FIPS 203, section 4.3).
"""

from dataclasses import dataclass, field
from functools import cached_property

from nttforge.errors import NttforgeError
from nttforge.ring.primes import check_modulus, use_nearest
from nttforge.ring.roots import STANDARDS, Minimal, Rule, choose_root

#: log2 of the smallest size of an engine of many sizes.
_LEAST_SIZE = 4


def bit_reverse(value: int, width: int) -> int:
    """Reverse the lowest `width` bits of `value`."""
    result = 0
    for _ in range(width):
        result = result << 1 | value & 1
        value >>= 1
    return result


def _fewer(q: int, negacyclic: bool, many_sizes: bool) -> str:
    """The key, and its value, with which `q` fits although it does not for all layers."""
    logs = (q - 1 & 1 - q).bit_length() - 1
    most = logs - 1 if negacyclic else logs
    if most < (_LEAST_SIZE if many_sizes else 1):
        return ""
    return f", or l_max = {most}" if many_sizes else f", or layers = {most}"


@dataclass(frozen=True)
class Ring:
    """A ring Z_q[x]/(x^n + 1) or Z_q[x]/(x^n - 1), with the root that its transform uses.

    Make one with :meth:`create`, which checks everything and finds what is not given.

    - `n`: number of coefficients, a power of two from 4 up.
    - `q`: modulus, an odd prime.
    - `negacyclic`: True for x^n + 1, False for x^n - 1.
    - `layers`: number of radix-2 stages that compute: log2(n) for a complete transform, fewer for
      an incomplete one.
    - `root`: primitive root of unity modulo q, of order :attr:`root_order`.
    - `generator`: g if the root was chosen as g^((q-1)/order), else None. Rings with equal roots
      are equal.
    - `rule`: what decided which root it is; docs/roots.md.
    """

    n: int
    q: int
    negacyclic: bool
    layers: int
    root: int
    generator: int | None = field(default=None, compare=False)
    rule: Rule = field(default=Rule.ROOT, compare=False)

    @classmethod
    def create(
        cls,
        n: int,
        q: int,
        *,
        negacyclic: bool = True,
        layers: int | None = None,
        root: int | Minimal | None = None,
        generator: int | None = None,
        many_sizes: bool = False,
    ) -> "Ring":
        """Check the parameters and choose the root by the rule of docs/roots.md.

        - `n`, `q`, `negacyclic`, `layers`: as the attributes; complete if no layers are given.
        - `root`: a root of the ring's order or a larger one, of which powers are taken; "minimal"
          for the smallest one of the ring's order.
        - `generator`: g, no square modulo q: the root is g^((q-1)/order).
        - `many_sizes`: it is the largest ring of an engine for transforms of every size, whose
          roots must be powers of one.

        Raises NttforgeError naming `n`, `q`, `layers`, `root` or `generator`, whichever is wrong.
        """
        if n < 4 or n & (n - 1):
            raise NttforgeError(
                "n", f"{n} is not a power of two from 4 up", "use 256, for instance"
            )
        depth = n.bit_length() - 1
        layers = depth if layers is None else layers
        if not 1 <= layers <= depth:
            raise NttforgeError(
                "layers",
                f"{layers} is not from 1 to {depth}",
                f"use {depth} for a complete transform of {n} coefficients",
            )
        order = 1 << (layers + 1 if negacyclic else layers)
        check_modulus(q, "q", order)
        if (q - 1) % order:
            called = str(q) if q < 1 << 64 else f"a modulus of {q.bit_length()} bits"
            raise NttforgeError(
                "q",
                f"{called} has no root of unity of order {order}, which does not divide q - 1",
                use_nearest(q, order) + _fewer(q, negacyclic, many_sizes),
            )
        if many_sizes and root == "minimal":
            raise NttforgeError(
                "root",
                '"minimal" is another root for each size, and the engine has many sizes',
                "leave it out, or give a number or a generator",
            )
        there = STANDARDS.get(q)
        chosen = choose_root(
            q,
            order,
            standard=negacyclic
            and not many_sizes
            and there is not None
            and (there.n, there.layers) == (n, layers),
            minimal=negacyclic and not many_sizes,
            root=root,
            generator=generator,
        )
        return cls(n, q, negacyclic, layers, chosen.value, chosen.generator, chosen.rule)

    @property
    def depth(self) -> int:
        """log2(n): the number of index bits, and of stages of a complete transform."""
        return self.n.bit_length() - 1

    @property
    def width(self) -> int:
        """Bits of a coefficient in [0, q)."""
        return self.q.bit_length()

    @property
    def root_order(self) -> int:
        """Order of the root: 2^(layers+1) for x^n + 1, 2^layers for x^n - 1."""
        return 1 << (self.layers + 1 if self.negacyclic else self.layers)

    @property
    def leaf_degree(self) -> int:
        """Degree of the factors at which the transform stops: 1 if it is complete, 2 for ML-KEM."""
        return self.n >> self.layers

    @cached_property
    def factor_exponents(self) -> tuple[tuple[int, ...], ...]:
        """`factor_exponents[s][k]`: e such that block k before stage s is modulo x^m - root^e.

        m is n / 2^s; s = :attr:`layers` gives the leaves.
        """
        half = self.root_order // 2
        stages: list[tuple[int, ...]] = [(half if self.negacyclic else 0,)]
        for _ in range(self.layers):
            stages.append(tuple([e // 2 + upper for e in stages[-1] for upper in (0, half)]))
        return tuple(stages)

    @cached_property
    def twiddles(self) -> tuple[tuple[int, ...], ...]:
        """`twiddles[s][k]`: the factor of the Cooley-Tukey butterflies of block k at stage s.

        Stage s has 2^s blocks, and pairs coefficients that are n / 2^(s+1) apart. For ML-KEM and
        ML-DSA the concatenation of all stages is the table `zetas` of FIPS 203, appendix A, and
        FIPS 204, appendix B, from index 1 on.
        """
        return self._powers_by_stage(self.root, 1)

    @cached_property
    def inverse_twiddles(self) -> tuple[tuple[int, ...], ...]:
        """`inverse_twiddles[s][k]`: the factor that undoes stage s, halving included.

        A Gentleman-Sande butterfly with halving takes (u, v) to ((u+v)/2, (v-u) * t), where t is
        -1/(2 * `twiddles[s][k]`). All stages together divide by 2^layers, so no pass multiplies by
        n^-1 afterwards.
        """
        return self._powers_by_stage(pow(self.root, -1, self.q), (self.q - 1) // 2)

    def twiddle(self, stage: int, block: int) -> int:
        """`twiddles[stage][block]`, without all others."""
        return pow(self.root, self._half_exponent(stage, block), self.q)

    def inverse_twiddle(self, stage: int, block: int) -> int:
        """`inverse_twiddles[stage][block]`, without all others."""
        power = pow(self.root, self.root_order - self._half_exponent(stage, block), self.q)
        return power * ((self.q - 1) // 2) % self.q

    def _half_exponent(self, stage: int, block: int) -> int:
        """Half of `factor_exponents[stage][block]`: a sum over the bits of a block's number."""
        half = self.root_order // 2
        exponent = half >> stage if self.negacyclic else 0
        return exponent + sum((block >> i & 1) * (half >> i) for i in range(stage)) >> 1

    def _powers_by_stage(self, root: int, scale: int) -> tuple[tuple[int, ...], ...]:
        """`scale` times the powers of `root` by half the exponent of each block."""
        q, power = self.q, scale
        powers = [scale]
        for _ in range(self.root_order // 2 - 1):
            power = power * root % q
            powers.append(power)
        return tuple(
            tuple([powers[exponent >> 1] for exponent in stage])
            for stage in self.factor_exponents[: self.layers]
        )

    @cached_property
    def leaf_roots(self) -> tuple[int, ...]:
        """leaf_roots[k]: r such that leaf k is modulo x^leaf_degree - r."""
        return tuple(
            pow(self.root, exponent, self.q) for exponent in self.factor_exponents[self.layers]
        )

    def describe(self) -> str:
        """One line, as in reports: Z_3329[x]/(x^256 + 1), 7 of 8 layers, root 17.

        With the generator in front of the root if the root was chosen by one.
        """
        sign = "+" if self.negacyclic else "-"
        layers = (
            "complete" if self.layers == self.depth else f"{self.layers} of {self.depth} layers"
        )
        generator = "" if self.generator is None else f"generator {self.generator}, "
        return f"Z_{self.q}[x]/(x^{self.n} {sign} 1), {layers}, {generator}root {self.root}"
