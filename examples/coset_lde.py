# SPDX-License-Identifier: Apache-2.0
"""Low-degree extensions on a coset, as provers compute them, by an engine for large transforms.

A column of n values is a polynomial f of degree below n on the powers of a root of order n. Its
extension is f on g w^0, g w^1, ..., w of order n times the blow-up, g outside of these. That is two
jobs, each a batch of all columns: an inverse transform, and one of more words on the coset, of
which the engine reads those that are not zeros. Nothing is left to the host but to hand them on.

    python examples/coset_lde.py sam-tiny --columns 16 --log-size 10 --blowup 4
"""

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nttforge import host
from nttforge.design import Design, load_design
from nttforge.errors import NttforgeError
from nttforge.kinds.decomposed.config import MOST_BLOWUP, DecomposedTable

Words = npt.NDArray[Any]


def with_coset(design: Design) -> Design:
    """The same design, with extensions on a coset, if it has none.

    Its shift is the least number that is no root of unity of an order that it transforms.
    """
    table, q = design.table(DecomposedTable), design.rings[0].modulus
    if table.coset is not None:
        return design
    shift = next((g for g in range(2, q) if pow(g, 1 << table.l_max, q) != 1), None)
    more = {"coset": shift, "coset_inverse": False, "blowup": MOST_BLOWUP}
    data = design.model_dump(exclude_unset=True)
    return Design.model_validate(data | {"decomposed": data["decomposed"] | more})


def extend(engine: host.Device, columns: Words, blowup: int) -> Words:
    """Extend columns of the same length.

    Parameters
    ----------
    engine
        A design of the decomposed family with a coset, simulated or on a board.
    columns
        Shape (columns, n), in [0, q): value k at the k-th power of a root of order n.
    blowup
        A power of two, as much as the design allows at most.

    Returns
    -------
    ndarray
        Shape (columns, n * blowup): value k at g times the k-th power of a root of that order.

    Raises
    ------
    NttforgeError
        If the engine has no transforms of these sizes, or a value is not in [0, q).
    """
    coefficients = engine.start("intt", columns).result()
    return engine.start("coset.ntt", coefficients, padding=blowup.bit_length() - 1).result()


def main(arguments: Sequence[str] | None = None) -> int:
    """Extend random columns; says how fast it went."""
    parser = argparse.ArgumentParser(prog="coset_lde.py")
    parser.add_argument("design", nargs="?", default="sam-tiny")
    parser.add_argument("--columns", type=int, default=16)
    parser.add_argument("--log-size", type=int, default=10)
    parser.add_argument("--blowup", type=int, default=2)
    given = parser.parse_args(arguments)
    n = 1 << given.log_size
    try:
        design = with_coset(load_design(given.design))
        q, rng = design.rings[0].modulus, np.random.default_rng(0)
        values = [int.from_bytes(rng.bytes(40)) % q for _ in range(given.columns * n)]
        columns = np.array(values, object).reshape(given.columns, n)
        with host.open(design) as engine:
            start = time.monotonic()
            extended = extend(engine, columns, given.blowup)
            seconds = time.monotonic() - start
    except NttforgeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    rate, size = len(extended) / seconds, extended.shape[1]
    print(f"{len(extended)} columns from {n} to {size} values, {rate:.3g} a second, simulated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
