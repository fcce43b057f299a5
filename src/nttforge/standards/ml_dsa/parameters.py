# SPDX-License-Identifier: Apache-2.0
"""Parameter sets of ML-DSA, as far as key generation needs them (FIPS 204, section 4)."""

from dataclasses import dataclass

from nttforge.errors import NttforgeError
from nttforge.ring.presets import find_preset

RING = "ml-dsa"
Q = find_preset(RING).ring.q
N = find_preset(RING).ring.n
DROPPED_BITS = 13  # d: the low bits of t that the public key leaves out
SEED_BYTES = 32


@dataclass(frozen=True)
class Parameters:
    """One parameter set.

    Attributes
    ----------
    name
        As in FIPS 204: `ML-DSA-65`.
    k, l
        Rows and columns of the matrix A.
    eta
        Secret coefficients are in [-eta, eta].
    """

    name: str
    k: int
    l: int  # noqa: E741  the standard's name
    eta: int

    @property
    def pk_bytes(self) -> int:
        """Bytes of a public key."""
        return SEED_BYTES + N // 8 * self.k * 10

    @property
    def sk_bytes(self) -> int:
        """Bytes of a private key."""
        small = (2 * self.eta).bit_length() * (self.k + self.l)
        return 4 * SEED_BYTES + N // 8 * (small + DROPPED_BITS * self.k)


ML_DSA_44 = Parameters("ML-DSA-44", k=4, l=4, eta=2)
ML_DSA_65 = Parameters("ML-DSA-65", k=6, l=5, eta=4)
ML_DSA_87 = Parameters("ML-DSA-87", k=8, l=7, eta=2)

PARAMETER_SETS = {p.name: p for p in (ML_DSA_44, ML_DSA_65, ML_DSA_87)}


def parameter_set(name: str) -> Parameters:
    """Parameter set of that name.

    Raises
    ------
    NttforgeError
        Naming `parameter_set`, if there is none.
    """
    if name not in PARAMETER_SETS:
        raise NttforgeError(
            "parameter_set", f"there is no {name!r}", f"use one of {', '.join(PARAMETER_SETS)}"
        )
    return PARAMETER_SETS[name]
