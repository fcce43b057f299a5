# SPDX-License-Identifier: Apache-2.0
"""Low-degree extensions on a coset, as provers compute them, by an engine for large transforms.

A column of n values is a polynomial f of degree below n on the powers of a root of order n. Its
extension is f on g w^0, g w^1, ..., w of order 2n, g outside of these: an inverse transform, f(g x)
by powers of g, n zeros, a transform of twice the size. While the host scales one column, the engine
transforms others.

    python examples/coset_lde.py sam-tiny --columns 16 --log-size 10
"""

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge import host
from nttforge.design import load_design
from nttforge.errors import NttforgeError

Words = npt.NDArray[Any]


def shift_of(q: int, n: int) -> int:
    """The least number whose coset of the 2n-th roots of unity modulo q has none of them."""
    return next(g for g in range(2, q) if pow(g, 2 * n, q) != 1)


def powers_of(base: int, count: int, q: int) -> Words:
    """1, base, base^2, ... modulo q, as Python's own numbers: they are of any size."""
    powers = [1]
    for _ in range(count - 1):
        powers.append(powers[-1] * base % q)
    return np.array(powers, object)


def extend(engine: host.Device, q: int, columns: Sequence[Words], shift: int) -> list[Words]:
    """Extend columns of the same length.

    Parameters
    ----------
    engine
        A design of the decomposed family, simulated or on a board.
    q
        Its modulus.
    columns
        Each n values in [0, q): value k at the k-th power of a root of order n.
    shift
        g.

    Returns
    -------
    list of ndarray
        Each 2n values: value k at g times the k-th power of a root of order 2n.

    Raises
    ------
    NttforgeError
        If the engine has no transforms of these sizes, or a value is not in [0, q).
    """
    scale = powers_of(shift, len(columns[0]), q)
    inverse = [engine.start("intt", column) for column in columns]
    forward = []
    for future in inverse:
        padded = np.zeros(2 * len(scale), object)
        padded[: len(scale)] = future.result().astype(object) * scale % q
        forward.append(engine.start("ntt", padded))
    return [future.result() for future in forward]


def main(arguments: Sequence[str] | None = None) -> int:
    """Extend random columns; says how fast it went."""
    parser = argparse.ArgumentParser(prog="coset_lde.py")
    parser.add_argument("design", nargs="?", default="sam-tiny")
    parser.add_argument("--columns", type=int, default=16)
    parser.add_argument("--log-size", type=int, default=10)
    given = parser.parse_args(arguments)
    n = 1 << given.log_size
    try:
        q = load_design(given.design).rings[0].modulus
        rng = np.random.default_rng(0)
        columns = [
            np.array([int.from_bytes(rng.bytes(40)) % q for _ in range(n)], object)
            for _ in range(given.columns)
        ]
        with host.open(given.design) as engine:
            start = time.monotonic()
            extended = extend(engine, q, columns, shift_of(q, n))
            seconds = time.monotonic() - start
    except NttforgeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    rate = len(extended) / seconds
    print(f"{len(extended)} columns from {n} to {2 * n} values, {rate:.3g} a second, simulated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
