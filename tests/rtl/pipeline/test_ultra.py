# SPDX-License-Identifier: Apache-2.0
"""Commutators in UltraRAM, and transforms of 2^17 coefficients, whose moduli are loaded."""

from typing import Any

import pytest

from nttforge.design import Design, parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import prepare
from nttforge.kinds.stream.build import elaborate
from nttforge.kinds.stream.loaded import work_out_loaded
from nttforge.kinds.stream.search_space import estimate
from nttforge.kinds.stream.verify import verify
from nttforge.synthesize.yosys import synthesize

ULTRA_BITS = 72


def design_of(ring: dict[str, Any], **table: Any) -> Design:
    return parse_design({"name": "ultra", "rings": [ring], "pipeline": table}, "test")


def test_commutators_are_ultra_ram() -> None:
    """Those from the depth on, as many as their words take; the others are as without."""
    design = design_of({"n": 64, "q": 257}, ram_ultra_from=8)
    pipeline, prepared = elaborate(design), prepare(design)
    counts = synthesize(prepared.folder, "ultra", "xcup").counts
    widths = pipeline.growth.widths
    deep = [
        width for width, delays in zip(widths, pipeline.delays, strict=False) if max(delays) >= 8
    ]
    assert deep
    assert counts["uram"] == sum(-(-2 * width // ULTRA_BITS) for width in deep)
    assert counts["bram18"] == 0
    usual = prepare(design_of({"n": 64, "q": 257}))
    assert synthesize(usual.folder, "ultra", "xcup").counts["uram"] == 0


def test_families_without_have_block_ram() -> None:
    design = design_of({"n": 64, "q": 257}, ram_ultra_from=8)
    for target in ("xc7", "ecp5"):
        counts = synthesize(prepare(design).folder, "ultra", target).counts
        assert counts["uram"] == 0 and counts["bram18"] > 0


def test_an_estimate_counts_no_block_ram_for_them() -> None:
    ring = {"n": 1024, "q": 12289}
    usual, ultra = (estimate(design_of(ring, **table)) for table in ({}, {"ram_ultra_from": 256}))
    assert usual != ultra


LARGE = {"n": 1 << 17, "q": "runtime", "bits": 60, "moduli": 2}
TABLE = {"butterflies": 8, "twiddles": "made", "ram_ultra_from": 2048}


def test_sizes_of_loaded_moduli() -> None:
    """A size more than others have, and the fewest butterflies with which beats can be counted."""
    assert work_out_loaded(design_of(LARGE, **TABLE)).stages == 17
    with pytest.raises(NttforgeError, match="use 2 or more"):
        work_out_loaded(design_of(LARGE, butterflies=1, twiddles="made"))
    with pytest.raises(NttforgeError, match="262144 is not from 4 to 131072"):
        design_of(LARGE | {"n": 1 << 18})
    with pytest.raises(NttforgeError, match="131072 is not from 4 to 65536; use the family"):
        design_of({"n": 1 << 17, "q": 786433})


@pytest.mark.slow
def test_transforms_of_131072_coefficients() -> None:
    result = verify(prepare(design_of(LARGE, **TABLE)), transforms=2)
    assert result.ok, result
