# SPDX-License-Identifier: Apache-2.0
"""Both directions of jobs through memory, as one figure."""

from nttforge.errors import FaultError
from nttforge.kinds.stream.shell import ShellThroughput


def slowest(observed: ShellThroughput) -> float:
    """Cycles a transform of the slowest operation, all overheads included.

    Raises
    ------
    FaultError
        If results differ from the reference.
    """
    if not all(job.ok for job in observed.jobs):
        raise FaultError("results", "results through memory differ from the reference")
    return max(job.cycles_per_transform for job in observed.jobs)


def share(observed: ShellThroughput) -> float:
    """The least of the slower one of core and channel over the cycles."""
    return min(job.efficiency for job in observed.jobs)
