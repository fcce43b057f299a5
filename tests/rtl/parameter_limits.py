# SPDX-License-Identifier: Apache-2.0
"""The limits of the parameters of every module of the library, as points at and beyond them.

A point is what a parameter, or a field of one that is a structure, is set to; `&` joins several,
and the others have their defaults. A new module brings its entry, whose illegal points name each
parameter that is not free; see docs/extending.md.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nttforge.rtl_library import needed, rtl_root

#: Rooms with what stands around the library.
BESIDE = ("bench", "examples")


@dataclass(frozen=True)
class Limits:
    """Points of a module, separated by semicolons.

    Attributes
    ----------
    legal
        They elaborate; so do the defaults.
    illegal
        The module says in an error of its own what is wrong, by the name of a parameter that is
        set; if `@` and the name of a part of it follow, that part does.
    free
        Parameters of which any value is legal that fits the type: bits, tables of constants.
    base
        Set at all points: what makes the defaults legal, if they are not.
    """

    legal: str = ""
    illegal: str = ""
    free: str = ""
    base: str = ""

    @property
    def legal_points(self) -> list[str]:
        """The defaults first."""
        return [self._with_base(point) for point in ("", *_points(self.legal))]

    @property
    def illegal_points(self) -> list[tuple[str, str, str]]:
        """(what is set in all; what is beyond a limit; the part that says so, or nothing)."""
        split = (point.partition("@") for point in _points(self.illegal))
        return [(self._with_base(p.strip()), p.strip(), part.strip()) for p, _, part in split]

    @property
    def free_names(self) -> list[str]:
        return self.free.split()

    def _with_base(self, point: str) -> str:
        return " & ".join(filter(None, (self.base, point)))


def _points(text: str) -> list[str]:
    return [point.strip() for point in text.split(";") if point.strip()]


def settings(point: str) -> list[tuple[str, str]]:
    """(parameter or field, value) of a point."""
    pairs = (setting.partition("=") for setting in point.split("&") if setting.strip())
    return [(name.strip(), value.strip()) for name, _, value in pairs]


def set_names(point: str) -> set[str]:
    """Parameters that a point sets."""
    return {re.split(r"[.\[]", name)[0] for name, _ in settings(point)}


@dataclass(frozen=True)
class Parameter:
    """A parameter as it is declared."""

    name: str
    type: str
    default: str


_HEADER = re.compile(r"^module (\w+)(.*?)\n\);", re.MULTILINE | re.DOTALL)
_DECLARED = re.compile(r"^\s*parameter\s+(.+?)\s*(\w+)((?:\[[^=]*\])?)\s*=\s*(.*)$", re.DOTALL)


@cache
def library() -> tuple[Path, ...]:
    """Files of the library's hardware, packages first, each behind those that it uses."""
    known = {p.stem: p for p in sorted(rtl_root().glob("*/*.sv")) if p.parent.name not in BESIDE}
    names = dict.fromkeys(name for module in known for name in needed(module, known))
    return tuple(known[name] for name in sorted(names, key=lambda n: not n.endswith("_pkg")))


@cache
def declared() -> Mapping[str, tuple[str, list[Parameter]]]:
    """Module -> (its imports, its parameters), of those that have any."""
    found = {}
    for path in library():
        header = _HEADER.search(path.read_text("utf-8"))
        if header and (parameters := list(_parameters(header[2]))):
            imports = " ".join(re.findall(r"import \w+::\*;", header[2]))
            found[header[1]] = (imports, parameters)
    return found


def _parameters(header: str) -> Iterator[Parameter]:
    listed = re.search(r"#\((.*?)\n\) \(", re.sub(r"//.*", "", header), re.DOTALL)
    for declaration in _split(listed[1]) if listed else ():
        if match := _DECLARED.match(declaration):
            yield Parameter(match[2], " ".join(match[1].split()), " ".join(match[4].split()))


def _split(text: str) -> list[str]:
    """Text at the commas that stand in no brackets."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def top_text(module: str, point: str) -> str:
    """A module `top` that has an instance of the module at that point, without connections."""
    imports, parameters = declared()[module]
    types = {p.name: p for p in parameters}
    fields: dict[str, list[tuple[str, str]]] = {}
    given: dict[str, str] = {}
    for name, value in settings(point):
        root, dot, field = name.partition(".")
        if root not in types:
            raise KeyError(f"{module} has no parameter {root}")
        if dot:
            fields.setdefault(root, []).append((field, value))
        else:
            given[root] = value
    functions = []
    for root, changes in fields.items():
        # Of a list, its type and default are those of an element.
        kind = types[root].type.split()[0]
        default = ELEMENTS.get(kind, types[root].default)
        body = " ".join(f"made.{field} = {value};" for field, value in changes)
        functions.append(
            f"function automatic {kind} made_{root}(); {kind} made; made = {default}; {body} "
            "return made; endfunction"
        )
        given[root] = f"made_{root}()"
    connected = ", ".join(f".{name}({value})" for name, value in given.items())
    lines = [
        f"module top; {imports}",
        *functions,
        f"{module} #({connected}) u_dut ();",
        "endmodule",
    ]
    return "\n".join(lines)


#: Defaults of structures that parameters are lists of.
ELEMENTS = {"step_t": "StepDefault"}

LIMITS: dict[str, Limits] = {
    # prim
    "prim_axis_slice": Limits("Width=1; Width=512", "Width=0"),
    "prim_credit_fifo": Limits(
        "Width=1; Depth=1; Depth=2; Depth=4096 & Block=1",
        "Width=0; Depth=0; Depth=3; Depth=6; Depth=17",
        free="Block",
    ),
    "prim_delay": Limits(
        "Width=1; Depth=0; Depth=1; Depth=128; Depth=129; Depth=65536", "Width=0", free="Depth"
    ),
    "prim_fifo": Limits(
        "Width=1; Depth=1; Depth=1 & Head=1; Depth=1 & Block=1; Depth=2; Depth=65536",
        "Width=0; Depth=0; Depth=3; Depth=6; Depth=17; Depth=32'hffff_ffff",
        free="Block Head",
    ),
    "prim_kept": Limits("Width=1; Width=64 & Reset='1", "Width=0", free="Reset"),
    "prim_line": Limits("Width=1; Depth=0; Depth=9", "Width=0", free="Depth"),
    "prim_pipe": Limits("Width=1; Depth=0; Depth=9", "Width=0", free="Depth"),
    "prim_rails": Limits("Width=1; Width=64 & Reset='1", "Width=0", free="Reset"),
    "prim_ram_1r1w": Limits(
        "Width=1; Depth=1; Depth=1 & Block=1; Depth=3 & Flops=1; Depth=3 & Registered=1",
        "Width=0; Depth=0; Block=1 & Registered=0; Flops=1 & Registered=1; Flops=1 & Block=1",
    ),
    "prim_rom": Limits(
        "Width=1; Depth=1; Depth=3 & Columns=3; Columns=1",
        "Width=0; Depth=0; Columns=0",
        free="Table",
    ),
    # shell
    "axi_bursts": Limits(
        "DataW=8 & BurstBytes=1; DataW=8 & BurstBytes=256; DataW=1024 & BurstBytes=128;"
        "DataW=1024 & BurstBytes=4096; DataW=128 & BurstBytes=4096; AddrW=11; WordsW=6; RoomW=6",
        "DataW=0; DataW=4; DataW=24; DataW=96; DataW=2048; DataW=32 & BurstBytes=4096;"
        "DataW=8 & BurstBytes=512; DataW=64 & BurstBytes=4096; BurstBytes=8192 & DataW=1024;"
        "BurstBytes=16; BurstBytes=0; BurstBytes=96; AddrW=10; WordsW=5; RoomW=5",
    ),
    "axi_lite_port": Limits("ByteWrites=1; TakeReg=1", free="ByteWrites TakeReg"),
    "axi_reader": Limits(
        "Depth=32; Depth=1 & BurstBytes=32; AddrW=11; WordsW=6; DataW=8 & BurstBytes=256",
        "AddrW=65; Depth=16; Depth=0; Depth=96; Depth=64 & BurstBytes=4096;"
        "DataW=24 @axi_bursts; BurstBytes=96 @axi_bursts; WordsW=5 @axi_bursts;"
        "AddrW=10 @axi_bursts; DataW=32 & BurstBytes=4096 & Depth=1024 @axi_bursts",
        free="Timeout",
    ),
    "axi_watch": Limits("Timeout=0; Timeout=1; Timeout=32'hffff_ffff", free="Timeout"),
    "axi_writer": Limits(
        "Depth=64; Depth=2 & BurstBytes=32; AddrW=11; WordsW=6",
        "AddrW=65; Depth=32; Depth=0; Depth=96; DataW=24 @axi_bursts; BurstBytes=96 @axi_bursts;"
        "WordsW=5 @axi_bursts",
        free="Timeout Block",
    ),
    "buffer_check": Limits(
        "LengthW=1; LengthW=80; AlignShift=1; AlignShift=64; TagW=1",
        "LengthW=0; AlignShift=0; AlignShift=65; TagW=0",
    ),
    "burst_reader": Limits(
        "DataW=1; DataW=1024; Depth=1; Asked=1", "DataW=0; Depth=3; Depth=0; Asked=3; Asked=0"
    ),
    "burst_writer": Limits(
        "DataW=1; DataW=1024; Depth=1; Asked=1", "DataW=0; Depth=3; Depth=0; Asked=3; Asked=0"
    ),
    "countdown": Limits("Width=4; Width=64", "Width=3; Width=0"),
    "gearbox": Limits(
        "InW=1 & OutW=1; InW=1 & OutW=64; InW=64 & OutW=1; InW=46; InW=64 & OutW=63",
        "InW=0; OutW=0",
    ),
    "rotate_up": Limits(
        "InW=1; InW=64; Unit=1; Unit=64; ShiftW=1; ShiftW=16; OutW=16",
        "InW=0; InW=65; Unit=0; Unit=7; Unit=128; OutW=0; OutW=60; ShiftW=0; ShiftW=17",
    ),
    "shift_down": Limits(
        "InW=1; OutW=1; Unit=1; ShiftW=1; ShiftW=16 & Unit=1",
        "InW=0; OutW=0; Unit=0; ShiftW=0; ShiftW=17",
    ),
    "shell_arguments": Limits(
        "NumInst=1; NumInst=125", "NumInst=0; NumInst=126; CountW=31; CountW=33"
    ),
    "shell_control": Limits(
        "NumInst=125; NumOps=1; WordBytes=2; WordBytes=128; BytesW=42",
        "NumInst=0 @shell_arguments; NumInst=126 @shell_arguments; NumOps=0;"
        "CountW=16 @shell_arguments; BytesW=41 @shell_lengths; UnitBytes=0 @shell_lengths;"
        "UnitsW=0 @shell_lengths; WordBytes=1; WordBytes=24;"
        "UnitsW=2 & ReadUnits=0 @shell_lengths; UnitsW=2 & WriteUnits=0 @shell_lengths",
    ),
    "shell_faults": Limits("NumInst=1; NumInst=128", "NumInst=0; NumInst=129"),
    "shell_instance": Limits(
        "DataW=16 & BurstBytes=512; DataW=1024; ReadDepth=32; CountW=4; BytesW=10; Lanes=1;"
        "CoefW=1; StoreW=23;"
        "UnitBeats=1; UnitsW=2; BurstBytes=32 & BytesW=6",
        "DataW=8; DataW=24; DataW=2048; BurstBytes=96 @axi_bursts; ReadDepth=48 @axi_reader;"
        "ReadDepth=16 @axi_reader; CountW=3 @countdown; BytesW=9; BytesW=5 & BurstBytes=32;"
        "Lanes=0;"
        "CoefW=0; StoreW=22; UnitBeats=0; UnitsW=0",
        free="Timeout LateMemory",
    ),
    "shell_lengths": Limits(
        "NumInst=3; NumOps=3; CountW=1; BytesW=42; UnitBytes=1; UnitBytes=3 & BytesW=34;"
        "UnitsW=2 & ReadUnits=3 & BytesW=44",
        "NumInst=0; NumOps=0; CountW=0; CountW=39; BytesW=41; UnitBytes=0;"
        "UnitBytes=65537 & BytesW=48; UnitsW=0;"
        "UnitsW=2 & ReadUnits=3 & BytesW=43; UnitsW=2 & ReadUnits=0; UnitsW=2 & WriteUnits=0",
    ),
    # board
    "board_bus": Limits(
        "Bytes=4; Bytes=32'h1000_0000; Bytes=4096; Registers=32'h4000_4000; Memory=32'hf000_4000",
        "Bytes=2; Bytes=0; Bytes=12; Registers=32'hf000_0800; Memory=32'h4000_2000;"
        "Registers=32'h4000_3000; Memory=32'hf000_0000; Memory=32'hf000_0800 & Bytes=4",
    ),
    "board_memory": Limits(
        "DataW=32; DataW=1024; Bytes=16; Bytes=8 & DataW=32; Base=64'h4000",
        "DataW=16; DataW=96; DataW=2048; Bytes=8; Bytes=48; Base=64'h2000",
    ),
    "uart_bridge": Limits("IdleBits=1; IdleBits=31", "IdleBits=0"),
    "uart_port": Limits("BitCycles=4; BitCycles=1000000", "BitCycles=3; BitCycles=0"),
    # lattice
    "byte_pack": Limits("MaxBytes=1; MaxBytes=64", "MaxBytes=0"),
    "byte_unpack": Limits(
        "MaxBytes=1 & MinBytes=1; MinBytes=0; MinBytes=11; MaxBytes=16; MaxBytes=112 & Ring=16",
        "MaxBytes=0 & MinBytes=0; MinBytes=12; MaxBytes=17; Ring=2; Ring=6; Ring=0",
    ),
    "command_queue": Limits(
        "CommandW=1; ErrorW=1; Depth=1; Depth=64", "CommandW=0; ErrorW=0; Depth=0; Depth=3"
    ),
    "job_list": Limits(
        "Width=1; Num=1; Num=255; Num=65534 & Width=1; AtW=1; BlockFrom=0",
        "Width=0; Num=0; Num=65535; AtW=0",
        free="Words BlockFrom",
    ),
    "keccak_f1600": Limits(
        "Rounds=24; Rounds=2; BlockBits=1; BlockBits=1600",
        "Rounds=0; Rounds=5; Rounds=48; BlockBits=0; BlockBits=1601",
    ),
    "sample_compact": Limits("Lanes=2; Lanes=32; W=1", "Lanes=0; Lanes=1; Lanes=12; Lanes=64; W=0"),
    "sample_uniform": Limits(
        "Lanes=2; Lanes=32; InW=24; W=1 & Q=1; Q=1; Q=4095",
        "Lanes=1; Lanes=12; Lanes=64; InW=11; W=0; W=13; Q=0; Q=4096",
    ),
    "seed_source": Limits("CountW=1; CountW=16", "CountW=0"),
    "sponge": Limits("Rounds=24", "Rounds=0 @keccak_f1600; Rounds=5 @keccak_f1600"),
    "squeeze_buffer": Limits("DigestBits=1; DigestBits=1344", "DigestBits=0; DigestBits=1345"),
    # mlkem
    **dict.fromkeys(
        (
            "cipher_memory",
            "mlkem_cipher",
            "mlkem_seeds",
            "mlkem_verdict",
            "noise_memory",
            "transform_drain",
            "transform_feed",
        ),
        Limits("TLanes=2; TLanes=4; TLanes=8", "TLanes=0; TLanes=1; TLanes=6; TLanes=16"),
    ),
    "decompress": Limits("Wide=0", free="Wide"),
    "matrix_core": Limits(
        "Rounds=24; Cores=15 & Index=14; QueueDepth=16",
        "Rounds=5 @keccak_f1600; Cores=0; Index=1; QueueDepth=8; QueueDepth=48",
    ),
    "matrix_cores": Limits("Rounds=24; Cores=15", "Rounds=5 @keccak_f1600; Cores=0"),
    "matrix_queue": Limits("Width=1; Depth=2; Depth=4096", "Width=0; Depth=1; Depth=0; Depth=24"),
    "mlkem_control": Limits(
        "FlushCycles=1; FlushCycles=32'h7fff_ffff",
        "FlushCycles=0; FlushCycles=32'h8000_0000; FlushCycles=32'hffff_ffff",
    ),
    "mlkem_core": Limits(
        "Cfg.lanes=2; Cfg.lanes=4; Cfg.cores=15; Cfg.rounds=24; Cfg.latency=32;"
        "Cfg.latency=16'hffff;"
        "NumHashJobs=600",
        "Cfg.lanes=0; Cfg.lanes=1; Cfg.lanes=6; Cfg.lanes=10; Cfg.cores=0; Cfg.latency=31;"
        "Cfg.cores=2 & Cfg.rounds=5 @keccak_f1600; NumHashJobs=0 @job_list; NumMacJobs=0 @job_list;"
        "NumNttJobs=0 @job_list",
        free="HashJobs MacJobs NttJobs",
    ),
    "mlkem_hash": Limits(
        "Cfg.cores=2; NumJobs=600", "Cfg.cores=0; NumJobs=0 @job_list", free="Jobs"
    ),
    "mlkem_mac": Limits(free="Zetas"),
    "mlkem_products": Limits(
        "NumJobs=600; QueueDepth=256; Ahead=12; Ahead=512",
        "NumJobs=0 @job_list; QueueDepth=128; QueueDepth=384 @matrix_queue; Ahead=11; Ahead=513",
        free="Cfg Jobs",
    ),
    "mlkem_samplers": Limits("Matrix=0", free="Matrix"),
    "mlkem_sweep": Limits("Words=2; Words=80", "Words=1; Words=0"),
    "mlkem_transforms": Limits(
        "Cfg.lanes=2; NumJobs=600", "Cfg.lanes=6; Cfg.latency=31; NumJobs=0 @job_list", free="Jobs"
    ),
    # mldsa
    "hint_encode": Limits("Lanes=2; Lanes=128", "Lanes=0; Lanes=1; Lanes=12; Lanes=256"),
    "hint_memory": Limits("Lanes=16", "Lanes=4; Lanes=32; Lanes=0"),
    "mldsa_hash": Limits(
        "MatrixBlocks=1; MatrixBlocks=16; SmallBlocks=1; SmallBlocks=16; List.num=600",
        "MatrixBlocks=0 @mldsa_samplers; MatrixBlocks=17 @mldsa_samplers;"
        "SmallBlocks=0 @mldsa_samplers; SmallBlocks=17 @mldsa_samplers; List.num=0 @job_list",
        free="Jobs",
    ),
    "mldsa_output": Limits("List.num=600", "List.num=0 @job_list", free="Jobs"),
    "mldsa_samplers": Limits(
        "MatrixBlocks=1; MatrixBlocks=16; SmallBlocks=1; SmallBlocks=16",
        "MatrixBlocks=0; MatrixBlocks=17; SmallBlocks=0; SmallBlocks=17",
    ),
    "norm_check": Limits("Lanes=1; W=2; CountW=1", "Lanes=0; W=1; CountW=0"),
    "row_memory": Limits("Width=1; Width=24", "Width=0"),
    "sample_ball": Limits("Lanes=16", "Lanes=4; Lanes=32; Lanes=0"),
}
