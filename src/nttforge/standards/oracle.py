# SPDX-License-Identifier: Apache-2.0
"""Independent implementations of the standards, imported only when something is compared."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol, cast

from nttforge.packages import imported
from nttforge.standards.ml_dsa.parameters import Parameters

# The first version of `cryptography` that has ML-KEM; it has two of the three sets.
_MLKEM_MODULE = "cryptography.hazmat.primitives.asymmetric.mlkem"
_MLDSA_MODULE = "cryptography.hazmat.primitives.asymmetric.mldsa"
_MLKEM_CLASSES = {"ML-KEM-768": "MLKEM768", "ML-KEM-1024": "MLKEM1024"}


class KemOracle(Protocol):
    """The part of kyber-py that results are compared with."""

    def _keygen_internal(self, d: bytes, z: bytes) -> tuple[bytes, bytes]: ...
    def _encaps_internal(self, ek: bytes, m: bytes) -> tuple[bytes, bytes]: ...
    def _decaps_internal(self, dk: bytes, c: bytes) -> bytes: ...
    def _k_pke_decrypt(self, dk_pke: bytes, c: bytes) -> bytes: ...


def import_oracle(package: str, module: str, name: str) -> Any:
    """An independent implementation, `name` of `module`.

    Raises NttforgeError if `package` is not installed.
    """
    return getattr(imported(module, package, "results are compared with it"), name)


def kyber_py(parameter_set: str) -> KemOracle:
    """kyber-py's implementation of a parameter set.

    Raises NttforgeError if kyber-py is not installed.
    """
    found = import_oracle("kyber-py", "kyber_py.ml_kem", parameter_set.replace("-", "_"))
    return cast(KemOracle, found)


class DsaOracle(Protocol):
    """The part of dilithium-py that results are compared with."""

    def _keygen_internal(self, zeta: bytes) -> tuple[bytes, bytes]: ...
    def _sign_internal(self, sk: bytes, m: bytes, rnd: bytes) -> bytes: ...
    def _verify_internal(self, pk: bytes, m: bytes, sig: bytes) -> bool: ...

    def sign(self, sk: bytes, m: bytes, *, deterministic: bool) -> bytes:
        """A signature of a message, which becomes M' here."""
        ...

    def verify(self, pk: bytes, m: bytes, sig: bytes) -> bool:
        """Whether it is a message's signature."""
        ...


def dilithium_py(parameter_set: str) -> DsaOracle:
    """dilithium-py's implementation of a parameter set.

    Raises NttforgeError if dilithium-py is not installed.
    """
    name = parameter_set.replace("-", "_")
    return cast(DsaOracle, import_oracle("dilithium-py", "dilithium_py.ml_dsa", name))


def signature_beyond(p: Parameters, sk: bytes, m: bytes, rnd: bytes) -> bytes:
    """A signature whose z is beyond its bound, and of which everything else holds.

    By dilithium-py, which signs as it does, but keeps what it would reject for z alone. Raises
    NttforgeError if dilithium-py is not installed.
    """
    oracle = dilithium_py(p.name)
    matrix = import_oracle("dilithium-py", "dilithium_py.modules.modules", "Matrix")
    beyond = matrix.check_norm_bound
    gamma1 = 1 << p.gamma1_bits

    def kept(self: Any, bound: int) -> bool:
        if bound != gamma1 - p.beta:
            return bool(beyond(self, bound))
        return not beyond(self, bound) or bool(beyond(self, gamma1))

    matrix.check_norm_bound = kept
    try:
        return oracle._sign_internal(sk, m, rnd)
    finally:
        matrix.check_norm_bound = beyond


def dsa_public_key() -> Callable[[str, bytes], bytes] | None:
    """ML-DSA's public key of a parameter set and a seed, by `cryptography`, if it has that."""
    try:
        module = import_module(_MLDSA_MODULE)
    except ImportError:
        return None

    def made(parameter_set: str, seed: bytes) -> bytes:
        private = getattr(module, f"{parameter_set.replace('-', '')}PrivateKey")
        key: bytes = private.from_seed_bytes(seed).public_key().public_bytes_raw()
        return key

    return made


class PyCryptography:
    """ML-KEM of the package `cryptography`, which makes its own randomness.

    - `parameter_set`: `ML-KEM-768` or `ML-KEM-1024`.
    """

    NAME = "cryptography"

    def __init__(self, parameter_set: str) -> None:
        module = import_module(_MLKEM_MODULE)
        name = _MLKEM_CLASSES[parameter_set]
        self._private = getattr(module, f"{name}PrivateKey")
        self._public = getattr(module, f"{name}PublicKey")

    @classmethod
    def available(cls, parameter_set: str) -> bool:
        """Whether it is installed, and has that parameter set."""
        if parameter_set not in _MLKEM_CLASSES:
            return False
        try:
            import_module(_MLKEM_MODULE)
        except ImportError:
            return False
        return True

    def encapsulation_key(self, d: bytes, z: bytes) -> bytes:
        """The encapsulation key of two seeds."""
        key: bytes = self._private.from_seed_bytes(d + z).public_key().public_bytes_raw()
        return key

    def encapsulate(self, ek: bytes) -> tuple[bytes, bytes]:
        """A fresh shared secret and its ciphertext."""
        secret, c = self._public.from_public_bytes(ek).encapsulate()
        return secret, c

    def decapsulate(self, d: bytes, z: bytes, c: bytes) -> bytes:
        """The shared secret of a ciphertext, for the key of two seeds."""
        secret: bytes = self._private.from_seed_bytes(d + z).decapsulate(c)
        return secret

    def refuses(self, ek: bytes) -> bool:
        """Whether it takes a byte string for no encapsulation key."""
        try:
            self._public.from_public_bytes(ek).encapsulate()
        except ValueError:
            return True
        return False
