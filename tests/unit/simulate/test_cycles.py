# SPDX-License-Identifier: Apache-2.0
"""Cycles at once are those one by one."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from nttforge.progress import report_to
from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.faulty import READ, settings

SOURCE = """\
module sums (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] add_i,
  output logic [7:0] sum_o,
  output logic       odd_o,
  output logic       over_o
);
  logic [7:0] sum_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sum_q <= '0;
    else sum_q <= sum_q + 8'(add_i);
  end

  assign sum_o  = sum_q;
  assign odd_o  = sum_q[0];
  assign over_o = 9'(sum_q) + 9'(add_i) > 9'd255;
endmodule
"""
PORTS = Ports({"add_i": 4}, {"sum_o": 8, "odd_o": 1, "over_o": 1})


def test_compiling_names_the_module_not_its_wrapper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    source, messages = tmp_path / "sums.sv", list[str]()
    source.write_text(SOURCE)
    with report_to(messages.append):
        CycleModel.kept([source], "sums", PORTS)
    assert "compiling the simulator of sums" in messages


def test_what_happens_ends_what_is_done_at_once(tmp_path: Path) -> None:
    source = tmp_path / "sums.sv"
    source.write_text(SOURCE)
    model = CycleModel.build(tmp_path / "model", [source], "sums", PORTS)
    over, odd = model.mask("over_o"), model.mask("odd_o")
    # One vector for all cycles, until nothing is left of them, or it happens in the last one.
    assert model.until(over, odd, [model.packed({"add_i": 3})], 5) == (
        *(5, {"sum_o": 12, "odd_o": 0, "over_o": 0}),
        2,
    )
    assert model.until(over, odd, [model.packed({"add_i": 15})], 100)[0] == 17
    assert model.step()["sum_o"] == (15 + 17 * 15) % 256
    rng, ended = Random(7), 0
    for _ in range(50):
        adds = [rng.randrange(16) for _ in range(rng.choice((2, 9, 40)))]
        model.reset()
        seen = model.run([{"add_i": add} for add in adds])
        goes = next((n for n, each in enumerate(seen, 1) if each["over_o"]), len(adds))
        model.reset()
        found = model.until(over, odd, [model.packed({"add_i": add}) for add in adds])
        assert found == (goes, seen[goes - 1], sum(each["odd_o"] for each in seen[:goes]))
        ended += goes < len(adds)
    assert 5 < ended < 45


_CLOSED = """\
from pathlib import Path
from tests.unit.simulate.test_cycles import PORTS
from nttforge.simulate.cycles import CycleModel

first, second = (CycleModel(Path({library!r}), PORTS) for _ in range(2))
assert all(model.registers() for model in (first, second))
{end}.close()
{other}.close()
"""


@pytest.mark.parametrize("end", ["first", "second"])
def test_models_are_closed_in_any_order(tmp_path: Path, end: str) -> None:
    """Those with opened registers, of one library; memory that was freed is overwritten at once."""
    source = tmp_path / "sums.sv"
    source.write_text(SOURCE)
    opened = settings(tmp_path, {"sums": "sum_q"}, READ)
    library = CycleModel.compiled(tmp_path / "model", [opened, source], "sums", PORTS)
    other = {"first": "second", "second": "first"}[end]
    program = _CLOSED.format(library=str(library), end=end, other=other)
    environment = {**os.environ, "MALLOC_PERTURB_": "165"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, timeout=20, check=False)
    assert done.returncode == 0
