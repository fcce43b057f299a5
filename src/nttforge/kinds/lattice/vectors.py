# SPDX-License-Identifier: Apache-2.0
"""Published vectors of a standard, and a core's results for them.

Inputs are as they are, outputs as SHA-256; of a verdict, that of the byte 0 or 1. They stand in
`acvp.json.xz` of the standard's package; `python -m tests.known_answers` makes that file of NIST's.
"""

import random
from collections.abc import Iterator
from typing import Any

from nttforge.flow.vectors import Vector, digest, first_of, packed
from nttforge.kinds.lattice.bus import Coprocessor, request_of
from nttforge.kinds.lattice.functions import find_set
from nttforge.kinds.lattice.operation import Standard, Values

GOLDEN = "acvp.json.xz"
#: The digest of a verdict.
ACCEPTED = "accepted"


def golden_vectors(standard: Standard) -> list[Vector]:
    """NIST's, of the operations that there are; none if the standard has none."""
    if not standard.vectors:
        return []
    found = packed((standard.whole or standard).package, GOLDEN)
    return [vector for vector in found if vector.operation in standard.vectors]


def verdict_byte(accepted: bool) -> bytes:
    """Encoding of a verdict in vectors."""
    return bytes([accepted])


def answers(core: Coprocessor, standard: Standard, vector: Vector) -> Iterator[dict[str, bytes]]:
    """Outputs by name of each operation that must answer as a vector says."""
    p = find_set(standard, vector.parameter_set)
    values = standard.completed(p, vector.inputs)
    for name, *flags in standard.vectors[vector.operation]:
        how: dict[str, Any] = {"checks": core.checks, **dict.fromkeys(flags, True)}
        run, operation = core.run(request_of(name, p, values, **how)), standard.operations[name]
        if operation.judges:
            yield {ACCEPTED: verdict_byte(run.accepted)}
            continue
        found = operation.results(p, run.public, run.secret)
        # What is longer than its outputs is wrong.
        whole = operation.expected(found) == (run.public, run.secret)
        yield found if whole else dict.fromkeys(found, b"")


def wrong_answers(
    core: Coprocessor, standard: Standard, vector: Vector
) -> list[tuple[str, str, str]]:
    """(output, digest of ours, expected one) of each output that differs."""
    return [wrong for each in answers(core, standard, vector) for wrong in vector.wrong(each)]


def examples(standard: Standard, *, short: bool = False) -> Iterator[tuple[str, Any, Values]]:
    """A vector of each operation, set and verdict; of a standard without any, random values.

    Outputs are made by software. With `short` messages are the shortest ones, which no memory is
    too small for.
    """
    vectors = golden_vectors(standard)
    if short:
        vectors.sort(key=lambda vector: len(vector.inputs.get("message", b"")))
    for vector in first_of(vectors, "operation", "parameter_set", digest=ACCEPTED):
        p = find_set(standard, vector.parameter_set)
        values = standard.reference(p, vector.inputs)
        if expected := vector.digests.get(ACCEPTED):
            words = standard.operations[vector.operation].verdicts
            values["verdict"] = words[expected == digest(verdict_byte(True))]
        yield vector.operation, p, values
    if not vectors:
        for p in standard.sets:
            values = standard.example(p, random.Random(p.name))
            yield from ((operation, p, values) for operation in standard.operations)
