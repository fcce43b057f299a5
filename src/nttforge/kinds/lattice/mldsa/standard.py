# SPDX-License-Identifier: Apache-2.0
"""ML-DSA as data, and the registers of a coprocessor of it."""

from dataclasses import replace
from functools import partial

from nttforge.hw.drivers import LibraryTemplates
from nttforge.kinds.lattice.commands import Commands
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.signing import OPERATIONS
from nttforge.kinds.lattice.openssl import Algorithm, Algorithms
from nttforge.kinds.lattice.operation import (
    Function,
    Operation,
    OwnDriver,
    Standard,
    Value,
    Values,
)
from nttforge.standards.ml_dsa.keygen import keygen_internal
from nttforge.standards.ml_dsa.message import ARC, HASHES, MU_BYTES, formatted, representative
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters
from nttforge.standards.ml_dsa.signing import RND_BYTES, public_key, sign_mu
from nttforge.standards.transform_engine import software_engine

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
#: The verdict of Verify, a half by each rail: of a signature that is wrong, and of a right one.
WORDS = (ACCEPTED[4:] + ACCEPTED[:4], ACCEPTED)


_XI = Value("seed", lambda _: SEED_BYTES, secret=True, drawn=True)
_RND = Value("rnd", lambda _: RND_BYTES, "random bytes, or zeros", secret=True, drawn=True)
_PK = Value("pk", lambda p: p.pk_bytes, "a public key")
_SK = Value("sk", lambda p: p.sk_bytes, "a private key", secret=True)
_TR_LAST = replace(_SK, pieces=((0, 64), (128, None), (64, 128)))
#: A private key in the order of the stream, in which tr comes last, and back.
stream_order, private_key = _TR_LAST.sent, _TR_LAST.read
_MESSAGE = Value("message", form="FORMATTED")
_MU = Value("mu", lambda _: MU_BYTES, "H(H(pk), M')", form="MU")
_SIGNATURE = Value("signature", lambda p: p.signature_bytes, "a signature")
#: Of any length: another one than the set's is wrong, and no mistake of the caller.
_JUDGED, _ANY_KEY = (replace(value, exact=False) for value in (_SIGNATURE, _PK))
_VERDICT = Value("verdict", lambda _: len(ACCEPTED))


def completed(p: Parameters, given: Values) -> dict[str, bytes]:
    """With the public key of a private one, and mu of a message."""
    values = dict(given)
    if "sk" in values:
        values.setdefault("pk", public_key(p, values["sk"], software_engine()))
    if "message" in values:
        values["mu"] = representative(values["pk"], values["message"])
    return values


def reference(p: Parameters, given: Values) -> dict[str, bytes]:
    """Keys of a seed; of a private key a signature, which is right, and its public key."""
    values, engine = dict(given), software_engine()
    if "seed" in values:
        values["pk"], values["sk"] = keygen_internal(p, values["seed"], engine)
    if "rnd" in values:
        values.setdefault("message", b"a message")
    values = completed(p, values)
    if "sk" in values and "rnd" in values:
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


_LOAD = (
    "Takes a private key in, for signatures of this set that follow. What is no signature by it "
    "drops it."
)
_HASH_NAMES = [name.upper().replace("-", "_").replace("/", "_") for name in HASHES]
#: Messages, which Sign and Verify of the driver take in these forms.
_OWN = OwnDriver(
    "mldsa",
    {
        "mu_bytes": MU_BYTES,
        "hashes": [
            {"name": name, "number": number, "bytes": len(digest(b""))}
            for name, (number, digest) in zip(_HASH_NAMES, HASHES.values(), strict=True)
        ],
        "arc": tuple(ARC),
        "right": tuple(ACCEPTED),
    },
    # pk, a signature, and M' with context and digest; or pk between M' twice.
    pieces=6,
    checked_pieces=9,
    forms=("MESSAGE", *_HASH_NAMES, "MU", "FORMATTED"),
)
#: Object identifiers are NIST's, 2.16.840.1.101.3.4.3; schemes of TLS, draft-ietf-tls-mldsa.
_OPENSSL = Algorithms(
    interface="signature",
    public="pk",
    private="sk",
    output="signature",
    algorithms=tuple(
        Algorithm(
            *(f"ML-DSA-{of}", f"id-ml-dsa-{of}", f"2.16.840.1.101.3.4.3.{17 + at}", bits),
            scheme=f"mldsa{of}",
            code_point=0x0904 + at,
        )
        for at, (of, bits) in enumerate(((44, 128), (65, 192), (87, 256)))
    ),
)

STANDARD = Standard(
    name="ML-DSA",
    package="nttforge.kinds.lattice.mldsa",
    kind_label="an ML-DSA coprocessor",
    usage_hint="use `nttforge dsa keygen`, `dsa sign` or `dsa verify`",
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
        "keygen": Function(
            "keygen",
            ("keygen", "seed"),
            about="KeyGen: a key pair from a seed of 32 bytes; null: from the entropy port. sk is "
            "as the standard encodes it.",
        ),
        **_functions("sign", "sk", "rnd", ""),
        **_functions("verify", "pk", "", "signature"),
        "load": Function("load", ("load", "sk"), listed=False, about=_LOAD),
        "load_seed": Function(
            "load_seed",
            ("load_seed", "seed"),
            listed=False,
            about="The same of a key that the hardware makes inside, from a seed as KeyGen does; "
            "only pk leaves.",
        ),
        "sign_loaded": Function("sign_loaded", listed=False),
        "sign_loaded_mu": Function("sign_loaded_mu", listed=False),
        "drop": Function(
            "drop",
            ("drop",),
            listed=False,
            about="Has the key that is loaded overwritten, of whatever set.",
        ),
    },
    commands=COMMANDS,
    prefix="dsa_",
    reference=reference,
    vectors={
        "keygen": (("keygen",), ("keygen_standard",)),
        "sign": (("sign",),),
        "verify": (("verify",), ("verify_mu",)),
    },
    completed=completed,
    answered=("none", "signature"),
    published="FIPS 204",
    own=_OWN,
    library=LibraryTemplates("mldsa_host_example.c.j2", "mldsa_host_readme.md.j2"),
    openssl=_OPENSSL,
)
REGISTERS = STANDARD.registers
