# SPDX-License-Identifier: Apache-2.0
"""Cycles of each operation at the highest level, observed beside those of its transforms alone."""

import random
from collections.abc import Iterator, Mapping
from itertools import islice

from pydantic import BaseModel

from nttforge.flow.prepare import Prepared, Progress
from nttforge.kinds.rns.cases import OPERATIONS, Shape, batch_case, run_case
from nttforge.kinds.rns.core import RnsCore
from nttforge.kinds.rns.machine import Machine
from nttforge.kinds.rns.program import Op
from nttforge.kinds.rns.switching import Job
from nttforge.kinds.stream.loaded import sample_moduli
from nttforge.results import Measurement, Timed, timed
from nttforge.table import Block, Table

#: Units of sums, by their commands.
_UNITS = ((Op.SUM,), (Op.CONVERT, Op.FRACTION))


class OperationCycles(BaseModel):
    """Of an operation at the highest level.

    - `limbs`: of Q and P, and of a digit.
    - `calls`: operations with one key in a program.
    - `transforms`, `summands`: rows that are transformed, and read for sums.
    - `by_keys`: summands of the unit that multiplies by keys.
    - `floor`: cycles of the transforms alone, in series.
    - `cycles`: from the first word in to the outcome.
    - `rows`: largest number of rows in use.
    """

    operation: str
    limbs: tuple[int, int, int]
    calls: int
    transforms: int
    summands: int
    by_keys: int
    floor: int
    cycles: int
    rows: int

    @property
    def name(self) -> str:
        """With limbs and calls."""
        calls = f", {self.calls} calls" if self.calls > 1 else ""
        return f"{self.operation}, {self.limbs[0]} + {self.limbs[1]}{calls}"


class RnsMeasurement(Measurement):
    """Measurements."""

    operations: list[OperationCycles]

    @property
    def timed(self) -> Mapping[str, Timed]:
        """By operation, limbs of P, and calls."""
        return {each.name: Timed(each.cycles, None) for each in self.operations}

    def shown(self) -> Iterator[Block]:
        """Cycles, and what the transforms alone would take."""
        columns = (
            "operation",
            "limbs",
            "transforms",
            "read for keys",
            "read for conversion",
            "rows",
            "floor",
            "cycles",
        )
        yield Table(
            f"{self.design}: cycles of an operation",
            columns,
            [
                (
                    each.operation + (f", {each.calls} calls" if each.calls > 1 else ""),
                    f"{each.limbs[0]} + {each.limbs[1]}, digits of {each.limbs[2]}",
                    each.transforms,
                    each.by_keys,
                    each.summands - each.by_keys,
                    each.rows,
                    each.floor,
                    each.cycles,
                )
                for each in self.operations
            ],
        )
        yield from self.times()


def shapes(core: RnsCore) -> Iterator[Shape]:
    """Key switching with one and two limbs of P, as far as there are places and summands."""
    places, terms = core.pipeline.places, core.table.terms
    level = max(1, places - 2)
    for special in (1, 2):
        if level + special <= places and special < terms and -(-level // special) <= terms:
            yield Shape("key_switch", "lattigo", level, level, special, special)
    yield Shape("rescale", level=places, whole=places)
    yield Shape("tensor", level=places, whole=places)


@timed
def measure(
    prepared: Prepared[RnsCore], seed: int, calls: int | None, progress: Progress
) -> RnsMeasurement:
    """Observe each operation once, without a pause; or the first one, so many calls of it at once.

    Raises RuntimeError if a result is wrong; `verify` reports details.
    """
    core, rng = prepared.core, random.Random(seed)
    found = []
    progress("compiling")
    with Machine.of(prepared) as machine:
        machine.load(sample_moduli(core.pipeline.design))
        machine.settle()
        some = shapes(core) if calls is None else islice(shapes(core), 1)
        for shape in some:
            progress(f"measuring {shape.operation}")
            if calls is None:
                case = OPERATIONS[shape.operation](machine, shape, rng)
            else:
                case = batch_case(machine, shape, rng, calls)
            done = run_case(machine, case)
            if done.wrong or done.outcome.errors:
                raise RuntimeError(f"{shape.operation} is wrong")
            job = Job(machine.limbs)
            case.make(job)
            commands = job.program.commands
            transforms = sum(command.op is Op.TRANSFORM for command in commands)
            reads = [sum(len(c.reads) for c in commands if c.op in ops) for ops in _UNITS]
            special = shape.special if case.key is not None else 0
            found.append(
                OperationCycles(
                    operation=shape.operation,
                    limbs=(shape.level, special, shape.digit_limbs),
                    calls=calls or 1,
                    transforms=transforms,
                    summands=sum(reads),
                    by_keys=reads[0],
                    floor=transforms * core.beats,
                    cycles=done.cycles,
                    rows=job.program.used,
                )
            )
    return RnsMeasurement(design=core.name, operations=found)
