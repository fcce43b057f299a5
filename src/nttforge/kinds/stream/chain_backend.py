# SPDX-License-Identifier: Apache-2.0
"""The backend of chains of transforms and products."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.emit.stimulus import Stimulus, StreamStimulus
from nttforge.errors import NttforgeError
from nttforge.flow.backend import Backend, one_of_each
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.reference import Polynomials
from nttforge.kinds.stream.chain import ChainCore
from nttforge.kinds.stream.chain_machine import Beats, ChainMachine, Sum, Term, right
from nttforge.kinds.stream.chain_measure import ChainMeasurement, measure
from nttforge.kinds.stream.chain_verify import ChainVerification, drawn_words, verify
from nttforge.kinds.stream.loaded import ring_of, sample_moduli
from nttforge.kinds.stream.run import RunResult, check_operands, run_operation
from nttforge.options.verbs import FileOptions, MeasureOptions, RunOptions, VerifyOptions
from nttforge.ring.arithmetic import Array
from nttforge.ring.ring import Ring
from nttforge.ring.transform import coefficient_dtype

_NAME = "polymul"
_CYCLES_A_BEAT, _SPARE_CYCLES = 8, 2000
#: Results that the bench in a folder compares: the terms of each, and the places.
_BENCH = (1, 2, 1)


def stimulus(core: ChainCore) -> Stimulus:
    """Stimulus of the bench: loads, a product, a sum of two, and a product by a number."""
    rng, moduli = random.Random(0), sample_moduli(core.design)[:2]
    rings = [ring_of(core.design, q) for q in moduli]
    beats, results = Beats(core), list[int]()
    for place, ring in enumerate(rings):
        beats.load(place, ring)
    for number, terms in enumerate(_BENCH):
        place = number % len(rings)
        ring, by_number = rings[place], number == len(_BENCH) - 1
        each = Sum(
            place,
            [
                Term(drawn_words(ring, rng), 3 if by_number else drawn_words(ring, rng))
                for _ in range(terms)
            ],
        )
        beats.add(ring, each)
        results += beats.packet(core.beats_of("m_axis", right(ring, each.terms)), place << 1)
    data = ("tdata", core.data_bits)
    last = ("tlast", 1)
    streams = (
        StreamStimulus(
            "s_axis", True, (("tuser", core.user_bits), data, last), tuple(beats.polynomials)
        ),
        StreamStimulus("k_axis", True, (data, last), tuple(beats.keys)),
        StreamStimulus(
            "m_axis",
            False,
            (("tuser", core.result_bits), data, last),
            tuple(results),
            at_last=1 << core.result_bits + core.data_bits,
        ),
    )
    waits = len(rings) * (core.forward.load_wait + core.inverse.load_wait + core.latency)
    cycles = _SPARE_CYCLES + waits + core.latency
    cycles += _CYCLES_A_BEAT * sum(len(each.beats) for each in streams)
    return Stimulus(
        "It loads moduli, and compares a product, a sum of two, and a product by a number.",
        cycles,
        streams,
    )


def products(
    prepared: Prepared[ChainCore], ring: Ring, batch: Polynomials, progress: Progress = silent
) -> tuple[Polynomials, int]:
    """Products of pairs, shape (batch, 2, n), modulo what is loaded into place 0; and cycles.

    Raises RuntimeError if a result has the error bit.
    """
    core = prepared.core
    sums = [Sum(0, [Term(*pair)]) for pair in batch]
    progress(f"{_NAME} of {len(sums)} pairs")
    with ChainMachine.of(prepared) as machine:
        beats = Beats(core)
        beats.load(0, ring)
        for each in sums:
            beats.add(ring, each)
        found = machine.run(beats, sums)
    if any(found.marked):
        raise RuntimeError("a product has the error bit")
    return np.array(found.polynomials, object), found.cycles


def _ring(core: ChainCore, modulus: int | None) -> Ring:
    """Of the modulus to load: the largest one if none is given."""
    return ring_of(core.design, sample_moduli(core.design)[0] if modulus is None else modulus)


def _multiply(
    prepared: Prepared[ChainCore], a: npt.ArrayLike, b: npt.ArrayLike, modulus: int | None = None
) -> Array:
    ring = _ring(prepared.core, modulus)
    batch, shape = check_operands(prepared.core.operation(ring), (a, b))
    if not len(batch):
        return batch.reshape(shape)
    found, _ = products(prepared, ring, batch)
    return found.reshape(shape).astype(coefficient_dtype(ring))


class ChainBackend(Backend[ChainCore]):
    """Products in the stream."""

    core = ChainCore

    def stimulus(self, core: ChainCore) -> Stimulus:
        """Loads and sums."""
        return stimulus(core)

    def verify(
        self, prepared: Prepared[ChainCore], options: VerifyOptions, progress: Progress
    ) -> ChainVerification:
        """Drawn primes and sums beside the references."""
        return verify(prepared, options.count, options.seed or 0, progress)

    def measure(
        self, prepared: Prepared[ChainCore], options: MeasureOptions, progress: Progress
    ) -> ChainMeasurement:
        """Latency, and sums in a sequence."""
        options.only(MeasureOptions, "count", "seed", **one_of_each(prepared.core.name))
        return measure(prepared, options.count, options.seed or 0, progress)

    def run(
        self,
        prepared: Prepared[ChainCore],
        sources: Sequence[Path],
        target: Path,
        options: RunOptions,
        progress: Progress,
    ) -> RunResult:
        """Products of the polynomials of two files."""
        options.only(RunOptions, "operation", "modulus", *FileOptions.model_fields)
        if options.operation not in (None, _NAME):
            problem = f"there is no {options.operation}"
            raise NttforgeError("--op", problem, f"use {_NAME}")
        ring = _ring(prepared.core, options.modulus)
        return run_operation(
            prepared.core.name,
            prepared.core.operation(ring),
            lambda batch: products(prepared, ring, batch, progress),
            sources=sources,
            target=target,
            files=options,
        )

    def functions(self, prepared: Prepared[ChainCore]) -> Mapping[str, Callable[..., Any]]:
        """Products of arrays of shape (n,) or (batch, n), modulo a prime that is given."""
        return {_NAME: partial(_multiply, prepared)}


BACKEND = ChainBackend()
