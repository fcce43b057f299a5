# SPDX-License-Identifier: Apache-2.0
"""Candidate engines for large transforms, and their estimates."""

from collections.abc import Iterator, Mapping
from typing import Any

from nttforge.config.requirements import USUAL_DSP, Requirements
from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw.common import block_rams
from nttforge.hw.resources import Cycles, ResourceEstimate
from nttforge.kinds.decomposed.build import build
from nttforge.kinds.decomposed.candidates import Board, beat_words, shapes
from nttforge.kinds.decomposed.config import DecomposedTable
from nttforge.kinds.decomposed.lower_bounds import latency_floor, throughput_floor
from nttforge.kinds.decomposed.shape import memory_ports

LARGEST = 28
"""log2 of the largest transform, if neither the modulus nor the user wants less."""

#: What the default board's memory does beyond its rated rate; see docs/decomposed.md.
_PEAK = 19.2 / 11


def board_of(need: Requirements) -> Board:
    """The board of a need, whose transforms are of data in memory."""
    assert need.memory is not None
    at = need.memory
    dsp = USUAL_DSP if need.max_dsp is None else need.max_dsp
    clock = need.mhz or DecomposedTable().clock_mhz
    return Board(clock, at.bandwidth, at.burst, dsp, round(at.ram * 1e6))


def table_of(
    shape: tuple[int, int, int], board: Board, *, word_bits: int, largest: int, kernels: int = 1
) -> dict[str, Any]:
    """The keys of an engine for a board."""
    n, t, b = shape
    channel, ports = board.channel_gbytes_s, memory_ports(t * word_bits)
    return {
        "n": n,
        "t": t,
        "b": b,
        **({"kernels": kernels} if kernels > 1 else {}),
        "l_max": largest,
        "clock_mhz": float(board.clock_mhz),
        "channel_gbytes_s": float(channel),
        "peak_gbytes_s": round(channel * _PEAK, 3),
        # Bursts of that length just reach the rate.
        "burst_ns": round(ports * board.burst_bytes / channel * (1 - 1 / _PEAK), 2),
    }


def store_bits(q: int) -> int:
    """Bits of a word in memory."""
    return max(16, 1 << (q.bit_length() - 1).bit_length())


def largest_size(q: int, largest: int | None) -> int:
    """log2 of the largest transform: q has a root of that order."""
    most = ((q - 1) & -(q - 1)).bit_length() - 1
    if largest is not None and largest > most:
        raise NttforgeError(
            "--largest", f"{q} has no root of order 2^{largest}", f"use {most} or less"
        )
    return min(LARGEST, most) if largest is None else largest


def choices(need: Requirements) -> Iterator[Mapping[str, Any]]:
    """Engines with the words a beat that the memory brings, or a half or a quarter of them."""
    if need.memory is None:
        return
    q, board = need.rings[0].modulus, board_of(need)
    bits, largest = store_bits(q), largest_size(q, need.memory.largest)
    for size in need.memory.sizes:
        if size > largest:
            problem = f"2^{size} is above the largest, 2^{largest}"
            raise NttforgeError("--sizes", problem, "leave it out")
    widest = beat_words(board, bits)
    for shape in shapes(board, bits):
        for kernels in (1,) if shape[1] == widest else (1, 2):
            yield table_of(shape, board, word_bits=bits, largest=largest, kernels=kernels)


def estimate(design: Design) -> ResourceEstimate:
    """Estimate of an engine: lower bounds of its cycles, its DSP blocks, and its buffer."""
    core = build(design)
    cycles = {
        f"2^{size}": Cycles(round(latency_floor(core, size)), round(throughput_floor(core, size)))
        for size in range(core.least, core.largest + 1)
    }
    parts: Mapping[str, tuple[int, int]] = core.facts["multipliers"]
    at, width = core.board, core.plan.modulus_width
    paths = core.engines * core.kernels
    return ResourceEstimate(
        cycles,
        {
            "dsp": {"tiles": sum(count * each for count, each in parts.values())},
            # Two halves of a bank a lane.
            "bram18": {"buffer": paths * 2 * at.t * block_rams(core.shape.rows // 2, width)},
            "ram": {"buffer": paths * (width << core.shape.group + 1) / 1e6},
        },
    )
