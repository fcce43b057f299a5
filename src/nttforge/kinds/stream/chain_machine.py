# SPDX-License-Identifier: Apache-2.0
"""A compiled chain of transforms and products: loads and sums in, polynomials out."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import numpy as np

from nttforge.cache import design_files
from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared
from nttforge.kinds.stream.chain import COMMAND_BITS, ChainCore
from nttforge.kinds.stream.product import key_word
from nttforge.ring.arithmetic import Array
from nttforge.ring.polynomial_product import multiply
from nttforge.ring.ring import Ring
from nttforge.ring.transform import ntt
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.simulate.word_streams import stream

#: Cycles that a run may take for each that it would take without pauses.
_PATIENCE, _SPARE = 40, 20_000


@dataclass(frozen=True)
class Term:
    """A polynomial, and what it is multiplied by.

    - `polynomial`: shape (n,), in [0, q).
    - `key`: another one, or a number.
    """

    polynomial: Array
    key: Array | int


@dataclass(frozen=True)
class Sum:
    """A sum of products modulo what a place has; `marked` if it must come with the error bit."""

    place: int
    terms: Sequence[Term]
    marked: bool = False


@dataclass
class Beats:
    """Beats of the streams into a chain: {tuser, tdata, tlast}, as its ports have them."""

    core: ChainCore
    polynomials: list[int] = field(default_factory=list)
    keys: list[int] = field(default_factory=list)

    def load(self, place: int, ring: Ring) -> None:
        """Give a place its modulus: a load for each of the pipelines."""
        core = self.core
        for second, pipeline in enumerate((core.forward, core.inverse)):
            code = 1 << core.place_bits + COMMAND_BITS | place << COMMAND_BITS | second
            self.polynomials += self.packet(list(pipeline.load_words(ring)), code)

    def add(self, ring: Ring, each: Sum) -> None:
        """A sum, with its keys."""
        for number, term in enumerate(each.terms):
            constant = isinstance(term.key, int)
            last, first = number == len(each.terms) - 1, number == 0
            code = each.place << COMMAND_BITS | constant << 2 | last << 1 | first
            words = term.polynomial.astype(object)
            self.polynomials += self.packet(self.core.beats_of("s_axis", words), code)
            self.keys += self.packet(self.key(ring, term.key))

    def key(self, ring: Ring, key: Array | int) -> list[int]:
        """Words of a key: of its values in the transform's order, or of a number in one beat."""
        core = self.core
        if isinstance(key, int):
            word = key_word(core.product, ring.q, key)
            return [sum(word << lane * core.bits for lane in range(core.lanes))]
        return core.beats_of("k_axis", ntt(ring, key).astype(object) * core.scale % ring.q)

    def packet(self, words: Sequence[int], code: int = 0) -> list[int]:
        """Words of a packet as beats."""
        head = code << self.core.data_bits
        return [(head | word) << 1 | (i == len(words) - 1) for i, word in enumerate(words)]


def right(ring: Ring, terms: Sequence[Term]) -> Array:
    """The sum of products modulo x^n + 1, by the references."""
    total = np.zeros(ring.n, object)
    for term in terms:
        a = term.polynomial
        product = a.astype(object) * term.key if isinstance(term.key, int) else None
        total += multiply(ring, a, term.key).astype(object) if product is None else product
    return np.asarray(total % ring.q)


@dataclass(frozen=True)
class Results:
    """Results of sums: the polynomial of each, whether it had the error bit; cycles of all."""

    polynomials: list[Array]
    marked: list[bool]
    cycles: int


class ChainMachine:
    """A compiled chain.

    - `core`: the chain.
    - `folder`: its design folder.
    """

    def __init__(self, core: ChainCore, folder: Path) -> None:
        self.core = core
        ports = Ports.of(core.wrapper)
        self.model = CycleModel(CycleModel.kept(design_files(folder), core.name, ports), ports)
        self.model.reset()

    @classmethod
    def of(cls, prepared: Prepared[ChainCore]) -> Self:
        """Of a core and its folder."""
        return cls(prepared.core, prepared.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.model.close()

    def run(
        self,
        beats: Beats,
        sums: Sequence[Sum],
        *,
        pauses: float = 0,
        rng: random.Random | None = None,
        late: Mapping[str, int] | None = None,
    ) -> Results:
        """Play beats, of which these sums come.

        - `pauses`, `rng`, `late`: see :func:`nttforge.simulate.word_streams.stream`.

        Raises FaultError if they do not come, or come with another place or length.
        """
        core = self.core
        feeds = {"s_axis": beats.polynomials, "k_axis": beats.keys}
        awaited = {"m_axis": len(sums) * core.beats}
        load = core.forward.load_wait + core.inverse.load_wait
        cycles = sum(map(len, feeds.values())) + load * (core.places + 1) + core.latency
        limit = _SPARE + sum((late or {}).values()) + int(_PATIENCE * cycles / (1 - pauses) ** 2)
        found = stream(
            self.model, feeds, awaited, limit=limit, pauses=pauses, rng=rng, late=late or {}
        )
        if not found.over:
            raise FaultError("stuck", f"{len(sums)} sums did not come in {found.cycles} cycles")
        polynomials, marked = [], []
        for each, packet in zip(sums, self._packets(found.words["m_axis"]), strict=True):
            user = packet[-1] >> core.data_bits + 1
            place = user >> 1 & (1 << core.place_bits) - 1
            if place != each.place:
                raise FaultError("tuser", f"a sum has place {place} instead of {each.place}")
            mask = (1 << core.data_bits) - 1
            polynomials.append(core.polynomial_of([beat >> 1 & mask for beat in packet]))
            marked.append(bool(user >> core.result_bits - 1))
        return Results(polynomials, marked, found.cycles)

    def _packets(self, words: Sequence[int]) -> Iterator[Sequence[int]]:
        """Beats of each result. Raises FaultError if a packet is no polynomial."""
        size = self.core.beats
        for start in range(0, len(words), size):
            packet = words[start : start + size]
            lasts = [beat & 1 for beat in packet]
            if len(packet) != size or lasts != [0] * (size - 1) + [1]:
                raise FaultError("tlast", f"a result does not have {size} beats")
            yield packet
