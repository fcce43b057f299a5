# SPDX-License-Identifier: Apache-2.0
"""Rings by name: those of the standards, of the literature, and of today's proof systems."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from nttforge.names import find
from nttforge.ring.ring import Ring
from nttforge.ring.roots import FIELDS, Rule


@dataclass(frozen=True)
class Preset:
    """A ring with a name.

    - `name`: as on the command line and in design files.
    - `ring`: the ring.
    - `description`: one line that says where it is used.
    """

    name: str
    ring: Ring
    description: str


def _minimal(n: int, q: int, root: int) -> Ring:
    """x^n + 1 with the smallest root of its order, written out: no search when this is imported."""
    return replace(Ring.create(n, q, root=root), rule=Rule.MINIMAL)


def _cyclic(field: str, n: int = 1024) -> Ring:
    """x^n - 1 over a field with a usual generator."""
    q = next(each.q for each in FIELDS.values() if each.name == field)
    return Ring.create(n, q, negacyclic=False)


_ALL = (
    Preset("ml-kem", Ring.create(256, 3329, layers=7), "ML-KEM (Kyber), FIPS 203"),
    Preset("ml-dsa", Ring.create(256, 8380417), "ML-DSA (Dilithium), FIPS 204"),
    Preset("rlwe-7681", _minimal(256, 7681, 62), "ring-LWE encryption, and Kyber's first round"),
    Preset("rlwe-12289", _minimal(256, 12289, 3), "NewHope's prime with 256 coefficients"),
    Preset("newhope-512", _minimal(512, 12289, 49), "NewHope-512; Falcon-512 has the same ring"),
    Preset("newhope-1024", _minimal(1024, 12289, 7), "NewHope-1024; Falcon-1024 has the same ring"),
    Preset(
        "rlwe-3221225473",
        _minimal(1024, 3221225473, 3985459),
        "32-bit prime 3 * 2^30 + 1, the widest one that StreamNTT was measured with",
    ),
    Preset(
        "fhe-28bit",
        _minimal(1024, (1 << 28) - (1 << 16) + 1, 326097),
        "homomorphic encryption, 28-bit prime 2^28 - 2^16 + 1",
    ),
    Preset(
        "fhe-60bit",
        _minimal(4096, (1 << 60) - (1 << 18) + 1, 317490233586139),
        "homomorphic encryption, 60-bit prime 2^60 - 2^18 + 1",
    ),
    Preset(
        "goldilocks",
        _cyclic("Goldilocks"),
        "zero-knowledge proofs, 2^64 - 2^32 + 1; any n up to 2^32 works",
    ),
    Preset(
        "bn254",
        _cyclic("BN254 Fr"),
        "zero-knowledge proofs, scalar field of the curve BN254; any n up to 2^28 works",
    ),
    Preset(
        "bls12-381",
        _cyclic("BLS12-381 Fr"),
        "zero-knowledge proofs, scalar field of the curve BLS12-381; any n up to 2^32 works",
    ),
)

PRESETS: Mapping[str, Preset] = MappingProxyType({preset.name: preset for preset in _ALL})
"""All presets by name, in the order in which they are listed."""


def find_preset(name: str) -> Preset:
    """Look up a preset.

    Raises NttforgeError: `ring`: there is none of that name; the message proposes the nearest one.
    """
    return find("ring", name, PRESETS, f"there is no ring named {name!r}")
