# SPDX-License-Identifier: Apache-2.0
"""C compilers for drivers, as their users have them."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nttforge.design import Design
from nttforge.emit.design_folder import render
from nttforge.hw import Core

STRICT = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2")
#: Compiler and target -> command; those of zig are clang.
COMPILERS = {
    "gcc": ("gcc",),
    "clang": ("clang",),
    "zig x86-64": (sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-freestanding"),
    "zig rv32": (sys.executable, "-m", "ziglang", "cc", "-target", "riscv32-freestanding"),
}


def command_of(name: str) -> tuple[str, ...]:
    """A compiler's command; the test is skipped where it is not installed."""
    command = COMPILERS[name]
    if command[0] == sys.executable:
        if importlib.util.find_spec("ziglang") is None:
            pytest.skip("no ziglang here: pip install ziglang")
    elif shutil.which(command[0]) is None:
        pytest.skip(f"no {name} here")
    return command


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def write_driver(core: Core, design: Design, folder: Path) -> Path:
    """The driver of a generated folder, alone; its C file."""
    for name, text in render(core, design).items():
        if name.startswith(f"{core.name}_driver."):
            (folder / name).write_text(text, "utf-8")
    return folder / f"{core.name}_driver.c"


def assert_clean(compiler: str, driver: Path) -> None:
    """A compiler has nothing to say of a driver, conversions included, without a library."""
    strict = (*STRICT, "-Wconversion", "-ffreestanding")
    done = run(*command_of(compiler), *strict, "-c", driver, "-o", driver.with_suffix(".o"))
    assert done.returncode == 0, done.stderr


def shared(driver: Path) -> Path:
    """A driver as a shared library that needs nothing, for ctypes."""
    library = driver.with_suffix(".so")
    hosted = ("-shared", "-fPIC", "-nostdlib", "-Wl,--no-undefined")
    done = run(*command_of("gcc"), *STRICT, "-ffreestanding", *hosted, driver, "-o", library)
    assert done.returncode == 0, done.stderr
    return library
