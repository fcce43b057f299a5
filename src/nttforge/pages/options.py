# SPDX-License-Identifier: Apache-2.0
"""Area against cycles for the coprocessor's parameters: `python -m nttforge.pages.options`.

Cycles are observed in simulation, areas are Yosys's. `--cycles` leaves the areas out.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nttforge.errors import NttforgeError
from nttforge.families import MlkemCore
from nttforge.families.mlkem.build import coprocessor_design
from nttforge.families.mlkem.program import OPERATIONS, SETS
from nttforge.flow.mlkem.measure import operation_inputs, usual_seed
from nttforge.flow.prepare import Prepared, prepare_mlkem
from nttforge.synthesize.yosys import synthesize


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


def _prepared(option: Option) -> Prepared[MlkemCore]:
    return prepare_mlkem(coprocessor_design(option.rounds, option.butterflies, option.cores))


def cycles(option: Option) -> dict[str, tuple[int, ...]]:
    """Cycles of KeyGen, Encaps and Decaps, by parameter set, without stalls."""
    coprocessor = _prepared(option).coprocessor()
    result = {}
    for p in SETS:
        seed = usual_seed(p)
        inputs = operation_inputs(coprocessor, p, seed, seed, seed)
        result[p.name] = tuple(
            coprocessor.run(operation, p, *inputs[operation]).cycles for operation in OPERATIONS
        )
    return result


def area(option: Option) -> dict[str, int]:
    """Area on UltraScale+."""
    prepared = _prepared(option)
    return synthesize(prepared.folder, prepared.core.name, "xcup").counts


def table(options: Sequence[Option], *, areas: bool = True) -> Iterator[str]:
    """The options as Markdown, a line each as soon as it is known."""
    columns = ("lut_total", "dsp", "bram18") if areas else ()
    titles = ["rounds", "cores", "butterflies", *(p.name for p in SETS), *columns]
    yield f"| {' | '.join(titles)} |"
    yield f"|{'---:|' * len(titles)}"
    for option in options:
        cells = [str(option.rounds), str(option.cores), str(option.butterflies)]
        cells += [" / ".join(map(str, found)) for found in cycles(option).values()]
        counts = area(option) if areas else {}
        cells += [f"{counts[column]:,}" for column in columns]
        yield f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m nttforge.pages.options",
        description="Print area against cycles for the ML-KEM coprocessor's parameters.",
    )
    parser.add_argument("--cycles", action="store_true", help="leave the areas out")
    options = parser.parse_args(arguments)
    try:
        for line in table(OPTIONS, areas=not options.cycles):
            print(line, flush=True)
    except NttforgeError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
