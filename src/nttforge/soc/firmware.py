# SPDX-License-Identifier: Apache-2.0
"""Firmware of a SoC: C, compiled by the compiler that pip installs, as words of its ROM.

`python -m nttforge.soc.firmware FOLDER` compiles that of a folder again.
"""

import importlib.util
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from nttforge.cache import keep_log, tail
from nttforge.errors import NttforgeError
from nttforge.packages import missing

#: VexRiscv's instructions: rv32im, and its registers of interrupts.
TARGET = ("-target", "riscv32-freestanding", "-mcpu=generic_rv32+m+zicsr")
#: With 4 KB of cache the smaller driver is the faster one: `python -m tests.soc.firmware_cycles`.
FLAGS = (
    *TARGET,
    *("-std=c99", "-Os", "-ffreestanding", "-nostdlib", "-fno-pic", "-mcmodel=medany"),
    *(
        "-ffunction-sections",
        "-fdata-sections",
        "-fno-sanitize=all",
        "-fno-strict-aliasing",
        "-Wall",
        "-Wextra",
    ),
)
#: What brings LiteX, the processor and the compiler.
EXTRA = "litex pythondata-cpu-vexriscv ziglang"
NAME = "nttforge_soc"
FOLDER, LINKER_SCRIPT, ROM = "firmware", "soc_link.ld", f"{NAME}_rom.init"
#: Cycles a bit of the UART: about as fast as software writes it.
UART_CYCLES = 16
ROM_BYTES = 0x40000
_LOADED = 1  # of ELF: a program header that is loaded


def compile_firmware(
    sources: Sequence[Path], script: Path, target: Path, more: Sequence[str] = ()
) -> None:
    """Compile and link C files into an ELF file by the linker script `script`."""
    if importlib.util.find_spec("ziglang") is None:
        raise missing("ziglang", "it compiles firmware")
    command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, *more, *map(str, sources)]
    command += [f"-Wl,-T,{script}", "-Wl,--gc-sections", "-o", str(target)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    if done.returncode != 0:
        log = keep_log("zig-cc", f"$ {' '.join(command)}\n{done.stdout}{done.stderr}")
        complaint = tail(log, 1, ("error:", "undefined"))
        raise NttforgeError("zig cc", complaint or f"exit code {done.returncode}", f"see {log}")


def image_of(elf: bytes, size: int = ROM_BYTES) -> list[int]:
    """The words that an ELF file of 32 bits, low bytes first, puts into a memory at address 0."""
    (table,) = struct.unpack_from("<I", elf, 28)
    entry, count = struct.unpack_from("<HH", elf, 42)
    memory = bytearray()
    for at in range(table, table + entry * count, entry):
        kind, offset, _, address, stored = struct.unpack_from("<5I", elf, at)
        if kind != _LOADED or not stored:
            continue
        end = address + stored
        if end > size:
            problem = f"has {end} bytes, and the ROM {size}"
            raise NttforgeError("firmware", problem, "leave something out")
        memory.extend(bytes(max(0, end - len(memory))))
        memory[address:end] = elf[offset : offset + stored]
    memory.extend(bytes(-len(memory) % 4))
    return list(struct.unpack(f"<{len(memory) // 4}I", memory))


def rom_of(folder: Path, sources: Sequence[Path] | None = None, more: Sequence[str] = ()) -> str:
    """Compile the firmware of a SoC's folder to what `$readmemh` reads."""
    place = folder / FOLDER
    elf = place / "firmware.elf"
    compile_firmware(sources or sorted(place.glob("*.c")), place / LINKER_SCRIPT, elf, more)
    return "".join(f"{word:08x}\n" for word in image_of(elf.read_bytes()))


def main() -> int:
    """The command."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    try:
        (folder / ROM).write_text(rom_of(folder), "ascii")
    except NttforgeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
