# SPDX-License-Identifier: Apache-2.0
"""Who imports what: modules of the package, of the tests and of the pages' tools, from their text.

`python -m tests.imports` prints the files of tests that a change may break. The change is what
differs from the branch `main`, or from a commit that is given, and what is not committed (at the
tip of `main` with nothing uncommitted: the last commit). A module breaks the tests that import it,
directly or not. Kinds of cores are imported by name alone, so a kind's module also breaks tests
that name its family or its designs. A file of SystemVerilog breaks tests that name it, or a module
with an instance of it, and those of the kinds whose cores have it. Anything else breaks the tests
that name the file.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE, TESTS = ROOT / "src" / "nttforge", ROOT / "tests"
_ROOTS = {
    PACKAGE: "nttforge",
    TESTS: "tests",
    ROOT / "docs": "docs",
    ROOT / "benchmarks": "benchmarks",
}
_KINDS = PACKAGE / "kinds"
#: What every test stands on.
EVERYTHING = ("pyproject.toml", "tests/conftest.py", "tests/marks.py")
#: What is new elsewhere is not the project's: designs and folders that a user has made.
FOLDERS = ("benchmarks", "docs", "examples", "rtl", "src", "tests")
#: By suffix: tests that look at all such files.
ALWAYS = {
    ".py": ("tests/test_style.py", "tests/docs/test_floors.py", "tests/docs/test_rooms.py"),
    ".sv": ("tests/test_style.py", "tests/docs/test_rooms.py"),
    ".md": ("tests/docs/test_pages.py", "tests/docs/test_figures.py"),
}


def module_of(path: Path) -> str:
    """A module's name: of a folder's `__init__.py` the folder's."""
    root, first = next((r, n) for r, n in _ROOTS.items() if path.is_relative_to(r))
    parts = (first, *path.relative_to(root).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> Mapping[str, Path]:
    """Name -> file of every module."""
    return {module_of(path): path for root in _ROOTS for path in sorted(root.rglob("*.py"))}


def imported(tree: ast.AST, names: Container[str]) -> Iterator[str]:
    """Of these modules those that a module imports: anywhere, for types alone or in functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield from [name for name in (inner, node.module) if name in names][:1]


@cache
def tree(path: Path) -> ast.Module:
    """A module, parsed once."""
    return ast.parse(path.read_text("utf-8"))


def reached(module: str, arrows: Mapping[str, Iterable[str]]) -> set[str]:
    """Modules that importing one imports, directly or not; itself too."""
    found, left = set[str](), [module]
    while left:
        if (name := left.pop()) not in found:
            found.add(name)
            left += arrows.get(name, ())
    return found


@cache
def tests() -> Mapping[str, set[str]]:
    """File of tests -> modules that it imports, directly or not."""
    known = modules()
    arrows = {
        name: {*imported(tree(path), known)} | ({name.rpartition(".")[0]} & {*known})
        for name, path in known.items()
    }
    return {
        path.relative_to(ROOT).as_posix(): reached(name, arrows)
        for name, path in known.items()
        if path.name.startswith("test_")
    }


def words_of(path: Path) -> set[str]:
    """Words of a file, with the hyphens that names of designs have."""
    return {*re.findall(r"\w+(?:[-.]\w+)*|\w+", path.read_text("utf-8", errors="replace"))}


@cache
def _vocabulary() -> Mapping[str, set[str]]:
    """File of tests -> words of it, of files beside it and of what it imports of the tests."""
    suffixes = {".py", ".sv", ".cpp", ".toml"}
    words = {path: words_of(path) for path in TESTS.rglob("*") if path.suffix in suffixes}
    plain = {
        p: w | {part for word in w for part in re.split(r"\W", word)} for p, w in words.items()
    }
    known = modules()
    found = {}
    for test, used in tests().items():
        files = {known[name] for name in used if name.startswith("tests.")}
        beside = {path for path in plain if path.parent == (ROOT / test).parent}
        files |= {path for path in beside if path.suffix != ".py"}
        found[test] = set[str]().union(*(plain[path] for path in files))
    return found


def naming(names: Iterable[str]) -> set[str]:
    """Files of tests that have one of these words."""
    wanted = {*names}
    return {test for test, words in _vocabulary().items() if words & wanted}


@cache
def kinds() -> Mapping[str, set[str]]:
    """Folder of a kind -> words by which tests ask for such a core."""
    found: dict[str, set[str]] = {}
    for folder in (path.parent for path in _KINDS.glob("*/build.py")):
        found[folder.name] = {folder.name}
    families = {"pipeline": "stream", "mlkem": "lattice", "mldsa": "lattice", "pqc": "lattice"}
    for family, kind in families.items():
        found[kind].add(family)
    for path in (PACKAGE / "designs").glob("*.toml"):
        said = re.findall(r'^family = "(\w+)"', path.read_text("utf-8"), re.MULTILINE)
        name = said[0] if said else "pipeline"
        found[families.get(name, name)].add(path.stem)
    found["stream"].add("parse_design")  # what a design is that names no family
    return found


@cache
def _hardware() -> tuple[Mapping[str, set[str]], Mapping[str, set[str]]]:
    """Module of rtl/ -> words of its file; kind -> words of its Python and its templates."""
    rtl = {path.stem: words_of(path) for path in (ROOT / "rtl").rglob("*.sv")}
    emitted = {
        kind: set[str]().union(
            *(
                words_of(path)
                for path in (_KINDS / kind).rglob("*")
                if path.suffix in {".py", ".j2"}
            )
        )
        for kind in kinds()
    }
    return rtl, emitted


def of_hardware(module: str) -> set[str]:
    """Files of tests that use a module of rtl/."""
    rtl, emitted = _hardware()
    users = {name: {other for other, words in rtl.items() if name in words} for name in rtl}
    above = reached(module, users)
    asked = [kinds()[kind] for kind, words in emitted.items() if words & above]
    return naming(above.union(*asked))


def of_file(file: str) -> set[str]:
    """Files of tests that a change of one file, by its path from the root, may break."""
    path = ROOT / file
    if file in EVERYTHING:
        return {*tests()}
    found = {*ALWAYS.get(path.suffix, ())}
    if path.suffix == ".sv":
        return found | of_hardware(path.stem)
    if path.is_relative_to(_KINDS) and len(path.relative_to(_KINDS).parts) > 1:
        found |= naming(kinds().get(path.relative_to(_KINDS).parts[0], ()))
    if path.suffix == ".py" and any(path.is_relative_to(root) for root in _ROOTS):
        return found | {test for test, used in tests().items() if module_of(path) in used}
    return found | naming([path.name])


def affected(changed: Iterable[str]) -> list[str]:
    """Files of tests that these changed files may break."""
    found = set[str]().union(*map(of_file, changed))
    return sorted(test for test in found if (ROOT / test).is_file())


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def changed_files(base: str = "") -> list[str]:
    """What differs from where this branch left `base`, uncommitted and new files too.

    By default `base` is main; at main's tip with nothing uncommitted it is the commit before.
    """
    new = _git("ls-files", "--others", "--exclude-standard", *FOLDERS)
    if not base:
        main = _git("for-each-ref", "--format=%(objectname)", "refs/heads/main")
        head = _git("rev-parse", "HEAD")
        clean = not new and not _git("diff", "--name-only", "HEAD")
        base = "main" if main and main != head else "HEAD~" if clean else "HEAD"
    since = _git("merge-base", base, "HEAD")[0]
    return sorted({*_git("diff", "--name-only", since), *new})


if __name__ == "__main__":
    print("\n".join(affected(changed_files(*sys.argv[1:2]))))
