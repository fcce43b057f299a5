# SPDX-License-Identifier: Apache-2.0
"""Stimulus of an engine: moduli, a division by the last of two limbs, a key."""

import random

from nttforge.emit.stimulus import Stimulus, StreamStimulus
from nttforge.kinds.rns.core import OUTCOME_BITS, PROGRAM_BITS, RnsCore
from nttforge.kinds.rns.program import By, Op, Program, Term
from nttforge.kinds.rns.switching import Job, Limbs, mod_down
from nttforge.kinds.stream.loaded import ring_of, sample_moduli
from nttforge.ring.transform import ntt
from nttforge.standards.rns import Basis, Lift, rescale
from nttforge.standards.rns.keys import uniform

_CYCLES_A_WORD, _SPARE_CYCLES = 8, 20_000


def _packets(*packets: list[int]) -> tuple[int, ...]:
    return tuple(
        word << 1 | (i == len(words) - 1) for words in packets for i, word in enumerate(words)
    )


def stimulus(core: RnsCore) -> Stimulus:
    """Two programs, and what comes of them by the references."""
    rng, design = random.Random(0), core.pipeline.design
    moduli = sample_moduli(design)[:2]
    rings = [ring_of(design, q) for q in moduli]
    loads = [list(core.pipeline.load_words(ring)) for ring in rings]
    first = Program(core.table.rows, core.table.terms)
    for place, words in enumerate(loads):
        first.modulus(place, len(words))
    job = Job(Limbs(core, moduli))
    mod_down(job, [0], [1], Lift.CENTRED)
    keyed = job.draft.sum(0, [Term(job.load(0, 0), by=By.KEY)], op=Op.SUM)
    job.store(keyed, 1, 0)
    basis = Basis(moduli)
    key = uniform(rng, basis.first(1), core.n)[0]
    x = uniform(rng, basis, core.n)
    right = rescale(x, basis)
    rows = {
        place: core.beats_of(ntt(ring, x[place]).astype(object), values=True)
        for place, ring in enumerate(rings)
    }
    data = [*loads, *(rows[place] for _, place in job.loaded)]
    results = (
        ntt(rings[0], right[0]).astype(object),
        ntt(rings[0], x[0]).astype(object) * key * pow(core.scale, -1, moduli[0]) % moduli[0],
    )
    given = [core.beats_of(row, values=True) for row in results]
    wide, keys = ((("tdata", bits), ("tlast", 1)) for bits in (core.data_bits, core.key_bits))
    streams = (
        StreamStimulus(
            "p_axis",
            True,
            (("tdata", PROGRAM_BITS), ("tlast", 1)),
            _packets(first.words(1), job.program.words(2)),
        ),
        StreamStimulus("s_axis", True, wide, _packets(*data)),
        StreamStimulus("k_axis", True, keys, _packets(core.beats_of(key, values=True))),
        StreamStimulus("m_axis", False, wide, _packets(*given)),
        StreamStimulus("r_axis", False, (("tdata", OUTCOME_BITS),), (1 << 48, 2 << 48)),
    )
    cycles = _SPARE_CYCLES + _CYCLES_A_WORD * sum(len(each.beats) for each in streams)
    return Stimulus(
        "It loads two moduli, divides by the second one, and multiplies by a key.", cycles, streams
    )
