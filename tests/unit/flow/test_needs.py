# SPDX-License-Identifier: Apache-2.0
"""From a need to an engine: what is looked at, what is chosen, and why nothing is."""

import json
from pathlib import Path
from typing import Any

import pytest

from nttforge.cli import main
from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.families import Core, build, iterative, pipeline
from nttforge.families.amounts import tables
from nttforge.families.iterative.offer import table_sizes
from nttforge.flow.explore.candidates import offers
from nttforge.flow.explore.explore import ExploreResult, explore, need_of, read_needs
from nttforge.flow.explore.front import Candidate, bounds, front
from nttforge.kinds import FAMILIES

SMALL: dict[str, Any] = {"rings": [{"n": 32, "q": 7681}]}


def looked(**more: Any) -> ExploreResult:
    return explore(need_of({**SMALL, **more}, "test"))


def test_what_meets_a_need_is_compared() -> None:
    result = looked(throughput=8, max_dsp=12)
    assert result.ok and result.looked_at == len(result.candidates) > 10
    assert {c.family for c in result.candidates} == {"pipeline", "iterative"}
    for each in result.candidates:
        assert (each.each <= 8 and (each.dsp or 0) <= 12) == (not each.misses)
    on_it = [c for c in result.candidates if c.front]
    assert on_it and not any(c.misses for c in on_it)
    assert [c.chosen for c in result.candidates].count(True) == 1
    for better in (c for c in result.candidates if not c.misses):
        for worse in on_it:
            figures = [(c.time(), c.lut or 0, c.dsp or 0, c.bram18 or 0) for c in (better, worse)]
            pairs = list(zip(*figures, strict=True))
            assert not (all(a <= b for a, b in pairs) and any(a < b for a, b in pairs))


def test_cycles_are_those_of_the_core(tmp_path: Path) -> None:
    """Which simulations observe."""
    result = looked(throughput=8, latency=60)
    for number, each in enumerate(result.candidates[::7]):
        file = tmp_path / f"d{number}.toml"
        file.write_text(each.design)
        core = build(load_design(str(file)))
        assert isinstance(core, Core)
        assert each.latency == max(o.latency for o in core.operations)
        assert each.each == max(core.facts["intervals"])


def test_each_goal_has_its_least() -> None:
    small, fast = looked(), looked(max_dsp=20)
    assert (small.aim, fast.aim) == ("area", "time")
    for result in (small, fast):
        assert result.chosen is not None
    assert small.chosen and fast.chosen
    meeting = [c for c in fast.candidates if not c.misses]
    assert fast.chosen.time() <= 1.02 * min(c.time() for c in meeting)
    least = min(c.area("balanced") for c in small.candidates)
    assert small.chosen.area("balanced") == least


def test_why_not() -> None:
    result = looked(throughput=2, max_dsp=1)
    assert not result.ok and result.chosen and result.chosen.misses
    assert "binds" in result.why or "bind together" in result.why
    assert "nearest: " in result.why
    assert [c for c in result.candidates if c.front] == [result.chosen]


def test_bounds_that_bind_are_named() -> None:
    few = min(c.dsp or 0 for c in looked(throughput=16).candidates if c.each <= 16)
    result = looked(throughput=16, max_dsp=max(0, round(few) - 1), max_bram=10**6)
    lines = result.why.splitlines()
    assert not result.ok and any(line.startswith("--max-dsp") for line in lines)
    for line in lines[:-1]:
        option = line.split()[0]
        assert option in ("--throughput", "--max-dsp") and "binds" in line
        kept = {"--throughput": {"max_dsp": round(few) - 1}, "--max-dsp": {"throughput": 16}}
        assert looked(**kept[option]).ok


def candidate(*figures: float) -> Candidate:
    each, lut, dsp = figures
    return Candidate(
        family="x", keys={}, cycles={}, each=each, latency=1, lut=lut, dsp=dsp, bram18=0
    )


def test_the_front_of_some_points() -> None:
    points = [candidate(*at) for at in ((4, 9, 9), (2, 9, 9), (9, 1, 9), (9, 1, 9), (9, 9, 0))]
    assert sorted(front(points, latency=False)) in ([1, 2, 4], [1, 3, 4])


def test_a_file_of_needs(tmp_path: Path) -> None:
    file = tmp_path / "needs.toml"
    file.write_text('[[needs]]\nname = "a"\nrings = "ml-kem"\nthroughput = 128\n')
    (need,) = read_needs(file)
    assert (need.name, need.rings[0].preset, need.throughput) == ("a", "ml-kem", 128)
    assert list(bounds(need)) == ["--throughput"]


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"throughput": 0}, "throughput.*greater than or equal to 1"),
        ({"speed": 1}, "speed"),
        ({"rings": ["ml-kom"]}, "no ring named 'ml-kom'.*ml-kem"),
        ({"rings": [{"q": 7681}]}, "n: is missing"),
        ({"min_mhz": 100.0, "target": "xcup"}, "--min-mhz: nothing estimates the clock of xcup"),
        ({"operations": ["ntt", "polymul"], "throughput": 1, "rings": [{"n": 4, "q": 7681}]}, ""),
    ],
)
def test_mistakes(more: dict[str, Any], complaint: str) -> None:
    if not complaint:
        assert not looked(**more).ok
        return
    with pytest.raises(NttforgeError, match=complaint):
        looked(**more)


def test_the_written_design_is_the_chosen_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    words = ["explore", "7681", "--n", "32", "--throughput", "8", "-o", str(file)]
    with pytest.raises(SystemExit) as ended:
        main([*words, "--json"])
    assert ended.value.code == 0
    data = json.loads(capsys.readouterr().out)
    (chosen,) = (c for c in data["candidates"] if c["chosen"])
    assert file.read_text("utf-8") == chosen["design"]
    assert load_design(str(file)).name == "mine"
    with pytest.raises(SystemExit) as ended:
        main([*words[:-2], "--max-dsp", "0", "--max-bram", "0", "--throughput", "1"])
    assert ended.value.code == 1 and "nearest: " in capsys.readouterr().out


def test_every_family_that_is_explored_has_both_halves() -> None:
    assert sum(kind.offer is not None for kind in FAMILIES.values()) >= 2


@pytest.mark.parametrize(
    "more",
    [
        {"rings": ["ml-kem"]},
        {"rings": ["newhope-512"], "operations": ["ntt"]},
        {"rings": [{"n": 64, "q": "0xffffffff00000001", "form": "x^n-1"}]},
        {"rings": [{"n": 16, "q": 97, "layers": 3}, {"n": 16, "q": 193}]},
        {"rings": [{"n": 64, "q": 3329, "layers": 5}], "operations": ["intt", "polymul"]},
    ],
)
def test_tables_follow_from_layouts(more: dict[str, Any]) -> None:
    """What is estimated without the factors is what the factors make."""
    seen = set()
    for found in offers(need_of({**more, "throughput": 256}, "test")):
        if isinstance(found, NttforgeError):
            continue
        if found.data["family"] == "pipeline":
            engine = pipeline.work_out(found.design)
            seen.add("pipeline")
            sizes = [tables(engine, stage) for stage in range(engine.stages)]
            assert sizes == list(zip(engine.rom_counts, engine.rom_depths, strict=True))
        elif found.table["butterflies"] <= 8:
            core = iterative.work_out(found.design)
            seen.add("iterative")
            groups = [(len(group.tables), group.depth) for group in core.factors.groups]
            assert table_sizes(core) == groups
    assert seen >= {"iterative"}
