# SPDX-License-Identifier: Apache-2.0
"""`verify`, `run` and `measure` of a design, whatever kind of core it is of."""

from pathlib import Path

from nttforge.design import load_design, parse_settings
from nttforge.errors import NttforgeError
from nttforge.flow import trace as traces
from nttforge.flow.backends import backend_of, measured, verified
from nttforge.flow.campaign import campaign
from nttforge.flow.clock import clock_of
from nttforge.flow.prepare import Progress, open_design
from nttforge.flow.sweep import Local
from nttforge.machine import processors
from nttforge.options.verbs import Measure, Run, Verify
from nttforge.results import Result
from nttforge.table import Line


def verify(options: Verify, progress: Progress) -> Result:
    """Compare the RTL with the references, at once or as a campaign."""
    if options.campaign is not None:
        return _campaign(options, options.campaign, progress)
    for name in options.given("results", "jobs"):
        raise NttforgeError(name, "is an option of a campaign", "leave it out, or --campaign")
    traces.check(options.trace)
    prepared = open_design(options, progress)
    result = verified(prepared, options, progress)
    if traces.traced_replay(prepared, result.replay, options.trace, progress):
        return traces.with_trace(result, options.trace)
    if options.trace is not None:
        return result.with_line(Line("nothing to trace: no step failed"))
    return result


def _campaign(options: Verify, count: int, progress: Progress) -> Result:
    for name in options.given("count", "trace"):
        hint = "leave it out; what fails is named with its seed, and can be traced by itself"
        raise NttforgeError(name, "a campaign has parts of its own", hint)
    keys, workers = parse_settings(options.settings), Local(options.jobs or processors())
    output = options.results or Path(f"{Path(options.design).stem}.jsonl")
    design, seed = load_design(options.design, keys), options.seed or 0
    found = campaign(options.design, keys, count, output, workers, seed=seed, progress=progress)
    return found.with_provenance(design)


def run(options: Run, progress: Progress) -> Result:
    """A user's files through the simulated RTL."""
    traces.check(options.trace)
    if options.third is not None and options.second is None:
        hint = "give both, or neither"
        raise NttforgeError("--input-b", "is missing, with --input-c given", hint)
    prepared = open_design(options, progress)
    files = [file for file in (options.source, options.second, options.third) if file is not None]
    backend = backend_of(prepared.core)
    with traces.traced(prepared, options.trace):
        result = backend.run(prepared, files, options.output, options, progress)
    return traces.with_trace(result.with_provenance(prepared.design), options.trace)


def measure(options: Measure, progress: Progress) -> Result:
    """Observe cycles; with a clock, also place the design, built for ECP5."""
    prepared = open_design(options, progress, **{"target": "ecp5"} if options.place else {})
    result = measured(prepared, options, progress)
    if options.place:
        found = clock_of(prepared, progress=progress)
        return result.model_copy(update={"clock": found})
    return result
