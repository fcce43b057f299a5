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
    return {_root(name) for name, _ in settings(point)}


def _root(name: str) -> str:
    """The parameter that a field is of."""
    return re.split(r"[.\[]", name)[0]


@dataclass(frozen=True)
class Parameter:
    """A parameter as it is declared."""

    name: str
    type: str
    default: str


_HEADER = re.compile(r"^module (\w+)(.*?)\n\);", re.MULTILINE | re.DOTALL)
_DECLARED = re.compile(r"^\s*parameter\s+(.+?)\s*(\w+)((?:\[[^=]*\])?)\s*=\s*(.*)$", re.DOTALL)


@cache
def library() -> Mapping[str, Path]:
    """Files of the library's hardware by name."""
    files = (p for p in sorted(rtl_root().glob("*/*.sv")) if p.parent.name not in BESIDE)
    return {path.stem: path for path in files}


@cache
def sources(module: str) -> tuple[Path, ...]:
    """What a module needs, packages first."""
    return tuple(library()[name] for name in needed(module, library()))


@cache
def declared() -> Mapping[str, tuple[str, list[Parameter]]]:
    """Module -> (its imports, its parameters), of those that have any."""
    found = {}
    for path in library().values():
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
    known = {parameter.name: parameter for parameter in parameters}
    given: dict[str, str] = {}
    changed: dict[str, list[str]] = {}
    for name, value in settings(point):
        root = _root(name)
        if root not in known:
            raise KeyError(f"{module} has no parameter {root}")
        if name == root:
            given[root] = value
        else:
            changed.setdefault(root, []).append(f"made{name.removeprefix(root)} = {value};")
    body = []
    for root, changes in changed.items():
        kind, default = known[root].type, known[root].default
        if kind.split()[0] in ELEMENTS and changes[0].startswith("made."):
            kind = kind.split()[0]  # of a list that has one element
            default = ELEMENTS[kind]
        # What its type and default are made of.
        for other in parameters:
            if re.search(rf"\b{other.name}\b", f"{kind} {default}"):
                value = given.get(other.name, other.default)
                body.append(f"localparam {other.type} {other.name} = {value};")
        body.append(
            f"function automatic {kind} changed_{root}(); {kind} made; made = {default}; "
            f"{' '.join(changes)} return made; endfunction"
        )
        given[root] = f"changed_{root}()"
    connected = ", ".join(f".{name}({value})" for name, value in given.items())
    instance = f"{module} #({connected}) u_dut ();"
    return "\n".join([f"module top; {imports}", *body, instance, "endmodule"])


#: Defaults of structures that parameters are lists of.
ELEMENTS = {
    "step_t": "StepDefault",
    "loaded_step_t": "LoadedStepDefault",
    "op_cfg_t": "'{default: '0}",
    "iterative_op_t": "IterativeOpDefault",
    "pass_t": "PassDefault",
}

#: A kernel and multipliers of a decomposed engine of the default sizes.
DATAPATH = """
    MulCfg.a_width = 35 & MulCfg.b_width = 35 & Kernel.lines = 2 & Kernel.beats = 4 &
    Kernel.seamless = 1 & Cfg.kernel_latency = 9
"""

#: Moduli that are loaded, of the width of a default multiplier.
LOADED = "Loaded.bits=34 & Loaded.zeros=13 & Loaded.every=1"
ENGINE = LOADED.replace("Loaded.", "Loaded.moduli.")

#: Of an engine of key switching.
RNS_LEGAL = """
    Cfg.lanes=1; Cfg.lanes=8; Cfg.beats=2; Cfg.beats=8192; Cfg.rows=2; Cfg.rows=9 & Cfg.banks=4;
    Cfg.places=1; Cfg.places=64; Cfg.targets=1; Cfg.targets=8; Cfg.terms=2;
    Cfg.terms=31 & Cfg.guard=64; Cfg.moduli.inverse=17; Cfg.keccaks=3; Cfg.keccaks=64
"""
RNS_ILLEGAL = """
    Cfg.lanes=0; Cfg.lanes=3; Cfg.lanes=512; Cfg.beats=1; Cfg.beats=6; Cfg.rows=1;
    Cfg.banks=0; Cfg.banks=3; Cfg.banks=16; Cfg.targets=0; Cfg.targets=9;
    Cfg.places=0; Cfg.terms=1; Cfg.terms=32; Cfg.guard=37; Cfg.guard=65; Cfg.mul.tile_a=1;
    Cfg.mul.a_width=34; Cfg.mul.b_width=33; Cfg.mul.mod_width=33;
    Cfg.moduli.zeros=1; Cfg.moduli.every=8; Cfg.fraction.tile_a=1;
    Cfg.fraction.a_width=34; Cfg.fraction.b_width=66; Cfg.fraction.product_width=100;
    Cfg.keccaks=65
"""


RNS_COLUMNS, RNS_NO_COLUMNS = "Columns=1; Columns=8", "Columns=0; Columns=9"


def _beyond(part: str) -> str:
    """The same points, of which a part says what is wrong."""
    return "; ".join(f"{point.strip()} @{part}" for point in RNS_ILLEGAL.split(";"))


#: Beyond the widths of ML-DSA's cores with one engine.
NARROW_BYTES = "Bytes=0; Bytes=2; Bytes=3; Bytes=16"

LIMITS: dict[str, Limits] = {
    # prim
    "ntf_hold": Limits(
        "Width=1; Depth=0; Depth=9; Depth=9 & Every=4; Every=99", "Width=0; Every=0", free="Depth"
    ),
    "ntf_prim_axis_slice": Limits("Width=1; Width=512", "Width=0"),
    "ntf_prim_credit_fifo": Limits(
        "Width=1; Depth=1; Depth=2; Depth=4096 & Block=1",
        "Width=0; Depth=0; Depth=3; Depth=6; Depth=17",
        free="Block",
    ),
    "ntf_prim_delay": Limits(
        "Width=1; Depth=0; Depth=1; Depth=128; Depth=129; Depth=65536", "Width=0", free="Depth"
    ),
    "ntf_prim_fifo": Limits(
        "Width=1; Depth=1; Depth=1 & Head=1; Depth=1 & Block=1; Depth=2; Depth=65536",
        "Width=0; Depth=0; Depth=3; Depth=6; Depth=17; Depth=32'hffff_ffff",
        free="Block Head",
    ),
    "ntf_prim_kept": Limits("Width=1; Width=64 & Reset='1", "Width=0", free="Reset"),
    "ntf_prim_line": Limits("Width=1; Depth=0; Depth=9", "Width=0", free="Depth"),
    "ntf_prim_pipe": Limits("Width=1; Depth=0; Depth=9", "Width=0", free="Depth"),
    "ntf_prim_rails": Limits("Width=1; Width=64 & Reset='1", "Width=0", free="Reset"),
    "ntf_prim_ram_1r1rw": Limits("Width=1; Depth=1; Depth=3", "Width=0; Depth=0"),
    "ntf_prim_ram_1r1w": Limits(
        "Width=1; Depth=1; Depth=1 & Block=1; Depth=3 & Flops=1; Depth=3 & Registered=1",
        "Width=0; Depth=0; Block=1 & Registered=0; Flops=1 & Registered=1; Flops=1 & Block=1",
    ),
    "ntf_prim_ram_ultra": Limits("Width=1; Depth=2; Depth=3", "Width=0; Depth=0; Depth=1"),
    "ntf_prim_voted": Limits("Width=1; Width=64 & Reset='1", "Width=0", free="Reset"),
    "ntf_prim_rom": Limits(
        "Width=1; Depth=1; Depth=3 & Columns=3; Columns=1",
        "Width=0; Depth=0; Columns=0",
        free="Table",
    ),
    # shell
    "ntf_axi_bursts": Limits(
        "DataW=8 & BurstBytes=1; DataW=8 & BurstBytes=256; DataW=1024 & BurstBytes=128;"
        "DataW=1024 & BurstBytes=4096; DataW=128 & BurstBytes=4096; AddrW=11; WordsW=6; RoomW=6",
        "DataW=0; DataW=4; DataW=24; DataW=96; DataW=2048; DataW=32 & BurstBytes=4096;"
        "DataW=8 & BurstBytes=512; DataW=64 & BurstBytes=4096; BurstBytes=8192 & DataW=1024;"
        "BurstBytes=16; BurstBytes=0; BurstBytes=96; AddrW=10; WordsW=5; RoomW=5",
    ),
    "ntf_axi_lite_port": Limits("ByteWrites=1; TakeReg=1", free="ByteWrites TakeReg"),
    "ntf_axi_reader": Limits(
        "Depth=32; Depth=1 & BurstBytes=32; AddrW=11; WordsW=6; DataW=8 & BurstBytes=256",
        "AddrW=65; Depth=16; Depth=0; Depth=96; Depth=64 & BurstBytes=4096;"
        "DataW=24 @ntf_axi_bursts; BurstBytes=96 @ntf_axi_bursts; WordsW=5 @ntf_axi_bursts;"
        "AddrW=10 @ntf_axi_bursts; DataW=32 & BurstBytes=4096 & Depth=1024 @ntf_axi_bursts",
        free="Timeout",
    ),
    "ntf_axi_watch": Limits("Timeout=0; Timeout=1; Timeout=32'hffff_ffff", free="Timeout"),
    "ntf_axi_writer": Limits(
        "Depth=64; Depth=2 & BurstBytes=32; AddrW=11; WordsW=6",
        "AddrW=65; Depth=32; Depth=0; Depth=96; DataW=24 @ntf_axi_bursts;"
        "BurstBytes=96 @ntf_axi_bursts; WordsW=5 @ntf_axi_bursts",
        free="Timeout Block",
    ),
    "ntf_buffer_check": Limits(
        "LengthW=1; LengthW=80; AlignShift=1; AlignShift=64; TagW=1",
        "LengthW=0; AlignShift=0; AlignShift=65; TagW=0",
    ),
    "ntf_burst_reader": Limits(
        "DataW=1; DataW=1024; Depth=1; Asked=1", "DataW=0; Depth=3; Depth=0; Asked=3; Asked=0"
    ),
    "ntf_burst_writer": Limits(
        "DataW=1; DataW=1024; Depth=1; Asked=1", "DataW=0; Depth=3; Depth=0; Asked=3; Asked=0"
    ),
    "ntf_countdown": Limits("Width=4; Width=64", "Width=3; Width=0"),
    "ntf_gearbox": Limits(
        "InW=1 & OutW=1; InW=1 & OutW=64; InW=64 & OutW=1; InW=46; InW=64 & OutW=63",
        "InW=0; OutW=0",
    ),
    "ntf_rotate_up": Limits(
        "InW=1; InW=64; Unit=1; Unit=64; ShiftW=1; ShiftW=16; OutW=16",
        "InW=0; InW=65; Unit=0; Unit=7; Unit=128; OutW=0; OutW=60; ShiftW=0; ShiftW=17",
    ),
    "ntf_shift_down": Limits(
        "InW=1; OutW=1; Unit=1; ShiftW=1; ShiftW=16 & Unit=1",
        "InW=0; OutW=0; Unit=0; ShiftW=0; ShiftW=17",
    ),
    "ntf_shell_arguments": Limits(
        "NumInst=1; NumInst=125", "NumInst=0; NumInst=126; CountW=31; CountW=33"
    ),
    "ntf_shell_control": Limits(
        "NumInst=125; NumOps=1; WordBytes=2; WordBytes=128; BytesW=42",
        "NumInst=0 @ntf_shell_arguments; NumInst=126 @ntf_shell_arguments; NumOps=0;"
        "CountW=16 @ntf_shell_arguments; BytesW=41 @ntf_shell_lengths;"
        "UnitBytes=0 @ntf_shell_lengths; UnitsW=0 @ntf_shell_lengths; WordBytes=1; WordBytes=24;"
        "UnitsW=2 & ReadUnits=0 @ntf_shell_lengths; UnitsW=2 & WriteUnits=0 @ntf_shell_lengths",
    ),
    "ntf_shell_faults": Limits("NumInst=1; NumInst=128", "NumInst=0; NumInst=129"),
    "ntf_shell_instance": Limits(
        "DataW=16 & BurstBytes=512; DataW=1024; ReadDepth=32; CountW=4; BytesW=10; Lanes=1;"
        "CoefW=1; StoreW=23;"
        "UnitBeats=1; UnitsW=2; BurstBytes=32 & BytesW=6",
        "DataW=8; DataW=24; DataW=2048; BurstBytes=96 @ntf_axi_bursts;"
        "ReadDepth=48 @ntf_axi_reader; ReadDepth=16 @ntf_axi_reader;"
        "CountW=3 @ntf_countdown; BytesW=9; BytesW=5 & BurstBytes=32;"
        "Lanes=0;"
        "CoefW=0; StoreW=22; UnitBeats=0; UnitsW=0",
        free="Timeout LateMemory",
    ),
    "ntf_shell_lengths": Limits(
        "NumInst=3; NumOps=3; CountW=1; BytesW=42; UnitBytes=1; UnitBytes=3 & BytesW=34;"
        "UnitsW=2 & ReadUnits=3 & BytesW=44",
        "NumInst=0; NumOps=0; CountW=0; CountW=39; BytesW=41; UnitBytes=0;"
        "UnitBytes=65537 & BytesW=48; UnitsW=0;"
        "UnitsW=2 & ReadUnits=3 & BytesW=43; UnitsW=2 & ReadUnits=0; UnitsW=2 & WriteUnits=0",
    ),
    # board
    "ntf_board_bus": Limits(
        "Bytes=4; Bytes=32'h1000_0000; Bytes=4096; Registers=32'h4000_4000; Memory=32'hf000_4000",
        "Bytes=2; Bytes=0; Bytes=12; Registers=32'hf000_0800; Memory=32'h4000_2000;"
        "Registers=32'h4000_3000; Memory=32'hf000_0000; Memory=32'hf000_0800 & Bytes=4",
    ),
    "ntf_board_memory": Limits(
        "DataW=32; DataW=1024; Bytes=16; Bytes=8 & DataW=32; Base=64'h4000",
        "DataW=16; DataW=96; DataW=2048; Bytes=8; Bytes=48; Base=64'h2000",
    ),
    "ntf_uart_bridge": Limits("IdleBits=1; IdleBits=31", "IdleBits=0"),
    "ntf_uart_port": Limits("BitCycles=4; BitCycles=1000000", "BitCycles=3; BitCycles=0"),
    # lattice
    "ntf_byte_pack": Limits("MaxBytes=1; MaxBytes=64", "MaxBytes=0"),
    "ntf_byte_unpack": Limits(
        "MaxBytes=1 & MinBytes=1; MinBytes=0; MinBytes=11; MaxBytes=16; MaxBytes=112 & Ring=16",
        "MaxBytes=0 & MinBytes=0; MinBytes=12; MaxBytes=17; Ring=2; Ring=6; Ring=0",
    ),
    "ntf_checked_jobs": Limits(
        "Width=1; Num=1; Num=255; Num=65534 & Width=1; AtW=1",
        "Width=0; Num=0 @ntf_job_list; Num=65535 & Width=1 @ntf_job_list; AtW=0 @ntf_job_list",
        free="Words",
    ),
    "ntf_command_queue": Limits(
        "CommandW=1; ErrorW=1; Depth=1; Depth=64", "CommandW=0; ErrorW=0; Depth=0; Depth=3"
    ),
    "ntf_job_list": Limits(
        "Width=1; Num=1; Num=255; Num=65534 & Width=1; AtW=1; BlockFrom=0",
        "Width=0; Num=0; Num=65535 & Width=1; AtW=0",
        free="Words BlockFrom",
    ),
    "ntf_keccak_f1600": Limits(
        "Rounds=24; Rounds=2; BlockBits=1; BlockBits=1600",
        "Rounds=0; Rounds=5; Rounds=48; BlockBits=0; BlockBits=1601",
    ),
    "ntf_sample_compact": Limits(
        "Lanes=2; Lanes=32; W=1", "Lanes=0; Lanes=1; Lanes=12; Lanes=64; W=0"
    ),
    "ntf_sample_uniform": Limits(
        "Lanes=2; Lanes=32; InW=24; W=1 & Q=1; Q=1; Q=4095",
        "Lanes=1; Lanes=12; Lanes=64; InW=11; W=0; W=13; Q=0; Q=4096",
    ),
    "ntf_seed_source": Limits("CountW=2; CountW=16", "CountW=0; CountW=1"),
    "ntf_sponge": Limits("Rounds=24", "Rounds=0 @ntf_keccak_f1600; Rounds=5 @ntf_keccak_f1600"),
    "ntf_squeeze_buffer": Limits("DigestBits=1; DigestBits=1344", "DigestBits=0; DigestBits=1345"),
    # rns
    "ntf_rns_constants": Limits(RNS_LEGAL, RNS_ILLEGAL),
    "ntf_rns_core": Limits(
        f"Cfg.keccaks=0; {RNS_LEGAL}",
        f"{_beyond('ntf_rns_program')}; Steps.split=0 @ntf_loaded_mul",
    ),
    "ntf_rns_drain": Limits(RNS_LEGAL, RNS_ILLEGAL),
    "ntf_rns_expand": Limits(RNS_LEGAL, f"Cfg.keccaks=0; {RNS_ILLEGAL}"),
    "ntf_rns_feed": Limits(f"UserW=1; UserW=9; {RNS_LEGAL}", f"UserW=0; {RNS_ILLEGAL}"),
    "ntf_rns_fraction": Limits(RNS_LEGAL, RNS_ILLEGAL),
    "ntf_rns_lanes": Limits(
        f"{RNS_COLUMNS}; Keys=0; Fraction=0; {RNS_LEGAL}",
        f"{RNS_NO_COLUMNS}; {RNS_ILLEGAL}; Steps.split=0 @ntf_loaded_mul",
        free="Keys Fraction",
    ),
    "ntf_rns_memory": Limits(
        f"NumReaders=1; NumReaders=9; NumWriters=1; NumWriters=9; {RNS_LEGAL}",
        f"NumReaders=0; NumWriters=0; {RNS_ILLEGAL}",
    ),
    "ntf_rns_modulus": Limits(RNS_LEGAL, RNS_ILLEGAL),
    "ntf_rns_program": Limits(RNS_LEGAL, RNS_ILLEGAL),
    "ntf_rns_queue": Limits("Depth=1; Depth=32", "Depth=0; Depth=3; Depth=12"),
    "ntf_rns_results": Limits(f"{RNS_COLUMNS}; {RNS_LEGAL}", f"{RNS_NO_COLUMNS}; {RNS_ILLEGAL}"),
    "ntf_rns_sampler": Limits(RNS_LEGAL, RNS_ILLEGAL),
    "ntf_rns_slots": Limits(f"{RNS_COLUMNS}; {RNS_LEGAL}", f"{RNS_NO_COLUMNS}; {RNS_ILLEGAL}"),
    "ntf_rns_sum": Limits(RNS_LEGAL, f"{RNS_ILLEGAL}; Steps.split=0 @ntf_loaded_mul"),
    "ntf_rns_turn": Limits("W=1; Lanes=1; Lanes=256", "W=0; Lanes=0; Lanes=6; Lanes=512"),
    "ntf_rns_unit": Limits(
        f"{RNS_COLUMNS}; Keys=0; Fraction=0; {RNS_LEGAL}",
        f"{RNS_NO_COLUMNS}; {RNS_ILLEGAL}; Steps.split=0 @ntf_loaded_mul",
        free="Keys Fraction",
    ),
    "ntf_rns_walker": Limits(f"{RNS_COLUMNS}; {RNS_LEGAL}", f"{RNS_NO_COLUMNS}; {RNS_ILLEGAL}"),
    # scaled
    "ntf_keccak_folded": Limits(
        "Chunks=1; Chunks=2; Chunks=8; Lanes=1; Lanes=25",
        "Chunks=0; Chunks=3; Chunks=16; Lanes=0; Lanes=26",
    ),
    "ntf_ball_words": Limits(
        "Bytes=1; Bytes=2; Bytes=8; Fields=4; Bytes=8 & Fields=4",
        "Bytes=0; Bytes=3; Bytes=16; Fields=0; Fields=1; Fields=8",
    ),
    "ntf_dsa_core": Limits(
        "NumAbsorbJobs=300; NumEngineJobs=300; NumRowJobs=300; Bytes=8; Bytes=8 & Keys=1;"
        "Bytes=8 & Keys=1 & Signs=1",
        "NumAbsorbJobs=0 @ntf_job_list; NumEngineJobs=0 @ntf_job_list;NumRowJobs=0 @ntf_job_list;"
        f"{NARROW_BYTES}",
        free="Keys Signs Cfg AbsorbJobs EngineJobs RowJobs",
    ),
    **dict.fromkeys(
        ("ntf_dsa_hash", "ntf_dsa_message", "ntf_dsa_rows"),
        Limits(
            "NumJobs=300; Keys=1; Bytes=8; Bytes=8 & Keys=1 & Signs=1",
            f"NumJobs=0 @ntf_job_list; {NARROW_BYTES}",
            free="Keys Signs Jobs",
        ),
    ),
    "ntf_dsa_products": Limits("Bytes=4; Bytes=8", NARROW_BYTES),
    "ntf_dsa_ring": Limits(
        "NumJobs=300; Bytes=8; Bytes=8 & Signs=1",
        f"NumJobs=0 @ntf_job_list; {NARROW_BYTES}",
        free="Signs Jobs",
    ),
    **dict.fromkeys(
        ("ntf_dsa_packer", "ntf_dsa_seeds"),
        Limits("Keys=1; Bytes=8 & Keys=1", NARROW_BYTES, free="Keys"),
    ),
    **dict.fromkeys(
        ("ntf_dsa_entry", "ntf_dsa_lanes", "ntf_dsa_squeeze"),
        Limits(
            "Keys=1; Keys=1 & Signs=1; Bytes=8; Bytes=8 & Keys=1 & Signs=1",
            NARROW_BYTES,
            free="Keys Signs",
        ),
    ),
    **dict.fromkeys(
        (
            *("ntf_dsa_input", "ntf_dsa_memories", "ntf_dsa_private", "ntf_dsa_secret"),
            *("ntf_dsa_sender", "ntf_dsa_unpack"),
        ),
        Limits("Signs=1; Bytes=8; Bytes=8 & Signs=1", NARROW_BYTES, free="Signs"),
    ),
    **dict.fromkeys(
        ("ntf_dsa_signature", "ntf_dsa_verdict", "ntf_dsa_words"), Limits("Bytes=8", NARROW_BYTES)
    ),
    "ntf_dsa_queue": Limits(
        "Width=1; Depth=2; Depth=1024; Block=1; Block=1 & Registered=1",
        "Width=0; Depth=0; Depth=1; Depth=3",
        free="Block Registered",
    ),
    "ntf_dsa_store": Limits(
        "Places=16; Places=32; Bytes=8", f"Places=0; Places=8; Places=64; {NARROW_BYTES}"
    ),
    "ntf_dsa_sweep": Limits("Rows=2; Rows=2048", "Rows=0; Rows=1; Rows=2049"),
    "ntf_dual_engine": Limits(
        "Butterflies=2; Butterflies=2 & MlKem=0; MlKem=0; Butterflies=8; Butterflies=8 & MlKem=0;"
        "MlKem=0 & Products=0; Butterflies=8 & MlKem=0 & Products=0",
        "Butterflies=0; Butterflies=1; Butterflies=3; Butterflies=16; MlKem=1 & Products=0",
        free="MlKem",
    ),
    "ntf_dual_factors": Limits(
        "Butterflies=2; Butterflies=2 & MlKem=0; MlKem=0; Butterflies=8; Butterflies=8 & MlKem=0",
        "Butterflies=0; Butterflies=1; Butterflies=3; Butterflies=16",
        free="MlKem",
    ),
    "ntf_dual_lane": Limits("MlKem=0", free="MlKem"),
    **dict.fromkeys(
        ("ntf_pack_fields", "ntf_unpack_fields"),
        Limits(
            "Fields=1; Fields=1 & Bytes=1; Fields=4; Fields=4 & Bytes=8; Bytes=1; Bytes=2",
            "Fields=0; Fields=3; Fields=8; Bytes=0; Bytes=3; Bytes=16; Fields=4 & Bytes=1",
        ),
    ),
    "ntf_pack_words": Limits("Fields=1; Fields=8", "Fields=0; Fields=3; Fields=16"),
    "ntf_sample_rejected": Limits("Bytes=2; Bytes=8", "Bytes=0; Bytes=1; Bytes=3; Bytes=16"),
    "ntf_sample_words": Limits("Bytes=1; Bytes=16", "Bytes=0; Bytes=3; Bytes=32"),
    "ntf_sponge_pairs": Limits("Bytes=4", "Bytes=0; Bytes=1; Bytes=3; Bytes=8"),
    "ntf_sponge_folded": Limits(
        "Chunks=1; Chunks=8", "Chunks=0 @ntf_keccak_folded; Chunks=3 @ntf_keccak_folded"
    ),
    "ntf_unpack_words": Limits("Fields=1; Fields=8", "Fields=0; Fields=3; Fields=16"),
    "ntf_ring_engine": Limits(
        "Butterflies=1; Butterflies=4; Shared=1",
        "Butterflies=0; Butterflies=3; Butterflies=8",
        free="Shared",
    ),
    "ntf_ring_lane": Limits("Shared=1", free="Shared"),
    "ntf_ring_factors": Limits(
        "Butterflies=1; Butterflies=4", "Butterflies=0; Butterflies=3; Butterflies=8"
    ),
    "ntf_scaled_core": Limits(
        "Width=4; Width=4 & Fields=2; NumSpongeJobs=300; NumRingJobs=300; NumCodeJobs=300;Shared=1",
        "Width=1; Width=8; Fields=1; Width=4 & Fields=1; NumSpongeJobs=0 @ntf_job_list;"
        "NumRingJobs=0 @ntf_job_list; NumCodeJobs=0 @ntf_job_list",
        free="Shared Cfg SpongeJobs RingJobs CodeJobs",
    ),
    **dict.fromkeys(
        ("ntf_scaled_hash", "ntf_scaled_message"),
        Limits("Width=4; NumJobs=300", "Width=1; Width=8; NumJobs=0 @ntf_job_list", free="Jobs"),
    ),
    "ntf_scaled_encode": Limits(
        "Width=4; Width=4 & Fields=2; NumJobs=300",
        "Width=1; Width=8; Fields=1; Width=4 & Fields=1; NumJobs=0 @ntf_job_list",
        free="Jobs",
    ),
    "ntf_scaled_decode": Limits(
        "Width=4; Width=4 & Fields=2", "Width=1; Width=8; Fields=1; Width=4 & Fields=1"
    ),
    "ntf_scaled_ring": Limits(
        "Butterflies=4; NumJobs=300; Shared=1",
        "Butterflies=1; Butterflies=8; NumJobs=0 @ntf_job_list",
        free="Shared Jobs",
    ),
    **dict.fromkeys(
        (
            *("ntf_scaled_input", "ntf_scaled_output", "ntf_scaled_polynomials"),
            *("ntf_scaled_release", "ntf_scaled_squeeze", "ntf_scaled_store"),
        ),
        Limits("Width=4", "Width=1; Width=3; Width=8"),
    ),
    **dict.fromkeys(
        ("ntf_scaled_cipher", "ntf_scaled_collect", "ntf_scaled_port", "ntf_scaled_seeds"),
        Limits("Width=1; Width=4", "Width=3; Width=8"),
    ),
    # mlkem
    **dict.fromkeys(
        (
            "ntf_cipher_memory",
            "ntf_mlkem_cipher",
            "ntf_mlkem_seeds",
            "ntf_noise_memory",
            "ntf_transform_drain",
            "ntf_transform_feed",
        ),
        Limits("TLanes=2; TLanes=4; TLanes=8", "TLanes=0; TLanes=1; TLanes=6; TLanes=16"),
    ),
    "ntf_mlkem_verdict": Limits(
        "TLanes=2; TLanes=4; TLanes=8; LaneW=16",
        "TLanes=0; TLanes=1; TLanes=6; TLanes=16; LaneW=0",
        free="Counts",
    ),
    "ntf_decompress": Limits("Wide=0", free="Wide"),
    "ntf_matrix_core": Limits(
        "Rounds=24; Cores=15 & Index=14; QueueDepth=16",
        "Rounds=5 @ntf_keccak_f1600; Cores=0; Index=1; QueueDepth=8; QueueDepth=48",
    ),
    "ntf_matrix_cores": Limits("Rounds=24; Cores=15", "Rounds=5 @ntf_keccak_f1600; Cores=0"),
    "ntf_matrix_queue": Limits(
        "Width=1; Depth=2; Depth=4096", "Width=0; Depth=1; Depth=0; Depth=24"
    ),
    "ntf_mlkem_control": Limits(
        "FlushCycles=1; FlushCycles=32'h7fff_ffff",
        "FlushCycles=0; FlushCycles=32'h8000_0000; FlushCycles=32'hffff_ffff",
    ),
    "ntf_mlkem_core": Limits(
        "Cfg.lanes=2; Cfg.lanes=4; Cfg.cores=15; Cfg.rounds=24; Cfg.latency=32;"
        "Cfg.latency=16'hffff;"
        "NumHashJobs=600",
        "Cfg.lanes=0; Cfg.lanes=1; Cfg.lanes=6; Cfg.lanes=10; Cfg.cores=0; Cfg.latency=31;"
        "Cfg.cores=2 & Cfg.rounds=5 @ntf_keccak_f1600; NumHashJobs=0 @ntf_job_list;"
        "NumMacJobs=0 @ntf_job_list; NumNttJobs=0 @ntf_job_list",
        free="HashJobs MacJobs NttJobs",
    ),
    "ntf_mlkem_hash": Limits(
        "Cfg.cores=2; NumJobs=600", "Cfg.cores=0; NumJobs=0 @ntf_job_list", free="Jobs"
    ),
    "ntf_mlkem_mac": Limits(free="Zetas"),
    "ntf_mlkem_products": Limits(
        "NumJobs=600; QueueDepth=256; Ahead=12; Ahead=512",
        "NumJobs=0 @ntf_job_list; QueueDepth=128; QueueDepth=384 @ntf_matrix_queue;"
        "Ahead=11; Ahead=513",
        free="Cfg Jobs",
    ),
    "ntf_mlkem_samplers": Limits("Matrix=0", free="Matrix"),
    "ntf_mlkem_sweep": Limits("Words=2; Words=80", "Words=1; Words=0"),
    "ntf_mlkem_transforms": Limits(
        "Cfg.lanes=2; NumJobs=600",
        "Cfg.lanes=6; Cfg.latency=31; NumJobs=0 @ntf_job_list",
        free="Jobs",
    ),
    # mldsa
    "ntf_hint_encode": Limits("Lanes=2; Lanes=128", "Lanes=0; Lanes=1; Lanes=12; Lanes=256"),
    "ntf_hint_memory": Limits("Lanes=16", "Lanes=4; Lanes=32; Lanes=0"),
    "ntf_mldsa_hash": Limits(
        "MatrixBlocks=1; MatrixBlocks=16; SmallBlocks=1; SmallBlocks=16; List.num=600",
        "MatrixBlocks=0 @ntf_mldsa_samplers; MatrixBlocks=17 @ntf_mldsa_samplers;"
        "SmallBlocks=0 @ntf_mldsa_samplers; SmallBlocks=17 @ntf_mldsa_samplers;"
        "List.num=0 @ntf_job_list",
        free="Jobs",
    ),
    "ntf_mldsa_output": Limits("List.num=600", "List.num=0 @ntf_job_list", free="Jobs"),
    "ntf_mldsa_release": Limits("Words=2; Words=3", "Words=0; Words=1"),
    "ntf_mldsa_samplers": Limits(
        "MatrixBlocks=1; MatrixBlocks=16; SmallBlocks=1; SmallBlocks=16",
        "MatrixBlocks=0; MatrixBlocks=17; SmallBlocks=0; SmallBlocks=17",
    ),
    "ntf_mldsa_signing": Limits("Equal=1", free="Equal"),
    "ntf_mldsa_tries": Limits("Equal=1", free="Equal"),
    "ntf_mldsa_w1_queue": Limits("Depth=2; Depth=256", "Depth=1; Depth=48; Depth=512"),
    "ntf_norm_check": Limits("Lanes=1; W=2; CountW=1", "Lanes=0; W=1; CountW=0"),
    "ntf_row_memory": Limits("Width=1; Width=24", "Width=0"),
    "ntf_sample_ball": Limits("Lanes=16", "Lanes=4; Lanes=32; Lanes=0"),
    # arith
    "ntf_fold": Limits(
        "Step.split=1; Step.split=46; Step.out_width=1; Step.kind=StepHigh; Step.plain=1",
        "Step.in_width=0; Step.out_width=0; Step.split=0; Step.split=47; Step.part_width=0;"
        "Step.p1_width=0; Step.kind=StepPass; Step.kind=StepCorrect; Step.c1.num_digits=0;"
        "Step.c1.num_digits=9; Step.c1.digits[1].width=0; Step.kind=step_kind_e'(7);"
        "Step.kind=StepMontgomery & Step.p1_width=13;"
        "Step.kind=StepBarrett & Step.out_width=48; Step.kind=StepBarrett & Step.c0.num_digits=0;"
        "Step.kind=StepBarrett & Step.shift=13",
    ),
    **dict.fromkeys(
        ("ntf_mod_addend", "ntf_mod_negate_halve", "ntf_mod_canonical"),
        Limits("W=1 & NumMods=1; W=272; NumMods=8", "W=0; NumMods=0", free="Moduli RegAfter"),
    ),
    "ntf_mod_addend": Limits("W=1; W=272; NumMods=8", "W=0; NumMods=0", free="Moduli"),
    **dict.fromkeys(
        ("ntf_mod_centre", "ntf_mod_nearer"),
        Limits(
            "W=1; W=272; NumMods=8; InW=1; OutW=1; Multiple=1; Multiple=31; RegAfter=0",
            "W=0; NumMods=0; InW=0; OutW=0; Multiple=0",
            free="Moduli RegAfter",
        ),
    ),
    "ntf_mod_delay": Limits(
        "NumMods=9; Depth=0; Depth=9; Loaded.bits=34 & Loaded.zeros=13 & Loaded.every=4",
        "NumMods=0; Loaded.bits=34; Loaded.bits=34 & Loaded.zeros=13;"
        "Loaded.bits=34 & Loaded.zeros=1 & Loaded.every=1",
        free="Depth",
    ),
    "ntf_mod_correct": Limits(
        "Step.out_width=1; Step.in_width=1 & Step.kind=StepCorrect",
        "Step.in_width=0; Step.out_width=0",
    ),
    "ntf_mod_mul": Limits(
        "OutReg=0; LutTile=6; Sparse=1; Cfg.num_mods=4",
        "Cfg.num_mods=0; Cfg.num_steps=0; Cfg.mod_width=0; Cfg.a_width=0; Cfg.b_width=0;"
        "Cfg.product_width=0; Cfg.tile_a=1; Cfg.tile_b=1; Cfg.reg_after=0; Cfg.latency=5;"
        "Cfg.blocks=1; Cfg.blocks=2; Cfg.blocks=2 & Cfg.block_width=23;"
        "Cfg.shift_unit=3 & Cfg.code_width=24; Cfg.shift_unit=3 & Cfg.code_width=0;"
        "Steps.split=0 @ntf_mod_reduce",
        free="OutReg LutTile Sparse",
    ),
    "ntf_mod_mul_half": Limits(
        "Delay=5; LowFirst=0; Split=1 & BW=24; BW=45; BW=23",
        "Delay=4; Delay=0; Split=0; Split=23; BW=22; BW=46; Cfg.num_mods=2; Cfg.tile_a=1;"
        "Steps.split=0 @ntf_mod_reduce",
        free="LowFirst",
    ),
    "ntf_mod_reduce": Limits(
        "NumSteps=1",
        "NumSteps=0; NumSteps=2 & Steps={2{StepDefault}}; Steps.split=0; Steps.out_width=0",
    ),
    "ntf_mod_settle": Limits(
        "W=1; NumMods=8; Rows=0 & Settle[0].width=24; Rows=7",
        "W=0; NumMods=0; Rows=8; Settle[0].width=0; Settle[0].multiple=0; Settle[1].width=25",
        free="Moduli",
    ),
    "ntf_mul_booth": Limits(
        "AW=1; BW=1; AW=1 & BW=1; OutW=1; OutW=26; Plain=1",
        "AW=0; BW=0; OutW=0; OutW=27",
        free="Plain",
    ),
    "ntf_mul_const": Limits(
        "InW=1; OutW=1; RegAfter='1; Constant.num_digits=1;"
        "Constant.tile_a=2 & Constant.tile_b=2 & Constant.dense_width=24 & RegAfter=1;"
        "Constant.first_bits=6 & Constant.next_bits=5 & Constant.dense_width=24",
        "InW=0; OutW=0; Constant.num_digits=0; Constant.num_digits=9; Constant.digits[0].width=0;"
        "Constant.tile_a=1 & Constant.tile_b=2 & Constant.dense_width=24;"
        "Constant.tile_a=2 & Constant.tile_b=1 & Constant.dense_width=24;"
        "Constant.tile_a=2 & Constant.tile_b=2 & Constant.dense_width=0;"
        "Constant.first_bits=6 & Constant.next_bits=0 & Constant.dense_width=24;"
        "Constant.first_bits=6 & Constant.next_bits=5 & Constant.width=0",
        free="RegAfter",
    ),
    "ntf_mul_karatsuba": Limits(
        "Cfg.blocks=2 & Cfg.block_width=22; Cfg.blocks=2 & Cfg.block_width=12;"
        "Cfg.blocks=4 & Cfg.block_width=6",
        "Cfg.blocks=1; Cfg.blocks=2 & Cfg.block_width=0; Cfg.blocks=2 & Cfg.block_width=23;"
        "Cfg.blocks=2 & Cfg.block_width=12 & Cfg.reg_after=1; Cfg.reg_after=0",
    ),
    "ntf_mul_pair": Limits(
        "OutReg=0; PairCfg.a_width=13; PairCfg.a_width=25",
        "Cfg.tile_a=1; PairCfg.tile_a=1; PairCfg.a_width=12; PairCfg.a_width=1; PairCfg.a_width=26;"
        "PairCfg.latency=5; PairCfg.num_mods=2; Steps.split=0 @ntf_mod_reduce;"
        "PairChain.split=0 @ntf_mod_reduce",
        free="OutReg",
    ),
    "ntf_mul_product": Limits("LutTile=6", "Cfg.tile_a=1; Cfg.b_width=0", free="LutTile"),
    "ntf_loaded_addend": Limits(
        "Zeros=2; Zeros=22; Bits=14; Shift=4", "Zeros=1; Zeros=23; Bits=13", free="Shift"
    ),
    "ntf_loaded_centre": Limits(
        "Moduli.zeros=4; Moduli.inverse=17; Moduli.every=64",
        "Moduli.zeros=1; Moduli.bits=13; Moduli.every=0",
    ),
    "ntf_loaded_correct": Limits(
        "InW=1; OutW=1; Shift=4; Centred=0; RegAfter=0",
        "InW=0; OutW=0; Bits=13 @ntf_loaded_addend; Zeros=1 @ntf_loaded_addend",
        free="Shift Centred RegAfter",
    ),
    "ntf_loaded_mul": Limits(
        "OutReg=0; Moduli.every=64; Moduli.inverse=17;"
        "Steps.correct=1 & Steps.split=0 & Cfg.latency=3 & Steps.reg_after=0",
        "Cfg.tile_a=1; Cfg.latency=5; Cfg.mod_width=33; Moduli.zeros=1; Moduli.every=0;"
        "Steps.split=0; Steps.in_width=46; Steps.tile=1",
        free="OutReg",
    ),
    "ntf_loaded_root": Limits("W=2; W=64; Squarings=1; Squarings=17", "W=1; W=0; Squarings=0"),
    "ntf_loaded_words": Limits(
        "Words=1; Words=64; Moduli.inverse=17; Moduli.every=64", "Words=0; Moduli.zeros=1"
    ),
    "ntf_loaded_settle": Limits(
        "Rows=0 & Settle[0].width=35; Rows=7; Moduli.every=64",
        "Rows=8; Settle[0].width=0; Settle[0].multiple=3; Settle[1].width=36; Moduli.zeros=1",
    ),
    "ntf_loaded_word": Limits(
        "Step.split=1; Step.split=18 & Step.reg_after=3; Step.tile=9; Moduli.every=9;"
        "Step.split=18 & Moduli.zeros=4 & Moduli.inverse=17 & Step.reg_after=7;"
        "Step.tile=18 & Step.reg_after=3; Step.lut_tile=6",
        "Step.split=0; Step.split=47; Step.tile=1; Step.in_width=0; Step.out_width=0;"
        "Step.split=27; Step.split=18; Step.reg_after=0; Step.correct=1; Moduli.zeros=1;"
        "Moduli.bits=13; Step.split=18 & Moduli.zeros=4 & Step.reg_after=7",
    ),
    "ntf_mul_row": Limits(
        "AW=1; WB=1; WB=18; OutW=1; OutW=60; TileA=2; TileB=18; LutTile=18; Plain=1; RestLow=1;"
        "LowB=1",
        "AW=0; WB=0; WB=19; OutW=0; TileA=1; TileB=1; TileB=17; RegAfter=0; RegAfter=2",
        free="LutTile Plain RestLow LowB",
    ),
    "ntf_mul_shift": Limits(
        "Cfg.shift_unit=3 & Cfg.code_width=23 & Cfg.reg_after=1;"
        "Cfg.shift_unit=1 & Cfg.reg_after=1;"
        "Cfg.shift_unit=3 & Cfg.shift_sign=1 & Cfg.shift_offset=1 & Cfg.code_width=21",
        "Cfg.shift_unit=3 & Cfg.code_width=24 & Cfg.reg_after=1;"
        "Cfg.shift_unit=3 & Cfg.reg_after=0;"
        "Cfg.shift_unit=3 & Cfg.code_width=0 & Cfg.reg_after=1; Cfg.a_width=0",
    ),
    "ntf_mul_sparse": Limits("AW=1; BW=1; OutW=1; Latency=0", "AW=0; BW=0; OutW=0", free="Latency"),
    "ntf_mul_table": Limits(
        "VW=272; XW=1; OutW=1; First=1; Next=1; First=15; Next=15; Value=1023; Value=-1024",
        "VW=0; VW=273; XW=0; OutW=0; First=0; First=16; Next=0; Next=16; Value=1024; Value=-1025;"
        "VW=10",
        free="RegAfter",
    ),
    "ntf_mul_tiled": Limits(
        "AW=1; BW=1; OutW=1; OutW=60; TileA=2; TileB=2; LutTile=18; Plain=1; RestLow=1",
        "AW=0; BW=0; OutW=0; TileA=1; TileA=0; TileB=1; TileB=0; RegAfter=0 @ntf_mul_row",
        free="LutTile Plain RestLow",
    ),
    "ntf_mul_tree": Limits(
        "Num=1; Num=5 & Step=5; Step=1; Step=22; Cut=18; Other=1; OutW=1; Apart=1; RegAfter='1",
        "Num=0; Num=3; Step=0; Step=23; Cut=17; Other=0; OutW=0",
        free="Apart RegAfter",
    ),
    # pipeline
    "ntf_automorphism": Limits(
        "Width=1; TagW=9; SizeBits=2 & Place=90'b01; BlockFrom=4",
        "Width=0; TagW=0; SizeBits=18 @ntf_automorphism_address;"
        "LaneBits=4 @ntf_automorphism_address; Place='0 @ntf_automorphism_address",
        free="BlockFrom",
    ),
    "ntf_automorphism_address": Limits(
        "LaneBits=3; SizeBits=2 & Place=90'b01; SizeBits=2 & Place=90'b00001_00000",
        "SizeBits=18; LaneBits=0; LaneBits=17; LaneBits=4; Place='0; SizeBits=1",
    ),
    "ntf_lane_network": Limits(
        "Width=9; LaneBits=3; LaneBits=3 & Reverse=1; LaneBits=2 & Order=64'h1",
        "Width=0; LaneBits=0; LaneBits=17; Order=64'h1; LaneBits=2 & Order=64'h2",
        free="Reverse",
    ),
    "ntf_butterfly": Limits(
        "Cfg.front_regs=0 & Cfg.mul_out_reg=0; Cfg.centre=1; Cfg.outer_mul=1; Cfg.chain=1;"
        "Cfg.nearer=0;"
        "Cfg.shifts=1 & Cfg.centre=1; Cfg.mul.num_mods=3;"
        f"Cfg.nearer=0 & {LOADED}",
        "Cfg.in_width=0; Cfg.out_width=0; Cfg.mul.latency=0; Cfg.mul.tile_a=1; Cfg.mul.num_mods=0;"
        "Cfg.centre=1 & Cfg.front_regs=0 & Cfg.mul_out_reg=0 & Cfg.mul.latency=1;"
        "Steps.split=0 @ntf_mod_reduce; Cfg.mul.latency=5 @ntf_mod_mul;"
        f"{LOADED};"
        f"Cfg.nearer=0 & Cfg.centre=1 & {LOADED};"
        f"Cfg.nearer=0 & Cfg.front_regs=0 & {LOADED};"
        f"Cfg.nearer=0 & LoadedSteps.split=0 & {LOADED} @ntf_loaded_mul",
        free="Moduli LoadedSteps",
    ),
    "ntf_chain_input": Limits(
        "Places=64; Places=3; Lanes=1; Lanes=8; Depth=1; Depth=64; Moduli.inverse=17",
        "Places=0; Lanes=0; Moduli.zeros=1; Moduli.every=0; Depth=3 @ntf_prim_fifo",
    ),
    "ntf_chain_return": Limits("PlaceW=6; DataW=1; DataW=512", "PlaceW=0; DataW=0"),
    "ntf_commutator": Limits(
        "Width=1; Lines=4; TagW=1; NumPaths=2; BeatW=1; BlockFrom=1;"
        "BlockFrom=0 & ReadReg=1 & AddrReg=1;"
        "Depth='0; Depth={16'd64,16'd0} & NumPaths=2; Depth={16'd64,16'd1} & NumPaths=2;"
        "Depth=32'd1;"
        "Depth=32'd16384 & BeatW=15 & BlockFrom=4; UltraFrom=1; Depth=32'd64 & UltraFrom=2;"
        "Depth=32'd1 & UltraFrom=1",
        "Width=0; Lines=0; TagW=0; NumPaths=0; NumPaths=3; BeatW=0; Depth=32'd3; Depth=32'd6;"
        "Depth={16'd3,16'd1}",
        free="BlockFrom UltraFrom ReadReg AddrReg",
    ),
    "ntf_exchange": Limits(
        "Seamless=1; Seamless=1 & NumPaths=2 & Depth={16'd64,16'd1}; Width=1; Lines=4; TagW=1;"
        "NumPaths=2; BeatW=1; BlockFrom=1;"
        "BlockFrom=0 & ReadReg=1 & AddrReg=1;"
        "Depth='0; Depth={16'd64,16'd0} & NumPaths=2; Depth={16'd64,16'd1} & NumPaths=2;"
        "Depth=32'd1;"
        "Depth=32'd16384 & BeatW=15 & BlockFrom=4; UltraFrom=1; Depth=32'd64 & UltraFrom=2;"
        "Depth=32'd1 & UltraFrom=1",
        "Width=0; Lines=0; TagW=0; NumPaths=0; NumPaths=3; BeatW=0; Depth=32'd3; Depth=32'd6;"
        "Depth={16'd3,16'd1}",
        free="Seamless BlockFrom UltraFrom ReadReg AddrReg",
    ),
    "ntf_flusher": Limits(
        "DataW=1; OpW=8; NumFlushes=1; NumFlushes=32",
        "DataW=0; OpW=0; NumFlushes=0",
        free="Flushes",
    ),
    "ntf_framer": Limits(
        "DataW=1; Beats=1; Beats=96; Beats=20'hf_ffff; NumOps=1; NumOps=52;OpBeats={20'd1,20'd128}",
        "DataW=0; Beats=0; Beats=1048576; NumOps=0; OpBeats={20'd1,20'd0}; OpBeats={20'd1,20'd129}",
        free="Gap",
    ),
    "ntf_early": Limits(
        "Stage=0; TagW=9; Latency=20; Cfg.beats=1; Cfg.num_paths=2; Cfg.seamless=1",
        "Stage=1; TagW=0; Latency=0; Cfg.lines=3",
    ),
    "ntf_loaded_constants": Limits(
        "Places=64; Places=3; Moduli.inverse=17",
        "Places=0; Moduli.zeros=1; Moduli.every=0",
    ),
    "ntf_loaded_maker": Limits(
        "Places=64; Places=3; Latency=40; Moduli.inverse=17; Length=32'd128 & Low=10'd3;"
        "Cfg.lines=2 & NumRoms=2 & Latency=40",
        "Places=0; Moduli.zeros=1; Moduli.every=0; Cfg.lines=3; Length=32'd3; Length=32'd256;"
        "Low=10'd1; NumRoms=0; RomOf=1; Latency=1; Steps.split=0 @ntf_loaded_mul;"
        "Mul.mod_width=33 @ntf_loaded_mul; Mul.tile_a=1 @ntf_loaded_mul",
    ),
    "ntf_loaded_framer": Limits(
        "Places=64; Places=3; Cfg.beats=1; Moduli.inverse=17; Cfg.lines=4; Ahead=1; Ahead=40",
        "Cfg.lines=3 @ntf_loaded_port; Moduli.bits=33 @ntf_loaded_port;"
        "Moduli.zeros=1 @ntf_loaded_port; Places=0 @ntf_loaded_port",
        free="Ops Gap Made Ahead",
    ),
    "ntf_loaded_port": Limits(
        "Places=64; Places=3; Cfg.beats=1; Moduli.inverse=17; Cfg.num_paths=2",
        "Cfg.lines=3; Cfg.mul.mod_width=33; Moduli.bits=33; Moduli.zeros=1; Moduli.every=0;"
        "Places=0",
        free="Ops Made",
    ),
    "ntf_loaded_registers": Limits(
        "Places=64; Places=3; Places=255; Moduli.bits=64; Moduli.inverse=17; Pipelines=2",
        "Places=0; Places=256; Moduli.bits=65; Moduli.zeros=1; Moduli.every=0; Pipelines=0;"
        "Pipelines=3",
    ),
    "ntf_loaded_entry": Limits(
        "W=1; Lanes=1; Lanes=8; UserW=2; Sums=1'b1 & UserW=4; Sums=1'b1 & UserW=9",
        "W=0; Lanes=0; UserW=1; Sums=1'b1; Sums=1'b1 & UserW=3",
    ),
    "ntf_loaded_product": Limits(
        "Places=64; Places=3; Beats=4; Beats=32'd524288; Lanes=1; Lanes=4; Keys=3; BlockFrom=4;"
        "Moduli.inverse=17; Moduli.every=128",
        "Places=0; Beats=2; Beats=96; Beats=32'd1048576; Lanes=0; Keys=0; Moduli.zeros=1;"
        "Moduli.every=129; Mul.mod_width=33; Mul.tile_a=1; Steps.split=0 @ntf_loaded_mul",
        free="BlockFrom",
    ),
    "ntf_loaded_tables": Limits(
        "Width=1; Lines=4; NumRoms=2; Places=64; Places=3; NumPaths=2; Beats=1; Latency=3;"
        "Length=32'd128; BlockFrom=1; Moduli.inverse=17",
        "Width=0; Lines=0; NumRoms=0; Places=0; NumPaths=0; NumPaths=3; Beats=96; Latency=0;"
        "Length=32'd3; Length=32'd256; RomOf=1; Moduli.zeros=1",
        free="BlockFrom",
    ),
    "ntf_pipeline": Limits(
        "Cfg.lines=4; Cfg.beats=1; Cfg.beats=4096; Cfg.num_stages=16; Cfg.num_ops=9;"
        "Cfg.num_paths=2;"
        "Cfg.credits=64; Cfg.fused=1; Cfg.seamless=1; Cfg.lazy_input=1; Cfg.num_plans=2;"
        "Ops.path=1 & Cfg.num_paths=2; Cfg.num_settle=7; Cfg.stages[0].depth=16'd64;"
        f"Cfg.stages[0].centre=0 & {ENGINE};"
        f"Cfg.stages[0].centre=0 & Loaded.places=64 & {ENGINE}",
        "Cfg.lines=0; Cfg.lines=3; Cfg.beats=0; Cfg.beats=96; Cfg.num_stages=0; Cfg.num_stages=18;"
        "Cfg.num_ops=0; Cfg.num_paths=0; Cfg.num_paths=3; Cfg.credits=48; Cfg.num_plans=0;"
        "Cfg.num_words=0; Cfg.num_settle=8; Cfg.mul.tile_a=1; Cfg.stages[0].in_width=34;"
        "Cfg.stages[0].out_width=36; Cfg.stages[0].plan=1; Cfg.stages[0].num_roms=0;"
        "Cfg.stages[0].rom_depth=2; Cfg.stages[0].rom_start=1; Cfg.stages[0].mul.num_mods=2;"
        "Cfg.stages[0].mul.mod_width=33; Cfg.stages[0].mul.num_steps=2; Cfg.stages[0].depth=16'd3;"
        "Cfg.settle[0].width=36; Ops.path=1; Ops.mod=1; RomOf=1 @ntf_twiddle_rom;"
        "Steps.split=0 @ntf_mod_reduce;"
        f"Cfg.stages[0].centre=0 & Loaded.places=0 & {ENGINE};"
        f"Cfg.stages[0].centre=0 & Cfg.credits=64 & {ENGINE};"
        f"Cfg.stages[0].centre=0 & Cfg.lazy_input=1 & {ENGINE};"
        "Cfg.stages[0].centre=0 & Loaded.moduli.bits=33 & Loaded.moduli.zeros=13 &"
        "Loaded.moduli.every=1",
        free="Moduli Sparse Twiddles LoadedSteps MakerSteps",
    ),
    "ntf_stage": Limits(
        "Stage=0; Stage=1 & Cfg.num_stages=2; Cfg.num_paths=2; Cfg.lines=4; Cfg.beats=1",
        "Stage=1; Cfg.lines=3; Cfg.beats=0; RomOf=1 @ntf_twiddle_rom;Steps.split=0 @ntf_mod_reduce;"
        f"Cfg.stages[0].centre=0 & Loaded.places=0 & {ENGINE} @ntf_loaded_tables;"
        "Cfg.stages[0].centre=0 & Loaded.moduli.bits=34 & Loaded.moduli.every=1 @ntf_loaded_tables",
        free="Moduli Ops Sparse Table LoadedSteps MakerSteps",
    ),
    "ntf_twiddle_rom": Limits(
        "Width=1; Depth=1; Depth=129; NumRoms=4 & RomOf=3; Lines=4; NumOps=3; BeatW=1; Latency=3;"
        "Depth=1 & BlockFrom=0; Latency=3 & Depth=8; BlockFrom=4 & Depth=4 & Latency=2",
        "Width=0; Depth=0; NumRoms=0; Lines=0; NumOps=0; BeatW=0; Latency=0; Latency=4; RomOf=1;"
        "NumRoms=4 & RomOf=4",
        free="Table Ops BlockFrom",
    ),
    # iterative
    "ntf_bank_memory": Limits(
        "Width=1; Lines=1; Lines=8 & Groups=2; Lines=8 & Groups=8; Depth=1; Depth=9 & Block=1;"
        "Flops=1",
        "Width=0; Lines=0; Lines=3 & Groups=2; Depth=0; Groups=0; Groups=2; Block=1 & Flops=1",
    ),
    "ntf_butterfly_unit": Limits(
        "Products=1; Pair=1 & PairCfg.a_width=13; Cfg.mul.num_mods=3",
        "Cfg.in_width=34; Cfg.out_width=36; Cfg.mul.tile_a=1; Cfg.mul.latency=0;"
        "PairCfg.num_steps=0;"
        "PairCfg.mod_width=0; Pair=1 & PairCfg.tile_a=1 @ntf_mul_pair;"
        "Steps.split=0 @ntf_mod_reduce; Pair=1 & PairChain.split=0 @ntf_mod_reduce",
        free="Products Moduli PairModulus",
    ),
    "ntf_iterative_address": Limits(
        "Cfg.groups=1; Cfg.contexts=16; Cfg.slots=16;Cfg.products=1",
        "Cfg.groups=3; Cfg.contexts=0; Cfg.slots=0",
    ),
    "ntf_iterative_input": Limits(
        "Cfg.lines=4; Cfg.deep=1; Cfg.num_ops=256;Ops.beats=1",
        "Cfg.lines=3; Cfg.num_ops=0; Ops.beats=0 @ntf_framer",
    ),
    "ntf_iterative_operands": Limits(
        "Cfg.lines=16 & Cfg.deep=1; Cfg.ram_block=1; Cfg.ram_flops=1; Cfg.products=1; Cfg.pair=1",
        "Cfg.lines=0; Cfg.ram_block=1 & Cfg.ram_flops=1",
        free="Ops",
    ),
    "ntf_iterative_output": Limits(
        "Cfg.deep=1;Cfg.lines=4",
        "Cfg.lines=3; Cfg.butterfly.mul.mod_width=0",
        free="Ops Moduli PairModulus",
    ),
    "ntf_iterative_twiddles": Limits(
        "Cfg.deep=1; Cfg.num_tables=16; Cfg.num_tables=2; Cfg.halve_factors=1;"
        "Cfg.tables[0].rom_depth=8 & Cfg.num_words=8",
        "Cfg.num_tables=0; Cfg.num_tables=17; Cfg.num_words=0; Cfg.tables[0].num_roms=0;"
        "Cfg.tables[0].rom_depth=0; Cfg.tables[0].rom_depth=2; Cfg.tables[0].rom_start=1;"
        "RomOf=1 @ntf_twiddle_rom",
        free="Ops Moduli Twiddles",
    ),
    "ntf_iterative": Limits(
        "Cfg.lines=8; Cfg.groups=1 & Ops.groups=1; Cfg.slots=16 & Passes.target=15;"
        "Cfg.contexts=16;"
        "Cfg.num_ops=256; Cfg.pair=1 & Cfg.pair_mul.a_width=13; Cfg.products=1",
        "Cfg.lines=3; Cfg.groups=96; Cfg.num_passes=0; Cfg.pair=1 & Cfg.pair_mul.tile_a=1;"
        "Cfg.butterfly.in_width=34 @ntf_butterfly_unit; Ops.groups=256 @ntf_pass_control;"
        "Ops.beats=0 @ntf_framer; Passes.source=1 @ntf_pass_control; RomOf=1 @ntf_twiddle_rom;"
        "Steps.split=0 @ntf_mod_reduce; Cfg.pair=1 & PairChain.split=0 @ntf_mod_reduce",
        free="Moduli Twiddles PairModulus",
    ),
    "ntf_pass_control": Limits(
        "Cfg.contexts=16; Cfg.num_passes=255; Ops.groups=1;"
        "Passes.factors_table=15 & Cfg.num_tables=16;"
        "Cfg.slots=16 & Passes.source=15 & Passes.other=15 & Passes.scaled=15; Passes.idle=65535",
        "Cfg.contexts=0; Cfg.num_passes=0; Ops.groups=0; Ops.groups=129; Ops.mod=1;"
        "Passes.source=1;"
        "Passes.other=1; Passes.scaled=1; Passes.target=1; Passes.factors_table=1",
    ),
    # decomposed
    "ntf_burst_walker": Limits(
        "LogBeat=1; LogBeat=7; StoreShift=-8; StoreShift=12; LogMax=1; LogMax=36; Write=1",
        "LogBeat=0; LogBeat=8; StoreShift=-9; StoreShift=13; LogMax=0; LogMax=37",
        free="Write",
    ),
    "ntf_channel_map": Limits(
        "LogSets=1; LogSets=7; RowAt=0; RowAt=60; Width=1",
        "LogSets=0; LogSets=8; RowAt=61; Width=0",
    ),
    "ntf_decomposed_check": Limits(
        "Cfg.log_min=1; Cfg.log_max=36; Cfg.log_max=11; Cfg.coset=1 & Cfg.coset_inverse=1;"
        "Cfg.sets=1 & Cfg.engines=1;"
        "Cfg.bank_low=6 & Cfg.bank_bits=4 & Cfg.bank_high=10",
        "Cfg.log_min=0; Cfg.log_min=11; Cfg.log_max=37; Cfg.log_max=9; Cfg.log_max_negacyclic=11;"
        "Cfg.sets=1;"
        "Cfg.bank_low=6 & Cfg.bank_bits=5 & Cfg.bank_high=10; Cfg.store_bits=7",
        free="Several Pads",
    ),
    "ntf_decomposed_control": Limits(
        "Cfg.ports=4; Cfg.ports=7 & Cfg.store_bits=256; Cfg.log_blowup=4; Cfg.coset=1",
        "Cfg.ports=5; Cfg.ports=8 & Cfg.store_bits=512; Cfg.log_blowup=5",
        free="Several Pads",
    ),
    "ntf_decomposed_cycles": Limits(
        "Cfg.engines=3; Cfg.kernels=1; Cfg.max_rounds=3; Cfg.sets=2 & Cfg.engines=2",
        "Cfg.engines=4; Cfg.kernels=2; Cfg.max_rounds=0; Cfg.sets=1 & Cfg.engines=2;"
        "Cfg.log_burst=8 & Cfg.store_bits=256 @ntf_decomposed_machine",
        free="Rounds Maps",
    ),
    "ntf_decomposed_datapath": Limits(
        "Stage=StageFirst; Stage=StageRest",
        "Cfg.log_row=2; Cfg.factor_latency=5; Cfg.factor_latency=0; Cfg.kernel_latency=1000;"
        "MulCfg.a_width=34; MulCfg.b_width=34; MulSteps.split=0 @ntf_mod_reduce;"
        "NumSeeds=0 @ntf_twiddle_generator;"
        "Kernel.lines=1; Kernel.beats=8; Kernel.seamless=0; Kernel.credits=64;"
        "Kernel.mul.mod_width=33;"
        "KernelSteps.split=0 @ntf_mod_reduce; KernelOps.mod=1 @ntf_pipeline;"
        "KernelRomOf=1 @ntf_twiddle_rom",
        free="Stage Modulus Seeds KernelTwiddles",
        base=DATAPATH,
    ),
    "ntf_decomposed_machine": Limits(
        "DataW=4; Cfg.log_burst=8 & Cfg.store_bits=128; Cfg.ports=2",
        "DataW=0 @ntf_decomposed_memory; DataW=127 & Cfg.ports=1 @ntf_decomposed_memory;"
        "Cfg.log_burst=8 & Cfg.store_bits=256; Cfg.blocks=48; Cfg.read_depth=96; Cfg.write_depth=0;"
        "Cfg.timeout_log=32",
        free="Rounds Maps",
    ),
    "ntf_decomposed_memory": Limits(
        "DataW=1; DataW=4 & Cfg.ports=2; Cfg.read_depth=1; Cfg.write_depth=1",
        "DataW=0; DataW=127 & Cfg.ports=1; Cfg.read_depth=0; Cfg.write_depth=48",
    ),
    "ntf_decomposed_pace": Limits(
        "Cfg.kernel_latency=6; Cfg.factor_latency=1;"
        "Cfg.log_kernel=8 & Cfg.log_beat=6 & Cfg.log_burst=8",
        "Cfg.kernel_latency=5; Cfg.factor_latency=0; Cfg.log_kernel=3; Cfg.log_kernel=9;"
        "Cfg.log_beat=1; Cfg.log_beat=3;"
        "Cfg.log_burst=2; Cfg.log_burst=9; Cfg.log_digit=5",
    ),
    "ntf_decomposed_timing": Limits(
        "Stage=StageFirst; Stage=StageRest;Cfg.log_row=1",
        "Cfg.log_row=2; Cfg.log_beat=1",
        free="Stage",
    ),
    "ntf_group_engine": Limits(
        "DataW=1; Cfg.kernels=1", "Cfg.kernels=2; DataW=0 @ntf_decomposed_memory"
    ),
    "ntf_hand_over_queue": Limits("Width=1; Cfg.log_kernel=8", "Width=0; Cfg.log_kernel=9"),
    "ntf_kernel_stage": Limits(
        "Stage=StageFirst; Stage=StageRest; Cfg.blocks=4; Cfg.log_blowup=4",
        "Cfg.blocks=2; Cfg.blocks=0; Cfg.num_seeds=0; Cfg.log_blowup=5",
        free="Stage",
    ),
    **dict.fromkeys(
        ("ntf_load_queue", "ntf_unload_queue"),
        Limits(
            "LogKernel=8; LogBeat=6 & LogKernel=8; W=1;W=256",
            "LogKernel=3; LogKernel=9; LogBeat=1; LogBeat=3; W=0",
        ),
    ),
    "ntf_load_walker": Limits(
        "Stage=StageRest; LogKernel=8;LogBeat=6 & LogKernel=8",
        "LogKernel=3; LogKernel=9; LogBeat=1; LogBeat=3",
        free="Stage",
    ),
    "ntf_decomposed": Limits(
        "",
        "Cfg.log_row=2; Cfg.kernel_latency=1000 @ntf_decomposed_datapath;"
        "MulCfg.a_width=34 @ntf_decomposed_datapath;"
        "MulSteps.split=0 @ntf_mod_reduce; Kernel.lines=1 @ntf_decomposed_datapath;"
        "KernelSteps.split=0 @ntf_mod_reduce;"
        "KernelOps.mod=1 @ntf_pipeline; KernelRomOf=1 @ntf_twiddle_rom",
        free="Modulus Rounds Maps Seeds KernelTwiddles",
        base=DATAPATH,
    ),
    "ntf_pass_scheduler": Limits(
        "Stage=StageFirst; Stage=StageRest; LogKernel=8; LogBeat=6 & LogKernel=8 & LogBurst=8;"
        "LogBurst=3; LogBurst=8; LogBlowup=4",
        "LogKernel=3; LogKernel=9; LogBeat=1; LogBeat=3; LogBurst=2; LogBurst=9; LogBlowup=5",
        free="Stage",
    ),
    "ntf_pass_walker": Limits(
        "LogKernel=8; LogBeat=6 & LogKernel=8; Blocks=1; Blocks=1024",
        "LogKernel=3; LogKernel=9; LogBeat=1; LogBeat=3; Blocks=0; Blocks=48",
    ),
    "ntf_plane_arbiter": Limits("LogBeat=1; LogBeat=7", "LogBeat=0; LogBeat=8"),
    "ntf_plane_buffer": Limits(
        "LogKernel=8 & LogDigit=4; LogBeat=4 & LogKernel=6 & LogBurst=8; LogBurst=3; LogDigit=1;"
        "LogDigit=4; W=1; BlockFrom=1",
        "LogKernel=3; LogKernel=9; LogBeat=1; LogBeat=3; LogBurst=2; LogBurst=9; LogDigit=0;"
        "LogDigit=5; W=0",
        free="BlockFrom",
    ),
    "ntf_port_faults": Limits("NumPorts=1; NumPorts=128", "NumPorts=0; NumPorts=129"),
    "ntf_round_barrier": Limits(
        "LogEngines=0; LogEngines=7;Depth=2 & LogEngines=1",
        "LogEngines=8; Depth=1; Depth=48; Depth=0",
    ),
    "ntf_round_sequencer": Limits(
        "LogBurst=1; LogBurst=8; StoreShift=-8; StoreShift=12; LogMin=1; LogMax=36; MaxRounds=4;"
        "LogEngines=3; Own=1; Padded=1",
        "LogBurst=0; LogBurst=9; StoreShift=-9; StoreShift=13; LogMin=0; LogMin=11; LogMax=9;"
        "LogMax=37; MaxRounds=0; LogEngines=4",
        free="Own Padded Rounds",
    ),
    "ntf_twiddle_generator": Limits(
        "LogKernel=1; LogKernel=8; KeyW=1; KeyW=8; LogRow=3; NumSeeds=1; NumSeeds=33; SeedRows=5;"
        "Padded=1",
        "NumSteps=2; LogKernel=0; LogKernel=9; KeyW=0; KeyW=9; LogRow=4; NumSeeds=0; SeedRows=4;"
        "SeedRows=0;"
        "Cfg.tile_a=1 @ntf_mod_mul; Steps.split=0 @ntf_mod_reduce",
        free="Padded Seeds",
    ),
    "ntf_twiddle_multiplier": Limits(
        "Words=1; Words=32;Padded=1",
        "NumSteps=2; Words=0; Cfg.tile_a=1 @ntf_mod_mul; Steps.split=0 @ntf_mod_reduce",
        free="Padded Modulus",
    ),
    "ntf_twiddle_planner": Limits(
        "Coset=1; LogMax=1; LogMax=63; NumberW=1", "LogMax=0; LogMax=64; NumberW=0", free="Coset"
    ),
    "ntf_twiddle_sequencer": Limits(
        "LogKernel=1; LogKernel=8; KeyW=1; KeyW=8; LogRow=3; MulLatency=1; MulLatency=40; Padded=1;"
        "Coset=1",
        "LogKernel=0; LogKernel=9; KeyW=0; KeyW=9; LogRow=4; MulLatency=0",
        free="Padded Coset",
    ),
    "ntf_twiddle_tables": Limits(
        "LogKernel=8; LogBeat=4 & LogKernel=6 & LogBurst=8; LogBurst=3; LogBurst=8; LogRow=1; W=1;"
        "BlockFrom=1",
        "LogKernel=3; LogKernel=9; LogBeat=1; LogBeat=3; LogBurst=2; LogBurst=9; LogRow=2; W=0",
        free="One BlockFrom",
    ),
    "ntf_unload_walker": Limits(
        "LogKernel=8; LogBeat=6 & LogKernel=8 & LogBurst=8; LogBurst=3; LogBurst=8",
        "LogKernel=3; LogKernel=9; LogBeat=1; LogBeat=3; LogBurst=2; LogBurst=9",
    ),
    "ntf_walk_iterator": Limits(
        "Ends=0; LogBeat=1; LogBeat=7", "LogBeat=0; LogBeat=8", free="Ends"
    ),
    "ntf_xor_network": Limits("Width=1; LogBeat=1; LogBeat=7", "Width=0; LogBeat=0; LogBeat=8"),
    # mldsa's arithmetic
    "ntf_mldsa_arithmetic": Limits(
        "MacList.num=600; NttList.num=600",
        "Cfg.a_width=25 @ntf_mldsa_mac; Steps.split=0 @ntf_mod_reduce; MacList.num=0 @ntf_job_list;"
        "NttList.num=0 @ntf_job_list",
        free="MacJobs NttJobs",
        base="Cfg.a_width=24 & Cfg.b_width=24",
    ),
    "ntf_mldsa_core": Limits(
        "Cfg.hash.num=600; Cfg.matrix_blocks=16; Cfg.small_blocks=1",
        "Cfg.mul.a_width=25 @ntf_mldsa_mac; Cfg.matrix_blocks=0 @ntf_mldsa_samplers;"
        "Cfg.small_blocks=17 @ntf_mldsa_samplers;"
        "Cfg.hash.num=0 @ntf_job_list; Cfg.mac.num=0 @ntf_job_list; Cfg.ntt.num=0 @ntf_job_list;"
        "Cfg.pub.num=0 @ntf_job_list;"
        "Cfg.sec.num=0 @ntf_job_list; MulSteps.split=0 @ntf_mod_reduce",
        free="HashJobs MacJobs NttJobs PubJobs SecJobs",
        base="Cfg.mul.a_width=24 & Cfg.mul.b_width=24",
    ),
    "ntf_mldsa_mac": Limits(
        "",
        "Cfg.a_width=25; Cfg.b_width=23; Cfg.tile_a=1 @ntf_mod_mul; Steps.split=0 @ntf_mod_reduce",
        base="Cfg.a_width=24 & Cfg.b_width=24",
    ),
}
