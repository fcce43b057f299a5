# SPDX-License-Identifier: Apache-2.0
"""Observation points of narrower cores, whose units work through lists of jobs."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa.small import program as dsa
from nttforge.kinds.lattice.mldsa.small.build import ROUNDS
from nttforge.kinds.lattice.mlkem import small as kem
from nttforge.kinds.lattice.standard import ML_KEM, Standard, part_of
from nttforge.kinds.lattice.unit_job import UnitJob

KECCAK = "Keccak"
#: Where the sponge is, beside the cores.
SPONGE = "u_sponge."
#: It begins with a new message, if both are high; it works; all is overwritten, when an operation
#: has ended.
FRESH = (f"{SPONGE}u_keccak.begins", f"{SPONGE}u_keccak.fresh_i")
WORKS, WIPES = f"{SPONGE}busy_o", f"{SPONGE}wipe_i"


class ListedUnit(NamedTuple):
    """A unit with a list of jobs; paths are those of signals in its core.

    - `of`: number of its list in :class:`JobLists`.
    - `at`, `bits`: the job that is next, by its number in the list.
    - `begins`: signals that are all high in the cycle before a job's first one; if there are none,
      the job that is next works.
    - `works`: a signal that is high while a job works; Keccak has its own.
    """

    of: int
    at: str
    bits: int
    begins: tuple[str, ...]
    works: str = ""

    @property
    def signals(self) -> dict[str, int]:
        """Bits of each."""
        return {self.at: self.bits, **dict.fromkeys((*self.begins, self.works), 1)}


class JobLists(NamedTuple):
    """Labels of an operation's jobs, list by list, and what the lists are called."""

    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]

    def described(self) -> str:
        """The lists as a table in Markdown."""
        lines = [f"| | {' | '.join(self.names)} |", "|---" * (len(self.names) + 1) + "|"]
        for row, jobs in enumerate(zip_longest(*self.labels, fillvalue="")):
            lines.append(f"| {row} | {' | '.join(jobs)} |")
        return "\n".join([*lines, ""])


_MESSAGES = ListedUnit(0, "u_hash.u_message.u_jobs.at_o", 7, ("u_hash.u_message.go",))
_KEM_UNITS = {
    KECCAK: _MESSAGES,
    "engine": ListedUnit(1, "u_ring.u_jobs.at_o", 6, ("u_ring.start",), "u_ring.rail.busy"),
    "encoder": ListedUnit(2, "u_encode.u_jobs.at_o", 6, (), "u_encode.active"),
}
_DSA_ROWS = ListedUnit(2, "u_rows.u_jobs.at_o", 7, (), "u_rows.move")


def _fast(core: LatticeCore) -> bool:
    """Whether a core with ML-DSA has products beside its engine."""
    return core.rounds_per_cycle == ROUNDS[dsa.FAST]


def units_of(core: LatticeCore, standard: Standard) -> Mapping[str, ListedUnit]:
    """Those of a core's part for a standard, from above to below."""
    if standard is ML_KEM:
        return _KEM_UNITS
    has = part_of(core, standard)
    bits = 7 + (has is not None and "sign" in has.operations)
    jobs = "u_ring.u_jobs.at_o"
    units = {
        KECCAK: _MESSAGES,
        "engine": ListedUnit(1, jobs, bits, ("u_ring.begins",), "u_ring.held_q.running"),
    }
    if _fast(core):
        works = "u_ring.gen_apart.u_products.held_q.busy"
        units["products"] = ListedUnit(1, jobs, bits, ("u_ring.start", "u_ring.takes"), works)
    return {**units, "coefficients": _DSA_ROWS}


def lists_of(core: LatticeCore, standard: Standard, operation: Any, p: Any) -> JobLists:
    """Jobs of an operation of a parameter set."""
    if standard is ML_KEM:
        found = kem.lists_of(p)
        listed: tuple[Sequence[UnitJob], ...] = (found.sponge, found.ring, found.code)
        begins = found.entries[operation]
        labels = (
            tuple(job.label for job in jobs[first:])
            for jobs, first in zip(listed, begins, strict=True)
        )
        return JobLists((KECCAK, "engine", "encoder"), tuple(labels))
    jobs = dsa.lists_of(operation, p, fast=_fast(core))
    names = (KECCAK, "engine and products", "coefficients")
    return JobLists(names, tuple(tuple(job.label for job in listed) for listed in jobs))
