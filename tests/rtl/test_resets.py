# SPDX-License-Identifier: Apache-2.0
"""Only the top's reset, or what ntf_prim_rst makes of it, resets asynchronously: no register does.

The rule is of one module at a time, so it holds of every design that is made of such modules: what
resets asynchronously in a module is its port `rst_ni`, or the output of a ntf_prim_rst in it, or of
a module in it that hands such an output out, as `rst_no`; a port `rst_ni` of an instance is given
nothing else; and ntf_prim_rst, which alone may look at a register, hands its own reset on in test
mode.
"""

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pyslang
import pytest

from tests.rtl.test_synthesis_guard import seen, texts

_EDGE = re.compile(r"\b(posedge|negedge)\s+(\w+)")
_RESET = re.compile(r"\.(rst_ni|rst_no)\s*(?:\(\s*(.*?)\s*\))?\s*$")
_MADE = ("ntf_prim_rst", "rst_no")
_DRIVEN = re.compile(r"^\s*(?:assign\s+)?(\w+)(?:\[.*?\])?\s*<?=[^=]", re.M)


def nodes(root: pyslang.syntax.SyntaxNode, kind: str) -> Iterator[Any]:
    """Nodes of a kind, which are not within one another."""
    found: list[pyslang.syntax.SyntaxNode] = []

    def visit(node: object) -> None:
        if isinstance(node, pyslang.syntax.SyntaxNode) and str(node.kind).endswith(f".{kind}"):
            found.append(node)

    root.visit(visit)
    return iter(found)


def hands_out(text: str) -> bool:
    """Whether a module that is not ntf_prim_rst has a reset for others."""
    return "module ntf_prim_rst" not in text and bool(
        re.search(r"\boutput\s+logic\s+rst_no\b", text)
    )


def wrong_resets(text: str, makers: Collection[str] = ("ntf_prim_rst",)) -> list[str]:
    """What resets asynchronously in these modules and must not; `makers` have an `rst_no`."""
    wrong = []
    for module in nodes(seen(text, "SYNTHESIS").root, "ModuleDeclaration"):
        body = re.sub(r"//.*", "", str(module))
        instances = list(nodes(module, "HierarchyInstantiation"))
        ports = [
            (str(instance.type).strip(), *connection.groups())
            for instance in instances
            for port in nodes(instance, "NamedPortConnection")
            if (connection := _RESET.search(str(port).strip()))
        ]
        made = [given or name for kind, name, given in ports if name == "rst_no"]
        if {kind for kind, name, _ in ports if name == "rst_no"} - set(makers):
            wrong.append("a module besides ntf_prim_rst makes a reset")
        own = {given or name for kind, name, given in ports if (kind, name) == _MADE}
        if hands_out(str(module)) and "rst_no" not in own:
            wrong.append("a reset is handed out that is not ntf_prim_rst's")
        good = {"rst_ni", *made}
        wrong += [
            f"{kind}: .rst_ni({given})"
            for kind, name, given in ports
            if name == "rst_ni" and (given or name) not in good | {"aresetn", "ap_rst_n"}
        ]
        edges = {"posedge clk_i", *(f"negedge {name}" for name in good)}
        for event in nodes(module, "EventControlWithExpression"):
            wrong += sorted({" ".join(edge) for edge in _EDGE.findall(str(event))} - edges)
        wrong += [f"{name} is assigned" for name in _DRIVEN.findall(body) if name in good]
    return wrong


@pytest.mark.long
def test_no_functional_register_resets_asynchronously() -> None:
    makers = {
        "ntf_prim_rst",
        *(Path(name).stem for name, text in texts().items() if hands_out(text)),
    }
    found = {name: wrong_resets(text, makers) for name, text in texts().items()}
    assert not {name: wrong for name, wrong in found.items() if wrong}
    assert sum("negedge" in text for text in texts().values()) > 40


def test_prim_rst_is_bypassed_in_test_mode() -> None:
    """The one exception: with `test_mode_i` it is its own reset, and else a flip-flop's output."""
    (text,) = (text for name, text in texts().items() if name.endswith("ntf_prim_rst.sv"))
    assert "assign rst_no = test_mode_i ? rst_ni : run_q;" in text


GOOD = """\
module part (input logic clk_i, input logic rst_ni, input logic d_i, output logic q_o);
  logic run_n;
  ntf_prim_rst u_rst (.clk_i, .rst_ni, .run_i(d_i), .rst_no(run_n));
  other u_other (.clk_i, .rst_ni(run_n), .d_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) q_o <= 1'b0;
    else q_o <= d_i;
  end
endmodule
"""


HANDED = GOOD.replace("output logic q_o", "output logic q_o, output logic rst_no").replace(
    "run_n", "rst_no"
)


def test_a_module_as_it_should_be() -> None:
    assert not wrong_resets(GOOD)
    assert not wrong_resets(HANDED)


def test_a_reset_that_is_handed_out_is_of_prim_rst() -> None:
    bad = HANDED.replace("ntf_prim_rst u_rst", "part u_rst")
    assert wrong_resets(bad, ("ntf_prim_rst", "part"))
    assert not wrong_resets(
        GOOD.replace("ntf_prim_rst u_rst", "part u_rst"), ("ntf_prim_rst", "part")
    )


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("negedge rst_ni) begin\n    if (!rst_ni)", "negedge q_o) begin\n    if (!q_o)"),
        ("negedge rst_ni", "posedge d_i"),
        ("posedge clk_i or", "negedge clk_i or"),
        (".rst_ni(run_n)", ".rst_ni(run_n & d_i)"),
        (".rst_ni(run_n)", ".rst_ni(q_o)"),
        ("ntf_prim_rst u_rst", "some_rst u_rst"),
        ("  logic run_n;", "  logic run_n;\n  assign run_n = d_i;"),
    ],
)
def test_wrong_resets_are_found(good: str, bad: str) -> None:
    assert good in GOOD
    assert wrong_resets(GOOD.replace(good, bad))
