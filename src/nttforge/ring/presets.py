# SPDX-License-Identifier: Apache-2.0
"""Rings by name: those of the standards, of the literature, and of today's proof systems."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from nttforge.names import find
from nttforge.ring.ring import Ring

_GOLDILOCKS = (1 << 64) - (1 << 32) + 1
_BN254 = 0x30644E72E131A029B85045B68181585D2833E84879B9709143E1F593F0000001
_BLS12_381 = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001


@dataclass(frozen=True)
class Preset:
    """A ring with a name.

    Attributes
    ----------
    name
        As on the command line and in design files.
    ring
        The ring.
    description
        One line that says where it is used.
    """

    name: str
    ring: Ring
    description: str


def _cyclic(q: int, generator: int, n: int = 1024) -> Ring:
    """x^n - 1 with the root that proof systems use: a power of the field's usual generator."""
    return Ring.create(n, q, negacyclic=False, root=pow(generator, (q - 1) // n, q))


_ALL = (
    Preset("ml-kem", Ring.create(256, 3329, layers=7, root=17), "ML-KEM (Kyber), FIPS 203"),
    Preset("ml-dsa", Ring.create(256, 8380417, root=1753), "ML-DSA (Dilithium), FIPS 204"),
    Preset("rlwe-7681", Ring.create(256, 7681), "ring-LWE encryption, and Kyber's first round"),
    Preset("rlwe-12289", Ring.create(256, 12289), "NewHope's prime with 256 coefficients"),
    Preset("newhope-512", Ring.create(512, 12289), "NewHope-512; Falcon-512 has the same ring"),
    Preset("newhope-1024", Ring.create(1024, 12289), "NewHope-1024; Falcon-1024 has the same ring"),
    Preset(
        "rlwe-3221225473",
        Ring.create(1024, 3221225473),
        "32-bit prime 3 * 2^30 + 1, the widest one that StreamNTT was measured with",
    ),
    Preset(
        "fhe-28bit",
        Ring.create(1024, (1 << 28) - (1 << 16) + 1),
        "homomorphic encryption, 28-bit prime 2^28 - 2^16 + 1",
    ),
    Preset(
        "fhe-60bit",
        Ring.create(4096, (1 << 60) - (1 << 18) + 1),
        "homomorphic encryption, 60-bit prime 2^60 - 2^18 + 1",
    ),
    Preset(
        "goldilocks",
        _cyclic(_GOLDILOCKS, 7),
        "zero-knowledge proofs, 2^64 - 2^32 + 1; any n up to 2^32 works",
    ),
    Preset(
        "bn254",
        _cyclic(_BN254, 5),
        "zero-knowledge proofs, scalar field of the curve BN254; any n up to 2^28 works",
    ),
    Preset(
        "bls12-381",
        _cyclic(_BLS12_381, 7),
        "zero-knowledge proofs, scalar field of the curve BLS12-381; any n up to 2^32 works",
    ),
)

PRESETS: Mapping[str, Preset] = MappingProxyType({preset.name: preset for preset in _ALL})
"""All presets by name, in the order in which they are listed."""


def find_preset(name: str) -> Preset:
    """Look up a preset.

    Raises
    ------
    NttforgeError
        `ring`: there is none of that name; the message proposes the nearest one.
    """
    return find("ring", name, PRESETS, f"there is no ring named {name!r}")
