# SPDX-License-Identifier: Apache-2.0
"""Counts the resources of a mapped netlist, by block.

Columns
-------
lut
    Logic look-up tables: LUT1 to LUT6 and INV on Xilinx; LUT4, and two for each CCU2C, on ECP5.
lutram
    Look-up tables that are RAM: as many as the cell occupies, 8 for a RAM64M8, 4 for a
    TRELLIS_DPR16X4.
srl
    Look-up tables that are shift registers, one for each SRL16E or SRLC32E.
lut_total
    The sum of these three.
ff
    Flip-flops and latches.
dsp
    DSP48E1 or DSP48E2; MULT18X18D on ECP5.
bram18
    Block RAMs of 18 Kbit: RAMB18 is one, RAMB36 two; DP16KD is one.
uram
    UltraRAMs.
carry
    CARRY4 or CARRY8 on Xilinx; they cost no look-up table.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nttforge.synthesize.blocks import mapped_blocks

COLUMNS = ("lut", "lutram", "srl", "lut_total", "ff", "dsp", "bram18", "uram", "carry")

_LUTRAM = {
    "RAM32X1S": 1,
    "RAM64X1S": 1,
    "RAM128X1S": 2,
    "RAM256X1S": 4,
    "RAM512X1S": 8,
    "RAM32X1D": 2,
    "RAM64X1D": 2,
    "RAM128X1D": 4,
    "RAM256X1D": 8,
    "RAM32M": 4,
    "RAM64M": 4,
    "RAM32M16": 8,
    "RAM64M8": 8,
    "RAM32X16DR8": 8,
    "RAM64X8SW": 8,
    "TRELLIS_DPR16X4": 4,
}
# (pattern of the cell's type, column, amount); the first that matches counts.
_CELLS: tuple[tuple[re.Pattern[str], str, int], ...] = tuple(
    (re.compile(pattern), column, amount)
    for pattern, column, amount in (
        (r"LUT\d(_\d)?|INV", "lut", 1),
        (r"CCU2C", "lut", 2),
        (r"SRL16E?|SRLC16E?|SRLC32E", "srl", 1),
        (r"FD[RSCP]E(_1)?|LD[CP]E(_1)?|TRELLIS_FF", "ff", 1),
        (r"DSP48E[12]|MULT18X18D", "dsp", 1),
        (r"RAMB18E[12]|DP16KD", "bram18", 1),
        (r"RAMB36E[12]", "bram18", 2),
        (r"URAM288(E5)?(_BASE)?", "uram", 1),
        (r"CARRY[48]", "carry", 1),
    )
)
# Cells that take none of the counted resources: multiplexers in a slice, buffers, constants, PLLs.
_FREE = re.compile(r"MUXF[789]|PFUMX|L6MUX21|[IO]BUF.*|BUFG.*|VCC|GND|VLO|VHI|EHXPLLL|\$scopeinfo")

Counts = dict[str, int]

TOP = "(top)"


def _resource(cell_type: str) -> tuple[str, int] | None:
    """Column and amount of a cell; None if it takes nothing that is counted."""
    if cell_type in _LUTRAM:
        return "lutram", _LUTRAM[cell_type]
    for pattern, column, amount in _CELLS:
        if pattern.fullmatch(cell_type):
            return column, amount
    return None


def count_cells(types: Mapping[str, int]) -> Counts:
    """Resources of a netlist with so many cells of each type."""
    counts = dict.fromkeys(COLUMNS, 0)
    for cell_type, number in types.items():
        resource = _resource(cell_type)
        if resource is not None:
            counts[resource[0]] += resource[1] * number
    counts["lut_total"] = counts["lut"] + counts["lutram"] + counts["srl"]
    return counts


def unmapped_cells(types: Iterable[str]) -> list[str]:
    """Cell types that no column knows: were there any, the counts would be too low."""
    return sorted(t for t in types if _resource(t) is None and not _FREE.fullmatch(t))


def count_blocks(module: Mapping[str, Any]) -> dict[str, Counts]:
    """Resources of each block of a mapped netlist, by instance path; `(top)` is the top's own.

    Every cell is counted once, so the blocks add up to the whole.

    - `module`: a module of Yosys's `write_json`, labelled by :mod:`nttforge.synthesize.blocks`.
    """
    blocks = mapped_blocks(module)
    types: dict[str, Counter[str]] = defaultdict(Counter)
    for name, cell in module["cells"].items():
        types[blocks.get(name, "")][cell["type"]] += 1
    result = {(block or TOP): count_cells(found) for block, found in sorted(types.items())}
    return {block: counts for block, counts in result.items() if any(counts.values())}


def sum_parts(
    blocks: Mapping[str, Counts], parts: Mapping[str, Sequence[str]]
) -> dict[str, Counts]:
    """Sum blocks by part; blocks of no part are added to the last part."""
    totals: dict[str, Counter[str]] = {part: Counter() for part in parts}
    for block, counts in blocks.items():
        owner = next(
            (
                part
                for part, paths in parts.items()
                if any(
                    block == path or block.startswith((f"{path}.", f"{path}[")) for path in paths
                )
            ),
            list(parts)[-1],
        )
        totals[owner].update(counts)
    return {part: {column: found[column] for column in COLUMNS} for part, found in totals.items()}


def collapse(blocks: Mapping[str, Counts], depth: int) -> dict[str, tuple[int, Counts]]:
    """Sum blocks up to `depth` instances deep, and paths that differ in indices alone."""
    members: dict[str, set[str]] = defaultdict(set)
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    for block, counts in blocks.items():
        short = _shorten(block, depth)
        pattern = re.sub(r"\[\d+\]", "[*]", short)
        members[pattern].add(short)
        totals[pattern].update(counts)
    return {
        pattern: (len(members[pattern]), {column: totals[pattern][column] for column in COLUMNS})
        for pattern in sorted(totals)
    }


def _shorten(block: str, depth: int) -> str:
    path = block.split(".")
    instances = [i for i, name in enumerate(path) if not name.startswith("gen_")]
    if not instances:
        return TOP
    return ".".join(path[: instances[:depth][-1] + 1])
