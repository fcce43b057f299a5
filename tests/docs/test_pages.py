# SPDX-License-Identifier: Apache-2.0
"""Pages agree with the code: recorded blocks, links, examples, and tables of rooms."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from docs.tools import record
from docs.tools.site import pages
from nttforge.design import Design, design_names, load_design
from nttforge.emit.design_folder import render
from nttforge.flow.generate import generate
from nttforge.hw import build
from nttforge.show.keys import reference, tables

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for path in ROOT.rglob("*.md")
    if not {".venv", "build"} & set(path.relative_to(ROOT).parts)
    and not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
)
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
BLOCKS = [
    (path, command, output)
    for path in PAGES
    for command, output in record.blocks(path.read_text("utf-8"))
]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


# Modules that synthesize, fetch, or need what is not here.
SLOW = (
    *(
        "python -m tests.known_answers",
        "python -m tests.host.mlkem_native",
        "python -m tests.host.tls",
    ),
    "python -m tests.soc.firmware_cycles",
    "python -m tests.board.routed_chips",
    "python -m tests.board.routed_socs",
    *("python -m tests.rails", "python -m benchmarks.signatures"),
    "python -m benchmarks.signatures --design pqc-middle --messages 100",
    *(f"python -m docs.tools.mldsa {table}" for table in ("floors", "options", "permutations")),
    "python -m docs.tools.sizes areas",
    "python -m docs.tools.dsa_sizes areas",
)

#: Modules that synthesize whole cores, minutes each.
SYNTHESIZE = (
    *(f"python -m docs.tools.sizes {table}" for table in ("core", "summary")),
    *(f"python -m docs.tools.dsa_sizes {table}" for table in ("core", "small", "middle_core")),
)


def mark(command: str) -> list[pytest.MarkDecorator]:
    """When a block is made again: at once, by `make test`, or by `make test-full` alone."""
    if command in record.READERS:
        return []
    return [pytest.mark.slow if command in SYNTHESIZE else pytest.mark.long]


def quick(command: str) -> bool:
    """Whether a command only derives: other verbs simulate or synthesize, most modules do not."""
    derived = command.startswith(("python -m", "nttforge show")) and not record.measured(command)
    return derived and command not in SLOW and "show flow" not in command


@pytest.mark.parametrize(
    ("path", "command", "output"),
    [
        pytest.param(
            *block,
            marks=mark(block[1]),
            id=f"{name(block[0])}: {block[1]}",
        )
        for block in BLOCKS
        if quick(block[1])
    ],
)
def test_a_block_is_what_its_command_prints(path: Path, command: str, output: str) -> None:
    assert record.run(command) == output, f"python -m docs.tools.record {name(path)}"


@pytest.mark.parametrize(
    ("path", "command", "output"),
    [
        pytest.param(*block, id=f"{name(block[0])}: {block[1]}")
        for block in BLOCKS
        if record.measured(block[1])
    ],
)
def test_a_block_is_made_of_what_is_kept(path: Path, command: str, output: str) -> None:
    figure = record.kept(path)[command]
    assert record.block_of(figure) == output, f"python -m docs.tools.record --kept {name(path)}"


#: Why cycles stand without time: there is no clock that they would be divided by.
TIMELESS = {
    "nttforge explore": "on a device whose clock nobody here can find",
    "nttforge measure scalable-kyber": "128 butterflies, whose twins with fewer are placed",
    "nttforge measure ml-dsa-core --op": "beside the table of all operations, as built for ECP5",
    "nttforge measure ckks-14": "of whose blocks none is placed yet",
    "nttforge measure examples/loaded-products.toml": "whose stages alone are placed, on that page",
    "python -m benchmarks scaling": "to 32 butterflies a stage, of which few fit an ECP5",
}
_TIME = re.compile(r"\b(us|ms|MPoly/s|1000/s)\b")


def test_where_there_are_cycles_there_is_time() -> None:
    """Every table of `measure`, `explore` or the benchmarks with cycles, or the one beside it."""
    without = set()
    for path, command, _ in BLOCKS:
        if not command.startswith(
            ("nttforge measure", "nttforge explore", "python -m benchmarks ")
        ):
            continue
        tables = [block for block in record.kept(path)[command]["page"] if "columns" in block]
        columns = " | ".join(column for table in tables for column in table["columns"])
        if re.search("cycles|latency", columns) and not _TIME.search(columns):
            excused = [begin for begin in TIMELESS if command.startswith(begin)]
            assert excused, f"{name(path)}: {command} shows cycles and no time: --place"
            without |= {*excused}
    assert without == {*TIMELESS}, "one of these has time now"


@pytest.mark.long
def test_figures_are_kept_beside_the_page(tmp_path: Path) -> None:
    """Of a command that finds any: what it shows as data, and where it is from."""
    command = "nttforge explore goldilocks --sizes 10 --markdown"
    page = tmp_path / "page.md"
    page.write_text(f"<!-- {command} -->\nold\n<!-- end -->\n")
    assert record.main([str(page)]) == 0
    figure = record.kept(page)[command]
    assert figure["provenance"]["nttforge"] and figure["page"][0]["rows"]
    recorded = page.read_text()
    page.write_text(f"<!-- {command} -->\nold\n<!-- end -->\n")
    assert record.main(["--kept", str(page)]) == 0
    assert page.read_text() == recorded


@pytest.mark.long
def test_what_is_made_of_records_follows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "READERS", ("nttforge show registers",))
    (tmp_path / "docs").mkdir()
    reader, page = tmp_path / "docs" / "reader.md", tmp_path / "docs" / "page.md"
    reader.write_text("<!-- nttforge show registers -->\nold\n<!-- end -->\n")
    page.write_text("<!-- nttforge show keys -->\nold\n<!-- end -->\n")
    assert record.main(["--check", str(page)]) == 1
    assert "\nold\n" in reader.read_text()
    assert record.main([str(page)]) == 0
    assert "\nold\n" not in reader.read_text()


@pytest.mark.long
def test_recording_replaces_what_is_stale(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- nttforge show keys -->\nold\n<!-- end -->\nafter\n")
    assert record.main(["--check", str(page)]) == 1
    assert "old" in page.read_text()
    assert record.main([str(page)]) == 0
    assert reference() in page.read_text()
    assert record.main(["--check", str(page)]) == 0


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_every_page_is_in_the_index() -> None:
    folder = ROOT / "docs"
    index = (folder / "README.md").read_text("utf-8")
    named = {page.relative_to(folder).as_posix() for page in pages()} - {"README.md"}
    assert named
    assert named <= set(re.findall(r"\]\(([\w/-]+\.md)\)", index))
    assert len({page.stem for page in pages()}) == len(pages()), "figures are kept by a page's stem"


def test_every_design_is_an_answer_to_a_question() -> None:
    """Each of those that come with nttforge."""
    page = (ROOT / "docs" / "choose.md").read_text("utf-8")
    named = set(re.findall(r"`([a-z][a-z0-9-]+)`", page))
    assert {*design_names()} <= named


def test_files_of_a_folder_are_those_that_the_guide_names(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "integrator.md").read_text("utf-8")
    keys = {"name": "job", "rings": [{"n": 16, "q": 97}], "shell": {"instances": 1}}
    design = Design.model_validate(keys)
    generate(design, tmp_path / "job")
    found = {path.name for path in (tmp_path / "job").rglob("*")}
    suffixes = r"(?:sdc|xdc|tcl|cfg|xml|core|toml|f|vlt)"
    named = set(re.findall(rf"`((?:NAME|[a-z_]+)\.{suffixes})`", page))
    assert len(named) >= 10
    assert {name.replace("NAME", "job") for name in named} <= found


def test_every_key_has_a_meaning() -> None:
    for heading, model in tables():
        inner = {key.strip("[]") for key, _ in tables(model)} if not heading else set()
        known = {name for name, field in model.model_fields.items() if field.description}
        assert known == set(model.model_fields) - inner, heading


def test_designs_on_the_page_build() -> None:
    page = (ROOT / "docs" / "designs.md").read_text("utf-8")
    shown = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert shown
    for text in shown:
        build(Design.model_validate(tomllib.loads(text)))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_build(path: Path) -> None:
    design = load_design(str(path))
    assert design.name == path.stem
    assert f"examples/{path.name}" in (ROOT / "docs" / "designs.md").read_text("utf-8")
    core = build(design)
    assert f"module {core.name}" in render(core, design)[f"{core.name}.sv"]


def test_there_are_examples() -> None:
    assert EXAMPLES


def test_hints_name_packages_that_are_declared() -> None:
    """Also where nttforge itself is on no index: what is missing is named by its own name."""
    declared = (ROOT / "pyproject.toml").read_text("utf-8")
    named = {"missing": -1, "imported": 1, "import_oracle": 0}
    calls = [
        (named[getattr(call.func, "id", "")], call.args)
        for path in (ROOT / "src").rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", None) in named
    ]
    words = [args[at] if at >= 0 or len(args) > 2 else args[0] for at, args in calls]
    hints = " ".join(str(w.value) for w in words if isinstance(w, ast.Constant)).split()
    assert len(hints) >= 4
    assert all(f'"{package}>=' in declared for package in hints)
    assert not [p for p in PAGES if re.search("pip install '?nttforge", p.read_text("utf-8"))]
