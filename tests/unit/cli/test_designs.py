# SPDX-License-Identifier: Apache-2.0
"""Designs as the command line takes them: fragments, and the schema for editors."""

import json
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from nttforge.design import Design, design_names, load_design, parse_settings
from nttforge.errors import NttforgeError
from nttforge.kinds.stream.config import PipelineTable
from nttforge.show.keys import schema
from tests.unit.cli.cli_calls import call

FAST = """
operations = ["ntt"]
[pipeline]
butterflies = 2
adders_per_stage = 1
"""


def _design(name: str, settings: list[str]) -> Design:
    return load_design(name, parse_settings(settings))


def test_later_ones_win(tmp_path: Path) -> None:
    path = tmp_path / "fast.toml"
    path.write_text(FAST)
    design = _design("ml-kem", [str(path), "pipeline.butterflies=4"])
    assert design.operations == ("ntt",)
    table = design.table(PipelineTable)
    assert (table.butterflies, table.adders_per_stage) == (4, 1)
    again = _design("ml-kem", ["pipeline.butterflies=4", str(path)])
    assert again.table(PipelineTable).butterflies == 2


@pytest.mark.parametrize("text", ["a = ", "[pipeline]\nbuterflies = 1", None])
def test_a_fragment_that_is_wrong_is_one_line(
    text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.toml"
    if text is not None:
        path.write_text(text)
    code, out, err = call(capsys, "generate", "ml-kem", "--with", path, "-o", tmp_path / "y")
    assert (code, out, err.count("error: ")) == (1, "", 1)
    assert err.splitlines()[-1].startswith("error: ")


def unknown(value: Any, rule: dict[str, Any], whole: dict[str, Any]) -> Iterator[str]:
    """Keys of a value that its schema does not have; types are the model's business."""
    if "$ref" in rule:
        rule = whole["$defs"][rule["$ref"].rpartition("/")[2]]
    for option in rule.get("anyOf", []):
        if "$ref" in option:
            yield from unknown(value, option, whole)
    if isinstance(value, list) and "items" in rule:
        for entry in value:
            yield from unknown(entry, rule["items"], whole)
    if isinstance(value, dict) and "properties" in rule:
        assert rule["additionalProperties"] is False
        for key, inner in value.items():
            if key not in rule["properties"]:
                yield key
            else:
                yield from unknown(inner, rule["properties"][key], whole)


def test_the_schema_has_every_key_of_every_preset(capsys: pytest.CaptureFixture[str]) -> None:
    printed = json.loads(call(capsys, "show", "schema")[1])
    assert printed == schema()
    assert set(printed["properties"]) == set(Design.model_fields)
    for name in design_names():
        text = (resources.files("nttforge") / "designs" / f"{name}.toml").read_text("utf-8")
        assert not [*unknown(tomllib.loads(text), printed, printed)], name
    assert [*unknown({"nam": 1, "pipeline": {"butterflys": 1}}, printed, printed)] == [
        *("nam", "butterflys")
    ]


def test_every_key_of_the_schema_is_explained() -> None:
    found = schema()
    for part in found["$defs"].values():
        assert all(key["description"] for key in part["properties"].values()), part["title"]


def test_what_is_no_setting_is_refused() -> None:
    with pytest.raises(NttforgeError, match="name a TOML file"):
        _design("ml-kem", ["pipeline"])
