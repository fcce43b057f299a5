# SPDX-License-Identifier: Apache-2.0
"""A compiled engine with a host around it: moduli, rows and keys in, rows and outcomes out."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from nttforge.cache import design_files
from nttforge.flow.prepare import Prepared
from nttforge.kinds.rns.core import HALVES, RnsCore
from nttforge.kinds.rns.program import Program
from nttforge.kinds.rns.switching import Job, Limbs, Packet, Row
from nttforge.kinds.stream.loaded import ring_of
from nttforge.ring.ring import Ring
from nttforge.ring.transform import intt, ntt
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.simulate.word_streams import Supply, stream
from nttforge.standards.rns.basis import Array
from nttforge.standards.rns.switching import SwitchingKey

#: Cycles that a run may take for each that it would take without pauses.
_PATIENCE = 40
_NEAR_BITS, _ERROR_BITS = 32, 4
#: Errors in an outcome, the lowest bit first.
ERRORS = ("program", "data", "key", "transform")


@dataclass(frozen=True)
class Outcome:
    """Result of a program.

    - `tag`: of OpEnd.
    - `errors`: names of the errors.
    - `near`: number of words that may be wrong, as they are near a multiple.
    """

    tag: int
    errors: tuple[str, ...]
    near: int

    @classmethod
    def of(cls, word: int) -> "Outcome":
        """From a word of the outcome stream."""
        bits = word >> _NEAR_BITS
        errors = tuple(name for i, name in enumerate(ERRORS) if bits >> i & 1)
        return cls(word >> 48, errors, word & (1 << _NEAR_BITS) - 1)


@dataclass(frozen=True)
class Ran:
    """Outputs of a program.

    - `outcome`: its outcome.
    - `packets`: beats of each row that came.
    - `cycles`: from the first word in to the outcome.
    """

    outcome: Outcome
    packets: list[list[int]]
    cycles: int


@dataclass(frozen=True)
class Computed:
    """Polynomials that a job gave.

    - `outcome`: of the last run.
    - `near`: words that made a second run necessary.
    - `cycles`: of the first run.
    - `rows`: by polynomial and place.
    """

    outcome: Outcome
    near: int
    cycles: int
    rows: Mapping[Row, Array]


class StuckError(RuntimeError):
    """A program that gave no outcome."""


class Machine:
    """A compiled engine.

    - `core`: the engine.
    - `folder`: its design folder.
    """

    def __init__(self, core: RnsCore, folder: Path) -> None:
        self.core = core
        self.ports = Ports.of(core.wrapper)
        library = CycleModel.kept(design_files(folder), core.name, self.ports)
        self.model = CycleModel(library, self.ports)
        self.moduli: tuple[int, ...] = ()
        #: Of the last program.
        self.cycles = 0
        #: Where keys come from; without it they are there at once.
        self.key_memory: Callable[[], Supply] | None = None

    @classmethod
    def of(cls, prepared: Prepared[RnsCore]) -> Self:
        """Of a core and its folder."""
        return cls(prepared.core, prepared.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the library."""
        self.model.close()

    def load(self, moduli: Sequence[int]) -> Ran:
        """Give the places from 0 on their moduli."""
        core, words = self.core, []
        program = Program(core.table.rows, core.table.terms)
        for place, q in enumerate(moduli):
            given = list(core.pipeline.load_words(ring_of(core.pipeline.design, q)))
            program.modulus(place, len(given))
            words.append(given)
        self.moduli = ()  # none is known until the program has an outcome
        ran = self.run(program.words(), data=words)
        self.moduli = tuple(moduli)
        return ran

    def settle(self) -> None:
        """Wait until the check of the last root, which goes on after a load's outcome, is over.

        Transforms wait for it, so one of zeros is done.
        """
        program = Program(self.core.table.rows, self.core.table.terms)
        program.transform(len(self.moduli) - 1, program.load())
        self.run(program.words(), data=[[0] * self.core.beats])

    @property
    def limbs(self) -> Limbs:
        """The engine with the moduli that are loaded."""
        return Limbs(self.core, self.moduli)

    def run(
        self,
        words: Sequence[int],
        *,
        data: Sequence[Sequence[int]] = (),
        keys: Sequence[Sequence[int]] = (),
        rows: int = 0,
        pauses: float = 0,
        rng: random.Random | None = None,
        limit: int | None = None,
    ) -> Ran:
        """Run one program.

        - `words`: the program.
        - `data`, `keys`: packets of beats.
        - `rows`: number of result rows.
        - `pauses`, `rng`: see :func:`nttforge.simulate.word_streams.stream`.
        - `limit`: most cycles.

        Raises StuckError if no outcome comes.
        """
        feeds = {
            "p_axis": _packet(words),
            "s_axis": [word for packet in data for word in _packet(packet)],
            "k_axis": [word for packet in keys for word in _packet(packet)],
        }
        if limit is None:
            beats = sum(map(len, feeds.values())) + len(words) * self.core.beats
            limit = 20_000 + int(_PATIENCE * beats / (1 - pauses) ** 2)
        awaited = {"r_axis": 1, "m_axis": rows * self.core.beats}
        supplies = {} if self.key_memory is None else {"k_axis": self.key_memory()}
        found = stream(
            self.model, feeds, awaited, limit=limit, pauses=pauses, rng=rng, supplies=supplies
        )
        if not found.over:
            raise StuckError(f"no outcome after {found.cycles} cycles")
        self.cycles = found.cycles
        beats_out = found.words["m_axis"]
        packets = []
        for start in range(0, len(beats_out), self.core.beats):
            part = beats_out[start : start + self.core.beats]
            packets.append([beat >> 1 for beat in part])
        return Ran(Outcome.of(found.words["r_axis"][0]), packets, found.cycles)

    def ring(self, place: int) -> Ring:
        """Of a place."""
        return ring_of(self.core.pipeline.design, self.moduli[place])

    def values(self, place: int, coefficients: Array) -> Array:
        """The transform of a row of coefficients."""
        return ntt(self.ring(place), coefficients).astype(object)

    def coefficients(self, place: int, values: Array) -> Array:
        """Undo :meth:`values`."""
        return intt(self.ring(place), values).astype(object)

    def row(self, place: int, coefficients: Array) -> list[int]:
        """A row of coefficients as beats of values."""
        return self.core.beats_of(self.values(place, coefficients), values=True)

    def compute(
        self,
        make: Callable[[Job], None],
        rows: Mapping[Row, Array],
        key: "EngineKey | None" = None,
        *,
        pauses: float = 0,
        rng: random.Random | None = None,
    ) -> "Computed":
        """Run the job that `make` enters commands into; again, exactly, if words were near."""
        near = cycles = 0
        for exact in (False, True):
            job = Job(self.limbs, exact=exact)
            make(job)
            ran, found = self.do(job, rows, key, pauses=pauses, rng=rng)
            cycles = cycles or ran.cycles
            if not ran.outcome.near:
                break
            near = ran.outcome.near
        return Computed(ran.outcome, near, cycles, found)

    def key_packet(self, key: "EngineKey", packet: Packet) -> list[int]:
        """Beats of a packet of the key stream."""
        digits, place = packet
        width = self.core.data_bits
        if key.halved:
            halves = [key.rows[digit, 0, place] for digit in digits]
            steps = [step for beat in zip(*halves, strict=True) for step in beat]
            pairs = zip(steps[::2], steps[1::2], strict=True)
            return [first | second << width for first, second in pairs]
        rows = [
            [
                first | second << width
                for first, second in zip(
                    *(key.rows[digit, half, place] for half in range(HALVES)), strict=True
                )
            ]
            for digit in digits
        ]
        return [beat for beats in zip(*rows, strict=True) for beat in beats]

    def do(
        self,
        job: Job,
        rows: Mapping[Row, Array],
        key: "EngineKey | None" = None,
        *,
        pauses: float = 0,
        rng: random.Random | None = None,
    ) -> tuple[Ran, dict[Row, Array]]:
        """Run a job: rows of coefficients in, and out."""
        keys = [self.key_packet(key, packet) for packet in job.packets] if key else []
        ran = self.run(
            job.program.words(1),
            data=[self.row(place, rows[number, place]) for number, place in job.loaded],
            keys=keys,
            rows=len(job.stored),
            pauses=pauses,
            rng=rng,
        )
        found = {
            (polynomial, place): self.coefficients(place, self.core.row_of(beats, values=True))
            for (polynomial, place), beats in zip(job.stored, ran.packets, strict=True)
        }
        return ran, found


@dataclass(frozen=True)
class EngineKey:
    """A key as the engine takes it: values, premultiplied.

    - `rows`: beats by (digit, half, place).
    - `halved`: there are rows of the first half alone, as the engine expands the other one.
    """

    rows: dict[tuple[int, int, int], list[int]]
    halved: bool = False

    @classmethod
    def of(
        cls,
        machine: Machine,
        key: SwitchingKey,
        places: Mapping[int, int],
        *,
        halved: bool = False,
    ) -> "EngineKey":
        """From a key of polynomials; `places` of its limbs, of Q, then of P: of used ones."""
        rows = {}
        for digit, pair in enumerate(key.pairs):
            for half, limbs in enumerate(pair[:1] if halved else pair):
                for number, place in places.items():
                    values = machine.values(place, limbs[number]) * machine.core.scale
                    beats = machine.core.beats_of(values % machine.moduli[place], values=True)
                    rows[digit, half, place] = beats
        return cls(rows, halved)


def _packet(words: Sequence[int]) -> list[int]:
    """Words with `tlast` below them."""
    return [word << 1 | (i == len(words) - 1) for i, word in enumerate(words)]
