# SPDX-License-Identifier: Apache-2.0
"""Parameter sets of ML-KEM (FIPS 203, section 8)."""

from dataclasses import dataclass
from functools import partial

from nttforge.names import find
from nttforge.ring.presets import find_preset

RING = "ml-kem"
Q = find_preset(RING).ring.q
N = find_preset(RING).ring.n
SEED_BYTES = 32


@dataclass(frozen=True)
class Parameters:
    """One parameter set of FIPS 203, by the names of its table 2, and sizes that follow."""

    name: str
    k: int
    eta1: int
    eta2: int
    du: int
    dv: int

    @property
    def pke_key_bytes(self) -> int:
        """Bytes of k polynomials of 12-bit coefficients: the K-PKE decryption key."""
        return 384 * self.k

    @property
    def ek_bytes(self) -> int:
        """Bytes of an encapsulation key."""
        return self.pke_key_bytes + SEED_BYTES

    @property
    def dk_bytes(self) -> int:
        """Bytes of a decapsulation key."""
        return self.pke_key_bytes + self.ek_bytes + 2 * SEED_BYTES

    @property
    def ciphertext_bytes(self) -> int:
        """Bytes of a ciphertext."""
        return N // 8 * (self.du * self.k + self.dv)


ML_KEM_512 = Parameters("ML-KEM-512", k=2, eta1=3, eta2=2, du=10, dv=4)
ML_KEM_768 = Parameters("ML-KEM-768", k=3, eta1=2, eta2=2, du=10, dv=4)
ML_KEM_1024 = Parameters("ML-KEM-1024", k=4, eta1=2, eta2=2, du=11, dv=5)

PARAMETER_SETS = {p.name: p for p in (ML_KEM_512, ML_KEM_768, ML_KEM_1024)}


#: The set of a name; an error names `parameter_set`.
parameter_set = partial(find, "parameter_set", known=PARAMETER_SETS)
