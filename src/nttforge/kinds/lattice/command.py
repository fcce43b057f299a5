# SPDX-License-Identifier: Apache-2.0
"""`kem` and `dsa`, `show timeline`, on the command line."""

from pathlib import Path
from typing import Any

from nttforge.design import load_design
from nttforge.draw import timeline as drawings
from nttforge.errors import NttforgeError
from nttforge.flow import trace as traces
from nttforge.flow.prepare import Progress
from nttforge.kinds.lattice import trace as units_at_work
from nttforge.kinds.lattice.functions import find_set
from nttforge.kinds.lattice.options import KeyOptions
from nttforge.kinds.lattice.verbs import VERBS, prepare_standard
from nttforge.results import Result


def with_keys(verb: str, options: KeyOptions, progress: Progress) -> Result:
    """An operation of a standard with a user's own keys, on a design that has the standard."""
    name, _, operation = verb.partition(" ")
    of = VERBS[name]
    traces.check(options.trace)
    p = find_set(of.standard, options.parameter_set)
    progress(f"generating {options.design}")
    prepared = prepare_standard(load_design(options.design), of.standard)
    given: dict[str, Any] = {**options.own()}
    if prefix := given.pop("output", None):
        if str(prefix).endswith("/"):  # a path forgets it, and the files would lie beside it
            raise NttforgeError("--output", f"{prefix} is a folder", "add a prefix for its files")
        given["output"] = Path(str(prefix))
    with traces.traced(prepared, options.trace):
        result = of.do(operation, prepared, p, progress=progress, **given)
    return traces.with_trace(result.with_provenance(prepared.design), options.trace)


def timeline(
    operation: str, parameter_set: str, design: str | None, plan: bool, svg: Path | None
) -> str:
    """Activity of a simulated coprocessor's units over time, as a table or a drawing."""
    view, name, p = units_at_work.parse(operation, parameter_set, design)
    if plan:
        return view.described(view.program(name, p))
    found = view.traced(name, p)
    if svg is None:
        return units_at_work.table(found, view.units)
    return drawings.draw(f"{name} of {p.name}", view.units, found)
