# SPDX-License-Identifier: Apache-2.0
"""Activity of units over time, observed in simulation: `nttforge show timeline encaps 768`."""

import itertools
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from nttforge.cache import design_files
from nttforge.design import load_design
from nttforge.designs import COPROCESSOR, DSA_COPROCESSOR
from nttforge.draw.timeline import Span
from nttforge.kinds.lattice.bus import Coprocessor, checks_of, ports_of, request_of
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa.signing import OPERATIONS as DSA_PROGRAMS
from nttforge.kinds.lattice.mlkem.measure import usual_seed
from nttforge.kinds.lattice.mlkem.program import CODES, describe, program_of
from nttforge.kinds.lattice.narrow_trace import (
    FRESH,
    KECCAK,
    SPONGE,
    WIPES,
    WORKS,
    ListedUnit,
    lists_of,
    units_of,
)
from nttforge.kinds.lattice.standard import ML_DSA, ML_KEM, Standard, standards_of
from nttforge.kinds.lattice.verbs import build_standard, check_operation, prepare_standard
from nttforge.names import find
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.ml_dsa.parameters import SEED_BYTES
from nttforge.standards.ml_dsa.signing import RND_BYTES

_STREAMS = ("s_pub", "s_sec", "m_pub", "m_sec")
_PORTS: Mapping[str, tuple[str, int]] = {
    f"{stream}_{signal}": (f"{stream}_{port}", 1)
    for stream in _STREAMS
    for signal, port in (("go", "tvalid"), ("take", "tready"))
}
_BEATS = 32  # of a polynomial
_NOISE_WORDS = 16
_INPUTS, _OUTPUTS = ("public in", "secret in"), ("public out", "secret out")
_PORTS_OF = dict(zip((*_INPUTS, *_OUTPUTS), _STREAMS, strict=True))
_SHARED = ("products", "transform, in", "transform, out")
#: Of a core of ML-KEM: what is looked at in it, by where in it that is.
_KEM_PROBES: Mapping[str, tuple[str, int]] = {
    "keccak_start": ("u_hash.start_q", 1),
    "keccak_busy": ("u_hash.busy_o", 1),
    "keccak_job": ("u_hash.u_jobs.at_o", 6),
    "noise": ("u_hash.sample_o.valid", 1),
    "matrix_valid": ("u_hash.matrix_o.valid", 1),
    "product": ("u_products.u_mac.issue_o", 1),
    "product_job": ("u_products.u_jobs.at_o", 6),
    "in_take": ("u_transforms.u_feed.take", 1),
    "in_job": ("u_transforms.u_in_jobs.at_o", 5),
    "out_valid": ("t_out_i.valid", 1),
    "out_ready": ("t_out_ready_o", 1),
    "out_job": ("u_transforms.u_out_jobs.at_o", 5),
    "done": ("status_o.done", 1),
}
#: Of a core of ML-DSA.
_DSA_PROBES: Mapping[str, tuple[str, int]] = {
    "keccak_start": ("u_hash.held_q.start", 1),
    "keccak_busy": ("u_hash.busy_o", 1),
    "keccak_job": ("u_hash.u_jobs.at_o", 7),
    "product": ("u_arithmetic.u_mac.issue", 1),
    "product_job": ("u_arithmetic.u_mac_jobs.at_o", 8),
    "in_take": ("u_arithmetic.u_feed.issue", 1),
    "in_run": ("u_arithmetic.u_feed.run_i", 1),
    "in_job": ("u_arithmetic.u_in_jobs.at_o", 7),
    "out_take": ("u_arithmetic.u_drain.take", 1),
    "out_job": ("u_arithmetic.u_out_jobs.at_o", 7),
    "done": ("result_valid_o", 1),
}

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


_Events = Iterator[tuple[int, str]]


def _wide_units(program: Any, cycles: Sequence[_Cycle]) -> Iterator[tuple[str, _Events]]:
    """Units of both fast cores."""
    hashes, macs = (
        [*(job.label for job in jobs), "end"] for jobs in (program.hashes, program.macs)
    )
    yield KECCAK, _keccak(cycles, hashes)
    yield "products", _where(cycles, ("product",), lambda c, _: macs[c["product_job"]])


def _kem_units(program: Any, cycles: Sequence[_Cycle]) -> Iterator[tuple[str, _Events]]:
    """Units of ML-KEM's fast core."""
    yield from _wide_units(program, cycles)
    noise = [job.label for job in program.hashes if job.kind.name == "PRF"]
    matrix = [job.label for job in program.hashes if job.kind.name == "XOF"]
    ntts = [job.label for job in program.ntts]
    yield "noise sampler", _where(cycles, ("noise",), lambda _, n: noise[n // _NOISE_WORDS])
    yield "matrix sampler", _where(cycles, ("matrix_valid",), lambda _, n: matrix[n // _BEATS])
    yield "transform, in", _where(cycles, ("in_take",), lambda c, _: ntts[c["in_job"]])
    out = ("out_valid", "out_ready")
    yield "transform, out", _where(cycles, out, lambda c, _: ntts[c["out_job"]])


def _dsa_units(program: Any, cycles: Sequence[_Cycle]) -> Iterator[tuple[str, _Events]]:
    """Units of ML-DSA's fast core."""
    yield from _wide_units(program, cycles)
    ntts = [*(job.label for job in program.ntts), "end"]
    yield "transform, in", _where(cycles, ("in_take", "in_run"), lambda c, _: ntts[c["in_job"]])
    yield "transform, out", _where(cycles, ("out_take",), lambda c, _: ntts[c["out_job"]])


def _kem_seeds(p: Any) -> dict[str, bytes]:
    """Seeds of which the matrix is of the usual kind."""
    return dict.fromkeys(("d", "z", "m"), usual_seed(p))


def _dsa_seeds(p: Any) -> dict[str, bytes]:
    """Zeros."""
    del p
    return {"seed": bytes(SEED_BYTES), "rnd": bytes(RND_BYTES)}


@dataclass(frozen=True, eq=False)
class View:
    """Observation points of a standard's core.

    - `standard`, `design`: whose it is, and the name or file of the design that is looked at.
    - `units`, `operations`: rows from above to below, and what can be run.
    - `program`, `described`: its jobs, from an operation and a parameter set; and as a table.
    - `probes`, `jobs`: what is looked at, in the core or in the sponge beside it; and what each
      unit did, from the program and what was seen.
    - `seeds`: of all values, by parameter set.
    """

    standard: Standard
    design: str
    units: tuple[str, ...]
    operations: tuple[str, ...]
    program: Callable[[Any, Any], Any]
    probes: Mapping[str, tuple[str, int]]
    jobs: Callable[[Any, Sequence[_Cycle]], Iterator[tuple[str, _Events]]]
    seeds: Callable[[Any], dict[str, bytes]]
    described: Callable[[Any], str] = describe

    def spans(self, program: Any, cycles: Sequence[_Cycle]) -> list[Span]:
        """Jobs of every unit, from the observations of the probes.

        - `program`: what was run.
        - `cycles`: from the first input word to the end.
        """
        seen: dict[str, _Events] = {
            **{unit: _stream(cycles, port, unit) for unit, port in _PORTS_OF.items()},
            **dict(self.jobs(program, cycles)),
        }
        return [span for unit in self.units for span in _joined(unit, seen[unit])]

    def traced(self, operation: str, p: Any) -> list[Span]:
        """Run one operation, without stalls, and say what every unit did."""
        made = prepare_standard(load_design(self.design), self.standard)
        check_operation(made, self.standard, operation)
        core = made.core
        alone = len(standards_of(core)) == 1
        inside = "u_core." if alone else f"u_{self.standard.prefix.rstrip('_')}."
        probes = {
            name: (path if path.startswith(SPONGE) else inside + path, bits)
            for name, (path, bits) in self.probes.items()
        }
        with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
            probed = replace(ports_of(core), probes={**probes, **_PORTS})
            sources = design_files(made.folder)
            model = TracedModel.build(Path(scratch), sources, core.name, probed)
        opened = Coprocessor(model, checks=checks_of(core), registers=core.registers)
        values = self.standard.reference(p, self.seeds(p))
        asked = request_of(operation, p, values, checks=opened.checks)
        model.cycles.clear()
        opened.run(asked)
        return self.spans(self.program(operation, p), _of_interest(model.cycles))


def _where(
    cycles: Sequence[_Cycle], signals: tuple[str, ...], label: Callable[[_Cycle, int], str]
) -> Iterator[tuple[int, str]]:
    """(cycle, job) of every cycle in which all signals are high; label(cycle, how many before)."""
    count = 0
    for at, cycle in enumerate(cycles):
        if all(cycle[signal] for signal in signals):
            yield at, label(cycle, count)
            count += 1


def _stream(cycles: Sequence[_Cycle], port: str, unit: str) -> _Events:
    return _where(cycles, (f"{port}_go", f"{port}_take"), lambda _, __: unit)


def _keccak(cycles: Sequence[_Cycle], hashes: Sequence[str]) -> Iterator[tuple[int, str]]:
    """A permutation belongs to the job at whose turn it was started."""
    label = ""
    for at, cycle in enumerate(cycles):
        if cycle["keccak_start"]:
            label = hashes[cycle["keccak_job"]]
        if cycle["keccak_busy"]:
            yield at, label


def _hashed(cycles: Sequence[_Cycle], jobs: _Events) -> _Events:
    """A permutation belongs to the message that began last when it began, messages in order."""
    messages, label, fresh = (job for _, job in jobs), "", False
    for at, cycle in enumerate(cycles):
        before, fresh = fresh, all(cycle[signal] for signal in FRESH)
        if fresh and not before:
            label = next(messages)
        if cycle[WORKS]:
            yield at, label


def _worked(cycles: Sequence[_Cycle], signal: str, jobs: _Events) -> _Events:
    """A job works behind the cycle in which it begins, and until another one does."""
    begun, label = dict(jobs), ""
    for at, cycle in enumerate(cycles):
        if cycle[signal]:
            yield at, label
        label = begun.get(at, label)


def _listed(units: Mapping[str, ListedUnit], program: Any, cycles: Sequence[_Cycle]) -> Any:
    """What each unit of a narrower core did."""
    for name, unit in units.items():
        labels = program.labels[unit.of]

        def label(cycle: _Cycle, _: int, unit: ListedUnit = unit, labels: Any = labels) -> str:
            return str(labels[cycle[unit.at]])

        jobs = _where(cycles, unit.begins or (unit.works,), label)
        if name == KECCAK:
            jobs = _hashed(cycles, jobs)
        elif unit.begins:
            jobs = _worked(cycles, unit.works, jobs)
        yield name, jobs


def _view_of(view: View, design: str) -> View:
    """That of a design's core, which may be a narrower one, with observation points of its own."""
    core = build_standard(load_design(design), view.standard)
    if not isinstance(core, LatticeCore) or core.transform is not None:
        return replace(view, design=design)
    units = units_of(core, view.standard)
    seen = dict.fromkeys((*FRESH, WORKS), 1) | {
        path: bits for unit in units.values() for path, bits in unit.signals.items() if path
    }
    return replace(
        view,
        design=design,
        units=(*_INPUTS, *units, *_OUTPUTS),
        program=partial(lists_of, core, view.standard),
        probes={path: (path, bits) for path, bits in seen.items()} | {"done": (WIPES, 1)},
        jobs=partial(_listed, units),
        described=lambda program: program.described(),
    )


def _joined(unit: str, events: Iterator[tuple[int, str]]) -> Iterator[Span]:
    """One span for each sequence of equal labels; the zeros after the last job are none."""
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


def _of_interest(cycles: Sequence[_Cycle]) -> Sequence[_Cycle]:
    """From the first input word to the cycle in which the coprocessor says that it has done."""
    inputs = [port for port in _STREAMS if port.startswith("s")]
    first = next(
        at
        for at, cycle in enumerate(cycles)
        if any(cycle[f"{port}_go"] and cycle[f"{port}_take"] for port in inputs)
    )
    last = next(at for at in range(first, len(cycles)) if cycles[at]["done"])
    return cycles[first : last + 1]


def table(found: Sequence[Span], units: Sequence[str]) -> str:
    """Jobs of every unit, as Markdown: one line per job, in order of their start."""
    lines = ["| unit | job | from | to | works |", "|---|---|---:|---:|---:|"]
    lines += [
        f"| {span.unit} | {span.label} | {span.first} | {span.last} | {span.works} |"
        for span in sorted(found, key=lambda span: (span.first, units.index(span.unit)))
    ]
    return "\n".join(lines)


VIEWS = (
    View(
        ML_KEM,
        COPROCESSOR,
        (*_INPUTS, KECCAK, "noise sampler", "matrix sampler", *_SHARED, *_OUTPUTS),
        CODES,
        program_of,
        _KEM_PROBES,
        _kem_units,
        _kem_seeds,
    ),
    View(
        ML_DSA,
        DSA_COPROCESSOR,
        (*_INPUTS, KECCAK, *_SHARED, *_OUTPUTS),
        ("keygen", "sign", "verify"),
        lambda operation, p: DSA_PROGRAMS[operation](p),
        _DSA_PROBES,
        _dsa_units,
        _dsa_seeds,
    ),
)


def parse(operation: str, name: str, design: str | None = None) -> tuple[View, str, Any]:
    """View of a standard, an operation of it, and a parameter set: 768, or 65, say.

    - `design`: of which the view is; the standard's preset if left out.
    """
    known = {p.name.rpartition("-")[2]: (view, p) for view in VIEWS for p in view.standard.sets}
    view, p = find("SET", name, known)
    found = find("OPERATION", operation, {each: each for each in view.operations})
    return view if design is None else _view_of(view, design), found, p
