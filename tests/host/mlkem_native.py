# SPDX-License-Identifier: Apache-2.0
"""mlkem-native's own tests, unmodified, with our Keccak behind its hook.

`python -m tests.host.mlkem_native CHECKOUT` builds a copy of a checkout (it stays as it is) with
a backend whose Keccak-f[1600] is the simulated unit, and runs what `make test` of mlkem-native runs
without a network. Needs make and a C compiler. What it shows is that code which was not written for
this hardware computes with it what the standard says; it says nothing of speed.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, silent
from nttforge.rtl_library import rtl_root
from nttforge.simulate.build import build_c
from nttforge.simulate.cycles import CycleModel, Ports

NAME = "nttforge_keccak"
#: The environment's name for a checkout.
CHECKOUT = "MLKEM_NATIVE"
SOURCES = ("lattice/keccak_round.sv", "lattice/keccak_f1600.sv")
#: The C side relies on this order: the state's bytes first, then one byte of bits.
PORTS = Ports(
    inputs={"block_i": 1600, "start_i": 1, "fresh_i": 1, "abort_i": 1, "wipe_i": 1},
    outputs={
        "state_o": 1600,
        "valid_o": 1,
        "valid_soon_o": 1,
        "ready_o": 1,
        "ready_soon_o": 1,
    },
)
#: Goals of its Makefile that need no network: known answers, its own tests, and their failures.
GOALS = ("run_kat", "run_func", "run_unit", "run_alloc", "run_rng_fail")
_BACKEND = "mlkem_native_fips202.h"
_WRAPPER = """#!/bin/sh
"$@"
code=$?
echo "$(basename "$1") $code" >> "$NTTFORGE_PROGRAMS"
exit $code
"""


class NativeResult(BaseModel):
    """What mlkem-native's tests said.

    Attributes
    ----------
    hooks
        Of mlkem-native, that the RTL is behind.
    programs
        Test programs that ran, each with its exit code.
    permutations
        Done by the RTL.
    ok
        All goals were reached, every program ended well, and the RTL took part.
    log
        The last lines of what was printed, if not.
    """

    hooks: list[str]
    goals: list[str]
    programs: dict[str, int]
    permutations: int
    ok: bool
    seconds: float
    log: str = ""


def keccak_library(rtl: Path | None = None) -> Path:
    """The unit as a library for C programs, compiled or kept: its folder.

    Parameters
    ----------
    rtl
        The RTL library, if not the package's.

    Raises
    ------
    NttforgeError
        If the compiler is missing.
    """
    sources = [(rtl or rtl_root()) / source for source in SOURCES]
    with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
        model = CycleModel.compiled(
            Path(scratch), sources, "keccak_f1600", PORTS, {"BlockBits": "1600"}
        )
    text = Path(__file__).with_name("keccak.c").read_text("utf-8")
    return build_c({"keccak.c": text}, NAME, model)


def _make(checkout: Path, build: Path, library: Path, goals: Sequence[str], log: Path) -> int:
    """Build and run the goals; make's exit code."""
    backend = build / _BACKEND
    backend.write_text(Path(__file__).with_name(_BACKEND).read_text("utf-8"), "utf-8")
    wrapper = build / "wrapper"
    wrapper.write_text(_WRAPPER, encoding="utf-8")
    wrapper.chmod(0o755)
    defines = (
        "-DMLK_CONFIG_USE_NATIVE_BACKEND_FIPS202",
        f'-DMLK_CONFIG_FIPS202_BACKEND_FILE=\\"{backend}\\"',
    )
    environment = os.environ | {
        "CFLAGS": " ".join(defines),
        # In front of its own libraries, which alone call it.
        "LDFLAGS": f"-Wl,--no-as-needed -L{library} -l{NAME} -Wl,-rpath,{library}",
        "EXEC_WRAPPER": str(wrapper),
        "BUILD_DIR": str(build / "objects"),
        "OPT": "0",  # its own assembly stays out
        "AUTO": "0",
        "NTTFORGE_PROGRAMS": str(build / "programs"),
        "NTTFORGE_KECCAK_COUNT": str(build / "count"),
    }
    with log.open("w", encoding="utf-8") as printed:
        done = subprocess.run(
            ["make", "--keep-going", *goals],
            cwd=checkout,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            check=False,
        )
    return done.returncode


def run_tests(
    checkout: Path,
    goals: Sequence[str] = GOALS,
    *,
    library: Path | None = None,
    progress: Progress = silent,
) -> NativeResult:
    """Run mlkem-native's tests on the simulated Keccak.

    Parameters
    ----------
    checkout
        Of mlkem-native; it is copied.
    goals
        Of its Makefile.
    library
        What :func:`keccak_library` gave, if another than the package's RTL is to be tested.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        If the folder is no checkout of mlkem-native, or a tool is missing.
    """
    if not (checkout / "mlkem" / "mlkem_native.h").is_file():
        raise NttforgeError(
            str(checkout), "is no checkout of mlkem-native", "name its topmost folder"
        )
    if shutil.which("make") is None:
        raise NttforgeError("make", "is not on the PATH", "on Debian: apt install make")
    start = time.monotonic()
    progress("compiling the Keccak unit")
    built = library or keccak_library()
    with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
        copy, build = Path(scratch) / "checkout", Path(scratch) / "build"
        shutil.copytree(checkout, copy, ignore=shutil.ignore_patterns(".git"))
        build.mkdir()
        log = build / "log"
        progress(f"building and running {', '.join(goals)}")
        code = _make(copy, build, built, goals, log)
        programs = dict(line.split() for line in _lines(build / "programs"))
        permutations = sum(map(int, _lines(build / "count")))
        ends = {name: int(end) for name, end in programs.items()}
        ok = code == 0 and bool(ends) and not any(ends.values()) and permutations > 0
        return NativeResult(
            hooks=["mlk_keccak_f1600_x1_native"],
            goals=list(goals),
            programs=ends,
            permutations=permutations,
            ok=ok,
            seconds=round(time.monotonic() - start, 1),
            log="" if ok else "\n".join(_lines(log)[-30:]),
        )


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.is_file() else []


def report(result: NativeResult) -> str:
    """What a page quotes: nothing of it depends on the machine."""
    return "\n".join(
        [
            "| program | |",
            "|---|---|",
            *(
                f"| `{name}` | {'passes' if code == 0 else f'fails with {code}'} |"
                for name, code in sorted(result.programs.items())
            ),
            "",
            f"{len(result.programs)} programs of `{' '.join(result.goals)}`; behind its hook "
            f"`{result.hooks[0]}` the RTL did {result.permutations:,} permutations.",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 0 if all tests passed."""
    parser = argparse.ArgumentParser(prog="python -m tests.host.mlkem_native")
    given_checkout = os.environ.get(CHECKOUT)
    parser.add_argument(
        "checkout",
        type=Path,
        nargs="?" if given_checkout else None,
        default=given_checkout,
        help=f"of mlkem-native; if it is left out, what {CHECKOUT} names",
    )
    parser.add_argument("--goals", default=",".join(GOALS), help="of its Makefile, comma-separated")
    given = parser.parse_args(arguments)
    try:
        result = run_tests(
            Path(given.checkout),
            given.goals.split(","),
            progress=lambda text: print(text, file=sys.stderr, flush=True),
        )
    except NttforgeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(report(result))
    if not result.ok:
        print(result.log, file=sys.stderr)
    print(f"{result.seconds} s", file=sys.stderr)
    return 0 if result.ok else 1


if __name__ == "__main__":
    sys.exit(main())
