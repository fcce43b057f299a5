# SPDX-License-Identifier: Apache-2.0
"""The main job's signatures, by a core that is dilithium-py, or wrong in one place."""

import io
from typing import Any

import pytest
from dilithium_py.ml_dsa import ML_DSA_44
from rich.console import Console

from nttforge.cli.terminal import show
from nttforge.flow.demo_signatures import SignedResult, demo_signatures
from nttforge.kinds.lattice.functions import Verdict, result_type
from nttforge.kinds.lattice.standard import ML_DSA
from nttforge.standards.ml_dsa.parameters import Parameters

KeyPair, Signed = (
    result_type(ML_DSA.operations[name], seed, "cycles", "keccak_cycles")
    for name, seed in (("keygen", "seed"), ("sign", "rnd"))
)


class Software:
    """What the core does; what `wrong` names is not as it must be."""

    def __init__(self, wrong: str = "") -> None:
        self._wrong = wrong

    def _spoilt(self, name: str, data: bytes) -> bytes:
        return bytes([data[0] ^ 1]) + data[1:] if name == self._wrong else data

    def keygen(self, p: Parameters, xi: bytes) -> Any:
        pk, sk = ML_DSA_44._keygen_internal(xi)
        return KeyPair(self._spoilt("public key", pk), self._spoilt("private key", sk), xi, 1, 0)

    def sign(self, p: Parameters, sk: bytes, message: bytes, *, rnd: bytes) -> Any:
        signature = ML_DSA_44.sign(sk, message, deterministic=True)
        return Signed(self._spoilt("signature", signature), rnd, 2, 0)

    def verify(self, p: Parameters, pk: bytes, signature: bytes, message: bytes) -> Verdict:
        accepted = {"accepts all": True, "refuses all": False}
        right = ML_DSA_44.verify(pk, message, signature)
        return Verdict(accepted.get(self._wrong, right), "none", 3, 0)


def signed(wrong: str = "", seed: int = 0) -> SignedResult:
    core: Any = Software(wrong)
    return demo_signatures(core, seed=seed)


def shown(result: SignedResult) -> str:
    out = io.StringIO()
    show(result.shown(), Console(file=out, width=140))
    return out.getvalue()


def test_all_of_it_is_as_it_must_be() -> None:
    result, other = signed(), signed(seed=1)
    assert result.ok and result.cycles["sign"] == 2
    assert [c.what for c in result.comparisons] == ["public key", "private key", "signature"]
    assert result.accepted == {"verify": True, "verify, forged": False}
    text = shown(result)
    assert "the forged one is refused." in text and "accepted" in text
    pairs = zip(result.comparisons, other.comparisons, strict=True)
    assert all(a.fingerprint != b.fingerprint for a, b in pairs)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        *((name, "1 of 3 byte strings differ.") for name in ("public key", "private key")),
        ("signature", "1 of 3 byte strings differ."),
        ("accepts all", "1 of 2 verdicts are wrong."),
        ("refuses all", "1 of 2 verdicts are wrong."),
    ],
)
def test_what_is_wrong_is_seen(wrong: str, said: str) -> None:
    result = signed(wrong)
    assert not result.ok and said in shown(result)
