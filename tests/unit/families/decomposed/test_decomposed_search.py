# SPDX-License-Identifier: Apache-2.0
"""The choice of section IV, at the paper's boards."""

import itertools
from dataclasses import replace

import pytest

from nttforge.errors import NttforgeError
from nttforge.kinds.decomposed.candidates import Board, Choice, choices, shapes, words_a_beat
from nttforge.kinds.decomposed.shape import Shape, memory_ports

# An Alveo U250 with bursts of 1 KB; what the paper's design takes of its blocks, and a bit more.
WIDE = Board(100, 11, 1024, 7000, 90_000_000)
NARROW = Board(165, 11, 1024, 3000, 90_000_000)


def choose(board: Board, word_bits: int, dsp_each: int) -> Choice:
    """The largest kernel that fits: fewest passes and fewest rounds."""
    return [choice for choice in choices(board, word_bits, dsp_each) if choice.fits][-1]


def test_the_papers_balance() -> None:
    assert words_a_beat(WIDE, 256) == pytest.approx(6.9, abs=0.05)
    assert words_a_beat(NARROW, 64) == pytest.approx(16.7, abs=0.05)


@pytest.mark.parametrize(("board", "bits", "dsp", "t"), [(WIDE, 256, 220, 4), (NARROW, 64, 12, 16)])
def test_the_papers_choice(board: Board, bits: int, dsp: int, t: int) -> None:
    choice = choose(board, bits, dsp)
    assert (choice.n, choice.t, choice.b) == (64, t, 8)


def test_more_of_the_chip_takes_a_larger_kernel() -> None:
    assert choose(replace(WIDE, ram_bits=10**9), 256, 220).n == 128
    assert choose(replace(WIDE, ram_bits=10**7), 256, 220).n == 16
    every = list(choices(WIDE, 256, 220))
    assert [choice.n for choice in every] == [16, 32, 64, 128, 256]
    assert all(a.dsp < b.dsp and 4 * a.ram_bits == b.ram_bits for a, b in itertools.pairwise(every))


def test_a_slower_channel_takes_fewer_words() -> None:
    assert choose(replace(NARROW, clock_mhz=330), 64, 12).t == 8
    # No less than the machine takes at a time, unless it would wait most of the time.
    assert choose(replace(WIDE, channel_gbytes_s=5), 256, 220).t == 4
    with pytest.raises(NttforgeError, match=r"brings 0\.94 words of 256 bits a cycle"):
        choose(replace(WIDE, channel_gbytes_s=3), 256, 220)


def test_shapes_can_be_built() -> None:
    for board, bits in ((WIDE, 256), (NARROW, 64), (replace(NARROW, burst_bytes=4096), 32)):
        every = list(shapes(board, bits))
        assert len(set(every)) == len(every)
        assert {t for _, t, _ in every} == {
            t for t in (4, 8, 16, 32, 64) if t <= words_a_beat(board, bits)
        }
        for n, t, b in every:
            Shape(*((size - 1).bit_length() for size in (n, t, b)))


def test_no_port_is_wider_than_a_channel() -> None:
    fast = replace(WIDE, channel_gbytes_s=2000)
    for bits in (16, 32, 64, 128, 256):
        every = list(shapes(fast, bits))
        assert max(t for _, t, _ in every) == 64
        for _, t, b in every:
            ports = memory_ports(t * bits)
            assert ports == max(1, t * bits // 1024) and t * bits // ports <= 1024
            assert b == 2 or b * t * bits // 8 // ports <= 4096
    assert {choice.ports for choice in choices(fast, 256, 220)} == {16}


def test_nothing_fits() -> None:
    assert not any(choice.fits for choice in choices(replace(WIDE, dsp=100), 256, 220))
