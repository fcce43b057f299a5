# SPDX-License-Identifier: Apache-2.0
"""The candidates of all families for given requirements, with their estimates."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from nttforge.config.requirements import Requirements
from nttforge.design import Design, parse_design
from nttforge.errors import NttforgeError
from nttforge.hw import estimate
from nttforge.hw.resources import ResourceEstimate
from nttforge.kinds import FAMILIES, has_part, part


@dataclass(frozen=True)
class CandidateDesign:
    """A design that a family offers: its file's data, checked, and its estimate."""

    data: Mapping[str, Any]
    table: Mapping[str, Any]
    design: Design
    estimate: ResourceEstimate


def design_data(need: Requirements, family: str, table: Mapping[str, Any]) -> dict[str, Any]:
    """A design of a family for a need, as its file has it."""
    defaults = {"operations": ("ntt", "intt"), "target": "xcup", "prefer": "balanced"}
    asked = {key: getattr(need, key) for key in defaults}
    rings = [ring.model_dump(exclude_unset=True, exclude_none=True) for ring in need.rings]
    return {
        "name": need.name,
        "family": family,
        **{key: value for key, value in asked.items() if value != defaults[key]},
        "rings": rings,
        family: dict(table),
    }


def candidate_design(need: Requirements, family: str, table: Mapping[str, Any]) -> CandidateDesign:
    """A design of a family, worked out."""
    data = design_data(need, family, table)
    design = parse_design(data, "explore")
    space = _space(need)
    if space == "search_space":
        return CandidateDesign(data, table, design, estimate(design, need))
    return CandidateDesign(data, table, design, part(family, space).estimate(design))


def _space(need: Requirements) -> Literal["search_space", "sizes"]:
    """The part of a family that proposes what is looked for."""
    return "sizes" if need.coprocessor else "search_space"


def coprocessor_standards() -> frozenset[str]:
    """Names of standards of which there are coprocessors to propose."""
    families = (family for family in FAMILIES if has_part(family, "sizes"))
    return frozenset(name for family in families for name in part(family, "sizes").STANDARDS)


def candidate_designs(need: Requirements) -> Iterator[CandidateDesign | NttforgeError]:
    """Designs of all families, those that are alike once, and what families refused."""
    seen = set()
    space = _space(need)
    for family in (each for each in FAMILIES if has_part(each, space)):
        for table in part(family, space).choices(need):
            try:
                found = candidate_design(need, family, table)
            except NttforgeError as refused:
                yield refused
                continue
            same = (family, str(found.estimate))
            if same not in seen:
                seen.add(same)
                yield found
