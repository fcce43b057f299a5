# SPDX-License-Identifier: Apache-2.0
"""An engine of key switching, as data."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nttforge.hw.core import Core
from nttforge.hw.drivers import LibraryTemplates
from nttforge.hw.wrapper import Wrapper, stream_ports
from nttforge.kinds.rns.config import RnsTable
from nttforge.kinds.stream.loaded import LoadedPipeline
from nttforge.reduction.loaded import LoadedPlan

#: Bits of a word of a program, of an outcome, and least ones of a fraction beyond a word's.
PROGRAM_BITS, OUTCOME_BITS, LEAST_GUARD = 128, 64, 64
#: Of a key; and most limbs of one conversion by default.
HALVES, _MOST_TARGETS = 2, 8


@dataclass(frozen=True)
class Fractions:
    """Sums of fractions y / q: f = bits + guard bits of each.

    - `bits`: most bits of a modulus.
    - `terms`: most summands.
    """

    bits: int
    terms: int

    @property
    def whole(self) -> int:
        """Bits of a sum in front of its point."""
        return self.terms.bit_length()

    @property
    def guard(self) -> int:
        """Bits of a fraction beyond a word's: enough to tell a near word by one modulus less."""
        return max(LEAST_GUARD, self.bits + 2 + self.whole)

    def constant(self, q: int) -> tuple[int, int]:
        """Of a modulus: bits by which it is shifted, and floor(2^f / (q 2^shift))."""
        shift = self.bits - q.bit_length()
        return shift, (1 << self.bits + self.guard) // (q << shift)


@dataclass(frozen=True, kw_only=True)
class RnsCore(Core):
    """An engine of key switching, as data."""

    kind_label: ClassVar[str] = "an engine of key switching"
    usage_hint: ClassVar[str] = "use verify, measure or run, which take it"

    table: RnsTable
    pipeline: LoadedPipeline
    library: LibraryTemplates | None = None  # type: ignore[misc]  # none, if it has no driver

    @property
    def n(self) -> int:
        """Coefficients."""
        return self.pipeline.rings[0].n

    @property
    def bits(self) -> int:
        """Bits of a word."""
        return self.pipeline.moduli.bits

    @property
    def lanes(self) -> int:
        """Words a beat."""
        return 2 * self.pipeline.lines

    @property
    def shares(self) -> int:
        """Lanes."""
        return self.lanes

    @property
    def beats(self) -> int:
        """Beats a row."""
        return self.pipeline.beats

    @property
    def data_bits(self) -> int:
        """Bits of a beat."""
        return self.lanes * self.bits

    @property
    def key_bits(self) -> int:
        """Bits of a beat of keys: of both halves."""
        return HALVES * self.data_bits

    @property
    def targets(self) -> int:
        """Limbs of one conversion."""
        return self.table.targets or min(_MOST_TARGETS, -(-self.pipeline.places // 2))

    @property
    def banks(self) -> int:
        """Memories of rows."""
        # Writers: the transform, both units of sums, and the data stream.
        least = 2 * (2 + HALVES + self.targets)
        return self.table.banks or min(self.beats, 1 << (least - 1).bit_length())

    @property
    def multiplier(self) -> LoadedPlan:
        """Of sums."""
        return self.pipeline.maker

    @property
    def fractions(self) -> Fractions:
        """Format of sums of fractions."""
        return Fractions(self.bits, self.table.terms)

    @property
    def scale(self) -> int:
        """R: factors and keys are premultiplied by it."""
        return self.multiplier.reductions[0].scale

    @property
    def wrapper(self) -> Wrapper:
        """Streams of programs, rows and keys in, of rows and outcomes out."""
        data = self.data_bits
        ports = [
            *stream_ports("p_axis", True, tlast=1, tdata=PROGRAM_BITS),
            *stream_ports("s_axis", True, tlast=1, tdata=data),
            *stream_ports("k_axis", True, tlast=1, tdata=self.key_bits),
            *stream_ports("m_axis", False, tlast=1, tdata=data),
            *stream_ports("r_axis", False, tdata=OUTCOME_BITS),
        ]
        buses = ("p_axis", "s_axis", "k_axis", "m_axis", "r_axis")
        return Wrapper(f"{self.name}_wrapper", self.name, tuple(ports), buses)

    @cached_property
    def _orders(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        forward = self.pipeline.design.directions.index("ntt")
        path = self.pipeline.paths[forward]
        layouts = path.input_layout, self.pipeline.output_layouts[forward]
        coefficients, values = (layout.order().reshape(-1) for layout in layouts)
        return coefficients, values

    def order(self, *, values: bool) -> npt.NDArray[np.int64]:
        """Indices of a row's words in the order of its beats and lanes."""
        return self._orders[values]

    def beats_of(self, row: npt.NDArray[np.object_], *, values: bool) -> list[int]:
        """A polynomial modulo one modulus as beats."""
        words = row[self.order(values=values)].reshape(self.beats, self.lanes)
        return [sum(int(w) << i * self.bits for i, w in enumerate(beat)) for beat in words]

    def row_of(self, beats: list[int], *, values: bool) -> npt.NDArray[np.object_]:
        """Undo :meth:`beats_of`."""
        mask = (1 << self.bits) - 1
        words = [beat >> i * self.bits & mask for beat in beats for i in range(self.lanes)]
        row = np.empty(self.n, object)
        row[self.order(values=values)] = words
        return row
