# SPDX-License-Identifier: Apache-2.0
"""mlkem-native's own tests, unmodified, with our units behind its hooks.

`python -m tests.host.mlkem_native CHECKOUT` builds a copy of a checkout (it stays as it is) with
backends whose Keccak-f[1600], transforms and products are the simulated units, and runs what `make
test` of mlkem-native runs without a network. Needs make and a C compiler. What it shows is that
code which was not written for this hardware computes with it what the standard says; it says
nothing of speed.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel

from nttforge.cache import design_files
from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Progress, prepare_any, silent
from nttforge.hw import StreamCore
from nttforge.rtl_library import rtl_root
from nttforge.simulate.build import build_c
from nttforge.simulate.cycles import CycleModel, Ports

NAME = "nttforge_keccak"
#: The environment's name for a checkout.
CHECKOUT = "MLKEM_NATIVE"
SOURCES = ("prim/ntf_prim_kept.sv", "lattice/ntf_keccak_round.sv", "lattice/ntf_keccak_f1600.sv")
#: The C side relies on this order: the state's bytes first, then one byte of bits.
PORTS = Ports(
    inputs={"block_i": 1600, "start_i": 1, "fresh_i": 1, "abort_i": 1, "wipe_i": 1},
    outputs={
        "state_o": 1600,
        "valid_o": 1,
        "valid_soon_o": 1,
        "ready_o": 1,
        "ready_soon_o": 1,
        "fault_o": 1,
    },
)
#: Goals of its Makefile that need no network: known answers, its own tests, and their failures.
GOALS = ("run_kat", "run_func", "run_unit", "run_alloc", "run_rng_fail")
TRANSFORMS = "nttforge_transforms"
#: Of the engine's design.
ENGINE = "ml-kem"
#: The C side relies on these orders: data first, a byte or half of one of bits after them.
ENGINE_PORTS = Ports(
    inputs={
        "s_axis_tdata": 24,
        "s_axis_tvalid": 1,
        "s_axis_tlast": 1,
        "s_axis_tuser": 1,
        "m_axis_tready": 1,
    },
    outputs={
        "m_axis_tdata": 24,
        "m_axis_tvalid": 1,
        "s_axis_tready": 1,
        "m_axis_tlast": 1,
        "m_axis_tuser": 2,
    },
)
UNIT = "ntf_basemul"
UNIT_SOURCES = ("prim/ntf_prim_pipe.sv", "mlkem/ntf_mlkem_reduce.sv", "mlkem/ntf_basemul.sv")
UNIT_PORTS = Ports(
    inputs={"a_i": 24, "b_i": 24, "add_i": 24, "zeta_i": 12, "en_i": 1},
    outputs={"r_o": 24},
    common=("clk_i",),
)
#: Hooks of mlkem-native: the variable of its configuration, the backend's file, the functions.
HOOKS = {
    "FIPS202": ("mlkem_native_fips202.h", ("mlk_keccak_f1600_x1_native",)),
    "ARITH": (
        "mlkem_native_arith.h",
        (
            "mlk_ntt_native",
            "mlk_intt_native",
            "mlk_polyvec_basemul_acc_montgomery_cached_k{2,3,4}_native",
        ),
    ),
}
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
        Of mlkem-native, that the RTL is after.
    programs
        Test programs that ran, each with its exit code.
    permutations, transforms, inverses, products
        Done by the RTL; of products each is a scalar product of vectors.
    ok
        All goals were reached, every program ended well, and the RTL took part.
    log
        The last lines of what was printed, if not.
    """

    hooks: list[str]
    goals: list[str]
    programs: dict[str, int]
    permutations: int
    transforms: int
    inverses: int
    products: int
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
            Path(scratch), sources, "ntf_keccak_f1600", PORTS, {"BlockBits": "1600"}
        )
    text = Path(__file__).with_name("keccak.c").read_text("utf-8")
    return build_c({"keccak.c": text}, NAME, model)


def transform_library(basemul: Path | None = None) -> Path:
    """The engine and the unit of base multiplication as a library for C programs: its folder.

    Parameters
    ----------
    basemul
        The unit's file, if not the package's.

    Raises
    ------
    NttforgeError
        If the compiler is missing.
    """
    prepared = prepare_any(load_design(ENGINE))
    core = prepared.core
    assert isinstance(core, StreamCore)
    engine = CycleModel.kept(design_files(prepared.folder), core.name, ENGINE_PORTS)
    sources = [rtl_root() / source for source in UNIT_SOURCES[:-1]]
    sources.append(basemul or rtl_root() / UNIT_SOURCES[-1])
    unit = CycleModel.kept(sources, UNIT, UNIT_PORTS)
    (latency,) = {operation.latency for operation in core.operations}
    header = [
        "// SPDX-License-Identifier: Apache-2.0",
        f'#define ENGINE "{engine}"',
        f'#define UNIT "{unit}"',
        f"#define LATENCY {latency}",
        f"#define GAMMAS {', '.join(map(str, core.operations[0].ring.leaf_roots))}",
        "",
    ]
    text = Path(__file__).with_name("transforms.c").read_text("utf-8")
    texts = {"transforms.c": text, "models.h": "\n".join(header)}
    return build_c(texts, TRANSFORMS, more=("-ldl",))


def _make(
    checkout: Path, build: Path, libraries: Mapping[str, Path], goals: Sequence[str], log: Path
) -> int:
    """Build and run the goals; make's exit code."""
    defines = []
    for hook, (file, _) in HOOKS.items():
        backend = build / file
        backend.write_text(Path(__file__).with_name(file).read_text("utf-8"), "utf-8")
        defines.append(f"-DMLK_CONFIG_USE_NATIVE_BACKEND_{hook}")
        defines.append(f'-DMLK_CONFIG_{hook}_BACKEND_FILE=\\"{backend}\\"')
    links = [f"-L{at} -l{name} -Wl,-rpath,{at}" for name, at in libraries.items()]
    wrapper = build / "wrapper"
    wrapper.write_text(_WRAPPER, encoding="utf-8")
    wrapper.chmod(0o755)
    environment = os.environ | {
        "CFLAGS": " ".join(defines),
        # In front of its own libraries, which alone call it.
        "LDFLAGS": " ".join(["-Wl,--no-as-needed", *links]),
        "EXEC_WRAPPER": str(wrapper),
        "BUILD_DIR": str(build / "objects"),
        "OPT": "0",  # its own assembly stays out
        "AUTO": "0",
        "NTTFORGE_PROGRAMS": str(build / "programs"),
        "NTTFORGE_KECCAK_COUNT": str(build / "count"),
        "NTTFORGE_TRANSFORM_COUNT": str(build / "transforms"),
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
    transforms: Path | None = None,
    progress: Progress = silent,
) -> NativeResult:
    """Run mlkem-native's tests on the simulated units.

    Parameters
    ----------
    checkout
        Of mlkem-native; it is copied.
    goals
        Of its Makefile.
    library, transforms
        What :func:`keccak_library` and :func:`transform_library` gave, if another than the
        package's RTL is to be tested.
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
    progress("compiling the units")
    built = {NAME: library or keccak_library(), TRANSFORMS: transforms or transform_library()}
    with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
        copy, build = Path(scratch) / "checkout", Path(scratch) / "build"
        shutil.copytree(checkout, copy, ignore=shutil.ignore_patterns(".git"))
        build.mkdir()
        log = build / "log"
        progress(f"building and running {', '.join(goals)}")
        code = _make(copy, build, built, goals, log)
        programs = dict(line.split() for line in _lines(build / "programs"))
        permutations = sum(map(int, _lines(build / "count")))
        counts = [list(map(int, line.split())) for line in _lines(build / "transforms")]
        done = [sum(column) for column in zip(*counts, strict=True)] or [0, 0, 0]
        ends = {name: int(end) for name, end in programs.items()}
        ok = code == 0 and bool(ends) and not any(ends.values()) and all([permutations, *done])
        return NativeResult(
            hooks=[name for _, names in HOOKS.values() for name in names],
            goals=list(goals),
            programs=ends,
            permutations=permutations,
            transforms=done[0],
            inverses=done[1],
            products=done[2],
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
            f"{len(result.programs)} programs of `{' '.join(result.goals)}`; behind "
            f"{', '.join(f'`{hook}`' for hook in result.hooks)} the RTL did "
            f"{result.permutations:,} permutations, {result.transforms:,} transforms, "
            f"{result.inverses:,} inverse ones and {result.products:,} scalar products.",
        ]
    )


def argument_parser(prog: str) -> argparse.ArgumentParser:
    """A command that takes a checkout, or what the environment names."""
    parser = argparse.ArgumentParser(prog=prog)
    named = os.environ.get(CHECKOUT)
    parser.add_argument(
        "checkout",
        type=Path,
        nargs="?" if named else None,
        default=named,
        help=f"of mlkem-native; if it is left out, what {CHECKOUT} names",
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 0 if all tests passed."""
    parser = argument_parser("python -m tests.host.mlkem_native")
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
