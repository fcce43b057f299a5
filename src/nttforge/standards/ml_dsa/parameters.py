# SPDX-License-Identifier: Apache-2.0
"""Parameter sets of ML-DSA (FIPS 204, section 4)."""

from dataclasses import dataclass
from functools import partial
from math import exp

from nttforge.names import find
from nttforge.ring.presets import find_preset

RING = "ml-dsa"
Q = find_preset(RING).ring.q
N = find_preset(RING).ring.n
DROPPED_BITS = 13  # d: the low bits of t that the public key leaves out
SEED_BYTES = 32


@dataclass(frozen=True)
class Parameters:
    """One parameter set of FIPS 204, by the names of its table 1.

    A is a matrix of k x l polynomials, secrets are in [-eta, eta], a challenge has tau coefficients
    that are not 0 and comes of `challenge_bytes` = lambda / 4 bytes, gamma1 is a power of two,
    HighBits divides by 2 gamma2, and a signature has omega hints at most.
    """

    name: str
    k: int
    l: int  # noqa: E741  the standard's name
    eta: int
    tau: int
    challenge_bytes: int
    gamma1_bits: int
    gamma2: int
    omega: int

    @property
    def beta(self) -> int:
        """The largest coefficient that a product of a challenge and a secret can have."""
        return self.tau * self.eta

    @property
    def tries(self) -> float:
        """Of a signature, on average (table 1): uniform coefficients are far enough inside."""
        return exp(N * self.beta * (self.l / 2**self.gamma1_bits + self.k / self.gamma2))

    @property
    def w1_bits(self) -> int:
        """Of a coefficient of w1."""
        return ((Q - 1) // (2 * self.gamma2) - 1).bit_length()

    @property
    def z_bits(self) -> int:
        """Of a coefficient of y or z, packed."""
        return self.gamma1_bits + 1

    @property
    def eta_bits(self) -> int:
        """Of a secret coefficient, packed."""
        return (2 * self.eta).bit_length()

    @property
    def signature_bytes(self) -> int:
        """Bytes of a signature."""
        return self.challenge_bytes + N // 8 * self.l * self.z_bits + self.omega + self.k

    @property
    def pk_bytes(self) -> int:
        """Bytes of a public key."""
        return SEED_BYTES + N // 8 * self.k * 10

    @property
    def sk_bytes(self) -> int:
        """Bytes of a private key."""
        small = self.eta_bits * (self.k + self.l)
        return 4 * SEED_BYTES + N // 8 * (small + DROPPED_BITS * self.k)


#: Table 1 of FIPS 204, in the order of the fields.
_SETS = (
    ("ML-DSA-44", 4, 4, 2, 39, 32, 17, (Q - 1) // 88, 80),
    ("ML-DSA-65", 6, 5, 4, 49, 48, 19, (Q - 1) // 32, 55),
    ("ML-DSA-87", 8, 7, 2, 60, 64, 19, (Q - 1) // 32, 75),
)
ML_DSA_44, ML_DSA_65, ML_DSA_87 = (Parameters(*row) for row in _SETS)
PARAMETER_SETS = {p.name: p for p in (ML_DSA_44, ML_DSA_65, ML_DSA_87)}


#: The set of a name; an error names `parameter_set`.
parameter_set = partial(find, "parameter_set", known=PARAMETER_SETS)
