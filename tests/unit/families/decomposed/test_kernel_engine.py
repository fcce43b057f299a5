# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from nttforge.kinds.decomposed.kernel_engine import (
    KINDS,
    TWISTED,
    KernelEngine,
    Kind,
    least_digit,
)
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.twiddles import Seeds
from nttforge.reduction import plan_multiplier
from tests.unit.families import pipeline_model as machine
from tests.unit.families.decomposed.block_transforms import transform_blocks

GOLDILOCKS = 2**64 - 2**32 + 1
SHIFT, LARGEST = 7, 12
BACK = (8, 11)
CASES = [((3, 1, 1), 97), ((4, 2, 2), 12289), ((5, 3, 1), 7681), ((6, 4, 3), GOLDILOCKS)]


def operation_code(shape: Shape, kind: Kind, digit: int) -> int:
    number = len(KINDS) + BACK.index(kind.size) if kind.size else KINDS.index(kind)
    return number * (shape.v - least_digit(shape) + 1) + digit - least_digit(shape)


def engine(
    sizes: tuple[int, int, int], q: int, root: int | None = None, back: tuple[int, ...] = ()
) -> KernelEngine:
    shape = Shape(*sizes)
    seeds = Seeds.create(q, shape.v + 1, root, shift=SHIFT if back else 0, sizes=LARGEST)
    return KernelEngine(shape, seeds, plan_multiplier([q]), back)


@pytest.mark.parametrize(("sizes", "q"), CASES)
def test_every_operation_transforms_its_blocks(sizes: tuple[int, int, int], q: int) -> None:
    made = engine(sizes, q, back=BACK)
    shape, rng = made.shape, np.random.default_rng(sum(sizes))
    codes = []
    for kind in (*KINDS, *(KINDS[TWISTED]._replace(size=size) for size in BACK)):
        for digit in range(least_digit(shape), shape.v + 1):
            code = operation_code(shape, kind, digit)
            codes.append(code)
            path = made.codes[code][1]
            block = rng.integers(0, q, 1 << shape.v, dtype=np.uint64).astype(object)
            expected = transform_blocks(made.seeds, block[None], digit, **kind._asdict())[0]
            stream = block[made.paths[path].input_layout.order()]
            found = machine.run(made, code, stream)
            assert (found == expected.astype(object)[made.output_layouts[path].order()]).all()
    assert codes == list(range(len(made.codes)))


def test_goldilocks_needs_one_stage_of_multipliers() -> None:
    root = next(
        root
        for k in range(1, 128, 2)
        if pow(root := pow(pow(7, (GOLDILOCKS - 1) >> 7, GOLDILOCKS), k, GOLDILOCKS), 2, GOLDILOCKS)
        == 8
    )
    made = engine((6, 4, 3), GOLDILOCKS, root)
    assert [plan.cost().dsp > 0 for plan in made.stage_plans] == [True, *[False] * 5]
