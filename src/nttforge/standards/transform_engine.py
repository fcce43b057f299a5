# SPDX-License-Identifier: Apache-2.0
"""Engines for the standards' transforms: software, simulated RTL, a board."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

from nttforge.errors import NttforgeError
from nttforge.ring import transform
from nttforge.ring.presets import find_preset
from nttforge.ring.ring import Ring

IntArray = npt.NDArray[np.int64]

Run = Callable[[str, IntArray], npt.NDArray[np.generic]]
"""(operation, polynomials) -> polynomials; operations are `ml-kem.ntt`, `ml-dsa.intt`, ..."""

RINGS: Mapping[str, Ring] = {name: find_preset(name).ring for name in ("ml-kem", "ml-dsa")}
"""The rings of both standards, by the names that operations begin with."""


class TransformEngine(Protocol):
    """Does the number-theoretic transforms of both standards.

    `ring` is `ml-kem` or `ml-dsa`. Polynomials have shape (batch, 256), coefficients in [0, q),
    values and order those of FIPS 203 (algorithms 9 and 10) and FIPS 204 (algorithms 41 and 42):
    the inverse includes its scaling, and nothing is in Montgomery form.
    """

    def ntt(self, ring: str, polynomials: IntArray) -> IntArray:
        """Forward transforms, one a row."""
        ...

    def intt(self, ring: str, polynomials: IntArray) -> IntArray:
        """Inverse transforms, one a row."""
        ...


class CountingEngine:
    """An engine that hands each batch to a function, checks what comes back, and counts.

    - `run`: takes an operation's name and polynomials of shape (batch, 256), and returns as many.
    - `counts`: operation -> polynomials transformed so far.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self.counts: Counter[str] = Counter()

    def ntt(self, ring: str, polynomials: IntArray) -> IntArray:
        """Forward transforms, one a row."""
        return self._transform(ring, "ntt", polynomials)

    def intt(self, ring: str, polynomials: IntArray) -> IntArray:
        """Inverse transforms, one a row."""
        return self._transform(ring, "intt", polynomials)

    def _transform(self, name: str, direction: str, polynomials: IntArray) -> IntArray:
        ring = _ring(name)
        operation = f"{name}.{direction}"
        _check(operation, "is given", polynomials, (len(polynomials), ring.n), ring.q)
        result = np.asarray(self._run(operation, polynomials)).astype(np.int64)
        _check(operation, "returned", result, polynomials.shape, ring.q)
        self.counts[operation] += len(polynomials)
        return result


def software(operation: str, polynomials: IntArray) -> npt.NDArray[np.generic]:
    """Do an operation in software: the function that :func:`software_engine` counts."""
    name, _, direction = operation.partition(".")
    ring = _ring(name)
    if direction == "ntt":
        return transform.ntt(ring, polynomials)
    if direction == "intt":
        return transform.intt(ring, polynomials)
    raise NttforgeError("operation", f"there is no {operation!r}", f"use {name}.ntt or {name}.intt")


def software_engine() -> CountingEngine:
    """An engine that needs no hardware: :mod:`nttforge.ring.transform`."""
    return CountingEngine(software)


def _ring(name: str) -> Ring:
    if name not in RINGS:
        raise NttforgeError(
            "ring", f"{name!r} is not a ring of the standards", f"use {' or '.join(RINGS)}"
        )
    return RINGS[name]


def _check(
    operation: str, verb: str, polynomials: IntArray, shape: tuple[int, ...], modulus: int
) -> None:
    """Refuse polynomials of the wrong shape or with coefficients out of [0, q)."""
    if polynomials.shape != shape:
        raise NttforgeError(
            operation,
            f"the engine {verb} an array of shape {polynomials.shape}, not {shape}",
            "use one row of coefficients a polynomial",
        )
    wrong = polynomials[(polynomials < 0) | (polynomials >= modulus)]
    if wrong.size:
        raise NttforgeError(
            operation,
            f"the engine {verb} the coefficient {wrong[0]}, not in [0, {modulus})",
            "reduce coefficients modulo q",
        )
