# SPDX-License-Identifier: Apache-2.0
"""What users and their machines do to a command: one short line, a documented exit code, no half
written file."""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from nttforge.cache import cached
from nttforge.cli.session import complain, run_verb
from nttforge.errors import NttforgeError
from nttforge.flow import prepare
from nttforge.flow.formats import read_npy
from nttforge.kinds.decomposed import run as decomposed_run
from nttforge.kinds.stream import run
from nttforge.output import atomic_file, check_prefix, write_bytes, write_text
from tests.benches import cache_with_runtime
from tests.unit.cli.cli_calls import call
from tests.unit.cli.test_cli import SOURCE

#: Command lines, of which markers cannot follow.
pytestmark = pytest.mark.sim

SMALL = 'name = "mine"\n[[rings]]\nn = 16\nq = 97\n'
PRIME_OF_4423_BITS = hex(2**4423 - 1)
LATIN = {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}


@pytest.fixture
def design(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(SMALL)
    return path


@contextmanager
def full_disk(most: int = 1000) -> Iterator[None]:
    """No file becomes longer than that, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A real process; `nttforge` in the command is this one."""
    text = command.replace("nttforge", f"{sys.executable} -m nttforge")
    return subprocess.run(
        ["bash", "-c", text],
        env=os.environ | {"PYTHONPATH": str(SOURCE), "TERM": "dumb"} | environment,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "code", "words", "environment"),
    [
        ("nttforge presets >/dev/full", 1, "standard output: No space left on device", {}),
        ("nttforge presets --json >&-", 1, "standard output: is closed", {}),
        ("nttforge --help >/dev/full", 1, "standard output: No space left on device", {}),
        ("nttforge presets >&- 2>&-", 1, "", {}),
        ("nttforge nonsense 2>/dev/full", 2, "", {}),
        ("nttforge presets 2>&- <&-", 0, "", {}),
        ("(sleep 2; nttforge presets; echo $? >&2) | true", 0, "1\n", {}),
        ("nttforge kem --help", 0, "", LATIN),
        (f"nttforge verify '{chr(0x2603)}'", 1, "is neither a preset nor a file", LATIN),
        ("nttforge verify $'\\xff[/x]'", 1, "is neither a preset nor a file", {}),
    ],
)
def test_streams(command: str, code: int, words: str, environment: dict[str, str]) -> None:
    done = shell(command, **environment)
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert "Exception" not in done.stderr


@pytest.mark.parametrize("module", ["pydantic", "numpy", "nttforge.cli.app", "rich.console"])
def test_ctrl_c_while_modules_are_loaded(module: str) -> None:
    """The signal comes in the middle of an import."""
    program = f"""
import builtins, os, signal, sys
load = builtins.__import__
def interrupted(name, *rest, **more):
    if name == {module!r}:
        os.kill(os.getpid(), signal.SIGINT)
    return load(name, *rest, **more)
from nttforge.cli import main
builtins.__import__ = interrupted
sys.argv = ["nttforge", "presets"]
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130
    assert done.stderr == "error: interrupted\n"
    assert not done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["explore", PRIME_OF_4423_BITS], "4423 bits"),
        (["multiplier", PRIME_OF_4423_BITS], "4423 bits"),
        (["multiplier", "561"], "561 is not an odd prime"),
        (["multiplier", "9" * 20_000], "is not an integer"),
        (["multiplier", "97", "--adders-per-stage", "9999999999"], "--adders-per-stage"),
        (["synth", "ml-kem", "--time-limit", "nan"], "nan is not from 1"),
        (["pnr", "ml-kem", "--time-limit", "-inf"], "-inf is not from 1"),
        (["pnr", "ml-kem", "--mhz", "nan"], "nan is not from 1"),
        (["pnr", "ml-kem", "--placements", "9" * 30], "is not from 1 to 1000"),
        (["verify", "ml-kem", "--transforms", "9" * 30], "is not from 1 to"),
        (["measure", "pqc-coprocessor", "--runs", "0"], "--transforms / --runs: 0 is not from 2"),
        (["verify", "sam-64", "--transforms", "-1"], "--transforms / --cases: -1 is not from 1"),
        (["verify", "ml-kem", "--seed", "9" * 30], "--seed"),
        (["explore", "goldilocks", "--ram", "inf"], "inf is not from"),
        (["explore", "goldilocks", "--mhz", "nan"], "nan is not from"),
        (["explore", "goldilocks", "--sizes", "9" * 5000], "not a list of numbers"),
        (["verify", "ml-kem", "--set", "pipeline." + "[" * 10_000 + "=1"], "unknown key"),
        (["verify", "ml-kem", "--set", "pipeline.butterflies=" + "[" * 10_000], "butterflies"),
        (["verify", "ml-kem", "--set", "pipeline.butterflies=" + "9" * 20_000], "butterflies"),
        (["verify", "a" * 5000], "neither a preset nor a file"),
        (["verify", "a" * 5000 + ".toml"], "File name too long"),
        (["generate", "ml-kem", "-o", "/"], "neither empty nor a design folder"),
        (["soc", "ml-kem-coprocessor", "-o", "/"], "neither empty nor a SoC's"),
        (["host", "ml-kem-coprocessor", "-o", "/"], "neither empty nor the library's"),
        (["generate", "ml-kem", "-o", "a" * 300], "File name too long"),
        (["generate", "ml-kem", "-o", "/proc/x/y"], "No such file"),
        (["report", "ml-kem", "-o", "/"], "Is a directory"),
        (["report", "ml-kem", "-o", "a" * 300], "File name too long"),
        (["kem", "keygen", "--parameter-set", "768", "-o", "/"], "is a folder"),
        (["kem", "keygen", "--parameter-set", "768", "-o", ".."], "is a folder"),
        (["kem", "keygen", "--parameter-set", "768", "-o", "no/such/folder"], "no such folder"),
    ],
)
def test_refused_before_any_work(
    words: list[str], message: str, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a tool was started"))
    monkeypatch.setattr(prepare, "prepare_any", lambda _: pytest.fail("a core was built"))
    code, _, err = call(capsys, *words)
    assert code in (1, 2)
    last = err.splitlines()[-1]
    assert message in last
    assert last.startswith("error: ") and len(last) <= 300
    assert "defect" not in err


def npy(header: str, data: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    text = header.encode("latin-1")
    return b"\x93NUMPY" + version + len(text).to_bytes(2, "little") + text + data


HEADER = "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 16)}"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04",
        npy(HEADER.replace("(2, 16)", "(1 << 60, 16)"), bytes(256)),
        npy(HEADER.replace("(2, 16)", f"({1 << 60}, 16)"), bytes(256)),
        npy(HEADER.replace("(2, 16)", "(-2, -16)"), bytes(256)),
        npy(HEADER.replace("(2, 16)", "('a', 16)"), bytes(256)),
        npy(HEADER.replace("(2, 16)", "(" * 3000), bytes(256)),
        npy(HEADER.replace("(2, 16)", "(9" + "9" * 5000 + ",)"), bytes(256)),
        npy(HEADER.replace("<i8", "|O"), bytes(256)),
        npy(HEADER.replace("<i8", "nonsense"), bytes(256)),
        npy(HEADER.replace("'<i8'", "[('a', '<i8')]"), bytes(256)),
        npy(HEADER.replace("'<i8'", "None"), bytes(256)),
        npy("{'descr': ", bytes(256)),
        npy("\0" * 50, bytes(256)),
        npy("x" * 20_000, bytes(256)),
        npy(HEADER, bytes(255)),
        npy(HEADER, bytes(256), b"\x09\x00"),
        npy(HEADER.replace("<i8", "<m8[s]"), bytes(256)),
        npy(HEADER.replace("<i8", "<f8"), bytes(256)),
        npy(HEADER.replace("<i8", "<U2"), bytes(256)),
        npy(HEADER.replace("(2, 16)", "()"), bytes(256)),
    ],
)
@pytest.mark.parametrize("base", ["mine", "sam-tiny"])
def test_malformed_arrays(
    base: str, content: bytes, design: Path, tmp_path: Path, capsys: Any
) -> None:
    source = tmp_path / "x.npy"
    source.write_bytes(content)
    name = str(design) if base == "mine" else base
    target = tmp_path / "y.npy"
    code, _, err = call(capsys, "run", name, "--op", "ntt", "--input", source, "--output", target)
    assert code == 1
    assert str(source) in err.splitlines()[-1] and "defect" not in err
    assert not target.exists()


def test_arrays_of_every_kind_of_integers_are_read(tmp_path: Path) -> None:
    for dtype in ("<i1", ">u2", "<i4", ">i8", "<u8"):
        orders: tuple[Literal["C", "F"], ...] = ("C", "F")
        for order in orders:
            array = np.asarray(np.arange(32).reshape(2, 16), dtype=dtype, order=order)
            np.save(tmp_path / "x.npy", array)
            for mapped in (False, True):
                assert (read_npy(tmp_path / "x.npy", mapped=mapped) == array).all()


def test_a_full_disk_leaves_no_part_of_a_file(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_bytes(b"kept")
    old.chmod(0o640)
    for path in (old, tmp_path / "new"):
        with full_disk(), pytest.raises(NttforgeError, match="File too large") as caught:
            write_bytes(path, bytes(5000))
        assert caught.value.field == str(path)
    with pytest.raises(KeyError), atomic_file(old) as file:
        file.write(b"new")
        raise KeyError
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert old.read_bytes() == b"kept"
    write_text(old, "new")
    assert (old.read_bytes(), old.stat().st_mode & 0o777) == (b"new", 0o640)
    write_bytes(old, b"s", secret=True)
    assert old.stat().st_mode & 0o777 == 0o600
    (tmp_path / "link").symlink_to(old)
    write_text(tmp_path / "link", "through")
    assert (tmp_path / "link").is_symlink() and old.read_text() == "through"
    write_bytes(Path(os.devnull), b"gone")
    assert Path(os.devnull).is_char_device()


def test_a_full_disk_leaves_no_part_of_a_folder(tmp_path: Path, design: Path, capsys: Any) -> None:
    target = tmp_path / "a" / "b"
    with full_disk():
        code, _, err = call(capsys, "generate", design, "-o", target)
    assert (code, "File too large; choose a folder" in err) == (1, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.toml"]
    assert call(capsys, "generate", design, "-o", target)[0] == 0
    (target / "notes").write_text("mine")
    before = {path: path.read_bytes() for path in target.rglob("*") if path.is_file()}
    with full_disk():
        assert call(capsys, "generate", "ml-dsa", "-o", target)[0] == 1
    assert before == {path: path.read_bytes() for path in target.rglob("*") if path.is_file()}


def test_a_full_cache_disk(
    tmp_path: Path, design: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    with full_disk(200_000):  # of designs, but no simulators
        code, _, err = call(capsys, "verify", design, "--transforms", 3)
    assert code == 1
    assert "defect" not in err
    with full_disk(10):
        code, _, err = call(capsys, "verify", "ml-dsa", "--transforms", 3)
    assert (code, "defect" in err) == (1, False)

    def make(scratch: Path) -> None:
        (scratch / "half").write_bytes(b"x")
        raise OSError(28, "No space left on device")

    with pytest.raises(NttforgeError, match="No space left on device; make room in the cache"):
        cached("kind", "key", make)
    assert not list((tmp_path / "cache" / "kind").glob("*.part"))


def test_a_relative_cache_folder(
    tmp_path: Path, design: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    cache_with_runtime(tmp_path / "my cache")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NTTFORGE_CACHE", "my cache")
    code, _, err = call(capsys, "verify", design, "--transforms", 3)
    assert code == 0, err
    assert (tmp_path / "my cache" / "simulators").is_dir()


def test_a_compiler_that_is_no_command(
    design: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("CXX", "'")
    code, _, err = call(capsys, "verify", design, "--transforms", 3)
    assert (code, "CXX: is no command" in err) == (1, True)


def test_wrong_results_are_not_written(
    design: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    target = tmp_path / "y.npy"
    np.save(tmp_path / "x.npy", np.arange(32).reshape(2, 16))
    words = ["run", design, "--op", "ntt", "--input", tmp_path / "x.npy", "--output", target]
    monkeypatch.setattr(run, "transform_batch", lambda _, __, batch, ___: (batch, 7))
    code, out, _ = call(capsys, *words)
    assert (code, "not written" in out, target.exists()) == (1, True, False)


class Job:
    """Of an engine that has not written a word."""

    cycles = 7


def test_wrong_results_of_large_transforms_are_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    target = tmp_path / "y.npy"
    np.save(tmp_path / "x.npy", np.arange(16).reshape(1, 16))

    monkeypatch.setattr(decomposed_run, "_simulate", lambda *_: Job())
    monkeypatch.setattr(decomposed_run, "check_run", lambda _: None)
    files = "--input", tmp_path / "x.npy", "--output", target
    code, out, err = call(capsys, "run", "sam-tiny", "--op", "ntt", *files)
    assert (code, "not written" in out, target.exists()) == (1, True, False), err


def test_results_of_large_transforms_keep_links_and_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    real, link = tmp_path / "real", tmp_path / "y.npy"
    real.touch(mode=0o640)
    link.symlink_to(real)
    np.save(tmp_path / "x.npy", np.zeros((1, 16), np.uint64))
    monkeypatch.setattr(decomposed_run, "_simulate", lambda *_: Job())
    monkeypatch.setattr(decomposed_run, "check_run", lambda _: None)
    files = "--input", tmp_path / "x.npy", "--output", link
    code, _, err = call(capsys, "run", "sam-tiny", "--op", "ntt", *files)
    assert (code, link.is_symlink(), real.stat().st_mode & 0o777) == (0, True, 0o640), err
    assert not np.load(link).any()
    assert {path.name for path in tmp_path.iterdir()} == {"real", "y.npy", "x.npy"}


@pytest.mark.parametrize("error", [OSError(5, "Input/output error", "x"), MemoryError()])
def test_what_the_machine_refuses_is_no_defect(error: Exception, capsys: Any) -> None:
    def job(_: object) -> Any:
        raise error

    assert run_verb("verb", False, job) == 1
    err = capsys.readouterr().err
    assert err.startswith("error: ") and "defect" not in err


def test_no_message_is_longer_than_a_line(capsys: Any) -> None:
    complain("x y" * 1000, False, 1)
    error = NttforgeError("f" * 1000, "p" * 1000, "m" * 1000)
    assert len(str(error)) <= 290
    assert all(part for part in (error.field, error.problem, error.hint))
    short = NttforgeError("a", "b", "c" * 150)
    assert str(short) == f"a: b; {'c' * 150}"
    assert max(map(len, capsys.readouterr().err.splitlines())) <= 300


def test_a_prefix_is_the_beginning_of_a_name(tmp_path: Path) -> None:
    assert check_prefix(tmp_path / "alice.v1", ["ek"]) == [tmp_path / "alice.v1.ek"]


def test_the_handler_of_signals_is_as_before(capsys: Any) -> None:
    before = signal.getsignal(signal.SIGINT)
    call(capsys, "presets")
    assert signal.getsignal(signal.SIGINT) == before
