# SPDX-License-Identifier: Apache-2.0
"""The command line as a user meets it: results, errors, exit codes, signals."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nttforge
from nttforge.cli.outcome import Outcome
from nttforge.cli.session import run_verb
from nttforge.design import load_design
from nttforge.errors import FaultError
from nttforge.flow import prepare
from nttforge.flow.prepare import Prepared
from nttforge.ring.presets import PRESETS
from nttforge.ring.ring import Ring
from nttforge.ring.transform import ntt_definition
from tests.unit.cli.cli_calls import call
from tests.unit.simulate.toy import toy_core, toy_folder

DESIGN = """
name = "two-rings"
[[rings]]
name = "a"
n = 16
q = 97
[[rings]]
name = "b"
n = 16
q = 3329
layers = 3
"""
SOURCE = Path(nttforge.__file__).parents[1]


@pytest.fixture
def design(tmp_path: Path) -> Any:
    path = tmp_path / "two.toml"
    path.write_text(DESIGN)
    return path


def call_json(capsys: pytest.CaptureFixture[str], *words: Any) -> Any:
    code, out, _ = call(capsys, *words, "--json")
    assert out.count("\n") == 1
    return code, json.loads(out)


def test_presets_lists_all(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "presets")
    assert code == 0
    assert all(name in out for name in (*PRESETS, "mlkem-mldsa"))
    code, data = call_json(capsys, "presets")
    assert code == 0
    assert [ring["name"] for ring in data["rings"]] == list(PRESETS)
    assert int(next(r["q"] for r in data["rings"] if r["name"] == "bn254")).bit_length() == 254


def test_generate_writes_a_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, design: Any
) -> None:
    target = tmp_path / "out" / "core"
    code, data = call_json(capsys, "generate", design, "-o", target)
    assert code == 0
    assert all((target / name).is_file() for name in data["files"])
    assert (target / "files.f").read_text().split() == data["files"]
    assert [op["name"] for op in data["operations"]] == ["a.ntt", "a.intt", "b.ntt", "b.intt"]
    code, out, _ = call(capsys, "generate", design, "-o", target)  # over itself
    assert code == 0
    assert "top module two_rings" in out


def test_generate_does_not_write_into_strangers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, design: Any
) -> None:
    (tmp_path / "thesis.tex").touch()
    code, _, err = call(capsys, "generate", design, "-o", tmp_path)
    assert code == 1
    assert "neither empty nor a design folder" in err
    code, _, err = call(capsys, "generate", design, "-o", tmp_path / "thesis.tex")
    assert (code, "is not a folder" in err) == (1, True)


def test_verify_measure_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, design: Any
) -> None:
    code, data = call_json(capsys, "verify", design, "--transforms", 21)
    assert (code, data["ok"], data["random"]) == (0, True, 21)
    code, data = call_json(capsys, "measure", design, "--transforms", 20)
    assert (code, data["cycles_per_transform"], data["transforms_measured"]) == (0, 8, 20)
    x = np.random.default_rng(0).integers(0, 97, (3, 16))
    np.save(tmp_path / "x.npy", x)
    files = "--input", tmp_path / "x.npy", "--output", tmp_path / "y.npy"
    code, data = call_json(capsys, "run", design, "--op", "a.ntt", *files)
    assert (code, data["ok"], data["transforms"]) == (0, True, 3)
    expected = ntt_definition(Ring.create(16, 97), x)
    assert (np.load(tmp_path / "y.npy") == expected).all()
    words = "--input", tmp_path / "x", "--op", "a.ntt", "--output"
    (tmp_path / "x").write_text("".join(f"{value:02x}\n" for value in x.reshape(-1)))
    raw = "--format", "hex", "--word-bytes", 2, "--byte-order", "big"
    code, data = call_json(capsys, "run", design, *words, tmp_path / "y.bin", *raw)
    assert (code, data["output_format"]) == (0, "raw words, 2 bytes each, big-endian")
    assert (tmp_path / "y.bin").read_bytes() == expected.astype(">u2").tobytes()
    code, _, err = call(capsys, "run", design, *words, tmp_path / "y.txt", *raw)
    assert (code, "--word-bytes: no file holds raw words" in err) == (1, True)


def test_people_get_tables(capsys: pytest.CaptureFixture[str], tmp_path: Path, design: Any) -> None:
    np.save(tmp_path / "x.npy", np.zeros((1, 16), int))
    files = "--input", tmp_path / "x.npy", "--output", tmp_path / "y.npy", "--op", "a.ntt"
    for words, shown in [
        (("verify", design, "--transforms", 7), "no mismatch"),
        (("measure", design, "--transforms", 20), "8 cycles a transform"),
        (("run", design, *files), "equal to the reference"),
    ]:
        code, out, err = call(capsys, *words)
        assert code == 0
        assert shown in out
        assert str(words[0]) in err  # progress


@pytest.mark.synth
@pytest.mark.parametrize("target", ["xcup", "ecp5"])
def test_synth(
    capsys: pytest.CaptureFixture[str], design: Any, target: str, tmp_path: Path
) -> None:
    words = "synth", design, "--target", target
    code, data = call_json(capsys, *words, "-o", tmp_path)
    assert (code, data["netlist"]) == (0, str(tmp_path / "two_rings.json"))
    cells = json.loads((tmp_path / "two_rings.json").read_text())["modules"]["two_rings"]["cells"]
    assert Counter(cell["type"] for cell in cells.values()) == data["cells"]
    if target == "ecp5":
        assert call(capsys, *words, "-o", tmp_path / "y.v")[0] == 0
        verilog = (tmp_path / "y.v").read_text()
        assert "module two_rings(" in verilog
        assert len(re.findall(r"^  TRELLIS_FF ", verilog, re.MULTILINE)) == data["ff"]
    for name, problem in (("y.edif", "use .json or .v"), ("no/y.v", "no such folder")):
        code, _, err = call(capsys, *words, "-o", tmp_path / name)
        assert (code, problem in err) == (1, True)
    code, data = call_json(capsys, *words)
    assert (code, data["netlist"]) == (0, None)
    assert {"lut", "ff", "dsp", "bram18", "uram", "lutram", "srl"} <= set(data)
    assert sum(block["ff"] for block in data["blocks"].values()) == data["ff"] > 100
    code, out, _ = call(capsys, "synth", design, "--target", target)
    blocks = [line.split()[1] for line in out.splitlines() if len(line.split()) > 1]
    assert any(block.split(".")[-1] == "u_mul" for block in blocks)
    assert data["target"] == target


@pytest.mark.synth
def test_pnr(
    capsys: pytest.CaptureFixture[str], design: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a core that is placed in seconds."""
    core = toy_core()
    prepared = Prepared(core, toy_folder(tmp_path / "toy", core), load_design(str(design)))
    monkeypatch.setattr(prepare, "prepare_any", lambda _: prepared)
    code, data = call_json(
        capsys, "pnr", design, "--mhz", 100, "--placements", 2, "--placement-seed", 5
    )
    assert code == 0
    assert set(data["fmax_by_seed"]) == {"5", "6"}
    assert data["fmax_mhz"] == max(data["fmax_by_seed"].values()) > 40
    assert data["fmax_by_seed"][str(data["seed"])] == data["fmax_mhz"]
    code, out, _ = call(
        capsys, "pnr", design, "--mhz", 100, "--placements", 2, "--placement-seed", 5
    )
    assert "Critical path" in out
    assert f"{data['fmax_mhz']} MHz" in out


def test_timing(capsys: pytest.CaptureFixture[str], design: Any) -> None:
    code, data = call_json(capsys, "timing", design, "--paths", 3)
    assert code == 0
    assert [len(data["groups"]), data["speed_grade"]] == [3, 8]
    slowest = data["groups"][0]
    assert data["fmax_mhz"] == pytest.approx(1000 / slowest["delay_ns"], abs=0.1)
    parts = sum(step["wire_ns"] + step["cell_ns"] for step in slowest["steps"])
    assert parts == pytest.approx(slowest["delay_ns"], abs=0.02)
    assert all(group["start_module"] for group in data["groups"])
    # Only out of a multiplier's registers or a block RAM a path without a level is among these.
    late = ("DP16KD", "MULT18X18D")
    assert all(group["levels"] or group["steps"][0]["what"] in late for group in data["groups"])
    code, out, _ = call(capsys, "timing", design)
    assert code == 0 and f"{data['fmax_mhz']} MHz, estimated" in out
    code, data = call_json(capsys, "timing", design, "--instance", "u_mul", "--paths", 50)
    assert code == 0
    ends = [name for group in data["groups"] for name in (group["start"], group["end"])]
    assert any(name.startswith("port.") for name in ends)
    code, data = call_json(capsys, "timing", design, "--endpoint", "u_nobody")
    assert code == 1 and "begins or ends below u_nobody" in data["error"]


@pytest.mark.synth
def test_multiplier(capsys: pytest.CaptureFixture[str]) -> None:
    code, data = call_json(capsys, "multiplier", "0xd01")
    assert code == 0 and data["q"] == "3329"
    rows = data["rows"]
    assert {row["name"]: row["clocks"] for row in rows} == {
        "by a constant": 1,
        "two residues": 1,
        "by a constant, half rate": 2,
    }
    assert rows[0]["prefer"] == "balanced" and rows[0]["dsp"] == 1
    assert all(row["lut"] > 0 and row["ff"] > 0 for row in rows)
    code, out, _ = call(capsys, "multiplier", "3329", "--markdown")
    assert code == 0 and out.splitlines()[2].startswith("| by a constant | balanced |")


def test_keys_can_be_replaced(capsys: pytest.CaptureFixture[str], design: Any) -> None:
    words = "--set", "pipeline.seamless=true", "--set", "name=other"
    code, data = call_json(capsys, "measure", design, "--transforms", 20, *words)
    assert (code, data["design"]) == (0, "other")
    assert set(data["turnaround_cycles"].values()) == {0}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("verify", "mlkem-mldza"), "mlkem-mldsa"),
        (("verify", "no/such.toml"), "no/such.toml"),
        (("verify", "DESIGN", "--transforms", 0), "--transforms / --cases: 0"),
        (("measure", "DESIGN", "--runs", 1), "--transforms / --runs: 1"),
        (("measure", "DESIGN", "--transforms", 1), "1 is not from 2 to"),
        (("synth", "DESIGN", "--target", "asic"), "use xcup, xc7 or ecp5"),
        (("synth", "DESIGN", "--shell"), "has no memory shell"),
        (("multiplier", "many"), "'many' is not an integer"),
        (("multiplier", "3328"), "3328 is not an odd prime"),
        (("multiplier", "3329", "--target", "asic"), "use xcup, xc7 or ecp5"),
        (("pnr", "DESIGN", "--speed", 5), "--speed: 5"),
        (("timing", "DESIGN", "--speed", 5), "--speed: no delays of grade 5"),
        (("timing", "DESIGN", "--paths", 0), "--paths: 0"),
        (("pnr", "DESIGN", "--jobs", 0), "--jobs: 0"),
        (("verify", "DESIGN", "--set", "pipeline"), "is not KEY=VALUE"),
        (("verify", "DESIGN", "--set", "pipeline.seemless=true"), "seamless"),
        (("verify", "DESIGN", "--set", "rings=[{n=16,q=98}]"), "98 is not an odd prime"),
        (("verify", "DESIGN", "--set", "rings=[{n=16,q=101}]"), "no root of unity"),
        (("verify", "DESIGN", "--set", "rings=[{n=15,q=97}]"), "15 is not a power of two"),
        (("run", "DESIGN", "--op", "a.nt", "--input", "x.npy", "--output", "y.npy"), "a.ntt"),
        (("run", "DESIGN", "--op", "a.ntt", "--input", "x.npy", "--output", "y.npy"), "no such"),
    ],
)
def test_every_mistake_is_one_line(
    capsys: pytest.CaptureFixture[str], design: Any, words: tuple[Any, ...], complaint: str
) -> None:
    words = tuple(design if word == "DESIGN" else word for word in words)
    code, out, err = call(capsys, *words)
    assert (code, out) == (1, "")
    last = err.splitlines()[-1]
    assert last.startswith("error: ")
    assert complaint in last
    assert "Traceback" not in err
    code, data = call_json(capsys, *words)
    assert code == 1
    assert complaint in data["error"]
    assert set(data) == {"error", "field", "problem", "hint"}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("verfy", "x"), "verfy"),
        (("verify",), "DESIGN"),
        (("verify", "x", "--colour"), "--colour"),
        (("verify", "x", "--seed", "blue"), "--seed"),
        (("generate", "ml-kem"), "output"),
    ],
)
def test_a_wrong_command_line_is_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[Any, ...], complaint: str
) -> None:
    code, out, err = call(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert complaint in err
    assert complaint in call_json(capsys, *words)[1]["error"]


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--help"], ["verify", "--help"], ["--version"]):
        code, out, _ = call(capsys, *words)
        assert (code, "nttforge" in out) == (0, True)


def test_what_does_not_hold_is_not_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb("x", False, lambda _: Outcome({}, "shown", ok=False)) == 1
    assert capsys.readouterr().out.strip() == "shown"


def test_defects_are_one_line_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NTTFORGE_TRACEBACK", raising=False)

    def broken(_: Any) -> Outcome:
        raise KeyError("lost\nkey")

    def violated(_: Any) -> Outcome:
        raise FaultError("tlast", "m_axis_tlast is high", 3, 77)

    assert run_verb("x", True, broken) == 1
    captured = capsys.readouterr()
    assert "a defect of nttforge: KeyError" in json.loads(captured.out)["error"]
    assert captured.err.count("\n") == 1
    assert run_verb("x", False, violated) == 1
    assert "tlast is high (seed 3)" in capsys.readouterr().err
    monkeypatch.setenv("NTTFORGE_TRACEBACK", "1")
    with pytest.raises(KeyError):
        run_verb("x", False, broken)


def test_a_missing_compiler_is_one_line(
    capsys: pytest.CaptureFixture[str], design: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    code, out, err = call(capsys, "verify", design)
    assert (code, out) == (1, "")
    assert "error: C++ compiler: CXX names no-such-compiler" in err.splitlines()[-1]


@pytest.mark.sim
def test_interrupted_says_how_far_it_got(tmp_path: Path, design: Any) -> None:
    """A process of its own, in another folder, gets a real Ctrl-C."""
    # What runs in the background, as tests may, is born deaf to Ctrl-C.
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", f"{listen}; from nttforge.cli import main; main()"),
            *("verify", design.name, "--transforms", "100000000", "--json"),
        ],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    lines = []
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        lines.append(process.stderr.readline())
        if "random" in lines[-1]:
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; so far: " in json.loads(out)["error"]
    assert "transforms compared" in err.splitlines()[-1]
    assert "Traceback" not in err
