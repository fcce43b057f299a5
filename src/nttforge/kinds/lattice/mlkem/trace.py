# SPDX-License-Identifier: Apache-2.0
"""Which unit works when, seen in simulation: `nttforge show timeline encaps 768`.

Nothing here is computed from the schedule: probes inside the compiled coprocessor say in every
cycle which unit works on which of its jobs, and the schedule only gives the jobs their names.
"""

import itertools
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from nttforge.cache import design_files
from nttforge.draw.timeline import Span
from nttforge.flow.prepare import prepare_mlkem
from nttforge.kinds.lattice.bus import KEM_PORTS, kem_port
from nttforge.kinds.lattice.mlkem.build import coprocessor_design
from nttforge.kinds.lattice.mlkem.measure import operation_inputs, usual_seed
from nttforge.kinds.lattice.mlkem.program import CODES, KemOperation, program_of
from nttforge.names import find
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.ml_kem.parameters import PARAMETER_SETS, Parameters

_CORE, _HASH, _TRANSFORMS = "u_core", "u_core.u_hash", "u_core.u_transforms"
_STREAMS = ("s_pub", "s_sec", "m_pub", "m_sec")
PROBES: dict[str, tuple[str, int]] = {
    "keccak_start": (f"{_HASH}.start_q", 1),
    "keccak_busy": (f"{_HASH}.busy_o", 1),
    "keccak_job": (f"{_HASH}.u_jobs.at_o", 6),
    "noise": (f"{_HASH}.sample_o.valid", 1),
    "matrix_valid": (f"{_HASH}.matrix_o.valid", 1),
    "product": (f"{_CORE}.u_products.u_mac.issue_o", 1),
    "product_job": (f"{_CORE}.u_products.u_jobs.at_o", 6),
    "in_take": (f"{_TRANSFORMS}.u_feed.take", 1),
    "in_job": (f"{_TRANSFORMS}.u_in_jobs.at_o", 5),
    "out_valid": (f"{_CORE}.t_out_i.valid", 1),
    "out_ready": (f"{_CORE}.t_out_ready_o", 1),
    "out_job": (f"{_TRANSFORMS}.u_out_jobs.at_o", 5),
    "done": (f"{_CORE}.status_o.done", 1),
    **{
        f"{stream}_{signal}": (f"{stream}_{port}", 1)
        for stream in _STREAMS
        for signal, port in (("go", "tvalid"), ("take", "tready"))
    },
}
_BEATS = 32  # of a polynomial
_NOISE_WORDS = 16
UNITS = (
    *("public in", "secret in", "Keccak", "noise sampler", "matrix sampler", "products"),
    *("transform, in", "transform, out", "public out", "secret out"),
)

_Cycle = Mapping[str, int]


class TracedModel(CycleModel):
    """A coprocessor's model that keeps what its probes showed in every cycle."""

    def __init__(self, library: Path, ports: Ports) -> None:
        super().__init__(library, ports)
        self.cycles: list[_Cycle] = []

    def step(self, **inputs: int) -> dict[str, int]:
        """As the model's, and remembered."""
        seen = super().step(**inputs)
        self.cycles.append(seen)
        return seen

    def until(
        self, watched: bytes, counted: bytes, given: Sequence[int], most: int = 1
    ) -> tuple[int, dict[str, int], int]:
        """As the model's, a cycle at a time, each remembered."""
        gone, seen, busy = super().until(watched, counted, given[:1])
        self.cycles.append(seen)
        return gone, seen, busy


def spans(operation: KemOperation, p: Parameters, cycles: Sequence[_Cycle]) -> list[Span]:
    """What every unit did, job by job, from what the probes showed.

    Parameters
    ----------
    operation, p
        What was run.
    cycles
        From the first input word to the end.
    """
    program = program_of(operation, p)
    hashes, macs, ntts = (
        [job.label for job in jobs] for jobs in (program.hashes, program.macs, program.ntts)
    )
    noise = [job.label for job in program.hashes if job.kind.name == "PRF"]
    matrix = [job.label for job in program.hashes if job.kind.name == "XOF"]
    seen: list[tuple[str, Iterator[tuple[int, str]]]] = [
        *((unit, _stream(cycles, port, unit)) for unit, port in _ports("in")),
        ("Keccak", _keccak(cycles, hashes)),
        ("noise sampler", _where(cycles, ("noise",), lambda _, n: noise[n // _NOISE_WORDS])),
        (
            "matrix sampler",
            _where(cycles, ("matrix_valid",), lambda _, n: matrix[n // _BEATS]),
        ),
        ("products", _where(cycles, ("product",), lambda c, _: macs[c["product_job"]])),
        (
            "transform, in",
            _where(cycles, ("in_take",), lambda c, _: ntts[c["in_job"]]),
        ),
        (
            "transform, out",
            _where(cycles, ("out_valid", "out_ready"), lambda c, _: ntts[c["out_job"]]),
        ),
        *((unit, _stream(cycles, port, unit)) for unit, port in _ports("out")),
    ]
    return [span for unit, events in seen for span in _joined(unit, events)]


def _ports(side: str) -> tuple[tuple[str, str], ...]:
    letter = "s" if side == "in" else "m"
    return ((f"public {side}", f"{letter}_pub"), (f"secret {side}", f"{letter}_sec"))


def _where(
    cycles: Sequence[_Cycle], signals: tuple[str, ...], label: Callable[[_Cycle, int], str]
) -> Iterator[tuple[int, str]]:
    """(cycle, job) of every cycle in which all signals are high; label(cycle, how many before)."""
    count = 0
    for at, cycle in enumerate(cycles):
        if all(cycle[signal] for signal in signals):
            yield at, label(cycle, count)
            count += 1


def _stream(cycles: Sequence[_Cycle], port: str, unit: str) -> Iterator[tuple[int, str]]:
    return _where(cycles, (f"{port}_go", f"{port}_take"), lambda _, __: unit)


def _keccak(cycles: Sequence[_Cycle], hashes: Sequence[str]) -> Iterator[tuple[int, str]]:
    """A permutation belongs to the job at whose turn it was started."""
    label = ""
    for at, cycle in enumerate(cycles):
        if cycle["keccak_start"]:
            label = hashes[cycle["keccak_job"]]
        if cycle["keccak_busy"]:
            yield at, label


def _joined(unit: str, events: Iterator[tuple[int, str]]) -> Iterator[Span]:
    """One span for each sequence of equal labels; the zeros behind the last job are none."""
    for label, group in itertools.groupby(events, key=lambda event: event[1]):
        if label == "end":
            continue
        runs: list[tuple[int, int]] = []
        for at, _ in group:
            if runs and runs[-1][1] == at - 1:
                runs[-1] = (runs[-1][0], at)
            else:
                runs.append((at, at))
        yield Span(unit, label, tuple(runs))


def traced(operation: KemOperation, p: Parameters) -> list[Span]:
    """Run one operation of the preset, without stalls, and say what every unit did.

    Raises
    ------
    NttforgeError
        If the simulator cannot be built.
    """
    with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
        prepared = prepare_mlkem(coprocessor_design())
        sources = design_files(prepared.folder)
        probed = replace(KEM_PORTS, probes=PROBES)
        model = TracedModel.build(Path(scratch), sources, prepared.core.name, probed)
    coprocessor = kem_port(model)
    seed = usual_seed(p)
    inputs = operation_inputs(coprocessor, p, seed, seed, seed)[operation]
    model.cycles.clear()
    coprocessor.run(operation, p, *inputs)
    return spans(operation, p, _of_interest(model.cycles))


def _of_interest(cycles: Sequence[_Cycle]) -> Sequence[_Cycle]:
    """From the first input word to the cycle in which the coprocessor says that it has done."""
    inputs = [port for port in _STREAMS if port.startswith("s")]
    first = next(
        at
        for at, cycle in enumerate(cycles)
        if any(cycle[f"{port}_go"] and cycle[f"{port}_take"] for port in inputs)
    )
    last = next(at for at, cycle in enumerate(cycles) if cycle["done"])
    return cycles[first : last + 1]


def table(found: Sequence[Span]) -> str:
    """What every unit did, as Markdown: a line a job, in the order of their beginnings."""
    lines = ["| unit | job | from | to | works |", "|---|---|---:|---:|---:|"]
    lines += [
        f"| {span.unit} | {span.label} | {span.first} | {span.last} | {span.works} |"
        for span in sorted(found, key=lambda span: (span.first, UNITS.index(span.unit)))
    ]
    return "\n".join(lines)


def parse(operation: str, name: str) -> tuple[KemOperation, Parameters]:
    """An operation and a parameter set, 512, 768 or 1024, by their names.

    Raises
    ------
    NttforgeError
        If there is no such one.
    """
    numbers = {full.removeprefix("ML-KEM-"): p for full, p in PARAMETER_SETS.items()}
    known: dict[str, KemOperation] = {each: each for each in CODES}
    return find("OPERATION", operation, known), find("SET", name, numbers)
