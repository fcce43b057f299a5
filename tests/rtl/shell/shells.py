# SPDX-License-Identifier: Apache-2.0
"""A small shell for tests, and its jobs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from nttforge.design import parse_design
from nttforge.flow.prepare import Prepared, prepare
from nttforge.flow.reference import random_polynomials, reference
from nttforge.hw import StreamCore
from nttforge.simulate.shell_simulator import Buffer, MemoryModel, ShellSimulator, Task

BANK = 1 << 20


def prepare_shell(
    ring: dict[str, Any], butterflies: int, *, target: str = "xcup", **shell: Any
) -> Prepared[StreamCore]:
    data = {
        "name": "dut",
        "target": target,
        "rings": [ring],
        "pipeline": {"butterflies": butterflies},
        "shell": shell,
    }
    return prepare(parse_design(data, "test"))


def check(simulator: ShellSimulator, count: int, seed: int, memory: MemoryModel) -> list[Any]:
    """A batch of each operation, compared with the reference."""
    rng = np.random.default_rng(seed)
    jobs = []
    for operation in simulator.core.operations:
        batch = random_polynomials(operation.ring, count, rng)
        outputs, job = simulator.transform(operation, batch, memory, seed)
        assert job.status == "ok"
        assert (outputs == reference(operation, batch)).all()
        jobs.append(job)
    return jobs


def tasks(simulator: ShellSimulator, counts: Sequence[int]) -> tuple[list[Task], list[Buffer]]:
    """Buffers far from each other, one to read and one to write for each instance."""
    result, buffers = [], []
    for i, count in enumerate(counts):
        source, target = 2 * i * BANK, (2 * i + 1) * BANK
        size = max(count, 1) * simulator.shell.write_bytes(0)
        result.append(Task(source, target, count))
        buffers += [
            Buffer(source, np.zeros(size, np.uint8)),
            Buffer(target, np.full(size, 0x5A, np.uint8)),
        ]
    return result, buffers
