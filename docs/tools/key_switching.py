# SPDX-License-Identifier: Apache-2.0
"""What limits a key switching: `python -m docs.tools.key_switching`.

Derived, no engine: transforms at so many coefficients a cycle beside the key's words over memory
channels of 256 bits a cycle, a word of 64 bits a coefficient, as those of HBM.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nttforge.standards.rns.expansion import CHUNK
from nttforge.table import Cell, Table, markdown

#: Of a Keccak that expands 256 values, if no word is refused: blocks of 21 words in 24 cycles each,
#: of the 13th one 4 words.
CHUNK_CYCLES = 319
CHANNEL_WORDS = 4
LANES = 32
CHANNELS = (4, 8, 16, 32)


@dataclass(frozen=True)
class Setting:
    """A key switching: its name, n, limbs of Q and P, and limbs a digit."""

    name: str
    n: int
    q: int
    p: int
    digit: int

    @property
    def digits(self) -> int:
        """Of Q."""
        return -(-self.q // self.digit)

    @property
    def transforms(self) -> int:
        """Of limbs; a digit's own limbs are there already."""
        return (self.digits + 2) * (self.q + self.p)

    @property
    def floor(self) -> int:
        """Cycles of the transforms alone."""
        return self.transforms * self.n // LANES

    def key_cycles(self, channels: int, halves: int) -> int:
        """Of reading one half of the key, or both."""
        words = halves * self.digits * (self.q + self.p) * self.n
        return words // (channels * CHANNEL_WORDS)

    def keccaks(self, cycles: int) -> int:
        """Those that expand the uniform half in so many cycles, a round a cycle each."""
        wanted = self.digits * (self.q + self.p) * self.n // CHUNK
        return -(-wanted * CHUNK_CYCLES // cycles)


SETTINGS = (
    Setting("16384_6_7_7_2", 1 << 14, 6, 1, 1),
    Setting("2^14, 6 + 2 limbs, digits of 2", 1 << 14, 6, 2, 2),
    Setting("2^15, 14 + 3 limbs, digits of 3", 1 << 15, 14, 3, 3),
    Setting("2^16, 24 + 8 limbs, digits of 8", 1 << 16, 24, 8, 8),
)


def rows() -> Iterator[list[Cell]]:
    """A setting and a number of channels each."""
    for setting in SETTINGS:
        for channels in CHANNELS:
            both, half = (setting.key_cycles(channels, halves) for halves in (2, 1))
            pays = "yes" if both > setting.floor else "no"
            bound = max(setting.floor, both), max(setting.floor, half)
            first = channels == CHANNELS[0]
            yield [
                *((setting.name, setting.transforms, setting.floor) if first else ("", "", "")),
                channels,
                *bound,
                setting.keccaks(bound[1]) if pays == "yes" else "",
                pays,
            ]


def table() -> Table:
    """The bounds, and where the expansion of the uniform half pays."""
    columns = ("key switching", "transforms", "their cycles", "channels", "bound, key read")
    more = ("bound, half of it expanded", "Keccaks", "expansion pays")
    title = f"{LANES} coefficients a cycle, channels of {64 * CHANNEL_WORDS} bits"
    return Table(title, (*columns, *more), list(rows()))


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table."""
    if argv:
        sys.exit("no arguments are taken")
    print(markdown([table()]))


if __name__ == "__main__":
    main(sys.argv[1:])
