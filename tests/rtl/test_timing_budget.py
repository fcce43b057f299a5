# SPDX-License-Identifier: Apache-2.0
"""No path of a module grows beyond its budget, and one that does is seen."""

from pathlib import Path

import pytest

from nttforge import rtl_library
from tests import budget
from tests.budget import Budget, budgets, slowest

# What takes Yosys more than a few seconds each.
LARGE: tuple[str, ...] = ()

BUDGETS = [
    pytest.param(module, limit, marks=pytest.mark.slow if module in LARGE else (), id=module)
    for module, limit in budgets().items()
]


@pytest.mark.parametrize(("module", "limit"), BUDGETS)
def test_a_module_is_within_its_budget(module: str, limit: Budget) -> None:
    found = slowest(module)
    assert limit.holds(found), f"{module}: {found} where {limit} is allowed"


UNIT = """\
module unit (
  input  logic        clk_i,
  input  logic [11:0] a_i, b_i,
  output logic [11:0] s_o
);
  always_ff @(posedge clk_i) s_o <= {expression};
endmodule
"""


def test_a_path_that_grows_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(expression: str) -> None:
        (tmp_path / "unit.sv").write_text(UNIT.replace("{expression}", expression))

    monkeypatch.setattr(rtl_library, "library", lambda: {"unit": tmp_path / "unit.sv"})
    monkeypatch.setattr(budget, "FILE", tmp_path / "budgets.toml")
    budget.FILE.write_text("unit = { levels = 9, ns = 99.0 }\n")
    write("a_i + b_i")
    assert budget.main(["--write"]) == 0
    limit = budgets()["unit"]
    assert limit.levels == 1 and 1 < limit.ns < 3
    write("(a_i + b_i) ^ {a_i[0], 11'd0} & {12{&b_i}}")  # more logic, in parallel or after
    assert budget.main([]) == 1
    assert "**over**" in capsys.readouterr().out
    assert budget.main(["unti"]) == 1
    assert "did you mean unit" in capsys.readouterr().err
