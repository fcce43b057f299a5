# SPDX-License-Identifier: Apache-2.0
"""What a release carries: one version, one place of addresses, tasks and files that are there."""

import re
import subprocess
import tomllib
from pathlib import Path

from nttforge import __version__

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
_ADDRESS = re.compile(r"https?://(?:www\.)?example\.org/nttforge")


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def tracked() -> list[str]:
    done = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines()


def test_the_version_has_one_source() -> None:
    """And two files that other tools read, which say the same."""
    assert PROJECT["project"]["dynamic"] == ["version"] and "version" not in PROJECT["project"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/nttforge/version.py"
    assert f"\nversion: {__version__}\n" in text("CITATION.cff")
    assert f"\nname: nttforge:rtl:library:{__version__}\n" in text("rtl/nttforge.core")


def test_the_list_of_changes_has_the_version_and_its_date() -> None:
    dated = dict(re.findall(r"^## (\S+) - (\d{4}-\d\d-\d\d)$", text("CHANGELOG.md"), re.MULTILINE))
    assert __version__ in dated
    assert f"\ndate-released: {dated[__version__]}\n" in text("CITATION.cff")


def test_addresses_are_in_one_place() -> None:
    urls = PROJECT["project"]["urls"]
    assert all(_ADDRESS.match(url) for url in urls.values())
    others = [
        name
        for name in tracked()
        if name != "pyproject.toml"
        and Path(name).suffix in {".md", ".py", ".toml", ".yml", ".cff", ".core", ".j2", ".json"}
        and _ADDRESS.search(text(name))
    ]
    assert not others


def test_first_tasks_begin_in_files_that_are_there() -> None:
    page = text("CONTRIBUTING.md").partition("## First tasks")[2]
    rows = [row.split(" | ") for row in re.findall(r"^\| (.*) \|$", page, re.MULTILINE)][1:]
    assert len(rows) == 10
    for _, begin, tested in rows:
        files = [name for name in re.findall(r"`([^`]+)`", begin + tested) if "/" in name]
        assert files or "python -m" in tested
        assert all((ROOT / name).exists() for name in files), files


def test_workflows_run_what_the_makefile_has() -> None:
    targets = {*re.findall(r"^([\w-]+):", text("Makefile"), re.MULTILINE)}
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        runs = re.findall(r"run: make ([\w-]+)", path.read_text("utf-8"))
        assert {*runs} <= targets and runs
    assert text(".ci/run").rstrip().endswith("\nmake test")


def test_the_slow_tests_of_each_night_are_all() -> None:
    """Every file of tests is in one of the parts that the workflow runs."""
    part = text(".github/workflows/test.yml").partition("room:")[2].partition("steps:")[0]
    rooms = [
        pattern
        for line in re.findall(r"- (tests/.*)$", part, re.MULTILINE)
        for pattern in line.split()
    ]
    files = {path for path in (ROOT / "tests").rglob("test_*.py") if "toy" not in path.parts}
    for room in rooms:
        found = {*ROOT.glob(room)}
        assert found, room
        files -= {path for path in files if found & {path, *path.parents}}
    assert not files
