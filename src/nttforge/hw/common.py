# SPDX-License-Identifier: Apache-2.0
"""Common parts of the families of butterflies: checks, ports, operations and sources."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nttforge.config.fields import OperationName
from nttforge.design import Design, product_of
from nttforge.errors import NttforgeError
from nttforge.hw.core import Flush, Operation, StreamCore, StreamFormat
from nttforge.hw.view import Tap, View
from nttforge.layout.layout import Layout
from nttforge.ring.ring import Ring
from nttforge.rtl_library import sources_of

# More adder rows than any reduction has: no register inside it.
NO_REGISTERS = 99
# Most adder rows between two registers of a core that has one after every memory, too.
DEEP_ROWS = 2

#: Polynomials that each operation takes.
OPERANDS: dict[OperationName, int] = {"ntt": 1, "intt": 1, "pointwise": 2, "mac": 3, "polymul": 2}


def check_shape(family: str, rings: Sequence[Ring], butterflies: int) -> None:
    """Check that the rings have one size that fits, and that a row of butterflies divides it."""
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


def fewest_butterflies(family: str, longest: int, most: int, interval: Callable[[int], int]) -> int:
    """Fewest butterflies (a power of two up to `most`) with at most `longest` cycles each."""
    intervals: list[int] = []
    for exponent in range(most.bit_length()):
        intervals.append(interval(1 << exponent))
        if intervals[-1] <= longest:
            return 1 << exponent
    least = min(intervals)
    raise NttforgeError(
        f"{family}.interval",
        f"{longest} cycles a transform are not reached with 1 to {most} butterflies",
        f"ask for {least} or more",
    )


def block_rams(depth: int, width: int) -> int:
    """Memories of 18 Kbit that a table of so many words takes."""
    widths = {512: 36, 1024: 18, 2048: 9, 4096: 4, 8192: 2}
    one = next((bits for words, bits in widths.items() if depth <= words), 1)
    return -(-depth // (1 << 14)) * -(-width // one)


def stream_format(
    rings: Sequence[Ring], butterflies: int, operations: int, *, byte_lanes: bool
) -> StreamFormat:
    """Ports of a core whose beats feed each of its butterflies once."""
    return StreamFormat(
        lanes=2 * butterflies,
        word_bits=max(ring.width for ring in rings),
        beats=rings[0].n // (2 * butterflies),
        user_bits=max(1, (operations - 1).bit_length()),
        byte_lanes=byte_lanes,
    )


def transform(
    design: Design,
    ring: int,
    name: OperationName,
    *,
    code: int,
    layouts: tuple[Layout, Layout],
    latency: int,
) -> Operation:
    """The operation `name` of ring number `ring`; layouts are (input, output)."""
    table = design.rings[ring]
    return Operation(
        name=name if len(design.rings) == 1 else f"{table.label}.{name}",
        code=code,
        ring=table.ring(),
        inverse=name == "intt",
        input_layout=layouts[0],
        output_layout=layouts[1],
        latency=latency,
        product=product_of(name),
        operands=OPERANDS[name],
    )


#: What synthesis module by module maps once: what pipelines and iterative engines have many times,
#: and stages, so that none is mapped together with another.
STREAM_PIECES = (
    "ntf_butterfly",
    "ntf_loaded_maker",
    "ntf_loaded_mul",
    "ntf_loaded_settle",
    "ntf_mod_settle",
    "ntf_stage",
)


def stream_core(
    kind: str,
    engine: Any,
    operations: tuple[Operation, ...],
    stream: StreamFormat,
    *,
    flush: Flush | None,
    taps: tuple[Tap, ...],
    facts: Mapping[str, Any],
) -> StreamCore:
    """The core of an elaborated engine with streams; `kind`: `pipeline` or `iterative`."""
    design: Design = engine.design
    variables = {
        "design": design,
        kind: engine,
        "engine": engine,
        "operations": operations,
        "stream": stream,
        "flush": flush,
        "clear": False,  # a port of a transform inside a coprocessor
    }
    templates = {
        f"{design.module}_pkg.sv": f"{kind}_pkg.sv.j2",
        f"{design.module}.sv": f"{kind}_top.sv.j2",
        "README.md": "design_readme.md.j2",
    }
    return StreamCore(
        name=design.module,
        operations=operations,
        stream=stream,
        sources=sources_of(f"ntf_{kind}", *(() if flush is None else ("ntf_flusher",))),
        flush=flush,
        templates={name: (template, variables) for name, template in templates.items()},
        facts=facts,
        pieces=STREAM_PIECES,
        views=(View(design.module, taps),),
    )


def check_transforms_only(
    design: Design, what: str, hint: str = 'leave it out, or use family = "iterative"'
) -> None:
    """Check that a design has no products; `hint` is what to do if it has."""
    others = sorted(set(design.operations) - set(design.directions))
    if others:
        raise NttforgeError("operations", f"{what} has no {others[0]}", hint)
