# SPDX-License-Identifier: Apache-2.0
"""Area of each unit of a coprocessor alone, with default parameters: `nttforge show units`."""

import re
from collections.abc import Iterator, Sequence

from nttforge.flow.prepare import Progress, silent
from nttforge.names import find
from nttforge.results import Listing
from nttforge.rtl_library import alone, library, rtl_root
from nttforge.synthesize.yosys import synthesize
from nttforge.table import Cell
from nttforge.targets import Target

#: Rooms of units: ML-KEM's are those of both, and its own.
ROOMS = ("lattice", "mlkem", "mldsa")
OF_MLKEM = ROOMS[:2]
# Whole cores take their programs from a generated package: see `nttforge synth`.
_CORES = ("ntf_mlkem_core", "ntf_mldsa_core")
_COLUMNS = ("lut", "lutram", "srl", "lut_total", "ff", "dsp", "bram18")
_PORT = re.compile(
    r"^ +(input|output) +(\w+(?: +signed)?(?: *\[.*\])?) +(\w+)(?:,|$)? *(?:// *(.*))?$",
    re.MULTILINE,
)


def units(rooms: Sequence[str] = ROOMS) -> list[str]:
    """The modules of rooms that can stand alone."""
    for room in rooms:
        find("room", room, dict.fromkeys(ROOMS))
    names = [name for name, path in library().items() if path.parent.name in rooms]
    return [name for name in names if not name.endswith("_pkg") and name not in _CORES]


def area(module: str, target: Target = "xcup", *, time_limit: float = 3600) -> dict[str, int]:
    """Area of one unit alone, after Yosys."""
    find("unit", module, dict.fromkeys(units()))
    with alone(module) as folder:
        return synthesize(folder, module, target, time_limit=time_limit).counts


def latencies() -> dict[str, str]:
    """The last column of the rooms' tables, by module; empty where they say nothing."""
    text = "".join((rtl_root() / room / "README.md").read_text("utf-8") for room in ROOMS)
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| `")]
    return {name: row[-1].strip() for row in rows for name in re.findall(r"`(\w+)`", row[0])}


def sheet(module: str) -> str:
    """A unit, as a section of a page: its description, latency and ports."""
    find("unit", module, dict.fromkeys(units()))
    text = library()[module].read_text("utf-8")
    paragraph = " ".join(
        line.removeprefix("///") for line in text.splitlines() if line[:3] == "///"
    )
    latency = latencies().get(module, "")
    lines = [f"### `{module}`", "", " ".join(paragraph.split()), ""]
    if latency:
        cycles = "Latency: none, it is logic."
        lines += [cycles if latency == "logic" else f"Latency in cycles: {latency}.", ""]
    lines += ["| port | | bits | |", "|---|---|---|---|"]
    lines += [
        f"| `{name}` | {way} | {bits} | {comment} |" for name, way, bits, comment in ports(text)
    ]
    return "\n".join(lines)


def ports(text: str) -> Iterator[tuple[str, str, str, str]]:
    """(name, direction, bits, comment) of each port of a module, but for clock and reset."""
    for way, kind, name, comment in _PORT.findall(text):
        if name not in ("clk_i", "rst_ni"):
            ranges = re.findall(r"\[(.*?)\]", kind)
            scalar = "1" if kind.startswith("logic") else f"`{kind}`"
            bits = " × ".join(_bits(bounds) for bounds in ranges) or scalar
            yield name, way, bits, comment


def _bits(bounds: str) -> str:
    """A range's length: `63:0` is 64, `Width-1:0` is Width."""
    high = bounds.partition(":")[0]
    return str(int(high) + 1) if high.isdigit() else f"`{high.removesuffix('-1')}`"


def listing(modules: Sequence[str], target: Target, progress: Progress = silent) -> Listing:
    """Area of units, a row each."""
    rows: list[list[Cell]] = []
    for module in modules:
        progress(module)
        counts = area(module, target)
        rows.append([module, *(counts[column] for column in _COLUMNS)])
    return Listing(title="Units by themselves", columns=["unit", *_COLUMNS], rows=rows)


def units_or_sheets(
    names: Sequence[str] | None = None,
    room: Sequence[str] | None = None,
    *,
    target: Target = "xcup",
    ports: bool = False,
    progress: Progress = silent,
) -> Listing | str:
    """The area of units, or what they are: of modules, or all of rooms."""
    named = names or units(room or OF_MLKEM)
    return "\n\n".join(map(sheet, named)) if ports else listing(named, target, progress)
