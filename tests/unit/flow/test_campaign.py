# SPDX-License-Identifier: Apache-2.0
"""Campaigns: parts with seeds of their own, done once, summed up."""

import json
import shlex
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from nttforge.errors import NttforgeError
from nttforge.flow.campaign import APART, campaign, part_size
from nttforge.flow.sweep import Point, Row
from nttforge.options.model import LAST_SEED
from nttforge.table import Line
from tests.unit.cli.cli_calls import call

DESIGN = 'name = "long-run"\nfamily = "iterative"\n[[rings]]\nn = 16\nq = 97\n'


def right(point: Point) -> Row:
    result = {"transforms": 510, "cycles": 1000, "violation": None}
    return point.row(ok=True, result=result)


@dataclass
class Workers:
    """Of no machine: rows at once, until it is interrupted."""

    do: Callable[[Point], Row] = right
    most: int = 1000
    count: int = 1
    done: list[object] = field(default_factory=list)

    def rows(self, points: Sequence[Point]) -> Generator[Row]:
        for point in points:
            if len(self.done) == self.most:
                raise KeyboardInterrupt
            self.done.append(point.options["seed"])
            yield self.do(point)


@pytest.fixture
def design(tmp_path: Path) -> str:
    path = tmp_path / "long-run.toml"
    path.write_text(DESIGN)
    return str(path)


def test_parts_are_neither_small_nor_large() -> None:
    assert [part_size(n) for n in (1, 500, 20_000, 100_000, 10**6, 10**9)] == [
        *(1, 500, 500, 1000, 10_000, 10_000)
    ]


def test_what_was_done_is_not_done_again(design: str, tmp_path: Path) -> None:
    rows, messages = tmp_path / "rows.jsonl", list[str]()
    first = Workers(most=3)
    with pytest.raises(KeyboardInterrupt):
        campaign(design, {}, 5_000, rows, first, progress=messages.append)
    second = Workers()
    result = campaign(design, {}, 5_000, rows, second, progress=messages.append)
    assert first.done + second.done == [number * APART for number in range(10)]
    assert (result.ok, result.parts, result.kept, result.compared) == (True, 10, 3, 5100)
    assert result.cycles == 10_000
    assert any("(100%)" in text and "to go" in text for text in messages)


def test_what_fails_is_named_with_its_seed(design: str, tmp_path: Path) -> None:
    def wrong(point: Point) -> Row:
        if point.options["seed"] == APART:
            result = {"transforms": 510, "cycles": 7, "violation": "tlast: early"}
            return point.row(ok=False, result=result)
        if point.options["seed"] == 2 * APART:
            return point.row(ok=False, error="no room")
        return right(point)

    result = campaign(design, {}, 2_000, tmp_path / "rows.jsonl", Workers(wrong))
    assert not result.ok
    assert result.bad == {APART: "tlast: early", 2 * APART: "no room"}
    assert result.compared == 3 * 510
    shown = " ".join(str(block) for block in result.shown())
    assert f"--transforms 500 --seed {APART}" in shown
    # What has found nothing is done again.
    again = Workers()
    result = campaign(design, {}, 2_000, tmp_path / "rows.jsonl", again)
    assert (again.done, result.kept, result.bad) == ([2 * APART], 3, {APART: "tlast: early"})


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"pipeline.seamless": True}, ["pipeline.seamless=true"]),
        (
            {"rings": [{"n": 16, "q": 1 << 80}]},
            ['rings=[{n = 16, q = "1208925819614629174706176"}]'],
        ),
        ({"name": "a 'b", "pipeline": {"x.y": 1.5}}, ['name="a \'b"', 'pipeline={"x.y" = 1.5}']),
    ],
)
def test_the_command_that_does_a_part_again_has_the_keys(
    keys: dict[str, object], words: list[str], design: str, tmp_path: Path
) -> None:
    def wrong(point: Point) -> Row:
        return point.row(ok=False, error="no room")

    result = campaign(design, keys, 500, tmp_path / "rows.jsonl", Workers(wrong))
    (line,) = [b.text for b in result.shown() if isinstance(b, Line) and "verify" in b.text]
    command = line.partition(": ")[2].removesuffix(" --trace failed.fst")
    assert shlex.split(command) == [
        *("nttforge", "verify", design),
        *(word for each in words for word in ("--set", each)),
        *("--transforms", "500", "--seed", "0"),
    ]


def test_seeds_do_not_run_out(design: str, tmp_path: Path) -> None:
    with pytest.raises(NttforgeError, match="smaller"):
        campaign(design, {}, 1000, tmp_path / "rows.jsonl", Workers(), seed=LAST_SEED)


def test_other_options_are_refused(
    design: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, flag in (
        (("--campaign", 1000, "--transforms", 5), "--transforms / --cases"),
        (("--campaign", 1000, "--trace", tmp_path / "x.fst"), "--trace"),
        (("--results", tmp_path / "x.jsonl"), "--results"),
    ):
        code, _, said = call(capsys, "verify", design, *words)
        assert code == 1 and said.splitlines()[-1].startswith(f"error: {flag}: ")


@pytest.mark.slow
def test_the_command_does_a_campaign(
    design: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("verify", design, "--campaign", 600, "--results", tmp_path / "rows.jsonl", "--json")
    code, said, _ = call(capsys, *words)
    result = json.loads(said)
    assert code == 0 and result["parts"] == 2 and result["compared"] >= 1000
    code, said, _ = call(capsys, *words)
    assert code == 0 and json.loads(said)["kept"] == 2
