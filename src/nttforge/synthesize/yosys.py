# SPDX-License-Identifier: Apache-2.0
"""Synthesis with Yosys: a design folder as a mapped netlist and its area."""

import importlib.util
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from nttforge.cache import cached, design_files, design_key
from nttforge.errors import NttforgeError
from nttforge.output import write_bytes
from nttforge.packages import missing
from nttforge.progress import ProgressTimer
from nttforge.synthesize.area import TOP, Counts, count_blocks, count_cells, unmapped_cells
from nttforge.synthesize.blocks import label_blocks
from nttforge.synthesize.parts import between_registers, take_part
from nttforge.synthesize.repeats import instances, merge_copies, own_cells, with_plain_names
from nttforge.synthesize.tool import run_tool
from nttforge.targets import TARGETS, Target

NETLIST = "netlist.json"
_AREA = "area.json"
_LOG = "yosys.log"
_LINK = "design"
_ELABORATED = "elaborated.il"
# Turns of a loop: a table of constants takes one a word.
_UNROLL = 1 << 20
#: What an elaborated design has that memories come of.
_MEMORIES = (" memory ", "$mem", "$bmux", " process ")
#: What one has that asks for UltraRAM.
_ULTRA = 'attribute \\ram_style "ultra"'
#: What it has instead in families without.
_BLOCK = 'attribute \\ram_style "block"'
# All but the pieces is flattened. At the edge of a piece nothing is kept that is not read, or that
# is a constant for each instance: a structure that enters it is wider than what it looks at. A turn
# goes one edge on.
_PIECES_APART = ("flatten", *("opt_expr", "wreduce", "opt_clean", "opt_hier") * 3, "opt_clean")
#: Yosys merges registers that are alike unless the register itself, not its wire, is kept.
KEEP = "setattr -set keep 1 a:keep w:* %i %ci1 t:$*ff* %i"
_VERILOG = "design.v"
_MADE = re.compile(r"\\\$auto\$\S+ ")
#: Cells for which Verilog has no expression become others; large tables become memories. A net has
#: one driver: of assignments to its parts, Icarus resolves strengths bit by bit, and stands still.
_TO_VERILOG = (
    f"read_rtlil {_ELABORATED}",
    "hierarchy -check",
    "opt_expr",
    "opt_clean",
    "opt_reduce",  # one enable a word of memory, not one a bit
    "opt_expr -mux_bool",
    "opt_clean",
    "memory_bmux2rom t:$bmux r:S_WIDTH>=4 %i",
    "bmuxmap",
    "bwmuxmap",
    "opt_clean",
    "check -assert",
    "bufnorm -conn",
    f"write_verilog -noattr {_VERILOG}",
)
_WORKER = Path(__file__).with_name("worker.py")
_VERSION = "4"  # of area.py and blocks.py, which take part in the key


@dataclass(frozen=True)
class Synthesis:
    """A mapped design: cells by type, resources by block, Yosys's JSON netlist and log."""

    cells: dict[str, int]
    counts: Counts
    blocks: dict[str, Counts]
    netlist: Path
    top: str
    log: Path

    def module(self) -> dict[str, Any]:
        """The top module of the netlist, as Yosys's `write_json` has it."""
        modules: dict[str, dict[str, Any]]
        modules = json.loads(self.netlist.read_text(encoding="utf-8"))["modules"]
        return modules[self.top]


def synthesize(
    folder: Path,
    top: str,
    target: Target,
    *,
    pieces: Sequence[str] = (),
    part: str = "",
    time_limit: float = 3600,
) -> Synthesis:
    """Map the design in `folder` to the cells of `target`; results are kept by content.

    - `folder`, `top`: the design folder and its top module.
    - `target`: a key of :data:`nttforge.targets.TARGETS`.
    - `pieces`: modules that are mapped once each and counted as often as they are there
      (:mod:`nttforge.synthesize.repeats`); the netlist keeps them. None: the design is flat.
    - `part`: an instance that is mapped alone, for `ecp5`; its netlist has a register at each port,
      which the area does not count (:mod:`nttforge.synthesize.parts`). None: the whole design.
    - `time_limit`: seconds until Yosys is given up.
    """
    if importlib.util.find_spec("pyosys") is None:
        raise missing("pyosys", "it is Yosys")
    assert not part or target == "ecp5"
    hierarchy = bool(pieces or part)
    read = _elaboration(folder, top, hierarchy=hierarchy)
    more = (*pieces, *(("alone", part) if part else ()))
    tool = f"pyosys {metadata.version('pyosys')}"
    mapping = _mapping(top, target, piecewise=bool(pieces))
    key = design_key(folder, *read, *mapping, tool, _VERSION, *more)
    pace = ProgressTimer(f"Yosys: {f'{part} of ' if part else ''}{top} for {target}")

    def elaborate(scratch: Path) -> None:
        _read(folder, read, scratch, time_limit, pace)

    def make(scratch: Path) -> None:
        elaborated = scratch / _ELABORATED
        mapped = top
        if part:  # one of several, as a rule, of a design that takes long to read
            whole = cached("elaborated", design_key(folder, *read, tool), elaborate)
            text, mapped = take_part((whole / _ELABORATED).read_text(encoding="utf-8"), part)
            elaborated.write_text(text, encoding="utf-8")
            _run_yosys(_flattening(mapped), scratch, time_limit, pace)
        else:
            elaborate(scratch)
        text = elaborated.read_text(encoding="utf-8")
        text = merge_copies(text, pieces) if pieces else label_blocks(text)
        text = text if TARGETS[target].ultra else text.replace(_ULTRA, _BLOCK)
        elaborated.write_text(text, encoding="utf-8")
        memories = any(word in text for word in _MEMORIES)
        passes = _mapping(
            mapped, target, piecewise=bool(pieces), memories=memories, ultra=_ULTRA in text
        )
        _run_yosys(passes, scratch, time_limit, pace)
        elaborated.unlink()
        netlist = json.loads((scratch / NETLIST).read_text(encoding="utf-8"))
        modules = netlist["modules"]
        cells, blocks = _count_pieces(modules, top) if pieces else _count_flat(modules[mapped])
        unknown = unmapped_cells(cells)
        if unknown:
            raise NttforgeError(
                "yosys",
                f"it left cells that are not counted: {', '.join(unknown)}",
                "report this design",
            )
        area: dict[str, Any] = {"cells": dict(sorted(cells.items())), "blocks": blocks}
        if part:
            area["top"] = mapped
            between_registers(modules[mapped])
            (scratch / NETLIST).write_text(json.dumps(netlist), encoding="utf-8")
        (scratch / _AREA).write_text(json.dumps(area, indent=1), encoding="utf-8")
        pace.ended()

    kept = cached("synthesis", key, make)
    area = json.loads((kept / _AREA).read_text(encoding="utf-8"))
    return Synthesis(
        area["cells"],
        count_cells(area["cells"]),
        area["blocks"],
        kept / NETLIST,
        area.get("top", top),
        kept / _LOG,
    )


def write_netlist(synthesis: Synthesis, target: Path, time_limit: float = 3600) -> None:
    """Write the netlist of a mapped design: `.json` of Yosys, or structural Verilog, `.v`."""
    if target.suffix != ".v":
        write_bytes(target, synthesis.netlist.read_bytes())
        return
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        (scratch / NETLIST).symlink_to(synthesis.netlist.resolve())
        passes = [f"read_json {NETLIST}", "write_verilog -noattr netlist.v"]
        _run_yosys(passes, scratch, time_limit, ProgressTimer(f"Yosys: {target.name}"))
        write_bytes(target, (scratch / "netlist.v").read_bytes())


def plain_verilog(folder: Path, top: str, prefix: str, *, time_limit: float = 3600) -> str:
    """The design in `folder` in Verilog-2005; results are kept by content.

    Hierarchy, instances, registers, memories and their first contents stay; assertions do not.

    - `folder`, `top`: the design folder and its top module.
    - `prefix`: of the names of all modules but the top.
    - `time_limit`: seconds until Yosys is given up.
    """
    if importlib.util.find_spec("pyosys") is None:
        raise missing("pyosys", "it is Yosys")
    read = _elaboration(folder, top, hierarchy=True)
    tool = f"pyosys {metadata.version('pyosys')}"
    pace = ProgressTimer(f"Yosys: {top} in Verilog")

    def make(scratch: Path) -> None:
        elaborated = scratch / _ELABORATED
        _read(folder, read, scratch, time_limit, pace)
        text = with_plain_names(merge_copies(elaborated.read_text(encoding="utf-8"), ()), prefix)
        elaborated.write_text(text, encoding="utf-8")
        _run_yosys(_TO_VERILOG, scratch, time_limit, pace)
        elaborated.unlink()
        pace.ended()

    key = design_key(folder, *read, *_TO_VERILOG, prefix, tool, _VERSION)
    text = (cached("verilog", key, make) / _VERILOG).read_text(encoding="utf-8")
    numbers: dict[str, str] = {}  # of memories that Yosys has made, and named after its own lines
    text = _MADE.sub(lambda made: numbers.setdefault(made[0], f"_rom_{len(numbers)}_ "), text)
    return text[text.index("\nmodule ") :]


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


def _elaboration(folder: Path, top: str, *, hierarchy: bool) -> list[str]:
    # Yosys has no quotes for file names: it sees the folder through a link without blanks.
    sources = " ".join(f"{_LINK}/{path.relative_to(folder)}" for path in design_files(folder))
    keep = "--keep-hierarchy " if hierarchy else ""
    return [
        f"read_slang {keep}--unroll-limit {_UNROLL} --top {top} {sources}",
        "chformal -remove",  # assertions are for simulation
        f"write_rtlil {_ELABORATED}",
    ]


def _read(
    folder: Path, passes: Sequence[str], scratch: Path, time_limit: float, pace: ProgressTimer
) -> None:
    """Run passes on the files of a folder, which are there through links meanwhile."""
    # Contents of memories are named from where the tool runs.
    links = {_LINK: folder, **{path.name: path for path in folder.glob("*.init")}}
    for name, path in links.items():
        (scratch / name).symlink_to(path.resolve())
    _run_yosys(passes, scratch, time_limit, pace)
    for name in links:
        (scratch / name).unlink()


def _flattening(top: str) -> list[str]:
    """Passes that a part needs before its cells are labelled."""
    return [
        f"read_rtlil {_ELABORATED}",
        f"hierarchy -top {top}",
        "flatten -noscopeinfo",
        f"write_rtlil {_ELABORATED}",
    ]


def _mapping(
    top: str, target: Target, *, piecewise: bool, memories: bool = True, ultra: bool = False
) -> list[str]:
    """Passes from labelled or merged RTLIL to a netlist; `memories` loads their library.

    Memories that ask for UltraRAM get it if there are some (`ultra`) and the family has it.
    """
    facts = TARGETS[target]
    mapping = f"{facts.piecewise if piecewise else facts.mapping} -top {top}"
    mapping += facts.ultra if ultra else ""
    parts = [mapping]
    if facts.memories and not memories:
        label, after = facts.memories
        parts = [f"{mapping} -run :{label}", f"{mapping} -run {after}:"]
    return [
        f"read_rtlil {_ELABORATED}",
        *(_PIECES_APART if piecewise else []),
        KEEP,
        # Large tables of constants become memories first: `check` takes hours over them as
        # multiplexers. Small ones are as they always were.
        *("opt_expr", "opt_clean", "memory_bmux2rom t:$bmux r:S_WIDTH>=8 %i"),
        "scratchpad -set abc9.verify false",
        *parts,
        "check -assert",
        f"write_json {NETLIST}",
    ]


def _run_yosys(
    passes: Sequence[str], scratch: Path, time_limit: float, pace: ProgressTimer
) -> None:
    script = scratch / "script.ys"
    script.write_text("".join(f"{line}\n" for line in passes), encoding="utf-8")
    log, command = scratch / _LOG, [sys.executable, str(_WORKER), str(script)]
    run_tool("yosys", command, log, time_limit, tell=lambda _: pace.tell())
