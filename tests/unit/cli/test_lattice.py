# SPDX-License-Identifier: Apache-2.0
"""`kem`, `dsa` and Python with a coprocessor of both standards, as with those of one."""

import json
from pathlib import Path
from typing import Any

import pytest
from dilithium_py.ml_dsa import ML_DSA_44
from kyber_py.ml_kem import ML_KEM_512

import nttforge
from nttforge import host
from nttforge.cli import main
from nttforge.designs import PQC

#: Command lines, of which markers cannot follow.
pytestmark = pytest.mark.sim

D, Z, M = (bytes([number] * 32) for number in (1, 2, 3))


def call(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    """What a verb prints with `--json`, on the coprocessor of both."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, words), "--design", PQC, "--json"])
    captured = capsys.readouterr()
    assert ended.value.code == 0, captured.err
    found: dict[str, Any] = json.loads(captured.out)
    return found


def test_keys_and_secrets(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = call(
        *(
            capsys,
            "kem",
            "keygen",
            "--parameter-set",
            512,
            "--d",
            D.hex(),
            "--z",
            Z.hex(),
            "-o",
            "alice",
        )
    )
    ek, dk = ML_KEM_512._keygen_internal(D, Z)
    secret, c = ML_KEM_512._encaps_internal(ek, M)
    assert made["values"] == {"ek": ek.hex(), "dk": dk.hex()}
    sent = call(
        *(
            capsys,
            "kem",
            "encaps",
            "--parameter-set",
            512,
            "--ek",
            "alice.ek",
            "--m",
            M.hex(),
            "-o",
            "bob",
        )
    )
    assert sent["values"] == {"c": c.hex(), "secret": secret.hex()}
    found = call(
        capsys, "kem", "decaps", "--parameter-set", 512, "--dk", "alice.dk", "--c", "bob.c"
    )
    by_seed = call(
        *(
            capsys,
            "kem",
            "decaps",
            "--parameter-set",
            512,
            "--key-seed",
            (D + Z).hex(),
            "--c",
            "bob.c",
        )
    )
    assert found["values"] == by_seed["values"] == {"secret": secret.hex()}


def test_keys_and_signatures(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = call(
        capsys, "dsa", "keygen", "--parameter-set", 44, "--key-seed", D.hex(), "-o", "alice"
    )
    pk, sk = ML_DSA_44._keygen_internal(D)
    assert made["values"] == {"pk": pk.hex(), "sk": sk.hex()}
    Path("message").write_bytes(M)
    signing = ("--message", "message", "--deterministic")
    signed = call(
        *(capsys, "dsa", "sign", "--parameter-set", 44, "--sk", "alice.sk", *signing, "-o", "alice")
    )
    by_seed = call(capsys, "dsa", "sign", "--parameter-set", 44, "--key-seed", D.hex(), *signing)
    right = ML_DSA_44.sign(sk, M, deterministic=True)
    assert signed["values"] == by_seed["values"] == {"sig": right.hex()}
    found = call(
        *(
            capsys,
            "dsa",
            "verify",
            "--parameter-set",
            44,
            "--pk",
            "alice.pk",
            "--signature",
            "alice.sig",
        ),
        *("--message", "message"),
    )
    assert found["ok"] and found["design"] == "pqc_coprocessor"


def test_python_and_the_device() -> None:
    engine = nttforge.open(PQC)
    pair = engine.ops.kem_keygen(512, D, Z)
    assert (pair.ek, pair.dk) == ML_KEM_512._keygen_internal(D, Z)
    pk, sk = ML_DSA_44._keygen_internal(D)
    with host.open(PQC) as device:
        started = [device.start("kem_encaps", 512, pair.ek), device.start("dsa_keygen", 44, D)]
        sent, keys = (each.result() for each in started)
        assert (keys.pk, keys.sk) == (pk, sk)
        assert ML_KEM_512._decaps_internal(pair.dk, sent.c) == sent.secret
