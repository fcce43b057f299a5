# SPDX-License-Identifier: Apache-2.0
"""The transform contract of a core in words; docs/contracts.md explains each line."""

from collections.abc import Iterator
from typing import get_args

from nttforge.config.fields import Order
from nttforge.design import Design, is_design, load_design
from nttforge.errors import NttforgeError, shown
from nttforge.hw import StreamCore, build_kind
from nttforge.layout.layout import Layout
from nttforge.layout.streams import stream_layout
from nttforge.names import find
from nttforge.ring.presets import PRESETS, find_preset
from nttforge.ring.ring import Ring

_FIRST_BEATS = 3
_FIRST_LEAVES = 4


def values(ring: Ring) -> str:
    """Words of a transform: the remainder, or value, at each position."""
    reversed_k = f"BitRev{ring.layers}(k)"
    exponent = f"(2 {reversed_k} + 1)" if ring.negacyclic else reversed_k
    if ring.leaf_degree == 1:
        return f"word k is f({ring.root}^{exponent})"
    d = ring.leaf_degree
    return f"word {d}k+j is coefficient j of f mod x^{d} - {ring.root}^{exponent}"


def scaling(ring: Ring, inverse: bool) -> str:
    """Location of the factor n^-1."""
    if not inverse:
        return "none"
    leaves = 1 << ring.layers
    return f"divided by {leaves}, that is times {pow(leaves, -1, ring.q)}; nothing is left to do"


def beats(input_layout: Layout, output_layout: Layout) -> Iterator[str]:
    """Rows of a table: which words cross the input's and the output's lanes in a beat."""
    width = len(str(input_layout.beats * input_layout.lanes - 1))

    def crossing(layout: Layout, beat: int) -> str:
        lanes = range(layout.lanes)
        return " ".join(f"{layout.index(beat, lane):{width}}" for lane in lanes)

    column = max(len("in: lane 0 first"), len(crossing(input_layout, 0)))
    yield f"beat  {'in: lane 0 first':{column}}  out: lane 0 first"
    last = input_layout.beats - 1
    shown = sorted({*range(min(_FIRST_BEATS, last)), last})
    for before, beat in zip([-1, *shown], shown, strict=False):
        if beat != before + 1:
            yield " ..."
        words_in = f"{crossing(input_layout, beat):{column}}"
        yield f"{beat:4}  {words_in}  {crossing(output_layout, beat)}"


def contract(
    name: str,
    ring: Ring,
    inverse: bool,
    input_layout: Layout,
    output_layout: Layout,
    *,
    packed_bits: int = 0,
) -> str:
    """The contract of one operation; parameters as of :class:`nttforge.hw.core.Operation`."""
    leaves = ", ".join(str(root) for root in ring.leaf_roots[:_FIRST_LEAVES])
    transform, polynomial = values(ring), "coefficients of f, word i that of x^i"
    rows = {
        "ring": ring.describe(),
        "words in": transform if inverse else polynomial,
        "words out": polynomial if inverse else transform,
        "roots": f"{leaves}, ... for k = 0, 1, ...",
        "domain": "plain residues, not in Montgomery form",
        "scaling": scaling(ring, inverse),
        "range in": f"0 to {ring.q - 1}",
        "range out": f"0 to {ring.q - 1}",
    }
    if packed_bits:
        rows["a beat's"] = f"word i is words 2i and 2i + 1 of these, {packed_bits} bits each"
    lines = [f"{title:9}  {text}" for title, text in rows.items()]
    return "\n  ".join((name, *lines, *beats(input_layout, output_layout)))


def pipeline_contract(preset: str, lanes: int, order: str = "natural") -> str:
    """The contract of a pipeline for one ring in both directions, `lanes` coefficients a beat."""
    orders = get_args(Order)
    find("order", order, dict.fromkeys(orders), f"{shown(order)} is no order")
    ring = find_preset(preset).ring
    if not 2 <= lanes <= ring.n or lanes & (lanes - 1):
        raise NttforgeError(
            "lanes", f"{lanes} is not a power of two from 2 to {ring.n}", "use 2, for instance"
        )
    lane_bits = lanes.bit_length() - 1
    words, results = (
        stream_layout(order, ring.depth, lane_bits, coefficients=coefficients)
        for coefficients in (True, False)
    )
    forward = contract(f"{preset}.ntt", ring, False, words, results)
    inverse = contract(f"{preset}.intt", ring, True, results, words)
    return f"{forward}\n\n{inverse}"


def design_contract(design: Design) -> str:
    """The contract of each transform of a design with streams."""
    core = build_kind(design, StreamCore)
    return "\n\n".join(
        contract(
            operation.name,
            operation.ring,
            operation.inverse,
            operation.input_layout,
            operation.output_layout,
            packed_bits=operation.packed_bits,
        )
        for operation in core.operations
        if operation.product is None
    )


def contract_of(ring: str, lanes: int | None = None, order: str | None = None) -> str:
    """The contract of a ring's pipeline, or of a design by its name or file."""
    if ring in PRESETS or not is_design(ring):
        return pipeline_contract(ring, lanes or 2, order or "natural")
    for option, value in (("lanes", lanes), ("order", order)):
        if value is not None:
            raise NttforgeError(option, f"{ring} has its own", "leave it out, or name a ring")
    return design_contract(load_design(ring))
