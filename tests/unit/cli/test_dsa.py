# SPDX-License-Identifier: Apache-2.0
"""`nttforge dsa` as a user meets it, and the other verbs with its core."""

import hashlib
import json
import stat
from hashlib import shake_256
from pathlib import Path
from typing import Any

import pytest
from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_87

from nttforge.cli import main
from nttforge.design import load_design
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.mldsa.cycles import verify_cycles
from nttforge.standards.ml_dsa.parameters import ML_DSA_44 as SET_44
from tests.coprocessors import DESIGNS

#: Command lines, of which markers cannot follow.
pytestmark = pytest.mark.sim

SEED = bytes(range(32))


def call(capsys: pytest.CaptureFixture[str], *words: Any) -> Any:
    """Exit code, standard output, standard error."""
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def test_keys_are_made_of_a_seed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = (
        "dsa",
        "keygen",
        "--parameter-set",
        44,
        "--key-seed",
        SEED.hex(),
        "-o",
        "alice",
        "--json",
    )
    code, out, _ = call(capsys, *words)
    made = json.loads(out)
    pk, sk = ML_DSA_44._keygen_internal(SEED)
    assert (code, made["values"]) == (0, {"pk": pk.hex(), "sk": sk.hex()})
    assert made["seeds"] == {"seed": SEED.hex()}
    assert 0 < made["keccak_cycles"] < made["cycles"]
    assert (tmp_path / "alice.pk").read_bytes() == pk
    assert (tmp_path / "alice.sk").read_bytes() == sk
    assert stat.S_IMODE((tmp_path / "alice.sk").stat().st_mode) == 0o600
    # Where there are files, the terminal shows neither the key nor its seed.
    code, out, err = call(capsys, *words[:-1])
    assert code == 0 and "sk is in alice.sk" in out
    assert not any(each in out + err for each in (SEED.hex(), sk.hex()[:16], sk.hex()[-16:]))
    # Without a seed keys differ, and can be made again.
    code, out, _ = call(capsys, "dsa", "keygen", "--parameter-set", "ML-DSA-87")
    lines = dict(line.split(" = ") for line in out.splitlines() if " = " in line)
    again = ML_DSA_87._keygen_internal(bytes.fromhex(lines["seed"]))
    assert (lines["pk"], lines["sk"]) == (again[0].hex(), again[1].hex())
    assert "keygen of ML-DSA-87 in " in out


def test_signatures_are_verified(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a context, hashed, and as mu, which is all that a message's holder need tell."""
    monkeypatch.chdir(tmp_path)
    pk, sk = ML_DSA_44._keygen_internal(SEED)
    message, context, oid = (
        b"plain short English",
        b"a page",
        bytes.fromhex("0609608648016503040203"),
    )
    hashed = bytes([1, len(context)]) + context + oid + hashlib.sha512(message).digest()
    for name, data in (
        ("pk", pk),
        ("message", message),
        ("signature", ML_DSA_44.sign(sk, message, ctx=context)),
        ("hashed", ML_DSA_44._sign_internal(sk, hashed, bytes(32))),
        ("mu", shake_256(shake_256(pk).digest(64) + hashed).digest(64)),
    ):
        (tmp_path / name).write_bytes(data)

    def verify(signature: str, *words: str) -> tuple[int, str]:
        given = ("--parameter-set", 44, "--pk", "pk", "--signature", signature)
        code, out, err = call(capsys, "dsa", "verify", *given, *words)
        return code, out + err

    with_context = ("--message", "message", "--context", context.hex())
    code, said = verify("signature", *with_context)
    assert code == 0 and "the signature is right" in said
    derived = verify_cycles(SET_44, pk, 2 + len(context) + len(message))
    assert f"verify of ML-DSA-44 in {derived} cycles, " in said
    code, said = verify("signature", "--message", "message")
    assert code == 3 and "the signature is wrong" in said
    assert verify("hashed", *with_context, "--prehash", "sha2-512")[0] == 0
    assert verify("hashed", *with_context, "--prehash", "sha2-256")[0] == 3
    assert verify("hashed", "--mu", "mu")[0] == 0
    for words, complaint in (
        (("--message", "message", "--prehash", "md5"), "--prehash: there is no md5"),
        (("--message", "message", "--context", "0"), "--context: 0 is not hexadecimal"),
        (("--message", "message", "--context", "00" * 256), "--context: 256 bytes long"),
        (("--message", "message", "--mu", "mu"), "--message: a message or mu is wanted"),
        (("--mu", "mu", "--prehash", "sha2-512"), "--mu: context and prehash are in mu"),
        (("--mu", "pk"), "--mu: pk holds 1312 bytes, not 64"),
        (("--message", "nowhere"), "--message: nowhere: No such file"),
    ):
        code, said = verify("signature", *words)
        assert code == 1 and complaint in said


def test_messages_are_signed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As dilithium-py does; random values are reported, so that it can be repeated."""
    monkeypatch.chdir(tmp_path)
    pk, sk = ML_DSA_44._keygen_internal(SEED)
    message, context = b"plain short English", b"a page"
    mu = shake_256(shake_256(pk).digest(64) + bytes([0, 6]) + context + message).digest(64)
    for name, data in (("sk", sk), ("message", message), ("mu", mu)):
        (tmp_path / name).write_bytes(data)

    def sign(*words: str) -> tuple[int, str]:
        code, out, err = call(capsys, "dsa", "sign", "--parameter-set", 44, "--sk", "sk", *words)
        return code, out + err

    what = ("--message", "message", "--context", context.hex())
    code, said = sign(*what, "--deterministic", "-o", "m", "--json")
    expected = ML_DSA_44.sign(sk, message, ctx=context, deterministic=True)
    assert code == 0 and json.loads(said.splitlines()[0])["values"] == {"sig": expected.hex()}
    assert (tmp_path / "m.sig").read_bytes() == expected
    same = (
        "dsa",
        "sign",
        "--parameter-set",
        44,
        "--deterministic",
        "--key-seed",
        SEED.hex(),
        "--json",
        *what,
    )
    for given, number in (((), 0), (("--sk", "sk"), 1)):
        code, out, err = call(capsys, *same, *given)
        assert code == number and ("--key-seed: it makes" in err or expected.hex() in out)
    code, _, err = call(capsys, "dsa", "sign", "--parameter-set", 44, *what)
    assert code == 1 and "--sk: a private key or its seed is wanted" in err
    code, said = sign("--mu", "mu", "--rnd", SEED.hex())
    hedged = ML_DSA_44._sign_internal(sk, bytes([0, 6]) + context + message, SEED)
    assert code == 0 and f"sig = {hedged.hex()}" in said and "sign of ML-DSA-44 in " in said
    code, said = sign(*what)
    lines = dict(line.split(" = ") for line in said.splitlines() if " = " in line)
    assert code == 0 and lines["rnd"] != bytes(32).hex()
    assert ML_DSA_44.verify(pk, message, bytes.fromhex(lines["sig"]), ctx=context)
    for words, complaint in (
        ((*what, "--rnd", "00", "--deterministic"), "--rnd: a deterministic signature has zeros"),
        ((*what, "--rnd", "00"), "--rnd: 1 bytes, not 32"),
        ((*what, "--sk", sk[:-1].hex()), "--sk: 2559 bytes, not 2560"),
        (
            (*what, "--sk", (sk[:128] + bytes([0xFF]) + sk[129:]).hex()),
            "coprocessor refuses it (key)",
        ),
        (("--message", "message", "--mu", "mu"), "--message: a message or mu is wanted"),
    ):
        code, said = sign(*words)
        assert code == 1 and complaint in said


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("verb", ["kem", "dsa"])
def test_verbs_take_every_preset_that_has_their_standard(
    capsys: pytest.CaptureFixture[str], design: str, verb: str
) -> None:
    """Each does what its core can, and says so of what it cannot."""
    made = load_design(design).table(LatticeTable)
    own = {"kem": ("512", "--d", SEED.hex(), "--z"), "dsa": ("44", "--key-seed")}[verb]
    words = (verb, "keygen", "--parameter-set", *own, SEED.hex(), "--design", design, "--json")
    code, out, err = call(capsys, *words)
    if f"ml-{verb}" not in made.standards:
        assert code == 1 and f"not an ML-{verb.upper()} coprocessor" in out + err
    elif made.operations == "verify":
        assert code == 1 and "it has `verify` and `verify_mu`" in out + err
    else:
        keys = ML_DSA_44._keygen_internal(SEED) if verb == "dsa" else ()
        values = json.loads(out)["values"]
        assert code == 0 and len(values) == 2
        assert not keys or values == {"pk": keys[0].hex(), "sk": keys[1].hex()}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ("dsa", "keygen", "--parameter-set", "46"),
            "--parameter-set: there is no 46; use 44, 65 or 87",
        ),
        (
            ("dsa", "keygen", "--parameter-set", "44", "--key-seed", "abcd"),
            "--key-seed: 2 bytes, not 32",
        ),
        (
            ("dsa", "keygen", "--parameter-set", "44", "-o", "no/such/place"),
            "there is no such folder",
        ),
        (
            ("dsa", "keygen", "--parameter-set", "44", "--design", "ml-dsa"),
            "not an ML-DSA coprocessor",
        ),
        (
            ("kem", "keygen", "--parameter-set", "512", "--design", "ml-dsa-core"),
            "is an ML-DSA coprocessor",
        ),
        (("run", "ml-dsa-core", "--input", "x", "--output", "y"), "use `nttforge dsa keygen`"),
        (("verify", "ml-dsa-core", "--set", "rings=[]"), "rings"),
        (("generate", "ml-dsa-core", "-o", "x", "--set", "shell.instances=2"), "has none"),
        (("measure", "ml-dsa-core", "--op", "ntt"), "--op: there is no 'ntt'; use keygen, "),
    ],
)
def test_every_mistake_is_one_line(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[Any, ...],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, *words)
    assert (code, out) == (1, "")
    assert complaint in err.splitlines()[-1]
    assert "Traceback" not in err
