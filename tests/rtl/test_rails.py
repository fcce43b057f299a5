# SPDX-License-Identifier: Apache-2.0
"""The search for single points of failure finds those that are put in, and nothing unexcused."""

from pathlib import Path

import pytest

from nttforge.rtl_library import library
from tests.rails import (
    Findings,
    Graph,
    Rules,
    coprocessor_netlist,
    elaborate,
    rails_of,
    report,
    rules_of,
    stale,
)

#: Yosys is started by a helper that is handed on, which markers cannot follow.
pytestmark = pytest.mark.synth

# A secret is there when `set` came, and leaves as long as `open_q` says so.
DESIGN = """\
module guard (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       set_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o,
  output logic       fault_o
);
  typedef enum logic [5:0] {{ StIdle = 6'b101010, StRun = 6'b001111 }} state_e;

  logic       open_q, came_q;
  logic [5:0] state_q;
  logic [1:0] set, there;
  logic [7:0] data_q;

  ntf_prim_kept #(.Width(6), .Reset(StIdle)) u_state (
    .clk_i, .rst_ni, .d_i((state_q == StIdle) & set_i ? StRun : StIdle), .q_o(state_q)
  );

  {rails}

  assign fault_o = {fault};
  assign data_o  = data_q & {{8{{open_q & ~fault_o}}}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {{open_q, came_q}} <= '0;
    else begin
      open_q <= {opens};
      came_q <= set_i;
    end
  end

  always_ff @(posedge clk_i) data_q <= data_i;
endmodule
"""
RAILS = """
  assign set = {2{set_i}};
  for (genvar r = 0; r < 2; r++) begin : gen_rail
    localparam logic Turn = 1'(r);
    logic there_q;
    assign there[r] = there_q ^ Turn;
    ntf_prim_kept #(.Reset(Turn)) u_there (
      .clk_i, .rst_ni, .d_i((there[r] | set[r]) ^ Turn), .q_o(there_q)
    );
  end
"""
WORD = """
  ntf_prim_rails u_there (.clk_i, .rst_ni, .d_i(there | {2{set_i}}), .q_o(there), .fault_o());
"""
VOTED = """
  logic one;
  ntf_prim_rails u_rails (.clk_i, .rst_ni, .d_i({2{one | set_i}}), .q_o(there), .fault_o());
  ntf_prim_kept  u_third (.clk_i, .rst_ni, .d_i(one | set_i), .q_o(set[0]));
  assign one = (there[0] & there[1]) | (there[0] & set[0]) | (there[1] & set[0]);
"""


def found(
    rails: str, opens: str, scratch: Path, fault: str = "1'b0", opener: str = "open_q"
) -> Findings:
    """What is found of a design that opens by `open_q`."""
    design = scratch / "guard.sv"
    design.write_text(DESIGN.format(rails=rails, opens=opens, fault=fault))
    files = [library()["ntf_prim_kept"], library()["ntf_prim_rails"], design]
    rules = Rules(openers={opener: "is open"}, codes={"u_state.kept_q": "guard"})
    return Graph(elaborate(files, "guard", scratch), rules).follow()


@pytest.mark.parametrize("rails", [RAILS, WORD, VOTED], ids=["block", "ntf_prim_rails", "voted"])
def test_pairs_are_doubled(rails: str, tmp_path: Path) -> None:
    """The opener itself is all that one flip can open."""
    opens = "&there" if rails is not VOTED else "one"
    findings = found(rails, opens, tmp_path)
    assert findings.points() == {"open_q": {"open_q": 1}}
    doubled = {name for bit, name in findings.names.items() if findings.kind(bit) == "doubled"}
    assert doubled >= findings.kept
    assert len(doubled) == (4 if rails is VOTED else 3)  # with the state


@pytest.mark.parametrize(
    ("rails", "opens", "points"),
    [
        # A rail that is made of the other one's register.
        (RAILS.replace("(there[r] | set[r])", "(there[0] | set[r])"), "&there", {"rail[0]": 3}),
        (WORD.replace("d_i(there |", "d_i({2{there[1]}} |"), "&there", {"u_rail_1": 3}),
        # One that is not compared.
        (RAILS, "there[0]", {"rail[0]": 2}),
        (WORD, "there[1]", {"u_rail_1": 2}),
        # A flag that sets both, and one that needs none.
        (RAILS.replace("{2{set_i}}", "{2{came_q}}"), "&there", {"came_q": 3}),
        (RAILS, "&there | came_q", {"came_q": 2}),
        # What leads to a code's legal value; the code itself does not.
        (RAILS.replace("{2{set_i}}", "{2{state_q == StRun}}"), "&there", {}),
    ],
)
def test_single_points_are_found(
    rails: str, opens: str, points: dict[str, int], tmp_path: Path
) -> None:
    findings = found(rails, opens, tmp_path)
    seen = {name: at["open_q"] for name, at in findings.points().items() if name != "open_q"}
    assert len(seen) == len(points)
    for part, edges in points.items():
        (name,) = (name for name in seen if part in name)
        assert seen[name] == edges


def test_a_rail_that_is_compared_may_steer_what_is_no_port(tmp_path: Path) -> None:
    """A fault ends the operation before what it opened can leave."""
    points = found(RAILS, "there[0]", tmp_path, fault="^there").points()
    assert points.keys() == {"open_q"}
    points = found(RAILS, "there[0]", tmp_path, fault="^there", opener="data_o").points()
    assert points.keys() >= {"open_q", "gen_rail[0].u_there.kept_q"}


def test_copies_are_no_rails() -> None:
    names = [f"u_at.gen_at[{copy}].u_at.kept_q" for copy in range(3)]
    assert rails_of(names[:1], []) == rails_of(names, []) == {}
    assert rails_of(names[:2], []).keys() == set(names[:2])
    assert rails_of(["a.at_q", "a.u_left.kept_q"], [("*.at_q", "a.u_left.kept_q")]) == {
        "a.at_q": ("*.at_q", 0),
        "a.u_left.kept_q": ("*.at_q", 1),
    }


def test_reasons_must_be_there_and_in_use(tmp_path: Path) -> None:
    found(RAILS, "&there | came_q", tmp_path)
    netlist = elaborate(
        [library()["ntf_prim_kept"], library()["ntf_prim_rails"], tmp_path / "guard.sv"],
        "guard",
        tmp_path,
    )
    rules = Rules(openers={"open_q": "is open"}, stays={"{open,other}_q": "a reason"})
    assert report(netlist, rules).open == ("came_q",)
    rules.stays |= {"came_q": "a reason", "gen_rail[*].**": "a reason"}
    rules.closers["never"] = "a fault"
    checked = report(netlist, rules)
    assert checked.open == ()
    assert checked.unused == ("never", "gen_rail[*].**")
    rules.known |= {"open_q": "opens what should be closed"}
    del rules.stays["{open,other}_q"]
    assert report(netlist, rules).known == ("open_q",)


def test_single_points_of_a_coprocessor_are_listed() -> None:
    name = "ml-kem-coprocessor"
    assert not report(coprocessor_netlist(name), rules_of(name)).open


@pytest.mark.slow
def test_all_single_points_are_listed_and_nothing_else_is() -> None:
    names = (
        *("ml-kem-coprocessor", "ml-kem-small", "ml-kem-middle"),
        *("ml-dsa-coprocessor", "pqc-core"),
    )
    reports = {name: report(coprocessor_netlist(name), rules_of(name)) for name in names}
    assert not any(checked.open for checked in reports.values())
    assert not stale(reports)
