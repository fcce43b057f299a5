# SPDX-License-Identifier: Apache-2.0
"""`generate --verilog`: Icarus and Yosys' own reader take it, and its bench passes and can fail."""

import re
import shutil
from pathlib import Path

import pytest

from nttforge.cli import main
from nttforge.flow.generate import generate
from tests.benches import make
from tests.end_to_end.test_folder_bench import other_digit
from tests.end_to_end.test_projects import small
from tests.folders import contents
from tests.undriven import passes

needs_icarus = pytest.mark.skipif(
    not shutil.which("iverilog"), reason="Icarus is not installed: apt-get install iverilog"
)
PRESETS = ("ml-kem", "scalable-kyber", "sam-tiny", "streamntt-7681", "ml-kem-coprocessor")


def icarus(folder: Path, seed: int = 1) -> str:
    """Output of the bench in Icarus, which ends with PASS, or make fails."""
    done = make(folder, "icarus", f"SEED={seed}")
    assert ("PASS: " in done.stdout) == (done.returncode == 0), done.stdout[-2000:] + done.stderr
    assert "PASS: " in done.stdout or "FAIL: " in done.stdout, done.stdout[-2000:] + done.stderr
    return done.stdout


@needs_icarus
@pytest.mark.parametrize(
    "name",
    ["stream", "shell", *(pytest.param(n, marks=pytest.mark.slow) for n in ("products", "large"))],
)
def test_the_bench_passes_in_icarus_and_can_fail(name: str, tmp_path: Path) -> None:
    """Under several seeds; a changed factor of the ROMs or a changed result fails it."""
    folder = tmp_path / "folder"
    generate(small(name), folder, verilog=True)
    before = contents(folder)
    shown = {icarus(folder, seed) for seed in (1, 2, 3)}
    assert len(shown) == 3 and all("PASS: " in text for text in shown)
    assert contents(folder) == before
    (file, *_) = (
        path for path in sorted((folder / "bench").glob("m_*.hex")) if "_before" not in path.name
    )
    lines = file.read_text().splitlines()
    lines[-1] = f"{int(lines[-1], 16) ^ 2:0{len(lines[-1])}x}"
    file.write_text("\n".join([*lines, ""]))
    assert "FAIL: " in icarus(folder)


@needs_icarus
@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_benches_of_presets_pass_in_icarus(name: str, tmp_path: Path) -> None:
    generate(small(name), tmp_path / "folder", verilog=True)
    assert "PASS: " in icarus(tmp_path / "folder")


@needs_icarus
def test_icarus_notices_a_wrong_factor(tmp_path: Path) -> None:
    """In the Verilog alone: the first contents of a memory are those that the bench depends on."""
    generate(small("stream"), tmp_path / "folder", verilog=True)
    text = tmp_path / "folder" / "verilog" / "small_stream.v"
    assert re.search(r"^    \S+ ?\[\d+\] = \d+'h", text.read_text(), re.MULTILINE)
    other_digit(text, "initial begin")
    assert "FAIL: " in icarus(tmp_path / "folder")


def test_yosys_reads_it_and_names_are_kept(tmp_path: Path) -> None:
    """By its own front end; modules are named after the design, but for the top."""
    folder = tmp_path / "folder"
    generate(small("stream"), folder, verilog=True)
    passes(
        folder,
        "read_verilog verilog/small_stream.v",
        "hierarchy -check -top small_stream_wrapper",
        "proc",
        "check -assert",
    )
    text = (folder / "verilog" / "small_stream.v").read_text()
    modules = re.findall(r"^module (\S+?)\(", text, re.MULTILINE)
    assert {name for name in modules if not name.startswith("small_stream__")} == {
        "small_stream_wrapper"
    }
    assert not re.search(r"\(\* |\$auto|^ +(logic|always_\w+) ", text, re.MULTILINE)
    for name in ("u_pipeline", "u_framer", r"_distributed\.mem  \[\d+:0\];", r"reg \S* ?state_q;"):
        assert re.search(name, text), name


@pytest.mark.synth
def test_the_readme_says_how(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the option, what is there; without, which option brings it."""
    for name, options in (("with", ["--verilog"]), ("without", [])):
        with pytest.raises(SystemExit) as ended:
            main(["generate", "ml-kem", *options, "-o", str(tmp_path / name)])
        assert ended.value.code == 0
    capsys.readouterr()
    with_it, without = ((tmp_path / name / "README.md").read_text() for name in ("with", "without"))
    assert "`verilog/ml_kem.v`" in with_it and "ml-kem.toml --verilog -o DIR" in with_it
    assert "make icarus" in with_it and "make icarus" not in without
    assert "ml-kem.toml --verilog -o DIR" in without
    assert not (tmp_path / "without" / "verilog").exists()
    assert "icarus" not in (tmp_path / "without" / "Makefile").read_text()
