# SPDX-License-Identifier: Apache-2.0
"""Words of a transform in the hardware, as data for waveforms.

A tap is a row of words somewhere in a module, one a lane, with the signals that say when they are
there and of which operation. Which coefficient is on which lane is the layout's, of the number of
the beat that the hardware has counted, or that a tap counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from nttforge.hw.shell import StreamFormat
from nttforge.layout.layout import Layout
from nttforge.ring.ring import Ring


@dataclass(frozen=True)
class Case:
    """Words of a tap for one value of its code.

    - `label`: the operation, and the pass if there are several.
    - `ring`: whose residues they are.
    - `layout`: which coefficient is on which lane in which beat.
    - `mirror`: exclusive-or mask of the lanes: a lane has what `layout` has on its mirror image.
    """

    label: str
    ring: Ring
    layout: Layout
    mirror: int = 0


@dataclass(frozen=True)
class Tap:
    """A row of words; all signals are paths from the module on, or expressions of such.

    - `name`: an identifier.
    - `words`: the word of each lane.
    - `bits`: of a word, which is a residue in two's complement if it is `signed`.
    - `valid`: the words are there,
    - `moves`: and go on at the end of the cycle.
    - `code`, `code_bits`: which of `cases` they are; if there is but one beat with it, the first,
      it is `held`.
    - `cases`: by code.
    - `beat`: the beat's number; empty if it is to be counted.
    - `last`: the last beat of an operation, whose next one brings another code; empty if `code` is
      always there.
    - `late`: code and beat belong to the words that are there so many moves of `enable` later.
    - `enable`: everything advances.
    - `stages`: stages of butterflies that are after the words; -1 if that depends on the case.
    - `place`: where the words are, for people.
    - `addresses`: of the words, if they are in memory.
    """

    name: str
    words: tuple[str, ...]
    bits: int
    valid: str
    moves: str
    code: str
    code_bits: int
    cases: Mapping[int, Case]
    place: str
    signed: bool = False
    beat: str = ""
    last: str = ""
    late: int = 0
    enable: str = "1'b1"
    stages: int = -1
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True)
class View:
    """The taps of a module, and the path of its instance in the core (empty: the core itself)."""

    module: str
    taps: tuple[Tap, ...] = field(default=())
    instance: str = ""

    def within(self, instance: str) -> "View":
        """The same, of an instance of a larger core."""
        return replace(self, instance=instance)


def port_tap(side: str, form: StreamFormat, cases: Mapping[int, Case], *, stages: int) -> Tap:
    """The stream `s_axis` or `m_axis` of a core."""
    words = tuple(
        f"{side}_tdata[{lane * form.lane_bits}+:{form.word_bits}]" for lane in range(form.lanes)
    )
    moves = f"{side}_tvalid & {side}_tready"
    return Tap(
        name=side,
        words=words,
        bits=form.word_bits,
        valid=f"{side}_tvalid",
        moves=moves,
        code=f"{side}_tuser[{form.user_bits - 1}:0]",
        code_bits=form.user_bits,
        cases=cases,
        place={"s": "input port", "m": "output port"}[side[0]],
        last=f"{side}_tlast",
        stages=stages,
    )
