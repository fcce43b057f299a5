# SPDX-License-Identifier: Apache-2.0
"""Synthesis with Yosys: a design folder as a mapped netlist and its area."""

import importlib.util
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from nttforge.content import cached, design_files, design_key
from nttforge.design import Target
from nttforge.errors import NttforgeError
from nttforge.synthesize.area import TOP, Counts, count_blocks, count_cells, unmapped_cells
from nttforge.synthesize.blocks import label_blocks
from nttforge.synthesize.repeats import instances, merge_copies, own_cells
from nttforge.synthesize.tool import run_tool

NETLIST = "netlist.json"
_AREA = "area.json"
_LOG = "yosys.log"
_LINK = "design"
_ELABORATED = "elaborated.il"
# Turns of a loop: a table of constants takes one a word.
_UNROLL = 1 << 20
_WORKER = Path(__file__).with_name("worker.py")
_VERSION = "4"  # of area.py and blocks.py, which take part in the key

# No pads and no clock buffers: a core is a part of somebody's chip.
_SYNTHESIS: dict[Target, str] = {
    "xcup": "synth_xilinx -family xcup -flatten -noiopad -noclkbuf -top {top}",
    "xc7": "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top {top}",
    "ecp5": "synth_ecp5 -no-rw-check -top {top}",
}
# What makes them leave modules alone.
_IN_PIECES: dict[Target, tuple[str, str]] = {
    "xcup": (" -flatten", ""),
    "xc7": (" -flatten", ""),
    "ecp5": ("synth_ecp5", "synth_ecp5 -noflatten"),
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


def synthesize(
    folder: Path,
    top: str,
    target: Target,
    *,
    pieces: Sequence[str] = (),
    time_limit: float = 3600,
) -> Synthesis:
    """Map the design in `folder` to the cells of `target`; results are kept by content.

    Parameters
    ----------
    folder, top
        The design folder and its top module.
    target
        `xcup` (UltraScale+), `xc7` (7 series) or `ecp5`.
    pieces
        Modules that are mapped once each and counted as often as they are there
        (:mod:`nttforge.synthesize.repeats`); the netlist keeps them. None: the design is flat.
    time_limit
        Seconds until Yosys is given up.

    Raises
    ------
    NttforgeError
        If pyosys is missing, Yosys fails, takes too long, or leaves cells that nobody counts.
    """
    if importlib.util.find_spec("pyosys") is None:
        raise NttforgeError("yosys", "pyosys is not installed", "pip install pyosys")
    read, synthesis = _passes(folder, top, target, in_pieces=bool(pieces))
    key = design_key(
        folder, *read, *synthesis, f"pyosys {metadata.version('pyosys')}", _VERSION, *pieces
    )

    def make(scratch: Path) -> None:
        link = scratch / _LINK
        link.symlink_to(folder.resolve(), target_is_directory=True)
        _run_yosys(read, scratch, time_limit)
        link.unlink()
        elaborated = scratch / _ELABORATED
        text = elaborated.read_text(encoding="utf-8")
        text = merge_copies(text, pieces) if pieces else label_blocks(text)
        elaborated.write_text(text, encoding="utf-8")
        _run_yosys(synthesis, scratch, time_limit)
        elaborated.unlink()
        modules = json.loads((scratch / NETLIST).read_text(encoding="utf-8"))["modules"]
        cells, blocks = _count_pieces(modules, top) if pieces else _count_flat(modules[top])
        unknown = unmapped_cells(cells)
        if unknown:
            raise NttforgeError(
                "yosys",
                f"it left cells that are not counted: {', '.join(unknown)}",
                "report this design",
            )
        area = {"cells": dict(sorted(cells.items())), "blocks": blocks}
        (scratch / _AREA).write_text(json.dumps(area, indent=1), encoding="utf-8")

    kept = cached("synthesis", key, make)
    area = json.loads((kept / _AREA).read_text(encoding="utf-8"))
    return Synthesis(
        area["cells"], count_cells(area["cells"]), area["blocks"], kept / NETLIST, kept / _LOG
    )


def _count_flat(module: dict[str, Any]) -> tuple[Counter[str], dict[str, Counts]]:
    """Cells by type, and resources by block, of a netlist that is one module."""
    return Counter(cell["type"] for cell in module["cells"].values()), count_blocks(module)


def _count_pieces(modules: dict[str, Any], top: str) -> tuple[Counter[str], dict[str, Counts]]:
    """The same of one whose pieces are modules; a block is an instance of a piece."""
    cells: Counter[str] = Counter()
    blocks: dict[str, Counts] = {}
    own = {name: own_cells(modules, name) for _, name in instances(modules, top)}
    counts = {name: count_cells(types) for name, types in own.items()}
    for path, name in sorted(instances(modules, top)):
        cells.update(own[name])
        if any(counts[name].values()):
            blocks[path or TOP] = counts[name]
    return cells, blocks


def _passes(
    folder: Path, top: str, target: Target, *, in_pieces: bool
) -> tuple[list[str], list[str]]:
    """Elaboration, and the rest, between which blocks are labelled or copies merged."""
    # Yosys has no quotes for file names: it sees the folder through a link without blanks.
    sources = " ".join(f"{_LINK}/{path.relative_to(folder)}" for path in design_files(folder))
    hierarchy = "--keep-hierarchy " if in_pieces else ""
    read = [
        f"read_slang {hierarchy}--unroll-limit {_UNROLL} --top {top} {sources}",
        "chformal -remove",  # assertions are for simulation
        f"write_rtlil {_ELABORATED}",
    ]
    mapping = _SYNTHESIS[target].format(top=top)
    synthesis = [
        f"read_rtlil {_ELABORATED}",
        *(["flatten"] if in_pieces else []),  # but for the pieces
        "scratchpad -set abc9.verify false",
        mapping.replace(*_IN_PIECES[target]) if in_pieces else mapping,
        "check -assert",
        f"write_json {NETLIST}",
    ]
    return read, synthesis


def _run_yosys(passes: list[str], scratch: Path, time_limit: float) -> None:
    script = scratch / "script.ys"
    script.write_text("".join(f"{line}\n" for line in passes), encoding="utf-8")
    run_tool("yosys", [sys.executable, str(_WORKER), str(script)], scratch / _LOG, time_limit)
