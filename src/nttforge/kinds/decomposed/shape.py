# SPDX-License-Identifier: Apache-2.0
"""The three numbers that fix the machine: kernel, words per beat, beats per burst."""

from dataclasses import dataclass, field

from nttforge.errors import NttforgeError

PAGE = 4096  # bytes; no burst crosses one

FIELD = 8
"""Most bits of a field of an index, so of a kernel's points and a burst's words;
ntf_decomposed_pkg::FieldW."""


def memory_ports(beat_bits: int, port_bits: int = 1024) -> int:
    """Ports that share a beat: as many as it needs, each of AXI4's widest or of so many bits."""
    return max(1, beat_bits // port_bits)


@dataclass(frozen=True)
class Shape:
    """Logarithms of the machine's sizes; docs/decomposed.md, *Parameters and words*.

    - `v`: log2 of the kernel's size n.
    - `t`: log2 of the words a beat (T on the page).
    - `b`: log2 of the beats a burst (B on the page).
    - `d`: most bits of a digit that is not a transform's first one; v if 0.
    - `rising`: of several rounds the shorter digits come first; else the longer ones.
    """

    v: int
    t: int
    b: int
    d: int = 0
    rising: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if self.t < 1:
            raise NttforgeError("decomposed.t", f"{1 << self.t} is below 2", "use 2 or more")
        if self.v < self.t + 2:
            raise NttforgeError(
                "decomposed.n",
                f"a kernel of {1 << self.v} points is too small for beats of {1 << self.t} words",
                f"use n = {1 << (self.t + 2)} or more, or a smaller t",
            )
        if self.b < 1:
            raise NttforgeError("decomposed.b", f"{1 << self.b} is below 2", "use 2 or more")
        if self.p > self.v + self.t:
            raise NttforgeError(
                "decomposed.b",
                f"bursts of {1 << self.p} words do not fit a kernel of {1 << self.v} points",
                f"use b = {1 << self.v} or less",
            )
        if self.p > FIELD:
            raise NttforgeError(
                "decomposed.b",
                f"bursts of {1 << self.p} words are longer than {1 << FIELD}",
                f"use b = {1 << FIELD - self.t} or less",
            )

        if self.d and not max(self.t, self.v - self.t) <= self.d <= self.v:
            raise NttforgeError(
                "decomposed.digit",
                f"digits of {self.d} bits do not fit beats of {1 << self.t} words and a kernel of "
                f"{1 << self.v} points",
                f"use {max(self.t, self.v - self.t)} to {self.v}",
            )

    @property
    def digit(self) -> int:
        """Most bits of a digit, but for the first one of a transform that fits."""
        return self.d or self.v

    @property
    def p(self) -> int:
        """log2 of the words a burst (P on the page)."""
        return self.t + self.b

    @property
    def first(self) -> int:
        """Most bits of the first digit of a transform that fits."""
        return min(self.p, self.v)

    @property
    def group(self) -> int:
        """log2 of the words of the largest group."""
        return 2 * self.digit + self.p

    @property
    def fits(self) -> int:
        """log2 of the largest transform that is read and written once."""
        return 2 * self.digit + self.first

    @property
    def banks(self) -> int:
        """Banks of the buffer, half of them in each half."""
        return 2 << self.t

    @property
    def rows(self) -> int:
        """Words a bank: two groups of the largest size in all banks."""
        return 1 << (self.group - self.t)
