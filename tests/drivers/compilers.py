# SPDX-License-Identifier: Apache-2.0
"""C compilers for drivers, as their users have them."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


def shared(driver: Path) -> Path:
    """A driver as a shared library that needs nothing, for ctypes."""
    library = driver.with_suffix(".so")
    hosted = ("-shared", "-fPIC", "-nostdlib", "-Wl,--no-undefined")
    done = run(*command_of("gcc"), *STRICT, "-ffreestanding", *hosted, driver, "-o", library)
    assert done.returncode == 0, done.stderr
    return library
