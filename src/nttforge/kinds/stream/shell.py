# SPDX-License-Identifier: Apache-2.0
"""Jobs through the memory shell: what a host sees of a whole accelerator."""

import numpy as np
from pydantic import BaseModel

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.reference import Polynomials, operands, reference
from nttforge.hw import Operation, StreamCore
from nttforge.simulate.shell_simulator import JobRun, MemoryModel, ShellSimulator
from nttforge.simulate.stream import StallPattern
from nttforge.table import Table

#: Memories of many kinds: what a shell must work with.
MEMORIES = {
    "fast": MemoryModel(latency=1),
    "slow to answer": MemoryModel(latency=128),
    "half the bandwidth": MemoryModel(words_per_cycle=0.5),
    "refreshed": MemoryModel(latency=20, refresh_period=97, refresh_length=11),
    "random": MemoryModel(latency=33, stalls=StallPattern.random(0.3)),
    "bursts": MemoryModel(latency=7, stalls=StallPattern.bursts(9, 13), requests=2),
}

# Compiling a simulator takes a quarter of a second a butterfly: so many are simulated at most.
_BUTTERFLIES_SIMULATED = 160


class JobThroughput(BaseModel):
    """A batch through the shell: cycles to the interrupt, and the core's or channel's bound."""

    operation: str
    transforms: int
    cycles: int
    cycles_per_transform: float
    bound_cycles: float
    efficiency: float
    ok: bool


class ShellThroughput(BaseModel):
    """Measurements of a shell; `memory_latency`: cycles from a request to its first word."""

    instances: int
    instances_simulated: int
    data_width: int
    store_bits: int
    memory_latency: int
    jobs: list[JobThroughput]

    def table(self) -> Table:
        """A line a job."""
        return Table(
            f"Jobs through memory of {self.memory_latency} cycles latency: "
            f"{self.instances_simulated} of {self.instances} instances, "
            f"channels of {self.data_width} bits",
            ("job", "a transform", "bound", "of the bound", "transforms", "cycles", "results"),
            [
                (
                    *(job.operation, job.cycles_per_transform, job.bound_cycles),
                    *(f"{job.efficiency:.1%}", job.transforms, job.cycles),
                    "right" if job.ok else "WRONG",
                )
                for job in self.jobs
            ],
        )


def affordable_instances(core: StreamCore) -> int:
    """Number of instances of a core's shell to simulate."""
    if core.shell is None:
        raise ValueError(f"{core.name} has no shell")
    operation = core.operations[0]
    butterflies = core.stream.lanes // 2 * operation.ring.depth
    return max(1, min(core.shell.instances, _BUTTERFLIES_SIMULATED // butterflies))


def open_shell(prepared: Prepared[StreamCore]) -> ShellSimulator:
    """Compile the shell with as many instances as is affordable, or take the kept library."""
    instances = affordable_instances(prepared.core)
    return ShellSimulator.build(prepared.core, prepared.folder, instances)


def transform_in_memory(
    prepared: Prepared[StreamCore],
    operation: Operation,
    batch: Polynomials,
    progress: Progress = silent,
) -> tuple[Polynomials, JobRun]:
    """Do an operation on a batch, shape (batch, n) or (batch, operands, n), in one job."""
    with open_shell(prepared) as simulator:
        progress(f"{operation.name} of {len(batch)} polynomials through memory")
        outputs, job = simulator.transform(operation, batch)
    if job.status != "ok":
        raise NttforgeError(
            "shell", f"the job ended with: {job.status}", f"see channel {job.channel}"
        )
    return outputs, job


def measure_shell(
    prepared: Prepared[StreamCore],
    transforms: int,
    rng: np.random.Generator,
    memory: MemoryModel | None = None,
    progress: Progress = silent,
) -> ShellThroughput:
    """Measure one job an operation, `transforms` an instance, with full random buffers."""
    shell = prepared.core.shell
    if shell is None:
        raise ValueError(f"{prepared.core.name} has no shell")
    model = memory or MemoryModel()
    jobs = []
    with open_shell(prepared) as simulator:
        instances = simulator.shell.instances
        for operation in prepared.core.operations:
            progress(f"{operation.name} through memory")
            batch = operands(operation, transforms * instances, operation.operands, rng)
            bound = shell.bound_cycles(operation.code)
            outputs, job = simulator.transform(operation, batch, model)
            jobs.append(
                JobThroughput(
                    operation=operation.name,
                    transforms=len(batch),
                    cycles=job.cycles,
                    cycles_per_transform=round(job.cycles / transforms, 3),
                    bound_cycles=bound,
                    efficiency=round(bound * transforms / job.cycles, 4),
                    ok=bool((outputs == reference(operation, batch)).all()),
                )
            )
    return ShellThroughput(
        instances=shell.instances,
        instances_simulated=instances,
        data_width=shell.data_width,
        store_bits=shell.store_bits,
        memory_latency=model.latency,
        jobs=jobs,
    )
