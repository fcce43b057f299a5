# SPDX-License-Identifier: Apache-2.0
"""Measures what `explore` estimates area and clock by: `python -m tests.areas`, an hour.

Small designs of every family that offers any, drawn from what is offered for the needs below, are
mapped by the command that `synth` uses, and for ECP5 timed by that of `timing`. Those of the needs
in `TRAINING` make the model; those in `HELD_OUT`, of other rings, only judge it. Rows are kept in
`flow/explore/measured.json` as they come, and what is there is not measured again; `--fit` measures
nothing. Then the coefficients are fitted and written to `flow/explore/model.json`.
"""

import argparse
import json
import random
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.config.requirements import Requirements
from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.explore.area_model import MEASURED, MODEL, RESOURCES, estimate_area, model
from nttforge.flow.explore.candidates import CandidateDesign, candidate_design
from nttforge.flow.prepare import prepare_any
from nttforge.flow.synth import synth
from nttforge.flow.timing import timing_in_a_design
from nttforge.hw import estimate
from nttforge.hw.resources import PATH, ResourceFeatures
from nttforge.kinds import FAMILIES, is_explored, part
from nttforge.output import write_text
from nttforge.provenance import Provenance

#: Rings of the designs that are measured: small, of all widths, with one modulus and with two.
_PAIR = [{"n": 64, "q": 3329, "layers": 5}, {"n": 64, "q": 8380417}]
TRAINING: Mapping[str, Mapping[str, Any]] = {
    "train-13": {"rings": [{"n": 32, "q": 7681}]},
    "train-14": {"rings": [{"n": 128, "q": 12289}]},
    "train-23": {"rings": [{"n": 32, "q": 8380417}]},
    "train-30": {"rings": [{"n": 64, "q": 998244353}]},
    "train-32": {"rings": [{"n": 16, "q": 3221225473}]},
    "train-60": {"rings": [{"n": 32, "q": (1 << 60) - (1 << 18) + 1}]},
    "train-two": {"rings": _PAIR},
    "train-forward": {"rings": [{"n": 64, "q": 8380417}], "operations": ["ntt"]},
    "train-products": {
        "rings": [{"n": 64, "q": 8380417}],
        "operations": ["ntt", "intt", "pointwise", "polymul"],
    },
    "train-256": {"rings": ["ml-dsa"]},
    "train-256-13": {"rings": [{"n": 256, "q": 7681}]},
    "train-1024": {"rings": [{"n": 1024, "q": 18433}]},
    "train-products-13": {
        "rings": [{"n": 128, "q": 7681}],
        "operations": ["ntt", "intt", "pointwise"],
    },
    "train-products-30": {
        "rings": [{"n": 32, "q": 998244353}],
        "operations": ["ntt", "intt", "pointwise", "mac", "polymul"],
    },
    "train-leaves": {
        "rings": [{"n": 64, "q": 3329, "layers": 5}],
        "operations": ["ntt", "intt", "pointwise", "mac"],
    },
}
HELD_OUT: Mapping[str, Mapping[str, Any]] = {
    "held-ml-kem": {"rings": ["ml-kem"]},
    "held-newhope": {"rings": ["newhope-512"]},
    "held-fhe": {"rings": [{"n": 128, "q": (1 << 28) - (1 << 16) + 1}]},
    "held-two": {"rings": ["ml-kem", "ml-dsa"]},
    "held-products": {"rings": ["ml-kem"], "operations": ["ntt", "intt", "pointwise", "mac"]},
    "held-goldilocks": {
        "rings": [{"n": 32, "q": "0xffffffff00000001", "form": "x^n-1"}],
    },
}
#: Designs of each need for the model, by family, and to judge it.
EACH: Mapping[str, int] = {"iterative": 6, "pipeline": 2}
EACH_HELD_OUT = 2
TARGETS = ("ecp5", "xcup")
#: What is fitted, and how much a target's few designs are held to what all targets' have shown.
FITTED = ("lut", "ff")
PULL = 0.02
#: Of paths: how much each is held to what it was before, and how often which is longest is found.
PULL_PATH, ROUNDS = 0.001, 30
Matrix = npt.NDArray[np.float64]
#: Butterflies times bits that keep a design small.
MOST = 64


def drawn(name: str, target: str) -> Iterator[CandidateDesign]:
    """Some of the designs that each family offers for a need."""
    asked = {**TRAINING, **HELD_OUT}[name]
    need = Requirements.model_validate({"name": name, **asked, "target": target})
    width = max(table.ring().width for table in need.rings)
    for family in filter(is_explored, FAMILIES):
        tables = [
            t
            for t in part(family, "search_space").choices(need)
            if t["butterflies"] * width <= MOST
        ]
        order = random.Random(f"{name} {family} {target}")
        order.shuffle(tables)
        many = EACH_HELD_OUT if name in HELD_OUT else EACH.get(family, 0)
        seen: set[str] = set()
        for table in tables:
            try:
                found = candidate_design(need, family, table)
            except NttforgeError:
                continue
            if str(found.estimate) in seen:
                continue
            seen.add(str(found.estimate))
            yield found
            if len(seen) == many:
                break


@dataclass(frozen=True)
class Amounted:
    """A design that was measured, and what its area comes of."""

    target: str
    family: str
    held_out: bool
    features: ResourceFeatures
    measured: Mapping[str, float]


def amounted(row: Mapping[str, Any]) -> Amounted:
    """A row of the file of measured designs."""
    design = parse_design(row["design"], "measured")
    found = {"bram18" if key == "bram" else key: value for key, value in row["measured"].items()}
    return Amounted(design.target, design.family, row["held_out"], estimate(design).features, found)


def measured(found: CandidateDesign) -> dict[str, Any]:
    """Area, and on ECP5 the time between two clocks, of a design."""
    prepared, target = prepare_any(found.design), found.design.target
    area = synth(prepared, target)
    row: dict[str, Any] = dict(area.figures)
    if target == "ecp5":
        row["ns"] = round(1000 / timing_in_a_design(prepared).fmax_mhz, 3)
    return row


def _rows(targets: Sequence[str]) -> Iterator[tuple[str, CandidateDesign]]:
    for target in targets:
        for name in (*TRAINING, *HELD_OUT):
            for found in drawn(name, target):
                yield f"{target} {json.dumps(found.data, default=str)}", found


def measure(targets: Sequence[str]) -> None:
    """Measure what is not there yet."""
    table: dict[str, Any] = {"rows": {}}
    if MEASURED.is_file():
        table = json.loads(MEASURED.read_text("utf-8"))
    for key, found in _rows(targets):
        if key not in table["rows"]:
            table["rows"][key] = {
                "need": found.design.name,
                "held_out": found.design.name in HELD_OUT,
                "design": json.loads(json.dumps(found.data, default=str)),
                "measured": measured(found),
            }
            table["provenance"] = Provenance().model_dump(mode="json")
            write_text(MEASURED, json.dumps(table, indent=1) + "\n")
            print(key, table["rows"][key]["measured"], file=sys.stderr, flush=True)


def nonnegative(a: Matrix, b: Matrix, near: Matrix, pull: float) -> Matrix:
    """x >= 0 of least |a x - b|^2 + pull * |columns of a|^2 (x - near)^2, by coordinates."""
    gram, aim = a.T @ a, a.T @ b
    norms = np.diag(gram)
    x = near.copy()
    for _ in range(4000):
        before = x.copy()
        for j in np.flatnonzero(norms):
            step = aim[j] - gram[j] @ x + pull * norms[j] * (near[j] - x[j])
            x[j] = max(0.0, x[j] + step / ((1 + pull) * norms[j]))
        if np.allclose(x, before, rtol=1e-7, atol=0.0):
            break
    return x


def _table(rows: Sequence[Amounted], resource: str) -> tuple[list[str], Matrix]:
    """Names of what a resource comes of, and how much of each there is in each row."""
    names = list(dict.fromkeys(name for row in rows for name in row.features.get(resource, {})))
    a = [[row.features[resource].get(name, 0.0) for name in names] for row in rows]
    return names, np.array(a)


def fitted(rows: Sequence[Amounted], resource: str, near: Mapping[str, float]) -> dict[str, float]:
    """What one of each amount takes, so that relative errors are small."""
    rows = [row for row in rows if row.measured.get(resource)]
    names, a = _table(rows, resource)
    if not rows or not names:
        return {}
    truth = np.array([row.measured[resource] for row in rows])
    guess = np.array([near.get(name, 0.0) for name in names])
    shares = a / truth[:, None]
    if near:
        explained = shares @ guess  # What all targets have shown, as much larger as this one's are.
        guess *= explained.sum() / (explained @ explained)
    x = nonnegative(shares, np.ones(len(rows)), guess, PULL if near else 0.0)
    return _known(names, x)


def _known(names: Sequence[str], x: Matrix) -> dict[str, float]:
    return {name: float(f"{value:.4g}") for name, value in zip(names, x, strict=True) if value}


def fitted_paths(rows: Sequence[Amounted]) -> dict[str, dict[str, float]]:
    """The same of paths, of which the longest one is the clock.

    What is not known is which one that is: each is fitted to the designs whose clock it was found
    to be, until that stays. It begins with all paths fitted to all designs.
    """
    rows = [row for row in rows if row.measured.get("ns")]
    if not rows:
        return {}
    truth = np.array([row.measured["ns"] for row in rows])
    paths = [name for name in rows[0].features if name.startswith(PATH)]
    names, shares = zip(*(_table(rows, path) for path in paths), strict=True)
    shares = tuple(a / truth[:, None] for a in shares)
    x = [nonnegative(a, np.ones(len(rows)), np.zeros(a.shape[1]), PULL_PATH) for a in shares]
    for _ in range(ROUNDS):
        slowest = np.argmax([a @ each for a, each in zip(shares, x, strict=True)], axis=0)
        x = [
            nonnegative(a[slowest == i], np.ones(sum(slowest == i)), x[i], PULL_PATH)
            for i, a in enumerate(shares)
        ]
    return {path: _known(*each) for path, *each in zip(paths, names, x, strict=True)}


def kept_rows() -> list[dict[str, Any]]:
    """What was measured: hardware that is the same, by other keys, is there once."""
    kept: dict[str, dict[str, Any]] = {}
    for row in json.loads(MEASURED.read_text("utf-8"))["rows"].values():
        alike = [row["need"], row["design"].get("target"), row["measured"]]
        kept.setdefault(json.dumps(alike), row)
    return list(kept.values())


def fit() -> None:
    """Fit what one of each amount takes to the rows of training, and judge it by all."""
    table = json.loads(MEASURED.read_text("utf-8"))
    rows = [amounted(row) for row in kept_rows()]
    known: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for family in sorted({row.family for row in rows}):
        ours = [row for row in rows if row.family == family and not row.held_out]
        usual = {resource: fitted(ours, resource, {}) for resource in FITTED}
        for target in sorted({row.target for row in ours}):
            here = [row for row in ours if row.target == target]
            found = {resource: fitted(here, resource, usual[resource]) for resource in FITTED}
            found |= fitted_paths(here)
            kept = {resource: each for resource, each in found.items() if each}
            known.setdefault(target, {})[family] = kept
    made = {"provenance": table["provenance"], "coefficients": known}
    write_text(MODEL, json.dumps(made, indent=1) + "\n")
    model.cache_clear()
    errors = [
        found
        for target in known
        for family in known[target]
        for found in judged(rows, target, family)
    ]
    write_text(MODEL, json.dumps({**made, "errors": errors}, indent=1) + "\n")


def judged(rows: Sequence[Amounted], target: str, family: str) -> Iterator[dict[str, Any]]:
    """Relative errors of training and of what the model has not seen, by resource."""
    for resource in RESOURCES:
        found: dict[str, Any] = {"target": target, "family": family, "resource": resource}
        for held_out in (False, True):
            each = [
                abs(
                    estimate_area(row.features, target, family)[resource] / row.measured[resource]
                    - 1
                )
                for row in rows
                if (row.target, row.family, row.held_out) == (target, family, held_out)
                and row.measured.get(resource)
            ]
            name = "held_out" if held_out else "training"
            found[name] = {
                "designs": len(each),
                "median": round(statistics.median(each), 3) if each else None,
                "worst": round(max(each), 3) if each else None,
            }
        if found["training"]["designs"] or found["held_out"]["designs"]:
            yield found


def errors() -> str:
    """The errors as a table of a page."""
    names = {"lut": "LUT", "ff": "FF", "dsp": "DSP", "bram18": "BRAM", "ns": "clock"}
    lines = [
        "| target | family | | designs | median | worst | not seen | median | worst |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in json.loads(MODEL.read_text("utf-8"))["errors"]:
        cells = [row["target"], row["family"], names[row["resource"]]]
        for name in ("training", "held_out"):
            found = row[name]
            shares = (found["median"], found["worst"])
            cells += [found["designs"], *("" if s is None else f"{s:.1%}" for s in shares)]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main() -> int:
    """Measure, unless an option says otherwise, and fit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--fit", action="store_true", help="measure nothing")
    parser.add_argument("--list", action="store_true", help="only say what would be measured")
    parser.add_argument("--errors", action="store_true", help="only show the errors of the model")
    parser.add_argument("targets", nargs="*", default=TARGETS)
    options = parser.parse_args()
    if options.list:
        print("\n".join(key for key, _ in _rows(options.targets)))
        return 0
    if options.errors:
        print(errors())
        return 0
    if not options.fit:
        measure(options.targets)
    fit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
