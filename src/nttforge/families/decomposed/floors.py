# SPDX-License-Identifier: Apache-2.0
"""What no control can be faster than: floors of latency and of throughput, in cycles.

docs/decomposed.md, *Floors*. They count words alone: no latency of memory or of the kernel.
"""

from nttforge.families.decomposed.core import LargeCore
from nttforge.families.decomposed.rounds import Round
from nttforge.families.decomposed.walks import load_burst, unload_burst


def beat_cycles(core: LargeCore, burst_words: int) -> float:
    """Cycles that the board's channel takes for a beat, in bursts of so many words."""
    at = core.board
    size = burst_words * core.word_bytes
    nanoseconds = max(size / at.channel_gbytes_s, at.burst_ns + size / at.peak_gbytes_s)
    cycles = nanoseconds * at.clock_mhz / 1e3
    return max(1.0, cycles * core.lanes / burst_words)


def _channels(core: LargeCore, at: Round) -> tuple[float, float]:
    """Cycles a beat of reading and of writing in a round."""
    bursts = (load_burst(core.shape, at), unload_burst(core.shape, at))
    return beat_cycles(core, 1 << bursts[0]), beat_cycles(core, 1 << bursts[1])


def round_latency(core: LargeCore, at: Round) -> float:
    """Cycles of a round of one transform.

    A pass of a group begins when the one before has ended, but for the first one, which follows
    the load. So behind the last word's arrival there are the passes between the first and the last
    one, and the group is written, all the while that the last pass goes on. If the kernel is the
    slower one, it works all the time until the last group's last pass, and that group is written.
    """
    reading, writing = _channels(core, at)
    beats = (1 << at.size) / core.lanes
    group = (1 << at.group) / core.lanes
    passes = len(at.passes)
    last = max(1.0, writing) * group
    memory = beats * max(reading, writing) - group * max(0.0, writing - reading)
    between = max(0, passes - 2) * group
    kernel = passes * beats - group
    return max(memory + between, kernel) + last


def latency_floor(core: LargeCore, size: int) -> float:
    """Cycles of one transform of 2^size words, the sum of its rounds.

    Every group of a round needs words of all groups of the round before, so rounds do not overlap.
    """
    return sum(round_latency(core, at) for at in core.rounds(size))


def throughput_floor(core: LargeCore, size: int) -> float:
    """Cycles a transform of 2^size words in an endless batch.

    The kernel takes a beat a cycle in every pass, and every round reads and writes all words.
    """
    plan = core.rounds(size)
    beats = (1 << size) / core.lanes
    passes = sum(len(at.passes) for at in plan)
    channel = sum(max(_channels(core, at)) for at in plan)
    return beats * max(passes, channel)
