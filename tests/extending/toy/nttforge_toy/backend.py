# SPDX-License-Identifier: Apache-2.0
"""Sums, behind the verbs."""

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from nttforge.cache import design_files
from nttforge.emit.stimulus import Stimulus, StreamStimulus
from nttforge.flow.backend import Backend
from nttforge.flow.prepare import Prepared, Progress
from nttforge.options.verbs import MeasureOptions, RunOptions, VerifyOptions
from nttforge.output import reading, write_text
from nttforge.results import Measurement, Ran, Timed, Verification
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.table import Block, Table
from nttforge_toy.build import ToyCore


class ToyVerification(Verification):
    """What was compared."""

    words: int
    wrong: int
    seed: int

    @property
    def verdict(self) -> tuple[str, str]:
        """What was compared, and what is to be said if it did not hold."""
        return f"{self.words} words", f"{self.wrong} of {self.words} sums are wrong"

    def shown(self) -> Iterator[Block]:
        """The verdict."""
        return self.ending([])


class ToyMeasurement(Measurement):
    """What was observed."""

    cycles_per_word: float
    latency_cycles: int

    @property
    def timed(self) -> Mapping[str, Timed]:
        """Of a word."""
        return {"sum": Timed(self.latency_cycles, self.cycles_per_word)}

    def shown(self) -> Iterator[Block]:
        """One row, and time."""
        row = ("sum", self.cycles_per_word, self.latency_cycles)
        yield Table("Cycles", ("operation", "a word", "latency"), [row])
        yield from self.times()


class ToyRan(Ran):
    """What `run` did."""

    def shown(self) -> Iterator[Block]:
        """One line, and the verdict."""
        return self.ending("sums")


def reference(core: ToyCore, words: Sequence[int]) -> list[int]:
    """The sums, by the definition."""
    return [total % core.modulus for total in accumulate(words)]


def simulate(
    prepared: Prepared[ToyCore], words: Sequence[int], pauses: float = 0, seed: int = 0
) -> tuple[list[int], list[int]]:
    """The sums by the RTL, and the cycle in which each came."""
    core, rng = prepared.core, random.Random(seed)
    ports = Ports(
        {"s_axis_tvalid": 1, "s_axis_tdata": core.width, "m_axis_tready": 1},
        {"s_axis_tready": 1, "m_axis_tvalid": 1, "m_axis_tdata": core.width},
    )
    left, sums, cycles = list(words), [], []
    with tempfile.TemporaryDirectory() as folder:
        model = CycleModel.build(Path(folder), design_files(prepared.folder), core.name, ports)
    with model:
        offered = False
        for cycle in range(100 * len(words) + 100):
            offered = bool(left) and (offered or rng.random() >= pauses)
            ready = rng.random() >= pauses
            out = model.step(
                s_axis_tvalid=offered,
                s_axis_tdata=left[0] if offered else 0,
                m_axis_tready=ready,
            )
            if out["m_axis_tvalid"] and ready:
                sums.append(out["m_axis_tdata"])
                cycles.append(cycle)
            if offered and out["s_axis_tready"]:
                left.pop(0)
                offered = False
            if len(sums) == len(words):
                break
    return sums, cycles


class ToyBackend(Backend[ToyCore]):
    """Sums."""

    core = ToyCore
    has_data = False

    def stimulus(self, core: ToyCore) -> Stimulus:
        """Random words."""
        rng = random.Random(0)
        words = tuple(rng.randrange(core.modulus) for _ in range(core.words))
        signals = (("tdata", core.width),)
        streams = (
            StreamStimulus("s_axis", True, signals, words),
            StreamStimulus("m_axis", False, signals, tuple(reference(core, words))),
        )
        return Stimulus("It plays random words.", 100 * core.words + 1000, streams)

    def verify(
        self, prepared: Prepared[ToyCore], options: VerifyOptions, progress: Progress
    ) -> ToyVerification:
        """Random words under random pauses."""
        start = time.monotonic()
        core, seed = prepared.core, options.seed or 0
        rng = random.Random(seed)
        words = [rng.randrange(core.modulus) for _ in range(options.count or 200)]
        progress("comparing sums")
        sums, _ = simulate(prepared, words, 0.3, seed)
        right = sum(a == b for a, b in zip(sums, reference(core, words), strict=False))
        return ToyVerification(
            design=core.name,
            ok=right == len(words),
            violation=None,
            words=len(words),
            wrong=len(words) - right,
            seed=seed,
            seconds=round(time.monotonic() - start, 2),
        )

    def measure(
        self, prepared: Prepared[ToyCore], options: MeasureOptions, progress: Progress
    ) -> ToyMeasurement:
        """Words without a pause."""
        start = time.monotonic()
        options.only(MeasureOptions, "count")
        progress("counting cycles")
        _, cycles = simulate(prepared, [1] * (options.count or 100))
        return ToyMeasurement(
            design=prepared.core.name,
            cycles_per_word=(cycles[-1] - cycles[0]) / (len(cycles) - 1),
            latency_cycles=cycles[0] + 1,
            seconds=round(time.monotonic() - start, 2),
        )

    def run(
        self,
        prepared: Prepared[ToyCore],
        sources: Sequence[Path],
        target: Path,
        options: RunOptions,
        progress: Progress,
    ) -> ToyRan:
        """Words of a text file, one a line."""
        options.only(RunOptions)
        with reading(sources[0]):
            words = [int(line) for line in sources[0].read_text("utf-8").split()]
        progress("adding")
        sums, cycles = simulate(prepared, words)
        ok = sums == reference(prepared.core, words)
        if ok:
            write_text(target, "".join(f"{value}\n" for value in sums))
        return ToyRan(
            design=prepared.core.name,
            operation="sum",
            cycles=cycles[-1] + 1,
            input=str(sources[0]),
            output=str(target) if ok else None,
            input_format="decimal numbers",
            output_format="decimal numbers",
            ok=ok,
            seconds=0,
        )

    def functions(self, prepared: Prepared[ToyCore]) -> Mapping[str, Callable[..., Any]]:
        """`sums`: words in, their sums out."""
        return {"sums": partial(_sums, prepared)}


def _sums(prepared: Prepared[ToyCore], words: Sequence[int]) -> list[int]:
    return simulate(prepared, words)[0]


BACKEND = ToyBackend()
