# SPDX-License-Identifier: Apache-2.0
"""Requirements of an engine: transforms, speed and resources."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, field_validator

from nttforge.config.fields import ConfigTable, Name, OperationName, Prefer, Rate
from nttforge.config.ring_table import MOST_PLACES, RingTable
from nttforge.targets import Target

#: Butterflies that are looked at if nothing says how many are needed.
USUAL_BUTTERFLIES = 32
#: Multiplier blocks of the default board.
USUAL_DSP = 2736
_Count = Annotated[int, Field(ge=0, le=(1 << 31) - 1)]
_Cycles = Annotated[int, Field(ge=1, le=(1 << 31) - 1)]


def _ring(value: Any) -> Any:
    """A ring's name or its modulus may stand for its table."""
    if isinstance(value, str):
        return {"preset": value} if not value[:1].isdigit() else {"q": value}
    return {"q": value} if isinstance(value, int) else value


class Memory(ConfigTable):
    """Transforms of data in memory, which need not fit on the chip, and the board they run on."""

    sizes: tuple[Annotated[int, Field(ge=1, le=36)], ...] = Field(
        default=(16, 20, 24), min_length=1, strict=False
    )
    """log2 of the transforms that matter."""
    largest: int | None = Field(default=None, ge=1, le=36)
    """log2 of the largest transform; what the modulus allows, up to 28, if left out."""
    bandwidth: Rate = 11.0
    """GB/s of the channel that is read, and of the one that is written."""
    burst: int = Field(default=1024, ge=1, le=1 << 20)
    """Bytes from which bursts reach the bandwidth."""
    ram: Rate = 76.5
    """Mb of memory that the buffer may take."""


class KeySwitching(ConfigTable):
    """Key switchings of homomorphic encryption, whose moduli are loaded (docs/key-switching.md)."""

    limbs: Annotated[int, Field(ge=1, le=MOST_PLACES - 1)]
    """Moduli of Q at the ciphertexts' level."""
    special: Annotated[int, Field(ge=1, le=MOST_PLACES - 1)] = 1
    """Moduli of P; a digit has as many limbs of Q."""
    calls: Annotated[int, Field(ge=1, le=1024)] = 1
    """Key switchings with one key in a program: `interval` bounds the cycles of each."""

    @property
    def dnum(self) -> int:
        """Digits of Q."""
        return -(-self.limbs // self.special)

    @classmethod
    def usual(cls, moduli: int) -> "KeySwitching":
        """Of so many moduli, as `measure` has it first: one of P, and one is left."""
        return cls(limbs=max(1, moduli - 2))


class Requirements(ConfigTable):
    """Requirements of a search. What is not given is not constrained."""

    FORMER: ClassVar[Mapping[str, str]] = {
        "throughput": "interval",
        "each_us": "interval_us",
        "clock": "mhz",
    }

    name: Name = "explored"
    """Of the need, and of the design that is written."""
    rings: tuple[Annotated[RingTable, BeforeValidator(_ring)], ...] = Field(
        min_length=1, max_length=64, strict=False
    )
    """Rings, as in designs; a preset's name or a modulus will do."""
    operations: tuple[OperationName, ...] = Field(
        default=("ntt", "intt"), min_length=1, strict=False
    )
    """Operations, as in designs."""
    target: Target = "xcup"
    """Family of FPGAs."""
    prefer: Prefer = "balanced"
    """As in designs: whether to save DSP blocks or look-up tables."""
    interval: _Cycles | None = None
    """Cycles a transform in a sequence of them, at most."""
    latency: _Cycles | None = None
    """Cycles from the first beat in to the last beat out, at most."""
    interval_us: Rate | None = None
    """Microseconds a transform in a sequence, at most."""
    latency_us: Rate | None = None
    """Microseconds from the first beat in to the last beat out, at most."""
    max_lut: _Count | None = None
    """Look-up tables, at most."""
    max_ff: _Count | None = None
    """Flip-flops, at most."""
    max_dsp: _Count | None = None
    """DSP blocks, at most."""
    max_bram18: _Count | None = None
    """Block RAMs of 18 Kbit, at most."""
    max_uram: _Count | None = None
    """Blocks of UltraRAM, at most."""
    max_channels: _Count | None = None
    """Channels of HBM2 for keys, at most."""
    min_mhz: Rate | None = None
    """The clock, at least."""
    mhz: Rate | None = None
    """MHz to turn cycles into time by, of a target whose clock nothing estimates."""
    goal: Literal["area", "time"] | None = None
    """Minimize `area` or `time` of the designs that meet the requirements. Default: `time` if
    resources are bounded and time is not, else `area`."""
    memory: Memory | None = None
    """Of transforms whose data are in memory."""
    coprocessor: bool = False
    """Of coprocessors: rings are names of standards, with all that these do, not transforms alone.
    """
    key_switching: KeySwitching | None = None
    """Of engines of key switching, in place of transforms."""

    @field_validator("rings", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        return value if isinstance(value, list | tuple) else [value]

    @property
    def cycles(self) -> int | None:
        """Cycles that bound how many butterflies are worth a look."""
        given = [each for each in (self.interval, self.latency) if each is not None]
        return min(given, default=None)

    @property
    def timed(self) -> bool:
        """Whether it bounds time, be it in cycles or in microseconds."""
        bounds = (self.interval, self.latency, self.interval_us, self.latency_us)
        return any(bound is not None for bound in bounds)

    @property
    def aim(self) -> Literal["area", "time"]:
        """The goal, if none was given what follows from the bounds."""
        if self.goal is not None:
            return self.goal
        bounds = (self.max_lut, self.max_ff, self.max_dsp, self.max_bram18, self.max_uram)
        bounded = self.memory is not None or any(bound is not None for bound in bounds)
        return "time" if bounded and not self.timed else "area"

    @property
    def paced(self) -> bool:
        """Whether registers are a choice: the clock is estimated, or cycles of latency count."""
        return self.target == "ecp5" or self.latency is not None

    def paces(self, usual: int) -> Iterator[dict[str, Any]]:
        """Keys of a core that say where registers are: adders a stage, or none of them at all."""
        yield from ({"adders_per_stage": most} for most in ((1, 2, 4) if self.paced else (usual,)))
        if self.latency is not None:
            yield {"short": True}

    def butterflies(self, *, each_stage: bool) -> Iterator[int]:
        """Numbers of butterflies to consider, per stage or in all; none if data are in memory.

        And none of transforms alone if key switchings are asked for.

        Powers of two from a fourth of what the bounds need without any waiting to four times it.
        """
        if self.memory is not None or self.key_switching is not None:
            return
        ring = self.rings[0].ring()
        half, passes = ring.n // 2, 1 if each_stage else ring.layers
        least, most = 1, min(half, USUAL_BUTTERFLIES)
        if self.cycles is not None:
            enough = 1 << (max(1, -(-half * passes // self.cycles)) - 1).bit_length()
            least, most = min(half, max(1, enough // 4)), min(half, 4 * enough)
        yield from (1 << e for e in range(least.bit_length() - 1, most.bit_length()))
