# SPDX-License-Identifier: Apache-2.0
"""Candidate engines of key switching, and their estimates before synthesis."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import ceil
from typing import Any

from nttforge.config.requirements import KeySwitching, Requirements
from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw.common import block_rams
from nttforge.hw.dram import HBM2_U280
from nttforge.hw.resources import Cycles, ResourceEstimate
from nttforge.kinds.rns.build import elaborate, inner_design
from nttforge.kinds.rns.core import HALVES, RnsCore
from nttforge.kinds.rns.switching import Job, Limbs, Switch, batch
from nttforge.kinds.stream import search_space as stream
from nttforge.kinds.stream.loaded import LoadedPipeline, sample_moduli, work_out_loaded
from nttforge.reduction.product import best_product
from nttforge.standards.rns import CONVENTIONS

#: Of a block of UltraRAM, and the family that has it.
URAM_WORDS, URAM_BITS, _WITH_URAM = 4096, 72, "xcup"
#: Of a word of a key in memory; and the clock of an engine if the need has none.
WORD_BYTES, USUAL_MHZ = 8, 300.0
#: Limbs of one conversion, rows, and where factors come from, that are looked at.
TARGETS, ROWS, TWIDDLES = (2, 4, 8), (32, 64, 112), ("tables", "made")
#: Most butterflies that are looked at if no time is asked for.
_MOST_BUTTERFLIES = 16


def transforms(asked: KeySwitching) -> int:
    """Of a call: the limbs of all digits, and twice the remainders and what is subtracted."""
    return (asked.dnum + 2) * (asked.limbs + asked.special)


def _butterflies(need: Requirements, asked: KeySwitching, n: int) -> Iterator[int]:
    """Powers of two: from half of what the transforms alone need to twice it."""
    least, most = 1, min(_MOST_BUTTERFLIES, n // 4)
    if need.cycles is not None:
        enough = -(-transforms(asked) * n // (2 * need.cycles))
        whole = min(n // 4, 1 << (max(1, enough) - 1).bit_length())
        least, most = max(1, whole // 2), min(n // 4, 2 * whole)
    yield from (1 << e for e in range(least.bit_length() - 1, most.bit_length()))


def choices(need: Requirements) -> Iterator[Mapping[str, Any]]:
    """Butterflies, limbs of one conversion, and rows; nothing if no key switching is asked for."""
    asked = need.key_switching
    if asked is None:
        return
    n = need.rings[0].ring().n
    terms = max(asked.special + 2, asked.dnum)
    for way in product(_butterflies(need, asked, n), TARGETS, ROWS, TWIDDLES):
        table = zip(("butterflies", "targets", "rows", "twiddles"), way, strict=True)
        yield {**dict(table), "terms": terms}


# Engines that differ in targets and rows have the same transform.
@lru_cache(maxsize=16)
def _pipeline(text: str) -> LoadedPipeline:
    return work_out_loaded(Design.model_validate_json(text))


@lru_cache(maxsize=16)
def _block_rams(text: str) -> Mapping[str, float]:
    """Of the transform."""
    return stream.estimate(Design.model_validate_json(text)).features["bram18"]


def _as_text(design: Design) -> str:
    return design.model_dump_json(exclude_unset=True)


def bare_core(design: Design) -> RnsCore:
    """The engine without its driver, whose programs of all levels take long.

    Raises NttforgeError if ring or parameters are illegal.
    """
    return elaborate(design, lambda inner: _pipeline(_as_text(inner)))


def switching_job(core: RnsCore, asked: KeySwitching, calls: int) -> Job:
    """Calls with one key, by lattigo's convention."""
    job = Job(Limbs(core, tuple(sample_moduli(core.pipeline.design))))
    special = range(asked.limbs, asked.limbs + asked.special)
    how = Switch(range(asked.limbs), special, asked.special, CONVENTIONS["lattigo"])
    batch(job, how, calls)
    return job


def blocks(core: RnsCore) -> int:
    """Multiplier blocks: of butterflies and what makes their factors, sums, and fractions."""
    pipeline, plan = core.pipeline, core.multiplier
    guard = core.fractions.guard
    fraction = best_product(core.bits + 1, guard + 3, core.bits + guard + 3, plan.goal)
    butterflies = pipeline.stages * pipeline.lines * pipeline.loaded.cost().dsp
    stages = zip(pipeline.factor_shapes, pipeline.made, strict=True)
    made = sum(len(stage.lines) for stage, is_made in stages if is_made)
    makers = made * pipeline.maker.cost().dsp
    sums = core.lanes * (HALVES + core.targets) * plan.cost().dsp
    return round(butterflies + makers + sums + core.lanes * fraction.cost().dsp)


def uram(core: RnsCore) -> int:
    """Blocks of UltraRAM of the rows: each bank is as wide as a beat."""
    wide = -(-core.data_bits // URAM_BITS)
    return core.banks * wide * -(-core.table.rows * core.beats // (core.banks * URAM_WORDS))


def channels(core: RnsCore, mhz: float) -> int:
    """Channels of HBM2 that give a beat of keys in each clock."""
    return ceil(HALVES * core.lanes * WORD_BYTES * mhz / 1e3 / HBM2_U280.streamed)


def estimate(design: Design) -> ResourceEstimate:
    """Estimate at the highest level at which the engine has the rows for a call."""
    assert design.rings[0].moduli is not None
    usual = KeySwitching.usual(design.rings[0].moduli)
    for limbs in range(usual.limbs, 1, -1):
        try:
            return estimate_need(design, KeySwitching(limbs=limbs, special=1))
        except NttforgeError as refused:
            if not refused.field.startswith("rns."):
                raise
    return estimate_need(design, KeySwitching(limbs=1, special=1))


def estimate_need(
    design: Design, asked: KeySwitching, mhz: float | None = None
) -> ResourceEstimate:
    """Estimate of key switchings that are asked for.

    Raises NttforgeError if the engine has too few places, rows or summands for them.
    """
    core = bare_core(design)
    places = core.pipeline.places
    if asked.limbs + asked.special > places:
        problem = f"{asked.limbs} + {asked.special} limbs are more than {places} moduli"
        raise NttforgeError("rings.0.moduli", problem, "use more")
    alone = switching_job(core, asked, 1).order.clocks
    each: float = alone
    if asked.calls > 1:
        each = switching_job(core, asked, asked.calls).order.clocks / asked.calls
    memory = dict(_block_rams(_as_text(inner_design(design))))
    features: dict[str, Mapping[str, float]] = {
        "dsp": {"multiplier blocks": blocks(core)},
        "channels": {"keys": channels(core, mhz or USUAL_MHZ)},
    }
    if design.target == _WITH_URAM:
        features["uram"] = {"rows": uram(core)}
    else:
        depth = -(-core.table.rows * core.beats // core.banks)
        memory["rows"] = core.banks * block_rams(depth, core.data_bits)
    return ResourceEstimate(
        {f"{asked.limbs} + {asked.special}": Cycles(alone, each)}, features | {"bram18": memory}
    )
