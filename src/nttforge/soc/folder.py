# SPDX-License-Identifier: Apache-2.0
"""A folder with a SoC around a design: Verilog, firmware, and what LiteX says of its map."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from nttforge.board.boards import find_board
from nttforge.board.chip import PLL, TOP, Chip, bit_cycles, chip_texts, place_chip
from nttforge.board.pll import Pll, find_pll
from nttforge.cache import FILE_LIST, design_files
from nttforge.design import Design
from nttforge.emit.design_folder import Templates, render_templates
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.host.driver import driver_texts
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.operation import Function, Standard, Values
from nttforge.kinds.lattice.vectors import examples
from nttforge.kinds.lattice.verbs import prepare_driven
from nttforge.output import atomic_folder, check_folder
from nttforge.packages import imported
from nttforge.results import Result, timed
from nttforge.simulate.serial_line import PASSED
from nttforge.soc.firmware import (
    EXTRA,
    FOLDER,
    LINKER_SCRIPT,
    NAME,
    ROM,
    ROM_BYTES,
    UART_CYCLES,
    rom_of,
)
from nttforge.soc.run import WAIVERS, build_model, run_firmware
from nttforge.synthesize.nextpnr import check_installed
from nttforge.table import Block, Line

MHZ = 50.0
#: Streams that nothing is connected to: software gives seeds.
OPEN = ("entropy",)
_WAIVED = f"""\
// SPDX-License-Identifier: Apache-2.0
// What LiteX and SpinalHDL write is not ours to lint.
`verilator_config
lint_off -file "*{NAME}.v"
lint_off -file "*VexRiscv.v"
lint_off -rule COMBDLY -file "*{NAME}.v"
"""
_LINE = 16  # bytes
_ROM_STEP = 2048  # bytes, four block RAMs of an ECP5 at half their depth


class SocFolder(Result):
    """A written SoC: files, bytes of the firmware, and of a run the UART's log and its verdict."""

    design: str
    folder: str
    files: list[str]
    rom_bytes: int
    chip: Chip | None = None
    ok: bool = True
    log: str = ""
    seconds: float = 0.0

    def shown(self) -> Iterator[Block]:
        """Output of the UART, the chip, the folder, and the file to read first."""
        yield from (Line(line) for line in self.log.splitlines())
        yield from self.chip.shown() if self.chip else ()
        yield Line(f"{len(self.files)} files in {self.folder}; its README.md says what to do")


def _array(data: bytes) -> list[str]:
    """Lines of a C array."""
    lines = (data[at : at + _LINE] for at in range(0, len(data), _LINE))
    return ["".join(f"{byte}," for byte in line) for line in lines]


class _Call(NamedTuple):
    """An operation as the firmware calls the driver."""

    standard: Standard
    operation: str
    prefix: str

    @property
    def function(self) -> Function:
        """Of users that does it."""
        found = self.standard.functions.values()
        return next(each for each in found if each.operation == self.operation and each.driver)

    @property
    def inputs(self) -> list[str]:
        """Values that it takes, in the driver's order."""
        return [name for name in self.function.driver[1:] if name not in self.function.flags]

    @property
    def outputs(self) -> list[str]:
        """Values that it gives; what judges says it by its result."""
        does = self.standard.operations[self.operation]
        return [] if does.judges else [value.name for value in does.outputs]

    def known(self) -> dict[str, Any]:
        """Variables of the templates."""
        given = self.standard.operations[self.operation].inputs
        forms = {value.name: value.form for value in given if value.form}
        signed = next((name for name in self.inputs if name in forms), "")
        arguments, inputs = [], self.inputs
        for name in self.function.driver[1:]:
            at = inputs.index(name) if name in inputs else 0
            whole = f"in[{at}]" if name in self.standard.seeds else f"in[{at}], in_bytes[{at}]"
            taken = "&what" if name == signed else whole
            arguments.append("1" if name in self.function.flags else taken)
        places = zip(self.outputs, ("first, out_bytes[0]", "second, out_bytes[1]"), strict=False)
        return {
            "constant": f"SOC_{self.prefix}{self.operation}".upper(),
            "operation": self.operation,
            "text": f"{', '.join(inputs)} -> {', '.join(self.outputs) or 'a verdict'}",
            "form": forms.get(signed, ""),
            "at": inputs.index(signed) if signed else 0,
            "function": f"{self.prefix}{self.function.driver[0]}",
            "arguments": [*arguments, *(place for _, place in places)],
        }


def _cases(core: LatticeCore) -> dict[str, Any]:
    """NIST's vectors as the firmware's templates take them, and the calls that they need."""
    calls: dict[_Call, dict[str, Any]] = {}
    arrays: dict[bytes, str] = {}
    made = []
    for standard in core.standards:
        prefix = standard.prefix if len(core.standards) > 1 else ""
        for operation, p, values in examples(standard, short=True):
            call = _Call(standard, operation, prefix)
            calls.setdefault(call, call.known())
            made.append(_case(core, call, p, values, arrays) | {"operation": [*calls].index(call)})
    refused = (call for call in calls if call.operation == call.standard.refuses)
    most = max(size for case in made for size in case["output_bytes"])
    return {
        "titles": " and ".join(standard.name for standard in core.standards),
        "calls": [*calls.values()],
        "inputs": max(len(call.inputs) for call in calls),
        "arrays": {name: _array(data) for data, name in arrays.items()},
        "cases": sorted(made, key=lambda case: (case["set"], case["operation"])),
        "most": -(-most // _LINE) * _LINE,
        "refused": next((calls[each]["constant"] for each in refused), ""),
    }


def _case(
    core: LatticeCore, call: _Call, p: Any, values: Values, arrays: dict[bytes, str]
) -> dict[str, Any]:
    """One of them; its bytes are among the arrays."""

    def array(data: bytes) -> str:
        return arrays.setdefault(data, f"data{len(arrays)}")

    assert core.registers is not None  # a driver has some
    command, result = core.registers["command"], core.registers["result"]
    does = call.standard.operations[call.operation]
    wrong = does.judges and values[does.outputs[0].name] == does.verdicts[False]
    ends = next((end for end in call.standard.answered if wrong and end != "none"), "none")
    inputs = [values[name] for name in call.inputs]
    outputs = [values[name] for name in call.outputs]
    spare = [0] * (2 - len(outputs))
    return {
        "set": call.standard.set_code(command, call.standard.sets.index(p)),
        "name": p.name,
        "code": result.field("error").values.index(ends),
        "inputs": [*map(array, inputs)],
        "outputs": [*map(array, outputs), *spare],
        "input_bytes": [*map(len, inputs)],
        "output_bytes": [*map(len, outputs), *spare],
    }


class _Place(NamedTuple):
    """Where a SoC is: MHz, cycles a bit of the UART; on a board its name and PLL."""

    mhz: float = MHZ
    bit: int = UART_CYCLES
    board: str = ""
    pll: Pll | None = None


def _templates(core: LatticeCore, name: str, system: Any, place: _Place) -> Templates:
    """The generated files of the folder, but what LiteX writes."""
    board = find_board(place.board) if place.board else None
    known: dict[str, object] = {
        **core.templates[f"{core.name}_driver.c"][1],
        "made_by": "soc",
        "prefix": system.prefix,
        "regions": system.regions,
        "registers": True,
        "sinks": system.sinks,
        "sources": system.sources,
        "keeps": ("s_pub",) if core.keep else (),
        "soc": NAME,
        "bit": place.bit,
        "mhz": f"{place.mhz:g}",
        "board": place.board,
        "baud": round(place.mhz * 1e6 / place.bit),
        "load": board.load(Path(f"{name}.bit")) if board else "",
        "top": TOP,
        "script": LINKER_SCRIPT,
        "open_streams": OPEN,
        **_cases(core),
    }
    firmware: Templates = {
        "soc_start.c": ("soc_start.c.j2", known),
        LINKER_SCRIPT: ("soc_link.ld.j2", known),
        "soc_platform.h": ("soc_platform.h.j2", known),
        "soc_platform.c": ("soc_platform.c.j2", known),
        "soc_cases.h": ("soc_command_cases.h.j2", known),
        "soc_hardware.c": ("soc_command_hardware.c.j2", known),
        "main.c": ("soc_command_main.c.j2", known),
    }
    return {
        **{f"{FOLDER}/{name}": made for name, made in firmware.items()},
        f"{NAME}_bench.sv": ("soc_bench.sv.j2", known),
        "Makefile": ("soc_makefile.j2", known),
        "README.md": ("soc_readme.md.j2", known),
    }


def _fill(folder: Path, prepared: Prepared[LatticeCore], place: _Place, rom_bytes: int) -> int:
    """Write a SoC with a ROM of so many bytes; how many of them its firmware takes."""
    litex = imported("nttforge.soc.system", "litex", "it makes the SoC", EXTRA)
    core = prepared.core
    system = litex.build_system(
        NAME,
        core.wrapper,
        prepared.folder,
        mhz=place.mhz,
        bit=place.bit,
        rom_bytes=rom_bytes,
        without=OPEN,
    )
    texts = render_templates(
        core, prepared.design, _templates(core, prepared.design.name, system, place)
    )
    given = driver_texts(prepared) | system.headers
    texts |= {f"{FOLDER}/{name}": text for name, text in given.items()}
    texts |= {f"{NAME}.v": system.verilog, WAIVERS: _WAIVED, **system.memories}
    sources = {path.name: path for path in system.processor}
    inside = design_files(prepared.folder)
    sources |= {f"core/{path.relative_to(prepared.folder)}": path for path in inside}
    texts[FILE_LIST] = "".join(f"{name}\n" for name in (f"{NAME}.v", *sources))
    for name in (*texts, *sources):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    for name, path in sources.items():
        (folder / name).write_bytes(path.read_bytes())
    rom = rom_of(folder)
    (folder / ROM).write_text(rom, "ascii")
    return 4 * rom.count("\n")


def _add_board(folder: Path, prepared: Prepared[LatticeCore], place: _Place) -> None:
    """The module with the board's pins around a SoC, and what tools need for it."""
    board = find_board(place.board)
    known = {"top": TOP, "soc": NAME, "source": board.mhz, "bit": place.bit, "pll": place.pll}
    made: Templates = {f"{TOP}.sv": ("soc_board_top.sv.j2", known)}
    texts = render_templates(prepared.core, prepared.design, made) | chip_texts(board)
    texts[FILE_LIST] = (folder / FILE_LIST).read_text("utf-8") + f"{PLL}\n{TOP}.sv\n"
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")


@timed
def write_soc(
    design: Design,
    folder: Path,
    *,
    run: bool = False,
    board: str | None = None,
    mhz: float = MHZ,
    baud: int = 1_000_000,
    seed: int = 1,
    time_limit: float = 7200,
    progress: Progress = silent,
) -> SocFolder:
    """Write a SoC around a coprocessor and known-answer firmware, and on a board its bitstream.

    - `run`: simulate it.
    - `board`: a key of :data:`nttforge.board.boards.BOARDS`; None: no bitstream. Its ROM is as
      large as the firmware is.
    - `mhz`, `baud`, `seed`: on a board: the clock, the serial port's rate, the placement's seed.
    - `time_limit`: of each tool that makes the bitstream, in seconds.
    """
    check_folder(folder, WAIVERS, "a SoC's")
    place = _Place()
    if board:
        pll = find_pll(find_board(board).mhz, mhz)
        place = _Place(pll.mhz, bit_cycles(pll.mhz, baud), board, pll)
        check_installed()
    prepared = prepare_driven(design)
    chip = None
    with atomic_folder(folder, "choose a folder you can write to") as scratch:
        progress("making the SoC, and compiling its firmware")
        rom_bytes = _fill(scratch, prepared, place, ROM_BYTES)
        if board:
            _fill(scratch, prepared, place, -(-rom_bytes // _ROM_STEP) * _ROM_STEP)
            _add_board(scratch, prepared, place)
            name = design.name
            placed = place_chip(
                scratch, name, board, place.mhz, seed=seed, time_limit=time_limit, progress=progress
            )
            chip = Chip.of(placed, name, board, place.mhz, folder)
        written = [str(p.relative_to(scratch)) for p in scratch.rglob("*") if p.is_file()]
    log = ""
    if run:
        progress("compiling the simulator of the SoC")
        log = run_firmware(build_model(folder), folder, bit=place.bit, progress=progress)
    return SocFolder(
        design=design.name,
        folder=str(folder),
        files=sorted(written),
        chip=chip,
        ok=not run or PASSED in log.splitlines(),
        log=log,
        rom_bytes=rom_bytes,
    )
