# SPDX-License-Identifier: Apache-2.0
"""Proof that Verilog-2005 of `generate --verilog` is the SystemVerilog that it was made of.

One side is what slang reads, the other what Yosys' own reader makes of the Verilog. Registers and
words of memories are paired by name, with the same clock and reset; they become ports of both
sides, and ABC shows that what goes into them and to the outputs is the same, for every state and
input: it merges nodes that are proved equal from the inputs on, so that large designs end too.
"""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyosys

from tests.undriven import passes

_FLAT = (
    "flatten -noscopeinfo",
    "opt_expr",
    "opt_clean",
    "opt_dff -nodffe -nosdff -keepdc",  # a load of a constant is a reset
    "memory_collect",
    "memory_map",
    "dffunmap",
    "opt_expr",
    "opt_clean",
    "splitcells t:$*dff",
)
_GATES = ("setundef -zero", "simplemap", "techmap", "opt_clean", "aigmap")
_ABC = Path(pyosys.__file__).with_name("yosys-abc")
_KINDS = ("$dff", "$adff")
#: Output, input, and what else says what it is.
_Flop = tuple[int, Any, tuple[str, ...]]


def _named(module: dict[str, Any]) -> dict[int, set[tuple[str, int]]]:
    """Names of each net, with the bit of the name."""
    names: dict[int, set[tuple[str, int]]] = {}
    for name, net in module["netnames"].items():
        if not net["hide_name"]:
            for at, bit in enumerate(net["bits"]):
                if isinstance(bit, int):
                    names.setdefault(bit, set()).add((name, at))
    return names


def _flops(module: dict[str, Any]) -> list[_Flop]:
    """Output, input, and what else says what a flip-flop is, of each bit; they leave the module."""
    ports = {bit: name for name, port in module["ports"].items() for bit in port["bits"]}
    found: list[_Flop] = []
    for name, cell in list(module["cells"].items()):
        if cell["type"] not in _KINDS:
            assert "dff" not in cell["type"] and "$mem" not in cell["type"], cell["type"]
            continue
        pins, given = cell["connections"], cell["parameters"]
        common: tuple[str, ...] = (
            cell["type"],
            str(int(given["CLK_POLARITY"], 2)),
            ports[pins["CLK"][0]],
        )
        if "ARST" in pins:
            common += (str(int(given["ARST_POLARITY"], 2)), str(ports.get(pins["ARST"][0])))
        resets = given.get("ARST_VALUE", "-" * len(pins["Q"]))[::-1]
        for q, d, reset in zip(pins["Q"], pins["D"], resets, strict=True):
            found.append((q, d, (*common, reset)))
        del module["cells"][name]
    return found


def _cut(gold: dict[str, Any], gate: dict[str, Any]) -> int:
    """Make ports of the flip-flops of both sides, in the same order; how many there are."""
    by_name = {}
    names = _named(gate)
    for q, d, kind in _flops(gate):
        by_name.update(dict.fromkeys(names[q], (q, d, kind)))
    pairs, names = [], _named(gold)
    for q, d, kind in _flops(gold):
        partners = {by_name[name] for name in names[q] if name in by_name}
        assert len(partners) == 1, (sorted(names[q]), partners)
        ((other_q, other_d, other_kind),) = partners
        assert kind == other_kind, (sorted(names[q]), kind, other_kind)
        pairs.append((q, d, other_q, other_d))
    for module, (q, d) in ((gold, (0, 1)), (gate, (2, 3))):
        for name, way, at in (("state_from", "input", q), ("state_to", "output", d)):
            bits = [pair[at] for pair in pairs]
            module["ports"][name] = {"direction": way, "bits": bits}
            module["netnames"][name] = {"hide_name": 0, "bits": bits, "attributes": {}}
    return len(pairs)


def prove(sources: Sequence[Path], verilog: Path, top: str, scratch: Path) -> int:
    """Prove that both are the same: bits of state that were paired.

    Raises
    ------
    AssertionError
        If a register has no partner, or SAT finds a difference.
    """
    files = " ".join(map(str, sources))
    reads = {
        "gold": (
            f"read_slang --keep-hierarchy --unroll-limit 1048576 --top {top} {files}",
            "chformal -remove",
            f"hierarchy -top {top}",
        ),
        "gate": (f"read_verilog {verilog}", f"hierarchy -top {top}", "proc"),
    }
    modules = {}
    for name, read in reads.items():
        passes(scratch, *read, *_FLAT, f"rename {top} {name}", f"write_json {name}.json")
        modules[name] = json.loads((scratch / f"{name}.json").read_text())
    paired = _cut(modules["gold"]["modules"]["gold"], modules["gate"]["modules"]["gate"])
    for name, netlist in modules.items():
        (scratch / f"{name}.json").write_text(json.dumps(netlist))
        passes(
            scratch, f"read_json {name}.json", *_GATES, f"write_aiger -map {name}.map {name}.aig"
        )
    gold, gate = ((scratch / f"{name}.map").read_text().split("\n") for name in modules)
    assert gold == gate  # ABC pairs ports by their order
    done = subprocess.run(
        [_ABC, "-q", "&read gold.aig; &cec gate.aig"],
        cwd=scratch,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Networks are equivalent" in done.stdout, "proof did fail: " + done.stdout[-2000:]
    return paired
