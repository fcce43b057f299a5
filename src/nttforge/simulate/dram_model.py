# SPDX-License-Identifier: Apache-2.0
"""A channel of a DRAM alone: dram.h's response to given requests."""

import ctypes
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from nttforge.hw.dram import TRAFFIC, Dram
from nttforge.simulate.build import build_native

Addresses = npt.NDArray[np.uint64]
Times = npt.NDArray[np.float64]

_LINEAR_ATOMS = 1 << 17


@dataclass(frozen=True)
class Served:
    """Times of the column commands in ns, rows opened, refreshes, and GB/s."""

    times: Times
    opened: int
    refreshes: int
    gbytes_s: float


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(str(build_native("dram.cpp", "dram.h")))


def serve(
    dram: Dram, addresses: npt.ArrayLike, writes: npt.ArrayLike = False, *, asked: int = 64
) -> Served:
    """Times of requests to a channel, in order; at most `asked` of them wait for an answer."""
    places = np.ascontiguousarray(addresses, np.uint64)
    ways = np.ascontiguousarray(np.broadcast_to(np.asarray(writes, np.uint8), places.shape))
    times, traffic = np.zeros(places.shape), np.zeros(len(TRAFFIC), np.uint64)
    many, pointer = ctypes.c_uint64, ctypes.c_void_p
    _library().nttforge_dram(
        *(ctypes.byref(dram.timing()), many(places.size), pointer(places.ctypes.data)),
        *(pointer(ways.ctypes.data), many(asked), ctypes.c_double(dram.latency)),
        *(pointer(times.ctypes.data), pointer(traffic.ctypes.data)),
    )
    took = float(times[-1] - times[0]) + dram.column
    opened, refreshes = (int(traffic[TRAFFIC.index(name)]) for name in ("opened", "refreshes"))
    return Served(times, opened, refreshes, places.size * dram.atom_bytes / took)


@cache
def linear(dram: Dram, write: bool = False) -> float:
    """Gigabytes a second of a channel that is read, or written, from one end to the other."""
    return serve(dram, np.arange(_LINEAR_ATOMS) * dram.atom_bytes, write).gbytes_s


def latencies(dram: Dram) -> tuple[float, float, float]:
    """Nanoseconds to the first word if its row is open, if none is, and if another one is."""
    row = 1 << dram.row_bits
    closed, hit, miss = (float(time) for time in serve(dram, [0, 0, row], asked=1).times)
    return hit - closed, closed + dram.latency, miss - hit
