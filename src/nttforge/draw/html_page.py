# SPDX-License-Identifier: Apache-2.0
"""Pages of HTML from the templates of this room."""

import json
from collections.abc import Mapping
from pathlib import Path


def script_json(value: object, separators: tuple[str, str] = (", ", ": ")) -> str:
    """For a script within a page: nothing in it ends the script."""
    return json.dumps(value, separators=separators).replace("<", "\\u003c")


def filled(template: str, parts: Mapping[str, str]) -> str:
    """A template whose marks, `@NAME@`, are replaced by their parts, in this order."""
    text = Path(__file__).with_name(template).read_text("utf-8")
    for mark, part in parts.items():
        text = text.replace(f"@{mark}@", part)
    return text
