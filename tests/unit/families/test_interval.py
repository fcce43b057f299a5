# SPDX-License-Identifier: Apache-2.0
"""The key `interval`: the fewest butterflies that reach it, by the family's own formulae."""

from typing import Any

import pytest

from nttforge.design import Design, load_design, parse_design
from nttforge.emit.toml import design_toml
from nttforge.errors import NttforgeError
from nttforge.hw import build_kind
from nttforge.hw.core import StreamCore

SMALL = [{"name": "a", "n": 32, "q": 193}, {"name": "b", "n": 32, "q": 7681}]
BOTH = [{"preset": "ml-kem"}, {"preset": "ml-dsa"}]
PRODUCTS = ["ntt", "intt", "polymul"]


def core_of(data: dict[str, Any], **keys: Any) -> StreamCore:
    """The core of a design with some more keys in its family's table."""
    family = data["family"]
    design = {"name": "fast", "rings": SMALL} | data | {family: data.get(family, {}) | keys}
    return build_kind(parse_design(design, "test"), StreamCore)


@pytest.mark.parametrize(
    "data",
    [
        {"family": "pipeline"},
        {"family": "pipeline", "shell": {}},
        {"family": "iterative"},
        {"family": "iterative", "operations": PRODUCTS},
        {"family": "iterative", "rings": SMALL[1:], "iterative": {"slots": 4}},
    ],
)
def test_the_fewest_butterflies(data: dict[str, Any]) -> None:
    """Of all rings and operations the slowest counts; a cycle less takes twice as many."""
    one, two = (max(core_of(data, butterflies=lines).facts["intervals"]) for lines in (1, 2))
    for asked, lines in ((3 * one, 1), (one, 1), (one - 1, 2), (two, 2), (two - 1, 4)):
        assert core_of(data, interval=asked).stream.lanes == 2 * lines, asked


@pytest.mark.parametrize(("pairs", "most"), [(False, 16), (True, 64)])
def test_what_none_reaches(pairs: bool, most: int) -> None:
    """The refusal says what can be asked for."""
    rings = BOTH if pairs else SMALL
    data = {"family": "iterative", "rings": rings, "iterative": {"pairs": pairs}}
    with pytest.raises(NttforgeError, match=f"1 to {most} butterflies") as caught:
        core_of(data, interval=9)
    assert caught.value.field == "iterative.interval"
    least = int(caught.value.hint.split()[2])
    assert max(core_of(data, interval=least).facts["intervals"]) == least
    with pytest.raises(NttforgeError, match="are not reached"):
        core_of(data, interval=least - 1)


@pytest.mark.parametrize("family", ["pipeline", "iterative"])
def test_one_of_the_two_is_given(family: str) -> None:
    keys = {"family": family, f"{family}.interval": 300, f"{family}.butterflies": 1}
    with pytest.raises(NttforgeError, match=f"{family}: interval determines butterflies"):
        load_design("ml-kem", keys)


def test_the_folder_says_what_was_asked_for() -> None:
    design = load_design("ml-kem", {"pipeline.interval": 32})
    text = design_toml(design)
    assert "interval = 32" in text and "butterflies" not in text
    assert "interval" in str(Design.model_json_schema()["$defs"]["PipelineTable"])
