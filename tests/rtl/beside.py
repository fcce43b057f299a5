# SPDX-License-Identifier: Apache-2.0
"""Defects of a design in one compiled model, each beside what is right: an input chooses."""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from nttforge.cache import design_files
from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared
from nttforge.hw import Core
from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.faulty import without_assertions

_SELECTOR = "mutants_pkg::chosen"
_PACKAGE = """\
package mutants_pkg;
  logic [7:0] chosen;
endpackage
"""


@dataclass(frozen=True)
class Mutant:
    """A defect: the expression `good` in `file` becomes `bad`.

    Attributes
    ----------
    before
        Declarations that `bad` needs, in front of the statement.
    symptom
        What the report must say.
    """

    file: str
    good: str
    bad: str
    symptom: str
    before: str = ""


def _spoil(sources: dict[str, str], mutants: Sequence[Mutant]) -> dict[str, str]:
    """The sources, by name, with every mutant beside what it replaces."""
    for number, mutant in enumerate(mutants, start=1):
        text, bad = sources[mutant.file], mutant.bad.replace("\\", r"\\")
        assert len(re.findall(mutant.good, text)) == 1, mutant
        text = re.sub(
            mutant.good,
            rf"(({_SELECTOR} == 8'd{number}) ? {{{bad}}} : {{\g<0>}})",
            text,
        )
        if mutant.before:
            at = text.rindex("\n", 0, text.rindex("assign", 0, text.index(mutant.bad))) + 1
            text = text[:at] + mutant.before + text[at:]
        sources[mutant.file] = text
    return sources


class MutantModel(CycleModel):
    """A model that drives the input which chooses the mutant."""

    mutant = 0

    def packed(self, inputs: Mapping[str, int]) -> int:
        return super().packed({**inputs, "mutant_i": self.mutant})


@contextmanager
def caught(model: MutantModel, mutants: Mapping[str, Mutant], name: str | None) -> Iterator[None]:
    """With the mutant of that name something inside fails; with none nothing does."""
    model.mutant = 0 if name is None else [*mutants].index(name) + 1
    try:
        yield
    except (AssertionError, FaultError):
        assert name is not None
    else:
        assert name is None


def with_mutants(
    prepared: Prepared[Core],
    ports: Ports,
    mutants: Sequence[Mutant],
    folder: Path,
    *,
    first: Sequence[Path] = (),
    assertions: bool = True,
) -> MutantModel:
    """Compile the design with all of them: number n is chosen by `mutant` = n + 1, none by 0.

    Files that are compiled `first` may be settings of the simulator.
    An assertion that fails ends the process: without them a mutant that breaks one goes on.
    """
    copy = folder / "design"
    shutil.copytree(prepared.folder, copy)
    library = {mutant.file: (copy / "rtl" / mutant.file).read_text() for mutant in mutants}
    for name, text in _spoil(library, mutants).items():
        (copy / "rtl" / name).write_text(text)
    top = copy / f"{prepared.core.name}.sv"
    text = top.read_text().replace("clk_i,", "clk_i,\n  input logic [7:0] mutant_i,", 1)
    end = f"  always_comb {_SELECTOR} = mutant_i;\nendmodule"
    top.write_text(text.replace("endmodule", end))
    package = folder / "mutants_pkg.sv"
    package.write_text(_PACKAGE)
    chosen = replace(ports, inputs={**ports.inputs, "mutant_i": 8})
    # The wrapper does not know the input that chooses.
    sources = [*first, package, *(p for p in design_files(copy) if p.suffix == ".sv")]
    if not assertions:
        sources.insert(0, without_assertions(folder))
    return MutantModel.build(folder / "model", sources, prepared.core.name, chosen)
