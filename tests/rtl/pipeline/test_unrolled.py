# SPDX-License-Identifier: Apache-2.0
"""A transform a clock: as many lanes as coefficients, and factors that are constants."""

import pytest

from nttforge.design import parse_design
from nttforge.flow.prepare import Prepared, prepare
from nttforge.flow.synth import synth
from nttforge.hw import StreamCore
from nttforge.kinds.stream.build import elaborate
from nttforge.kinds.stream.engine import Pipeline
from nttforge.kinds.stream.measure import measure
from nttforge.kinds.stream.verify import verify
from tests.rtl.small_cores import design_data

RINGS = {"ml-kem": (256, 3329, 7), "ml-dsa": (256, 8380417, 8), "rlwe": (256, 7681, 8)}


def unrolled(n: int, q: int, layers: int, direction: str) -> Prepared[StreamCore]:
    data = design_data(
        {"n": n, "q": q, "layers": layers}, butterflies=n // 2, operations=[direction]
    )
    return prepare(parse_design(data, "unrolled"))


def worked_out(n: int, q: int, layers: int, direction: str = "ntt") -> Pipeline:
    data = design_data(
        {"n": n, "q": q, "layers": layers}, butterflies=n // 2, operations=[direction]
    )
    return elaborate(parse_design(data, "unrolled"))


def check(prepared: Prepared[StreamCore], transforms: int) -> None:
    result = verify(prepared, transforms=transforms, seed=3)
    assert result.ok, result
    assert measure(prepared, transforms=200).cycles_per_transform == 1


@pytest.mark.parametrize(
    ("n", "q", "layers", "direction"),
    [(16, 7681, 4, "ntt"), (16, 3329, 3, "intt")],
)
def test_small(n: int, q: int, layers: int, direction: str) -> None:
    check(unrolled(n, q, layers, direction), 140)


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["ntt", "intt"])
@pytest.mark.parametrize("ring", RINGS)
def test_standards(ring: str, direction: str) -> None:
    check(unrolled(*RINGS[ring], direction), 70)


@pytest.mark.parametrize("ring", RINGS)
def test_most_factors_of_short_moduli_are_sparse(ring: str) -> None:
    pipeline = worked_out(*RINGS[ring])
    sparse = [line for stage in pipeline.sparse for line in stage]
    assert len(sparse) == 128 * pipeline.stages
    assert any(sparse)
    if ring != "ml-dsa":
        assert sum(sparse) > 0.75 * len(sparse)


def test_a_factor_that_changes_is_not_sparse() -> None:
    data = design_data({"n": 16, "q": 7681}, butterflies=8)
    assert not any(map(any, elaborate(parse_design(data, "both")).sparse))


@pytest.mark.slow
def test_sparse_factors_take_no_multiplier_block() -> None:
    pipeline = worked_out(16, 7681, 4)
    area = synth(unrolled(16, 7681, 4, "ntt"))
    dense = sum(not line for stage in pipeline.sparse for line in stage)
    assert area.dsp <= dense < 32
