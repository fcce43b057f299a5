# SPDX-License-Identifier: Apache-2.0
"""Drawn primes in pipelines whose moduli are loaded, against FLINT.

`python -m tests.loaded_primes run` draws 10,000 of them over widths and sizes, as many as there are
places in each run, with transforms of all of them mixed under random stalls, and records how many
words were wrong; `--sizes` runs some sizes alone, and keeps the record of the others. Of large ones
there are a few primes. Without `run` it prints what was recorded.
"""

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from flint import nmod_poly

from nttforge.design import Design, parse_design
from nttforge.flow.prepare import prepare
from nttforge.hw.core import StreamCore
from nttforge.kinds.stream.loaded import (
    LoadedPipeline,
    loads_of,
    operations_of_places,
    ring_of,
)
from nttforge.output import write_text
from nttforge.ring.ring import Ring, bit_reverse
from nttforge.simulate.stream import StallPattern, StreamSimulator
from tests.known_primes import drawn, largest, smallest, sparsest
from tests.tally import markdown

RECORD = Path(__file__).parents[1] / "docs" / "records" / "loaded-primes.json"
PRIMES = 10_000
PLACES = 32
#: Size, bits, table.
SHAPES: tuple[tuple[int, int, dict[str, Any]], ...] = (
    (8, 64, {}),
    (16, 30, {"twiddles": "made", "made_from": 2}),
    (32, 45, {}),
    (64, 54, {"twiddles": "made", "made_from": 64}),
    (128, 36, {"seamless": True}),
    (256, 60, {"twiddles": "made"}),
    (1024, 54, {"twiddles": "made"}),
)
#: The same, and primes of each.
LARGE: tuple[tuple[int, int, dict[str, Any], int], ...] = (
    (4096, 60, {"twiddles": "made", "butterflies": 2}, 64),
    (16384, 54, {"twiddles": "made", "butterflies": 2}, 32),
    (65536, 60, {"twiddles": "made", "butterflies": 2}, 8),
    (131072, 54, {"twiddles": "made", "butterflies": 2, "ram_ultra_from": 2048}, 4),
)
#: Of transforms, for each prime.
EACH = 2


def design_of(n: int, bits: int, table: dict[str, Any]) -> Design:
    """A pipeline of so many places."""
    ring = {"n": n, "q": "runtime", "bits": bits, "moduli": PLACES}
    return parse_design({"name": "primes", "rings": [ring], "pipeline": table}, "primes")


def engine(core: StreamCore) -> LoadedPipeline:
    """What the core was worked out from."""
    found = core.facts["loaded"]
    assert isinstance(found, LoadedPipeline)
    return found


def loaded_with(core: StreamCore, moduli: Sequence[int]) -> StreamCore:
    """The core with moduli in its first places."""
    pipeline = engine(core)
    rings = [ring_of(pipeline.design, q) for q in moduli]
    return replace(
        core, operations=operations_of_places(pipeline, rings), loads=loads_of(pipeline, rings)
    )


def drawn_primes(bits: int, zeros: int, count: int, rng: random.Random) -> list[int]:
    """The smallest, the largest, a sparse one, and drawn ones of all widths."""
    shaped = [smallest(zeros), largest(bits, zeros), sparsest(bits, zeros)]
    return [*shaped[:count], *(drawn(bits, zeros, rng) for _ in range(count - len(shaped)))]


def values_by_flint(ring: Ring, polynomial: Sequence[int]) -> list[int]:
    """The transform: a polynomial's values at the roots, in the order of the leaves."""
    f = nmod_poly([int(c) for c in polynomial], ring.q)
    exponents = (bit_reverse(k, ring.depth) for k in range(ring.n))
    return [int(f(pow(ring.root, 2 * e + 1 if ring.negacyclic else e, ring.q))) for e in exponents]


def wrong_words(
    simulator: StreamSimulator, core: StreamCore, count: int, rng: random.Random
) -> int:
    """Of so many transforms, drawn and mixed, under random stalls: corners of words and others."""
    simulator.core = core
    operations = [core.operations[rng.randrange(len(core.operations))] for _ in range(count)]
    data = [
        [rng.choice((0, 1, op.ring.q - 1, rng.randrange(op.ring.q))) for _ in range(op.ring.n)]
        for op in operations
    ]
    data[0] = [operations[0].ring.q - 1] * operations[0].ring.n
    given = np.array(data, dtype=object).astype(np.uint64)
    stalls = StallPattern.random(0.2), StallPattern.random(0.3)
    run = simulator.stream(
        operations, given, source=stalls[0], sink=stalls[1], seed=rng.randrange(1 << 30)
    )
    wrong = 0
    for operation, polynomial, output in zip(operations, data, run.outputs, strict=True):
        pair = (output, polynomial) if operation.inverse else (polynomial, output)
        coefficients, values = ([int(word) for word in each] for each in pair)
        right = values_by_flint(operation.ring, coefficients)
        wrong += sum(a != b for a, b in zip(right, values, strict=True))
    return wrong


def run(primes: int, seed: int, sizes: Sequence[int] = ()) -> list[dict[str, Any]]:
    """A row a shape, of all sizes or of some."""
    rows = []
    share = -(-primes // len(SHAPES))
    for n, bits, table, count in (*((*shape, share) for shape in SHAPES), *LARGE):
        if sizes and n not in sizes:
            continue
        began, rng = time.monotonic(), random.Random(seed)
        prepared = prepare(design_of(n, bits, table))
        moduli = engine(prepared.core).moduli
        transforms = wrong = 0
        shaped = drawn_primes(bits, moduli.zeros, count, rng)
        with prepared.simulator() as simulator:
            for first in range(0, len(shaped), PLACES):
                some = shaped[first : first + PLACES]
                core = loaded_with(prepared.core, some)
                wrong += wrong_words(simulator, core, EACH * len(some), rng)
                transforms += EACH * len(some)
        rows.append(
            {
                "n": n,
                "bits": bits,
                "factors": table.get("twiddles", "tables"),
                "primes": len(shaped),
                "different": len(set(shaped)),
                "transforms": transforms,
                "wrong words": wrong,
            }
        )
        print(rows[-1], f"{time.monotonic() - began:.0f} s", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=["run"])
    parser.add_argument("--primes", type=int, default=PRIMES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sizes", type=int, nargs="+", default=[])
    given = parser.parse_args()
    if given.what == "run":
        rows = run(given.primes, given.seed, given.sizes)
        if given.sizes:
            others = json.loads(RECORD.read_text("utf-8"))
            rows += [row for row in others if row["n"] not in given.sizes]
        write_text(RECORD, json.dumps(sorted(rows, key=lambda row: row["n"]), indent=1) + "\n")
    rows = json.loads(RECORD.read_text("utf-8"))
    print(markdown(list(rows[0]), [list(row.values()) for row in rows], text=0))


if __name__ == "__main__":
    main()
