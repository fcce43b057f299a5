# SPDX-License-Identifier: Apache-2.0
"""Programs as the hardware's words: the structs of `rtl/mldsa/ntf_mldsa_pkg.sv`, list by list."""

from collections.abc import Iterator, Mapping, Sequence

from nttforge.hw.sv_struct import Fields, Table, bits, literal
from nttforge.kinds.lattice.mldsa.program import HashJob, MacJob, NttJob, Program, SendJob


def _numbers(jobs: Sequence[MacJob | NttJob], takes: Sequence[str]) -> list[int]:
    """Places of the jobs in a list whose results another one takes."""
    return [at for at, job in enumerate(jobs) if job.label in takes]


def _need(job: MacJob | NttJob, others: Sequence[MacJob | NttJob]) -> int:
    """The last of the other unit's jobs that a job waits for; where another try goes on."""
    return max(_numbers(others, job.takes), default=0) if job.stop is None else job.stop


def _hashes(program: Program) -> Iterator[tuple[str, str]]:
    for job in [*program.hashes, HashJob("end", kind="HashEnd")]:
        yield job.label, literal("hash_job_t", {"kind": job.kind, **bits(job, x=5, y=4)})


def _macs(program: Program) -> Iterator[tuple[str, str]]:
    for job in program.macs:
        fields = {
            "stop": (job.stop is not None, 1),
            **bits(job, challenge=1, twice=1),
            "odd": (job.row % 2, 1),
            **bits(job, matrix=5, vector=5),
            "need": (_need(job, program.ntts), 7),
            **bits(job, add=1, whole=1, waits=1),
            "sum": (job.row // 2, 3),
        }
        yield job.label, literal("mac_job_t", fields)
    yield "end", "mac_job_t'{stop: 1'b1, default: '0}"


def _ntts(program: Program) -> Iterator[tuple[str, str]]:
    for job in program.ntts:
        need = _need(job, program.macs)
        fields: Fields = {"kind": job.kind, "from": (job.slot, 4), "need": (need, 8)}
        places = {**bits(job, to=5), "addend": (job.small, 4)}
        yield job.label, literal("ntt_job_t", {**fields, **places})
    yield "end", "ntt_job_t'{kind: NttEnd, default: '0}"


def _sends(jobs: Sequence[SendJob]) -> Iterator[tuple[str, str]]:
    for job in [*jobs, SendJob("SendEnd")]:
        word = literal("send_job_t", {"kind": job.kind, **bits(job, last=1, slot=4)})
        yield f"{job.kind.removeprefix('Send').lower()} {job.slot}", word


def tables(programs: Mapping[str, Program]) -> dict[str, Table]:
    """The lists of all programs, by unit: `hash`, `mac`, `ntt`, `pub` and `sec`.

    Programs that have a list in common share it.
    """
    made = {name: Table() for name in ("hash", "mac", "ntt", "pub", "sec")}
    for name, program in programs.items():
        lists = (
            _hashes(program),
            _macs(program),
            _ntts(program),
            _sends(program.public),
            _sends(program.secret),
        )
        for table, listed in zip(made.values(), lists, strict=True):
            table.add(name, listed)
    return made
