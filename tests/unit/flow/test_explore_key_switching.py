# SPDX-License-Identifier: Apache-2.0
"""From a key switching to an engine: what is looked at, what is chosen, and why nothing is."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from nttforge.cli import main
from nttforge.config.requirements import KeySwitching
from nttforge.design import load_design, parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.explore.explore import ExploreResult, explore, parse_requirements
from nttforge.flow.scaling import drawn
from nttforge.hw import estimate
from nttforge.hw.dram import HBM2_U280
from nttforge.kinds.rns import search_space
from nttforge.kinds.rns.search_space import bare_core, blocks, channels, transforms, uram
from nttforge.simulate.dram_model import linear

#: Limbs of Q and of P.
_Q, _P = 3, 2


@pytest.fixture(autouse=True)
def _fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not all that is looked at, of one transform each."""
    monkeypatch.setattr(search_space, "TARGETS", (1, 2))
    monkeypatch.setattr(search_space, "ROWS", (24,))


def looked(asked: Mapping[str, int] | None = None, **more: Any) -> ExploreResult:
    """Of key switchings of 64 coefficients."""
    ring = {"n": 64, "q": "runtime", "bits": 50, "moduli": _Q + _P}
    need = {"rings": [ring], "key_switching": asked or {"limbs": _Q, "special": _P}, **more}
    return explore(parse_requirements(need, "test"))


def test_the_least_of_those_that_are_fast_enough_is_chosen() -> None:
    result = looked(interval=1500, max_dsp=400)
    assert result.ok and result.chosen is not None
    assert {each.family for each in result.candidates} == {"rns"}
    for each in result.candidates:
        assert (each.each <= 1500 and (each.dsp or 0) <= 400) == (not each.violations)
    met = [each for each in result.candidates if not each.violations]
    assert 0 < len(met) < len(result.candidates)
    assert result.chosen.area("balanced") == min(each.area("balanced") for each in met)
    assert len({each.keys["butterflies"] for each in result.candidates}) > 1
    assert {each.keys["targets"] for each in result.candidates} == {1, 2}


def test_factors_in_tables_and_made_are_looked_at() -> None:
    """Of a small ring both are tables, which is seen once."""
    asked = parse_requirements(
        {
            "rings": [{"n": 4096, "q": "runtime", "bits": 50, "moduli": 3}],
            "key_switching": {"limbs": 2},
            "interval": 1 << 14,
        },
        "test",
    )
    result = explore(asked)
    rams = {each.keys["twiddles"]: each.bram18 for each in result.candidates}
    assert set(rams) == {"tables", "made"}
    assert (rams["made"] or 0) < (rams["tables"] or 0)


def test_figures_are_those_of_the_design_that_is_written(tmp_path: Path) -> None:
    """Cycles of its list schedule, and blocks counted from its plans."""
    result = looked(interval=1500)
    assert result.chosen is not None
    file = tmp_path / "mine.toml"
    file.write_text(result.chosen.design, "utf-8")
    core = bare_core(load_design(str(file)))
    asked = KeySwitching(limbs=_Q, special=_P)
    job = search_space.switching_job(core, asked, 1)
    assert result.chosen.each == result.chosen.latency == job.order.clocks
    assert (result.chosen.dsp, result.chosen.uram) == (blocks(core), uram(core))
    lanes = 2 * result.chosen.keys["butterflies"]
    assert core.lanes == lanes
    assert result.chosen.each > transforms(asked) * core.n / lanes


def test_calls_with_one_key_overlap() -> None:
    """So each takes less than one alone, which is the latency."""
    result = looked({"limbs": _Q, "special": _P, "calls": 4}, interval=1500)
    assert result.chosen is not None and result.chosen.each < result.chosen.latency
    alone = {str(each.keys): each.latency for each in looked(interval=1500).candidates}
    both = [each for each in result.candidates if str(each.keys) in alone]
    assert both and all(alone[str(each.keys)] == each.latency for each in both)


@pytest.mark.parametrize(
    ("bound", "figure"),
    [({"max_uram": 0}, "uram"), ({"max_channels": 0}, "channels"), ({"max_dsp": 5}, "dsp")],
)
def test_why_nothing_fits(bound: dict[str, Any], figure: str) -> None:
    result = looked(interval=1500, **bound)
    (option,) = bound
    assert not result.ok and f"--{option.replace('_', '-')}" in result.why
    assert f"{figure} " in result.why.splitlines()[-1]


def test_too_few_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_space, "ROWS", (8,))
    with pytest.raises(NttforgeError, match=r"rns\.rows: 8 are too few"):
        looked(interval=1500)


def test_more_limbs_than_moduli_are_refused() -> None:
    with pytest.raises(NttforgeError, match=r"rings\.0\.moduli: 5 \+ 1 limbs are more than 5"):
        looked({"limbs": 5, "special": 1})


def test_other_families_offer_no_key_switching() -> None:
    with pytest.raises(NttforgeError, match="loaded moduli"):
        explore(parse_requirements({"rings": ["ml-kem"], "key_switching": {"limbs": 2}}, "test"))
    ring = {"n": 64, "q": "runtime", "bits": 50}
    transforms_alone = explore(parse_requirements({"rings": [ring], "interval": 32}, "test"))
    assert "rns" not in {each.family for each in transforms_alone.candidates}


def test_rows_are_block_rams_where_there_is_no_ultraram() -> None:
    here, there = (looked(interval=1500, target=target) for target in ("xcup", "ecp5"))
    assert all(each.uram for each in here.candidates)
    assert all(each.uram is None for each in there.candidates)
    most = max(each.bram18 or 0 for each in here.candidates)
    assert all((each.bram18 or 0) > most for each in there.candidates)


def test_channels_keep_up_with_a_beat_a_clock() -> None:
    """Two words a lane in each clock, at the rate that the model of the memory observes."""
    assert 0.98 < linear(HBM2_U280) / HBM2_U280.streamed <= 1
    found = []
    for butterflies in (1, 4, 16):
        ring = {"n": 64, "q": "runtime", "bits": 50, "moduli": 4}
        data = {"name": "x", "family": "rns", "rings": [ring], "rns": {"butterflies": butterflies}}
        found.append(channels(bare_core(parse_design(data, "test")), 300))
    assert found == [1, 3, 12]


def test_an_engine_with_few_rows_is_estimated_at_a_level_it_has_them_for() -> None:
    ring = {"n": 64, "q": "runtime", "bits": 50, "moduli": 8}
    data = {"name": "x", "family": "rns", "rings": [ring], "rns": {"rows": 16}}
    ((name, cycles),) = estimate(parse_design(data, "test")).cycles.items()
    limbs = int(name.split(" + ")[0])
    assert 1 <= limbs < 6 and cycles.each > 64


@pytest.mark.long
def test_a_design_is_compared_with_what_there_is() -> None:
    """And its report has a curve without look-up tables."""
    design = load_design("ckks-14")
    svg = drawn(design)
    assert svg is not None and "DSP" in svg and "LUT" not in svg


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["runtime", "--n", "256", "--key-switch", "4,2"], "RING: runtime has no n, or no width"),
        (["runtime", "--n", "256", "--bits", "50", "--key-switch", "4"], "--key-switch: 1 numbers"),
        (["runtime", "--n", "256", "--bits", "50", "--key-switch", "0,1"], "--key-switch: 0 and 1"),
        (["runtime", "--n", "256", "--bits", "50", "--key-switch", "60,5"], "--key-switch: 60 and"),
        (["ml-kem", "--bits", "50"], "--bits: ml-kem has its own"),
        (["ml-kem", "--max-uram", "5"], "--max-uram: nothing estimates it"),
    ],
)
def test_wrong_options_are_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["explore", *words])
    assert ended.value.code == 1
    assert said in capsys.readouterr().err


def test_the_command_writes_a_design(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    words = ["explore", "runtime", "--n", "64", "--bits", "50", "--key-switch", "3,2,2"]
    with pytest.raises(SystemExit) as ended:
        main([*words, "--interval", "1500", "-o", str(file), "--json"])
    assert ended.value.code == 0
    data = json.loads(capsys.readouterr().out)
    (chosen,) = (each for each in data["candidates"] if each["chosen"])
    assert file.read_text("utf-8") == chosen["design"]
    assert chosen["each"] <= 1500
    design = load_design(str(file))
    assert design.family == "rns" and design.rings[0].moduli == 5
