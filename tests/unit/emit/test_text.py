# SPDX-License-Identifier: Apache-2.0
"""What a user writes into a design stays text in every file that is made from it."""

import re
import tomllib
import types
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pyslang
import pytest
from markdown_it import MarkdownIt

from nttforge.config.fields import FREE_TEXT
from nttforge.design import Design, load_design
from nttforge.emit import write
from nttforge.emit.design_folder import render
from nttforge.emit.text import LANGUAGES, Escaping, UserText, yaml
from nttforge.errors import NttforgeError
from nttforge.flow.backends import backend_of
from nttforge.hw import build
from nttforge.show.keys import tables
from tests.marks import first

HOSTILE = (
    "ends here.\nmodule evil; endmodule\r\n*/ /* \\ \" ' -- --> <script>alert(1)</script> "
    "[x](y) | `define A \u2028module worse; endmodule \x00\x1b[2J {{ design.name }} # - é \\"
)
ITERATIVE: dict[str, Any] = {"family": "iterative"}
OF_EACH: dict[str, dict[str, Any]] = {
    "streamntt-12289": {},
    "ml-kem": ITERATIVE,
    "ml-kem-coprocessor": {},
    "sam-tiny": {},
}


def files(name: str, description: str) -> dict[str, str]:
    design = load_design(name, {**OF_EACH[name], "description": description})
    core = build(design)
    return render(core, design, backend_of(core).stimulus(core))


def without_hash(text: str) -> str:
    return re.sub(r"\([0-9a-f]{12}\)", "", text)


@pytest.mark.parametrize("name", first(OF_EACH, 2))
def test_code_is_the_same_whatever_the_description_says(name: str) -> None:
    """Comments aside, no file differs from that of a harmless description."""
    harmless, hostile = files(name, "plain"), files(name, HOSTILE)
    assert harmless.keys() == hostile.keys()
    met = 0
    for file, text in hostile.items():
        if file.endswith(".sv"):
            tokens = [
                [str(token) for token in re.sub(r"//.*", "", each).split()]
                for each in (text, harmless[file])
            ]
            assert tokens[0] == tokens[1], file
            tree = pyslang.syntax.SyntaxTree.fromText(text)
            assert not [d for d in tree.diagnostics if d.isError()], file
        elif file.endswith(".xml"):
            ET.fromstring(text)
        elif file.endswith(".md"):
            assert "<script>" not in MarkdownIt("commonmark").enable("table").render(text)
        elif file.endswith(".toml"):
            given = tomllib.loads(text)
            assert given.pop("description") == HOSTILE
            assert given.items() < tomllib.loads(harmless[file]).items()
        elif file.endswith(".core"):
            lines = [without_hash(t).splitlines() for t in (text, harmless[file])]
            changed = [a for a, b in zip(*lines, strict=True) if a != b]
            assert len(changed) == 1 and changed[0].startswith('description: "ends here.')
            assert not re.search(r'(?<!\\)"', changed[0].removeprefix('description: "')[:-1])
        else:
            assert without_hash(text) == without_hash(harmless[file]), file
        met += "alert(1)" in text
        assert not re.search("[\x00\x1b\u2028]", text), file
    assert met


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_a_text_that_is_joined_to_another_has_no_string(suffix: str) -> None:
    """Only what is written by itself is escaped: a template that forgets it does not work."""
    template = "{{ ': ' ~ text }}"
    with pytest.raises(TypeError, match="to be escaped"):
        Escaping(suffix).from_string(template).render(text=UserText("x"))


def test_ordinary_texts_stay_as_they_are() -> None:
    text = "KeyGen of ML-KEM-512, both directions: 2^28 words (q = 3329), 100 % é."
    for suffix, escape in LANGUAGES.items():
        assert escape(text) == (yaml(text) if suffix == ".core" else text)
    assert yaml("no") == '"no"'
    assert LANGUAGES[".md"]("1. x") == "1\\. x"
    assert LANGUAGES[".md"]("# x") == "\\# x"


def test_every_text_of_a_design_is_a_name_or_marked_as_free() -> None:
    """A key of a design that takes any text would go into files as it is."""
    for _, model in tables(Design):
        for key, field in model.model_fields.items():
            kinds = get_args(field.annotation) or (field.annotation,)
            if str not in kinds and not isinstance(field.annotation, types.UnionType):
                continue
            schema = model.model_json_schema()["properties"][key]
            for each in schema.get("anyOf", [schema]):
                if each.get("type") == "string" and key != "preset":  # which is looked up
                    assert "enum" in each or "pattern" in each or FREE_TEXT in field.metadata, key


@pytest.mark.parametrize(
    ("name", "base", "words"),
    [
        ("ntf-x", "ml-kem", "begins like the tool's own parts"),
        ("x-pkg", "ml-kem", "ends like the name of a package"),
        ("a--b", "ml-kem", "pattern"),
        ("a-", "ml-kem", "pattern"),
        ("a\n", "ml-kem", "pattern"),
    ],
)
def test_names_that_no_design_can_have(name: str, base: str, words: str) -> None:
    with pytest.raises(NttforgeError, match=re.escape(words)) as caught:
        build(load_design(base, {"name": name}))
    assert "name" in caught.value.field


@pytest.mark.parametrize("base", first(OF_EACH, 2))
def test_a_design_may_be_named_like_a_part_of_another(base: str, tmp_path: Path) -> None:
    """No part's file is overwritten: there are as many files under every name, all different."""
    usual = build(load_design(base, {**OF_EACH[base], "name": "mine"}))
    for name in ("mlkem-transform", "mlkem-program", "kernel"):
        design = load_design(base, {**OF_EACH[base], "name": name})
        core = build(design)
        assert len(core.templates) == len(usual.templates), name
        written = write(core, design, tmp_path / name)
        assert len({*written.files}) == len(written.files)
        modules = [
            found
            for file in written.files
            for found in re.findall(
                r"^(?:module|package) (\w+)", (tmp_path / name / file).read_text(), re.MULTILINE
            )
        ]
        assert len({*modules}) == len(modules) == len(written.files), name
