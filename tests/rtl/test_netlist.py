# SPDX-License-Identifier: Apache-2.0
"""After synthesis: Yosys's netlist of a small engine does what the RTL does."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nttforge.cache import design_files
from nttforge.flow.prepare import Prepared
from nttforge.hw import StreamCore
from nttforge.kinds.stream.verify import verify
from tests.rtl.small_cores import SMALL_RING, TWO_RINGS, prepare_pipeline

_RUN = """
import sys
from pyosys import libyosys as ys
design = ys.Design()
for command in sys.stdin.read().splitlines():
    ys.run_pass(command, design)
"""


def netlist(prepared: Prepared[StreamCore], folder: Path, fault: str = "") -> Prepared[StreamCore]:
    """The design mapped to gates and flip-flops, as a design folder of one file."""
    folder.mkdir()
    top = prepared.core.name
    script = [
        f"read_slang --top {top} {' '.join(map(str, design_files(prepared.folder)))}",
        "chformal -remove",
        f"synth -flatten -noabc -top {top}",
        *([fault] if fault else []),
        "opt_clean -purge",
        f"write_verilog -noattr {folder}/{top}.v",
    ]
    done = subprocess.run(
        [sys.executable, "-c", _RUN],
        input="\n".join(script),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    text = (folder / f"{top}.v").read_text()
    assert "ntf_butterfly" not in text.split("endmodule")[1]  # one flat module is left
    (folder / f"{top}.v").write_text(
        "// Bits of one vector may depend on each other.\n/* verilator lint_off UNOPTFLAT */\n"
        + text
    )
    (folder / "files.f").write_text(f"{top}.v\n")
    return replace(prepared, folder=folder)


@pytest.mark.parametrize(
    ("rings", "keys"),
    [
        ((SMALL_RING,), {}),
        pytest.param(TWO_RINGS, {"seamless": True}, marks=pytest.mark.slow),
        pytest.param(
            (SMALL_RING,),
            {"ram_block_from": 2, "rom_block_from": 2, "butterflies": 2},
            marks=pytest.mark.slow,
        ),
    ],
    ids=["plain", "two rings, seamless", "block memories"],
)
def test_the_netlist_passes_as_the_rtl_does(rings: Any, keys: Any, tmp_path: Path) -> None:
    prepared = prepare_pipeline(*rings, **keys)
    gates, rtl = (
        verify(core, transforms=140, seed=6)
        for core in (netlist(prepared, tmp_path / "gates"), prepared)
    )
    assert gates.ok, gates
    assert gates.cycles == rtl.cycles


def test_a_wrong_netlist_is_caught(tmp_path: Path) -> None:
    """Every XOR an OR."""
    fault = "chtype -set $_OR_ t:$_XOR_"
    broken = netlist(prepare_pipeline(SMALL_RING), tmp_path / "gates", fault)
    assert not verify(broken, transforms=20).ok
