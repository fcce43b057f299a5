# SPDX-License-Identifier: Apache-2.0
"""The tutorial's notebook: its cells run, lesson by lesson, and find what the page says."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = json.loads(
    (Path(__file__).parents[2] / "docs" / "tutorial.ipynb").read_text(encoding="utf-8")
)
#: What lessons leave behind, by the number in their headings.
FOUND: dict[str, dict[str, Any]] = {
    "1": {"measured.cycles_per_transform": 128, "measured.latency_cycles": 322},
    "2": {
        "order": [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
        "verified.ok": True,
        "verified.transforms": 136,
    },
    "3": {"cycles": {"sixteen": 8, "wide": 2, "row": 36}},
    "4": {"folder.top": "sixteen"},
}
#: These synthesize.
SLOW = ("3",)


def lessons() -> Iterator[tuple[str, str]]:
    """Number and code of each lesson."""
    number, code = "", list[str]()
    for cell in NOTEBOOK["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "code":
            code.append(text)
        elif text.startswith("## "):
            if number:
                yield number, "\n".join(code)
            number, code = text[3], []
    yield number, "\n".join(code)


LESSONS = dict(lessons())


@pytest.mark.sim
@pytest.mark.parametrize(
    "number",
    [pytest.param(n, marks=pytest.mark.slow if n in SLOW else ()) for n in LESSONS],
)
def test_a_lesson_finds_what_the_page_says(
    number: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    before = ["import numpy as np\nimport nttforge"] if number == "1" else [
        "import nttforge",
        'sixteen = nttforge.open("ml-kem", name="sixteen", rings=[{"n": 16, "q": 97}])',
    ]  # fmt: skip
    for text in (*before, LESSONS[number]):
        exec(compile(text, f"lesson {number}", "exec"), names)
    for expression, value in FOUND[number].items():
        assert eval(expression, names) == value, expression
    if number == "1":
        assert (names["engine"].intt(names["y"]) == names["x"]).all()
    if number == "2":
        assert "use 97, the nearest prime that is 1 mod 32" in names["problem"]


def test_it_is_small_and_has_no_outputs() -> None:
    assert set(LESSONS) == set(FOUND)
    assert len(json.dumps(NOTEBOOK)) < 10_000
    for cell in NOTEBOOK["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None
        assert all(len(line) <= 121 for line in cell["source"])
