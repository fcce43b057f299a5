# SPDX-License-Identifier: Apache-2.0
"""ML-KEM on a SoC with and without the coprocessor, as its software sees it.

`python -m tests.soc.firmware_cycles CHECKOUT` runs the firmware of `nttforge soc` in Verilator,
then the same known answers by mlkem-native's portable C on the same processor, and shows the cycles
of both beside each other. The checkout stays as it is, and nothing of it is kept. Needs LiteX and
ziglang.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, silent
from nttforge.simulate.serial_line import PASSED
from nttforge.soc.firmware import FOLDER, rom_of
from nttforge.soc.folder import write_soc
from nttforge.soc.run import build_model, run_firmware
from tests.host.mlkem_native import argument_parser

DESIGN = "ml-kem-coprocessor"
LEVELS = (512, 768, 1024)
#: Of the software; -O3 is what its own Makefile takes.
OPTIMISED = "-O3"
_STRING = """\
#include <stddef.h>
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
"""
_LEVEL = """\
#define MLK_CONFIG_MULTILEVEL_BUILD
#define MLK_CONFIG_MULTILEVEL_{kind}_SHARED
#define MLK_CONFIG_NAMESPACE_PREFIX mlk
#define MLK_CONFIG_NO_RANDOMIZED_API
#define MLK_CONFIG_PARAMETER_SET {level}
#include "mlkem_native.c"
"""


class Row(BaseModel):
    """A line of the firmware's: cycles as software sees them, and as the core counts itself."""

    name: str
    operation: str
    way: str
    cycles: int
    core: int
    right: bool


def rows_of(log: str) -> list[Row]:
    """What a UART said."""
    lines = [line.split() for line in log.splitlines() if line.startswith("ML-KEM-")]
    return [
        Row(name=n, operation=o, way=w, cycles=int(c), core=int(k), right=r == "right")
        for n, o, w, c, k, r in lines
    ]


def software_rom(folder: Path, checkout: Path) -> str:
    """Firmware of a SoC's folder with mlkem-native instead of the hardware.

    Raises
    ------
    NttforgeError
        If the folder is no checkout of mlkem-native, or does not compile.
    """
    if not (checkout / "mlkem" / "mlkem_native.c").is_file():
        raise NttforgeError(
            str(checkout), "is no checkout of mlkem-native", "name its topmost folder"
        )
    with tempfile.TemporaryDirectory(prefix="nttforge-") as name:
        scratch = Path(name)
        (scratch / "string.h").write_text(_STRING)
        made = []
        for at, level in enumerate(LEVELS):
            made.append(scratch / f"level{level}.c")
            made[-1].write_text(_LEVEL.format(level=level, kind="NO" if at else "WITH"))
        place = folder / FOLDER
        ours = [place / f"{part}.c" for part in ("main", "soc_start", "soc_platform")]
        sources = [*ours, Path(__file__).with_name("software.c"), *made]
        include = (f"-I{scratch}", f"-I{place}", f"-I{checkout / 'mlkem'}")
        return rom_of(folder, sources, (*include, OPTIMISED))


def run(checkout: Path, progress: Progress = silent) -> list[str]:
    """What the UART printed: of the hardware's firmware, and of the software's.

    Raises
    ------
    NttforgeError
        If something is not installed, does not compile, or does not end.
    """
    with tempfile.TemporaryDirectory(prefix="nttforge-") as name:
        folder = Path(name)
        write_soc(load_design(DESIGN), folder, progress=progress)
        software = software_rom(folder, checkout)
        progress("compiling the simulator of the SoC")
        model = build_model(folder)
        return [run_firmware(model, folder, rom=rom, progress=progress) for rom in (None, software)]


def report(logs: Sequence[str]) -> str:
    """What a page quotes."""
    by = {(r.name, r.operation, r.way): r for log in logs for r in rows_of(log)}
    lines = [
        "| | the core's own count | with DMAs | with FIFOs | in software | software / DMAs | "
        "software / FIFOs |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, operation in dict.fromkeys(key[:2] for key in by):
        dma, fifo, soft = (by[name, operation, way] for way in ("dma", "fifo", "software"))
        counts = (dma.core, dma.cycles, fifo.cycles, soft.cycles)
        ratios = (soft.cycles / dma.cycles, soft.cycles / fifo.cycles)
        cells = [*(f"{n:,}" for n in counts), *(f"{r:,.0f}" for r in ratios)]
        lines.append(f"| {name} {operation} | {' | '.join(cells)} |")
    logged = "\n".join(log.strip() for log in logs)
    return "\n".join([*lines, "", "What the UART printed:", "", "```text", logged, "```"])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 0 if all answers are right."""
    parser = argument_parser("python -m tests.soc.firmware_cycles")
    given = parser.parse_args(arguments)
    try:
        logs = run(Path(given.checkout), lambda text: print(text, file=sys.stderr, flush=True))
    except NttforgeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(report(logs))
    return 0 if all(PASSED in log.splitlines() for log in logs) else 1


if __name__ == "__main__":
    sys.exit(main())
