# SPDX-License-Identifier: Apache-2.0
"""`nttforge kem` as a user meets it: a journey of keys, and every mistake as one line."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_1024

from nttforge.cli import main

#: Command lines, of which markers cannot follow.
pytestmark = pytest.mark.sim

D, Z, M = bytes(range(32)), bytes(range(32, 64)), bytes(range(64, 96))


def call(capsys: pytest.CaptureFixture[str], *words: Any) -> Any:
    """Exit code, standard output, standard error."""
    with pytest.raises(SystemExit) as ended:
        main(["kem", *(str(word) for word in words)])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def call_json(capsys: pytest.CaptureFixture[str], *words: Any) -> Any:
    code, out, _ = call(capsys, *words, "--json")
    assert out.count("\n") == 1
    return code, json.loads(out)


def test_a_secret_is_shared(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, made = call_json(capsys, "keygen", "--parameter-set", 512, "--d", D.hex(), "--z", Z.hex())
    ek, dk = ML_KEM_512._keygen_internal(D, Z)
    assert (code, made["values"]) == (0, {"ek": ek.hex(), "dk": dk.hex()})
    assert made["seeds"] == {"d": D.hex(), "z": Z.hex()}
    assert 0 < made["keccak_cycles"] < made["cycles"]
    # Files: bytes out, bytes or hexadecimal text in.
    assert call(capsys, "keygen", "--parameter-set", "ML-KEM-512", "-o", "alice")[0] == 0
    (tmp_path / "ek.txt").write_text((tmp_path / "alice.ek").read_bytes().hex() + "\n")
    assert (
        call(capsys, "encaps", "--parameter-set", 512, "--ek", "ek.txt", "--output", "bob")[0] == 0
    )
    words = ("--parameter-set", 512, "--dk", "alice.dk", "--c", "bob.c")
    code, found = call_json(capsys, "decaps", *words, "-o", "alice")
    assert code == 0
    assert bytes.fromhex(found["values"]["secret"]) == (tmp_path / "bob.secret").read_bytes()
    assert found["files"] == {"secret": "alice.secret"}
    for name in ("alice.dk", "alice.secret", "bob.secret"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    # Of the key's seed, without a key: text, or a file.
    pair = call_json(capsys, "encaps", "--parameter-set", 512, "--ek", ek.hex())[1]["values"]
    Path("seed").write_bytes(D + Z)
    for seed in ((D + Z).hex(), "seed"):
        words_of_seed = ("--parameter-set", 512, "--key-seed", seed, "--c", pair["c"])
        code, found = call_json(capsys, "decaps", *words_of_seed)
        assert (code, found["values"]["secret"]) == (0, pair["secret"])
    # A spoilt ciphertext is no error, and no secret of anybody's.
    c = bytearray((tmp_path / "bob.c").read_bytes())
    c[5] ^= 1
    code, other = call_json(capsys, "decaps", *words[:4], "--c", c.hex())
    assert code == 0
    expected = ML_KEM_512._decaps_internal((tmp_path / "alice.dk").read_bytes(), bytes(c))
    assert bytes.fromhex(other["values"]["secret"]) == expected


def test_without_seeds_keys_differ_and_can_be_made_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = [call_json(capsys, "keygen", "--parameter-set", 1024)[1] for _ in range(2)]
    assert made[0]["values"] != made[1]["values"]
    seeds = made[0]["seeds"]
    again = call_json(
        capsys, "keygen", "--parameter-set", 1024, "--d", seeds["d"], "--z", seeds["z"]
    )[1]
    assert again["values"] == made[0]["values"]
    ek = made[0]["values"]["ek"]
    sent = call_json(capsys, "encaps", "--parameter-set", 1024, "--ek", ek, "--m", M.hex())[1]
    secret, c = ML_KEM_1024._encaps_internal(bytes.fromhex(ek), M)
    assert sent["values"] == {"c": c.hex(), "secret": secret.hex()}


def test_people_get_lines_to_copy(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "keygen", "--parameter-set", 512, "--d", D.hex())
    assert code == 0
    names = [line.split(" = ")[0] for line in out.splitlines() if " = " in line]
    assert names == ["d", "z", "ek", "dk"]
    assert "ML-KEM-512 in " in out


KEY = ML_KEM_512._keygen_internal(D, Z)
CIPHERTEXT = ML_KEM_512._encaps_internal(KEY[0], M)[1].hex()
BELIED = (KEY[1][:-64] + bytes(32) + KEY[1][-32:]).hex()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ("keygen", "--parameter-set", "700"),
            "--parameter-set: there is no 700; use 512, 768 or 1024",
        ),
        (
            ("keygen", "--parameter-set", "512", "--d", "abc"),
            "--d: 3 hexadecimal digits are an odd number",
        ),
        (("keygen", "--parameter-set", "512", "--z", "abcd"), "--z: 2 bytes, not 32"),
        (
            ("keygen", "--parameter-set", "512", "--z", "/dev/zero"),
            "--z: /dev/zero: has more than 64 MiB",
        ),
        (
            ("keygen", "--parameter-set", "512", "-o", "no/such/place"),
            "there is no such folder; make it",
        ),
        (("keygen", "--parameter-set", "512", "--design", "ml-kem"), "not an ML-KEM coprocessor"),
        (("keygen", "--parameter-set", "512", "--design", "ml-kim"), "neither a preset nor a file"),
        (
            ("encaps", "--parameter-set", "512", "--ek", "none"),
            "--ek: none is neither hexadecimal nor a",
        ),
        (("encaps", "--parameter-set", "512", "--ek", "."), "--ek: .: Is a directory"),
        (
            ("decaps", "--parameter-set", "512", "--dk", f"{KEY[1].hex()} ", "--c", "00"),
            "3265 of 3265 is no",
        ),
        (
            ("keygen", "--parameter-set", "512", "--d", "12" * 31 + "1g"),
            "--d: character 64 of 64 is no hex",
        ),
        (
            ("keygen", "--parameter-set", "512", "--d", "keys/" * 9 + "d"),
            "d is neither hexadecimal nor a file",
        ),
        (("encaps", "--parameter-set", "768", "--ek", KEY[0].hex()), "--ek: 800 bytes, not 1184"),
        (
            ("encaps", "--parameter-set", "512", "--ek", "ff" * 800),
            "ek: the coprocessor refuses it",
        ),
        (
            ("encaps", "--parameter-set", "512", "--ek", "empty"),
            "--ek: empty holds 0 bytes, not 800",
        ),
        (
            ("decaps", "--parameter-set", "512", "--dk", "empty", "--c", CIPHERTEXT),
            "--dk: empty holds 0",
        ),
        (
            ("decaps", "--parameter-set", "512", "--dk", KEY[1].hex(), "--c", "00"),
            "--c: 1 bytes, not 768",
        ),
        (
            ("decaps", "--parameter-set", "512", "--dk", BELIED, "--c", CIPHERTEXT),
            "dk: the coprocessor",
        ),
        (
            ("decaps", "--parameter-set", "512", "--c", CIPHERTEXT),
            "--dk: a decapsulation key or its seed",
        ),
        # Its files would lie beside the folder.
        (("keygen", "--parameter-set", "512", "-o", "keys/"), "--output: keys/ is a folder"),
        (
            ("decaps", "--parameter-set", "512", "--key-seed", "00", "--c", CIPHERTEXT),
            "--key-seed: 1 bytes, not 64",
        ),
        (
            (
                "decaps",
                "--parameter-set",
                "512",
                "--dk",
                BELIED,
                "--key-seed",
                "00" * 64,
                "--c",
                CIPHERTEXT,
            ),
            "--key-seed: it makes the key that --dk is",
        ),
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
    (tmp_path / "empty").touch()
    code, out, err = call(capsys, *words)
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith("error: ")
    assert complaint in err.splitlines()[-1]
    assert "Traceback" not in err
    assert complaint in call_json(capsys, *words)[1]["error"]
    assert not any(word[:64] in err for word in words if len(word) >= 64)


def test_the_hash_check_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("decaps", "--parameter-set", 512, "--dk", BELIED, "--c", CIPHERTEXT, "--no-check")
    assert call(capsys, *words)[0] == 0


@pytest.mark.parametrize(
    "words",
    [
        ("keygen",),
        ("encaps", "--parameter-set", "512"),
        ("decapsulate",),
    ],
)
def test_a_wrong_command_line_is_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[Any, ...]
) -> None:
    code, out, err = call(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1


def test_other_verbs_know_the_coprocessor(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["generate", "ml-kem-coprocessor", "-o", str(tmp_path / "kem"), "--json"])
    made = json.loads(capsys.readouterr().out)
    assert ended.value.code == 0
    names = ["keygen", "encaps", "decaps", "decaps_standard", "decaps_seed"]
    assert made["operations"] == names
    assert (tmp_path / "kem" / made["files"][-2]).stem == made["top"] == "ml_kem_coprocessor"
    words = ("run", "ml-kem-coprocessor", "--input", "x.npy", "--output", "y.npy")
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    assert ended.value.code == 1
    assert "nttforge kem" in capsys.readouterr().err.splitlines()[-1]
    with pytest.raises(SystemExit) as ended:
        main(["measure", "ml-kem-coprocessor", "--runs", "2", "--json"])
    assert ended.value.code == 0
    keys = {"latency_cycles", "cycles_per_operation", "operations_measured"}
    assert keys <= set(json.loads(capsys.readouterr().out))
    with pytest.raises(SystemExit) as ended:
        main(["verify", "ml-kem-coprocessor", "--cases", "2"])
    assert ended.value.code == 0
    assert "ML-KEM-1024" in capsys.readouterr().out


def test_results_have_tables(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for words in (["generate", "-o", str(tmp_path / "kem")], ["measure", "--runs", "2"]):
        with pytest.raises(SystemExit) as ended:
            main([words[0], "ml-kem-coprocessor", *words[1:]])
        assert ended.value.code == 0
        assert "keygen" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ("lattice.rounds_per_cycle=5", "lattice.rounds_per_cycle: 5"),
        ("mlkem.rounds=2", "unknown key"),
        ('rings=[{preset="ml-dsa"}]', "rings: ML-KEM has one ring"),
        ('operations=["ntt"]', "operations: ML-KEM needs both directions"),
        ("shell.instances=2", "shell: a coprocessor has none"),
    ],
)
def test_a_wrong_design_is_one_line(
    capsys: pytest.CaptureFixture[str], keys: str, complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["generate", "ml-kem-coprocessor", "-o", str(tmp_path / "x"), "--set", keys])
    assert ended.value.code == 1
    assert complaint in capsys.readouterr().err.splitlines()[-1]
