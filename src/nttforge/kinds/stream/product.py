# SPDX-License-Identifier: Apache-2.0
"""Products of transforms and keys for loaded moduli: the model of ntf_loaded_product.sv."""

from collections.abc import Sequence

from nttforge.kinds.stream.loaded import LoadedPipeline
from nttforge.reduction.loaded import LoadedPlan, plan_loaded

#: Clocks of the product beside its multiplier: two slices, constants, two to centre, three of sums.
PRODUCT_REGISTERS = 8
#: Beats of a transform, at least: a sum is read again after so many clocks.
LEAST_BEATS = 4


def product_plan(pipeline: LoadedPipeline) -> LoadedPlan:
    """The multiplier of products with a pipeline's transforms: of the same moduli and constants."""
    taken, table = pipeline.loaded.taken, pipeline.table
    return plan_loaded(
        taken.bits,
        taken.zeros,
        adders_per_stage=table.adders_per_stage,
        target=pipeline.design.target,
        prefer=pipeline.design.prefer,
        limit=1,
        every=pipeline.beats,
        inverse=taken.inverse,
    )


def key_word(plan: LoadedPlan, q: int, value: int) -> int:
    """Key word of a value: its product with R, in [0, q)."""
    return value * plan.reductions[0].scale % q


def sum_of_products(plan: LoadedPlan, q: int, pairs: Sequence[tuple[int, int]]) -> int:
    """Result for (word, word of the key): each product divided by R, and their sum."""
    unscale = pow(plan.reductions[0].scale, -1, q)
    return sum(word * key for word, key in pairs) * unscale % q
