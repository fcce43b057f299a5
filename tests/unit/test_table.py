# SPDX-License-Identifier: Apache-2.0
"""A result says once what it shows; terminal, Markdown and HTML show the same."""

import io
import json

from rich.console import Console

from nttforge.cli.terminal import show
from nttforge.table import Block, Cell, Code, Line, Table, data, html, markdown, read, tree, verdict

TABLE = Table("Areas", ("block", "lut"), [("u_a", 1234), ("  u_b|c", None)], ["both < one"])
BLOCKS: list[Block] = [TABLE, Line("so it is"), Code("x = 1\n", "toml"), verdict(False, "", "no")]


def on_terminal(blocks: list[Block]) -> str:
    out = io.StringIO()
    show(blocks, Console(file=out, width=100))
    return out.getvalue()


def test_every_renderer_shows_every_cell() -> None:
    for shown in (on_terminal(BLOCKS), markdown(BLOCKS), html(BLOCKS)):
        for text in ("block", "lut", "u_a", "1,234", "u_b", "both", "so it is", "x = 1", "no"):
            assert text in shown


def test_code_is_not_broken() -> None:
    """Keys in hexadecimal are copied from a terminal."""
    assert "ab" * 400 in on_terminal([Code("ab" * 400)]).splitlines()


def test_markdown() -> None:
    lines = markdown([TABLE]).splitlines()
    assert lines == [
        "| block | lut |",
        "| --- | ---: |",
        "| `u_a` | 1,234 |",
        "| &emsp;`u_b\\|c` |  |",
        "",
        "- both < one",
    ]
    assert "**Areas**" in markdown([TABLE, TABLE])
    assert markdown([BLOCKS[2]]) == "```toml\nx = 1\n```"


def test_html_is_escaped() -> None:
    assert "<p>both &lt; one</p>" in html([TABLE])
    assert '<td class="number">1,234</td>' in html([TABLE])


def test_a_column_of_numbers_has_nothing_else() -> None:
    rows: list[tuple[Cell, ...]] = [(1, "1", None, 1.5), (None, 2, None, 2)]
    assert Table("", "abcd", rows).numeric == [True, False, False, True]


def test_json_holds_all_of_it() -> None:
    again = read(json.loads(json.dumps(data(BLOCKS))))
    assert markdown(again) == markdown(BLOCKS)
    assert json.dumps(data(again)) == json.dumps(data(BLOCKS))


def test_a_tree_has_what_is_new_in_each_line() -> None:
    assert tree(["a", "a.b", "a.b.c", "a.d", "e"]) == ["a", "  b", "    c", "  d", "e"]
