# SPDX-License-Identifier: Apache-2.0
"""ML-KEM as data, and the registers of a coprocessor of it."""

from dataclasses import replace

from nttforge.hw.drivers import LibraryTemplates
from nttforge.kinds.lattice.commands import Commands
from nttforge.kinds.lattice.mlkem.program import SETS
from nttforge.kinds.lattice.openssl import Algorithm, Algorithms, Group
from nttforge.kinds.lattice.operation import Function, Operation, Standard, Value, Values
from nttforge.standards.ml_kem.kem import decaps_internal, encaps_internal, keygen_internal
from nttforge.standards.ml_kem.parameters import SEED_BYTES, Parameters
from nttforge.standards.transform_engine import software_engine

#: Of the table of registers; a driver for another one refuses the hardware.
VERSION = 3
# rho, H(ek) and z, with which a decapsulation key ends, are sent first, but to `decaps_standard`:
# Keccak needs them first.
TAIL_BYTES = 96

_REFUSALS = ("command", "public_length", "secret_length", "modulus", "hash")
ERRORS = ("none", *_REFUSALS, "fault", "zeroized")
COMMANDS = Commands(
    version=VERSION,
    operations=("keygen", "encaps", "decaps", "decaps_standard"),
    sets=("512", "768", "1024"),
    flags=(
        ("check", "Decaps: compare the hash of the key too"),
        ("entropy", "the entropy port gives seeds, but in Decaps, and a word for the wiping"),
        ("seed", "with `decaps`: `decaps_seed`, which takes d and z, and makes the key of them"),
    ),
    errors=ERRORS,
    operation_bits=2,
    error_bits=3,
    refused="why there was no output",
)


def _seed(p: Parameters) -> int:
    del p
    return SEED_BYTES


_D, _Z, _M = (Value(name, _seed, secret=True, drawn=True) for name in "dzm")
_SEED = Value("seed", lambda _: 2 * SEED_BYTES, "d and z", secret=True, parts=(_D, _Z))
_EK = Value("ek", lambda p: p.ek_bytes, "an encapsulation key")
_DK = Value("dk", lambda p: p.dk_bytes, "a decapsulation key", secret=True)
_TAIL_FIRST = replace(_DK, pieces=((-TAIL_BYTES, None), (0, -TAIL_BYTES)))
_C = Value("c", lambda p: p.ciphertext_bytes, "a ciphertext", label="ciphertext")
#: A decapsulation key in the order of the stream: its last 96 bytes first.
rotate_key = _TAIL_FIRST.sent
_SECRET = Value("secret", _seed, "a shared secret", secret=True)


def _with_seeds(*, seed: bytes, c: bytes) -> dict[str, bytes]:
    """The seed, and as the driver takes it."""
    return {"seed": seed, "c": c, "d": seed[:SEED_BYTES], "z": seed[SEED_BYTES:]}


def reference(p: Parameters, given: Values) -> dict[str, bytes]:
    """Keys of d and z, a secret and its ciphertext of m, or the secret of a ciphertext."""
    values, engine = dict(given), software_engine()
    if "d" in values:
        values["seed"] = values["d"] + values["z"]
        values["ek"], values["dk"] = keygen_internal(p, values["d"], values["z"], engine)
    if "m" in values:
        values["secret"], values["c"] = encaps_internal(p, values["ek"], values["m"], engine)
    elif "c" in values:
        values["secret"] = decaps_internal(p, values["dk"], values["c"], engine)
    return values


#: Object identifiers are NIST's, 2.16.840.1.101.3.4.4; bits of security, FIPS 203, section 8.
_OPENSSL = Algorithms(
    interface="kem",
    public="ek",
    private="dk",
    output="c",
    algorithms=tuple(
        Algorithm(f"ML-KEM-{size}", f"id-alg-ml-kem-{size}", f"2.16.840.1.101.3.4.4.{at}", bits)
        for at, (size, bits) in enumerate(((512, 128), (768, 192), (1024, 256)), 1)
    ),
    groups=(Group("X25519MLKEM768", 0x11EC, 1),),
)

STANDARD = Standard(
    name="ML-KEM",
    package="nttforge.kinds.lattice.mlkem",
    kind_label="an ML-KEM coprocessor",
    usage_hint="use `nttforge kem keygen`, `kem encaps` or `kem decaps`",
    sets=SETS,
    operations={
        "keygen": Operation((_D, _Z), (_EK, _DK), refused="d, z"),
        "encaps": Operation((_EK, _M), (_C, _SECRET), refused="ek", order=("secret", "c")),
        "decaps": Operation((_TAIL_FIRST, _C), (_SECRET,), refused="dk"),
        "decaps_standard": Operation((_DK, _C), (_SECRET,), refused="dk"),
        "decaps_seed": Operation((_SEED, _C), (_SECRET,), refused="seed"),
    },
    functions={
        "keygen": Function(
            "keygen",
            ("keygen", "d", "z"),
            about="KeyGen: a key pair from two seeds of 32 bytes; both null: from the entropy "
            "port.",
        ),
        "encaps": Function(
            "encaps",
            ("encaps", "ek", "m"),
            about="Encaps: a shared secret of 32 bytes and its ciphertext, from 32 random bytes m; "
            "null: from the entropy port. A key with a coefficient that is not below q is refused "
            "by the hardware.",
        ),
        "decaps": Function(
            "decaps",
            ("decaps", "check", "dk", "c"),
            options={"check": (bool, True)},
            flags=("check",),
            about="Decaps: the shared secret. If `check` is not 0, a key that belies its hash is "
            "refused. A ciphertext that does not belong to the key gives another secret, and no "
            "error (FIPS 203).",
        ),
        "decaps_seed": Function(
            "decaps_seed",
            ("decaps_seed", "d", "z", "c"),
            convert=_with_seeds,
            about="The same from the key's two seeds of 32 bytes: the hardware makes the key, and "
            "keeps it inside; it takes the cycles of a KeyGen more, but for some.",
        ),
    },
    commands=COMMANDS,
    prefix="kem_",
    mark=1 << 7,
    reference=reference,
    vectors={
        "keygen": (("keygen",),),
        "encaps": (("encaps",),),
        "decaps": (("decaps", "check"), ("decaps_standard", "check")),
    },
    flagged={"decaps_seed": ("decaps", "seed")},
    keep=False,
    published="FIPS 203",
    wipes=True,
    refuses="encaps",
    library=LibraryTemplates(
        "mlkem_host_example.c.j2",
        "mlkem_host_readme.md.j2",
        "mlkem_board.c.j2",
        "mlkem_host.h.j2",
    ),
    openssl=_OPENSSL,
)
REGISTERS = STANDARD.registers
