# SPDX-License-Identifier: Apache-2.0
"""Cycles of a chain of transforms and products: latency, products in a sequence, loads."""

import random
from collections.abc import Iterator, Mapping

from pydantic import BaseModel

from nttforge.flow.prepare import Prepared, Progress
from nttforge.kinds.stream.chain import ChainCore
from nttforge.kinds.stream.chain_machine import Beats, ChainMachine, Sum, Term, right
from nttforge.kinds.stream.chain_verify import drawn_words
from nttforge.kinds.stream.loaded import ring_of, sample_moduli
from nttforge.results import Measurement, Timed, timed
from nttforge.table import Block, Table

#: Results of a sequence, by default; terms of those that are measured.
_USUAL, _TERMS = 4, (1, 2, 4)


class SumCycles(BaseModel):
    """Of sums of so many products.

    - `latency`: first beat in to last beat out, both counted.
    - `each`: cycles between results of a sequence in which moduli change.
    """

    terms: int
    latency: int
    each: float


class ChainMeasurement(Measurement):
    """Measurements.

    - `latency_derived`: of a product.
    - `load_cycles`: of a modulus, in both pipelines and the product, with the checks of its root.
    - `sums`: by number of terms.
    """

    latency_derived: int
    load_cycles: float
    sums: list[SumCycles]
    seed: int

    @property
    def timed(self) -> Mapping[str, Timed]:
        """By number of terms."""
        return {f"sum of {row.terms}": Timed(row.latency, row.each) for row in self.sums}

    def shown(self) -> Iterator[Block]:
        """Cycles of sums, and of a load."""
        yield Table(
            f"{self.design}: cycles of sums of products",
            ("products of a sum", "latency", "each in a sequence", "each product"),
            [(row.terms, row.latency, row.each, row.each / row.terms) for row in self.sums],
            [f"A modulus is loaded in {self.load_cycles:,.0f} cycles."],
        )
        yield from self.times()


@timed
def measure(
    prepared: Prepared[ChainCore], count: int | None, seed: int, progress: Progress
) -> ChainMeasurement:
    """Observe sums without a pause, of different moduli in turn.

    Raises RuntimeError if a result is wrong: `verify` says more.
    """
    core, rng = prepared.core, random.Random(seed)
    rings = [ring_of(core.design, q) for q in sample_moduli(core.design)]
    wanted = count or _USUAL

    def sums(terms: int, number: int) -> list[Sum]:
        made = []
        for at in range(number):
            place = at % core.places
            words = [(drawn_words(rings[place], rng), drawn_words(rings[place], rng))]
            made.append(Sum(place, [Term(*pair) for pair in words * terms]))
        return made

    def cycles(machine: ChainMachine, each: list[Sum], loads: int = 0) -> int:
        beats = Beats(core)
        for place in range(loads):
            beats.load(place, rings[place])
        for item in each:
            beats.add(rings[item.place], item)
        found = machine.run(beats, each)
        for item, polynomial, marked in zip(each, found.polynomials, found.marked, strict=True):
            if marked or (polynomial != right(rings[item.place], item.terms)).any():
                raise RuntimeError("a sum of products is wrong")
        return found.cycles

    rows = []
    progress("compiling")
    with ChainMachine.of(prepared) as machine:
        loads = cycles(machine, sums(1, 1), core.places)
        for terms in _TERMS:
            progress(f"measuring sums of {terms}")
            latency = cycles(machine, sums(terms, 1))
            many = cycles(machine, sums(terms, wanted))
            each = (many - latency) / (wanted - 1)
            rows.append(SumCycles(terms=terms, latency=latency, each=each))
    return ChainMeasurement(
        design=core.name,
        latency_derived=core.latency,
        load_cycles=(loads - rows[0].latency) / core.places,
        sums=rows,
        seed=seed,
    )
