# SPDX-License-Identifier: Apache-2.0
"""Users' texts in generated files: :class:`Escaping` escapes free text for the file's language."""

import html
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pydantic import BaseModel

from nttforge.config.fields import FREE_TEXT
from nttforge.kinds import folders

_TEMPLATES = Path(__file__).with_name("templates")


def one_line(text: str) -> str:
    """A text without line breaks, and without characters that are not seen."""
    return "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))


def comment(text: str) -> str:
    """In a comment of one line: it neither ends there nor goes on after it."""
    return one_line(text).replace("*/", "* /").replace("/*", "/ *").replace("\\", "/")


def markdown(text: str) -> str:
    """In a paragraph, or a cell of a table, as it stands: neither markup nor HTML."""
    line = re.sub(r"([\\`*_\[\]<>&|~])", r"\\\1", one_line(text))
    return re.sub(r"^(\d*)([#+=.)-])", r"\1\\\2", line)  # no heading, no list


def xml(text: str) -> str:
    """In an attribute, in an element, or in a comment, where two hyphens must not be."""
    return re.sub("-(?=-|$)", "&#45;", html.escape(one_line(text)))


def yaml(text: str) -> str:
    """A scalar, quotes included."""
    return json.dumps(one_line(text), ensure_ascii=False)


LANGUAGES: Mapping[str, Callable[[str], str]] = {
    ".sv": comment,
    ".v": comment,
    ".h": comment,
    ".c": comment,
    ".ld": comment,
    ".cpp": comment,
    ".rdl": comment,
    ".tcl": comment,
    ".xdc": comment,
    ".sdc": comment,
    ".toml": comment,
    "": comment,  # a Makefile
    ".cfg": comment,
    ".md": markdown,
    ".xml": xml,
    ".core": yaml,
}
"""By a generated file's suffix."""


@dataclass(frozen=True)
class UserText:
    """A text that is not escaped yet."""

    text: str

    def __bool__(self) -> bool:
        return bool(self.text)

    def __str__(self) -> str:
        raise TypeError("a user's text must be written by itself, {{ like this }}, to be escaped")


class Escaping(Environment):
    """Templates of files with one suffix; texts of a design in them are users' texts."""

    def __init__(self, suffix: str) -> None:
        escape = LANGUAGES[suffix]
        super().__init__(
            loader=FileSystemLoader([_TEMPLATES, *folders("templates")]),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            finalize=lambda value: escape(value.text) if isinstance(value, UserText) else value,
        )

    def getattr(self, obj: Any, attribute: str) -> Any:
        """An attribute; that of a design that is free text is a user's."""
        value = super().getattr(obj, attribute)
        field = type(obj).model_fields.get(attribute) if isinstance(obj, BaseModel) else None
        return UserText(value) if field is not None and FREE_TEXT in field.metadata else value
