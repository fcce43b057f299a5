# SPDX-License-Identifier: Apache-2.0
"""What the verbs do: each calls one function of `flow`, and says how its result is shown.

Loaded when a verb is done, and not for `--help`: the signatures stand in the other modules. A
function is called as its verb, and takes what the verb's options give.
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
from nttforge.cli.session import WRONG, Outcome
from nttforge.content import Kept, cache_folder, cache_limit, kept_results, prune
from nttforge.design import Design, design_names, is_design, load_design, read_fragment
from nttforge.draw import figure, timeline
from nttforge.errors import NttforgeError, shown
from nttforge.families import Hardware, build
from nttforge.families.decomposed.offer import USUAL_DSP
from nttforge.families.mlkem.program import describe, program_of
from nttforge.families.pipeline import work_out
from nttforge.flow import campaign as campaigns
from nttforge.flow import generate as folders
from nttforge.flow import multiplier as multipliers
from nttforge.flow import report as sheets
from nttforge.flow import rings
from nttforge.flow import sweep as sweeps
from nttforge.flow import synth as areas
from nttforge.flow import timing as estimates
from nttforge.flow import trace as traces
from nttforge.flow.benches import bench_of
from nttforge.flow.clock import clock_of
from nttforge.flow.explore import explore as explorer
from nttforge.flow.mlkem import trace as units_at_work
from nttforge.flow.prepare import (
    Prepared,
    Progress,
    prepare,
    prepare_any,
)
from nttforge.flow.showcase import showcase
from nttforge.flow.stream import moves
from nttforge.host.library import write_library
from nttforge.kinds.lattice.verbs import VERBS, find_set, prepare_standard
from nttforge.limits import LEAST_MEASURED, MOST
from nttforge.machine import processors
from nttforge.names import did_you_mean, find
from nttforge.output import check_writable, write_text
from nttforge.pages import contract, example, layout, options, sheet, units
from nttforge.pages import keys as design_keys
from nttforge.provenance import Provenance
from nttforge.reproduce import PAPERS
from nttforge.results import Result
from nttforge.ring.presets import PRESETS
from nttforge.ring.primes import check_modulus
from nttforge.ring.ring import Ring
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


def _some(options: Mapping[str, Any], least: int = 1) -> None:
    """Refuse a number of things to simulate that is none, of any kind of core: it is not built."""
    _positive("count", options["count"], least)


def _positive(option: str, value: int | None, least: int = 1, most: int = MOST) -> None:
    if value is not None and not least <= value <= most:
        problem = f"{shown(value)} is too {'few' if value < least else 'many'}"
        raise NttforgeError(option, problem, f"use {least} or more, up to {most}")


def _by_kind(results: Iterable[Kept]) -> dict[str, dict[str, float]]:
    """Number, bytes and days since the last use, of each kind."""
    found: dict[str, dict[str, float]] = {}
    for kept in results:
        row = found.setdefault(kept.kind, {"results": 0, "bytes": 0, "days": 0.0})
        row["results"] += 1
        row["bytes"] += kept.size
        row["days"] = max(row["days"], round((time.time() - kept.used) / _DAY, 1))
    return dict(sorted(found.items()))


def _with_keys(
    verb: str,
    operation: str,
    progress: Progress,
    *,
    parameter_set: str,
    design: str,
    trace: Path | None,
    **options: Any,
) -> Outcome:
    """A standard's operation with a user's own keys, on a design that has the standard."""
    standard, operations = VERBS[verb]
    traces.check(trace)
    p = find_set(standard, parameter_set)
    progress(f"generating {design}")
    made = load_design(design)
    prepared = prepare_standard(made, standard)
    with traces.traced(prepared, trace):
        result = operations[operation](prepared, p, progress=progress, **options).made_of(made)
    return _traced(_outcome(result, getattr(result, "ok", True)), trace)


kem_keygen, kem_encaps, kem_decaps, dsa_keygen, dsa_sign = (
    partial(_with_keys, verb, name)
    for verb, name in (
        *(("kem", name) for name in ("keygen", "encaps", "decaps")),
        *(("dsa", name) for name in ("keygen", "sign")),
    )
)


def dsa_verify(progress: Progress, *, parameter_set: str, design: str, **options: Any) -> Outcome:
    verify = partial(_with_keys, "dsa", "verify", parameter_set=parameter_set, design=design)
    return replace(verify(progress, **options), failed=WRONG)


def _drawn(target: Path, drawing: Callable[[], str]) -> Outcome:
    """Write a drawing, and say where."""
    check_writable(target)
    write_text(target, drawing())
    return Outcome({}, f"written to {target}")


def presets(_: Progress) -> Outcome:
    result = folders.presets()
    return _outcome(result)


def generate(
    progress: Progress,
    *,
    design: str,
    output: Path,
    hls_blackbox: bool,
    verilog: bool,
    settings: Settings,
) -> Outcome:
    progress(f"writing {output}")
    made = _design(design, settings)
    result = folders.generate(made, output, blackbox=hls_blackbox, verilog=verilog).made_of(made)
    return _outcome(result)


def host(
    progress: Progress, *, design: str, output: Path, openssl: bool, settings: Settings
) -> Outcome:
    made = _design(design, settings)
    result = write_library(made, output, openssl=openssl).made_of(made)
    return _outcome(result)


def soc(progress: Progress, *, design: str, output: Path, run: bool, settings: Settings) -> Outcome:
    made = _design(design, settings)
    result = write_soc(made, output, run=run, progress=progress).made_of(made)
    return _outcome(result, result.ok)


def bitstream(
    progress: Progress,
    *,
    design: str,
    board: str,
    output: Path,
    clock: float,
    baud: int,
    memory: int,
    seed: int,
    time_limit: float,
    settings: Settings,
) -> Outcome:
    made = _design(design, settings)
    result = write_bitstream(
        made,
        board,
        output,
        mhz=clock,
        baud=baud,
        memory_bytes=memory,
        seed=seed,
        time_limit=time_limit,
        progress=progress,
    ).made_of(made)
    return _outcome(result)


def _campaign(
    progress: Progress,
    design: str,
    settings: Settings,
    *,
    campaign: int,
    rows: Path | None,
    jobs: int | None,
    trace: Path | None,
    count: int | None,
    seed: int | None,
) -> Outcome:
    for flag, value in (("count", count), ("--trace", trace)):
        if value is not None:
            mend = "leave it out; what fails is named with its seed, and can be traced by itself"
            raise NttforgeError(flag, "a campaign has parts of its own", mend)
    _positive("--campaign", campaign, most=1_000_000_000)
    _positive("--jobs", jobs, most=1000)
    output = rows or Path(f"{Path(design).stem}.jsonl")
    made, workers = _design(design, settings), sweeps.Local(jobs or processors())
    result = campaigns.campaign(
        design, _overrides(settings), campaign, output, workers, seed=seed or 0, progress=progress
    )
    return _outcome(result.made_of(made), result.ok)


def verify(
    progress: Progress,
    *,
    design: str,
    settings: Settings,
    trace: Path | None,
    campaign: int | None,
    rows: Path | None,
    jobs: int | None,
    **options: Any,
) -> Outcome:
    if campaign is not None:
        asked = {"campaign": campaign, "rows": rows, "jobs": jobs, "trace": trace, **options}
        return _campaign(progress, design, settings, **asked)
    for flag, value in (("--rows", rows), ("--jobs", jobs)):
        if value is not None:
            raise NttforgeError(flag, "is an option of a campaign", "leave it out, or --campaign")
    traces.check(trace)
    _some(options)
    made, prepared = _prepare(design, settings, progress)
    result = bench_of(prepared.core).verify(prepared, _given(options), progress).made_of(made)
    outcome = _outcome(result, result.ok)
    if traces.traced_again(prepared, result.again, trace, progress):
        return _traced(outcome, trace)
    nothing = [] if trace is None else [Line("nothing to trace: no step failed")]
    return replace(outcome, view=[*outcome.view, *nothing])


def run(
    progress: Progress,
    *,
    design: str,
    settings: Settings,
    source: Path,
    target: Path,
    second: Path | None,
    third: Path | None,
    trace: Path | None,
    **options: Any,
) -> Outcome:
    traces.check(trace)
    if third is not None and second is None:
        raise NttforgeError(
            "--input-b", "is missing, with --input-c given", "give both, or neither"
        )
    made, prepared = _prepare(design, settings, progress)
    sources = [path for path in (source, second, third) if path is not None]
    bench = bench_of(prepared.core)
    with traces.traced(prepared, trace):
        result = bench.run(prepared, sources, target, _given(options), progress).made_of(made)
    return _traced(_outcome(result, result.ok), trace)


def measure(
    progress: Progress,
    *,
    design: str,
    settings: Settings,
    sizes: str | None,
    clock: bool,
    **options: Any,
) -> Outcome:
    target = ["target=ecp5"] if clock else []
    _some(options, LEAST_MEASURED)
    made, prepared = _prepare(design, [*(settings or ()), *target], progress)
    given = _given(options | {"sizes": _numbers("--sizes", sizes)})
    result = bench_of(prepared.core).measure(prepared, given, progress).made_of(made)
    if clock:
        found = clock_of(prepared, progress=progress)
        result = result.model_copy(update={"clock": found})
    return _outcome(result)


def synth(
    progress: Progress, *, design: str, settings: Settings, target: str, **options: Any
) -> Outcome:
    made, prepared = _prepare(design, [*(settings or ()), f"target={_target(target)}"], progress)
    result = areas.synth(prepared, target, progress=progress, **options)
    return _outcome(result.made_of(made))


def _integer(option: str, text: str) -> int:
    """A number of any size, decimal or hexadecimal."""
    try:
        return int(text, 0)
    except ValueError:
        problem = f"{shown(text)} is not an integer"
        raise NttforgeError(option, problem, "use 3329 or 0xd01") from None


def multiplier(progress: Progress, *, q: str, target: str, adders: int) -> Outcome:
    result = multipliers.multiplier(
        _integer("Q", q), _target(target), adders_per_stage=adders, progress=progress
    )
    return _outcome(result)


def ring(
    progress: Progress,
    *,
    design: str | None,
    settings: Settings,
    n: int | None,
    q: str | None,
    bits: int | None,
    count: int | None,
    form: str,
    layers: int | None,
    root: str | None,
    generator: str | None,
    twiddles: bool,
) -> Outcome:
    negacyclic = find("--form", form, {"x^n+1": True, "x^n-1": False})
    wanted = {"--n": n, "--q": q, "--layers": layers, "--root": root, "--generator": generator}
    unused: dict[str, object] = {"--count": count}
    if design is not None:
        unused |= wanted | {"--bits": bits}
    elif bits is not None:
        unused = {"--q": q, "--root": root, "--generator": generator, "--set": settings}
        unused["--twiddles"] = twiddles or None
    else:
        unused["--set"] = settings
    for option, value in unused.items():
        if value:
            raise NttforgeError(option, "has no meaning here", "leave it out; see --help")
    if design is not None:
        made = _design(design, settings)
        found = {table.label: made.ring(i) for i, table in enumerate(made.rings)}
        return _outcome(rings.rings(found, twiddles=twiddles).made_of(made))
    if n is None or (q is None) == (bits is None):
        problem = "there is neither a design nor a modulus of a size"
        hint = "give DESIGN, or --n with --q to look at a ring, or with --bits to find primes"
        raise NttforgeError("RING", problem, hint)
    if bits is not None:
        asked = rings.Wanted(n, negacyclic, layers)
        return _outcome(rings.primes(asked, bits, count or 1, progress))
    one = Ring.create(
        n,
        _integer("--q", q or ""),
        negacyclic=negacyclic,
        layers=layers,
        root="minimal" if root == "minimal" else None if root is None else _integer("--root", root),
        generator=None if generator is None else _integer("--generator", generator),
    )
    return _outcome(rings.rings({f"q{one.q}": one}, twiddles=twiddles))


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


def explore(
    progress: Progress,
    *,
    rings: Sequence[str],
    n: int | None,
    directions: str,
    products: bool,
    lut: int | None,
    ff: int | None,
    dsp: int | None,
    bram: int | None,
    mhz: float | None,
    clock: float | None,
    bandwidth: float | None,
    burst: int | None,
    ram: float | None,
    sizes: str | None,
    largest: int | None,
    target: str,
    prove: int,
    output: Path | None,
    html: Path | None,
    **asked: Any,
) -> Outcome:
    board = {"bandwidth": bandwidth, "burst": burst, "ram": ram, "largest": largest}
    memory = _given({**board, "sizes": _numbers("--sizes", sizes)})
    words = (*directions.split(","), *(PRODUCTS if products else ()))
    limits = {"max_lut": lut, "max_ff": ff, "max_dsp": dsp, "max_bram18": bram, "min_mhz": mhz}
    data = _given({**limits, **asked, "clock": clock, "memory": memory or None})
    designs: list[Design] = []
    if len(rings) == 1 and rings[0].endswith(".toml"):
        needs = explorer.read_needs(Path(rings[0]), data)
    elif all(name in design_names() for name in rings):
        for option in (key for key, value in data.items() if value != _USUAL.get(key)):
            problem = "a design that has a name says itself what is looked for"
            flag = f"--{option.replace('_', '-')}" if option != "memory" else "--sizes"
            raise NttforgeError(flag, problem, "leave it out, or name its rings")
        designs = [load_design(name, {"target": _target(target)}) for name in rings]
        needs = [explorer.need_beside(design) for design in designs]
    else:
        name = "explored" if output is None else output.stem
        tables = [_ring(text, n) for text in rings]
        operations = [word.strip() for word in words]
        if memory:
            data = {"max_dsp": USUAL_DSP, **data}
        data |= {"name": name, "rings": tables, "operations": operations}
        needs = [explorer.need_of({**data, "target": _target(target)}, "explore", options=True)]
    result = explorer.explore_all(
        needs, designs=designs, output=output, page=html, proved=prove, progress=progress
    )
    return _outcome(result, result.ok)


def sweep(
    progress: Progress,
    *,
    grid: Path,
    output: Path,
    jobs: int | None,
    scheduler: str | None,
    table: Path | None,
    html: Path | None,
    again: bool,
) -> Outcome:
    _positive("--jobs", jobs, most=1000)
    if scheduler is not None and jobs is not None:
        problem = "a cluster has as many workers as it has"
        raise NttforgeError("--jobs", problem, "leave it out, or --scheduler")
    workers: sweeps.Workers = sweeps.Local(jobs or processors())
    if scheduler is not None:
        workers = sweeps.Cluster.at(scheduler)
    files = {"table": table, "page": html}
    result = sweeps.sweep(grid, output, workers, again=again, progress=progress, **files)
    return _outcome(result, result.ok)


def timing(
    progress: Progress, *, design: str, settings: Settings, paths: int, **options: Any
) -> Outcome:
    _positive("--paths", paths)
    made, prepared = _prepare(design, [*(settings or ()), "target=ecp5"], progress)
    result = estimates.timing(prepared, paths=paths, progress=progress, **options)
    return _outcome(result.made_of(made))


def pnr(
    progress: Progress,
    *,
    design: str,
    settings: Settings,
    frequency: float,
    seeds: int,
    first_seed: int,
    jobs: int | None,
    **options: Any,
) -> Outcome:
    _positive("--seeds", seeds, most=1000)
    _positive("--jobs", jobs, most=1000)
    made, prepared = _prepare(design, [*(settings or ()), "target=ecp5"], progress)
    tried = range(first_seed, first_seed + seeds)
    options |= {"frequency_mhz": frequency, "seeds": tried, "jobs": jobs}
    return _outcome(areas.pnr(prepared, progress=progress, **options).made_of(made))


def report(
    progress: Progress,
    *,
    design: str,
    output: Path,
    target: str,
    clock: bool,
    seed: int,
    settings: Settings,
) -> Outcome:
    chosen = None if target == "none" else _target(target, "none")
    check_writable(output)
    result = sheets.report(
        _design(design, settings), target=chosen, clock=clock, seed=seed, progress=progress
    )
    write_text(output, result.sheet())
    good = f"{output} is written, in {result.seconds:.0f} s"
    end = verdict(result.ok, good, f"{output} is written, but the RTL is WRONG")
    return replace(_outcome(result, result.ok), view=[*result.shown(), end])


def demo(progress: Progress, *, output: Path, seed: int) -> Outcome:
    result = showcase(output, seed=seed, progress=progress)
    return _outcome(result, result.ok)


def reproduce(progress: Progress, *, paper: str, clock: bool) -> Outcome:
    return _outcome(find("paper", paper, PAPERS)(clock, progress))


def cache_path(_: Progress) -> Outcome:
    return _plain({"path": str(cache_folder())}, str(cache_folder()))


def cache_list(_: Progress) -> Outcome:
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


def cache_prune(_: Progress, *, limit: float | None) -> Outcome:
    gone = prune(cache_limit() if limit is None else round(limit * _GIGA))
    size = sum(kept.size for kept in gone)
    text = f"{len(gone)} results taken away, {size / _GIGA:.2f} GB"
    return _plain({"results": len(gone), "bytes": size}, text)


def show_contract(_: Progress, *, ring: str, lanes: int | None, order: str | None) -> Outcome:
    if ring in PRESETS or not is_design(ring):
        return Outcome({}, contract.pipeline_contract(ring, lanes or 2, order or "natural"))
    for option, value in (("--lanes", lanes), ("--order", order)):
        if value is not None:
            raise NttforgeError(option, f"{ring} has its own", "leave it out, or name a ring")
    return Outcome({}, contract.design_contract(load_design(ring)))


def show_layout(_: Progress, *, n: int, lanes: int, layers: int | None) -> Outcome:
    return Outcome({}, layout.show(n, lanes, layers))


def show_example(_: Progress, *, family: str, output: Path | None) -> Outcome:
    if output is not None:
        return _drawn(output, lambda: example.drawing(family))
    return Outcome({}, example.example(family))


def show_keys(_: Progress) -> Outcome:
    return Outcome({}, design_keys.reference())


def show_schema(_: Progress) -> Outcome:
    return Outcome({}, json.dumps(design_keys.schema(), indent=2))


def show_registers(_: Progress, *, design: str) -> Outcome:
    found = build(load_design(design)).registers
    if found is None:
        raise NttforgeError("design", f"{design} has no registers", "name one with a control port")
    return Outcome({}, markdown([found.table()]))


def show_options(progress: Progress, *, areas: bool) -> Outcome:
    return _outcome(options.listing(areas, progress))


def show_units(
    progress: Progress,
    *,
    names: Sequence[str] | None,
    room: Sequence[str] | None,
    target: str,
    ports: bool,
) -> Outcome:
    named = names or units.units(room or units.OF_MLKEM)
    if ports:
        return Outcome({}, "\n\n".join(map(units.sheet, named)))
    return _outcome(units.listing(named, _target(target), progress))


def show_sheet(_: Progress, *, design: str) -> Outcome:
    return Outcome({}, sheet.sheet(work_out(load_design(design))))


def show_figure(_: Progress, *, design: str, output: Path) -> Outcome:
    return _drawn(output, lambda: figure.draw(work_out(load_design(design))))


def show_flow(
    progress: Progress,
    *,
    design: str,
    operation: str | None,
    settings: Settings,
    output: Path | None,
) -> Outcome:
    if output is not None:
        check_writable(output)
    made = _design(design, settings)
    found = moves.moves(prepare(made), operation, progress)
    if output is None:
        return Outcome({}, moves.flow_table(found), not found.unknown)
    write_text(output, moves.flow_page(found))
    return Outcome({}, f"written to {output}", not found.unknown)


def show_timeline(
    _: Progress, *, operation: str, parameter_set: str, plan: bool, output: Path | None
) -> Outcome:
    op, p = units_at_work.parse(operation, parameter_set)
    if plan:
        return Outcome({}, describe(program_of(op, p)))
    if output is None:
        return Outcome({}, units_at_work.table(units_at_work.traced(op, p)))
    words = f"{op} of {p.name}"
    return _drawn(
        output, lambda: timeline.draw(words, units_at_work.UNITS, units_at_work.traced(op, p))
    )
