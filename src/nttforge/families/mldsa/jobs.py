# SPDX-License-Identifier: Apache-2.0
"""Programs as the hardware has them: the structs of `rtl/mldsa/mldsa_pkg.sv`, list by list."""

from collections.abc import Iterator, Mapping, Sequence

from nttforge.families.literal import Fields, Table, literal
from nttforge.families.mldsa.program import HashJob, MacJob, NttJob, Program, SendJob


def _number(jobs: Sequence[MacJob | NttJob], takes: Sequence[str]) -> int:
    """Place of the job in a list whose result another one takes."""
    return next(at for at, job in enumerate(jobs) if job.label in takes)


def _hashes(program: Program) -> Iterator[tuple[str, str]]:
    for job in [*program.hashes, HashJob("end", kind="HashEnd")]:
        fields: Fields = {"kind": job.kind, "x": (job.x, 4), "y": (job.y, 4)}
        yield job.label, literal("hash_job_t", fields)


def _macs(program: Program) -> Iterator[tuple[str, str]]:
    for job in program.macs:
        fields = {
            "stop": (0, 1),
            "vector": (job.column, 3),
            "need": (_number(program.ntts, job.takes), 4),
            "add": (job.column > 0, 1),
            "sum": (job.row, 3),
        }
        yield job.label, literal("mac_job_t", fields)
    yield "end", "mac_job_t'{stop: 1'b1, default: '0}"


def _ntts(program: Program) -> Iterator[tuple[str, str]]:
    for job in program.ntts:
        fields = {
            "stop": (0, 1),
            "inverse": (job.inverse, 1),
            "from": (job.slot, 4),
            "need": (_number(program.macs, job.takes) if job.inverse else 0, 6),
            "to": (job.slot, 3),
            "addend": (job.small, 4),
        }
        yield job.label, literal("ntt_job_t", fields)
    yield "end", "ntt_job_t'{stop: 1'b1, default: '0}"


def _sends(jobs: Sequence[SendJob]) -> Iterator[tuple[str, str]]:
    for at, job in enumerate([*jobs, SendJob("SendEnd")]):
        fields: Fields = {
            "kind": job.kind,
            "last": (at == len(jobs) - 1, 1),
            "slot": (job.slot, 4),
        }
        yield f"{job.kind.removeprefix('Send').lower()} {job.slot}", literal("send_job_t", fields)


def tables(programs: Mapping[str, Program]) -> dict[str, Table]:
    """The lists of all programs, by unit: `hash`, `mac`, `ntt`, `pub` and `sec`."""
    made = {name: Table([], []) for name in ("hash", "mac", "ntt", "pub", "sec")}
    for name, program in programs.items():
        lists = (
            _hashes(program),
            _macs(program),
            _ntts(program),
            _sends(program.public),
            _sends(program.secret),
        )
        for table, listed in zip(made.values(), lists, strict=True):
            table.bases.append(len(table.jobs))
            for label, text in listed:
                table.jobs.append((len(table.jobs), f"{name}: {label}", text))
    return made
