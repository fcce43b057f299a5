# SPDX-License-Identifier: Apache-2.0
"""ML-KEM of a coprocessor as the tests call it: keys, secrets and ciphertexts."""

from collections.abc import Sequence
from typing import Any

from nttforge.flow.prepare import Prepared
from nttforge.kinds.lattice.bus import Coprocessor, Request, Run, open_core
from nttforge.kinds.lattice.mlkem.standard import rotate_key
from nttforge.simulate.cycles import CycleModel
from tests.coprocessors import kem_request


class KemPort:
    """ML-KEM of a coprocessor, whichever standards it has besides."""

    def __init__(self, core: Coprocessor) -> None:
        self.core = core

    def keygen(self, p: Any, d: bytes, z: bytes) -> tuple[bytes, bytes]:
        """Encapsulation key and decapsulation key."""
        run = self._accepted("keygen", p, b"", d + z)
        return run.public, run.secret

    def encaps(self, p: Any, ek: bytes, m: bytes) -> tuple[bytes, bytes]:
        """Shared secret and ciphertext."""
        run = self._accepted("encaps", p, ek, m)
        return run.secret, run.public

    def decaps(self, p: Any, dk: bytes, c: bytes, *, check: bool = True) -> bytes:
        """The shared secret."""
        return self._accepted("decaps", p, c, rotate_key(dk), check=check).secret

    def _accepted(self, *given: Any, **how: Any) -> Run:
        run = self.run(*given, **how)
        assert not run.error, run.reason
        return run

    def run(
        self,
        operation: str,
        p: Any,
        public: bytes,
        secret: bytes,
        *,
        check: bool = False,
        entropy: bytes | None = None,
        stall: float = 0.0,
        seed: int = 0,
    ) -> Run:
        """One operation, see :func:`kem_request` and :meth:`Coprocessor.run`."""
        request = kem_request(operation, p, public, secret, check=check, entropy=entropy)
        return self.core.run(request, stall=stall, seed=seed)

    def run_all(
        self, requests: Sequence[Request], *, stall: float = 0.0, seed: int = 0
    ) -> list[Run]:
        """See :meth:`Coprocessor.run_all`."""
        return self.core.run_all(requests, stall=stall, seed=seed)


def kem_port(model: CycleModel) -> KemPort:
    """ML-KEM of a compiled model, see :class:`Coprocessor`."""
    return KemPort(Coprocessor(model))


def open_kem(prepared: Prepared[Any]) -> KemPort:
    """As :func:`open_core`, to do ML-KEM with it."""
    return KemPort(open_core(prepared))
