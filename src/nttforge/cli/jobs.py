# SPDX-License-Identifier: Apache-2.0
"""What the verbs do: each calls one function of `flow`, and says how its result is shown.

Loaded when a verb is done, and not for `--help`: options are in `verbs.py`. A function is called as
its verb, and takes the verb's model.
"""

import json
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from nttforge.board.bitstream import write_bitstream
from nttforge.cache import Kept, cache_folder, cache_limit, kept_results, prune
from nttforge.cli import verbs
from nttforge.cli.outcome import WRONG, Outcome
from nttforge.design import Design, design_names, is_design, load_design, read_fragment
from nttforge.draw import timeline
from nttforge.errors import NttforgeError, shown
from nttforge.flow import campaign as campaigns
from nttforge.flow import generate as folders
from nttforge.flow import multiplier as multipliers
from nttforge.flow import report as sheets
from nttforge.flow import rings
from nttforge.flow import sweep as sweeps
from nttforge.flow import synth as areas
from nttforge.flow import timing as estimates
from nttforge.flow import trace as traces
from nttforge.flow.backends import bench_of
from nttforge.flow.clock import clock_of
from nttforge.flow.demo import showcase
from nttforge.flow.explore import explore as explorer
from nttforge.flow.prepare import (
    Prepared,
    Progress,
    prepare,
    prepare_any,
)
from nttforge.host.library import write_library
from nttforge.hw import Hardware, build
from nttforge.kinds.decomposed.search_space import USUAL_DSP
from nttforge.kinds.lattice import trace as units_at_work
from nttforge.kinds.lattice.mlkem.program import describe
from nttforge.kinds.lattice.verbs import VERBS, find_set, prepare_standard
from nttforge.kinds.stream import dataflow as moves
from nttforge.kinds.stream import figure
from nttforge.kinds.stream.build import work_out
from nttforge.machine import processors
from nttforge.names import did_you_mean, find
from nttforge.output import check_writable, write_text
from nttforge.provenance import Provenance
from nttforge.results import Result
from nttforge.ring.presets import PRESETS
from nttforge.ring.primes import check_modulus
from nttforge.ring.ring import Ring
from nttforge.show import contract, example, layout, options, sheet, units
from nttforge.show import keys as design_keys
from nttforge.soc.folder import write_soc
from nttforge.table import Block, Line, Table, markdown, verdict
from nttforge.targets import TARGETS, Target, one_of

#: What `--products` adds.
PRODUCTS = ("pointwise", "mac", "polymul")
#: What `explore` has if nothing is said.
_USUAL = {"prefer": "balanced"}
#: What `--set` gave.
Settings = Sequence[str] | None
_GIGA = 1e9
_DAY = 86400


def _target(name: str, *others: str) -> Target:
    if name not in TARGETS:
        raise NttforgeError("--target", f"{name} is not known", f"use {one_of(*others)}")
    return name


def _overrides(settings: Settings) -> dict[str, Any]:
    overrides: dict[str, Any] = {}
    for setting in settings or ():
        key, equals, value = setting.partition("=")
        if not equals and key.endswith(".toml"):
            overrides |= read_fragment(Path(key))
            continue
        if not equals or not key.strip():
            raise NttforgeError(
                "--set", f"{setting!r} is not KEY=VALUE", "write key=value, or name a TOML file"
            )
        overrides[key.strip()] = _value(value.strip())
    return overrides


def _design(name: str, settings: Settings) -> Design:
    return load_design(name, _overrides(settings))


def _value(text: str) -> object:
    """A value as TOML reads it; what TOML does not understand is a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, KeyError, RecursionError):
        return text


def _prepare(
    name: str, settings: Settings, progress: Progress
) -> tuple[Design, Prepared[Hardware]]:
    progress(f"generating {name}")
    design = _design(name, settings)
    return design, prepare_any(design)


def _outcome(result: Result, ok: bool = True) -> Outcome:
    data = result.model_dump(mode="json")
    return Outcome(data, result.shown(), ok, result.page(), result.figures)


def _traced(outcome: Outcome, trace: Path | None) -> Outcome:
    """An outcome that says where its trace is, if there is one."""
    if trace is None:
        return outcome
    data = outcome.data | {"trace": str(trace)}
    return replace(outcome, data=data, view=[*outcome.view, traces.line(trace)])


def _plain(data: Mapping[str, Any], view: str | Iterable[Block]) -> Outcome:
    """What is of no design."""
    return Outcome({"provenance": Provenance().model_dump(mode="json"), **data}, view)


def _numbers(option: str, text: str | None) -> list[int] | None:
    if text is None:
        return None
    if not all(word.strip().isdecimal() and len(word) < 10 for word in text.split(",")):
        raise NttforgeError(option, f"{text!r} is not a list of numbers", "write 16,18,20")
    return [int(word) for word in text.split(",")]


def _given(options: Mapping[str, object]) -> dict[str, object]:
    """Those options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def _by_kind(results: Iterable[Kept]) -> dict[str, dict[str, float]]:
    """Number, bytes and days since the last use, of each kind."""
    found: dict[str, dict[str, float]] = {}
    for kept in results:
        row = found.setdefault(kept.kind, {"results": 0, "bytes": 0, "days": 0.0})
        row["results"] += 1
        row["bytes"] += kept.size
        row["days"] = max(row["days"], round((time.time() - kept.used) / _DAY, 1))
    return dict(sorted(found.items()))


def _with_keys(verb: str, operation: str, progress: Progress, o: verbs.KeyOptions) -> Outcome:
    """A standard's operation with a user's own keys, on a design that has the standard."""
    of = VERBS[verb]
    traces.check(o.trace)
    p = find_set(of.standard, o.parameter_set)
    progress(f"generating {o.design}")
    made = load_design(o.design)
    prepared = prepare_standard(made, of.standard)
    with traces.traced(prepared, o.trace):
        result = of.do(operation, prepared, p, progress=progress, **o.own()).made_of(made)
    return _traced(_outcome(result, getattr(result, "ok", True)), o.trace)


kem_keygen, kem_encaps, kem_decaps, dsa_keygen, dsa_sign = (
    partial(_with_keys, verb, name)
    for verb, name in (
        *(("kem", name) for name in ("keygen", "encaps", "decaps")),
        *(("dsa", name) for name in ("keygen", "sign")),
    )
)


def dsa_verify(progress: Progress, o: verbs.DsaVerify) -> Outcome:
    return replace(_with_keys("dsa", "verify", progress, o), failed=WRONG)


def _drawn(target: Path, drawing: Callable[[], str]) -> Outcome:
    """Write a drawing, and say where."""
    check_writable(target)
    write_text(target, drawing())
    return Outcome({}, f"written to {target}")


def presets(_: Progress, o: verbs.Presets) -> Outcome:
    result = folders.presets()
    return _outcome(result)


def generate(progress: Progress, o: verbs.Generate) -> Outcome:
    progress(f"writing {o.output}")
    made = _design(o.design, o.settings)
    made = folders.with_prefix(made, o.prefix) if o.prefix else made
    result = folders.generate(
        made, o.output, blackbox=o.hls_blackbox, verilog=o.verilog, prefix=o.prefix
    ).made_of(made)
    return _outcome(result)


def host(progress: Progress, o: verbs.Host) -> Outcome:
    made = _design(o.design, o.settings)
    result = write_library(made, o.output, openssl=o.openssl).made_of(made)
    return _outcome(result)


def soc(progress: Progress, o: verbs.Soc) -> Outcome:
    made = _design(o.design, o.settings)
    result = write_soc(made, o.output, run=o.run, progress=progress).made_of(made)
    return _outcome(result, result.ok)


def bitstream(progress: Progress, o: verbs.Bitstream) -> Outcome:
    made = _design(o.design, o.settings)
    result = write_bitstream(
        made,
        o.board,
        o.output,
        mhz=o.clock,
        baud=o.baud,
        memory_bytes=o.memory,
        seed=o.seed,
        time_limit=o.time_limit,
        progress=progress,
    ).made_of(made)
    return _outcome(result)


def _campaign(progress: Progress, o: verbs.Verify, campaign: int) -> Outcome:
    for flag, value in (("count", o.count), ("--trace", o.trace)):
        if value is not None:
            mend = "leave it out; what fails is named with its seed, and can be traced by itself"
            raise NttforgeError(flag, "a campaign has parts of its own", mend)
    output = o.rows or Path(f"{Path(o.design).stem}.jsonl")
    made, workers = _design(o.design, o.settings), sweeps.Local(o.jobs or processors())
    keys, seed = _overrides(o.settings), o.seed or 0
    result = campaigns.campaign(
        o.design, keys, campaign, output, workers, seed=seed, progress=progress
    )
    return _outcome(result.made_of(made), result.ok)


def verify(progress: Progress, o: verbs.Verify) -> Outcome:
    if o.campaign is not None:
        return _campaign(progress, o, o.campaign)
    for flag, value in (("--rows", o.rows), ("--jobs", o.jobs)):
        if value is not None:
            raise NttforgeError(flag, "is an option of a campaign", "leave it out, or --campaign")
    traces.check(o.trace)
    made, prepared = _prepare(o.design, o.settings, progress)
    result = (
        bench_of(prepared.core).verify(prepared, o.given("count", "seed"), progress).made_of(made)
    )
    outcome = _outcome(result, result.ok)
    if traces.traced_again(prepared, result.again, o.trace, progress):
        return _traced(outcome, o.trace)
    nothing = [] if o.trace is None else [Line("nothing to trace: no step failed")]
    return replace(outcome, view=[*outcome.view, *nothing])


def run(progress: Progress, o: verbs.Run) -> Outcome:
    traces.check(o.trace)
    if o.third is not None and o.second is None:
        raise NttforgeError(
            "--input-b", "is missing, with --input-c given", "give both, or neither"
        )
    made, prepared = _prepare(o.design, o.settings, progress)
    sources = [path for path in (o.source, o.second, o.third) if path is not None]
    bench = bench_of(prepared.core)
    given = o.given("operation", "modulus", "padding", "format", "word_bytes", "byte_order")
    with traces.traced(prepared, o.trace):
        result = bench.run(prepared, sources, o.target, given, progress).made_of(made)
    return _traced(_outcome(result, result.ok), o.trace)


def measure(progress: Progress, o: verbs.Measure) -> Outcome:
    target = ["target=ecp5"] if o.clock else []
    made, prepared = _prepare(o.design, [*(o.settings or ()), *target], progress)
    given = o.given("count", "seed", "operation", "padding")
    given |= _given({"sizes": _numbers("--sizes", o.sizes)})
    result = bench_of(prepared.core).measure(prepared, given, progress).made_of(made)
    if o.clock:
        found = clock_of(prepared, progress=progress)
        result = result.model_copy(update={"clock": found})
    return _outcome(result)


def synth(progress: Progress, o: verbs.Synth) -> Outcome:
    made, prepared = _prepare(
        o.design, [*(o.settings or ()), f"target={_target(o.target)}"], progress
    )
    options = o.given("shell", "output", "time_limit")
    result = areas.synth(prepared, o.target, progress=progress, **options)
    return _outcome(result.made_of(made))


def _integer(option: str, text: str) -> int:
    """A number of any size, decimal or hexadecimal."""
    try:
        return int(text, 0)
    except ValueError:
        problem = f"{shown(text)} is not an integer"
        raise NttforgeError(option, problem, "use 3329 or 0xd01") from None


def multiplier(progress: Progress, o: verbs.Multiplier) -> Outcome:
    result = multipliers.multiplier(
        _integer("Q", o.q), _target(o.target), adders_per_stage=o.adders, progress=progress
    )
    return _outcome(result)


def ring(progress: Progress, o: verbs.Ring) -> Outcome:
    negacyclic = find("--form", o.form, {"x^n+1": True, "x^n-1": False})
    wanted = {
        "--n": o.n,
        "--q": o.q,
        "--layers": o.layers,
        "--root": o.root,
        "--generator": o.generator,
    }
    unused: dict[str, object] = {"--count": o.count}
    if o.design is not None:
        unused |= wanted | {"--bits": o.bits}
    elif o.bits is not None:
        unused = {"--q": o.q, "--root": o.root, "--generator": o.generator, "--set": o.settings}
        unused["--twiddles"] = o.twiddles or None
    else:
        unused["--set"] = o.settings
    for option, value in unused.items():
        if value:
            raise NttforgeError(option, "has no meaning here", "leave it out; see --help")
    if o.design is not None:
        made = _design(o.design, o.settings)
        found = {table.label: made.ring(i) for i, table in enumerate(made.rings)}
        return _outcome(rings.rings(found, twiddles=o.twiddles).made_of(made))
    if o.n is None or (o.q is None) == (o.bits is None):
        problem = "there is neither a design nor a modulus of a size"
        hint = "give DESIGN, or --n with --q to look at a ring, or with --bits to find primes"
        raise NttforgeError("RING", problem, hint)
    if o.bits is not None:
        asked = rings.Wanted(o.n, negacyclic, o.layers)
        return _outcome(rings.primes(asked, o.bits, o.count or 1, progress))
    one = Ring.create(
        o.n,
        _integer("--q", o.q or ""),
        negacyclic=negacyclic,
        layers=o.layers,
        root="minimal"
        if o.root == "minimal"
        else None
        if o.root is None
        else _integer("--root", o.root),
        generator=None if o.generator is None else _integer("--generator", o.generator),
    )
    return _outcome(rings.rings({f"q{one.q}": one}, twiddles=o.twiddles))


def _ring(text: str, n: int | None) -> dict[str, object]:
    """A ring's table of a design."""
    if text in PRESETS:
        if n is not None:
            raise NttforgeError("--n", f"{text} has its own n", "leave it out, or give a modulus")
        return {"preset": text}
    try:
        q = int(text, 0)
    except ValueError:
        problem = f"{shown(text)} is neither a modulus nor the name of a ring"
        raise NttforgeError("RING", problem, did_you_mean(text, PRESETS)) from None
    check_modulus(q, "RING", 2 * n if n is not None and n > 0 else 2)
    return {"q": q} if n is None else {"n": n, "q": q}


def explore(progress: Progress, o: verbs.Explore) -> Outcome:
    board = {"bandwidth": o.bandwidth, "burst": o.burst, "ram": o.ram, "largest": o.largest}
    memory = _given({**board, "sizes": _numbers("--sizes", o.sizes)})
    words = (*o.directions.split(","), *(PRODUCTS if o.products else ()))
    limits = {
        "max_lut": o.lut,
        "max_ff": o.ff,
        "max_dsp": o.dsp,
        "max_bram18": o.bram,
        "min_mhz": o.mhz,
    }
    asked = o.given("throughput", "latency", "each_us", "latency_us", "prefer", "goal", "clock")
    data = _given({**limits, **asked, "memory": memory or None})
    designs: list[Design] = []
    if len(o.rings) == 1 and o.rings[0].endswith(".toml"):
        needs = explorer.read_needs(Path(o.rings[0]), data)
    elif all(name in design_names() for name in o.rings):
        for option in (key for key, value in data.items() if value != _USUAL.get(key)):
            problem = "a design that has a name says itself what is looked for"
            flag = f"--{option.replace('_', '-')}" if option != "memory" else "--sizes"
            raise NttforgeError(flag, problem, "leave it out, or name its rings")
        designs = [load_design(name, {"target": _target(o.target)}) for name in o.rings]
        needs = [explorer.need_beside(design) for design in designs]
    else:
        name = "explored" if o.output is None else o.output.stem
        tables = [_ring(text, o.n) for text in o.rings]
        operations = [word.strip() for word in words]
        if memory:
            data = {"max_dsp": USUAL_DSP, **data}
        data |= {"name": name, "rings": tables, "operations": operations}
        needs = [explorer.need_of({**data, "target": _target(o.target)}, "explore", options=True)]
    result = explorer.explore_all(
        needs, designs=designs, output=o.output, page=o.html, proved=o.prove, progress=progress
    )
    return _outcome(result, result.ok)


def sweep(progress: Progress, o: verbs.Sweep) -> Outcome:
    if o.scheduler is not None and o.jobs is not None:
        problem = "a cluster has as many workers as it has"
        raise NttforgeError("--jobs", problem, "leave it out, or --scheduler")
    workers: sweeps.Workers = sweeps.Local(o.jobs or processors())
    if o.scheduler is not None:
        workers = sweeps.Cluster.at(o.scheduler)
    files = {"table": o.table, "page": o.html}
    result = sweeps.sweep(o.grid, o.output, workers, again=o.again, progress=progress, **files)
    return _outcome(result, result.ok)


def timing(progress: Progress, o: verbs.Timing) -> Outcome:
    made, prepared = _prepare(o.design, [*(o.settings or ()), "target=ecp5"], progress)
    options = o.given("paths", "part", "at", "shell", "speed", "time_limit")
    result = estimates.timing(prepared, progress=progress, **options)
    return _outcome(result.made_of(made))


def pnr(progress: Progress, o: verbs.Pnr) -> Outcome:
    made, prepared = _prepare(o.design, [*(o.settings or ()), "target=ecp5"], progress)
    tried = range(o.first_seed, o.first_seed + o.seeds)
    options = o.given("part", "shell", "speed", "placer", "router", "time_limit", "jobs")
    options |= {"frequency_mhz": o.frequency, "seeds": tried}
    return _outcome(areas.pnr(prepared, progress=progress, **options).made_of(made))


def report(progress: Progress, o: verbs.Report) -> Outcome:
    chosen = None if o.target == "none" else _target(o.target, "none")
    check_writable(o.output)
    result = sheets.report(
        _design(o.design, o.settings), target=chosen, clock=o.clock, seed=o.seed, progress=progress
    )
    write_text(o.output, result.sheet())
    good = f"{o.output} is written, in {result.seconds:.0f} s"
    end = verdict(result.ok, good, f"{o.output} is written, but the RTL is WRONG")
    return replace(_outcome(result, result.ok), view=[*result.shown(), end])


def demo(progress: Progress, o: verbs.Demo) -> Outcome:
    result = showcase(o.output, seed=o.seed, progress=progress)
    return _outcome(result, result.ok)


def cache_path(_: Progress, o: verbs.CachePath) -> Outcome:
    return _plain({"path": str(cache_folder())}, str(cache_folder()))


def cache_list(_: Progress, o: verbs.CacheList) -> Outcome:
    kinds, limit = _by_kind(kept_results()), cache_limit()
    data = {"path": str(cache_folder()), "limit": limit, "kinds": kinds}
    columns = ("kind", "results", "MB", "days since the last use, at most")
    rows = [
        (kind, int(row["results"]), round(row["bytes"] / 1e6, 1), row["days"])
        for kind, row in kinds.items()
    ]
    total = sum(row["bytes"] for row in kinds.values()) / _GIGA
    line = f"{total:.2f} GB of {limit / _GIGA:g}; nttforge cache prune takes some away"
    return _plain(data, [Table(str(cache_folder()), columns, rows), Line(line)])


def cache_prune(_: Progress, o: verbs.CachePrune) -> Outcome:
    gone = prune(cache_limit() if o.limit is None else round(o.limit * _GIGA))
    size = sum(kept.size for kept in gone)
    text = f"{len(gone)} results taken away, {size / _GIGA:.2f} GB"
    return _plain({"results": len(gone), "bytes": size}, text)


def show_contract(_: Progress, o: verbs.ShowContract) -> Outcome:
    if o.ring in PRESETS or not is_design(o.ring):
        return Outcome({}, contract.pipeline_contract(o.ring, o.lanes or 2, o.order or "natural"))
    for option, value in (("--lanes", o.lanes), ("--order", o.order)):
        if value is not None:
            raise NttforgeError(option, f"{o.ring} has its own", "leave it out, or name a ring")
    return Outcome({}, contract.design_contract(load_design(o.ring)))


def show_layout(_: Progress, o: verbs.ShowLayout) -> Outcome:
    return Outcome({}, layout.show(o.n, o.lanes, o.layers))


def show_example(_: Progress, o: verbs.ShowExample) -> Outcome:
    if o.output is not None:
        return _drawn(o.output, lambda: example.drawing(o.family))
    return Outcome({}, example.example(o.family))


def show_keys(_: Progress, o: verbs.ShowKeys) -> Outcome:
    return Outcome({}, design_keys.reference())


def show_schema(_: Progress, o: verbs.ShowSchema) -> Outcome:
    return Outcome({}, json.dumps(design_keys.schema(), indent=2))


def show_registers(_: Progress, o: verbs.ShowRegisters) -> Outcome:
    found = build(load_design(o.design)).registers
    if found is None:
        raise NttforgeError(
            "design", f"{o.design} has no registers", "name one with a control port"
        )
    return Outcome({}, markdown([found.table()]))


def show_options(progress: Progress, o: verbs.ShowOptions) -> Outcome:
    return _outcome(options.listing(o.areas, progress))


def show_units(progress: Progress, o: verbs.ShowUnits) -> Outcome:
    named = o.names or units.units(o.room or units.OF_MLKEM)
    if o.ports:
        return Outcome({}, "\n\n".join(map(units.sheet, named)))
    return _outcome(units.listing(named, _target(o.target), progress))


def show_sheet(_: Progress, o: verbs.ShowSheet) -> Outcome:
    return Outcome({}, sheet.sheet(work_out(load_design(o.design))))


def show_figure(_: Progress, o: verbs.ShowFigure) -> Outcome:
    return _drawn(o.output, lambda: figure.draw(work_out(load_design(o.design))))


def show_flow(progress: Progress, o: verbs.ShowFlow) -> Outcome:
    if o.output is not None:
        check_writable(o.output)
    made = _design(o.design, o.settings)
    found = moves.moves(prepare(made), o.operation, progress)
    if o.output is None:
        return Outcome({}, moves.flow_table(found), not found.unknown)
    write_text(o.output, moves.flow_page(found))
    return Outcome({}, f"written to {o.output}", not found.unknown)


def show_timeline(_: Progress, o: verbs.ShowTimeline) -> Outcome:
    view, op, p = units_at_work.parse(o.operation, o.parameter_set)
    if o.plan:
        return Outcome({}, describe(view.program(op, p)))
    if o.output is None:
        return Outcome({}, units_at_work.table(view.traced(op, p, o.design), view.units))
    words = f"{op} of {p.name}"
    return _drawn(o.output, lambda: timeline.draw(words, view.units, view.traced(op, p, o.design)))
