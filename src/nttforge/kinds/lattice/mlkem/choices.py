# SPDX-License-Identifier: Apache-2.0
"""Area (Yosys) and cycles (simulation) of the coprocessor's parameters: `nttforge show options`."""

from dataclasses import dataclass

from nttforge.flow.prepare import Prepared, Progress, prepare_any, silent
from nttforge.hw import Core
from nttforge.kinds.lattice.bus import open_core, request_of
from nttforge.kinds.lattice.mlkem.build import coprocessor_design
from nttforge.kinds.lattice.mlkem.measure import seeded, usual_seed
from nttforge.kinds.lattice.mlkem.program import OPERATIONS, SETS
from nttforge.results import Listing
from nttforge.synthesize.yosys import synthesize
from nttforge.table import Cell


@dataclass(frozen=True)
class Option:
    """A choice of parameters: rounds a cycle, Keccak cores, butterflies a stage."""

    rounds: int = 1
    cores: int = 1
    butterflies: int = 2


#: The default, and what each parameter changes.
OPTIONS = (
    Option(),
    Option(butterflies=4),
    Option(butterflies=1),
    Option(rounds=2),
    Option(rounds=2, butterflies=4),
    Option(cores=2),
    Option(cores=2, butterflies=4),
    Option(cores=4, butterflies=4),
    Option(rounds=2, cores=4, butterflies=4),
)


def _prepared(option: Option) -> Prepared[Core]:
    return prepare_any(coprocessor_design(option.rounds, option.butterflies, option.cores))


def cycles(option: Option) -> dict[str, tuple[int, ...]]:
    """Cycles of KeyGen, Encaps and Decaps, by parameter set, without stalls."""
    coprocessor = open_core(_prepared(option))
    result = {}
    for p in SETS:
        values = seeded(p, *(3 * [usual_seed(p)]))
        result[p.name] = tuple(
            coprocessor.run(request_of(operation, p, values)).cycles for operation in OPERATIONS
        )
    return result


def area(option: Option) -> dict[str, int]:
    """Area on UltraScale+."""
    prepared = _prepared(option)
    return synthesize(prepared.folder, prepared.core.name, "xcup").counts


def listing(areas: bool = True, progress: Progress = silent) -> Listing:
    """The options, a row each; with areas if they are wanted, which take hours."""
    columns = ("lut_total", "dsp", "bram18") if areas else ()
    rows: list[list[Cell]] = []
    for option in OPTIONS:
        progress(str(option))
        found = (" / ".join(map(str, each)) for each in cycles(option).values())
        counts = area(option) if areas else {}
        given = (option.rounds, option.cores, option.butterflies)
        rows.append([*given, *found, *(counts[column] for column in columns)])
    return Listing(
        title="The coprocessor's parameters: cycles of KeyGen, Encaps and Decaps, and area",
        columns=["rounds", "cores", "butterflies", *(p.name for p in SETS), *columns],
        rows=rows,
    )
