# SPDX-License-Identifier: Apache-2.0
"""Another technology: with other files in the place of rtl/prim's memories an engine is the same.

The RAM is a macro as foundries have them, which gives rubbish for a word that is read while it is
written and when it is not asked; the ROM is logic by address. What they may do beyond that is on
rtl/prim's page.
"""

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from nttforge.flow.prepare import Prepared
from nttforge.hw import Core
from nttforge.kinds.stream.verify import verify
from nttforge.rtl_library import rtl_root
from tests.rtl.small_cores import SMALL_RING, prepare_pipeline

BLOCK = {"ram_block_from": 2, "rom_block_from": 2, "butterflies": 2}
RAM = """
  // Chip enables, high; a read port that holds nothing.
  logic [Width-1:0] cells[Depth], out_q;
  logic             clash;

  assign clash = we_i & (waddr_i == raddr_i);

  always_ff @(posedge clk_i) begin
    if (en_i & we_i) cells[waddr_i] <= wdata_i;
    if (en_i) out_q <= clash ? ~cells[raddr_i] : cells[raddr_i];
  end

  if (Registered) begin : gen_registered
    assign rdata_o = out_q;
  end else begin : gen_direct
    assign rdata_o = cells[raddr_i];
  end

  localparam bit Unused = Block ^ Flops;
  logic unused;
  assign unused = ^{Unused, out_q, clash};
"""
ROM = """
  logic [Columns-1:0][Width-1:0] word;

  always_comb begin
    word = '0;
    for (int unsigned c = 0; c < Columns; c++) begin
      for (int unsigned i = 0; i < Depth; i++) begin
        if (addr_i == AddrW'(i)) word[c] = Table[c*Depth+i];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) rdata_o <= word;
  end
"""
K = TypeVar("K", bound=Core)

MACROS = {"ntf_prim_ram_1r1w": RAM, "ntf_prim_rom": ROM}


def with_macro(prepared: Prepared[K], module: str, body: str, folder: Path) -> Prepared[K]:
    """The design with another body of a module, whose parameters and ports are the library's."""
    shutil.copytree(prepared.folder, folder)
    text = (rtl_root() / "prim" / f"{module}.sv").read_text("utf-8")
    head = re.match(r".*?\n\);\n", text, re.DOTALL)
    assert head
    file = folder / "rtl" / "prim" / f"{module}.sv"
    assert file.is_file()
    file.write_text(f"{head[0]}{body}\nendmodule\n")
    return replace(prepared, folder=folder)


@pytest.mark.parametrize("module", MACROS)
def test_an_engine_on_macros_is_the_same(module: str, tmp_path: Path) -> None:
    prepared = prepare_pipeline(SMALL_RING, **BLOCK)
    macro = with_macro(prepared, module, MACROS[module], tmp_path / "design")
    ours, theirs = (verify(each, transforms=140, seed=3) for each in (prepared, macro))
    assert ours.ok and theirs.ok
    assert ours.cycles == theirs.cycles


def test_a_wrong_macro_is_seen(tmp_path: Path) -> None:
    body = ROM.replace("Table[c*Depth+i]", "Table[c*Depth+(i^1)]")
    macro = with_macro(
        prepare_pipeline(SMALL_RING, **BLOCK), "ntf_prim_rom", body, tmp_path / "design"
    )
    assert not verify(macro, transforms=20).ok
