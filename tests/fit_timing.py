# SPDX-License-Identifier: Apache-2.0
"""The timing model of ECP5 against routed designs: `python -m tests.fit_timing`.

Prints the estimate beside what nextpnr reaches for each reference, as Markdown: modules of the
library alone, which take seconds each, or designs of nttforge with `--designs`, which take minutes.
With `--write` it first fits the model's wires anew to the nets of the routed critical paths, then
scales them so that estimated and routed periods agree in the mean, and writes them into
`ecp5_timing.json`. Placements are kept, so a second run costs next to nothing.
"""

import argparse
import json
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import prepare_any
from nttforge.flow.synth import CLOCK_SEEDS as SEEDS
from nttforge.rtl_library import alone
from nttforge.synthesize.nextpnr import PathSegment, place_and_route
from nttforge.synthesize.operand_registers import moved
from nttforge.synthesize.timing import DATA, Delays, Module, TimingGraph, delays, is_far
from nttforge.synthesize.yosys import Synthesis, synthesize

_INDEX = re.compile(r"^(.*)\[(\d+)\]$")


@dataclass(frozen=True)
class Reference:
    """A design that is placed whole, or a module of the library alone.

    Attributes
    ----------
    name
        Of a design as :func:`load_design` takes it, or of a module.
    settings
        Keys of the design; None for a module.
    """

    name: str
    settings: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        words = [f"--set {key}={value}" for key, value in (self.settings or {}).items()]
        return " ".join([self.name, *words])

    def map(self) -> Synthesis:
        """Map it for ECP5, as it is placed."""
        if self.settings is None:
            with alone(self.name) as folder:
                return moved(synthesize(folder, self.name, "ecp5", part=self.name))
        prepared = prepare_any(load_design(self.name, {**self.settings, "target": "ecp5"}))
        return moved(synthesize(prepared.folder, prepared.core.name, "ecp5"))


MODULES = tuple(
    Reference(name)
    for name in (
        *("mlkem_reduce", "basemul", "compress", "byte_decode", "byte_encode", "sponge_absorb"),
        *("sample_uniform", "axi_writer", "pass_scheduler"),
    )
)
DESIGNS = (
    Reference("ml-dsa", {"family": "iterative"}),
    Reference("ml-dsa", {"family": "iterative", "iterative.butterflies": 4}),
    Reference("mlkem-mldsa", {}),
    Reference("mlkem-mldsa-fast", {}),
    Reference("mlkem-mldsa-seamless", {}),
)


@dataclass(frozen=True)
class Routed:
    """A reference that was placed: its netlist, period, and the wires of its critical path.

    Attributes
    ----------
    wires
        Of each: 1, logarithm of its sinks, number of ends that are far; and its delay.
    """

    reference: Reference
    module: Module
    period_ns: float
    wires: list[tuple[float, float, float, float]]

    def estimate(self, grade: Delays) -> float:
        """The estimated period in ns."""
        return next(TimingGraph(self.module, grade).slowest())[0]


def routed(reference: Reference) -> Routed:
    """Place a reference with each seed, or take what is kept, and choose the best.

    Raises
    ------
    NttforgeError
        If a tool is missing or fails.
    """
    mapped = reference.map()
    placed = max(
        (place_and_route(mapped.netlist, seed=seed) for seed in SEEDS), key=lambda p: p.fmax_mhz
    )
    module = mapped.module()
    wires = _wires(TimingGraph(module, delays(8)), module, placed.critical_path)
    return Routed(reference, module, 1000 / placed.fmax_mhz, wires)


def _wires(
    graph: TimingGraph, module: Module, path: Sequence[PathSegment]
) -> list[tuple[float, float, float, float]]:
    wires = []
    for segment in path:
        bit = _bit(module, segment.net)
        if segment.kind == "routing" and bit is not None and segment.delay_ns:
            sink = segment.sink.rpartition(".")[0].partition("$")[0]
            kinds = graph.driver_kind(bit), module["cells"].get(sink, {"type": ""})["type"]
            far = float(sum(map(is_far, kinds)))
            wires.append((1.0, math.log2(graph.fanout(bit)), far, segment.delay_ns))
    return wires


def _bit(module: Module, net: str) -> int | None:
    """The bit of a net that nextpnr calls by its name and index."""
    names = module["netnames"]
    if net in names:
        return _first(names[net]["bits"], 0)
    match = _INDEX.match(net)
    if match and match[1] in names:
        word = names[match[1]]
        return _first(word["bits"], int(match[2]) - word.get("offset", 0))
    return None


def _first(bits: Sequence[int | str], index: int) -> int | None:
    bit = bits[index] if index < len(bits) else None
    return bit if isinstance(bit, int) else None


def fit(found: Sequence[Routed], grade: Delays) -> Delays:
    """Wires that explain the routed nets best, and then the periods."""
    rows = np.array([wire for each in found for wire in each.wires])
    solution, *_ = np.linalg.lstsq(rows[:, :3], rows[:, 3], rcond=None)
    route = dict(zip(("base", "log2_fanout", "far"), np.maximum(solution, 0), strict=True))
    for _ in range(4):
        grade = replace(grade, route=route)
        wires = replace(grade, route=dict.fromkeys(route, 0.0))
        ratio = []
        for each in found:
            cells = each.estimate(wires)  # of another path perhaps, so that this is done again
            ratio.append((each.period_ns - cells) / (each.estimate(grade) - cells))
        scale = float(np.mean(ratio))
        route = {name: value * scale for name, value in route.items()}
    return replace(grade, route={name: round(float(value), 3) for name, value in route.items()})


def table(found: Sequence[Routed], grade: Delays) -> Iterator[str]:
    """Estimate beside nextpnr's result as Markdown."""
    yield "| | cells | estimated, ns | routed, ns | routed, MHz | error |"
    yield "|---|---:|---:|---:|---:|---:|"
    for each in found:
        estimate = each.estimate(grade)
        error = estimate / each.period_ns - 1
        yield (
            f"| `{each.reference}` | {len(each.module['cells']):,} | {estimate:.2f} "
            f"| {each.period_ns:.2f} | {1000 / each.period_ns:.1f} | {error:+.1%} |"
        )


def _write(grade: Delays) -> None:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    before = data["speed"]["8"]["route"]
    for speed in data["speed"].values():  # the other grades keep their ratio to this one
        speed["route"] = {
            name: round(value * speed["route"][name] / before[name], 3) if before[name] else value
            for name, value in grade.route.items()
        }
    cells = data["provenance"].partition(" Wires:")[0]
    data["provenance"] = f"{cells} Wires: python -m tests.fit_timing --write, of grade 8."
    DATA.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fit_timing",
        description="Print the estimated clock of routed designs beside the routed one.",
    )
    parser.add_argument("--write", action="store_true", help="fit the wires anew")
    parser.add_argument("--designs", action="store_true", help="designs instead of modules")
    parser.add_argument("--only", default="", metavar="TEXT", help="references that contain this")
    options = parser.parse_args(arguments)
    try:
        references = DESIGNS if options.designs else MODULES
        chosen = [each for each in references if options.only in str(each)]
        found = [routed(each) for each in chosen]
        grade = delays(8)
        if options.write:
            grade = fit(found, grade)
            _write(grade)
        for line in table(found, grade):
            print(line, flush=True)
    except NttforgeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
