# SPDX-License-Identifier: Apache-2.0
"""Products of polynomials: in the transform's domain, by transforms, and by the schoolbook.

Operands have the shape (n,) or (batch, n); a single polynomial multiplies every one of a batch.
Results are as in :mod:`nttforge.ring.transform`.
"""

import numpy as np
import numpy.typing as npt

from nttforge.errors import NttforgeError
from nttforge.ring.arithmetic import Array, arithmetic
from nttforge.ring.ring import Ring
from nttforge.ring.transform import check_polynomials, coefficient_dtype, intt, ntt


def _operands(ring: Ring, a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[Array, Array]:
    """Both operands checked and in one shape."""
    left, right = check_polynomials(ring, a, "a"), check_polynomials(ring, b, "b")
    if left.ndim == right.ndim == 2 and len(left) != len(right):
        raise NttforgeError(
            "b",
            f"it has {len(right)} polynomials where a has {len(left)}",
            "give as many, or a single one",
        )
    shape = np.broadcast_shapes(left.shape, right.shape)
    return np.broadcast_to(left, shape), np.broadcast_to(right, shape)


def base_multiply(ring: Ring, a: npt.ArrayLike, b: npt.ArrayLike) -> Array:
    """Multiply two transforms: leaf by leaf, modulo x^d - r.

    For a complete transform (d = 1) that is the pointwise product; for d = 2 it is
    MultiplyNTTs with BaseCaseMultiply, FIPS 203, algorithms 11 and 12.

    - `ring`: the ring.
    - `a`, `b`: transforms in the order that :func:`nttforge.ring.transform.ntt` gives.

    Returns the transform of the product, in the same order. Raises NttforgeError: `a` or `b`: see
    :func:`nttforge.ring.transform.check_polynomials`, or batches that differ.
    """
    modular = arithmetic(ring.q)
    left, right = _operands(ring, a, b)
    shape = (-1, 1 << ring.layers, ring.leaf_degree)
    x = left.astype(modular.dtype).reshape(shape)
    y = modular.prepare(right.astype(modular.dtype).reshape(shape))
    roots = modular.prepare(np.array(ring.leaf_roots, dtype=modular.dtype))
    result = np.zeros(x.shape, dtype=modular.dtype)
    for i in range(ring.leaf_degree):
        for j in range(ring.leaf_degree):
            term = modular.scale(x[:, :, i], y[:, :, j])
            power = i + j
            if power >= ring.leaf_degree:  # x^d = r
                power -= ring.leaf_degree
                term = modular.scale(term, roots)
            result[:, :, power] = modular.add(result[:, :, power], term)
    return result.reshape(left.shape).astype(coefficient_dtype(ring))


def multiply(ring: Ring, a: npt.ArrayLike, b: npt.ArrayLike) -> Array:
    """Multiply two polynomials by their transforms, in O(n log n).

    - `ring`: the ring.
    - `a`, `b`: coefficients in natural order.

    Returns coefficients of the product in the ring, in natural order. Raises NttforgeError: `a` or
    `b`: see :func:`base_multiply`.
    """
    left, right = _operands(ring, a, b)
    return intt(ring, base_multiply(ring, ntt(ring, left), ntt(ring, right)))


def schoolbook(ring: Ring, a: npt.ArrayLike, b: npt.ArrayLike) -> Array:
    """Multiply two polynomials in O(n^2), without any transform: the reference.

    Raises NttforgeError: `a` or `b`: see :func:`base_multiply`.
    """
    left, right = (x.astype(np.object_) for x in _operands(ring, a, b))
    wrapped = -1 if ring.negacyclic else 1  # x^n in the ring
    result = np.zeros(left.shape, dtype=np.object_)
    for i in range(ring.n):
        term = left[..., i : i + 1] * right
        result[..., i:] += term[..., : ring.n - i]
        result[..., :i] += wrapped * term[..., ring.n - i :]
    return np.asarray(result % ring.q).astype(coefficient_dtype(ring))
