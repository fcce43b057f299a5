# SPDX-License-Identifier: Apache-2.0
"""The choice of an engine for a board: what it looks at, what it takes, what it writes."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nttforge.cli import main
from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.families.decomposed.explore import Board
from nttforge.flow.decomposed.explore import explore
from nttforge.flow.prepare import prepare_any

Q = "998244353"  # 2^23 * 119 + 1
BOARD = Board(clock_mhz=165, channel_gbytes_s=3, burst_bytes=256, dsp=200, ram_bits=2_000_000)


@pytest.fixture(scope="module")
def result() -> Any:
    return explore(Q, BOARD, sizes=(12, 16))


def test_the_fastest_that_fits_is_chosen(result: Any) -> None:
    assert (result.word_bits, result.words_a_beat) == (32, 9.09)
    chosen = [c for c in result.candidates if c.chosen]
    assert len(chosen) == 1 and chosen[0].fits
    assert {c.t for c in result.candidates} == {4, 8}
    for other in result.candidates:
        assert other.fits == (other.dsp <= BOARD.dsp and other.ram_bits <= BOARD.ram_bits)
        if other.fits and other.n > chosen[0].n and other.t == chosen[0].t:
            pytest.fail(f"n = {other.n} fits, and has fewer passes")
        for size in (12, 16):
            one, batch = other.latency_floor[size], other.batch_floor[size]
            assert one is None or one > batch
    assert any(not c.fits for c in result.candidates)


def test_fewer_multipliers_take_fewer_words_a_beat(result: Any) -> None:
    wide = [c for c in result.candidates if c.t == 8]
    few = explore(Q, replace(BOARD, dsp=min(c.dsp for c in wide) - 1), sizes=(12, 16))
    assert next(c for c in few.candidates if c.chosen).t == 4


def test_the_written_design_is_the_chosen_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    words = [
        *("explore", Q, "--clock", "165", "--bandwidth", "3", "--burst", "256", "--max-dsp", "200"),
        *("--ram", "2", "--sizes", "12,16", "--largest", "17", "-o", str(file), "--json"),
    ]
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    data = json.loads(capsys.readouterr().out)
    chosen = next(c for c in data["candidates"] if c["chosen"])
    assert file.read_text("utf-8") == data["design"]
    prepared = prepare_any(load_design(str(file)))
    core: Any = prepared.core
    assert (core.name, core.largest) == ("mine", 17)
    assert (core.board.n, core.board.t, core.board.b) == (chosen["n"], chosen["t"], chosen["b"])
    parts = core.facts["multipliers"].values()
    assert sum(count * dsp for count, dsp in parts) == chosen["dsp"]
    with pytest.raises(SystemExit):
        main([*words[:-3], "--markdown"])
    shown = capsys.readouterr().out
    assert "| chosen |" in shown and "```toml" in shown


@pytest.mark.parametrize(
    ("ring", "changes", "more", "complaint"),
    [
        ("goldilock", {}, {}, "RING: goldilock is neither .* goldilocks"),
        ("91", {}, {}, "91 is not an odd prime"),
        (Q, {"channel_gbytes_s": 0}, {}, "--bandwidth: 0 is not above 0"),
        (Q, {"channel_gbytes_s": float("nan")}, {}, "--bandwidth: nan"),
        (Q, {"channel_gbytes_s": 0.5}, {}, "a slower clock will do as well"),
        (Q, {"clock_mhz": -1}, {}, "--clock: -1"),
        (Q, {"dsp": 5}, {}, "board: no engine for these sizes fits 5 .* the smallest, n = 16"),
        (Q, {"ram_bits": 1000}, {}, "0.0 Mb of memory"),
        (Q, {}, {"sizes": (12, 24)}, r"--sizes: 2\^24 is above the largest, 2\^23"),
        (Q, {}, {"sizes": (2,)}, r"--sizes: no engine .* transforms of 2\^2; use 4 or more"),
        (Q, {}, {"largest": 24}, "--largest: .* no root of order"),
    ],
)
def test_mistakes(ring: str, changes: dict[str, Any], more: dict[str, Any], complaint: str) -> None:
    with pytest.raises(NttforgeError, match=complaint):
        explore(ring, replace(BOARD, **changes), **{"sizes": (12,), **more})


@pytest.mark.parametrize(
    ("file", "complaint"), [("mine.txt", "end in .toml"), ("no/mine.toml", "no such folder")]
)
def test_files_that_cannot_be_written(tmp_path: Path, file: str, complaint: str) -> None:
    with pytest.raises(NttforgeError, match=complaint):
        explore(Q, BOARD, sizes=(12,), output=tmp_path / file)
