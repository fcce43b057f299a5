# SPDX-License-Identifier: Apache-2.0
"""ML-DSA as a user calls it, with every step done by the simulated core."""

from dataclasses import dataclass

from nttforge.errors import NttforgeError
from nttforge.kinds.lattice.bus import Coprocessor, Request, Run, private_key
from nttforge.standards.checks import check_length, drawn
from nttforge.standards.engine import software_engine
from nttforge.standards.ml_dsa.message import MU_BYTES, formatted
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters
from nttforge.standards.ml_dsa.signing import RND_BYTES, public_key


@dataclass(frozen=True)
class KeyPair:
    """What KeyGen gives: the keys, the seed they are made from, and what it took."""

    pk: bytes
    sk: bytes
    seed: bytes
    cycles: int
    keccak_cycles: int


@dataclass(frozen=True)
class Signed:
    """What Sign gives: the signature, the rnd that it is made with, and what it took."""

    signature: bytes
    rnd: bytes
    cycles: int
    keccak_cycles: int


@dataclass(frozen=True)
class Verdict:
    """What Verify gives, and what it took.

    Attributes
    ----------
    accepted
        The signature is right.
    reason
        Why not: `signature`, or `length` of the key or of the signature; `none`.
    """

    accepted: bool
    reason: str
    cycles: int
    keccak_cycles: int


class Dsa:
    """ML-DSA (FIPS 204) on a simulated core.

    Parameters
    ----------
    core
        The compiled core.
    """

    def __init__(self, core: Coprocessor) -> None:
        self._core = core
        #: Of the key that is loaded, for a core that verifies its signatures.
        self._loaded = b""

    def keygen(self, p: Parameters, seed: bytes | None = None) -> KeyPair:
        """A key pair, from a seed of 32 bytes, xi in the standard; a random one if not given.

        Raises
        ------
        NttforgeError
            If the seed has the wrong length.
        """
        seed = drawn("seed", seed, SEED_BYTES)
        run = self._core.run(Request("keygen", p, seed))
        if run.reason != "none":
            raise NttforgeError("seed", f"the core refuses it ({run.reason})", "give 32 bytes")
        sk = private_key(run.secret)
        return KeyPair(run.public, sk, seed, run.cycles, run.keccak_cycles)

    def sign(
        self,
        p: Parameters,
        sk: bytes,
        message: bytes,
        *,
        context: bytes = b"",
        prehash: str | None = None,
        rnd: bytes | None = None,
    ) -> Signed:
        """Sign a message, by ML-DSA, or by HashML-DSA with a `prehash`.

        See :func:`nttforge.standards.ml_dsa.message.formatted`.

        Parameters
        ----------
        p, sk
            Parameter set, and a private key as the standard encodes it.
        message, context, prehash
            What is signed.
        rnd
            32 bytes; zeros make a deterministic signature, random ones are drawn if not given.

        Raises
        ------
        NttforgeError
            If the context is too long, there is no such hash function, or the key is none.
        """
        return self.sign_internal(p, sk, formatted(message, context, prehash), rnd)

    def sign_internal(
        self, p: Parameters, sk: bytes, message: bytes, rnd: bytes | None = None
    ) -> Signed:
        """ML-DSA.Sign_internal (algorithm 7) of M'.

        Raises
        ------
        NttforgeError
            If the private key is none.
        """
        check_length("sk", sk, p.sk_bytes, "a private key")
        return self._signed("sign", p, sk, message, rnd)

    def sign_mu(self, p: Parameters, sk: bytes, mu: bytes, rnd: bytes | None = None) -> Signed:
        """The same of mu, 64 bytes, which was made outside.

        Raises
        ------
        NttforgeError
            If mu has another length, or the private key is none.
        """
        check_length("mu", mu, MU_BYTES, "H(H(pk), M')")
        check_length("sk", sk, p.sk_bytes, "a private key")
        return self._signed("sign_mu", p, sk, mu, rnd)

    def _signed(
        self, operation: str, p: Parameters, sk: bytes, given: bytes, rnd: bytes | None
    ) -> Signed:
        rnd = drawn("rnd", rnd, RND_BYTES, "random bytes, or zeros")
        request = Request(operation, p, rnd + sk, (given,))
        if self._core.checks:
            request = request.checked(public_key(p, sk, software_engine()) if sk else self._loaded)
        run = self._core.run(request)
        self._refused(run)
        # Zeros fill the last word.
        return Signed(run.public[: p.signature_bytes], rnd, run.cycles, run.keccak_cycles)

    def _refused(self, run: Run) -> None:
        if run.reason != "none":
            raise NttforgeError(
                "sk", f"the core refuses it ({run.reason})", "give a key that KeyGen made"
            )

    def load(self, p: Parameters, sk: bytes) -> None:
        """Take a private key in, for :meth:`sign_loaded`; any other operation drops it.

        So does a signature, if the core verifies it.

        Raises
        ------
        NttforgeError
            If the private key is none.
        """
        check_length("sk", sk, p.sk_bytes, "a private key")
        self._refused(self._core.run(Request("load", p, sk)))
        if self._core.checks:
            self._loaded = public_key(p, sk, software_engine())

    def load_seed(self, p: Parameters, seed: bytes) -> bytes:
        """The same from the key's seed, xi in the standard: the public key, which alone leaves.

        Raises
        ------
        NttforgeError
            If the seed has the wrong length.
        """
        check_length("seed", seed, SEED_BYTES, "random bytes")
        self._loaded = self._core.run(Request("load_seed", p, seed)).public
        return self._loaded

    def sign_loaded(self, p: Parameters, message: bytes, rnd: bytes | None = None) -> Signed:
        """:meth:`sign_internal` by the key that is loaded.

        Raises
        ------
        NttforgeError
            If none of this set is.
        """
        return self._signed("sign_loaded", p, b"", message, rnd)

    def sign_loaded_mu(self, p: Parameters, mu: bytes, rnd: bytes | None = None) -> Signed:
        """:meth:`sign_mu` by the key that is loaded.

        Raises
        ------
        NttforgeError
            If mu has another length, or no key of this set is loaded.
        """
        check_length("mu", mu, MU_BYTES, "H(H(pk), M')")
        return self._signed("sign_loaded_mu", p, b"", mu, rnd)

    def drop(self, p: Parameters) -> None:
        """Overwrite the key that is loaded, of whatever set."""
        self._core.run(Request("drop", p))

    def verify(
        self,
        p: Parameters,
        pk: bytes,
        signature: bytes,
        message: bytes,
        *,
        context: bytes = b"",
        prehash: str | None = None,
    ) -> Verdict:
        """Whether a signature is a message's, by ML-DSA, or by HashML-DSA with a `prehash`.

        See :func:`nttforge.standards.ml_dsa.message.formatted`.

        Raises
        ------
        NttforgeError
            If the context is too long, or there is no such hash function.
        """
        return self.verify_internal(p, pk, signature, formatted(message, context, prehash))

    def verify_internal(
        self, p: Parameters, pk: bytes, signature: bytes, message: bytes
    ) -> Verdict:
        """ML-DSA.Verify_internal (algorithm 8) of M'."""
        return self._judged(Request("verify", p, public=(pk, signature, message)))

    def verify_mu(self, p: Parameters, pk: bytes, signature: bytes, mu: bytes) -> Verdict:
        """The same of mu, 64 bytes, which was made outside.

        Raises
        ------
        NttforgeError
            If mu has another length.
        """
        check_length("mu", mu, MU_BYTES, "H(H(pk), M')")
        return self._judged(Request("verify_mu", p, public=(pk, signature, mu)))

    def _judged(self, request: Request) -> Verdict:
        run = self._core.run(request)
        return Verdict(run.accepted, run.reason, run.cycles, run.keccak_cycles)
