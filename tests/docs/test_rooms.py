# SPDX-License-Identifier: Apache-2.0
"""Every room has a table, and every module of it is in the table."""

import re
from pathlib import Path

import pytest

from nttforge import __version__
from nttforge.rtl_library import library, needed
from tests.modules import BESIDE, Size, beyond, rows, sizes
from tests.mutation.score import of_module, recorded

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "nttforge"
RTL_ROOMS = sorted({path.parent for path in (ROOT / "rtl").glob("*/*.sv")})
ROOMS = sorted({path.parent for path in PACKAGE.glob("*/*.py") if path.name != "__init__.py"})
#: Beside the package: what no wheel has.
TOOLS = [ROOT / "docs" / "tools", ROOT / "benchmarks"]
INNER_ROOMS = sorted(path.parent for path in PACKAGE.glob("*/*/README.md"))


def named(table: Path) -> set[str]:
    """What stands in backquotes in the first columns of a README's tables."""
    rows = re.findall(r"^\| (.*)$", table.read_text("utf-8"), re.MULTILINE)
    return {
        name.rstrip("/") for row in rows for name in re.findall(r"`([^`]+)`", row.split(" | ")[0])
    }


@pytest.mark.parametrize("room", RTL_ROOMS, ids=lambda path: path.name)
def test_modules_of_the_rtl(room: Path) -> None:
    modules = {path.stem for path in room.glob("*.sv")}
    assert modules == named(room / "README.md") & modules
    assert room.name in named(room.parent / "README.md")
    for module in modules:
        assert module in (room / f"{module}.sv").read_text("utf-8")


@pytest.mark.parametrize("room", ROOMS + INNER_ROOMS + TOOLS, ids=lambda path: path.name)
def test_modules_of_the_package(room: Path) -> None:
    modules = {path.name for path in room.glob("*.py")} - {"__init__.py"}
    table = named(room / "README.md")
    rows = re.findall(r"^\| `([\w.]+)` \|", (room / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(rows) == len({*rows}), "a module has two rows"
    assert modules <= table
    assert {name for name in table if name.endswith((".py", ".cpp"))} == {
        name for name in table if name.endswith((".py", ".cpp")) and (room / name).is_file()
    }


def test_the_package_lists_its_rooms_and_modules() -> None:
    table = named(PACKAGE / "README.md")
    assert {room.name for room in ROOMS} <= table
    alone = {path.name for path in PACKAGE.glob("*.py")} - {"__init__.py", "__main__.py"}
    assert alone <= table


def test_the_folders_of_the_tests_are_listed() -> None:
    tests = ROOT / "tests"
    folders = {path.name for path in tests.iterdir() if any(path.rglob("test_*.py"))}
    assert folders <= named(tests / "README.md")


def test_a_reader_finds_the_module_that_does_a_thing() -> None:
    """The library's questions lead to modules, and its words are names in them."""
    page = ROOT / "rtl" / "README.md"
    _, _, text = page.read_text("utf-8").partition("## Which module ...")
    questions, _, words = text.partition("## Words")
    answers = re.findall(r"^\d+\. \.\.\. .*\? \[(\w+)\]\((\S+)\)$", questions, re.MULTILINE)
    assert len(answers) >= 20 and len(answers) == questions.count(". ... ")
    for module, file in answers:
        text = (page.parent / file).read_text("utf-8")
        assert re.search(rf"^module {module}\b", text, re.MULTILINE), module
    everything = "".join(path.read_text("utf-8") for path in page.parent.glob("*/*.sv"))
    for row in re.findall(r"^\| (.* \|.*) \|$", words, re.MULTILINE)[1:]:
        for name in re.findall(r"`(\w+)`", row.rpartition("|")[2]):
            assert name in everything, name


def test_the_status_of_each_module_is_shown() -> None:
    """A row each, with its families; whole rows are compared where all recorded blocks are."""
    page = ROOT / "docs" / "modules.md"
    shown = re.findall(r"^\| (`\w+/\w+`) \| (.*?) \|", page.read_text("utf-8"), re.MULTILINE)
    again = "python -m docs.tools.record docs/modules.md"
    assert shown == [row[:2] for row in rows()], f"record it again: {again}"


@pytest.mark.long
def test_the_status_has_what_is_recorded() -> None:
    """Equivalent defects of a module do not count; one without tried defects is not complete."""
    room = {
        "modules": {"arith/ntf_fold.sv": [3, 5], "arith/ntf_mod_nearer.sv": [13, 14]},
        "survivors": [
            {"what": "arith/ntf_mod_nearer.sv: apply_i && !a_i[InW-1] -> apply_i || !a_i[InW-1]"},
            {"what": "arith/ntf_fold.sv: ntf_mul_pair: a -> b"},
        ],
    }
    assert of_module(room, "arith/ntf_mod_nearer.sv") == (13, 13)
    assert of_module(room, "arith/ntf_fold.sv") == (3, 5)
    assert of_module(room, "arith/ntf_mul_pair.sv") is None and of_module({}, "x") is None
    tried = {row[0] for row in rows() if " of " in row[4]}
    named = {file for room in recorded().values() for file in room["modules"]}
    named = {file for file in named if not file.endswith("_pkg.sv")}
    assert tried == {f"`{file.removesuffix('.sv')}`" for file in named} and tried


def test_modules_fit_in_a_head() -> None:
    """350 lines, 12 parameters, 25 ports."""
    assert not any(beyond(sizes()).values()), beyond(sizes())


def test_a_module_that_is_too_large_is_seen() -> None:
    large = {"a": Size(351, 12, 25), "b": Size(350, 13, 25), "c": Size(350, 12, 26)}
    assert beyond(large) == {"lines": ["a"], "parameters": ["b"], "ports": ["c"]}
    framer = sizes()["ntf_framer"]
    assert (framer.parameters, framer.ports) == (5, 13)


def test_attributes_are_in_prim_or_have_their_reason() -> None:
    """Elsewhere there is `keep` alone, for rows of adders that Yosys would join, and it says so."""
    kept = 0
    for path in (ROOT / "rtl").glob("*/*.sv"):
        text = path.read_text("utf-8")
        attributes = re.findall(r"\(\* (\w.*?) \*\)", text)
        if path.parent.name != "prim" and attributes:
            assert set(attributes) == {"keep"}, path.name
            said = " ".join(text.replace("//", " ").split())
            assert re.search(r"\bKept\b[^.]*\bYosys would\b", said), path.name
            kept += 1
    assert kept


def test_the_width_of_an_index_is_worked_out_in_one_place() -> None:
    """ntf_prim_pkg's idx_width, by whatever name its argument goes elsewhere."""
    again = re.compile(r"(\w+)\)? *> *1\)? *\? *\$clog2\(\1\)")
    found = [
        path.name for path in (ROOT / "rtl").glob("*/*.sv") if again.search(path.read_text("utf-8"))
    ]
    assert found == ["ntf_prim_pkg.sv"]


def filesets(core: str) -> dict[str, list[str]]:
    """Files of the core file that are SystemVerilog, by the name of their set."""
    found = re.findall(r"^  (\w+):\n    file_type.*\n    files:\n((?:      .*\n)+)", core, re.M)
    return {name: re.findall(r"^      - (\w+/\w+\.sv)$", files, re.M) for name, files in found}


def test_the_core_file_has_the_library() -> None:
    """Every module once, packages first; what a technology replaces is on its own."""
    root = ROOT / "rtl"
    text = (root / "nttforge.core").read_text("utf-8")
    assert text.startswith("CAPI=2:\n")
    sets = filesets(text)
    listed = [file for files in sets.values() for file in files]
    there = {str(path.relative_to(root)) for path in root.glob("*/*.sv")}
    assert set(listed) == there, f"in one alone: {sorted(set(listed) ^ there)}"
    assert len(listed) == len(there)
    used = re.findall(r"^      - (?:\"!own_technology \? \()?(\w+)\)?\"?$", text, re.MULTILINE)
    assert used == list(sets)[: len(used)]
    files = [file for name in used for file in sets[name]]
    assert set(files) == {name for name in there if name.split("/")[0] not in BESIDE}
    packages = [name.endswith("_pkg.sv") for name in files]
    assert packages == sorted(packages, reverse=True)
    assert {f"prim/{name}.sv" for name in named(root / "prim" / "README.md")} >= set(
        sets["technology"]
    )


def test_the_core_file_has_the_version_that_folders_depend_on() -> None:
    text = (ROOT / "rtl" / "nttforge.core").read_text("utf-8")
    assert f"\nname: nttforge:rtl:library:{__version__}\n" in text


def test_the_core_file_has_the_examples() -> None:
    """A target for each that the Makefile runs, in which is all that its bench needs."""
    root = ROOT / "rtl"
    text = (root / "nttforge.core").read_text("utf-8")
    targets = re.findall(r"^  (\w+):.*\n(?:    .*\n)*?    toplevel: \1_bench$", text, re.MULTILINE)
    makefile = (root / "examples" / "Makefile").read_text("utf-8")
    assert f"EXAMPLES := {' '.join(targets)}\n" in makefile
    (used,) = re.findall(r"^  \w+: &example\n    filesets: \[(.*)\]$", text, re.MULTILINE)
    there = {Path(file).stem for name in used.split(", ") for file in filesets(text).get(name, ())}
    for target in targets:
        assert set(needed(f"{target}_bench", library())) <= there
