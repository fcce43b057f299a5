# SPDX-License-Identifier: Apache-2.0
"""A host that reacts to a model; runs that are entered and changed."""

from collections.abc import Callable

import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from tests.faults.closed_loop import ClosedLoop, Feed, ReplayResult
from tests.rtl.faulty import READ, WRITTEN, registers, settings

# Takes packets, a word in two cycles, and gives the sum of each, with how many words it had.
SOURCE = """\
module sums (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        s_in_tvalid,
  output logic        s_in_tready,
  input  logic        s_in_tlast,
  input  logic [71:0] s_in_tdata,
  output logic        m_out_tvalid,
  input  logic        m_out_tready,
  output logic [7:0]  m_out_tid,
  output logic [71:0] m_out_tdata,
  output logic        idle_o,
  output logic        alert_o
);
  logic        turn_q, done_q, alert_q, spare_q;
  logic [7:0]  count_q;
  logic [71:0] sum_q;

  assign s_in_tready  = turn_q & ~done_q;
  assign m_out_tvalid = done_q;
  assign m_out_tdata  = sum_q;
  assign m_out_tid    = count_q;
  assign idle_o       = ~done_q & (count_q == '0);
  assign alert_o      = alert_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {turn_q, done_q, alert_q, spare_q, count_q, sum_q} <= '0;
    end else begin
      turn_q  <= ~turn_q;
      spare_q <= turn_q;
      if (s_in_tvalid & s_in_tready) begin
        sum_q   <= sum_q + s_in_tdata;
        count_q <= count_q + 8'd1;
        done_q  <= s_in_tlast;
      end
      if (m_out_tvalid & m_out_tready) {done_q, count_q, sum_q} <= '0;
      if (count_q == 8'hff) alert_q <= 1'b1;
    end
  end
endmodule
"""
PORTS = Ports(
    {"s_in_tvalid": 1, "s_in_tlast": 1, "s_in_tdata": 72, "m_out_tready": 1},
    {
        **{"s_in_tready": 1, "m_out_tvalid": 1, "m_out_tid": 8, "m_out_tdata": 72},
        **{"idle_o": 1, "alert_o": 1},
    },
)
LARGE = 1 << 70


@pytest.fixture(scope="module", params=[READ, WRITTEN])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    where = tmp_path_factory.mktemp("sums")
    source = where / "sums.sv"
    source.write_text(SOURCE)
    opened = settings(where, {"sums": "*_q"}, request.param)
    return CycleModel.build(where / "model", [opened, source], "sums", PORTS)


def loop(model: CycleModel, ready: int = -1, states: int = 7) -> tuple[ClosedLoop, ReplayResult]:
    """Two packets, the second of which comes late."""
    model.reset()
    numbers, ends = (1, 2, LARGE, 4, 5), (0, 0, 1, 0, 1)
    words = [{"tdata": n, "tlast": last} for n, last in zip(numbers, ends, strict=True)]
    feed = Feed(words, [0, 0, 0, 50, 60], awaited=True)
    made = ClosedLoop(model, {"s_in": feed}, {"m_out": ready}, rest=4)
    return made, made.record(500, states)


def flip(model: CycleModel, name: str, bit: int = 0) -> Callable[[], None]:
    def change() -> None:
        next(r for r in registers(model) if r.name == name).flip(bit)
        model.settle()

    return change


def test_words_are_held_and_taken(model: CycleModel) -> None:
    sums = [{"tid": 3, "tdata": LARGE + 3}, {"tid": 2, "tdata": 9}]
    _, always = loop(model)
    assert (always.end, always.alerts, always.words) == ("idle", 0, {"m_out": sums})
    assert 62 < always.cycles < 70
    _, rarely = loop(model, ready=1 << 40)
    assert rarely.words == always.words and rarely.cycles == 64 + 41 + 4
    with pytest.raises(ValueError, match="not over after 500 cycles"):
        loop(model, ready=0)


@pytest.mark.parametrize("states", [1, 7, 200])
def test_every_cycle_can_be_entered(model: CycleModel, states: int) -> None:
    made, found = loop(model, ready=0x5555_5555_5555_5555, states=states)
    model.reset()
    for cycle in range(found.cycles):
        made.enter(cycle)
        assert made.advance(0).cycles == cycle
        again = made.finish(500)
        # There is no state behind the last one that was kept.
        assert again.end == "recorded" or (states < 200 and again == found)


def test_what_is_changed_is_seen(model: CycleModel) -> None:
    made, found = loop(model)
    made.enter(3)
    flip(model, "sum_q", 7)()
    changed = made.finish(500)
    assert changed.end == "idle" and changed.cycles == found.cycles
    assert changed.words["m_out"] == [
        {"tid": 3, "tdata": LARGE + 131},
        found.words["m_out"][1],
    ]
    # What has no effect is over at the next state; the host waits for the turn, if it is another.
    made.enter(3)
    flip(model, "spare_q")()
    assert made.finish(500).end == "recorded"
    made.enter(3)
    flip(model, "turn_q")()
    turned = made.finish(500)
    assert turned.end == "idle" and turned.words == found.words
    made.enter(3)
    flip(model, "alert_q")()
    alerted = made.finish(500)
    assert alerted.words == found.words and alerted.alerts == found.cycles - 3
    made.enter(40)
    flip(model, "count_q")()
    assert made.finish(500).words["m_out"][1] == {"tid": 3, "tdata": 9}
    made.enter(3)
    flip(model, "sum_q")()
    assert made.finish(40).end == "limit"


def test_what_depends_on_a_register_follows_it(model: CycleModel) -> None:
    """Before the next clock, though no input changes."""
    model.reset()
    assert model.step()["idle_o"]
    flip(model, "count_q", 3)()
    seen = model.step()
    assert (seen["idle_o"], seen["m_out_tid"]) == (0, 8)


def test_a_host_can_go(model: CycleModel) -> None:
    made, _ = loop(model)
    made.enter(40)
    made.drop()
    assert made.advance(100).words["m_out"] == [{"tid": 3, "tdata": LARGE + 3}]
