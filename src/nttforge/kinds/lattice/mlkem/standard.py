# SPDX-License-Identifier: Apache-2.0
"""ML-KEM as data, and the registers of a coprocessor of it."""

from nttforge.hw.drivers import LibraryTemplates
from nttforge.kinds.lattice.commands import Commands
from nttforge.kinds.lattice.mlkem.program import SETS
from nttforge.kinds.lattice.operation import Function, Operation, Standard, Value, Values
from nttforge.standards.engine import software_engine
from nttforge.standards.ml_kem.kem import decaps_internal, encaps_internal, keygen_internal
from nttforge.standards.ml_kem.parameters import SEED_BYTES, Parameters

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


def rotate_key(dk: bytes) -> bytes:
    """A decapsulation key in the order of the stream: its last 96 bytes first."""
    return dk[-TAIL_BYTES:] + dk[:-TAIL_BYTES]


def _seed(p: Parameters) -> int:
    del p
    return SEED_BYTES


_D, _Z, _M = (Value(name, _seed, secret=True, drawn=True) for name in "dzm")
_SEED = Value("seed", lambda _: 2 * SEED_BYTES, "d and z", secret=True)
_EK = Value("ek", lambda p: p.ek_bytes, "an encapsulation key")
_DK = Value("dk", lambda p: p.dk_bytes, "a decapsulation key", secret=True)
_TAIL_FIRST = Value("dk", _DK.length, _DK.meaning, secret=True, sent=rotate_key)
_C = Value("c", lambda p: p.ciphertext_bytes, "a ciphertext")
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


STANDARD = Standard(
    name="ML-KEM",
    package="nttforge.kinds.lattice.mlkem",
    what="an ML-KEM coprocessor",
    instead="use `nttforge kem keygen`, `kem encaps` or `kem decaps`",
    sets=SETS,
    operations={
        "keygen": Operation((_D, _Z), (_EK, _DK), refused="d, z"),
        "encaps": Operation((_EK, _M), (_C, _SECRET), refused="ek", order=("secret", "c")),
        "decaps": Operation((_TAIL_FIRST, _C), (_SECRET,), refused="dk"),
        "decaps_standard": Operation((_DK, _C), (_SECRET,), refused="dk"),
        "decaps_seed": Operation((_SEED, _C), (_SECRET,), refused="seed"),
    },
    functions={
        "keygen": Function("keygen", ("keygen", "d", "z")),
        "encaps": Function("encaps", ("encaps", "ek", "m")),
        "decaps": Function(
            "decaps",
            ("decaps", "check", "dk", "c"),
            options={"check": (bool, True)},
            flags=("check",),
        ),
        "decaps_seed": Function("decaps_seed", ("decaps_seed", "d", "z", "c"), convert=_with_seeds),
    },
    commands=COMMANDS,
    prefix="kem_",
    mark=1 << 7,
    reference=reference,
    flagged={"decaps_seed": ("decaps", "seed")},
    keep=False,
    library=LibraryTemplates(
        "mlkem_host_example.c.j2",
        "mlkem_host_readme.md.j2",
        "mlkem_board.c.j2",
        "mlkem_host.h.j2",
    ),
)
REGISTERS = STANDARD.registers
