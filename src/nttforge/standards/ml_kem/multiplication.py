# SPDX-License-Identifier: Apache-2.0
"""Products in the transform's domain (FIPS 203, section 4.3.1)."""

import numpy as np

from nttforge.ring.presets import find_preset
from nttforge.standards.ml_kem.parameters import RING, Q
from nttforge.standards.transform_engine import IntArray

# 17^(2 BitRev7(i) + 1): the i-th pair is modulo x^2 minus this.
_LEAF_ROOTS = np.array(find_preset(RING).ring.leaf_roots)


def multiply_ntts(a: IntArray, b: IntArray) -> IntArray:
    """MultiplyNTTs (algorithms 11 and 12) of two arrays (..., 256), broadcast as numpy does."""
    a0, a1 = a[..., 0::2], a[..., 1::2]
    b0, b1 = b[..., 0::2], b[..., 1::2]
    product = np.empty(np.broadcast_shapes(a.shape, b.shape), dtype=np.int64)
    product[..., 0::2] = a0 * b0 + a1 * b1 % Q * _LEAF_ROOTS
    product[..., 1::2] = a0 * b1 + a1 * b0
    product %= Q
    return product


def dot(a: IntArray, b: IntArray) -> IntArray:
    """Sum of products over the last axis but one: rows (..., k, 256) times a vector (k, 256)."""
    total: IntArray = multiply_ntts(a, b).sum(axis=-2)
    return total % Q
