# SPDX-License-Identifier: Apache-2.0
"""Two narrow coefficients in a word (section III-B): rings, and the multiplier for both kinds."""

from collections.abc import Sequence
from functools import cache

from nttforge.errors import NttforgeError
from nttforge.reduction import MultiplierPlan, plan_multiplier
from nttforge.reduction.constant import Goal, Tiling
from nttforge.ring.ring import Ring

_FIELD = "iterative.pairs"


def pair_rings(rings: Sequence[Ring]) -> tuple[bool, ...]:
    """Rings of a core that have two coefficients in a word."""
    wide = max(ring.width for ring in rings)
    paired = tuple(
        ring.leaf_degree == 2 and wide <= 2 * ring.width + 1 < 2 * wide for ring in rings
    )
    narrow = {ring.q for ring, is_pair in zip(rings, paired, strict=True) if is_pair}
    if len(narrow) != 1:
        raise NttforgeError(
            _FIELD,
            f"{len(narrow)} of the moduli are of about half of the widest one's {wide} bits, in "
            "rings whose transform ends with pairs",
            "give it one, as ml-kem beside ml-dsa, or leave it out",
        )
    return paired


@cache
def as_words(ring: Ring) -> Ring:
    """The ring of half the size, in which each half of a pair's transform is."""
    return Ring.create(
        ring.n // 2, ring.q, negacyclic=ring.negacyclic, layers=ring.layers, root=ring.root
    )


def plan_pairs(plan: MultiplierPlan, q: int, kind: str, goal: Goal) -> MultiplierPlan:
    """The plan of the narrow modulus beside that of the wide ones."""
    for adders in range(plan.adders_per_stage, plan.adders_per_stage + 64):
        narrow = plan_multiplier(
            [q], kind=kind, adders_per_stage=adders, target=goal.target, prefer=goal.prefer
        )
        if narrow.latency <= plan.latency:
            break
    tiles = isinstance(plan.product, Tiling) and len(plan.product_reg_after) == 2
    if not tiles or len(narrow.product_reg_after) != 1 or narrow.latency > plan.latency:
        raise NttforgeError(
            _FIELD,
            f"a wide product of {plan.a_width} x {plan.b_width} bits is not two tiles",
            "use moduli as ml-kem's and ml-dsa's, or leave it out",
        )
    return narrow
