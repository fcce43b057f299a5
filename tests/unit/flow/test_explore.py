# SPDX-License-Identifier: Apache-2.0
"""Engines for large transforms on a board: what is looked at, what is taken, what is written."""

import json
from pathlib import Path
from typing import Any

import pytest

from nttforge.cli import main
from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.flow.explore.explore import ExploreResult, explore, parse_requirements
from nttforge.flow.prepare import prepare_any

Q = "998244353"  # 2^23 * 119 + 1
BOARD: dict[str, Any] = {"bandwidth": 3, "burst": 256, "ram": 2.0, "sizes": [12, 16]}


def looked(*, mhz: float = 165, max_dsp: int = 200, **board: Any) -> ExploreResult:
    need = {"rings": [{"q": Q}], "mhz": mhz, "max_dsp": max_dsp, "memory": {**BOARD, **board}}
    return explore(parse_requirements(need, "test"))


@pytest.fixture(scope="module")
def result() -> ExploreResult:
    return looked()


def test_the_fastest_that_fits_is_chosen(result: ExploreResult) -> None:
    chosen = result.chosen
    assert result.ok and chosen is not None and not chosen.violations
    assert {c.keys["t"] for c in result.candidates} == {4, 8}
    for other in result.candidates:
        fits = (other.dsp or 0) <= 200 and (other.ram or 0) <= 2
        assert fits == (not other.violations)
        if fits and other.keys["t"] == chosen.keys["t"]:
            assert other.keys["n"] <= chosen.keys["n"], "it fits, and has fewer passes"
        if fits:
            assert chosen.time() <= 1.02 * other.time()
        assert all(one > batch for one, batch in other.cycles.values())
    assert any("--ram" in c.violations for c in result.candidates)


def test_fewer_multipliers_take_fewer_words_a_beat(result: ExploreResult) -> None:
    wide = [c for c in result.candidates if c.keys["t"] == 8]
    few = looked(max_dsp=round(min(c.dsp or 0 for c in wide)) - 1)
    assert few.chosen and few.chosen.keys["t"] == 4


def test_all_sizes_count_together(result: ExploreResult) -> None:
    """The geometric mean for several sizes is that of the means for each of them."""
    single = [{c.text: c.together for c in looked(sizes=[s]).candidates} for s in (12, 16)]
    for each in result.candidates:
        small, large = (found[each.text] for found in single)
        assert small and large and each.together == pytest.approx((small * large) ** 0.5)


def test_the_written_design_is_the_chosen_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    words = [
        *("explore", Q, "--mhz", "165", "--bandwidth", "3", "--burst", "256", "--max-dsp", "200"),
        *("--ram", "2", "--sizes", "12,16", "--largest", "17", "-o", str(file), "--json"),
    ]
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    data = json.loads(capsys.readouterr().out)
    chosen = next(c for c in data["candidates"] if c["chosen"])
    assert file.read_text("utf-8") == chosen["design"]
    prepared = prepare_any(load_design(str(file)))
    core: Any = prepared.core
    assert (core.name, core.largest) == ("mine", 17)
    assert [core.board.n, core.board.t, core.board.b] == [chosen["keys"][k] for k in "ntb"]
    parts = core.facts["multipliers"].values()
    assert sum(count * dsp for count, dsp in parts) == chosen["dsp"]
    with pytest.raises(SystemExit):
        main([*words[:-3], "--markdown"])
    shown = capsys.readouterr().out
    assert "| chosen |" in shown and "2^16: one / in a batch" in shown and "buffer, Mb" in shown


def test_what_binds_is_said() -> None:
    small = looked(max_dsp=5)
    assert not small.ok and "--max-dsp 5 binds" in small.why and "n = 16" in small.why
    assert "--ram 0.001 binds" in looked(ram=0.001).why


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"bandwidth": 0.5}, "a slower clock will do as well"),
        ({"bandwidth": 0}, "memory.bandwidth"),
        ({"bandwidth": float("nan")}, "memory.bandwidth"),
        ({"mhz": -1}, "mhz"),
        ({"sizes": (12, 24)}, r"--sizes: 2\^24 is above the largest, 2\^23"),
        ({"sizes": (2,)}, r"--sizes: no engine .* transforms of 2\^2; use larger ones"),
        ({"sizes": ()}, "memory.sizes"),
        ({"largest": 24}, "--largest: .* no root of order"),
    ],
)
def test_mistakes(more: dict[str, Any], complaint: str) -> None:
    with pytest.raises(NttforgeError, match=complaint):
        looked(**{"sizes": (12,), **more})
