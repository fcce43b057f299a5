# SPDX-License-Identifier: Apache-2.0
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nttforge.errors import NttforgeError
from nttforge.synthesize.static_timing import NameResolver, TimingGraph, delays, slowest_paths
from nttforge.synthesize.yosys import synthesize
from tests import fit_timing

SOURCE = Path(__file__).with_name("counter.sv")
GRADE = delays(8)
GRADE_PLACED = delays(8, placed=True)


def cell(kind: Any, outputs: Any = ("Z", "Q", "S0", "S1", "COUT"), **connections: Any) -> Any:
    return {
        "type": kind,
        "attributes": {"src": connections.pop("src", "")},
        "connections": {port: [bit] for port, bit in connections.items()},
        "port_directions": {port: "output" if port in outputs else "input" for port in connections},
    }


def netlist(**cells: Any) -> Any:
    return {"cells": cells, "netnames": {}}


def first(module: Any) -> Any:
    return slowest_paths(TimingGraph(module, GRADE), NameResolver(module), 1)[0]


def test_a_path_is_the_sum_of_its_cells_and_nets() -> None:
    wire = GRADE.wire(1)
    module = netlist(
        a=cell("TRELLIS_FF", CLK=1, DI=9, Q=2, src="@u_a|=u_a.a_q"),
        x=cell("LUT4", A=2, B="0", C="0", D="1", Z=3),
        y=cell("LUT4", A=3, B="0", C="0", D="1", Z=4),
        b=cell("TRELLIS_FF", CLK=1, DI=4, Q=5, src="@u_b|=u_b.b_q"),
    )
    path, ends = first(module)
    # The last table is in the slice of its register.
    logic = 2 * GRADE.logic["LUT4"]
    assert path.delay_ns == pytest.approx(GRADE.launch["TRELLIS_FF"] + 2 * wire + logic)
    assert (path.start, path.end, path.levels, ends) == ("u_a.a_q", "u_b.b_q", 2, 1)
    assert [step.kind for step in path.steps] == ["TRELLIS_FF", "LUT4", "LUT4", "TRELLIS_FF"]


def test_a_chain_of_carries_is_one_level_and_takes_a_little_a_bit() -> Any:
    def chain(length: Any) -> Any:
        cells = {
            f"c{i}": cell("CCU2C", A0=2, CIN="0" if i == 0 else 10 + i, COUT=11 + i, S1=50 + i)
            for i in range(length)
        }
        return netlist(
            a=cell("TRELLIS_FF", CLK=1, DI=9, Q=2),
            **cells,
            b=cell("TRELLIS_FF", CLK=1, DI=49 + length, Q=5),
        )

    short, long = (first(chain(length))[0] for length in (3, 5))
    assert short.levels == long.levels == 1
    fanout = GRADE.wire(5) - GRADE.wire(3)
    extra = 2 * GRADE.logic["CCU2C.CIN"] + fanout
    assert long.delay_ns - short.delay_ns == pytest.approx(extra)


def test_sinks_make_a_net_slower_and_memories_launch_late() -> None:
    assert GRADE.wire(100) > GRADE.wire(10) > GRADE.wire(1) > 0.3
    module = netlist(
        m=cell("DP16KD", outputs=("DOA0",), CLKA=1, ADA0=9, DOA0=2),
        b=cell("TRELLIS_FF", CLK=1, DI=2, Q=5),
    )
    path, _ = first(module)
    assert path.levels == 0 and path.start == "m"
    assert path.delay_ns == pytest.approx(GRADE.launch["DP16KD"] + GRADE.wire(1, far=1))


def test_wires_of_a_placement_are_longer_the_fuller_the_device() -> None:
    placed = GRADE_PLACED
    assert placed.wire(1, fill=0.4) > placed.wire(1, fill=0.01) > 0.2
    fullest = max(each.fill for each in fit_timing.kept())
    assert placed.wire(1, fill=1.2) == placed.wire(1, fill=fullest) > placed.wire(1, fill=0.4)
    assert GRADE.wire(1, fill=0.5) == GRADE.wire(1)  # of a block in some design
    many = netlist(
        a=cell("TRELLIS_FF", CLK=1, DI=9, Q=2),
        b=cell("TRELLIS_FF", CLK=1, DI=4, Q=5),
        **{f"x{i}": cell("LUT4", A=2, B="0", C="0", D="1", Z=4 + i) for i in range(8364)},
    )
    graph = TimingGraph(many, placed)
    assert graph.fill == pytest.approx(0.1)
    table = placed.logic["LUT4"]
    wire = placed.wire(8364, fill=0.1)
    assert graph.period() == pytest.approx(placed.launch["TRELLIS_FF"] + wire + table)


def test_estimates_are_within_15_percent_of_what_was_placed() -> None:
    found = fit_timing.kept()
    assert len(found) > 15 and {each.name for each in found} <= {
        fit_timing.name_of(placed) for placed in fit_timing.CLOCKS.subjects()
    }
    for each in found:
        assert abs(each.estimate(GRADE_PLACED.route) / each.routed_ns - 1) <= 0.15, each.name


def test_wires_are_fitted_to_what_was_placed() -> None:
    route = {"base": 0.4, "log2_fanout": 0.1, "far": 0.7, "fill": 0.8}
    rows = [
        fit_timing.Reference(str(i), 0.0, "1", fill, 1.0, wires, sinks, far)
        for i, (fill, wires, sinks, far) in enumerate(
            [(0.01, 6, 3.0, 0), (0.5, 2, 9.0, 1), (0.2, 5, 1.0, 2), (0.4, 7, 20.0, 0)]
        )
    ]
    placed = [replace(row, routed_ns=row.estimate(route)) for row in rows]
    assert fit_timing.fit(placed) == pytest.approx(route)
    assert "| 0 | 1.0% | 6 |" in (lines := "\n".join(fit_timing.table(placed, GRADE_PLACED)))
    assert lines.count("\n") == 5


def test_a_loop_and_an_unknown_cell_are_refused() -> None:
    loop = netlist(x=cell("LUT4", A=3, Z=4), y=cell("LUT4", A=4, Z=3))
    with pytest.raises(NttforgeError, match=r"a loop without a register at [xy]"):
        TimingGraph(loop, GRADE)
    with pytest.raises(NttforgeError, match="a cell ALU54B has no delay"):
        TimingGraph(netlist(x=cell("ALU54B", A=3, Z=4)), GRADE)
    with pytest.raises(NttforgeError, match="--speed: no delays of grade 5"):
        delays(5)


def test_registers_are_named_as_in_the_source(tmp_path: Path) -> None:
    shutil.copy(SOURCE, tmp_path)
    (tmp_path / "files.f").write_text("counter.sv\n")
    mapped = synthesize(tmp_path, "counter", "ecp5").netlist
    module = json.loads(mapped.read_text())["modules"]["counter"]
    names = NameResolver(module)
    found = slowest_paths(TimingGraph(module, GRADE), names, 5)
    # Both counters' paths are one line.
    ((path, ends),) = found
    assert re.fullmatch(r"gen_count\[[01]\]\.u_count\.count_o", path.start)
    assert path.end == path.start and 1 <= path.levels <= 2 and ends > 8
    inside = slowest_paths(TimingGraph(module, GRADE), names, 5, "gen_count[1]")
    assert [path.end for path, _ in inside] == ["gen_count[1].u_count.count_o"]
    assert not slowest_paths(TimingGraph(module, GRADE), names, 5, "u_product")
    assert names.module("gen_count[0].u_count") == "counter"  # the file
