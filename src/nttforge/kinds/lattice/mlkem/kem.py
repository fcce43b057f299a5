# SPDX-License-Identifier: Apache-2.0
"""ML-KEM as a user calls it, with every step done by the simulated coprocessor.

with the design prepared: kem = Kem(open_core(prepare_mlkem(load_design("ml-kem-coprocessor"))))
pair = kem.keygen(ML_KEM_768)
sent = kem.encaps(ML_KEM_768, pair.ek)
assert kem.decaps(ML_KEM_768, pair.dk, sent.c).secret == sent.secret
"""

from dataclasses import dataclass

from nttforge.errors import NttforgeError
from nttforge.kinds.lattice.bus import Coprocessor, Run, kem_request, rotate_key
from nttforge.kinds.lattice.mlkem.program import KemOperation
from nttforge.standards.checks import check_length, drawn
from nttforge.standards.ml_kem.parameters import SEED_BYTES, Parameters


@dataclass(frozen=True)
class KeyPair:
    """What KeyGen gives: the keys, the seeds they are made from, and what it took."""

    ek: bytes
    dk: bytes
    d: bytes
    z: bytes
    cycles: int
    keccak_cycles: int


@dataclass(frozen=True)
class Encapsulation:
    """What Encaps gives: secret, ciphertext, the randomness they are made from, what it took."""

    secret: bytes
    c: bytes
    m: bytes
    cycles: int
    keccak_cycles: int


@dataclass(frozen=True)
class Decapsulation:
    """What Decaps gives; a spoilt ciphertext gives another secret, and no error."""

    secret: bytes
    cycles: int
    keccak_cycles: int


class Kem:
    """ML-KEM (FIPS 203) on a simulated coprocessor.

    Parameters
    ----------
    coprocessor
        The compiled coprocessor.
    """

    def __init__(self, coprocessor: Coprocessor) -> None:
        self._coprocessor = coprocessor

    def keygen(self, p: Parameters, d: bytes | None = None, z: bytes | None = None) -> KeyPair:
        """A key pair, from two seeds of 32 bytes; random ones if they are not given.

        Raises
        ------
        NttforgeError
            If a seed has the wrong length.
        """
        d, z = drawn("d", d, SEED_BYTES), drawn("z", z, SEED_BYTES)
        run = self._run("keygen", p, b"", d + z, "d, z")
        return KeyPair(run.public, run.secret, d, z, run.cycles, run.keccak_cycles)

    def encaps(self, p: Parameters, ek: bytes, m: bytes | None = None) -> Encapsulation:
        """A shared secret and its ciphertext, from 32 bytes m, random ones if not given.

        Raises
        ------
        NttforgeError
            If key or randomness have the wrong length, or a coefficient is not below q.
        """
        m = drawn("m", m, SEED_BYTES)
        check_length("ek", ek, p.ek_bytes, f"an encapsulation key of {p.name}")
        run = self._run("encaps", p, ek, m, "ek")
        return Encapsulation(run.secret, run.public, m, run.cycles, run.keccak_cycles)

    def decaps(self, p: Parameters, dk: bytes, c: bytes, *, check: bool = True) -> Decapsulation:
        """The shared secret of a ciphertext.

        Parameters
        ----------
        p
            Parameter set.
        dk, c
            Decapsulation key and ciphertext.
        check
            Whether the key's hash is checked (FIPS 203, section 7.3).

        Raises
        ------
        NttforgeError
            If key or ciphertext have the wrong length, or the key belies its hash.
        """
        check_length("dk", dk, p.dk_bytes, f"a decapsulation key of {p.name}")
        check_length("c", c, p.ciphertext_bytes, f"a ciphertext of {p.name}")
        run = self._run("decaps", p, c, rotate_key(dk), "dk", check=check)
        return Decapsulation(run.secret, run.cycles, run.keccak_cycles)

    def decaps_seed(self, p: Parameters, seed: bytes, c: bytes) -> Decapsulation:
        """The same from the private key's seed, d and z: the key is made inside, and stays there.

        Parameters
        ----------
        p
            Parameter set.
        seed, c
            64 bytes, and the ciphertext.

        Raises
        ------
        NttforgeError
            If seed or ciphertext have the wrong length.
        """
        check_length("seed", seed, 2 * SEED_BYTES, "d and z")
        check_length("c", c, p.ciphertext_bytes, f"a ciphertext of {p.name}")
        run = self._run("decaps_seed", p, c, seed, "seed")
        return Decapsulation(run.secret, run.cycles, run.keccak_cycles)

    def _run(
        self,
        operation: KemOperation,
        p: Parameters,
        public: bytes,
        secret: bytes,
        name: str,
        *,
        check: bool = False,
    ) -> Run:
        run = self._coprocessor.run(kem_request(operation, p, public, secret, check=check))
        if run.error:
            raise NttforgeError(
                name,
                f"the coprocessor refuses it ({run.reason.replace('_', ' ')})",
                f"use a key of {p.name} as ML-KEM.KeyGen makes it",
            )
        return run
