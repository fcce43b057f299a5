# SPDX-License-Identifier: Apache-2.0
"""ML-KEM as data."""

from nttforge.hw.drivers import LibraryTemplates
from nttforge.kinds.lattice.mlkem.program import CODES, SETS
from nttforge.kinds.lattice.mlkem.registers import COMMANDS, TAIL_BYTES
from nttforge.kinds.lattice.openssl import Algorithm, Algorithms, Group
from nttforge.kinds.lattice.operation import Function, Operation, Standard, Value, Values
from nttforge.kinds.lattice.pqc.registers import KEM_PREFIX, kem_byte
from nttforge.standards.ml_kem.kem import decaps_internal, encaps_internal, keygen_internal
from nttforge.standards.ml_kem.parameters import SEED_BYTES, Parameters
from nttforge.standards.transform_engine import software_engine


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
    operations=dict(
        zip(
            CODES,
            (
                Operation((_D, _Z), (_EK, _DK), refused="d, z"),
                Operation((_EK, _M), (_C, _SECRET), refused="ek", order=("secret", "c")),
                Operation((_TAIL_FIRST, _C), (_SECRET,), refused="dk"),
                Operation((_DK, _C), (_SECRET,), refused="dk"),
                Operation((_SEED, _C), (_SECRET,), refused="seed"),
            ),
            strict=True,
        )
    ),
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
    prefix=KEM_PREFIX,
    byte=kem_byte,
    reference=reference,
    flagged={"decaps_seed": ("decaps", "seed")},
    keep=False,
    library=LibraryTemplates(
        "mlkem_host_example.c.j2",
        "mlkem_host_readme.md.j2",
        "mlkem_board.c.j2",
        "mlkem_host.h.j2",
    ),
    openssl=_OPENSSL,
)
