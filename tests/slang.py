# SPDX-License-Identifier: Apache-2.0
"""slang as a linter, in a process of its own: Yosys brings a slang, and a process bears but one."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pyslang

from nttforge.rtl_library import rtl_root

STRICT = rtl_root() / "slang.f"


@cache
def _apart() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


def complaints(sources: Sequence[Path], top: str, options: Path = STRICT) -> list[str]:
    """slang's warnings and errors about an elaborated design, and parameters that are too wide.

    IEEE 1800 promises no more than 65,536 bits of a packed array.
    """
    return _apart().submit(_complaints, sources, top, options).result()


#: Most of a design.
_WITHOUT_PARAMETERS = (pyslang.ast.Expression, pyslang.ast.ProceduralBlockSymbol)


def _complaints(sources: Sequence[Path], top: str, options: Path) -> list[str]:
    """What :func:`complaints` finds."""
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    files = " ".join(str(source) for source in sources)
    assert driver.parseCommandLine(f"slang -f {options} {files} --top {top}")
    assert driver.processOptions() and driver.parseAllSources()
    design = driver.createCompilation()
    driver.reportCompilation(design, True)
    driver.runAnalysis(design)
    counts = {"errors": driver.diagEngine.numErrors, "warnings": driver.diagEngine.numWarnings}
    found = [f"{count} {kind}" for kind, count in counts.items() if count]

    met: dict[str, list[Any]] = {}  # module -> its instances that differ

    def visit(symbol: object) -> pyslang.ast.VisitAction:
        if isinstance(symbol, _WITHOUT_PARAMETERS):
            return pyslang.ast.VisitAction.Skip
        if isinstance(symbol, pyslang.ast.InstanceBodySymbol):
            alike = met.setdefault(symbol.name, [])
            if any(symbol.hasSameType(other) for other in alike):
                return pyslang.ast.VisitAction.Skip
            alike.append(symbol)
        if isinstance(symbol, pyslang.ast.ParameterSymbol) and symbol.type.bitWidth > 1 << 16:
            found.append(f"{symbol.hierarchicalPath} has {symbol.type.bitWidth} bits")
        return pyslang.ast.VisitAction.Advance

    design.getRoot().visit(visit)
    for package in design.getPackages():
        package.visit(visit)
    return found


def elaboration_errors(tops: Sequence[tuple[Sequence[Path], str]]) -> list[list[str]]:
    """Errors of each text, which has a module `top` above those of its sources."""
    return _apart().submit(_elaboration_errors, tops).result()


def _elaboration_errors(tops: Sequence[tuple[Sequence[Path], str]]) -> list[list[str]]:
    """What :func:`elaboration_errors` finds. A source is parsed once."""
    files, options = pyslang.SourceManager(), pyslang.ast.CompilationOptions()
    options.topModules = {"top"}
    bag = pyslang.Bag()
    bag.compilationOptions = options
    parse = pyslang.syntax.SyntaxTree
    parsed: dict[Path, Any] = {}

    def errors(sources: Sequence[Path], text: str) -> list[str]:
        design = pyslang.ast.Compilation(bag)
        for source in sources:
            if source not in parsed:
                parsed[source] = parse.fromFile(str(source), files)
            design.addSyntaxTree(parsed[source])
        design.addSyntaxTree(parse.fromText(text, files))
        engine = pyslang.DiagnosticEngine(files)
        return [engine.formatMessage(d) for d in design.getAllDiagnostics() if d.isError()]

    return [errors(*top) for top in tops]
