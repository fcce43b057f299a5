# SPDX-License-Identifier: Apache-2.0
"""The choice of t, n and b for a board: SAM, section IV, with the costs of this family."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import BaseModel

from nttforge.errors import NttforgeError
from nttforge.kinds.decomposed.shape import FIELD, PAGE, memory_ports

_LARGEST_KERNEL = 8  # log2
#: Words a beat that the machine is made for.
_LEAST_BEAT, _LARGEST_BEAT = 4, 64


@dataclass(frozen=True)
class Board:
    """A board: clock, bandwidth of read and written ports, bytes of a burst, resources."""

    clock_mhz: float
    channel_gbytes_s: float
    burst_bytes: int
    dsp: int
    ram_bits: int


class Choice(BaseModel):
    """One way to build the engine, and its resources; `fits`: the board has as much."""

    n: int
    t: int
    b: int
    ports: int
    multipliers: int
    dsp: int
    ram_bits: int
    fits: bool


def words_a_beat(board: Board, word_bits: int) -> float:
    """The t at which memory and kernel take as long: SAM, section IV, 2B / (W f)."""
    return 2 * board.channel_gbytes_s * 8e3 / (word_bits * board.clock_mhz)


def word_bytes(t: int, word_bits: int) -> int:
    """Bytes of a memory port's word, if a beat is t words."""
    beat = t * word_bits
    return beat // memory_ports(beat) // 8


def beat_words(board: Board, word_bits: int) -> int:
    """The t that the board asks for: a power of two, no more than its balance."""
    balance = words_a_beat(board, word_bits)
    if balance < _LEAST_BEAT / 2:
        raise NttforgeError(
            "bandwidth",
            f"the channel brings {balance / 2:.2f} words of {word_bits} bits a cycle, and the "
            f"machine takes {_LEAST_BEAT} at a time",
            "a slower clock will do as well",
        )
    t = 1 << (int(balance).bit_length() - 1)
    return min(max(t, _LEAST_BEAT), _LARGEST_BEAT)


def shapes(board: Board, word_bits: int) -> Iterator[tuple[int, int, int]]:
    """(n, t, b) to try: the t that the board asks for, and each half of it."""
    t = beat_words(board, word_bits)
    while t >= _LEAST_BEAT:
        for v in range(t.bit_length() + 1, _LARGEST_KERNEL + 1):
            b = max(2, min(board.burst_bytes, PAGE) // word_bytes(t, word_bits))
            yield 1 << v, t, min(b, 1 << v, (1 << FIELD) // t)
        t //= 2


def choices(board: Board, word_bits: int, dsp_each: int) -> Iterator[Choice]:
    """Engines with the t and b that the board asks for, from the smallest kernel up."""
    best = beat_words(board, word_bits)
    for n, t, b in shapes(board, word_bits):
        if t != best:
            return
        # A butterfly a pair of lanes and stage, two twiddles a lane, and one for the generator.
        multipliers = (n.bit_length() - 1) * t // 2 + 2 * t + 1
        ram_bits = 2 * n * n * b * t * word_bits
        dsp = multipliers * dsp_each
        fits = dsp <= board.dsp and ram_bits <= board.ram_bits
        yield Choice(
            n=n,
            t=t,
            b=b,
            ports=memory_ports(t * word_bits),
            multipliers=multipliers,
            dsp=dsp,
            ram_bits=ram_bits,
            fits=fits,
        )
