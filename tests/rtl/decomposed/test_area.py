# SPDX-License-Identifier: Apache-2.0
"""The engine that is mapped module by module is the one that is mapped as a whole."""

from collections import Counter

import pytest

from nttforge.design import load_design
from nttforge.flow.prepare import prepare_kind
from nttforge.flow.synth import synth
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.synthesize.area import COLUMNS
from nttforge.synthesize.yosys import synthesize
from nttforge.table import markdown


@pytest.mark.slow
def test_the_parts_add_up_to_the_flat_design() -> None:
    """Multipliers and memories are the same; edges that nothing crosses cost a little logic."""
    prepared = prepare_kind(load_design("sam-tiny"), DecomposedCore)
    core = prepared.core
    area = synth(prepared, "xcup")
    sums: Counter[str] = Counter()
    for part, counts in area.parts.items():
        assert counts["lut_total"] > 0, f"nothing is known as {part}"
        sums.update(counts)
    assert {column: sums[column] for column in COLUMNS} == {
        column: getattr(area, column) for column in COLUMNS
    }
    planned = core.facts["multipliers"].values()
    assert area.dsp == sum(count * dsp for count, dsp in planned)
    flat = synthesize(prepared.folder, core.name, "xcup").counts
    for column in ("dsp", "bram18", "uram"):
        assert getattr(area, column) == flat[column]
    assert flat["ff"] <= area.ff <= 1.02 * flat["ff"]
    assert 0.95 * flat["lut_total"] <= area.lut_total <= 1.05 * flat["lut_total"]
    assert "mapped once" in area.note
    assert "| a lane, of 4 |" in markdown(area.page())
