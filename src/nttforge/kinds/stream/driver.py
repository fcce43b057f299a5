# SPDX-License-Identifier: Apache-2.0
"""The C driver of pipelines with loaded moduli: its tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, count

from nttforge.hw.core import Operation
from nttforge.hw.drivers import DriverError, Files
from nttforge.hw.shell import StreamFormat
from nttforge.kinds.stream.loaded import LoadedPipeline
from nttforge.kinds.stream.loaded_registers import ROOM, STATUS_TEXTS, STATUSES, loaded_registers
from nttforge.reduction.loaded import MAX_BITS
from nttforge.ring.primes import is_prime
from nttforge.ring.ring import Ring

_TEXTS = {
    "OK": "no error",
    "WIDE": "the modulus has too many bits",
    "FORM": "the modulus is not 1 modulo the order of the roots",
    "COMPOSITE": "the modulus is not prime",
    "ROOT": "the root is not a primitive root of unity of the right order",
    "PLACE": "there is no such place, or nothing is loaded into it",
    "OPERATION": "there is no such operation",
    "RANGE": "a word is not below the modulus",
    "BUS": "the streams do not answer",
    "HARDWARE": "the hardware marks its result as wrong",
}
ERRORS = tuple(DriverError(name, -at, text) for at, (name, text) in enumerate(_TEXTS.items()))


@dataclass(frozen=True)
class StagePath:
    """An operation's path in a stage, as `struct path` of the driver."""

    inverse: bool
    pair: int
    shift: int
    low: int
    index: tuple[int, ...]


@dataclass(frozen=True)
class DriverStage:
    """A stage, as `struct stage` of the driver: `first` and `count` say which of the lines."""

    made: bool
    first: int
    count: int
    paths: tuple[StagePath, ...]


def _stages(pipeline: LoadedPipeline) -> tuple[DriverStage, ...]:
    shapes = pipeline.factor_shapes
    firsts = accumulate((len(shape.lines) for shape in shapes), initial=0)
    return tuple(
        DriverStage(
            made,
            first,
            len(shape.lines),
            tuple(
                StagePath(
                    direction == "intt", at.index_bit, shape.shift[p], shape.low(p), at.layout.bits
                )
                for p, (direction, at) in enumerate(
                    zip(pipeline.design.directions, shape.stages, strict=True)
                )
            ),
        )
        for shape, made, first in zip(shapes, pipeline.made, firsts, strict=False)
    )


def refused(pipeline: LoadedPipeline, ring: Ring) -> Iterator[tuple[str, int, int]]:
    """Moduli that the driver refuses: what is wrong with them, modulus, root."""
    zeros, q = pipeline.moduli.zeros, ring.q
    composite = next(c for k in count(1) if not is_prime(c := (k << zeros) + 1))
    yield "even", q - 1, ring.root
    if pipeline.moduli.bits < MAX_BITS:  # C has no wider ones
        yield "too many bits", (1 << pipeline.moduli.bits) + 1, ring.root
    yield "not 1 modulo the roots' order", q - (1 << zeros - 1), ring.root
    yield "composite", composite, ring.root % composite
    yield "a root of lower order", q, ring.root * ring.root % q


def load_variables(name: str, pipeline: LoadedPipeline, ring: Ring) -> Mapping[str, object]:
    """Constants of a driver to compute the words of a load, and to order those of a transform."""
    return {
        "name": name,
        "P": name.upper(),
        "pipeline": pipeline,
        "negacyclic": ring.negacyclic,
        "root_order": ring.root_order,
        "scale": pipeline.loaded.reductions[0].scale.bit_length() - 1,
        "maker_scale": pipeline.maker.reductions[0].scale.bit_length() - 1,
        "lines": [line for shape in pipeline.factor_shapes for line in shape.lines],
        "stages": _stages(pipeline),
        "orders": [
            (pipeline.paths[path].input_layout.bits, pipeline.output_layouts[path].bits)
            for path in range(len(pipeline.paths))
        ],
    }


def _own_variables(name: str, pipeline: LoadedPipeline, ring: Ring) -> Mapping[str, object]:
    """Those of a driver that has transforms alone, or a chain of them."""
    return {
        **load_variables(name, pipeline, ring),
        "errors": ERRORS,
        "modulus": ring,
        "wrong": list(refused(pipeline, ring)),
    }


def _registers(
    pipeline: LoadedPipeline, latency: int, *, chain: bool = False
) -> Mapping[str, object]:
    """What a driver says of registers, if there are some; `latency` is what loads wait for."""
    return {
        "registers": loaded_registers(chain=chain) if pipeline.table.registers else None,
        "latency": latency,
        "room": ROOM,
        "statuses": STATUSES,
        "status_texts": STATUS_TEXTS,
    }


def loaded_driver(
    name: str, pipeline: LoadedPipeline, operations: Sequence[Operation], stream: StreamFormat
) -> Files:
    """The driver of a module: a header and a source, without anything else."""
    ring = operations[0].ring
    variables: Mapping[str, object] = {
        **_own_variables(name, pipeline, ring),
        "stream": stream,
        "keys": False,
        **_registers(pipeline, pipeline.latency(0)),
    }
    return {
        f"{name}_driver.h": ("loaded_driver.h.j2", variables),
        f"{name}_driver.c": ("loaded_driver.c.j2", variables),
    }


def chain_driver(
    name: str, forward: LoadedPipeline, inverse: LoadedPipeline, latency: int, **known: object
) -> Files:
    """The driver of a chain of transforms and products: a header and a source.

    - `latency`: cycles of a product.
    - `known`: more variables of the templates: `chain`, `command_bits`.
    """
    ring = forward.rings[0]
    bits = forward.moduli.bits
    variables: Mapping[str, object] = {
        **_own_variables(name, forward, ring),
        **known,
        "back": load_variables(name, inverse, ring),
        "stream": {"word_bits": bits, "lane_bits": bits},
        "keys": True,
        **_registers(forward, latency, chain=True),
    }
    return {
        f"{name}_driver.h": ("chain_driver.h.j2", variables),
        f"{name}_driver.c": ("chain_driver.c.j2", variables),
    }
