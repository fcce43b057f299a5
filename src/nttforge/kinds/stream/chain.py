# SPDX-License-Identifier: Apache-2.0
"""Products in the stream: transform, product with a stream of keys, sum, transform back.

`operations = ["polymul"]` of a pipeline whose moduli are loaded; docs/rns.md has the contract.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw.common import STREAM_PIECES
from nttforge.hw.core import Core, Operation
from nttforge.hw.drivers import LibraryTemplates
from nttforge.hw.register_map import RegisterMap
from nttforge.hw.wrapper import Wrapper, control_ports, stream_ports
from nttforge.kinds.stream.config import PipelineTable
from nttforge.kinds.stream.driver import chain_driver
from nttforge.kinds.stream.loaded import LoadedPipeline, work_out_loaded
from nttforge.kinds.stream.loaded_core import CONTROL
from nttforge.kinds.stream.loaded_registers import loaded_registers
from nttforge.kinds.stream.product import LEAST_BEATS, PRODUCT_REGISTERS, product_plan
from nttforge.reduction.loaded import LoadedPlan
from nttforge.ring.ring import Ring
from nttforge.rtl_library import sources_of

#: Bits of an operation: {constant, last, first}; of a load the lowest one names the pipeline.
COMMAND_BITS = 3
#: What a chain consists of, by the instances that are its.
PARTS = {
    "forward transform": ("u_forward",),
    "product and sums": ("u_product",),
    "inverse transform": ("u_inverse",),
    "commands and loads": (),
}


@dataclass(frozen=True, kw_only=True)
class ChainCore(Core):
    """Two pipelines with loaded moduli and the product between them, as data.

    - `forward`, `inverse`: the pipelines.
    - `product`: the multiplier by keys.
    """

    forward: LoadedPipeline
    inverse: LoadedPipeline
    product: LoadedPlan

    kind_label: ClassVar[str] = "a chain of transforms and products"
    usage_hint: ClassVar[str] = "use verify, measure, run or host, which take it"
    library: ClassVar[LibraryTemplates | None] = LibraryTemplates(
        example="chain_host_example.c.j2",
        readme="loaded_host_readme.md.j2",
        board="loaded_board.c.j2",
        header="loaded_host.h.j2",
        registers=False,
    )

    @property
    def design(self) -> Design:
        """That of a pipeline alone, with the ring of both."""
        return self.forward.design

    @property
    def n(self) -> int:
        """Coefficients."""
        return self.forward.rings[0].n

    @property
    def bits(self) -> int:
        """Bits of a word."""
        return self.forward.moduli.bits

    @property
    def lanes(self) -> int:
        """Words a beat."""
        return 2 * self.forward.lines

    @property
    def shares(self) -> int:
        """Lanes."""
        return self.lanes

    @property
    def beats(self) -> int:
        """Beats of a polynomial."""
        return self.forward.beats

    @property
    def places(self) -> int:
        """Moduli that it holds."""
        return self.forward.places

    @property
    def place_bits(self) -> int:
        """Bits of a place."""
        return self.forward.place_bits

    @property
    def data_bits(self) -> int:
        """Bits of a beat."""
        return self.lanes * self.bits

    @property
    def user_bits(self) -> int:
        """Bits of `tuser` at the input: {load, place, operation}."""
        return 1 + self.place_bits + COMMAND_BITS

    @property
    def result_bits(self) -> int:
        """Bits of `tuser` at the output: {error, 0, place, 0}."""
        return self.inverse.user_bits + 1

    @property
    def scale(self) -> int:
        """R: a key's words are its values times R."""
        return self.product.reductions[0].scale

    @property
    def latency(self) -> int:
        """Cycles from the first beat of a product in to its last one out, without stalls."""
        between = self.product.latency + PRODUCT_REGISTERS
        return self.forward.latency(0) + between + self.inverse.latency(0) - self.beats

    @property
    def commands(self) -> int:
        """Places of the commands' queue: those of all transforms that the first pipeline holds."""
        held = -(-self.forward.latency(0) // self.beats) + 1
        return max(2, 1 << (held - 1).bit_length())

    @property
    def registers(self) -> RegisterMap | None:
        """Of both pipelines, if the design asks for them."""
        return loaded_registers(chain=True) if self.forward.table.registers else None

    @property
    def wrapper(self) -> Wrapper:
        """Streams of polynomials and keys in, of results out; registers."""
        data = self.data_bits
        ports = [
            *stream_ports("s_axis", True, tlast=1, tdata=data, tuser=self.user_bits),
            *stream_ports("k_axis", True, tlast=1, tdata=data),
            *stream_ports("m_axis", False, tlast=1, tdata=data, tuser=self.result_bits),
        ]
        buses = ["s_axis", "k_axis", "m_axis"]
        if self.registers is not None:
            ports += control_ports("s_axi", 12)
            buses.append("s_axi")
        return Wrapper(f"{self.name}_wrapper", self.name, tuple(ports), tuple(buses))

    @cached_property
    def orders(self) -> dict[str, npt.NDArray[np.int64]]:
        """Indices of words in the order of beats and lanes, by stream."""
        forward, inverse = self.forward, self.inverse
        layouts = {
            "s_axis": forward.paths[0].input_layout,
            "k_axis": forward.output_layouts[0],
            "m_axis": inverse.output_layouts[0],
        }
        return {bus: layout.order().reshape(-1) for bus, layout in layouts.items()}

    def beats_of(self, bus: str, words: npt.NDArray[np.object_]) -> list[int]:
        """A polynomial, or the values of a key, as beats of a stream."""
        rows = words[self.orders[bus]].reshape(self.beats, self.lanes)
        return [sum(int(w) << i * self.bits for i, w in enumerate(row)) for row in rows]

    def polynomial_of(self, beats: list[int]) -> npt.NDArray[np.object_]:
        """Undo :meth:`beats_of`, of a result."""
        mask = (1 << self.bits) - 1
        words = np.empty(self.n, object)
        words[self.orders["m_axis"]] = [
            beat >> i * self.bits & mask for beat in beats for i in range(self.lanes)
        ]
        return words

    def operation(self, ring: Ring) -> Operation:
        """The product of two polynomials, modulo what a place has."""
        return Operation(
            name="polymul",
            code=0,
            ring=ring,
            inverse=False,
            input_layout=self.forward.paths[0].input_layout,
            output_layout=self.inverse.output_layouts[0],
            latency=self.latency,
            product="polymul",
            operands=2,
        )


def _part(design: Design, name: str, direction: str) -> Design:
    """The design of one of the pipelines."""
    return design.model_copy(update={"name": f"{design.name}-{name}", "operations": (direction,)})


def _check(design: Design) -> None:
    """What such a chain does not have. Raises NttforgeError naming the key."""
    if design.operations != ("polymul",):
        problem = "loaded moduli have ntt and intt, or polymul alone"
        raise NttforgeError("operations", problem, "leave the others out")
    if design.rings[0].form != "x^n+1":
        raise NttforgeError("rings.0.form", "products are modulo x^n+1", "leave it out")
    if design.table(PipelineTable).byte_lanes:
        raise NttforgeError("pipeline.byte_lanes", "a chain has whole words", "leave it out")


def build_chain(design: Design) -> ChainCore:
    """Make the core. Raises NttforgeError if the ring or parameters do not fit."""
    _check(design)
    parts = _part(design, "forward", "ntt"), _part(design, "inverse", "intt")
    forward, inverse = map(work_out_loaded, parts)
    if forward.beats < LEAST_BEATS:
        most = forward.rings[0].n // (2 * LEAST_BEATS)
        problem = f"a polynomial of {forward.beats} beats is too short to be summed"
        raise NttforgeError("pipeline.butterflies", problem, f"use {most} or fewer")
    core = ChainCore(
        name=design.module,
        sources=sources_of(
            *("ntf_pipeline", "ntf_chain_input", "ntf_loaded_product", "ntf_chain_return"),
            *(CONTROL if forward.table.registers else ()),
        ),
        templates={},
        facts={"multiplier": forward.loaded.describe()},
        pieces=STREAM_PIECES,
        parts=PARTS,
        forward=forward,
        inverse=inverse,
        product=product_plan(forward),
    )
    variables = {"design": design, "chain": core, "core": core}
    pipelines = {
        f"{each.design.module}_pkg.sv": (
            "loaded_pipeline_pkg.sv.j2",
            {"design": each.design, "pipeline": each, "engine": each},
        )
        for each in (forward, inverse)
    }
    templates = {
        **pipelines,
        f"{design.module}_pkg.sv": ("chain_pkg.sv.j2", variables),
        f"{design.module}.sv": ("chain_top.sv.j2", variables),
        **chain_driver(
            *(design.module, forward, inverse, core.latency), chain=core, command_bits=COMMAND_BITS
        ),
        "README.md": ("chain_readme.md.j2", variables),
    }
    return ChainCore(**{**vars(core), "templates": templates})
