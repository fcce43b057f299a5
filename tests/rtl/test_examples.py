# SPDX-License-Identifier: Apache-2.0
"""The examples of the library: their benches pass as the README says, and broken hardware fails."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from nttforge.rtl_library import library, needed, rtl_root
from tests.benches import QUICK, make, verdict, with_runtime
from tests.slang import complaints
from tests.undriven import undriven

HERE = rtl_root() / "examples"
TOPS = ("ntf_example_butterfly", "ntf_example_ntt", "ntf_example_mover")
#: A place of the library or of an example, and the bench that notices it.
DEFECTS = [
    ("ntf_example_ntt", "examples/ntf_example_ntt.sv", "16 + 11", "16 + 3"),
    ("ntf_example_butterfly", "examples/ntf_example_pkg.sv", "shift: 10'd4,", "shift: 10'd3,"),
    ("ntf_example_butterfly", "examples/ntf_example_butterfly.sv", "~inverse_i)", "1'b1)"),
    ("ntf_example_ntt", "pipeline/ntf_framer.sv", "state_d = StFill", "state_d = StTake"),
    ("ntf_example_mover", "examples/ntf_example_mover.sv", "beat_q == '1", "beat_q == '0"),
    (
        "ntf_example_mover",
        "shell/ntf_axi_bursts.sv",
        "(AddrW'(len_o) << WordShift)",
        "AddrW'(BurstBytes)",
    ),
]


def passes(folder: Path, build: Path, *targets: str) -> bool:
    with_runtime(build)
    return verdict(make(folder, f"BUILD={build}", *targets, *QUICK))


def test_examples_pass(tmp_path: Path) -> None:
    """All by one command, and under other seeds, of which each has another course."""
    assert passes(HERE, tmp_path)
    for top in TOPS:
        command = str(tmp_path / f"{top}_bench")
        for seed in range(2, 5):
            done = subprocess.run(
                [command, f"+seed={seed}"], capture_output=True, text=True, check=False
            )
            assert verdict(done) and f"PASS: {top}, seed {seed}" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("top", "file", "good", "bad"), DEFECTS)
def test_broken_hardware_fails(top: str, file: str, good: str, bad: str, tmp_path: Path) -> None:
    copy = tmp_path / "rtl"
    shutil.copytree(rtl_root(), copy)
    text = (copy / file).read_text("utf-8")
    assert text.count(good) == 1
    (copy / file).write_text(text.replace(good, bad), "utf-8")
    assert not passes(copy / "examples", tmp_path / "build", top)


def test_verilator_finds_nothing() -> None:
    done = make(HERE, "lint")
    assert done.returncode == 0 and "%Warning" not in done.stderr, done.stderr


@pytest.mark.parametrize("top", TOPS)
def test_slang_and_yosys_find_nothing(top: str, tmp_path: Path) -> None:
    """Benches too; what is synthesised has all of its bits driven."""
    files = library()
    bench = [files[name] for name in needed(f"{top}_bench", files)]
    assert not complaints(bench, f"{top}_bench")
    assert not undriven([files[name] for name in needed(top, files)], top, tmp_path)


def test_the_readme_says_what_make_does() -> None:
    """All tops, and no target that there is not."""
    readme = (HERE / "README.md").read_text("utf-8")
    makefile = (HERE / "Makefile").read_text("utf-8")
    for target in re.findall(r"^make ([a-z_]+)", readme, re.MULTILINE):
        assert target in TOPS or f"\n{target}:" in makefile
    assert f"\nEXAMPLES := {' '.join(TOPS)}\n" in makefile
