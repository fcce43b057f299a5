# SPDX-License-Identifier: Apache-2.0
"""Lower bounds of latency and throughput in cycles: docs/decomposed.md, *Floors*."""

from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.rounds import Order, Round
from nttforge.kinds.decomposed.walks import load, unload


def beat_cycles(core: DecomposedCore, burst_words: int, engines: int = 1) -> float:
    """Cycles of a channel for a beat of each engine, in bursts of `burst_words`."""
    at, size = core.board, burst_words * core.word_bytes
    if core.dram is not None:
        rate = core.dram.usable_gbytes_s * 1e3 / at.clock_mhz
        # One alone has the set that its whole transform is in, several have all of them.
        share = engines / core.sets if engines > 1 else 1
        return max(1.0, share * core.port_bytes / rate)
    nanoseconds = max(size / at.channel_gbytes_s, at.burst_ns + size / at.peak_gbytes_s)
    cycles = nanoseconds * at.clock_mhz / 1e3
    return max(1.0, cycles * core.lanes / burst_words)


def _channels(core: DecomposedCore, at: Round, engines: int) -> tuple[float, float]:
    """Cycles a beat of reading and of writing in a round; of beats that are zeros, too."""
    bursts = (at.load.burst, at.unload.burst)
    reading, writing = (beat_cycles(core, 1 << burst, engines) for burst in bursts)
    return reading / (1 << at.load.pad), writing


def round_latency(core: DecomposedCore, at: Round, turn: int = 0) -> float:
    """Cycles of a round of one transform; `turn`: cycles of a pass from a beat's read to its write.

    docs/decomposed.md, *Floors*, derives them. Several engines have equal parts of the groups; in a
    round of fewer groups than engines each has one, or none.
    """
    engines = min(core.engines, at.groups)
    reading, writing = _channels(core, at, engines)
    beats = (1 << at.size) / core.lanes / engines
    group = (1 << at.part) / core.lanes
    passes = len(at.passes)
    first, last = (1 << walk(core.shape, at).unit for walk in (load, unload))
    behind = first + (passes - 2) * group + last if passes > 1 else group
    written = writing * group
    memory = beats * max(reading, writing) - group * max(0.0, writing - reading)
    # Passes of one group follow each other's end; those of several groups fill each other's wait.
    alone = passes if at.groups == engines else 1
    if core.kernels == 1 or passes == 1:
        kernel = first * reading + passes * beats - group + last
    else:
        # The second kernel begins when the first one has done a group.
        kernel = group * reading + first + (passes - 1) * beats - group + last
        alone = max(alone, 2)
    return max(memory + behind + passes * turn, kernel + alone * turn) + written


def latency_floor(
    core: DecomposedCore, size: int, order: Order = Order.NATURAL, padding: int = 0
) -> float:
    """Cycles of one transform of 2^size words: the sum of its rounds, which do not overlap."""
    return sum(round_latency(core, at) for at in core.rounds(size, order, padding))


def waiting_floor(
    core: DecomposedCore, size: int, order: Order = Order.NATURAL, padding: int = 0
) -> float:
    """:func:`latency_floor` with the latencies of memory, multipliers and kernel."""
    plan = core.rounds(size, order, padding)
    memory = 2 * core.memory_latency * len(plan)
    return memory + sum(round_latency(core, at, core.turn) for at in plan)


def throughput_floor(
    core: DecomposedCore, size: int, order: Order = Order.NATURAL, padding: int = 0
) -> float:
    """Cycles a transform of 2^size words in an endless batch: of kernel or memory."""
    plan = core.rounds(size, order, padding)
    beats = (1 << size) / core.lanes / core.engines
    passes = sum(len(at.passes) for at in plan)
    if core.kernels > 1:
        passes = max(len(plan), passes - len(plan))
    channel = sum(max(_channels(core, at, core.engines)) for at in plan)
    return beats * max(passes, channel)
