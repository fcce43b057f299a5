# SPDX-License-Identifier: Apache-2.0
"""The machine, word for word: what the RTL does, as arrays, in the RTL's orders.

It is slow and exact, and proves the page: results are compared with the definition, and every
beat's banks, every burst's addresses and every pass's dependences are checked on the way.
"""

from collections.abc import Iterator

import numpy as np

from nttforge.kinds.decomposed.rounds import Field, Order, Round, padded, rounds
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.twiddles import Seeds
from nttforge.kinds.decomposed.walks import Fields, Places, reverse, unload
from nttforge.layout.layout import halves, natural
from nttforge.ring.arithmetic import Array, arithmetic
from tests.unit.families.decomposed.addresses import fields_read, read_address, write_address
from tests.unit.families.decomposed.banks import home
from tests.unit.families.decomposed.block_transforms import transform_blocks
from tests.unit.families.decomposed.generator import Table, jobs, vectors
from tests.unit.families.decomposed.pass_orders import PassWalks, kernel_pass


class Machine:
    """Functional model of the decomposed engine.

    Parameters
    ----------
    shape
        Its sizes.
    seeds
        Its roots; the largest transform has one bit less than the largest order.
    kernels
        1, or 2 in cascade, each with a buffer.
    """

    def __init__(self, shape: Shape, seeds: Seeds, kernels: int = 1) -> None:
        self.shape = shape
        self.seeds = seeds
        self.kernels = kernels
        self.modular = arithmetic(seeds.q)

    def transform(
        self,
        words: Array,
        *,
        inverse: bool = False,
        negacyclic: bool = False,
        coset: bool = False,
        order: Order = Order.NATURAL,
        padding: int = 0,
    ) -> Array:
        """Transform 2^L words; one in 2^padding is given, and zeros follow them.

        Raises
        ------
        NttforgeError
            If the size does not fit the machine.
        """
        size = len(words).bit_length() - 1 + padding
        memory = words.astype(self.modular.dtype)
        first, *more = rounds(self.shape, size, order)
        for at in (padded(first, padding), *more):
            target = np.empty(1 << size, memory.dtype)
            tables = _Tables(self.seeds, at, inverse=inverse, negacyclic=negacyclic, coset=coset)
            for group in range(at.groups):
                self._group(at, group, tables, memory, target)
            memory = target
        return memory

    def _group(
        self, at: Round, group: int, tables: "_Tables", source: Array, target: Array
    ) -> None:
        shape, slot = self.shape, group % (1 << at.slots)
        # Words that are not loaded are arbitrary.
        buffer = np.full((shape.banks, shape.rows), self.seeds.q - 1, dtype=source.dtype)
        fields = fields_read(shape, at)
        buffer[self._place(at, slot, fields)] = source[read_address(at, group, fields)]
        tables.advance(group)
        for number, field in enumerate(at.passes):
            # What the first of two kernels gives goes into the second one's buffer, in its order.
            walks = kernel_pass(shape, at, field)
            given = self._pass(at, slot, walks, tables, buffer)
            if self.kernels > 1 and not number:
                buffer = np.full_like(buffer, self.seeds.q - 1)
            buffer[self._place(at, slot, walks.write.fields)] = given
        fields = unload(shape, at).fields
        target[write_address(at, group, fields)] = buffer[self._place(at, slot, fields)]

    def _place(self, at: Round, slot: int, fields: Fields) -> tuple[Places, Places]:
        place = home(self.shape, at, slot, fields)
        return place.half << self.shape.t | place.bank, place.row

    def _pass(
        self, at: Round, slot: int, walks: PassWalks, tables: "_Tables", buffer: Array
    ) -> Array:
        """The words of a group as the kernel gives them."""
        v, t = self.shape.v, self.shape.t
        apart, plain = halves(v, t).order().reshape(-1), natural(v, t).order().reshape(-1)
        before, behind = (plain, apart) if walks.field is Field.P else (apart, plain)
        fields = walks.read.fields
        factors = tables.factors(walks.field, fields)
        stream = self.modular.scale(buffer[self._place(at, slot, fields)], factors)
        blocks = np.empty((stream.size >> v, 1 << v), dtype=stream.dtype)
        blocks[:, before] = stream.reshape(-1, 1 << v)
        blocks = transform_blocks(
            self.seeds,
            blocks,
            at.bits[walks.field],
            reversed_digit=walks.field is Field.P,
            inverse=tables.inverse,
            twisted=tables.twisted and walks.field is Field.R,
            size=at.size if tables.coset else 0,
        )
        return blocks[:, behind].reshape(fields[0].shape)


class _Tables:
    """The twiddle tables of a round, group after group."""

    def __init__(
        self, seeds: Seeds, at: Round, *, inverse: bool, negacyclic: bool, coset: bool
    ) -> None:
        self.at = at
        self.inverse = inverse
        self.coset = coset
        self.twisted = inverse and (negacyclic or coset) and at.last
        self.modular = arithmetic(seeds.q)
        largest = len(seeds.shifts) - 1 if coset else 0
        self._jobs = jobs(at, inverse=inverse, negacyclic=negacyclic, coset=largest)
        self._running: dict[Table, Iterator[Array]] = {
            table: vectors(seeds, job) for table, job in self._jobs.items()
        }
        self._words: dict[Table, Array] = {}

    def advance(self, group: int) -> None:
        """Make the words of a group, unless those of the one before will do."""
        for table, job in self._jobs.items():
            once = table in (Table.A0, Table.B)
            low = self.at.low_bits
            same = once or group & (1 << low) - 1
            if group and same:
                continue
            made = [next(self._running[table]) for _ in range(1 << job.k)]
            self._words[table] = np.stack(made)

    def factors(self, field: Field, fields: Fields) -> Array:
        """Prepared factors of words in front of the pass along `field`."""
        at = self.at
        p, c, r = fields
        k = p if at.keyed else np.zeros_like(p)
        if field is Field.P:
            return self.modular.prepare(self._words[Table.A0][0, reverse(p, at.mp)])
        if field is Field.C:
            return self.modular.prepare(self._words[Table.A1][k, c])
        first = self._words[Table.A2][k & (1 << at.split) - 1, r]
        second = self._words[Table.B][reverse(c, at.mc) if at.mc else k >> at.split, r]
        return self.modular.prepare(self.modular.scale(first, self.modular.prepare(second)))
