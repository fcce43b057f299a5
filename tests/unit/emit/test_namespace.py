# SPDX-License-Identifier: Apache-2.0
"""Names of global scope: which a text declares, where they are replaced, and where they are not."""

import re

import pytest

from nttforge.emit.namespace import declared, mentioned, prefixed, renamed
from nttforge.rtl_library import library

TEXT = """\
// See fold.sv, `fold` and arith_pkg::mul; a fold is a fold.
`define WIDE 8
`ifdef WIDE
package automatic arith_pkg;
  typedef struct packed {logic fold; logic [`WIDE-1:0] pipe;} row_t;
endpackage : arith_pkg
`endif
interface bus; logic pipe; modport sink (input pipe); endinterface
module fold import arith_pkg::*; #(parameter arith_pkg::row_t Row = '{fold: 1'b0, default: '0}) (
  bus.sink fold, input logic clk_i
);
  if (Row.fold) begin : pipe
    pipe #(.W(1)) u_pipe (.pipe(fold.pipe));
  end else pipe u_other[1:0] (.pipe(clk_i));
  for (genvar i = 0; i < 2; i++) begin : fold pipe u_pipe (.pipe(i)); end
  initial begin pipe.fold = pipe (fold); $error("fold: Row of \\"fold\\" is wrong"); end
  case (1) 1: pipe u_case (clk_i); default: begin end endcase
endmodule : fold
bind fold pipe u_bound (.pipe(clk_i));
"""
MODULES = {"fold": "x_fold", "pipe": "x_pipe", "arith_pkg": "x_arith_pkg", "bus": "x_bus"}


def test_declarations() -> None:
    names = declared(TEXT)
    assert names.modules == {"arith_pkg", "bus", "fold"} and names.macros == {"WIDE"}
    assert declared("module automatic a; endmodule").modules == {"a"}
    assert not declared('// module a\n/* package b */ string s = "module c";').modules


def test_names_are_replaced_where_they_stand_for_modules() -> None:
    made = renamed(TEXT, MODULES, {"WIDE": "X_WIDE"})
    expected = TEXT
    for good, other in (
        ("fold.sv, `fold` and arith", "x_fold.sv, `x_fold` and x_arith"),
        ("`define WIDE", "`define X_WIDE"),
        ("`ifdef WIDE", "`ifdef X_WIDE"),
        ("[`WIDE", "[`X_WIDE"),
        ("automatic arith", "automatic x_arith"),
        ("endpackage : arith", "endpackage : x_arith"),
        ("interface bus", "interface x_bus"),
        ("  bus.sink", "  x_bus.sink"),
        ("module fold import arith", "module x_fold import x_arith"),
        ("parameter arith", "parameter x_arith"),
        ("    pipe #", "    x_pipe #"),
        ("else pipe u", "else x_pipe u"),
        ("begin : fold pipe u", "begin : fold x_pipe u"),
        ('"fold: ', '"x_fold: '),
        ("1: pipe u", "1: x_pipe u"),
        ("endmodule : fold", "endmodule : x_fold"),
        ("bind fold pipe u_bound", "bind x_fold x_pipe u_bound"),
    ):
        assert expected.count(good) == 1, good
        expected = expected.replace(good, other)
    assert made == expected


def test_names_that_mean_nothing_else_are_replaced_everywhere() -> None:
    text = "// A ntf_fold is a fold.\nassign ntf_fold = u.ntf_fold;\n"
    assert renamed(text, {"ntf_fold": "x_ntf_fold"}, anywhere={"ntf_fold"}) == text.replace(
        "ntf_fold", "x_ntf_fold"
    )
    assert mentioned("fold.sv.j2 fold.py fold.sv `fold` `a fold`", {"fold": "y"}) == (
        "fold.sv.j2 fold.py y.sv `y` `a fold`"
    )


@pytest.mark.long
def test_the_library_comes_back_from_other_names() -> None:
    """What was renamed and renamed back is what it was; in code no name is left as it was."""
    texts = {name: path.read_text("utf-8") for name, path in library().items()}
    assert declared(*texts.values()).modules == texts.keys()
    there = {name: f"other_{name}" for name in texts}
    back = {other: name for name, other in there.items()}
    for name, text in texts.items():
        made = renamed(text, there)
        assert declared(made).modules == {there[name]} and renamed(made, back) == text
        code = re.sub(r"//.*|\"[^\"]*\"", "", made)
        used = re.findall(r"\b(\w+)::|^ *(\w+) (?:#\(|u_\w+ \()", code, re.MULTILINE)
        assert not {package or module for package, module in used} & texts.keys()


def test_a_folder_gets_a_prefix() -> None:
    files = {
        "rtl/arith/ntf_fold.sv": "module ntf_fold; endmodule\n",
        "mine.sv": "`define MINE\nmodule mine; ntf_fold u_fold (); endmodule\n",
        "nttforge_io.h": "#ifndef NTTFORGE_IO_H\nnttforge_io *mine;\n",
        "mine.core": "name: nttforge:rtl:library:1.0\n- rtl/arith/ntf_fold.sv\n",
        "mine.toml": 'description = "ntf_fold, nttforge_io"\n',
    }
    assert prefixed(files, "rel-2", "mine") == {
        "rtl/arith/rel_2_ntf_fold.sv": "module rel_2_ntf_fold; endmodule\n",
        "mine.sv": "`define rel_2_MINE\nmodule mine; rel_2_ntf_fold u_fold (); endmodule\n",
        "rel_2_nttforge_io.h": "#ifndef REL_2_NTTFORGE_IO_H\nrel_2_nttforge_io *mine;\n",
        "mine.core": "name: nttforge:rtl:rel_2_library:1.0\n- rtl/arith/rel_2_ntf_fold.sv\n",
        "mine.toml": files["mine.toml"],
    }
