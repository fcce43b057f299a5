# SPDX-License-Identifier: Apache-2.0
"""Synthesis with Yosys: a design folder as a mapped netlist and its area."""

import importlib.util
import json
import sys
from collections import Counter
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, cast

from nttforge.content import cached, design_files, design_key
from nttforge.design import Target
from nttforge.errors import NttforgeError
from nttforge.synthesize.area import Counts, count_blocks, count_cells, unmapped_cells
from nttforge.synthesize.blocks import label_blocks
from nttforge.synthesize.tool import run_tool

NETLIST = "netlist.json"
_AREA = "area.json"
_LOG = "yosys.log"
_LINK = "design"
_ELABORATED = "elaborated.il"
# Turns of a loop: a table of constants takes one a word.
_UNROLL = 1 << 20
_WORKER = Path(__file__).with_name("worker.py")
_VERSION = "3"  # of the counting in area.py, which takes part in the key

# No pads and no clock buffers: a core is a part of somebody's chip.
_SYNTHESIS: dict[Target, str] = {
    "xcup": "synth_xilinx -family xcup -flatten -noiopad -noclkbuf -top {top}",
    "xc7": "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top {top}",
    "ecp5": "synth_ecp5 -no-rw-check -top {top}",
}


@dataclass(frozen=True)
class Synthesis:
    """A mapped design.

    Attributes
    ----------
    cells
        Number of cells of each type.
    counts
        Resources; :mod:`nttforge.synthesize.area` says what counts as what.
    blocks
        Resources of each block, by instance path; they add up to `counts`.
    netlist
        Yosys's JSON netlist, which nextpnr reads.
    log
        Yosys's log.
    """

    cells: dict[str, int]
    counts: Counts
    blocks: dict[str, Counts]
    netlist: Path
    log: Path


def synthesize(folder: Path, top: str, target: Target, *, time_limit: float = 3600) -> Synthesis:
    """Map the design in `folder` to the cells of `target`; results are kept by content.

    Parameters
    ----------
    folder, top
        The design folder and its top module.
    target
        `xcup` (UltraScale+), `xc7` (7 series) or `ecp5`.
    time_limit
        Seconds until Yosys is given up.

    Raises
    ------
    NttforgeError
        If pyosys is missing, Yosys fails, takes too long, or leaves cells that nobody counts.
    """
    if importlib.util.find_spec("pyosys") is None:
        raise NttforgeError("yosys", "pyosys is not installed", "pip install pyosys")
    read, synthesis = _passes(folder, top, target)
    key = design_key(folder, *read, *synthesis, f"pyosys {metadata.version('pyosys')}", _VERSION)

    def make(scratch: Path) -> None:
        link = scratch / _LINK
        link.symlink_to(folder.resolve(), target_is_directory=True)
        _run_yosys(read, scratch, time_limit)
        link.unlink()
        elaborated = scratch / _ELABORATED
        labelled = label_blocks(elaborated.read_text(encoding="utf-8"))
        elaborated.write_text(labelled, encoding="utf-8")
        _run_yosys(synthesis, scratch, time_limit)
        elaborated.unlink()
        module = _top_module(scratch / NETLIST, top)
        cells = Counter(cell["type"] for cell in module["cells"].values())
        unknown = unmapped_cells(cells)
        if unknown:
            raise NttforgeError(
                "yosys",
                f"it left cells that are not counted: {', '.join(unknown)}",
                "report this design",
            )
        blocks = count_blocks(module)
        area = {"cells": dict(sorted(cells.items())), "blocks": blocks}
        (scratch / _AREA).write_text(json.dumps(area, indent=1), encoding="utf-8")

    kept = cached("synthesis", key, make)
    area = json.loads((kept / _AREA).read_text(encoding="utf-8"))
    return Synthesis(
        area["cells"], count_cells(area["cells"]), area["blocks"], kept / NETLIST, kept / _LOG
    )


def _passes(folder: Path, top: str, target: Target) -> tuple[list[str], list[str]]:
    """Elaboration, and the rest, between which the blocks are labelled."""
    # Yosys has no quotes for file names: it sees the folder through a link without blanks.
    sources = " ".join(f"{_LINK}/{path.relative_to(folder)}" for path in design_files(folder))
    read = [
        f"read_slang --unroll-limit {_UNROLL} --top {top} {sources}",
        "chformal -remove",  # assertions are for simulation
        f"write_rtlil {_ELABORATED}",
    ]
    synthesis = [
        f"read_rtlil {_ELABORATED}",
        "scratchpad -set abc9.verify false",
        _SYNTHESIS[target].format(top=top),
        "check -assert",
        f"write_json {NETLIST}",
    ]
    return read, synthesis


def _run_yosys(passes: list[str], scratch: Path, time_limit: float) -> None:
    script = scratch / "script.ys"
    script.write_text("".join(f"{line}\n" for line in passes), encoding="utf-8")
    run_tool("yosys", [sys.executable, str(_WORKER), str(script)], scratch / _LOG, time_limit)


def _top_module(netlist: Path, top: str) -> dict[str, Any]:
    modules = json.loads(netlist.read_text(encoding="utf-8"))["modules"]
    return cast(dict[str, Any], modules[top])
