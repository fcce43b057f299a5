# SPDX-License-Identifier: Apache-2.0
"""Compiling a design folder into a shared library that streams transforms."""

import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib import resources
from pathlib import Path

from nttforge.cache import cached, design_files, design_key, find_cached, keep_log, tail
from nttforge.errors import NttforgeError
from nttforge.machine import processors
from nttforge.progress import eta, tell
from nttforge.simulate import waveform as trace
from nttforge.simulate.toolchain import Toolchain, find_toolchain

LIBRARY = "libdut.so"
_KIND = "simulators"
STREAM_HARNESS, SHELL_HARNESS, CYCLE_HARNESS = (
    "stream_ports.cpp",
    "shell_ports.cpp",
    "cycle_ports.cpp",
)
#: What is the same for all models of a harness is compiled once: the file, and its headers.
_HOSTS = {
    STREAM_HARNESS: ("stream.cpp", "stream.h"),
    SHELL_HARNESS: ("shell.cpp", "shell.h", "dram.h"),
    CYCLE_HARNESS: ("cycles.cpp", "cycles.h"),
}
_HEADERS = ("harness.h", "ports.h")
_RUNTIME_SOURCES = ("verilated.cpp", "verilated_threads.cpp")
#: A folder: models count the lines and bits that they use, and leave their counts there.
COVERAGE = "NTTFORGE_COVERAGE"
# Counters of toggles split vectors, which makes loops of what has none.
_COVERAGE_FLAGS = ("--coverage-line", "--coverage-toggle", "-Wno-UNOPTFLAT")
_COVERAGE_HEADER, _COVERAGE_SOURCE = "coverage.h", "verilated_cov.cpp"
_TRACE_HEADER = "trace.h"
_PACKERS = ("lz4.h", "zlib.h")
_VIEWS = "views.sv"
_VERILATE_FLAGS = (
    *("--cc", "--prefix", "Vdut", "-O3", "--assert", "--output-split", "20000"),
    "-Wno-WIDTHCONCAT",  # zeros of more than 8,192 bits; the lint has a closer look
)
_COMPILE_FLAGS = ("-std=gnu++17", "-fPIC", "-w")
_C_FLAGS = ("-shared", "-fPIC", "-std=c99", "-O2")
#: Of the name of a model beside a library: enough to tell designs apart.
_KEY_DIGITS = 12
_UNIT = 1_500_000  # bytes of C++ that are compiled together
_DEFINES = ("VL_USER_STOP", "VL_USER_FATAL", "VL_USER_FINISH")
_NATIVE = "-O3"
#: More takes a third more time to compile than it wins in any but the longest runs.
_FAST = "-O1"
#: Half the time to compile, and a sixth of the speed: for a run that is over in seconds.
_SHORT = "-O0"
#: Calls instead of code for each 32 bits of a word: half the C++, which is then not optimised.
_SHORT_VERILATE_FLAGS = ("-fno-expand",)
#: In front of what runs once, constructors and initial blocks; other compilers skip it.
_ONCE = '#pragma GCC optimize ("O0")'
_COMMON_HEADER = "verilated.h"


def build_simulator(
    folder: Path,
    top: str,
    harness: str = STREAM_HARNESS,
    parameters: Mapping[str, int] | None = None,
    *,
    called: str = "",
    short: bool = False,
) -> Path:
    """Compile the design in `folder` with top module `top`; return the cached shared library.

    `harness` is the C++ file that drives the ports, `parameters` replace those of the top, `called`
    is its name in messages. A `short` run (of few cycles) is compiled without optimisation if not
    cached.
    """
    tools = find_toolchain()
    host, header, *own = _HOSTS[harness]
    texts = _texts(harness, *_HEADERS, header)
    flags = " ".join((*_VERILATE_FLAGS, *_COMPILE_FLAGS, *tools.flags, *_DEFINES, _FAST, _ONCE))
    settings = [f"-G{name}={value}" for name, value in (parameters or {}).items()]
    traced = trace.current()
    covered = bool(os.environ.get(COVERAGE)) and traced is None
    before, views = "", ""
    if covered:
        Path(os.environ[COVERAGE]).mkdir(parents=True, exist_ok=True)
        before = _text(_COVERAGE_HEADER)
        settings += _COVERAGE_FLAGS
    if traced is not None:
        before = traced.before + _text(_TRACE_HEADER)
        settings += traced.flags
        traced.scope, views = f"TOP.{top}", traced.views
    if before:
        texts[harness] = f"{before}\n{texts[harness]}\n#undef Vdut\n"
    shared = _texts(host, *own).values()
    parts = (*texts.values(), *shared, views, flags, *settings, *tools.versions)
    key, level = design_key(folder, top, *parts), _FAST
    if short and find_cached(_KIND, key) is None:
        level = _SHORT
        settings += _SHORT_VERILATE_FLAGS
        key = design_key(folder, top, *parts, level, *_SHORT_VERILATE_FLAGS)

    counting = (_COVERAGE_SOURCE,) if covered else ()

    def make(scratch: Path) -> None:
        tell(f"compiling the simulator of {called or top}")
        generated, more = scratch / "model", []
        if views:
            more = [scratch / _VIEWS]
            more[0].write_text(views, "utf-8")
        _verilate(tools, folder, top, generated, [*settings, *map(str, more)])
        for name, text in texts.items():
            (generated / name).write_text(text, encoding="utf-8")
        objects = [_host(tools, level, host, header, *own)]
        objects += [_tracer(tools, traced.kind)] if traced is not None else []
        library = scratch / LIBRARY
        compile_model(tools, generated, library, counting, level=level, objects=objects)
        shutil.rmtree(generated)

    return cached(_KIND, key, make) / LIBRARY


def build_native(source: str, *headers: str) -> Path:
    """Compile a C++ file beside this one that needs no model; return the shared library."""
    tools = find_toolchain()
    flags = (*_COMPILE_FLAGS, *tools.flags, _NATIVE, "-shared")
    return _compiled(tools, "native", _texts(source, *headers), flags, LIBRARY)


def _host(tools: Toolchain, level: str, source: str, *headers: str) -> Path:
    """The object of a harness's part that is the same for all models."""
    flags = (*_model_flags(tools), level)
    used = (*flags, *_include(tools), "-include", str(_header(tools, flags)), "-c")
    return _compiled(tools, "runtime", _texts(source, *_HEADERS, *headers), used, "host.o")


def _tracer(tools: Toolchain, kind: str) -> Path:
    """The object of Verilator's writer of traces, which needs no library."""
    name = f"trace_{kind}.cpp"
    texts = {name: f'#include "verilated_{kind}_c.cpp"\n', **_texts(*_PACKERS)}
    used = (*_model_flags(tools), _FAST, *_include(tools), "-I.", "-c")
    return _compiled(tools, "runtime", texts, used, "trace.o")


def _text(name: str) -> str:
    """A file beside this one."""
    return _texts(name)[name]


def _texts(*names: str) -> dict[str, str]:
    """Files beside this one."""
    here = resources.files(__package__)
    return {name: here.joinpath(name).read_text("utf-8") for name in names}


def _compiled(
    tools: Toolchain, kind: str, texts: Mapping[str, str], flags: Sequence[str], target: str
) -> Path:
    """The first of these files, the others are its headers, compiled once."""

    def make(scratch: Path) -> None:
        for name, text in texts.items():
            (scratch / name).write_text(text, encoding="utf-8")
        command = [*tools.compiler, *flags, str(scratch / next(iter(texts)))]
        _run("C++ compiler", [*command, "-o", str(scratch / target)], scratch)

    parts = (*texts.values(), *flags, *tools.versions)
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    return cached(kind, key, make) / target


def build_c(
    texts: Mapping[str, str], name: str, model: Path | None = None, more: Sequence[str] = ()
) -> Path:
    """Compile C files (`texts` by name) and their model to `lib{name}.so`; return its folder."""
    tools = find_toolchain()
    behind = "" if model is None else model.parent.name

    def make(scratch: Path) -> None:
        tell(f"compiling lib{name}.so")
        with tempfile.TemporaryDirectory(prefix="nttforge-") as place:
            for file, text in texts.items():
                (Path(place) / file).write_text(text, encoding="utf-8")
            links = [*more]
            if model is not None:
                own = f"{name}_model_{behind[:_KEY_DIGITS]}"
                shutil.copyfile(model, scratch / f"lib{own}.so")
                links += [f"-L{scratch}", f"-l{own}", "-Wl,-rpath,$ORIGIN"]
            # A C++ compiler takes a file for C if that is said in front of each.
            sources = [word for file in texts if file.endswith(".c") for word in ("-x", "c", file)]
            command = [*tools.compiler, *_C_FLAGS, *sources, "-x", "none", *links]
            target = ["-o", str(scratch / f"lib{name}.so")]
            _run("C compiler", [*command, *target], Path(place))

    parts = (*texts, *texts.values(), name, "own name", behind, *_C_FLAGS, *more, *tools.versions)
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    return cached("libraries", key, make)


def _verilate(
    tools: Toolchain, folder: Path, top: str, generated: Path, settings: list[str]
) -> None:
    command = [
        str(tools.verilator),
        *_VERILATE_FLAGS,
        *("--top-module", top, "--Mdir", str(generated)),
        *(str(path) for path in design_files(folder)),
        *settings,
    ]
    environment = os.environ | {"VERILATOR_ROOT": str(tools.verilator_root)}
    _run("verilator", command, folder, environment)


def compile_model(
    tools: Toolchain,
    generated: Path,
    target: Path,
    more: Sequence[str] = (),
    *,
    level: str = _FAST,
    shared: bool = True,
    objects: Sequence[Path] = (),
) -> None:
    """Compile and link the C++ that Verilator wrote, with a harness: a library, or a program.

    The harness defines `vl_stop`, `vl_fatal` and `vl_finish`; `more`: sources of the runtime.
    """
    include = (f"-I{generated}", *_include(tools))
    flags = _model_flags(tools)
    chosen = (*flags, level)

    def compile_one(source: Path) -> Path:
        made = source.with_suffix(".o")
        command = [*tools.compiler, *chosen, *include, "-include", str(_header(tools, chosen))]
        _run("C++ compiler", [*command, "-c", str(source), "-o", str(made)], generated)
        return made

    sources = _units(generated)
    with ThreadPoolExecutor(processors()) as pool:
        common = level if level == _SHORT else _FAST
        runtime = pool.submit(_runtime, tools, (*flags, common), (*_RUNTIME_SOURCES, *more))
        began, made = time.monotonic(), [pool.submit(compile_one, source) for source in sources]
        for number, done in enumerate(as_completed(made), start=1):
            done.result()
            if len(made) > 1:
                tell(f"compiled {eta(number, len(made), 'files', time.monotonic() - began)}")
        archive = runtime.result()
    link = (*tools.compiler, *(("-shared",) if shared else ()), "-o", str(target))
    compiled = [*(done.result() for done in made), *objects]
    _run("C++ compiler", [*link, *map(str, compiled), *archive, "-pthread"], generated)


def _model_flags(tools: Toolchain) -> tuple[str, ...]:
    return (*_COMPILE_FLAGS, *tools.flags, *(f"-D{name}" for name in _DEFINES))


def _include(tools: Toolchain) -> tuple[str, ...]:
    return (f"-I{tools.include}", f"-I{tools.include / 'vltstd'}")


def _units(generated: Path) -> list[Path]:
    """Sources to compile: files that include those of a folder, about `_UNIT` bytes each."""
    units: list[list[Path]] = []
    room = 0
    for path in sorted(generated.glob("*.cpp"), key=lambda path: (_runs_once(path), path)):
        size = path.stat().st_size
        if not units or size > room:
            units.append([])
            room = _UNIT
        units[-1].append(path)
        room -= size
    return [_unit(generated / f"unit{i}.cc", paths) for i, paths in enumerate(units)]


def _unit(target: Path, paths: Sequence[Path]) -> Path:
    lines = [f'#include "{path.name}"' for path in paths]
    lines.insert(sum(not _runs_once(path) for path in paths), _ONCE)
    target.write_text("\n".join([*lines, ""]), "utf-8")
    return target


def _runs_once(path: Path) -> bool:
    return "__Slow" in path.name or "__Syms" in path.name


def _runtime(tools: Toolchain, flags: Sequence[str], sources: Sequence[str]) -> list[str]:
    """Objects of Verilator's runtime, which are the same for every design."""
    targets = {name: Path(name).with_suffix(".o").name for name in sources}
    return [str(_common(tools, flags, name, made) / made) for name, made in targets.items()]


def _header(tools: Toolchain, flags: Sequence[str]) -> Path:
    """Verilator's header, compiled once; clang needs it to stay where it was compiled."""
    if tools.is_clang:
        return tools.include / _COMMON_HEADER
    return _common(tools, flags, _COMMON_HEADER, f"{_COMMON_HEADER}.gch") / _COMMON_HEADER


def _common(tools: Toolchain, flags: Sequence[str], name: str, target: str) -> Path:
    """The folder with what is compiled of a file of Verilator's own `include`."""

    def make(scratch: Path) -> None:
        source, kind = tools.include / name, ["-c"]
        if source.suffix == ".h":
            (scratch / name).write_text(f'#include "{source}"\n', encoding="utf-8")
            source, kind = scratch / name, ["-x", "c++-header"]
        command = [*tools.compiler, *flags, *_include(tools), *kind, str(source)]
        _run("C++ compiler", [*command, "-o", str(scratch / target)], scratch)

    parts = (*tools.versions, str(tools.include), *flags, name)
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    return cached("runtime", key, make)


def _run(
    tool: str, command: list[str], folder: Path, environment: dict[str, str] | None = None
) -> None:
    """Run a tool; if it fails, keep its log and raise one line with its first complaint."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return
    log = keep_log(tool.replace(" ", "-"), f"$ {' '.join(command)}\n{done.stdout}")
    complaint = tail(log, 1, ("%Error", "%Warning", "error:"))
    raise NttforgeError(tool, complaint or f"exit code {done.returncode}", f"see {log}")
