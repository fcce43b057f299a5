# SPDX-License-Identifier: Apache-2.0
"""Orders, banks and addresses: what docs/decomposed.md claims of them, at every size."""

from collections.abc import Iterator

import numpy as np
import pytest

from nttforge.kinds.decomposed.rounds import Order, Round, rounds
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.walks import Walk, load, unload
from tests.unit.families.decomposed.addresses import read_address, write_address
from tests.unit.families.decomposed.banks import home
from tests.unit.families.decomposed.cases import SHAPES, sizes
from tests.unit.families.decomposed.pass_orders import kernel_pass


def every_round(shape: Shape) -> Iterator[Round]:
    """One round of every kind and every size of its digits."""
    seen = set()
    for size in sizes(shape, shape.fits + 2 * shape.v):
        for at in (at for order in Order for at in rounds(shape, size, order)):
            kind = (at.keyed, at.fits, at.mirror_in, at.mirror_out, at.bits)
            if kind not in seen:
                seen.add(kind)
                yield at


def every_walk(shape: Shape, at: Round) -> Iterator[Walk]:
    yield load(shape, at)
    for field in at.passes:
        walks = kernel_pass(shape, at, field)
        yield walks.read
        yield walks.write
    yield unload(shape, at)


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_beat_meets_every_bank_of_one_half_once(shape: Shape) -> None:
    banks = np.arange(1 << shape.t)
    for at in every_round(shape):
        for walk in every_walk(shape, at):
            for slot in range(1 << at.slots):
                place = home(shape, at, slot, walk.fields)
                assert (np.sort(place.bank, axis=1) == banks).all()
                assert (place.half == place.half[:, :1]).all()
                # One network of multiplexers does it: lane and bank differ by a constant.
                shift = place.bank ^ place.bank[:, :1]
                assert (shift == shift[0]).all()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_no_two_words_of_all_slots_share_a_place(shape: Shape) -> None:
    for at in every_round(shape):
        places = []
        for slot in range(1 << at.slots):
            place = home(shape, at, slot, load(shape, at).fields)
            assert int(place.row.max()) < shape.rows
            places.append((place.half << shape.t | place.bank) * shape.rows + place.row)
        met = np.bincount(np.stack(places).reshape(-1), minlength=shape.banks * shape.rows)
        assert met.max() == 1 and met.sum() == 1 << (at.slots + at.group)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_units_end_where_the_next_pass_may_begin(shape: Shape) -> None:
    """What the first pass reads, and the unload, is complete unit by unit."""

    def same_sets(before: Walk, after: Walk) -> bool:
        words = 1 << (before.unit + shape.t)
        one, other = (np.sort(w.layout.order().reshape(-1, words)) for w in (before, after))
        return bool((one == other).all())

    for at in every_round(shape):
        first, last = (kernel_pass(shape, at, at.passes[i]) for i in (0, -1))
        assert same_sets(load(shape, at), first.read)
        assert same_sets(unload(shape, at), last.write)
        for walk in every_walk(shape, at):
            assert 0 <= walk.unit <= at.group - shape.t


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_bursts_are_consecutive_addresses(shape: Shape) -> None:
    for at in every_round(shape):
        for group in {0, at.groups // 2, at.groups - 1}:
            reads = read_address(at, group, load(shape, at).fields)
            writes = write_address(at, group, unload(shape, at).fields)
            bursts = (at.load.burst, at.unload.burst)
            for addresses, burst in zip((reads, writes), bursts, strict=True):
                runs = addresses.reshape(-1, 1 << burst)
                assert (runs[:, 0] % (1 << burst) == 0).all()
                assert (runs == runs[:, :1] + np.arange(1 << burst)).all()


@pytest.mark.parametrize("shape", SHAPES[:4], ids=str)
def test_a_round_reads_and_writes_every_address_once(shape: Shape) -> None:
    for at in every_round(shape):
        everything = np.arange(1 << at.size)
        for address, walk in ((read_address, load(shape, at)), (write_address, unload(shape, at))):
            words = [address(at, group, walk.fields).reshape(-1) for group in range(at.groups)]
            assert (np.sort(np.concatenate(words)) == everything).all()


@pytest.mark.parametrize("shape", SHAPES[:4], ids=str)
@pytest.mark.parametrize("order", [Order.TO_REVERSED, Order.FROM_REVERSED])
def test_a_group_is_written_where_it_was_read(shape: Shape, order: Order) -> None:
    for size in sizes(shape, 14):
        for at in rounds(shape, size, order):
            for group in {0, at.groups // 2, at.groups - 1}:
                reads = read_address(at, group, load(shape, at).fields)
                writes = write_address(at, group, unload(shape, at).fields)
                assert (np.sort(reads, axis=None) == np.sort(writes, axis=None)).all()
