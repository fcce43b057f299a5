# SPDX-License-Identifier: Apache-2.0
"""A user's own polynomials and keys through the simulated engine, from JSON to JSON."""

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, Progress
from nttforge.kinds.rns.calls import FUNCTIONS, KeySwitch
from nttforge.kinds.rns.core import RnsCore
from nttforge.kinds.rns.machine import Machine
from nttforge.output import reading, write_text
from nttforge.results import Ran
from nttforge.standards import rns
from nttforge.standards.rns import Basis
from nttforge.standards.rns.basis import Array
from nttforge.table import Block


class RnsRan(Ran):
    """Result of `run`."""

    def shown(self) -> Iterator[Block]:
        """One line, and the verdict."""
        return self.ending("polynomials")


def reference(machine: Machine, operation: str, given: Mapping[str, Any]) -> list[Array]:
    """Expected result."""
    q, t = Basis(tuple(given["q"])), given.get("t", 0)

    def limbs(value: Any) -> Array:
        return np.array(value, dtype=object)

    if operation == "rescale":
        return [rns.rescale(limbs(given["c"]), q, t=t)]
    if operation == "tensor":
        a, b = ((limbs(x), limbs(y)) for x, y in (given["a"], given["b"]))
        return list(rns.tensor(a, b, q, times=given.get("times", 1)))
    own = {"c", "cs", "t", "add", "pair", "g", "gs", "keys"}
    if operation == "hoisted":
        others = {n: value for n, value in given.items() if n not in own}
        c0, c1 = map(limbs, given["pair"])
        stride = len(given["keys"][0])
        keys = [
            KeySwitch(key=each, **others).checked(machine, number * stride)
            for number, each in enumerate(given["keys"])
        ]
        pairs = [rns.rotate((c0, c1), g, key) for g, key in zip(given["gs"], keys, strict=True)]
        return [half for pair in pairs for half in pair]
    key = KeySwitch(**{n: value for n, value in given.items() if n not in own}).checked(machine)
    if operation == "rotate":
        c0, c1 = given["pair"]
        return list(rns.rotate((limbs(c0), limbs(c1)), given["g"], key))
    if operation == "key_switches":
        return [half for c in given["cs"] for half in rns.key_switch(limbs(c), key, t=t)]
    pair = rns.key_switch(limbs(given["c"]), key, t=t)
    if given.get("add"):
        first = q.first(len(given["c"]))
        u0, u1 = (rns.add(first, limbs(x), u) for x, u in zip(given["add"], pair, strict=True))
        pair = u0, u1
    return list(pair)


def run(
    prepared: Prepared[RnsCore],
    source: Path,
    target: Path,
    operation: str | None,
    progress: Progress,
) -> RnsRan:
    """One operation.

    Raises NttforgeError if the file cannot be read, or an entry is illegal.
    """
    start = time.monotonic()
    name = operation or "key_switch"
    if name not in FUNCTIONS:
        raise NttforgeError("--op", f"there is no {name}", f"use one of {', '.join(FUNCTIONS)}")
    with reading(source):
        text = source.read_text("utf-8")
    try:
        given = json.loads(text)
    except ValueError as error:
        raise NttforgeError(
            str(source), f"is no JSON: {error}", "see docs/key-switching.md"
        ) from None
    progress("compiling")
    with Machine.of(prepared) as machine:
        progress(f"simulating {name}")
        try:
            found = FUNCTIONS[name](machine, **given)
        except TypeError as error:
            hint = "see docs/key-switching.md"
            raise NttforgeError(str(source), f"wrong arguments: {error}", hint) from None
        right = reference(machine, name, given)
        cycles = machine.cycles
    ok = all((a == b).all() for a, b in zip(found, right, strict=True))
    if ok:
        write_text(target, json.dumps([limbs.tolist() for limbs in found]) + "\n")
    return RnsRan(
        design=prepared.core.name,
        operation=name,
        cycles=cycles,
        input=str(source),
        output=str(target) if ok else None,
        input_format="JSON",
        output_format="JSON",
        ok=ok,
        seconds=round(time.monotonic() - start, 2),
    )
