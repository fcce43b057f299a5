# SPDX-License-Identifier: Apache-2.0
"""Measures what `explore` estimates area and clock by: `python -m tests.areas`, half an hour.

Small designs of every family that offers any, drawn from what is offered for the needs below, are
mapped by the command that `synth` uses, and for ECP5 timed by that of `timing`. Those of the needs
in `TRAINING` make the model; those in `HELD_OUT`, of other rings, only judge it. Rows are kept in
`flow/explore/measured.json` as they come, and what is there is not measured again; `--fit` measures
nothing. Then the coefficients are fitted and written to `flow/explore/model.json`.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nttforge.errors import NttforgeError
from nttforge.families import choices
from nttforge.flow.explore.candidates import Offer, offer
from nttforge.flow.explore.model import MEASURED
from nttforge.flow.prepare import prepare_any
from nttforge.flow.synth import synth
from nttforge.flow.timing import timing
from nttforge.keys.need import Need
from nttforge.kinds import FAMILIES
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
#: Designs of each need and family for the model, by target, and to judge it.
EACH: Mapping[str, int] = {"ecp5": 2, "xcup": 1}
EACH_HELD_OUT = 1
#: Butterflies times bits that keep a design small.
MOST = 64


def drawn(name: str, target: str) -> Iterator[Offer]:
    """Some of the designs that each family offers for a need."""
    asked = {**TRAINING, **HELD_OUT}[name]
    need = Need.model_validate({"name": name, **asked, "target": target})
    width = max(table.ring().width for table in need.rings)
    for family in FAMILIES:
        tables = [t for t in choices(family, need) if t["butterflies"] * width <= MOST]
        order = random.Random(f"{name} {family} {target}")
        order.shuffle(tables)
        missing = EACH_HELD_OUT if name in HELD_OUT else EACH[target]
        for table in tables:
            try:
                found = offer(need, family, table)
            except NttforgeError:
                continue
            yield found
            missing -= 1
            if not missing:
                break


def measured(found: Offer) -> dict[str, Any]:
    """Area, and on ECP5 the time between two clocks, of a design."""
    prepared, target = prepare_any(found.design), found.design.target
    area = synth(prepared, target)
    row: dict[str, Any] = dict(area.figures)
    if target == "ecp5":
        row["ns"] = round(1000 / timing(prepared, paths=1).fmax_mhz, 3)
    return row


def _rows(targets: Sequence[str]) -> Iterator[tuple[str, Offer]]:
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


def main() -> int:
    """Measure, unless told not to, and fit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--fit", action="store_true", help="measure nothing")
    parser.add_argument("--list", action="store_true", help="only say what would be measured")
    parser.add_argument("targets", nargs="*", default=tuple(EACH))
    options = parser.parse_args()
    if options.list:
        print("\n".join(key for key, _ in _rows(options.targets)))
        return 0
    if not options.fit:
        measure(options.targets)
    return 0


if __name__ == "__main__":
    sys.exit(main())
