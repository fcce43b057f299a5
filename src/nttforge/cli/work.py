# SPDX-License-Identifier: Apache-2.0
"""The work of a verb: finds its function, passes its options, and takes the result."""

import json
from collections.abc import Mapping
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from nttforge.cli.outcome import FAILED, Outcome
from nttforge.design import load_design, parse_settings
from nttforge.flow.prepare import Progress, open_design
from nttforge.options.model import Options
from nttforge.options.verbs import OfDesign
from nttforge.output import check_writable, write_text
from nttforge.results import Result, Text


def perform(verb: str, function: str, options: Options, progress: Progress) -> Outcome:
    """The outcome of a function, `room.module:name` in the package, for a verb's options.

    A parameter takes the option of its name. `design` is the design that the options name, and
    `prepared` the same with its folder; `options` is the model itself. A text is written to the
    file of the option `svg` if there is one.
    """
    module, _, name = function.partition(":")
    work = getattr(import_module(f"nttforge.{module}"), name)
    parameters = signature(work).parameters
    given: dict[str, Any] = {"progress": progress, "verb": verb, "options": options}
    given |= {each: getattr(options, each) for each in parameters if hasattr(options, each)}
    drawing = getattr(options, "svg", None)
    if drawing is not None:
        check_writable(drawing)
    design = None
    if isinstance(options, OfDesign) and "prepared" in parameters:
        target = {"target": options.target} if hasattr(options, "target") else {}
        given["prepared"] = prepared = open_design(options, progress, **target)
        design = prepared.design
    elif isinstance(options, OfDesign) and "design" in parameters:
        given["design"] = design = load_design(options.design, parse_settings(options.settings))
    taken = {each: given[each] for each, p in parameters.items() if _is_passed(p, given.get(each))}
    result = work(**taken)
    if isinstance(result, Result):
        result = result if design is None else result.with_provenance(design)
        ok = getattr(result, "ok", True)
        code = result.exit_code
        return Outcome(result.data(), result.view(), ok, result.page(), result.figures, failed=code)
    if drawing is not None:
        write_text(drawing, result)
        result = f"written to {drawing}"
    text = result if isinstance(result, Text) else Text(_text(result))
    return Outcome({}, text.text, text.ok, failed=FAILED)


def _is_passed(parameter: Parameter, value: object) -> bool:
    """Whether a function is to get a value: None leaves its own default."""
    return value is not None or parameter.default is Parameter.empty


def _text(found: str | Mapping[str, Any]) -> str:
    return found if isinstance(found, str) else json.dumps(found, indent=2)
