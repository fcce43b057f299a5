# SPDX-License-Identifier: Apache-2.0
"""What a family hands to the tools: a core, its operations, and the format of its streams.

Nothing behind this contract knows which family a core is of: `emit` writes it down, `simulate`
streams through it, `verify` compares it with the references, `synthesize` measures it. What is not
a transform from stream to stream is :class:`Core` of another kind; writing it down and
measuring its area and clock are the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from nttforge.config.fields import Product
from nttforge.hw.drivers import LibraryTemplates
from nttforge.hw.register_map import RegisterMap
from nttforge.hw.shell import Shell, StreamFormat
from nttforge.hw.view import View
from nttforge.hw.wrapper import Wrapper, stream_wrapper
from nttforge.layout.layout import Layout
from nttforge.ring.ring import Ring

#: Clock of a folder's constraints, where the design says nothing of one.
CLOCK_MHZ = 100.0
#: Cycles in which a flusher asks for a reset, and in which the core has it.
RESET_CYCLES = 2

__all__ = ["Core", "Flush", "Operation", "StreamCore", "StreamFormat"]


@dataclass(frozen=True)
class Operation:
    """One thing that a core does to a polynomial, selected by `tuser`.

    - `name`: as on the command line: `ntt`, `polymul`, ..., and `ring.ntt` if the core has several
      rings.
    - `code`: value of `s_axis_tuser` that selects it.
    - `ring`: the ring it works in.
    - `inverse`: False for coefficients to transform, True for the way back (n^-1 included).
    - `input_layout`, `output_layout`: which coefficient crosses which lane in which beat, of each
      polynomial.
    - `latency`: cycles from the first beat in to the last beat out without stalls, as derived.
    - `product`: what product it is, if it is no transform.
    - `operands`: polynomials that go in, one after the other; one comes out.
    - `packed_bits`: if a word is two coefficients, 2i below and 2i + 1 above: bits of each. The
      layouts are those of words.
    """

    name: str
    code: int
    ring: Ring
    inverse: bool
    input_layout: Layout
    output_layout: Layout
    latency: int
    product: Product | None = None
    operands: int = 1
    packed_bits: int = 0

    @property
    def beats(self) -> int:
        """Beats of a polynomial."""
        return self.output_layout.beats

    def pack(self, polynomials: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
        """Polynomials as words in the order of the input stream, shape (batch, words).

        - `polynomials`: shape (batch, n), or (batch, m, n) of which the first `operands` count.
        """
        parts = polynomials.shape[1] if polynomials.ndim == 3 else 1  # none in an empty batch
        words = self._words(
            polynomials.reshape(len(polynomials), parts, self.ring.n)[:, : self.operands]
        )
        ordered = words[:, :, self.input_layout.order().reshape(-1)]
        return ordered.reshape(len(polynomials), self.operands * words.shape[-1])

    def _words(self, polynomials: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
        """Coefficients, or pairs of them."""
        if not self.packed_bits:
            return polynomials
        pairs: npt.NDArray[np.object_] = (
            polynomials[..., ::2] | polynomials[..., 1::2] << self.packed_bits
        )
        return pairs

    def pack_result(self, polynomials: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
        """Undo :meth:`unpack`: polynomials, shape (batch, n), as words of the output stream."""
        return self._words(polynomials)[:, self.output_layout.order().reshape(-1)]

    def unpack(self, stream: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
        """Words of the output stream, shape (batch, words), as polynomials, shape (batch, n)."""
        words = np.empty_like(stream)
        words[:, self.output_layout.order().reshape(-1)] = stream
        if not self.packed_bits:
            return words
        low = words & stream.dtype.type((1 << self.packed_bits) - 1)
        high = words >> stream.dtype.type(self.packed_bits)
        return np.stack([low, high], axis=-1).reshape(len(stream), self.ring.n)


@dataclass(frozen=True)
class Flush:
    """Overwriting of all polynomials: operations on zeros; most cycles of `flushing_o`."""

    codes: tuple[int, ...]
    cycles: int

    @classmethod
    def behind(cls, codes: tuple[int, ...], zeros: int) -> "Flush":
        """Of operations that take so many cycles: the core is reset in front of them and after."""
        return cls(codes, zeros + 2 * RESET_CYCLES)


@dataclass(frozen=True)
class Load:
    """A packet that loads a modulus: `tuser`, words, most cycles without input after it.

    - `operations`: codes of those that need it; none: it is always sent.
    """

    code: int
    words: tuple[int, ...]
    wait: int = 0
    operations: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Core:
    """Something synthesizable, as data: what a design folder is written from.

    - `name`: name of the top module.
    - `sources`: RTL library files it needs, relative to the `rtl` folder, packages first.
    - `templates`: generated file's name -> (template's name, variables). The package of parameters
      comes first, the top module last.
    - `facts`: what reports say of it: depths, latencies, buffer words, chosen reductions.
    - `pieces`: modules that synthesis module by module maps once each, however often they are
      there; none: there is no such synthesis of it.
    - `piecewise`: whether it is too large to be mapped otherwise.
    - `parts`: what the design consists of: a part's name -> paths of the instances that are its.
      What belongs to none is the last one's.
    - `views`: what a waveform shows of the words in it.
    """

    name: str
    sources: tuple[str, ...]
    templates: Mapping[str, tuple[str, Mapping[str, object]]]
    facts: Mapping[str, Any] = field(default_factory=dict)
    pieces: tuple[str, ...] = ()
    piecewise: bool = False
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    views: tuple[View, ...] = ()

    #: What its library for C programs is made of, if it can have one.
    library: ClassVar[LibraryTemplates | None] = None
    #: What it is and how it is used, for who asks it for something else.
    kind_label: ClassVar[str] = "synthesizable hardware"
    usage_hint: ClassVar[str] = "use generate, synth or pnr, which take it"

    @property
    def shell_top(self) -> str | None:
        """Module with memory movers and control around it, if there is one."""
        return None

    @property
    def registers(self) -> RegisterMap | None:
        """Of its AXI4-Lite port, if it has one."""
        return None

    @property
    def shares(self) -> int:
        """Equal shares in which the area of its parts is reported too: lanes."""
        return 1

    @property
    def wrapper(self) -> Wrapper:
        """The top with plain ports."""
        raise NotImplementedError

    @property
    def clock_mhz(self) -> float:
        """Clock of the constraints."""
        return CLOCK_MHZ

    @property
    def top(self) -> str:
        """The top module: with what is around the core, if anything is."""
        return self.wrapper.top


@dataclass(frozen=True, kw_only=True)
class StreamCore(Core):
    """A synthesizable accelerator of transforms, as data.

    - `operations`: in the order of their codes.
    - `stream`: format of `s_axis` and `m_axis`.
    - `shell`: the memory shell around it, if the design asks for one.
    - `flush`: of its input `flush_i`, if the design asks for that.
    - `loads`: packets that a simulation begins with, in which :attr:`operations` get their moduli.
    - `control`: registers of an AXI4-Lite port beside its streams, if it has one.
    """

    operations: tuple[Operation, ...]
    stream: StreamFormat
    shell: Shell | None = None
    flush: Flush | None = None
    loads: tuple[Load, ...] = ()
    control: RegisterMap | None = None
    library: LibraryTemplates | None = None  # type: ignore[misc]  # one a core, not one for all

    kind_label: ClassVar[str] = "a core of transforms"
    usage_hint: ClassVar[str] = "use run, verify or measure, which take it"

    @property
    def shell_top(self) -> str | None:
        """Module of the memory shell, with all of the design's instances."""
        return None if self.shell is None else self.shell.top

    @property
    def wrapper(self) -> Wrapper:
        """Of the shell, if there is one."""
        if self.shell is not None:
            return self.shell.wrapper
        stream = self.stream
        return stream_wrapper(
            self.name,
            stream.user_bits,
            stream.data_bits,
            stream.keep_bits,
            flush=self.flush is not None,
            control=self.control is not None,
        )

    @property
    def registers(self) -> RegisterMap | None:
        """The shell's, or those beside the streams."""
        names = [operation.name for operation in self.operations]
        return self.control if self.shell is None else self.shell.registers(names)

    @property
    def clock_mhz(self) -> float:
        """The shell's, if there is one."""
        return super().clock_mhz if self.shell is None else self.shell.clock_mhz

    @property
    def operands(self) -> int:
        """Most polynomials that one of its operations takes."""
        return max(operation.operands for operation in self.operations)

    def turnaround(self, before: Operation, after: Operation) -> int:
        """Idle cycles between two transforms, as derived."""
        matrix: tuple[tuple[int, ...], ...] = self.facts["turnaround"]
        return matrix[before.code][after.code]
