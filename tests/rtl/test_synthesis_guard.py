# SPDX-License-Identifier: Apache-2.0
"""What only simulators understand is behind `ifndef SYNTHESIS, and elaboration checks are not."""

import re

import pyslang
import pytest

from nttforge.design import parse_design
from nttforge.emit.design_folder import render
from nttforge.hw import build
from nttforge.rtl_library import rtl_root

FORBIDDEN = re.compile(
    "Assert|Assume|Cover|Restrict|Expect|PropertyDecl|SequenceDecl|Clocking|InitialBlock|FinalBlock|"
    "Checker|Delay"
)
TASKS = re.compile(r"\$(?:error|fatal|warning|info)\b")


def seen(text: str, *macros: str) -> pyslang.syntax.SyntaxTree:
    """The text as a tool that defines these macros sees it."""
    options = pyslang.parsing.PreprocessorOptions()
    options.predefines = list(macros)
    bag = pyslang.Bag()
    bag.preprocessorOptions = options
    sources = pyslang.SourceManager()
    return pyslang.syntax.SyntaxTree.fromText(text, sources, "text", "", bag)


def simulation_only(text: str, *macros: str) -> list[str]:
    """Statements that synthesis tools reject or ignore."""
    found = []

    def visit(node: object) -> None:
        if not isinstance(node, pyslang.syntax.SyntaxNode):
            return
        kind = str(node.kind).rpartition(".")[2]
        if FORBIDDEN.search(kind):
            found.append(f"{kind}: {str(node).strip()[:60]}")
        if kind == "InvocationExpression" and str(node).strip().startswith("$"):
            name = str(node).strip().split("(")[0]
            if name not in ("$clog2", "$bits", "$signed", "$unsigned", "$size", "$countones"):
                found.append(f"{kind}: {name}")

    seen(text, *macros).root.visit(visit)
    return found


def texts() -> dict[str, str]:
    """The library, and what is generated of each family."""
    library = (p for p in sorted(rtl_root().rglob("*.sv")) if p.parent.name != "bench")
    hardware = (p for p in library if not p.stem.endswith(("_bench", "_reference_pkg")))
    made = {str(path): path.read_text() for path in hardware}
    small = {"n": 16, "q": 97}
    for own in (
        {"rings": [small], "shell": {}},
        {"rings": [small], "family": "iterative"},
        {
            "rings": [{"q": 7681}],
            "family": "decomposed",
            "decomposed": {"l_max": 6, "n": 16, "t": 4},
        },
        {"family": "lattice"},
        {"family": "lattice", "lattice": {"standards": ["ml-dsa"]}},
    ):
        design = parse_design({"name": "dut"} | own, "test")
        made |= {n: t for n, t in render(build(design), design).items() if n.endswith(".sv")}
    return made


def test_synthesis_sees_no_assertion() -> None:
    found = {name: simulation_only(text, "SYNTHESIS") for name, text in texts().items()}
    assert not {name: statements for name, statements in found.items() if statements}


@pytest.mark.long
def test_there_is_one_guard() -> None:
    """No other macro, and each block ends; all assertions of simulation are in them."""
    count = 0
    for name, text in texts().items():
        directives = re.findall(r"^\s*`(?!include)(\w+.*)$", text, re.M)
        assert directives == ["ifndef SYNTHESIS", "endif"] * (len(directives) // 2), name
        count += len(directives) // 2
        guarded = re.findall(r"`ifndef SYNTHESIS\n(.*?)`endif", text, re.S)
        assert not [part for part in guarded if TASKS.search(part)], f"{name}: a check is guarded"
    assert count > 10
    assert sum(len(simulation_only(text)) for text in texts().values()) > 20


@pytest.mark.parametrize(
    "statement",
    [
        "always @(posedge c) assert (a);",
        "A : assert property (@(posedge c) a);",
        "cover property (@(posedge c) a);",
        "initial b = 1'b0;",
        'always @(posedge c) $display("%b", a);',
        "final $finish;",
        "assign #1 b = a;",
    ],
)
def test_each_kind_is_found(statement: str) -> None:
    text = f"module m (input logic a, c, output logic b);\n{{}}{statement}\n{{}}endmodule\n"
    assert simulation_only(text.format("", ""), "SYNTHESIS")
    guarded = text.format("`ifndef SYNTHESIS\n", "`endif\n")
    assert not simulation_only(guarded, "SYNTHESIS")
    assert simulation_only(guarded)


def test_checks_of_elaboration_stay() -> None:
    check = 'module m #(parameter int unsigned P = 1);\n  if (P != 1) $error("no");\nendmodule\n'
    assert not simulation_only(check, "SYNTHESIS")
