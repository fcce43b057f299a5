# SPDX-License-Identifier: Apache-2.0
"""Small pipeline designs for tests, and mixtures of transforms to stream through them."""

import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from nttforge.design import parse_design
from nttforge.families import Core, Operation
from nttforge.flow.prepare import Prepared, prepare
from nttforge.flow.reference import Polynomials, random_polynomials, references
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


def prepare_pipeline(*rings: Mapping[str, Any], **keys: Any) -> Prepared:
    """See :func:`design_data`."""
    return prepare(parse_design(design_data(*rings, **keys), "test"))


def mixture(core: Core, count: int, seed: int) -> tuple[list[Operation], Polynomials]:
    """Operations at random, each with a random polynomial of its ring."""
    rng = np.random.default_rng(seed)
    operations = [core.operations[i] for i in rng.integers(0, len(core.operations), count)]
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
    assert not wrong.any(), [operations[row].name for row in np.flatnonzero(wrong)]
    return run


@cache
def ntt_prime(bits: int, order: int) -> int:
    return next_ntt_prime(bits, order)


def random_design(seed: int) -> dict[str, Any]:
    """Any design that compiles in seconds: a function of the seed."""
    rng = random.Random(seed)
    depth = rng.randint(2, 6)
    both = rng.random() < 0.7
    names = ["ntt", "intt"]
    rng.shuffle(names)
    rings = [_random_ring(rng, depth, name) for name in "abc"[: rng.choice((1, 1, 2, 2, 3))]]
    wide = max(int(ring["q"]).bit_length() for ring in rings) > 32
    most = min(depth - 1, 0 if wide and depth == 6 else 1 if wide or len(rings) > 2 else 2)
    memories = [2, 4, 16, 256]
    return design_data(
        *rings,
        name=f"random-{seed}",
        operations=names if both else names[:1],
        target=rng.choice(("xcup", "xcup", "xc7", "ecp5")),
        butterflies=1 << rng.randint(0, most),
        adders_per_stage=rng.choice((1, 2, 4, 8)),
        seamless=rng.random() < 0.4,
        ram_block_from=rng.choice(memories),
        rom_block_from=rng.choice(memories),
        order=rng.choice(("natural", "mirrored")),
        lut_tile=rng.choice((0, 0, 6, 12)),
    )


def _random_ring(rng: random.Random, depth: int, name: str) -> dict[str, Any]:
    """A ring of 2^depth coefficients; the smallest moduli leave room for few layers."""
    bits = rng.choice((5, 6, 7, 8, 12, 14, 17, 23, 28, 31, 32, 47, 63, 64, 65, 100))
    negacyclic = rng.random() < 0.6
    most = min(depth, bits - 4)
    layers = most if rng.random() < 0.6 else rng.randint(1, most)
    q = ntt_prime(bits, 1 << (layers + negacyclic))
    form = "x^n+1" if negacyclic else "x^n-1"
    return {"name": name, "n": 1 << depth, "q": str(q), "form": form, "layers": layers}
