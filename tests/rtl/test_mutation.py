# SPDX-License-Identifier: Apache-2.0
"""Defects by rule: which sites there are, and that the number chosen outside chooses the defect."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nttforge.rtl_library import rtl_root
from nttforge.simulate.cycles import CycleModel, Ports
from tests.modules import BESIDE
from tests.mutation import score
from tests.mutation.__main__ import caught
from tests.mutation.killers import Killer
from tests.mutation.sites import CHOSEN, Library, constant_functions, mutants_of, sample

TEXT = """\
module dut #(
  parameter int unsigned W = 4 + 1
) (
  input  logic         clk_i,
  input  logic         en_i,
  input  logic [W-1:0] a_i,
  output logic [W-1:0] r_o
);
  function automatic int unsigned twice(int unsigned x);
    return x * 2;
  endfunction
  localparam int unsigned Two = twice(1);
  logic unused;
  assign unused = ^a_i;
  logic [W-1:0] sum;
  always_comb begin
    sum = '0;
    for (int i = 0; i < W - 1; i++) sum[i+:1] = a_i[i] & en_i;
  end
  always_ff @(posedge clk_i) begin
    if (en_i && (a_i != 5'd0)) r_o <= W'(a_i) - sum;
  end
`ifndef SYNTHESIS
  always_comb assert ((r_o | 5'd15) != 5'd7);
`endif
endmodule
"""


def found() -> set[tuple[str, str, str]]:
    constant = constant_functions([TEXT])
    return {(m.operator, m.good, m.bad) for m in mutants_of("a/dut.sv", TEXT.encode(), constant)}


def test_what_hardware_evaluates_is_a_site() -> None:
    assert {
        ("- to +", "W'(a_i) - sum", "W'(a_i) + sum"),
        ("dropped term", "W'(a_i) - sum", "sum"),
        ("stuck bit", "W'(a_i) - sum", "(W'(a_i) - sum) & ~(1'sd1)"),
        ("&& to ||", "en_i && (a_i != 5'd0)", "en_i || (a_i != 5'd0)"),
        ("!= to ==", "a_i != 5'd0", "a_i == 5'd0"),
        ("constant by one", "5'd0", "5'd1"),
        ("dropped condition", "en_i && (a_i != 5'd0)", "1'b1"),
        ("& to |", "a_i[i] & en_i", "a_i[i] | en_i"),
    } <= found()


def test_what_elaboration_evaluates_is_none() -> None:
    goods = {good for _, good, _ in found()}
    assert not goods & {"4 + 1", "W-1", "W - 1", "i < W - 1", "x * 2", "^a_i", "1", "twice(1)"}
    assert "5'd15" not in goods


def test_every_module_has_defects() -> None:
    """But packages, whose functions elaboration calls, and what only connects others."""
    root = rtl_root()
    rooms = [p.name for p in root.iterdir() if p.is_dir() and p.name not in BESIDE]
    library = Library.sampled(root, rooms, 12)
    spoiled = {mutant.file for mutant in library.mutants.values()}
    files = {str(path.relative_to(root)) for room in rooms for path in (root / room).glob("*.sv")}
    without = {Path(file).stem for file in files - spoiled}
    assert {name for name in without if not name.endswith("_pkg")} <= {
        "ntf_mul_product",
        "ntf_hand_over_queue",
    }
    assert len(library.mutants) == len({mutant.key for mutant in library.mutants.values()}) >= 1000


def test_a_sample_has_each_rule_and_does_not_change() -> None:
    every = mutants_of("a/dut.sv", TEXT.encode(), constant_functions([TEXT]))
    few = sample(every, 8)
    assert few == sample(every[::-1], 8)
    assert len({mutant.operator for mutant in few}) == 8


PORTS = Ports({"a_i": 5, "en_i": 1}, {"r_o": 5}, common=("clk_i",))


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Library]:
    folder = tmp_path_factory.mktemp("spoiled")
    (folder / "right" / "a").mkdir(parents=True)
    (folder / "right" / "a" / "dut.sv").write_text(TEXT)
    library = Library.sampled(folder / "right", ["a"], 1000)
    library.write(folder / "right", folder / "wrong")
    return folder, library


def answers(folder: Path) -> list[int]:
    source = folder / "wrong" / "a" / "dut.sv"
    model = CycleModel.build(folder / "model", [source], "dut", PORTS)
    seen = model.run([{"a_i": a % 32, "en_i": a % 3 != 0} for a in range(99)])
    return [s["r_o"] for s in seen][2:]


def test_the_number_chooses_the_defect(
    model_folder: tuple[Path, Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most can be seen from outside; what cannot (a sum whose top bit is 0) survives."""
    folder, library = model_folder
    monkeypatch.setenv(CHOSEN, "0")
    right = answers(folder)
    expected = [0]
    for a in range(99):
        held = a % 3 != 0 and a % 32 != 0
        expected.append((a % 32) - (a % 16) if held else expected[-1])
    assert right == expected[2:-1]
    killer = Killer("model", lambda: answers(folder) == right)
    assert not caught(0, killer, 5.0)
    survivors = {m.key for n, m in library.mutants.items() if not caught(n, killer, 5.0)}
    assert os.environ[CHOSEN] == "0"
    assert len(survivors) < len(library.mutants) / 4, survivors
    assert not [key for key in survivors if "W'(a_i) - sum -> W'(a_i) + sum" in key]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("room", "module"),
    [
        ("arith", "ntf_mul_booth"),
        ("pipeline", "ntf_framer"),
        ("iterative", "ntf_pass_control"),
        ("shell", "ntf_gearbox"),
        ("decomposed", "ntf_load_walker"),
        ("mlkem", "ntf_key_decode"),
        ("lattice", "ntf_byte_pack"),
        ("mldsa", "ntf_hint_decode"),
        ("prim", "ntf_prim_axis_slice"),
        ("board", "ntf_uart_port"),
    ],
)
def test_the_command_finds_defects_of_a_room(room: str, module: str) -> None:
    """The benches compile with a few defects of every module, pass without one, and catch some."""
    only = f"{room}/{module}.sv"
    command = [sys.executable, "-m", "tests.mutation", room, "--each", "3", "--only", only]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "3 tried" in done.stdout
    assert "3 survive" not in done.stdout, done.stdout


def test_what_is_gone_leaves_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules that are no longer there, and survivors whose text has changed."""
    there, gone = "prim/ntf_prim_rst.sv", "prim/no_such.sv"
    right = f"{there}: test_mode_i ? rst_ni : run_q -> run_q"
    whats = (right, f"{there}: no such text -> x", f"{gone}: a -> b")
    room = {"mutants": 21, "killed": 15, "modules": {there: [7, 9], gone: [8, 12]}}
    room["survivors"] = [{"what": what} for what in whats]
    monkeypatch.setattr(score, "kept", lambda _: {"prim": room})
    left = score.recorded()["prim"]
    assert left["modules"] == {there: [7, 8]}
    assert (left["mutants"], left["killed"]) == (8, 7)
    assert [s["what"] for s in left["survivors"]] == [right]


def test_modules_that_were_tried_again_replace_what_is_recorded() -> None:
    before = {"modules": {"a": [1, 2], "b": [3, 3]}, "survivors": [{"what": "a: x -> y"}]}
    found = {"modules": {"b": [2, 3]}, "survivors": [{"what": "b: x -> z"}]}
    once = score.joined({"room": before}, "room", found)
    assert once["room"]["modules"] == {"a": [1, 2], "b": [2, 3]}
    assert [s["what"] for s in once["room"]["survivors"]] == ["a: x -> y", "b: x -> z"]
    assert once["room"]["texts"] == {"b": score.text_of("b")}
    back = score.joined(once, "room", before)["room"]
    assert {**back, "texts": {}} == {**before, "texts": {}}
    assert {**score.joined({}, "room", found)["room"], "texts": {}} == {**found, "texts": {}}


def test_a_module_whose_hardware_has_changed_is_no_more_of_todays_text() -> None:
    there, other = "prim/ntf_prim_rst.sv", "prim/ntf_prim_pipe.sv"
    room: dict[str, Any] = {"modules": {there: [9, 9], other: [1, 1]}, "survivors": []}
    room |= {"mutants": 10, "killed": 10, "texts": {there: score.text_of(there), other: "older"}}
    assert "| `rtl/prim` | 2 | 1 | 10 |" in score.shown({"prim": room})


def test_reasons_are_of_text_that_is_there() -> None:
    assert not [what for what in score.reasons() if not score.applies(what)]


def test_the_score_leaves_out_what_is_equivalent(monkeypatch: pytest.MonkeyPatch) -> None:
    room = {"mutants": 10, "killed": 8, "modules": {"m": [8, 10]}}
    room["survivors"] = [{"what": "a -> b"}, {"what": "c -> d"}]
    reasons = {"a -> b": "a is b"}
    monkeypatch.setattr(score, "reason_of", reasons.get)
    assert score.totals(room) == (10, 1, 8, 1)
    text = score.shown({"arith": room})
    assert "| `rtl/arith` | 1 | 0 | 10 | 1 | 8 | 1 | 88.9% |" in text
    assert "| `a -> b` | a is b |" in text


def test_survivors_that_are_tried_again_are_counted_once() -> None:
    whats = [f"prim/ntf_prim_rst.sv: {text}" for text in ("w -> x", "w -> y", "w -> z")]
    before = {
        "modules": {"prim/ntf_prim_rst.sv": [5, 8]},
        "survivors": [{"what": w} for w in whats],
    }
    assert score.unexplained(before, []) == score.unexplained(before, ["ntf_prim_rst"]) == {*whats}
    assert not score.unexplained(before, ["ntf_prim_pipe"])
    found = {
        "tried": whats[:2],
        "modules": {"prim/ntf_prim_rst.sv": [1, 2]},
        "survivors": [{"what": whats[0]}],
    }
    once = score.again({"prim": before}, "prim", found)["prim"]
    assert once["modules"] == {"prim/ntf_prim_rst.sv": [6, 8]}
    assert [s["what"] for s in once["survivors"]] == [whats[0], whats[2]]
