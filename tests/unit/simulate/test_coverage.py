# SPDX-License-Identifier: Apache-2.0
"""Models count which lines and bits they use, if they are asked to; counts are merged by file."""

from pathlib import Path

import pytest

from nttforge.rtl_library import rtl_root
from nttforge.simulate.build import COVERAGE
from nttforge.simulate.cycles import CycleModel, Ports
from tests.benches import cache_with_runtime
from tests.coverage import Module, added, in_words, merge, missed_of, placed, present, record_of

TEXT = """\
module dut (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [1:0] a_i,
  output logic [1:0] r_o
);
  always_ff @(posedge clk_i) begin
    if (a_i[1]) r_o <= 2'd3;
    else r_o <= {1'b0, a_i[0]};
  end
endmodule
"""


def counted(where: Path, values: list[int]) -> Module:
    source = where / "dut.sv"
    source.write_text(TEXT)
    model = CycleModel.build(where / "model", [source], "dut", Ports({"a_i": 2}, {"r_o": 2}))
    model.run([{"a_i": value} for value in values])
    model.close()
    modules: dict[str, Module] = {}
    for path in (where / "counts").glob("*.dat"):
        merge(modules, {"dut.sv": "room/dut.sv"}, path.read_bytes())
    assert list(modules) == ["room/dut.sv"]
    return modules["room/dut.sv"]


def test_models_count_and_counts_are_merged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "counts").mkdir()
    monkeypatch.setenv(COVERAGE, str(tmp_path / "counts"))
    cache_with_runtime(tmp_path / "cache")
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    half = counted(tmp_path, [0, 1, 0, 1])
    assert half.lines[9] and not half.lines[8]
    seen = sum(half.toggles.values())
    assert 0 < seen < len(half.toggles)
    both = counted(tmp_path, [3, 0, 3, 0, 2, 1])
    assert both.lines[8] and both.lines[9]
    assert sum(both.toggles.values()) > seen
    record = record_of({"room/dut.sv": half}, {"room/dut.sv": TEXT.splitlines()})
    some, every = record["room"]["modules"]["room/dut.sv"]["lines"]
    assert some < every
    assert record["room"]["uncovered"]["room/dut.sv"]["text"] == ["if (a_i[1]) r_o <= 2'd3;"]


def test_points_of_one_place_are_one() -> None:
    point = (
        "C '\x01f\x02x/dut.sv\x01l\x02{}\x01n\x021\x01page\x02v_line/m\x01o\x02if\x01S\x02{}' {}\n"
    )
    data = point.format(3, "3-4,7", 0) + point.format(4, "4", 2) + point.format(9, "9", 0)
    modules: dict[str, Module] = {}
    merge(modules, {"dut.sv": "a/dut.sv"}, data.encode())
    assert modules["a/dut.sv"].lines == {3: False, 4: True, 7: False, 9: False}
    merge(modules, {}, data.encode())
    assert len(modules) == 1


def test_files_that_are_gone_do_not_count() -> None:
    """A room is summed over those that are there; a file of which nothing is known has no lines."""
    there, gone = "prim/ntf_prim_pipe.sv", "prim/no_such.sv"
    one, other = {"lines": [3, 4], "toggles": [5, 9]}, {"lines": [0, 7], "toggles": [0, 1]}
    text = (rtl_root() / there).read_text("utf-8").splitlines()[6].strip()
    missed = {file: {"lines": "7", "why": [], "text": [text]} for file in (there, gone)}
    room = present({"modules": {there: one, gone: other}, "uncovered": missed})
    assert (room["lines"], room["toggles"]) == ([3, 4], [5, 9])
    assert list(room["modules"]) == list(room["uncovered"]) == [there]
    lines = (missed_of(room, there), missed_of(room, "prim/ntf_prim_line.sv"), missed_of({}, there))
    assert lines == ("7", None, None)
    assert missed_of(present({"modules": {there: one}, "uncovered": {}}), there) == ""


def test_lines_are_where_their_text_is() -> None:
    """What is new in front of them moves them; lines that stood together are found together."""
    rule = "a state, or a value, that is never reached"
    why = [{"lines": "1", "reason": ""}, {"lines": "2, 4 to 5", "reason": rule}]
    text = ["gone", "default: two", "default: end", "default: five"]
    missed = {"lines": "1 to 2, 4 to 5", "text": text, "why": why}
    _, two, end, five = text
    assert placed(missed, [end, "new", f" {two}", "three", "new", f"  {end}", five]) == {
        "lines": "3, 6 to 7",
        "text": [two, end, five],
        "why": [{"lines": "3, 6 to 7", "reason": rule}],
    }
    assert placed(missed, ["gone", two, "three", end, five, end, five]) == missed
    assert placed(missed, [])["lines"] == ""
    other = [why[0], {**why[1], "reason": "another one than the rule"}]
    assert placed({**missed, "why": other}, text)["lines"] == "1"


def test_lines_in_words() -> None:
    assert in_words([9, 3, 4, 5, 11, 12]) == "3 to 5, 9, 11 to 12"


def test_lines_that_were_run_later_leave_the_record() -> None:
    texts = {"a/b.sv": ["one", "two", "other", "four", "default: five"]}
    why = [{"lines": "1 to 4", "reason": ""}, {"lines": "5", "reason": "never"}]
    before = ["one", "two", "three", "four", "default: five"]
    missed = {"lines": "1 to 5", "text": before, "why": why}
    room = {"lines": [10, 15], "uncovered": {"a/b.sv": missed}}
    run = {"a/b.sv": Module(lines={1: True, 2: True, 3: True, 4: False})}
    now = added({"a": room}, run, texts)["a"]
    assert now["lines"] == [12, 15]
    assert now["uncovered"]["a/b.sv"]["why"] == [
        {"lines": "3 to 4", "reason": ""},  # the text of one of them has changed
        {"lines": "5", "reason": "never"},
    ]
    every = {"a/b.sv": Module(lines=dict.fromkeys(range(1, 6), True))}
    assert not added({"a": room}, every, {"a/b.sv": before})["a"]["uncovered"]
    assert room["lines"] == [10, 15]
