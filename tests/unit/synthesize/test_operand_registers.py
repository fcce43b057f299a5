# SPDX-License-Identifier: Apache-2.0
"""Registers that move into multiplier blocks: nothing changes but the clock."""

import json
import shutil
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nttforge.reduction.loaded import plan_loaded
from nttforge.reduction.step import StepKind
from nttforge.reduction.top import TOP, write_folder
from nttforge.synthesize.nextpnr import place_and_route
from nttforge.synthesize.operand_registers import move_registers, moved
from nttforge.synthesize.static_timing import NameResolver, TimingGraph, delays, slowest_paths
from nttforge.synthesize.yosys import Synthesis, synthesize
from tests.undriven import passes

SOURCE = Path(__file__).with_name("products.sv")
GRADE = delays(8)
BLOCK = "MULT18X18D"


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> Synthesis:
    folder = tmp_path_factory.mktemp("products")
    shutil.copy(SOURCE, folder)
    (folder / "files.f").write_text("products.sv\n")
    return synthesize(folder, "products", "ecp5")


def of_type(module: Any, kind: str) -> dict[str, Any]:
    return {name: cell for name, cell in module["cells"].items() if cell["type"] == kind}


def pins(name: str, width: int) -> str:
    return ", ".join(f"{name}{bit}" for bit in range(width))


def word(name: str, width: int) -> str:
    return "{" + ", ".join(f"{name}{bit}" for bit in reversed(range(width))) + "}"


#: The block as Lattice describes it: a register after each operand that a clock, an enable and a
#: synchronous reset control, or none; they power up at zero. The sign is registered as well, but is
#: constant here, and until it is there the operand is zero, of which it makes nothing else.
MODEL = f"""
module {BLOCK}(input {pins("A", 18)}, {pins("B", 18)}, {pins("C", 18)},
  input SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CLK0, CE0, RST0, output {pins("P", 36)});
  parameter GSR = "ENABLED", RESETMODE = "ASYNC";
  parameter REG_INPUTA_CLK = "NONE", REG_INPUTA_CE = "CE3", REG_INPUTA_RST = "RST3";
  parameter REG_INPUTB_CLK = "NONE", REG_INPUTB_CE = "CE3", REG_INPUTB_RST = "RST3";
  wire [17:0] a_d = {word("A", 18)}, b_d = {word("B", 18)};
  reg  [17:0] a_q = 0, b_q = 0;
  always @(posedge CLK0) begin
    if (RST0) {{a_q, b_q}} <= 0;
    else if (CE0) {{a_q, b_q}} <= {{a_d, b_d}};
  end
  wire [17:0] a = REG_INPUTA_CLK == "CLK0" ? a_q : a_d, b = REG_INPUTB_CLK == "CLK0" ? b_q : b_d;
  wire signed [18:0] signed_a = {{SIGNEDA & a[17], a}}, signed_b = {{SIGNEDB & b[17], b}};
  wire signed [37:0] p = signed_a * signed_b;
  assign {word("P", 36)} = p[35:0];
endmodule
"""


def mitered(good: Any, other: Any, scratch: Path, *more: str) -> None:
    """Run passes on the module `miter`, whose `trigger` says that two netlists differ."""
    both = {"good": good, "other": other}
    modules = {name: {**each, "attributes": {}} for name, each in both.items()}
    (scratch / "both.json").write_text(json.dumps({"modules": modules}))
    (scratch / "model.v").write_text(MODEL)
    passes(
        scratch,
        "read_verilog model.v",
        "read_verilog -D NO_INCLUDES +/lattice/cells_sim_ecp5.v",
        "read_json both.json",
        "hierarchy",
        "proc",
        "miter -equiv -flatten -make_outputs good other miter",
        "hierarchy -top miter",
        "flatten",
        *more,
    )


def equal(good: Any, other: Any, scratch: Path) -> bool:
    """Whether two netlists do the same for ever, from power-up on, by Yosys.

    What is alike in both becomes one cell, so that all that has to be proved is what differs.
    """
    mitered(
        good,
        other,
        scratch,
        "opt_dff",
        "simplemap t:$*dff*",
        "dfflegalize -cell $_DFFE_PP_ 01 -cell $_DFF_P_ 01",
        "opt -full -share_all",
        "clean -purge",
        "write_json miter.json",
    )
    miter = json.loads((scratch / "miter.json").read_text())["modules"]["miter"]
    return bool(miter["ports"]["trigger"]["bits"] == ["0"])


def alike(good: Any, other: Any, scratch: Path) -> bool:
    """Whether two small netlists do the same in the first cycles, all that is stored being zero."""
    mitered(good, other, scratch, "opt -full", "write_rtlil miter.il")
    proof = "sat -verify -set-init-zero -prove trigger 0 -tempinduct-baseonly -maxsteps 8 miter"
    try:
        passes(scratch, "read_rtlil miter.il", proof)
    except AssertionError as refuted:
        assert "proof did fail" in str(refuted), refuted
        return False
    return True


def test_a_netlist_whose_registers_moved_does_the_same(mapped: Synthesis, tmp_path: Path) -> None:
    before, after = mapped.module(), mapped.module()
    assert len(of_type(before, BLOCK)) == 3
    assert move_registers(after, GRADE) == 3
    gone = of_type(before, "TRELLIS_FF").keys() - of_type(after, "TRELLIS_FF").keys()
    assert len(gone) == 18 + 12 + 14  # but those of b, which something else reads
    assert equal(before, after, tmp_path)


@pytest.mark.parametrize(
    "fault",
    [
        lambda pins, parameters: pins.update(CE0=["1"]),
        lambda pins, parameters: parameters.update(REG_INPUTB_CLK="NONE"),
        lambda pins, parameters: pins.update(A3=pins["A4"]),
        lambda pins, parameters: pins.update(RST0=["1"]),
    ],
    ids=["always enabled", "one operand", "another bit", "reset"],
)
def test_one_that_does_something_else_is_seen(
    mapped: Synthesis, fault: Callable[[Any, Any], None], tmp_path: Path
) -> None:
    before, after = mapped.module(), mapped.module()
    move_registers(after, GRADE)
    block = next(iter(of_type(after, BLOCK).values()))
    fault(block["connections"], block["parameters"])
    assert not equal(before, after, tmp_path)


def flop(data: int, output: int, **parameters: str) -> Any:
    return {
        "type": "TRELLIS_FF",
        "parameters": {"CEMUX": "CE", "GSR": "DISABLED", "REGSET": "RESET", **parameters},
        "attributes": {"src": f"@u_x|=u_x.r{output}_q"},
        "port_directions": {"CLK": "input", "CE": "input", "DI": "input", "Q": "output"},
        "connections": {"CLK": [2], "CE": [3], "DI": [data], "Q": [output]},
    }


def product() -> Any:
    """Registers a (10 to 20) and b (11 to 21), a block with the product 30, one after it."""
    connections = {"A0": [20], "A1": ["0"], "B0": [21], "SIGNEDA": ["0"], "P0": [30]}
    ways = {port: "output" if port == "P0" else "input" for port in connections}
    block = {"type": BLOCK, "parameters": {}, "attributes": {}}
    return {
        "ports": {},
        "netnames": {"all": {"bits": list(range(2, 32)), "attributes": {}}},
        "cells": {
            "front": flop(9, 10),
            "a": flop(10, 20),
            "b": flop(11, 21),
            "m": block | {"connections": connections, "port_directions": ways},
            "p": flop(30, 31),
        },
    }


def test_registers_that_hide_a_product_move() -> None:
    module = product()
    before = TimingGraph(module, GRADE).period()
    assert move_registers(module, GRADE) == 1
    assert module["cells"].keys() == {"front", "m", "p"}
    graph = TimingGraph(module, GRADE)
    ((path, _), *_) = slowest_paths(graph, NameResolver(module), 1)
    assert path.delay_ns == pytest.approx(GRADE.launch[f"{BLOCK}:INPUT"] + GRADE.wire(1, far=1))
    assert path.delay_ns == graph.period() < before - 1
    assert (path.start, path.end) == ("u_x.r20_q", "u_x.r31_q")  # of the block the operand
    assert move_registers(module, GRADE) == 0  # those are in use


@pytest.mark.synth
def test_a_loaded_modulus_moves_with_its_quotient(tmp_path: Path) -> None:
    """Both operands of a Montgomery word's product are registered under one enable."""
    plan = plan_loaded(30, 13, adders_per_stage=2, target="ecp5", every=64)
    write_folder(plan, tmp_path)
    module = synthesize(tmp_path, TOP, "ecp5").module()
    words = sum(len(step.chunk_widths) for step in plan.chain if step.kind is StepKind.MONTGOMERY)
    assert move_registers(deepcopy(module), GRADE) == words == 2


@pytest.mark.synth
@pytest.mark.parametrize("ones", [["B1"], ["A1", "B1"]])
def test_constants_move_with_one_operand(ones: list[str], tmp_path: Path) -> None:
    """A product is zero until its other operand has come; with ones in both it would not be."""
    module = product()
    names = {"clk_i": 2, "en_i": 3, "a_i": 9, "b_i": 11, "p_o": 31}
    for name, bit in names.items():
        way = "output" if name == "p_o" else "input"
        module["ports"][name] = {"direction": way, "bits": [bit]}
    block = module["cells"]["m"]
    zeros = [*(f"{operand}{bit}" for operand in "ABC" for bit in range(18)), "SIGNEDA", "SIGNEDB"]
    given = {"A0": [20], "B0": [21], **{port: ["1"] for port in ones}, "P1": [30]}
    block["connections"] = {port: ["0"] for port in zeros} | given
    ways = {port: "output" if port[0] == "P" else "input" for port in block["connections"]}
    block["port_directions"] = ways
    both = deepcopy(module)
    assert move_registers(both, GRADE) == (len(ones) == 1)
    assert alike(module, both, tmp_path)
    block["connections"]["B1"] = ["0"]  # and one that is something else is seen
    assert not alike(module, both, tmp_path)


def _late(module: Any) -> None:
    module["cells"]["front"]["type"] = "DP16KD"


def _other(name: str, **change: Any) -> Callable[[Any], None]:
    def apply(module: Any) -> None:
        for key, value in change.items():
            module["cells"][name][key] |= value
            if key == "connections":
                module["cells"][name]["port_directions"] |= dict.fromkeys(value, "input")

    return apply


def _port(module: Any) -> None:
    module["cells"]["port.a[0]"] = module["cells"].pop("a")


@pytest.mark.parametrize(
    "change",
    [
        _other("b", connections={"CE": [4]}),
        _other("b", connections={"CLK": [4]}),
        _other("b", parameters={"CEMUX": "INV"}),
        _other("a", parameters={"REGSET": "SET"}),
        _other("a", parameters={"CLKMUX": "INV"}),
        _other("a", connections={"LSR": [4]}),
        _other("a", attributes={"keep": "1"}),
        _other("m", connections={"A1": ["1"], "B1": ["1"]}),
        _other("m", connections={"A1": [9]}),
        _other("m", connections={"SIGNEDA": [10]}),
        _late,
        _port,
    ],
    ids=[
        *("other enable", "other clock", "enabled when low", "set", "falling edge", "reset"),
        *("kept", "ones", "no register", "sign", "too late", "of a port"),
    ],
)
def test_other_registers_stay(change: Callable[[Any], None]) -> None:
    module = product()
    change(module)
    before = deepcopy(module)
    assert move_registers(module, GRADE) == 0
    assert module == before


def test_a_register_that_others_read_stays_for_them() -> None:
    module = product()
    module["cells"]["x"] = flop(20, 28)
    assert move_registers(module, GRADE) == 1
    assert module["cells"].keys() == {"front", "a", "m", "p", "x"}
    assert module["cells"]["m"]["connections"]["A0"] == [10]


def test_nextpnr_knows_them(mapped: Synthesis) -> None:
    """It takes the operands for registered, and from clock to product as long as the estimate."""
    better = moved(mapped)
    assert better.netlist != mapped.netlist and better.counts == mapped.counts
    slow, fast = (place_and_route(each.netlist, seed=1) for each in (mapped, better))
    assert fast.fmax_mhz > 1.2 * slow.fmax_mhz
    assert fast.utilization["TRELLIS_FF"][0] < slow.utilization["TRELLIS_FF"][0]
    first = fast.critical_path[0]
    assert first.kind == "clk-to-q" and first.source.rpartition(".")[2].startswith("P")
    assert first.delay_ns == pytest.approx(GRADE.launch[f"{BLOCK}:INPUT"], abs=0.001)


def test_what_is_no_better_is_left_as_it_is(mapped: Synthesis, tmp_path: Path) -> None:
    """Where one block keeps its registers outside, the netlist is the same file."""
    module = mapped.module()
    for name, cell in module["cells"].items():
        if "d_q" in name or "c_q" in name:
            cell["attributes"]["keep"] = "1"
    netlist = tmp_path / "kept.json"
    netlist.write_text(json.dumps({"modules": {"products": module}}))
    kept = replace(mapped, netlist=netlist)
    assert move_registers(kept.module(), GRADE) == 2
    assert moved(kept) == kept


def test_wires_to_blocks_are_shortened_behind_a_slower_path(
    mapped: Synthesis, tmp_path: Path
) -> None:
    """Which one is longest is seen when they are routed."""
    module = mapped.module()
    parity = next(cell for name, cell in module["cells"].items() if "parity_o" in name)
    (bit,) = parity["connections"]["Q"]
    module["cells"]["slow"] = flop(bit, 1_000_000)
    for step in range(30):
        _lengthen(module, "slow", 2_000_000 + step)
    netlist = tmp_path / "slow.json"
    netlist.write_text(json.dumps({"modules": {"products": module}}))
    slow = replace(mapped, netlist=netlist)
    assert move_registers(slow.module(), GRADE) == 3
    assert moved(slow) != slow


def _lengthen(module: Any, register: str, bit: int) -> None:
    """One more look-up table in front of a register."""
    pins = module["cells"][register]["connections"]
    table = {"type": "LUT4", "parameters": {}, "attributes": {}}
    ways = {"A": "input", "Z": "output"}
    connections = {"A": pins["DI"], "Z": [bit]}
    module["cells"][f"x{bit}"] = table | {"connections": connections, "port_directions": ways}
    pins["DI"] = [bit]
