# SPDX-License-Identifier: Apache-2.0
"""Estimated area and clock of a design: its resources times their measured costs."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from nttforge.hw.resources import PATH, ResourceFeatures

#: Designs that were measured, and what was fitted to them; written by `python -m tests.areas`.
MEASURED = Path(__file__).with_name("measured.json")
MODEL = Path(__file__).with_name("model.json")
#: What is counted, and so known without a measurement.
COUNTED = ("dsp", "bram18", "ram", "uram", "channels")
#: What is estimated, of each in which there is anything.
RESOURCES = ("lut", "ff", *COUNTED, "ns")
_Coefficients = Mapping[str, Mapping[str, float]]


@cache
def model() -> Mapping[str, Any]:
    """The fitted model: `coefficients` by target, family, resource and amount; `errors`."""
    known: dict[str, Any] = json.loads(MODEL.read_text("utf-8"))
    return known


def coefficients(target: str, family: str) -> _Coefficients:
    """Cost of each amount in each resource; none if nothing was measured."""
    known: _Coefficients = model()["coefficients"].get(target, {}).get(family, {})
    return known


def _sum(known: Mapping[str, float], there: Mapping[str, float]) -> float:
    return sum(known.get(name, 0) * many for name, many in there.items())


def estimate_area(features: ResourceFeatures, target: str, family: str) -> dict[str, float]:
    """Look-up tables, flip-flops, DSP blocks, block RAMs, and ns of a clock, as far as known."""
    known = coefficients(target, family)
    found = {}
    for resource in ("lut", "ff"):
        if resource in known:
            found[resource] = _sum(known[resource], features.get(resource, {}))
    for resource in COUNTED:
        if resource in features or resource in ("dsp", "bram18"):
            found[resource] = sum(features.get(resource, {}).values())
    paths = [name for name in features if name.startswith(PATH) and name in known]
    if paths:
        found["ns"] = max(_sum(known[name], features[name]) for name in paths)
    return found
