# SPDX-License-Identifier: Apache-2.0
"""Parameter sets of ML-DSA (FIPS 204, section 4)."""

from dataclasses import dataclass
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


ML_DSA_44 = Parameters(
    "ML-DSA-44",
    k=4,
    l=4,
    eta=2,
    tau=39,
    challenge_bytes=32,
    gamma1_bits=17,
    gamma2=(Q - 1) // 88,
    omega=80,
)
ML_DSA_65 = Parameters(
    "ML-DSA-65",
    k=6,
    l=5,
    eta=4,
    tau=49,
    challenge_bytes=48,
    gamma1_bits=19,
    gamma2=(Q - 1) // 32,
    omega=55,
)
ML_DSA_87 = Parameters(
    "ML-DSA-87",
    k=8,
    l=7,
    eta=2,
    tau=60,
    challenge_bytes=64,
    gamma1_bits=19,
    gamma2=(Q - 1) // 32,
    omega=75,
)

PARAMETER_SETS = {p.name: p for p in (ML_DSA_44, ML_DSA_65, ML_DSA_87)}


def parameter_set(name: str) -> Parameters:
    """Parameter set of that name.

    Raises
    ------
    NttforgeError
        Naming `parameter_set`, if there is none.
    """
    return find("parameter_set", name, PARAMETER_SETS)
