# SPDX-License-Identifier: Apache-2.0
"""The keys of a design as tables for docs/designs.md: `nttforge show keys`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, get_origin

from pydantic import BaseModel

from nttforge.design import Design, limits, model_in
from nttforge.errors import NttforgeError
from nttforge.hw import build
from nttforge.kinds import FAMILIES, part
from nttforge.table import markdown


def tables(model: type[BaseModel] = Design) -> Iterator[tuple[str, type[BaseModel]]]:
    """(heading, model) of a design's own table and of those inside it."""
    yield "", model
    for name, field in model.model_fields.items():
        inner = model_in(field.annotation)
        if inner is not None:
            array = get_origin(field.annotation) is tuple
            yield (f"[[{name}]]" if array else f"[{name}]"), inner


def _words(schema: Mapping[str, Any]) -> str:
    """A JSON schema in words."""
    if "anyOf" in schema:
        return " or ".join(_words(s) for s in schema["anyOf"] if s.get("type") != "null")
    choices = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if choices:
        return ", ".join(f"`{json.dumps(choice)}`" for choice in choices)
    match schema["type"]:
        case "boolean":
            words = "`true`, `false`"
        case "array":
            words = f"array of {_words(schema['items'])}"
        case "number":
            words = f"number, {limits(schema)}"
        case "integer":
            words = str(limits(schema))
        case other:
            name = "pattern" in schema
            words = "string of `a-z`, `0-9`, single `-`, a letter first" if name else other
    return words


def _default(name: str, schema: Mapping[str, Any]) -> str:
    if name in schema.get("required", ()):
        return "required"
    value = schema["properties"][name].get("default")
    return "" if value in (None, "") else f"`{json.dumps(value)}`"


def table(model: type[BaseModel]) -> str:
    """The keys of one table as Markdown."""
    schema = model.model_json_schema()
    lines = ["| key | value | default | meaning |", "|---|---|---|---|"]
    for name, field in model.model_fields.items():
        if model_in(field.annotation) is None:
            value = _words(schema["properties"][name])
            meaning = " ".join((field.description or "").split())
            lines.append(f"| `{name}` | {value} | {_default(name, schema)} | {meaning} |")
    return "\n".join(lines)


def reference() -> str:
    """All keys of a design, a table each for the design's own and for those in brackets."""
    return "\n\n".join(
        f"### {f'`{heading}`' if heading else 'The design'}\n\n{table(model)}"
        for heading, model in tables()
    )


def schema() -> dict[str, Any]:
    """The JSON Schema of a design, each key with its meaning, for editors."""
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    known = Design.model_json_schema()
    if any(hasattr(part(family, "config"), "complete") for family in FAMILIES):
        known["required"].remove("rings")  # a kind completes designs without them
    return dialect | known


def registers(design: Design) -> str:
    """The registers of a design with a control port, as Markdown."""
    found = build(design).registers
    if found is None:
        hint = "name one with a control port"
        raise NttforgeError("design", f"{design.name} has no registers", hint)
    return markdown([found.table()])
