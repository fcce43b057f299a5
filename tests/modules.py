# SPDX-License-Identifier: Apache-2.0
"""The status of each module of rtl/: who uses it, what is proved of it, what tests have seen of it.

`python -m tests.modules` prints it, `python -m tests.modules sizes` how large they are. Families
and instances are read from what is emitted and from the library, proofs from the tests that make
them, lines that run and defects that are killed from the records of `tests.coverage` and
`tests.mutation`.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import median
from typing import Any

import pyslang

from nttforge.design import parse_design
from nttforge.hw import build
from nttforge.rtl_library import rtl_root
from tests import coverage
from tests.mutation import score
from tests.tally import markdown

TESTS = Path(__file__).parent
#: Rooms with what stands around the library.
BESIDE = ("bench", "examples")
#: The least design of each family, and of a shell.
SMALL: dict[str, dict[str, Any]] = {
    "pipeline": {"rings": [{"n": 16, "q": 97}]},
    "loaded": {"rings": [{"n": 16, "q": "runtime", "bits": 12}]},
    "iterative": {"rings": [{"n": 16, "q": 97}], "family": "iterative"},
    "decomposed": {
        "rings": [{"q": 7681}],
        "family": "decomposed",
        "decomposed": {"l_max": 6, "n": 16, "t": 4},
    },
    "mlkem": {"family": "lattice"},
    "mldsa": {"family": "lattice", "lattice": {"standards": ["ml-dsa"]}},
    "pqc": {"family": "lattice", "lattice": {"standards": ["ml-kem", "ml-dsa"]}},
    "rns": {"rings": [{"n": 16, "q": "runtime", "bits": 12, "moduli": 2}], "family": "rns"},
    "shell": {"rings": [{"n": 16, "q": 97}], "shell": {}},
}


def modules() -> list[Path]:
    """Modules of the library that are hardware, as files, by room and name."""
    files = (path.relative_to(rtl_root()) for path in rtl_root().glob("*/*.sv"))
    return sorted(
        path for path in files if path.parent.name not in BESIDE and not path.stem.endswith("_pkg")
    )


def families() -> dict[str, list[str]]:
    """File -> families whose designs have it."""
    used: dict[str, list[str]] = {}
    for family, own in SMALL.items():
        for source in build(parse_design({"name": "dut"} | own, "status")).sources:
            used.setdefault(source, []).append(family)
    return used


def instances() -> dict[str, int]:
    """Module -> modules of the library that have an instance of it."""
    texts = [(rtl_root() / path).read_text("utf-8") for path in modules()]
    made = [set(re.findall(r"^ *(\w+) +(?:#\(|u_)", text, re.MULTILINE)) for text in texts]
    return {path.stem: sum(path.stem in names for names in made) for path in modules()}


def _proofs() -> Iterator[tuple[str, str]]:
    """Tests that prove something, and all that they elaborate for it."""
    for path in sorted((*TESTS.glob("formal/test_*.py"), *TESTS.glob("rtl/test_*formal*.py"))):
        text = path.read_text("utf-8")
        tops = [p for p in TESTS.glob("formal/*_proof.sv") if p.stem.split("_")[0] in text]
        yield path.stem, text + "".join(top.read_text("utf-8") for top in tops)


def proofs() -> dict[str, list[str]]:
    """Module -> tests that prove something of it itself, by name or as an instance of a proof."""
    found: dict[str, list[str]] = {}
    texts = list(_proofs())
    for name in (path.stem for path in modules()):
        own = re.compile(rf"^ *{name} (?:#\(|u_)|[\"']{name}(?:\.sv)?[\"']", re.MULTILINE)
        found[name] = [test for test, text in texts if own.search(text)]
    return found


def rows() -> list[tuple[str, ...]]:
    """A line a module."""
    used, inside, proved = families(), instances(), proofs()
    covered, mutants = coverage.recorded(), score.recorded()
    lines: list[tuple[str, ...]] = []
    for path in modules():
        room, name = path.parent.name, path.stem
        missed = coverage.missed_of(covered.get(room, {}), str(path))
        caught = score.of_module(mutants.get(room, {}), str(path))
        lines.append(
            (
                f"`{room}/{name}`",
                "all"
                if len(used.get(str(path), ())) == len(SMALL)
                else ", ".join(used.get(str(path), ())),
                ", ".join(f"`{test}`" for test in proved[name]),
                "not recorded" if missed is None else "all but " + missed if missed else "all",
                "{} of {}".format(*caught) if caught else "not recorded",
                str(inside[name]),
            )
        )
    return lines


@dataclass(frozen=True)
class Size:
    """What a reader of a module has to hold in the head."""

    lines: int
    parameters: int
    ports: int


#: What a module may have: lines and ports that one looks over, parameters that fit on a screen.
MOST = Size(350, 12, 25)
KINDS = tuple(field.name for field in fields(Size))


def _named(nodes: Any) -> list[Any]:
    """Of a list in slang's syntax what is no comma."""
    return [node for node in nodes if not isinstance(node, pyslang.parsing.Token)]


def sizes() -> dict[str, Size]:
    """Module -> its lines, parameters that users set, and ports."""
    found = {}
    for path in modules():
        tree = pyslang.syntax.SyntaxTree.fromFile(str(rtl_root() / path))  # nodes die with it
        root: Any = tree.root
        kind = pyslang.syntax.SyntaxKind.ModuleDeclaration
        module = next(node for node in (root, *getattr(root, "members", ())) if node.kind == kind)
        given, ports = module.header.parameters, module.header.ports
        listed = _named(given.declarations) if given else []
        found[path.stem] = Size(
            len((rtl_root() / path).read_text("utf-8").splitlines()),
            sum(len(_named(d.declarators)) for d in listed if d.keyword.valueText == "parameter"),
            len(_named(ports.ports)) if ports else 0,
        )
    return found


def beyond(found: Mapping[str, Size]) -> dict[str, list[str]]:
    """Modules that are larger than they may be: lines, parameters, ports."""
    return {
        kind: sorted(name for name, size in found.items() if getattr(size, kind) > most)
        for kind, most in asdict(MOST).items()
    }


def shown(found: Mapping[str, Size]) -> str:
    """All in all, in the median, at most, and where that is."""
    larger = beyond(found)
    lines = []
    for kind in KINDS:
        values = {name: getattr(size, kind) for name, size in found.items()}
        top = max(values, key=lambda name: values[name])
        middle = f"{median(values.values()):g}"
        numbers = (f"{sum(values.values()):,}", middle, values[top], f"`{top}`")
        lines.append((kind, *numbers, getattr(MOST, kind), len(larger[kind])))
    head = ("a module's", "in all", "median", "most", "of", "shall be", "larger")
    return markdown(head, lines)


def main() -> int:
    """Print a table."""
    if sys.argv[1:] == ["sizes"]:
        print(shown(sizes()))
        return 0
    head = ("module", "families", "proved by", "lines run", "defects killed", "modules that use it")
    print(markdown(head, rows(), 5))
    return 0


if __name__ == "__main__":
    sys.exit(main())
