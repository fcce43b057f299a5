# SPDX-License-Identifier: Apache-2.0
"""Operands of an engine for large transforms, in memory."""

import numpy as np
import numpy.typing as npt

from nttforge.flow.memory_jobs import Array, Bytes, Placed
from nttforge.kinds.decomposed import simulator as decomposed
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.run import check_words
from nttforge.simulate.native import from_limbs


def place_decomposed(
    core: DecomposedCore, name: str, words: npt.ArrayLike, *, padding: int = 0
) -> Placed:
    """Polynomials of any size for an engine of large transforms, 2^padding - 1 zeros a word."""
    operation = next(o for o in core.operations if o.name == name)
    given = check_words(core, operation, words, "operand 0", padding)
    batch, _, limbs = given.words.shape
    size = given.size
    part = core.part(size, batch)
    extent = core.stripes * part
    source = decomposed.to_memory(core, given.words, operation=operation)
    if core.stripes > 1 and padding:
        # Parts without their zeros are shorter, and as far from each other as a target's.
        parts = source.reshape(core.stripes, -1)
        source = np.pad(parts, ((0, 0), (0, part - parts.shape[1]))).reshape(-1)

    def results(written: list[Bytes]) -> Array:
        shape = batch, 1 << size, limbs
        found = decomposed.from_memory(core, written[0], shape, operation=operation)
        return found if given.as_limbs else from_limbs(found).reshape(given.results)

    return Placed(
        code=operation.code,
        log_size=size,
        sources=[source],
        targets=[extent],
        counts=[batch],
        scratch=extent if core.needs_work(operation, size) else 0,
        stripe=part if core.stripes > 1 else 0,
        padding=padding,
        results=results,
    )
