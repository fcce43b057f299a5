# SPDX-License-Identifier: Apache-2.0
"""The transform, twice: straight from its definition, and fast.

The transform of f is the list of its remainders modulo the leaves x^d - r of the ring's tree, in
the order of the tree. That is the order of FIPS 203 and FIPS 204 (bit-reversed, as it is often
called); each remainder takes d consecutive words, lowest coefficient first. The inverse includes
the factor n^-1 (2^-layers, precisely).

Arrays have the shape (n,) or (batch, n). Results hold canonical values in [0, q), as int64 if
q < 2^63, else as Python integers.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge.errors import NttforgeError, shortened, shown
from nttforge.ring.arithmetic import Array, arithmetic
from nttforge.ring.ring import Ring, bit_reverse


def coefficient_dtype(ring: Ring) -> np.dtype[Any]:
    """Type of the arrays that hold polynomials of `ring`: int64 if q < 2^63, else object.

    It is a signed type, so that a difference of two results is what one expects.
    """
    return np.dtype(np.int64 if ring.q < 1 << 63 else np.object_)


def check_polynomials(ring: Ring, polynomials: npt.ArrayLike, field: str = "polynomials") -> Array:
    """Check polynomials that a user gave, and bring them into :func:`coefficient_dtype`.

    - `ring`: the ring that they must be of.
    - `polynomials`: integers, an array or nested lists, shape (n,) or (batch, n).
    - `field`: what they are called in the error message.

    Returns a copy of the same shape. Raises NttforgeError: `field`: a wrong shape, something else
    than integers, or a coefficient that is not in [0, q), naming the first one's place.
    """
    array = as_array(polynomials, field)
    if array.ndim not in (1, 2) or array.shape[-1] != ring.n:
        raise NttforgeError(
            field,
            f"the shape is {array.shape}",
            f"give ({ring.n},) or (batch, {ring.n}) for {ring.n} coefficients a polynomial",
        )
    check_integers(array, field)
    outside = ((array < 0) | (array >= ring.q)).astype(bool)
    if outside.any():
        place = np.unravel_index(int(outside.argmax()), array.shape)
        raise NttforgeError(
            field,
            f"{_name(place)} is {array[place]}, which is not in [0, {ring.q})",
            "reduce the coefficients modulo q first",
        )
    if coefficient_dtype(ring) == np.object_:
        return _to_integers(array)
    return array.astype(np.int64)


def as_array(values: npt.ArrayLike, field: str) -> Array:
    """Values that a user gave as an array; lists become Python's integers.

    Raises NttforgeError: `field`: lists that differ in length, an array with masked values, or what
    another library does not give as an array.
    """
    rows = values if isinstance(values, list | tuple) else [values]
    if any(isinstance(row, np.ma.MaskedArray) and np.ma.is_masked(row) for row in rows):
        raise NttforgeError(field, "is an array with masked values", "fill or drop them first")
    if isinstance(values, np.ndarray):
        return values
    try:
        # Without the type, numpy turns a list with -1 and 2^63 into floats.
        return np.asarray(values, dtype=np.object_)
    except ValueError:
        raise NttforgeError(
            field, "the lists differ in length", "give as many coefficients in each"
        ) from None
    except (TypeError, RuntimeError) as error:  # of a tensor on another device, for instance
        said = shortened(str(error), 100)
        raise NttforgeError(
            field, f"is {type(values).__name__}: {said}", "give a list or a numpy array"
        ) from None


def check_integers(array: Array, field: str) -> None:
    """Refuse an array of something else than integers.

    Raises NttforgeError: `field`, naming the place of the first one.
    """
    if array.dtype.kind == "O" and set(map(type, array.reshape(-1).tolist())) <= {int}:
        return  # the usual case, and quick
    if array.dtype.kind == "O":
        wrong = np.array([not _is_integer(value) for value in array.flat], dtype=bool)
    else:
        wrong = np.full(array.size, array.dtype.kind not in "iu")
    if wrong.any():
        place = np.unravel_index(int(wrong.argmax()), array.shape)
        raise NttforgeError(
            field,
            f"{_name(place)} is {shown(array[place])}, which is no integer",
            "give unsigned integers, not floats, booleans or strings",
        )


def _is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _to_integers(array: Array) -> Array:
    """Python's integers, whose products never wrap, out of any integers."""
    integers = np.empty(array.shape, dtype=np.object_)
    integers.reshape(-1)[:] = [int(value) for value in array.flat]
    return integers


def _name(place: tuple[Any, ...]) -> str:
    coefficient = f"coefficient {place[-1]}"
    return coefficient if len(place) == 1 else f"{coefficient} of polynomial {place[0]}"


def _leaf_roots(ring: Ring) -> list[int]:
    """The r of each leaf x^d - r in closed form: FIPS 203, section 4.3, for any ring."""
    step, offset = (2, 1) if ring.negacyclic else (1, 0)
    return [
        pow(ring.root, step * bit_reverse(k, ring.layers) + offset, ring.q)
        for k in range(1 << ring.layers)
    ]


def ntt_definition(ring: Ring, polynomials: npt.ArrayLike) -> Array:
    """Transform by the definition, in O(n^2): FIPS 203, section 4.3.

    Coefficient j of the remainder modulo x^d - r is the sum of f[i*d + j] * r^i over i. Shares no
    code with :func:`ntt`, neither the tree of factors nor the arithmetic. Raises NttforgeError: see
    :func:`check_polynomials`.
    """
    return _by_definition(ring, polynomials, _powers(ring))


def intt_definition(ring: Ring, polynomials: npt.ArrayLike) -> Array:
    """Transform back by the definition, in O(n^2).

    f[i*d + j] is 2^-layers times the sum over all leaves of r^-i times their coefficient j. Raises
    NttforgeError: see :func:`check_polynomials`.
    """
    leaves = 1 << ring.layers
    inverses = [[pow(int(v), -1, ring.q) for v in row] for row in _powers(ring).T]
    matrix = np.array(inverses, dtype=np.object_) * pow(leaves, -1, ring.q) % ring.q
    return _by_definition(ring, polynomials, matrix)


def _powers(ring: Ring) -> Array:
    """powers[k, i] = r_k^i for leaf k."""
    leaves = range(1 << ring.layers)
    rows = [[pow(r, i, ring.q) for i in leaves] for r in _leaf_roots(ring)]
    return np.array(rows, dtype=np.object_)


def _by_definition(ring: Ring, polynomials: npt.ArrayLike, matrix: Array) -> Array:
    array = _to_integers(check_polynomials(ring, polynomials))
    words = array.reshape(-1, 1 << ring.layers, ring.leaf_degree)
    result = np.array(
        [matrix.dot(polynomial) % ring.q for polynomial in words], dtype=np.object_
    ).reshape(array.shape)
    return result.astype(coefficient_dtype(ring))


def ntt(ring: Ring, polynomials: npt.ArrayLike) -> Array:
    """Transform by layers of Cooley-Tukey butterflies: FIPS 203, algorithm 9, for any ring.

    - `ring`: the ring, whose root and number of layers say which transform it is.
    - `polynomials`: coefficients in natural order, shape (n,) or (batch, n).

    Returns of the same shape, see the module's text for order and type. Raises NttforgeError: see
    :func:`check_polynomials`.
    """
    modular = arithmetic(ring.q)
    array = check_polynomials(ring, polynomials)
    words = array.astype(modular.dtype)
    for twiddles in ring.twiddles:
        pairs = words.reshape(-1, len(twiddles), 2, ring.n // (2 * len(twiddles)))
        factors = modular.prepare(np.array(twiddles, dtype=modular.dtype))[:, None]
        upper, lower = pairs[:, :, 0], modular.scale(pairs[:, :, 1], factors)
        words = np.stack((modular.add(upper, lower), modular.subtract(upper, lower)), axis=2)
    return words.reshape(array.shape).astype(coefficient_dtype(ring))


def intt(ring: Ring, polynomials: npt.ArrayLike) -> Array:
    """Transform back by layers of Gentleman-Sande butterflies that halve as they go.

    FIPS 203, algorithm 10, for any ring, but with the factor 2^-layers spread over the layers.

    - `ring`: the ring.
    - `polynomials`: transforms in the order that :func:`ntt` gives, shape (n,) or (batch, n).

    Returns coefficients in natural order, of the same shape. Raises NttforgeError: see
    :func:`check_polynomials`.
    """
    modular = arithmetic(ring.q)
    array = check_polynomials(ring, polynomials)
    words = array.astype(modular.dtype)
    for twiddles in reversed(ring.inverse_twiddles):
        pairs = words.reshape(-1, len(twiddles), 2, ring.n // (2 * len(twiddles)))
        factors = modular.prepare(np.array(twiddles, dtype=modular.dtype))[:, None]
        upper, lower = pairs[:, :, 0], pairs[:, :, 1]
        sums = modular.halve(modular.add(upper, lower))
        words = np.stack((sums, modular.scale(modular.subtract(lower, upper), factors)), axis=2)
    return words.reshape(array.shape).astype(coefficient_dtype(ring))
