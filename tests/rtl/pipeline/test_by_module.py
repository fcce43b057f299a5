# SPDX-License-Identifier: Apache-2.0
"""A pipeline that is mapped module by module is about the one that is mapped as a whole."""

import pytest

from nttforge.design import load_design, parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import prepare, prepare_kind
from nttforge.flow.synth import synth
from nttforge.hw import Core
from nttforge.table import markdown


@pytest.mark.slow
def test_the_modules_add_up_to_the_flat_design() -> None:
    """Multipliers and memories are the same; edges that nothing crosses cost a little logic."""
    ring = {"n": 16, "q": "runtime", "bits": 12, "moduli": 2}
    table = {"twiddles": "tables"}
    prepared = prepare(parse_design({"name": "eight", "rings": [ring], "pipeline": table}, "test"))
    apart, flat = synth(prepared, by_module=True), synth(prepared)
    stages = [path for path in apart.blocks if path.endswith(".u_stage")]
    assert len(stages) == 4, "a stage was not mapped apart, or is counted too often"
    multipliers = [counts for path, counts in apart.blocks.items() if path.endswith(".u_mul")]
    assert len(multipliers) == 4 and all(each == multipliers[0] for each in multipliers)
    for column in ("dsp", "bram18", "uram"):
        assert getattr(apart, column) == getattr(flat, column)
    assert flat.ff <= apart.ff <= 1.03 * flat.ff
    assert flat.lut_total <= apart.lut_total <= 1.04 * flat.lut_total
    assert "mapped once" in markdown(apart.page())
    assert "mapped once" not in markdown(flat.page())


def test_a_core_without_such_modules_is_refused() -> None:
    with pytest.raises(NttforgeError, match=r"by_module: .* has no modules that are mapped once"):
        synth(prepare_kind(load_design("ml-kem-small"), Core), by_module=True)
