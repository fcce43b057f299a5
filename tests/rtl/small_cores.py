# SPDX-License-Identifier: Apache-2.0
"""Small pipeline designs for tests, and mixtures of transforms to stream through them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, prepare
from nttforge.flow.reference import Polynomials, random_polynomials, references
from nttforge.hw import Operation, StreamCore
from nttforge.ring.primes import next_ntt_prime
from nttforge.simulate.stream import StreamRun, StreamSimulator

#: One ring, n = 16, both directions: compiles in a few seconds.
SMALL_RING: Mapping[str, Any] = {"n": 16, "q": 97}
#: Two rings, the second one incomplete, in which the second stage from the end passes through.
TWO_RINGS: Sequence[dict[str, Any]] = (
    {"name": "a", "n": 16, "q": 97},
    {"name": "b", "n": 16, "q": 3329, "layers": 3},
)


def design_data(*rings: Mapping[str, Any], **keys: Any) -> dict[str, Any]:
    """A design as its TOML would be; keys other than the design's own are of the pipeline."""
    own = {key: keys.pop(key) for key in ("name", "operations", "target", "prefer") if key in keys}
    return {"name": "dut", "rings": [dict(ring) for ring in rings], "pipeline": keys} | own


def prepare_pipeline(*rings: Mapping[str, Any], **keys: Any) -> Prepared[StreamCore]:
    """See :func:`design_data`."""
    return prepare(parse_design(design_data(*rings, **keys), "test"))


def mixture(core: StreamCore, count: int, seed: int) -> tuple[list[Operation], Polynomials]:
    """Operations at random, each with a random polynomial of its ring."""
    rng = np.random.default_rng(seed)
    drawn = [int(i) for i in rng.integers(0, len(core.operations), count)]
    operations = [core.operations[i] for i in drawn]
    polynomials = np.empty((count, operations[0].ring.n), dtype=object)
    for row, operation in enumerate(operations):
        polynomials[row] = random_polynomials(operation.ring, 1, rng)[0]
    return operations, polynomials


def check(
    simulator: StreamSimulator,
    operations: Sequence[Operation],
    polynomials: Polynomials,
    **how: Any,
) -> StreamRun:
    """Stream and compare with the fast references."""
    run = simulator.stream(operations, polynomials, **how)
    wrong = (run.outputs != references(operations, polynomials)).any(axis=1)
    assert not wrong.any(), [o.name for o, bad in zip(operations, wrong, strict=True) if bad]
    return run


@cache
def ntt_primes(order: int, widths: range) -> list[int]:
    """The smallest prime that is 1 modulo `order` of each width that has one."""
    found = []
    for bits in widths:
        with suppress(NttforgeError):
            found.append(next_ntt_prime(bits, order))
    return found
