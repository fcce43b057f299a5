# SPDX-License-Identifier: Apache-2.0
"""Integers of a few bits each, packed into bytes, lowest bit first (FIPS 203, algorithms 3-6)."""

import numpy as np

from nttforge.standards.transform_engine import IntArray


def pack(values: IntArray, width: int) -> bytes:
    """Pack integers in [0, 2^width), of any shape, in C order.

    This is ByteEncode_width of FIPS 203 (algorithm 5), and SimpleBitPack of FIPS 204 (algorithm
    16), for all rows of `values` one after the other. The number of bits must be a multiple of 8.
    """
    bits = values.reshape(-1, 1) >> np.arange(width) & 1
    return np.packbits(bits.astype(np.uint8), bitorder="little").tobytes()


def unpack(data: bytes, width: int) -> IntArray:
    """Integers of `width` bits each, the inverse of :func:`pack`, shape (8 len(data) / width,)."""
    bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little").reshape(-1, width)
    values: IntArray = (bits.astype(np.int64) << np.arange(width)).sum(axis=1)
    return values
