# SPDX-License-Identifier: Apache-2.0
"""What no control can be faster than: floors of latency and of throughput, in cycles.

docs/decomposed.md, *Floors*. The floors of latency and of throughput count words alone;
that of waiting counts the latencies of memory, multipliers and kernel as well.
"""

from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.rounds import Order, Round
from nttforge.kinds.decomposed.walks import load, unload


def beat_cycles(core: DecomposedCore, burst_words: int, engines: int = 1) -> float:
    """Cycles that the board's channel takes for a beat of each engine, in bursts of so many words.

    DDR4 is a channel of its own for every engine; those of HBM2 they share, or each has its own
    to read, and as many to write.
    """
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
    """Cycles of a round of one transform, if each pass takes `turn` cycles from a beat's reading
    to its writing.

    A unit is what a pass cannot begin before it is there: all digits of a burst. After the last
    word's arrival there are the first pass of the last unit, the passes between the first and the
    last one, the last pass of the first unit, and the group is written, all the while that the
    last pass goes on. If the kernel is the slower one, it works from the first unit on until the
    last group's last pass, and that group is written. With one pass, the unit is the group. Of two
    kernels the first one has the first pass, and the second one the others, from the first group's
    first pass on.

    Several engines have equal parts of the groups, and do the same at the same time; of a round of
    fewer groups each has one, or none.
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
    """Cycles of one transform of 2^size words, the sum of its rounds.

    Every group of a round needs words of all groups of the round before, so rounds do not overlap.
    """
    return sum(round_latency(core, at) for at in core.rounds(size, order, padding))


def waiting_floor(
    core: DecomposedCore, size: int, order: Order = Order.NATURAL, padding: int = 0
) -> float:
    """The same with what the engine cannot but wait for.

    In each round the first word comes a latency of the memory after its request, and the last
    word's answer a latency after it; in each pass a word leaves the kernel a `turn` after it was
    asked for.
    """
    plan = core.rounds(size, order, padding)
    memory = 2 * core.memory_latency * len(plan)
    return memory + sum(round_latency(core, at, core.turn) for at in plan)


def throughput_floor(
    core: DecomposedCore, size: int, order: Order = Order.NATURAL, padding: int = 0
) -> float:
    """Cycles a transform of 2^size words in an endless batch.

    The kernel takes a beat a cycle in every pass, and every round reads and writes all words. Of
    two kernels the first one has each round's first pass.
    """
    plan = core.rounds(size, order, padding)
    beats = (1 << size) / core.lanes / core.engines
    passes = sum(len(at.passes) for at in plan)
    if core.kernels > 1:
        passes = max(len(plan), passes - len(plan))
    channel = sum(max(_channels(core, at, core.engines)) for at in plan)
    return beats * max(passes, channel)
