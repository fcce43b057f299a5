# SPDX-License-Identifier: Apache-2.0
"""What is worked out of iterative cores beside their peers."""

from collections.abc import Iterable, Mapping
from typing import Any

from nttforge.design import Design
from nttforge.flow.synth import SynthResult
from nttforge.kinds.iterative.engine import elaborate
from nttforge.kinds.iterative.memory import least_block_rams
from nttforge.ring.ring import Ring

T_CORE = 2


def formula(n: int, stages: int, butterflies: int) -> int:
    """The paper's cycles of a transform (equation 6)."""
    return stages * n * T_CORE // (2 * butterflies)


def busy(cycles: int, ring: Ring, butterflies: int) -> str:
    """In what share of the cycles every butterfly works."""
    return f"{100 * T_CORE * cycles / formula(ring.n, ring.layers, butterflies):.0f} %"


def memory(design: Design, area: SynthResult) -> str:
    """Block RAM of the polynomials, beside the least that their words need."""
    core = elaborate(design)
    used = sum(block["bram18"] for path, block in area.blocks.items() if ".u_memory." in path)
    least = least_block_rams(core.words * 2 * core.lines, core.residue_bits, core.lines)
    return f"{used} / {least}"


def below(
    peers: Iterable[Mapping[str, Any]], same: Mapping[str, Any], ours: Mapping[str, int]
) -> str | None:
    """How many of the peers that are the same in some columns are above ours in all of others."""
    found = [peer for peer in peers if all(peer[name] == same[name] for name in same)]
    above = sum(all(peer[name] > ours[name] for name in ours) for peer in found)
    return f"{above} of {len(found)}" if found else None
