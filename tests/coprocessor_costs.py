# SPDX-License-Identifier: Apache-2.0
"""Measures the coprocessors that `explore` compares: `python -m tests.coprocessor_costs`.

Their keys are those of :func:`grid`. Cycles of ML-KEM and of narrower cores are observed in
simulation, without stalls, but for Sign, whose mean is derived; other ones of ML-DSA are means that
pages record, of several hundred signatures. So are areas of the fast ones; `SYNTHESIZED` says what
else is mapped for which target. All is kept in `kinds/lattice/sizes.json` as it comes; what is
there is not measured again.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from docs.tools.record import blocks
from nttforge.design import Design, load_design, parse_design
from nttforge.designs import (
    DSA_KEYS,
    DSA_MIDDLE,
    DSA_SMALL,
    DSA_VERIFIER,
    KEM_MIDDLE,
    KEM_SMALL,
    PQC_MIDDLE,
    PQC_SMALL,
)
from nttforge.flow.prepare import prepare_any, prepare_kind
from nttforge.flow.synth import synth
from nttforge.kinds.lattice.bus import open_core
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import measure_standard
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.small.signing.cycles import mean_cycles
from nttforge.kinds.lattice.sizes import MEASURED, key_of
from nttforge.kinds.lattice.standard import part
from nttforge.output import write_text
from nttforge.provenance import Provenance

DOCS = Path(__file__).parents[1] / "docs"
#: Operations that are compared.
OPERATIONS = ("keygen", "encaps", "decaps", "sign", "verify")
KEM, DSA, BOTH = ["ml-kem"], ["ml-dsa"], ["ml-kem", "ml-dsa"]
_VERIFIER = {"standards": DSA, "width": 4, "operations": "verify"}
_KEYS = {"standards": DSA, "width": 4, "operations": "keygen_verify"}
_SIGNS = {"standards": DSA, "width": 4}
_SMALL_KEYS = {"standards": BOTH, "width": 4, "operations": "keygen_verify"}
_SMALL = {"standards": BOTH, "width": 4}
_MIDDLE_SIGNS = {"standards": DSA, "transform": "iterative"}
_MIDDLE = {"standards": BOTH, "transform": "iterative"}
_FACTORS = ("rounds_per_cycle", (1, 2)), ("butterflies", (1, 2, 4)), ("keccak_cores", (1, 2, 4))
#: Of coprocessors of ML-DSA: operation -> page and command whose table has it.
_TWO = "--set lattice.rounds_per_cycle=2"
_SCHEDULE = "appendix/ml-dsa-schedule.md"
RECORDED: Mapping[int, Mapping[str, tuple[str, str]]] = {
    1: {
        "keygen": ("appendix/lattice.md", "nttforge measure ml-dsa-core --runs 20 "),
        "verify": ("appendix/lattice.md", "nttforge measure ml-dsa-core --runs 20 "),
        "sign": ("appendix/lattice.md", "nttforge measure ml-dsa-core --op sign --runs 500 "),
    },
    2: {
        "keygen": (_SCHEDULE, f"nttforge measure ml-dsa-core --op keygen {_TWO} "),
        "verify": (_SCHEDULE, f"nttforge measure ml-dsa-core --op verify {_TWO} "),
        "sign": (_SCHEDULE, f"nttforge measure ml-dsa-core --op sign {_TWO} "),
    },
}


def grid() -> Iterator[dict[str, Any]]:
    """Keys of all coprocessors, the usual ones first."""
    yield from ({"standards": each} for each in (KEM, DSA, BOTH))
    yield from ({"standards": KEM, "width": width} for width in (2, 4))
    yield from (_VERIFIER, _KEYS, _SIGNS, _SMALL_KEYS, _SMALL, _MIDDLE_SIGNS, _MIDDLE)
    yield {"standards": DSA, "rounds_per_cycle": 2}
    for values in product(*(values for _, values in _FACTORS)):
        yield {"standards": KEM, **dict(zip((name for name, _ in _FACTORS), values, strict=True))}


#: What is mapped: keys, the preset that has all of them but operations, and targets.
SYNTHESIZED: tuple[tuple[Mapping[str, Any], str, tuple[str, ...]], ...] = (
    ({"standards": KEM, "width": 4}, KEM_MIDDLE, ("xc7", "ecp5")),
    ({"standards": KEM, "width": 2}, KEM_SMALL, ("xc7", "xcup", "ecp5")),
    (_VERIFIER, DSA_VERIFIER, ("xc7", "xcup", "ecp5")),
    (_KEYS, DSA_KEYS, ("xcup",)),
    (_SIGNS, DSA_SMALL, ("xcup",)),
    (_SMALL_KEYS, PQC_SMALL, ("xcup",)),
    (_SMALL, PQC_SMALL, ("xcup", "ecp5")),
    (_MIDDLE_SIGNS, DSA_MIDDLE, ("xcup",)),
    (_MIDDLE, PQC_MIDDLE, ("xcup", "ecp5")),
)


def design_of(keys: Mapping[str, Any], target: str = "xcup") -> Design:
    """The coprocessor of some keys."""
    data = {"name": "measured", "family": "lattice", "target": target, "lattice": dict(keys)}
    return parse_design(data, "measured")


def recorded(standard: str, page: str, begin: str) -> Iterator[tuple[str, list[float]]]:
    """Latency and distance of each operation of a page's table."""
    (text,) = (
        out
        for command, out in blocks((DOCS / page).read_text("utf-8"))
        if command.startswith(begin.strip()) and begin in command + " "
    )
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    for name, latency, _, _, each, *_ in (row for row in rows if len(row) > 6):
        if name.startswith(standard):
            yield name, [float(figure.replace(",", "")) for figure in (latency, each)]


def of_pages(rounds: int) -> dict[str, list[float]]:
    """Cycles of ML-DSA's operations, by set."""
    found: dict[str, list[float]] = {}
    for operation, (page, begin) in RECORDED[rounds].items():
        found |= {
            name: figures
            for name, figures in recorded("ML-DSA", page, begin)
            if name.split()[1] == operation
        }
    return dict(sorted(found.items(), key=lambda each: each[0].split()[0]))


def observed(keys: Mapping[str, Any]) -> dict[str, list[float]]:
    """Cycles of the operations of a coprocessor, simulated."""
    made = prepare_kind(design_of(keys), LatticeCore)
    opened = open_core(made)
    found: dict[str, Any] = {}
    for name, standard in zip(keys["standards"], made.core.standards, strict=True):
        measures = part(standard, "measure").MEASURES(standard, made.core)
        found |= measure_standard(measures, opened, runs=int(name == "ml-dsa")).operations
    figures = {
        name: [row.latency_cycles, row.cycles_per_operation]
        for name, row in found.items()
        if name.split()[1] in OPERATIONS
    }
    for p in SETS:
        if seen := figures.get(f"{p.name} sign"):
            # That was one signature.
            mean = mean_cycles(p, made.design.table(LatticeTable).width)
            seen[:] = [mean, mean + seen[1] - seen[0]]
    return figures


def cycles_of(keys: Mapping[str, Any]) -> dict[str, list[float]]:
    """Cycles of each operation and set: latency, and from a command to the next."""
    rounds = keys.get("rounds_per_cycle", 1)
    if LatticeTable.model_validate(keys).narrow:
        return observed(keys)
    if keys["standards"] == BOTH:
        page, begin = "appendix/lattice-tables.md", "nttforge measure pqc-core --runs 2 "
        of_kem = {
            name: figures
            for name, figures in recorded("ML-KEM", page, begin)
            if name.split()[1] in OPERATIONS
        }
        return of_kem | of_pages(rounds)
    if keys["standards"] == DSA:
        return of_pages(rounds)
    return observed(keys)


def options() -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
    """Keys of ML-KEM's coprocessors whose areas on UltraScale+ a page records, and these."""
    page = (DOCS / "appendix/lattice.md").read_text("utf-8")
    text = dict(blocks(page))["nttforge show options --markdown"]
    for line in text.splitlines()[2:]:
        rounds, cores, butterflies, *_, lut, dsp, bram18 = (
            cell.strip().replace(",", "") for cell in line.split("|")[1:-1]
        )
        keys = {
            "rounds_per_cycle": int(rounds),
            "butterflies": int(butterflies),
            "keccak_cores": int(cores),
        }
        area = {"lut": int(lut), "dsp": int(dsp), "bram18": int(bram18)}
        yield {"standards": KEM, **keys}, area


def is_usual(keys: Mapping[str, Any]) -> bool:
    """Whether these are the keys of the preset."""
    return key_of(LatticeTable.model_validate(keys)) == key_of(LatticeTable())


#: Areas that pages record; of fast coprocessors with ML-DSA of those without registers, which are
#: a hundredth of it.
RECORDED_AREAS: tuple[tuple[Mapping[str, Any], str, dict[str, int]], ...] = (
    ({"standards": KEM}, "xcup", {"lut": 22_676, "dsp": 30, "bram18": 14}),
    ({"standards": DSA}, "xcup", {"lut": 50_702, "dsp": 96, "bram18": 120}),
    ({"standards": DSA}, "ecp5", {"lut": 72_345, "dsp": 192, "bram18": 120}),
    ({"standards": BOTH}, "xcup", {"lut": 70_016, "dsp": 112, "bram18": 134}),
)


def area_of(keys: Mapping[str, Any], preset: str, target: str) -> dict[str, int]:
    """What a coprocessor takes, by the verb `synth`."""
    more = {f"lattice.{name}": keys[name] for name in keys.keys() & {"operations"}}
    found = synth(prepare_any(load_design(preset, {"target": target, **more})), target).figures
    return {name: round(found[name]) for name in ("lut", "dsp", "bram18")}


def _keep(rows: Mapping[str, Any]) -> None:
    (usual,) = (area for keys, area in options() if is_usual(keys))
    found = {"provenance": Provenance().model_dump(), "beside_options": usual, "rows": rows}
    write_text(MEASURED, json.dumps(found, indent=1) + "\n")


def main(arguments: list[str]) -> int:
    """Measure what is not there yet."""
    parser = argparse.ArgumentParser(prog="python -m tests.coprocessor_costs")
    parser.add_argument("--cycles", action="store_true", help="cycles alone")
    given = parser.parse_args(arguments)
    rows = json.loads(MEASURED.read_text("utf-8"))["rows"] if MEASURED.exists() else {}
    for keys in grid():
        key = key_of(LatticeTable.model_validate(keys))
        if key not in rows:
            rows[key] = {"cycles": cycles_of(keys), "area": {}}
            _keep(rows)
            print(key, flush=True)
    for page_keys, area in (each for each in options() if not is_usual(each[0])):
        rows[key_of(LatticeTable.model_validate(page_keys))]["area"]["xcup"] = area
    for recorded_keys, target, area in RECORDED_AREAS:
        rows[key_of(LatticeTable.model_validate(recorded_keys))]["area"][target] = area
    _keep(rows)
    for synthesized, preset, targets in () if given.cycles else SYNTHESIZED:
        found = rows[key_of(LatticeTable.model_validate(synthesized))].setdefault("area", {})
        for target in targets:
            if target not in found:
                found[target] = area_of(synthesized, preset, target)
                _keep(rows)
                print(synthesized, target, found[target], flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
