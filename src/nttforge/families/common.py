# SPDX-License-Identifier: Apache-2.0
"""What the families of butterflies have in common: their checks, ports, operations and sources."""

from collections.abc import Sequence

from nttforge.design import Design, Direction
from nttforge.errors import NttforgeError
from nttforge.families.core import Operation, StreamFormat
from nttforge.layout.layout import Layout
from nttforge.ring.ring import Ring

#: Files of the modular adders and multipliers, in compile order.
ARITHMETIC = (
    "arith/mod_addend.sv",
    "arith/mod_nearer.sv",
    "arith/mod_canonical.sv",
    "arith/mul_tiled.sv",
    "arith/mul_sparse.sv",
    "arith/mul_const.sv",
    "arith/fold.sv",
    "arith/mod_correct.sv",
    "arith/mod_reduce.sv",
    "arith/mod_mul.sv",
)


def check_shape(family: str, rings: Sequence[Ring], butterflies: int) -> None:
    """Check that the rings have one size, and that a row of butterflies divides it.

    Raises
    ------
    NttforgeError
        Naming the ring, or the family's key `butterflies`.
    """
    n = rings[0].n
    for number, ring in enumerate(rings):
        if ring.n != n:
            raise NttforgeError(
                f"rings.{number}.n",
                f"{ring.n} differs from {n} of the first ring",
                "give all rings of the core the same n",
            )
    if butterflies & (butterflies - 1) or butterflies > n // 2:
        raise NttforgeError(
            f"{family}.butterflies",
            f"{butterflies} is not a power of two from 1 to n/2 = {n // 2}",
            "use one of them",
        )


def stream_format(rings: Sequence[Ring], butterflies: int, operations: int) -> StreamFormat:
    """Ports of a core whose beats feed each of its butterflies once."""
    return StreamFormat(
        lanes=2 * butterflies,
        word_bits=max(ring.width for ring in rings),
        beats=rings[0].n // (2 * butterflies),
        user_bits=max(1, (operations - 1).bit_length()),
    )


def transform(
    design: Design,
    ring: int,
    direction: Direction,
    *,
    code: int,
    layouts: tuple[Layout, Layout],
    latency: int,
) -> Operation:
    """The operation that takes ring number `ring` in a direction; layouts are (input, output)."""
    table = design.rings[ring]
    return Operation(
        name=direction if len(design.rings) == 1 else f"{table.label}.{direction}",
        code=code,
        ring=table.ring(),
        inverse=direction == "intt",
        input_layout=layouts[0],
        output_layout=layouts[1],
        latency=latency,
    )
