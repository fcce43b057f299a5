# SPDX-License-Identifier: Apache-2.0
"""ML-DSA as data, and the registers of a coprocessor of it."""

from dataclasses import replace
from functools import partial

from nttforge.hw.drivers import LibraryTemplates
from nttforge.kinds.lattice.commands import Commands
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.signing import OPERATIONS
from nttforge.kinds.lattice.operation import Function, Operation, Standard, Value, Values
from nttforge.standards.engine import software_engine
from nttforge.standards.ml_dsa.keygen import h, keygen_internal
from nttforge.standards.ml_dsa.message import MU_BYTES, formatted
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters
from nttforge.standards.ml_dsa.signing import RND_BYTES, public_key, sign_mu

#: Of the table of registers; those of ML-KEM's are below 64.
VERSION = 64
#: How a command ended, in the order of the codes: `error_e`.
ERRORS = ("none", "command", "length", "fault", "zeroized", "signature", "key", "tries")
COMMANDS = Commands(
    version=VERSION,
    operations=tuple(OPERATIONS),
    sets=("44", "65", "87"),
    flags=(("entropy", "the entropy port gives xi, or rnd"),),
    errors=ERRORS,
    operation_bits=4,
    error_bits=4,
    refused="why there was no output, or that the signature is wrong",
)

#: The verdict of Verify, a half by each rail, of a signature that is right.
ACCEPTED = bytes.fromhex("6e510d6091aef29f")
# Bytes of a private key in front of tr, rho and K; and of tr, which leaves last.
_HEAD_BYTES, _TR_BYTES = 2 * SEED_BYTES, 64
#: The verdict of Verify, a half by each rail: of a signature that is wrong, and of a right one.
WORDS = (ACCEPTED[4:] + ACCEPTED[:4], ACCEPTED)


def private_key(data: bytes) -> bytes:
    """A private key in FIPS 204's order, from that of the stream, in which tr comes last."""
    return data[:_HEAD_BYTES] + data[-_TR_BYTES:] + data[_HEAD_BYTES:-_TR_BYTES]


def stream_order(sk: bytes) -> bytes:
    """Undo :func:`private_key`."""
    end = _HEAD_BYTES + _TR_BYTES
    return sk[:_HEAD_BYTES] + sk[end:] + sk[_HEAD_BYTES:end]


_XI = Value("seed", lambda _: SEED_BYTES, secret=True, drawn=True)
_RND = Value("rnd", lambda _: RND_BYTES, "random bytes, or zeros", secret=True, drawn=True)
_PK = Value("pk", lambda p: p.pk_bytes, "a public key")
_SK = Value("sk", lambda p: p.sk_bytes, "a private key", secret=True)
_TR_LAST = Value("sk", _SK.length, secret=True, sent=stream_order, read=private_key)
_MESSAGE = Value("message")
_MU = Value("mu", lambda _: MU_BYTES, "H(H(pk), M')")
_SIGNATURE = Value("signature", lambda p: p.signature_bytes, "a signature")
#: Of any length: another one than the set's is wrong, and no mistake of the caller.
_JUDGED, _ANY_KEY = (replace(value, exact=False) for value in (_SIGNATURE, _PK))
_VERDICT = Value("verdict", lambda _: len(ACCEPTED))


def reference(p: Parameters, given: Values) -> dict[str, bytes]:
    """Keys of a seed; of a private key a signature, which is right, and its public key."""
    values, engine = dict(given), software_engine()
    if "seed" in values:
        values["pk"], values["sk"] = keygen_internal(p, values["seed"], engine)
    if "sk" not in values:
        return values
    values.setdefault("pk", public_key(p, values["sk"], engine))
    if "rnd" in values:
        message = values.setdefault("message", b"a message")
        values["mu"] = h(values["sk"][64:128] + message, MU_BYTES)
        made = sign_mu(p, values["sk"], values["mu"], values["rnd"], engine).data
        values |= {"signature": made, "verdict": WORDS[True]}
    return values


def _of_message(
    *, message: bytes, context: bytes, prehash: str | None, **more: bytes
) -> dict[str, bytes]:
    """With M' of a message."""
    return {**more, "message": formatted(message, context, prehash)}


_sign = partial(Operation, outputs=(_SIGNATURE,), tries=True, refused="sk")
_verify = partial(Operation, outputs=(_VERDICT,), verdicts=WORDS)
_FORMS = {"": ("message", True), "_internal": ("message", False), "_mu": ("mu", False)}


def _functions(operation: str, *before: str) -> dict[str, Function]:
    """Of a message, of M' and of mu; `before` are the driver's arguments in front of these."""
    made = {}
    for form, (given, formats) in _FORMS.items():
        driver = [each or given for each in before]
        options = {"context": (bytes, b""), "prehash": (str | None, None)} if formats else {}
        external = "_mu" if given == "mu" else ""
        made[f"{operation}{form}"] = Function(
            f"{operation}{external}",
            (operation, *driver),
            options,
            _of_message if formats else None,
        )
    return made


STANDARD = Standard(
    name="ML-DSA",
    package="nttforge.kinds.lattice.mldsa",
    what="an ML-DSA coprocessor",
    instead="use `nttforge dsa keygen`, `dsa sign` or `dsa verify`",
    sets=SETS,
    operations={
        "keygen": Operation((_XI,), (_PK, _TR_LAST), refused="seed"),
        "verify": _verify((_ANY_KEY, _JUDGED, _MESSAGE)),
        "verify_mu": _verify((_ANY_KEY, _JUDGED, _MU)),
        "sign": _sign((_RND, _SK, _MESSAGE)),
        "sign_mu": _sign((_RND, _SK, _MU)),
        "load": Operation((_SK,), keeps=True, refused="sk"),
        "load_seed": Operation((_XI,), (_PK,), keeps=True, refused="seed"),
        "sign_loaded": _sign((_RND, _MESSAGE)),
        "sign_loaded_mu": _sign((_RND, _MU)),
        "drop": Operation(),
        "keygen_standard": Operation((_XI,), (_PK, _SK), refused="seed"),
    },
    functions={
        "keygen": Function("keygen", ("keygen", "seed")),
        **_functions("sign", "sk", "rnd", ""),
        **_functions("verify", "pk", "", "signature"),
        **{
            name: Function(name, listed=False)
            for name in ("load", "load_seed", "sign_loaded", "sign_loaded_mu", "drop")
        },
    },
    commands=COMMANDS,
    prefix="dsa_",
    reference=reference,
    answered=("none", "signature"),
    library=LibraryTemplates("mldsa_host_example.c.j2", "mldsa_host_readme.md.j2"),
)
REGISTERS = STANDARD.registers
