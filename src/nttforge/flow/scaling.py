# SPDX-License-Identifier: Apache-2.0
"""Scaling of a design: cycles, and time at its clock, against butterflies or sizes."""

from collections.abc import Iterator

from nttforge.design import Design, parse_design
from nttforge.draw import curves
from nttforge.draw.curves import Point
from nttforge.errors import NttforgeError
from nttforge.flow.explore.area_model import estimate_area
from nttforge.hw import estimate
from nttforge.kinds import is_explored

#: Butterflies up to which a design is looked at.
MOST = 64
_TARGET = "ecp5"


def _by_butterflies(design: Design) -> Iterator[Point]:
    """The design with 1, 2, 4, ... butterflies; as it is, once more."""
    data, family = design.model_dump(exclude_unset=True, exclude_none=True), design.family
    table = {key: each for key, each in data.get(family, {}).items() if key != "interval"}
    own = estimate(design)
    for exponent in range(min(design.rings[0].ring().depth, MOST.bit_length())):
        number = 1 << exponent
        changed = {**data, family: {**table, "butterflies": number}}
        try:
            known = estimate(parse_design(changed, design.name))
        except NttforgeError:
            continue  # So many there cannot be.
        area = estimate_area(known.features, _TARGET, family)
        values = {"cycles each": known.each, "latency, cycles": known.latency}
        if "ns" in area:
            values["us each"] = known.each * area["ns"] / 1000
        # Nothing estimates those of key switching.
        values |= {"LUT": area["lut"]} if "lut" in area else {"DSP": area["dsp"]}
        yield Point(False, number, values)
        if known.cycles == own.cycles:
            yield Point(True, number, values)


def _by_size(design: Design) -> Iterator[Point]:
    """An engine for large transforms at its clock, by words of a transform."""
    mhz = design.model_dump()[design.family]["clock_mhz"]
    for name, each in estimate(design).cycles.items():
        values = {"one, cycles": each.latency, "in a batch, cycles": each.each}
        values |= {"one, us": each.latency / mhz, "in a batch, us": each.each / mhz}
        yield Point(True, 1 << int(name.removeprefix("2^")), values)


def drawn(design: Design) -> str | None:
    """The curves as SVG; None of a core that has neither."""
    if not is_explored(design.family):
        return None
    names, along = ("as it is", "with so many butterflies"), "butterflies"
    title = f"{design.name}: time on ECP5, by butterflies"
    if all(name.startswith("2^") for name in estimate(design).cycles):
        names, along = ("floors", ""), "words"
        title = f"{design.name}: time at its clock, by words"
        points = list(_by_size(design))
    else:
        points = list(_by_butterflies(design.model_copy(update={"target": _TARGET})))
    author = f"nttforge report {design.name}"
    shown = tuple(points[0].values)
    return curves.draw(names, points, title=title, shown=shown, along=along, author=author)
