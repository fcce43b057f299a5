# SPDX-License-Identifier: Apache-2.0
"""Transforms in the processor's arithmetic, as the reference of large simulations.

Words are limbs: arrays of uint64, shape (..., limbs), the lowest limb first.
"""

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.simulate.build import build_native

Limbs = npt.NDArray[np.uint64]

_LIMB_BITS = 64


def limbs_of(bits: int) -> int:
    """Limbs of words of `bits` bits: 1, 2 or 4."""
    return 1 << max(0, (bits - 1).bit_length() - 6)


def to_limbs(values: npt.NDArray[Any], limbs: int) -> Limbs:
    """Non-negative integers of any shape as limbs, shape (..., limbs)."""
    result = np.zeros((*values.shape, limbs), np.uint64)
    if limbs == 1:
        result[..., 0] = values.astype(np.uint64)
        return result
    size = 8 * limbs
    raw = b"".join(int(value).to_bytes(size, "little") for value in values.reshape(-1))
    return np.frombuffer(raw, "<u8").reshape(result.shape).astype(np.uint64)


def from_limbs(words: Limbs) -> npt.NDArray[Any]:
    """Undo :func:`to_limbs`: uint64, or Python integers if there are several limbs."""
    if words.shape[-1] == 1:
        return words[..., 0]
    result = words[..., -1].astype(object)
    for limb in range(words.shape[-1] - 2, -1, -1):
        result = result << _LIMB_BITS | words[..., limb].astype(object)
    return result


def random_words(q: int, shape: tuple[int, ...], rng: np.random.Generator) -> Limbs:
    """Uniformly random words in [0, q), shape (*shape, limbs)."""
    limbs = limbs_of(q.bit_length())
    result = np.zeros((int(np.prod(shape)), limbs), np.uint64)
    missing = np.arange(len(result))
    top_bits = q.bit_length() - _LIMB_BITS * (limbs - 1)
    while len(missing):
        drawn = rng.integers(0, 1 << 64, (len(missing), limbs), dtype=np.uint64, endpoint=False)
        drawn[:, -1] &= np.uint64((1 << top_bits) - 1)
        result[missing] = drawn
        missing = missing[~below(drawn, q)]
    return result.reshape(*shape, limbs)


def below(words: Limbs, q: int) -> npt.NDArray[np.bool_]:
    """Whether words, shape (count, limbs), are less than q: shape (count,)."""
    less = np.zeros(len(words), bool)
    for limb in range(words.shape[1]):
        part = np.uint64(q >> (_LIMB_BITS * limb) & (1 << _LIMB_BITS) - 1)
        column = words[:, limb]
        less = (column < part) | ((column == part) & less)
    return less


@cache
def _library(path: Path) -> ctypes.CDLL:
    library = ctypes.CDLL(str(path))
    library.nttforge_transform.argtypes = [
        ctypes.c_void_p,
        *(ctypes.c_uint64,) * 2,
        *(ctypes.c_void_p,) * 3,
        ctypes.c_int,
    ]
    library.nttforge_evaluate.argtypes = [
        ctypes.c_void_p,
        *(ctypes.c_uint64,) * 2,
        *(ctypes.c_void_p,) * 3,
    ]
    return library


def native_evaluate(q: int, words: Limbs, at: int) -> int:
    """The value at `at` of a polynomial: `words` of shape (N, limbs), in [0, q), contiguous."""
    library = _library(build_native("native.cpp"))
    flat = np.ascontiguousarray(words, dtype=np.uint64)
    limbs = flat.shape[1]
    parameters = to_limbs(np.array([q, at], dtype=object), limbs)
    result = np.zeros((1, limbs), np.uint64)
    known = library.nttforge_evaluate(
        flat.ctypes.data,
        limbs,
        len(flat),
        parameters[0].ctypes.data,
        parameters[1].ctypes.data,
        result.ctypes.data,
    )
    if not known:
        raise ValueError(f"words of {limbs} limbs")
    return int(from_limbs(result)[0])


def native_transform(
    q: int, root: int, words: Limbs, *, inverse: bool = False, shift: int = 1
) -> Limbs:
    """Transform in natural order, in and out.

    - `q`: an odd prime of up to 256 bits.
    - `root`: w, a primitive root of unity of order N.
    - `words`: shape (batch, N, limbs), in [0, q).
    - `inverse`: the way back, with the factor N^-1.
    - `shift`: values are those at shift w^k: psi, whose square is w, for negacyclic transforms.
    """
    library = _library(build_native("native.cpp"))
    batch, n, limbs = words.shape
    result = np.array(words, dtype=np.uint64, order="C")
    parameters = to_limbs(np.array([q, root, shift], dtype=object), limbs)
    for row in range(batch):
        known = library.nttforge_transform(
            result[row].ctypes.data,
            limbs,
            n.bit_length() - 1,
            parameters[0].ctypes.data,
            parameters[1].ctypes.data,
            None if shift == 1 else parameters[2].ctypes.data,
            inverse,
        )
        if not known:
            raise ValueError(f"words of {limbs} limbs")
    return result
