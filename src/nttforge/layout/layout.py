# SPDX-License-Identifier: Apache-2.0
"""Stream layouts: which coefficient crosses which lane in which beat.

n = 2^L coefficients cross a port as 2^(L-p) beats of 2^p lanes. The L bits of a coefficient's
index sit on L positions: positions 0 ... p-1 are the bits of the lane's number, positions
p ... L-1 those of the beat's. A layout is that assignment and nothing more; docs/layouts.md has
the theory.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Layout:
    """An assignment of index bits to the lane and time positions of a stream.

    - `bits`: bits[position] is the index bit that sits on that position; a permutation of 0 ...
      L-1.
    - `lane_bits`: p, the number of positions that are lanes.
    """

    bits: tuple[int, ...]
    lane_bits: int

    def __post_init__(self) -> None:
        if sorted(self.bits) != list(range(len(self.bits))):
            raise ValueError(f"{self.bits} is not a permutation of index bits")
        if not 0 <= self.lane_bits <= len(self.bits):
            raise ValueError(f"{self.lane_bits} lane bits do not fit {len(self.bits)} index bits")

    @property
    def lanes(self) -> int:
        """Coefficients a beat."""
        return 1 << self.lane_bits

    @property
    def beats(self) -> int:
        """Beats a transform."""
        return 1 << (len(self.bits) - self.lane_bits)

    def position(self, bit: int) -> int:
        """Position on which index bit `bit` sits."""
        return self.bits.index(bit)

    def index(self, beat: int, lane: int) -> int:
        """Index of the coefficient that crosses `lane` in `beat`."""
        address = beat << self.lane_bits | lane
        return sum((address >> position & 1) << bit for position, bit in enumerate(self.bits))

    def order(self) -> npt.NDArray[np.int64]:
        """Coefficient indices in the order of the stream, shape (beats, lanes)."""
        address = np.arange(1 << len(self.bits), dtype=np.int64)
        index = np.zeros_like(address)
        for position, bit in enumerate(self.bits):
            index |= (address >> position & 1) << bit
        return index.reshape(self.beats, self.lanes)

    def exchange(self, a: int, b: int) -> "Layout":
        """Swap the index bits that sit on positions `a` and `b`."""
        bits = list(self.bits)
        bits[a], bits[b] = bits[b], bits[a]
        return Layout(tuple(bits), self.lane_bits)

    def exchange_delay(self, a: int, b: int) -> int:
        """Beats by which a stream must be delayed to exchange positions `a` and `b`.

        2^t for a lane and time bit t (a delay commutator), 0 for two lanes (wires), and the
        distance 2^t - 2^s for two time bits t > s.
        """
        times = [
            1 << (position - self.lane_bits) for position in (a, b) if position >= self.lane_bits
        ]
        return max(times, default=0) - (min(times) if len(times) == 2 else 0)

    def describe(self) -> str:
        """Content of beat i, as text: `beat i: 2i, 2i+1`."""
        time = self.bits[self.lane_bits :]
        if any(b != a + 1 for a, b in pairwise(time)):
            return f"index bits {self.bits} on the positions, lanes first"
        stride = (1 << time[0]) if time else 0
        beat = "" if not stride else "i" if stride == 1 else f"{stride}i"
        offsets = [self.index(0, lane) for lane in range(self.lanes)]
        terms = [
            "+".join(part for part in (beat, str(at) if at else "") if part) or "0"
            for at in offsets
        ]
        if len(terms) > 6:
            terms = [*terms[:3], "...", terms[-1]]
        return f"beat i: {', '.join(terms)}"


def natural(depth: int, lane_bits: int) -> Layout:
    """Coefficients in order: beat i carries coefficients i * 2^p ... (i+1) * 2^p - 1."""
    return Layout(tuple(range(depth)), lane_bits)


def halves(depth: int, lane_bits: int) -> Layout:
    """The two halves side by side: the first stage's pairs (i, i + n/2) share a beat.

    The upper half of the lanes carries index bit L-1; the other bits are in order. With two lanes
    beat i carries coefficients i and i + n/2.
    """
    lane = list(range(lane_bits - 1))
    rest = list(range(lane_bits - 1, depth - 1))
    return Layout((*lane, depth - 1, *rest), lane_bits)
