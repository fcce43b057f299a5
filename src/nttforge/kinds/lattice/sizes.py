# SPDX-License-Identifier: Apache-2.0
"""Coprocessors that `explore` may propose: observed cycles, and areas measured or added up."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from nttforge.config.requirements import Requirements
from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw.resources import Cycles, ResourceEstimate
from nttforge.kinds.lattice.config import STANDARDS, LatticeTable

#: Keys of coprocessors, their cycles and what was synthesized; `python -m tests.coprocessor_costs`.
MEASURED = Path(__file__).with_name("sizes.json")
#: Where all that differs between coprocessors was synthesized.
USUAL_TARGET = "xcup"
Row = Mapping[str, Mapping[str, Any]]
Area = dict[str, float]
#: Bytes a cycle of the smallest core with ML-DSA.
_SMALLEST = 4
_SIX_INPUTS = (USUAL_TARGET, "xc7")
_WIDTH, _ROUNDS, _BUTTERFLIES, _CORES = "width", "rounds_per_cycle", "butterflies", "keccak_cores"


@cache
def _measured() -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads(MEASURED.read_text("utf-8"))
    return found


def measured_rows() -> Mapping[str, Row]:
    """What is known of each coprocessor, `cycles` and `area`, by :func:`key_of`."""
    found: Mapping[str, Row] = _measured()["rows"]
    return found


def key_of(table: LatticeTable) -> str:
    """A coprocessor's keys that have another value than the default; registers do not count."""
    given = table.model_dump(exclude_defaults=True, exclude={"registers"}, mode="json")
    return json.dumps({"standards": [*table.standards], **given})


def choices(need: Requirements) -> Iterator[Mapping[str, Any]]:
    """Every coprocessor of the standards that the rings of a need are named after."""
    names = {ring.preset for ring in need.rings}
    if wrong := [ring.label for ring in need.rings if ring.preset not in STANDARDS]:
        known = " and ".join(STANDARDS)
        problem = f"{wrong[0]} is no standard that has coprocessors"
        raise NttforgeError("--coprocessors", problem, f"name {known}, or one of them")
    for key in measured_rows():
        table = json.loads(key)
        if {*table["standards"]} == names:
            yield table


def estimate(design: Design) -> ResourceEstimate:
    """Cycles of each operation and set; area of a coprocessor that was measured, or is alike."""
    table = design.table(LatticeTable)
    key, rows = key_of(table), measured_rows()
    if key not in rows:
        raise NttforgeError("lattice", f"nothing was measured with {key}", "use other keys")
    cycles = {name: Cycles(*each) for name, each in rows[key]["cycles"].items()}
    same = (rows[other]["cycles"] for other in rows if _standards(other) == _standards(key))
    area = rows[key]["area"].get(design.target) or added_area(key, design.target)
    return ResourceEstimate(cycles, {}, area, lacks=max(map(len, same)) - len(cycles))


def _standards(key: str) -> tuple[str, ...]:
    return tuple(json.loads(key)["standards"])


def _area(target: str, **keys: Any) -> Area:
    """Area of a coprocessor that was measured, for a target or for one that has the same tables."""
    areas: Mapping[str, Area] = measured_rows()[json.dumps(keys)]["area"]
    same = [each for each in _SIX_INPUTS if target in _SIX_INPUTS and each in areas]
    return areas.get(target, areas[same[0]] if same else {})


def added_area(key: str, target: str) -> Area:
    """Area of a coprocessor from that of the usual one of its standards and width.

    What butterflies, Keccak cores and rounds add is what each alone adds to ML-KEM's: Keccak and
    its buffers are the same in all coprocessors. Another target's look-up tables are in the
    proportion of the usual ones; where none was measured, in that of ML-DSA's, of narrow cores in
    that of the one that verifies.
    """
    keys = json.loads(key)
    shape = "standards", _WIDTH, "transform", "operations"
    kept = {name: keys[name] for name in shape if name in keys}
    usual, base = _area(USUAL_TARGET, **kept), _area(target, **kept)
    if not base:
        narrow = LatticeTable.model_validate(keys).narrow and "ml-dsa" in keys["standards"]
        alike = {_WIDTH: _SMALLEST, "operations": "verify"} if narrow else {}
        here, there = (
            _area(each, standards=["ml-dsa"], **alike) for each in (target, USUAL_TARGET)
        )
        base = {name: here[name] + value - there[name] for name, value in usual.items()}
        base["lut"] = round(usual["lut"] * here["lut"] / there["lut"])
    # What the usual coprocessor took when the other options were measured.
    alone = _measured()["beside_options"]
    rounds, cores = keys.get(_ROUNDS, 1), keys.get(_CORES, 1)
    changes = [(cores - 1, _of(**{_CORES: 2})), (cores * (rounds - 1), _of(**{_ROUNDS: 2}))]
    if _BUTTERFLIES in keys:
        changes.append((1, _of(**{_BUTTERFLIES: keys[_BUTTERFLIES]})))
    found: Area = {}
    for name, value in base.items():
        change = sum(times * (other[name] - alone[name]) for times, other in changes)
        share = value / usual[name] if name == "lut" else 1
        found[name] = value + round(share * change)
    return found


def _of(**keys: Any) -> Area:
    """Area of a fast coprocessor of ML-KEM on the usual target."""
    return _area(USUAL_TARGET, standards=["ml-kem"], **keys)
