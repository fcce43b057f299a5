# SPDX-License-Identifier: Apache-2.0
"""Figures of prose are those of recorded blocks, so that none is left when its block is renewed."""

import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.docs.test_pages import BLOCKS, PAGES, name

_NUMBER = r"(?<![\w.,^-])\d+(?:,\d{3})*(?:\.\d+)?"
_WORDS = r"(?:look-up tables|flip-flops|multiplier blocks|cycles|LUTs?|DSPs?)\b"
_UNIT = rf"(?:MHz|ms|us|ns|Mb|GB/s|%|{_WORDS})"
#: A number that has a unit, or is so large that it is written in groups.
_FIGURE = re.compile(rf"({_NUMBER})(?= {_UNIT}|(?<=,\d{{3}})(?![\w,.]\d))")
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_RECORDED = re.compile(r"^<!-- [^\n]* -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)

#: Page -> where its other figures are from -> these.
_OTHERS: dict[str, dict[str, tuple[str, ...]]] = {
    "CHANGELOG.md": {"AXI4": ("1,024",)},
    "docs/appendix/hbm-derivation.md": {
        "JESD235": ("1.95",),
        "cards, by their makers": ("11.5", "357"),
        "blocks that an engine may have": ("3,500",),
        "multipliers of 90 blocks": ("2,070", "3,690", "4,050"),
        "bits of a buffer": ("537",),
    },
    "docs/appendix/fault-analysis.md": {
        "bounds of tests/faults": ("1,200", "1,300", "2,600"),
        "campaigns of tests/faults, until they met these": ("150,000",),
    },
    "docs/appendix/large-tables.md": {"a card, by its maker": ("357",)},
    "docs/hbm.md": {
        "multipliers of 90 blocks": ("2,070",),
        "bits of a buffer": ("537",),
    },
    "docs/integrate.md": {"an option": ("1,000,000",)},
    "docs/integrator.md": {"of a bench in Icarus": ("17,177",)},
    "docs/appendix/comparisons.md": {
        "cards and another core, by their makers": (
            *("327,707", "2,880", "2.475", "9,024", "872,000", "5,952"),
        ),
        "blocks of a lane times lanes, both of them or all four": ("4,992",),
    },
    "docs/appendix/lattice-sizes.md": {
        "nttforge synth ml-kem-middle --target xc7": ("1,733", "3,726"),
        "what is asked, and counted by hand": ("9,300", "3,130"),
    },
    "docs/appendix/lattice-sizes-dsa.md": {
        "a published core": ("53,000",),
        "the sum of these": ("18,000", "20,000"),
        "u_kem.u_ring of nttforge synth pqc-small --json": ("1,065",),
        "256 coefficients, two a cycle, once or twice": ("128", "256"),
        "words of a queue of the core": ("1,024",),
        "ml-kem-small, when the small core was planned": ("7,090", "13,054"),
        "what moves data in the small core, and twice of it": ("11,000", "31,000"),
        "derived there: transforms and products of a try of ML-DSA-87": ("3,144", "2,048"),
        "as derived, of sixteen butterflies": ("10,300", "16,200", "20,000"),
        "expected, of lanes of products": ("3,000",),
        "nttforge timing pqc-small": ("68.3",),
        "nttforge timing pqc-middle": ("16.4",),
    },
    "docs/appendix/ml-dsa-schedule.md": {
        "derived there": ("579",),
        "FIPS 204": ("100,548", "4,190,208"),
    },
    "docs/appendix/key-switching-derivation.md": {
        "tested by test_a_sampler_outputs_the_values_of_its_message": ("319",),
    },
    "docs/key-switching.md": {
        "nttforge timing, of its parts alone": ("132.0", "157.8", "149.4"),
        "a card, by its maker": ("9,024", "1,303,680"),
        "sums of the parts of 2^16": ("61,000", "1,125,000", "1,370,000"),
        "nttforge measure, of an engine of 32 lanes": ("33,734",),
    },
    "docs/appendix/lattice.md": {
        "derived in its schedule": ("280",),
        "derived there, and tested by test_mldsa_checked": (
            *("549", "3,326", "5,308", "8,795", "3,011", "8,234"),
        ),
        "synthesis of the module alone": ("693",),
    },
    "docs/appendix/ml-kem-schedule.md": {
        "derived there": (
            *("1,274", "1,970", "1,644", "1,270", "1,927", "1,413", "2,095", "3,052"),
        ),
        "the sum of two of its table": ("2,357",),
    },
    "docs/appendix/clock-tables.md": {"what was tried": ("103.1", "124.8", "149")},
    "docs/timing.md": {"a limit of the flow": ("40,000",)},
}


def prose(page: str) -> str:
    """A page without what commands have printed, and without code."""
    return re.sub(r"\s+", " ", _CODE.sub(" ", _RECORDED.sub(" ", page)))


def figures(page: str) -> Iterator[str]:
    """Those of three digits and more: fewer are found everywhere."""
    for match in _FIGURE.finditer(prose(page)):
        if len(re.sub(r"\D", "", match[1]).lstrip("0")) >= 3:
            yield match[1]


@cache
def recorded(places: int) -> Collection[str]:
    """Numbers of all blocks, rounded."""
    numbers = (n for _, _, output in BLOCKS for n in re.findall(_NUMBER, output))
    return {f"{float(n.replace(',', '')):,.{places}f}" for n in numbers}


def decimals(figure: str) -> int:
    """Behind the point."""
    return len(figure.partition(".")[2])


def in_groups(figure: str) -> str:
    """As `recorded` writes it: 1234.5 is 1,234.5."""
    return f"{float(figure.replace(',', '')):,.{decimals(figure)}f}"


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_a_figure_of_prose_is_in_a_recorded_block(path: Path) -> None:
    """Or it is no command's, and `_OTHERS` says whose it is; that has none that no page needs."""
    said = set(figures(path.read_text("utf-8")))
    known = {figure for figure in said if in_groups(figure) in recorded(decimals(figure))}
    others = {figure for those in _OTHERS.get(name(path), {}).values() for figure in those}
    assert not said - known - others, "renew the sentence, or say whose figure it is"
    assert not others - said, "no sentence has it any more"


def test_figures_are_told_from_other_numbers() -> None:
    page = """It takes 602,511 look-up
    tables, **1,413** of them for 1.863 ms, 99.5 % of 2^20; FIPS 203 has 256 words, sizes 3 and 27.
    `--sizes 1,024` is code.
<!-- nttforge synth x -->
    | 12,345 |
<!-- end -->
    """
    assert list(figures(page)) == ["602,511", "1,413", "1.863", "99.5"]
    assert in_groups("1863.5") == "1,863.5"
