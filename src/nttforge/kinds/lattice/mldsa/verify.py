# SPDX-License-Identifier: Apache-2.0
"""Cases of `verify` for ML-DSA: vectors, keys, valid and invalid signatures, refusals."""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from nttforge.kinds.lattice.bus import Coprocessor, Request, request_of
from nttforge.kinds.lattice.mldsa.forgeries import KINDS, Signed
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.standard import STANDARD, WORDS
from nttforge.kinds.lattice.operation import WORD_BYTES, Values
from nttforge.kinds.lattice.stimulus import StimulusStep, stimulus_step
from nttforge.kinds.lattice.verify import Batch, Case, Cases, Check, verify_standard
from nttforge.standards.keccak import SHAKE256_RATE
from nttforge.standards.ml_dsa.message import representative
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters
from nttforge.standards.ml_dsa.signing import RND_BYTES
from nttforge.standards.oracle import (
    DsaOracle,
    dilithium_py,
    dsa_public_key,
    signature_beyond,
)

_WRONG, _EACH = 3, 3  # wrong signatures of a case; every so many cases there is another one:
FAR = "z beyond its bound"
_LONG_EACH = 7  # and so many have a long message


class MldsaCases(Cases):
    """ML-DSA's.

    A case is a seed that ends early or late, and, waiting after it, one that does not; signatures
    that are made with that key, of M' and of mu, and private keys that are refused; a signature
    that is verified with M' and with mu; wrong ones; and a packet of the wrong length.
    """

    standard = STANDARD

    def __init__(self, core: Coprocessor, names: Sequence[str]) -> None:
        super().__init__(core, names)
        self._other = dsa_public_key()
        self._references = {name: dilithium_py(name) for name in names}
        self.oracles = ["dilithium-py", *(["cryptography"] if self._other else [])]

    def batches(self, case: Case, rng: random.Random) -> Iterator[Batch]:
        """Operations of a random case, and what must come of them."""
        oracle, seed = self._references[case.p.name], rng.randbytes(SEED_BYTES)
        values = key_values(oracle, seed)
        yield key_batch(case, values, rng)
        if self._other is not None:
            case.compare("public keys", values["pk"], self._other(case.p.name, seed))
        yield from _signatures(case, oracle, signed_values(case, oracle, values, rng), rng)

    @classmethod
    def turns(
        cls, p: Any, rng: random.Random, *, checks: bool, word: bytes | None = None
    ) -> list[StimulusStep]:
        """A key pair, a signature, and its verification, right and wrong."""
        del word
        xi, rnd, message = (rng.randbytes(SEED_BYTES) for _ in range(3))
        oracle = dilithium_py(p.name)
        right = _signed(oracle, {**key_values(oracle, xi), "rnd": rnd, "message": message})
        signature = right["signature"]
        wrong = signature[:-1] + bytes([signature[-1] ^ 1])
        verified = stimulus_step("verify", p, right)
        return [
            stimulus_step("keygen_standard", p, right),
            stimulus_step("sign", p, right, checks=checks),
            verified,
            _verdict(p, {**right, "signature": wrong}, right=False),
            verified,
        ]


CASES = MldsaCases
verify_mldsa = partial(verify_standard, MldsaCases)


def key_values(oracle: DsaOracle, seed: bytes) -> dict[str, bytes]:
    """Keys of a seed, by a reference."""
    pk, sk = oracle._keygen_internal(seed)
    return {"seed": seed, "pk": pk, "sk": sk}


def _signed(oracle: DsaOracle, values: Values) -> dict[str, bytes]:
    """With a signature of the message, by a reference, and its verdict."""
    made = oracle._sign_internal(values["sk"], values["message"], values["rnd"])
    mu = representative(values["pk"], values["message"])
    return {**values, "mu": mu, "signature": made, "verdict": WORDS[True]}


def signed_values(
    case: Case, oracle: DsaOracle, values: Values, rng: random.Random
) -> dict[str, bytes]:
    """With a message of a length that is at some edge, and its signature."""
    message = rng.randbytes(rng.choice((0, 1, 7, 8, 64, 71, 72, 73, 135, 136, 500)))
    if case.number % _LONG_EACH == _LONG_EACH - 1:  # a counter must survive 32 blocks
        message = rng.randbytes(rng.randrange(32 * SHAKE256_RATE - 80, 40 * SHAKE256_RATE))
    rnd = rng.randbytes(RND_BYTES)
    return _signed(oracle, {**values, "message": message, "rnd": rnd})


def _verdict(
    p: Parameters, values: Values, *, right: bool, operation: str = "verify"
) -> StimulusStep:
    """A signature that is judged."""
    reason = "none" if right else "signature"
    return stimulus_step(operation, p, {**values, "verdict": WORDS[right]}, reason)


def key_batch(case: Case, values: Values, rng: random.Random) -> list[Check]:
    """A seed of the wrong length, and, waiting after it, a right one, for both orders of a key."""
    wrong = rng.randbytes(WORD_BYTES * rng.choice((1, 2, 3, 5, 6, 12)))
    names = ("keygen", "keygen_standard")
    refused = StimulusStep(Request(names[case.number % 2], case.p, wrong), "length")
    keys = (stimulus_step(name, case.p, values) for name in names)
    return [
        ("refused streams", refused),
        *((("public keys", "private keys"), step) for step in keys),
    ]


def _signatures(
    case: Case, oracle: DsaOracle, values: Values, rng: random.Random
) -> Iterator[list[Check]]:
    """Signatures that are made, by keys that come and that stay; and what is verified."""
    judged = judged_batch(case, oracle, values, rng)
    yield made_batch(case, oracle, values, rng)
    yield _loaded(case, oracle, values, rng)
    yield judged


def judged_batch(case: Case, oracle: DsaOracle, values: Values, rng: random.Random) -> list[Check]:
    """A right signature, with M' and with mu; wrong ones; a packet of the wrong length."""
    p, message = case.p, values["message"]
    right = Signed(values["pk"], values["signature"], message)
    kinds = list(KINDS)
    names = [kinds[(_WRONG * case.number + i) % len(kinds)] for i in range(_WRONG)]
    wrong = [KINDS[name](p, right, rng) for name in names]
    if not case.number % _EACH:
        names.append(FAR)
        beyond = signature_beyond(p, values["sk"], message, bytes(RND_BYTES))
        wrong.append(right._replace(signature=beyond))
    short = StimulusStep(Request("verify", p, public=_wrong_length(right, rng).packets), "length")
    return [
        ("right signatures", _verdict(p, values, right=True)),
        ("right signatures", _verdict(p, values, right=True, operation="verify_mu")),
        ("refused streams", short),
        *(
            (
                f"wrong: {name}",
                _verdict(
                    p,
                    each._asdict(),
                    right=oracle._verify_internal(each.pk, each.message, each.signature),
                ),
            )
            for name, each in zip(names, wrong, strict=True)
        ),
    ]


def made_batch(case: Case, oracle: DsaOracle, values: Values, rng: random.Random) -> list[Check]:
    """What the core signs: M' with random rnd, and mu with zeros; a key that is none, twice."""
    p, sk = case.p, values["sk"]
    values = _signed(oracle, {**values, "rnd": rng.randbytes(RND_BYTES)})
    foreign = bytearray(sk)
    foreign[rng.randrange(128, 128 + p.eta_bits * 32 * (p.k + p.l))] = 0xFF
    short = sk[: rng.choice((64, len(sk) - WORD_BYTES))]
    how: dict[str, Any] = {"checks": case.core.checks}
    fixed = _signed(oracle, {**values, "rnd": bytes(RND_BYTES)})
    return [
        ("signatures made", stimulus_step("sign", p, values, **how)),
        *(
            (
                "refused streams",
                StimulusStep(request_of("sign", p, {**values, "sk": key}, **how), reason),
            )
            for key, reason in ((short, "length"), (bytes(foreign), "key"))
        ),
        ("signatures made", stimulus_step("sign_mu", p, fixed, **how)),
    ]


def _loaded(case: Case, oracle: DsaOracle, values: Values, rng: random.Random) -> list[Check]:
    """Keys that stay, and those that do not: another set, another command, or what is wrong."""
    p, checks, rnd = case.p, case.core.checks, rng.randbytes(RND_BYTES)
    values = {**values, "rnd": rnd}
    other = {**values, **key_values(oracle, rng.randbytes(SEED_BYTES))}
    short = rnd[: -rng.choice((8, 24))]
    another = SETS[(SETS.index(p) + 1) % len(SETS)]

    def uncounted(operation: str, of: Parameters, given: Values) -> Check:
        """Cases whose results are not compared."""
        return "", StimulusStep(request_of(operation, of, given, checks=checks))

    def signs(operation: str, given: Values) -> Check:
        step = stimulus_step(operation, p, _signed(oracle, given), checks=checks)
        return "signatures of keys that stay", step

    load, last = uncounted("load", p, values), signs("sign_loaded", other)
    # None of these leaves a key that was loaded.
    ends = (
        uncounted("drop", p, {}),
        uncounted("drop", another, {}),
        uncounted("keygen", p, other),
        uncounted("sign_loaded", another, other),
        uncounted("sign_loaded", p, {**other, "rnd": short}),
        uncounted("load", p, {"sk": values["sk"][:-WORD_BYTES]}),
    )
    return [
        load,
        signs("sign_loaded", values),
        # A verification takes the place of a key, which is loaded again then.
        *((load,) if checks else ()),
        signs("sign_loaded_mu", {**values, "rnd": bytes(RND_BYTES)}),
        ("public keys", stimulus_step("load_seed", p, other)),
        last,
        ends[case.number % len(ends)],
        ("refused streams", StimulusStep(last[1].asked, "key")),
    ]


def _wrong_length(right: Signed, rng: random.Random) -> Signed:
    """A key or a signature with some bytes more or less."""
    name = rng.choice(("pk", "signature"))
    data: bytes = getattr(right, name)
    changed = (data[:-1], data[:-WORD_BYTES], data + bytes(1), data + bytes(WORD_BYTES), data[:4])
    return right._replace(**{name: rng.choice(changed)})
