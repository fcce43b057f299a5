# SPDX-License-Identifier: Apache-2.0
"""A folder with a SoC around a design: Verilog, firmware, and what LiteX says of its map."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nttforge.cache import FILE_LIST, design_files
from nttforge.design import Design
from nttforge.emit.folder import Templates, render_templates
from nttforge.flow.prepare import Progress, prepare_mlkem, silent
from nttforge.host.driver import driver_texts
from nttforge.kinds.lattice.mlkem.core import MlkemCore
from nttforge.kinds.lattice.mlkem.program import OPERATIONS, SETS
from nttforge.kinds.lattice.stimulus import kem_case, kem_vectors
from nttforge.output import check_folder, filling
from nttforge.packages import imported
from nttforge.results import Result, timed
from nttforge.soc.firmware import EXTRA, FOLDER, LINKER_SCRIPT, NAME, ROM, UART_CYCLES, rom_of
from nttforge.soc.run import PASSED, WAIVERS, build_model, run_firmware
from nttforge.standards.ml_kem.parameters import parameter_set
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


class SocFolder(Result):
    """A SoC that was written.

    Attributes
    ----------
    folder, files
        Where it is, and what is in it.
    rom_bytes
        Of the firmware.
    ok, log
        Of a run: whether all answers are right, and what the UART printed.
    """

    design: str
    folder: str
    files: list[str]
    rom_bytes: int
    ok: bool = True
    log: str = ""
    seconds: float = 0.0

    def shown(self) -> Iterator[Block]:
        """What the UART printed, where it is, and what to read first."""
        yield from (Line(line) for line in self.log.splitlines())
        yield Line(f"{len(self.files)} files in {self.folder}; its README.md says what to do")


def _array(data: bytes) -> list[str]:
    """Lines of a C array."""
    lines = (data[at : at + _LINE] for at in range(0, len(data), _LINE))
    return ["".join(f"{byte}," for byte in line) for line in lines]


def _cases() -> list[dict[str, Any]]:
    """NIST's vectors as the firmware's template takes them."""
    made = []
    for at, vector in enumerate(kem_vectors()):
        given = vector.inputs
        case = kem_case(vector)
        inputs = [given[name] for name in _INPUTS[vector.operation]]
        outputs = [part for part in (case.public, case.secret) if part]
        names = {f"case{at}_in{i}": data for i, data in enumerate(inputs)}
        results = {f"case{at}_out{i}": data for i, data in enumerate(outputs)}
        spare = [0] * (2 - len(outputs))
        made.append(
            {
                "operation": OPERATIONS.index(vector.operation),
                "set": SETS.index(parameter_set(vector.parameter_set)),
                "arrays": {name: _array(data) for name, data in {**names, **results}.items()},
                "inputs": list(names),
                "outputs": [*results, *spare],
                "input_bytes": list(map(len, inputs)),
                "output_bytes": [*map(len, outputs), *spare],
            }
        )
    return sorted(made, key=lambda case: (case["set"], case["operation"]))


_INPUTS = {"keygen": ("d", "z"), "encaps": ("ek", "m"), "decaps": ("dk", "c")}


def _templates(core: MlkemCore, system: Any) -> Templates:
    """The generated files of the folder, but what LiteX writes."""
    known: dict[str, object] = {
        **core.templates[f"{core.name}_driver.c"][1],
        "made_by": "soc",
        "prefix": system.prefix,
        "regions": system.regions,
        "registers": True,
        "sinks": system.sinks,
        "sources": system.sources,
        "soc": NAME,
        "bit": UART_CYCLES,
        "mhz": f"{MHZ:g}",
        "script": LINKER_SCRIPT,
        "open_streams": OPEN,
    }
    firmware: Templates = {
        "soc_start.c": ("soc_start.c.j2", known),
        LINKER_SCRIPT: ("soc_link.ld.j2", known),
        "soc_platform.h": ("soc_platform.h.j2", known),
        "soc_platform.c": ("soc_platform.c.j2", known),
        "soc_cases.h": ("soc_mlkem_cases.h.j2", known),
        "soc_hardware.c": ("soc_mlkem_hardware.c.j2", known),
        "main.c": ("soc_mlkem_main.c.j2", {**known, "cases": _cases()}),
    }
    return {
        **{f"{FOLDER}/{name}": made for name, made in firmware.items()},
        f"{NAME}_bench.sv": ("soc_bench.sv.j2", known),
        "Makefile": ("soc_makefile.j2", known),
        "README.md": ("soc_readme.md.j2", known),
    }


@timed
def write_soc(
    design: Design, folder: Path, *, run: bool = False, progress: Progress = silent
) -> SocFolder:
    """Write a SoC around an ML-KEM coprocessor, with firmware that runs known answers.

    Parameters
    ----------
    run
        Also simulate it.

    Raises
    ------
    NttforgeError
        If LiteX or a compiler is not installed, the design is no ML-KEM coprocessor, the folder
        holds something else or cannot be written, or the firmware does not end.
    """
    check_folder(folder, WAIVERS, "a SoC's")
    prepared = prepare_mlkem(design)
    litex = imported("nttforge.soc.system", "litex", "it makes the SoC", EXTRA)
    core = prepared.core
    progress("making the SoC")
    system = litex.build_system(
        NAME, core.wrapper, prepared.folder, mhz=MHZ, bit=UART_CYCLES, without=OPEN
    )
    texts = render_templates(core, design, _templates(core, system))
    given = driver_texts(prepared) | system.headers
    texts |= {f"{FOLDER}/{name}": text for name, text in given.items()}
    texts |= {f"{NAME}.v": system.verilog, WAIVERS: _WAIVED, **system.memories}
    sources = {path.name: path for path in system.processor}
    inside = design_files(prepared.folder)
    sources |= {f"core/{path.relative_to(prepared.folder)}": path for path in inside}
    texts[FILE_LIST] = "".join(f"{name}\n" for name in (f"{NAME}.v", *sources))
    with filling(folder, "choose a folder you can write to") as scratch:
        for name in (*texts, *sources):
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (scratch / name).write_text(text, "utf-8")
        for name, path in sources.items():
            (scratch / name).write_bytes(path.read_bytes())
        progress("compiling the firmware")
        rom = rom_of(scratch)
        (scratch / ROM).write_text(rom, "ascii")
        written = [str(p.relative_to(scratch)) for p in scratch.rglob("*") if p.is_file()]
    log = ""
    if run:
        progress("compiling the simulator of the SoC")
        log = run_firmware(build_model(folder), folder, progress=progress)
    return SocFolder(
        design=design.name,
        folder=str(folder),
        files=sorted(written),
        ok=not run or PASSED in log.splitlines(),
        log=log,
        rom_bytes=4 * rom.count("\n"),
    )
