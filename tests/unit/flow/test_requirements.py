# SPDX-License-Identifier: Apache-2.0
"""From a need to an engine: what is looked at, what is chosen, and why nothing is."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest

from nttforge.cli import main
from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.flow.explore import prove
from nttforge.flow.explore.area_model import estimate_area, model
from nttforge.flow.explore.candidates import candidate_designs
from nttforge.flow.explore.explore import (
    Explored,
    ExploreResult,
    explore,
    explore_all,
    parse_requirements,
    read_requirements,
    requirements_of,
)
from nttforge.flow.explore.pareto import Candidate, bounds, front
from nttforge.hw import StreamCore, build
from nttforge.hw.resources import tables
from nttforge.kinds import FAMILIES, is_explored
from nttforge.kinds.iterative import engine as iterative_engine
from nttforge.kinds.iterative.search_space import table_sizes
from nttforge.kinds.stream.build import elaborate
from nttforge.table import markdown
from tests import areas
from tests.browser import installed, opened

SMALL: dict[str, Any] = {"rings": [{"n": 32, "q": 7681}]}


def looked(**more: Any) -> ExploreResult:
    return explore(parse_requirements({**SMALL, **more}, "test"))


def test_what_meets_a_need_is_compared() -> None:
    result = looked(interval=8, max_dsp=12)
    assert result.ok and result.looked_at == len(result.candidates) > 10
    assert {c.family for c in result.candidates} == {"pipeline", "iterative"}
    for each in result.candidates:
        assert (each.each <= 8 and (each.dsp or 0) <= 12) == (not each.violations)
    on_it = [c for c in result.candidates if c.front]
    assert on_it and not any(c.violations for c in on_it)
    assert [c.chosen for c in result.candidates].count(True) == 1
    for better in (c for c in result.candidates if not c.violations):
        for worse in on_it:
            figures = [
                (c.time(), c.lut or 0, c.dsp or 0, c.bram18 or 0, c.ff or 0)
                for c in (better, worse)
            ]
            pairs = list(zip(*figures, strict=True))
            assert not (all(a <= b for a, b in pairs) and any(a < b for a, b in pairs))


def test_cycles_are_those_of_the_core(tmp_path: Path) -> None:
    """Which simulations observe."""
    result = looked(interval=8, latency=60)
    for number, each in enumerate(result.candidates[::7]):
        file = tmp_path / f"d{number}.toml"
        file.write_text(each.design)
        core = build(load_design(str(file)))
        assert isinstance(core, StreamCore)
        assert each.latency == max(o.latency for o in core.operations)
        assert each.each == max(core.facts["intervals"])


def test_each_goal_has_its_least() -> None:
    small, fast = looked(), looked(max_dsp=20)
    assert (small.aim, fast.aim) == ("area", "time")
    for result in (small, fast):
        assert result.chosen is not None
    assert small.chosen and fast.chosen
    meeting = [c for c in fast.candidates if not c.violations]
    assert fast.chosen.time() <= 1.02 * min(c.time() for c in meeting)
    least = min(c.area("balanced") for c in small.candidates)
    assert small.chosen.area("balanced") == least


def test_why_not() -> None:
    result = looked(interval=2, max_dsp=1)
    assert not result.ok and result.chosen and result.chosen.violations
    assert "binds" in result.why or "bind together" in result.why
    assert "nearest: " in result.why
    assert [c for c in result.candidates if c.front] == [result.chosen]


def test_bounds_that_bind_are_named() -> None:
    few = min(c.dsp or 0 for c in looked(interval=16).candidates if c.each <= 16)
    result = looked(interval=16, max_dsp=max(0, round(few) - 1), max_bram18=10**6)
    lines = result.why.splitlines()
    assert not result.ok and any(line.startswith("--max-dsp") for line in lines)
    for line in lines[:-1]:
        option = line.split()[0]
        assert option in ("--interval", "--max-dsp") and "binds" in line
        kept = {"--interval": {"max_dsp": round(few) - 1}, "--max-dsp": {"interval": 16}}
        assert looked(**kept[option]).ok


def candidate(*figures: float) -> Candidate:
    each, lut, dsp = figures
    return Candidate(
        family="x", keys={}, cycles={}, each=each, latency=1, lut=lut, dsp=dsp, bram18=0
    )


def test_the_front_of_some_points() -> None:
    points = [candidate(*at) for at in ((4, 9, 9), (2, 9, 9), (9, 1, 9), (9, 1, 9), (9, 9, 0))]
    assert sorted(front(points, latency=False)) in ([1, 2, 4], [1, 3, 4])


def test_a_file_without_needs(tmp_path: Path) -> None:
    file = tmp_path / "needs.toml"
    file.write_text("needs = [1]\n")
    with pytest.raises(NttforgeError, match=r"needs.toml: need: .*dictionary"):
        read_requirements(file)


def test_a_file_of_needs(tmp_path: Path) -> None:
    file = tmp_path / "needs.toml"
    file.write_text('[[needs]]\nname = "a"\nrings = "ml-kem"\ninterval = 128\n')
    (need,) = read_requirements(file)
    assert (need.name, need.rings[0].preset, need.interval) == ("a", "ml-kem", 128)
    assert list(bounds(need)) == ["--interval"]


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"interval": 0}, "interval.*greater than or equal to 1"),
        ({"speed": 1}, "speed"),
        ({"rings": ["ml-kom"]}, "no ring named 'ml-kom'.*ml-kem"),
        ({"rings": [{"q": 7681}]}, "n: is missing"),
        ({"min_mhz": 100.0, "target": "xcup"}, "--min-mhz: nothing estimates it"),
        ({"rings": "goldilocks", "memory": {}, "max_lut": 9}, "--max-lut: nothing estimates it"),
        ({"rings": "goldilocks", "memory": {"sizes": [3]}}, "--sizes: no engine .* 2.3; use larg"),
        ({"operations": ["ntt", "polymul"], "interval": 1, "rings": [{"n": 4, "q": 7681}]}, ""),
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
    words = ["explore", "7681", "--n", "32", "--interval", "8", "-o", str(file)]
    with pytest.raises(SystemExit) as ended:
        main([*words, "--json"])
    assert ended.value.code == 0
    data = json.loads(capsys.readouterr().out)
    (chosen,) = (c for c in data["candidates"] if c["chosen"])
    assert file.read_text("utf-8") == chosen["design"]
    assert load_design(str(file)).name == "mine"
    with pytest.raises(SystemExit) as ended:
        main([*words[:-2], "--max-dsp", "0", "--max-bram18", "0", "--interval", "1"])
    assert ended.value.code == 1 and "nearest: " in capsys.readouterr().out


def test_every_family_that_is_explored_has_both_halves() -> None:
    assert sum(map(is_explored, FAMILIES)) >= 2


@pytest.mark.parametrize(
    "more",
    [
        {"rings": ["ml-kem"]},
        {"rings": ["newhope-512"], "operations": ["ntt"]},
        {"rings": [{"n": 64, "q": 193, "form": "x^n-1"}]},
        {"rings": [{"n": 16, "q": 97, "layers": 3}, {"n": 16, "q": 193}]},
        {"rings": [{"n": 64, "q": 3329, "layers": 5}], "operations": ["intt", "polymul"]},
    ],
)
def test_tables_follow_from_layouts(more: dict[str, Any]) -> None:
    """What is estimated without the factors is what the factors make."""
    seen = set()
    for found in candidate_designs(parse_requirements({**more, "interval": 256}, "test")):
        if isinstance(found, NttforgeError):
            continue
        if found.data["family"] == "pipeline":
            engine = elaborate(found.design)
            seen.add("pipeline")
            sizes = [tables(engine, stage) for stage in range(engine.stages)]
            assert sizes == list(zip(engine.rom_counts, engine.rom_depths, strict=True))
        elif found.table["butterflies"] <= 8:
            core = iterative_engine.elaborate(found.design)
            seen.add("iterative")
            groups = [(len(group.tables), group.depth) for group in core.factors.groups]
            assert table_sizes(core) == (groups, core.halve_factors)
    assert seen >= {"iterative"}


def test_estimates_are_as_good_as_stated() -> None:
    """The kept errors are those of the kept coefficients at the kept designs."""
    rows = [areas.amounted(row) for row in areas.kept_rows() if row["held_out"]]
    stated = {(e["target"], e["family"], e["resource"]): e for e in model()["errors"]}
    assert {target for target, _, _ in stated} >= {"xcup", "ecp5"}
    for target, family in {(row.target, row.family) for row in rows}:
        for found in areas.judged(rows, target, family):
            kept = stated[target, family, found["resource"]]
            assert found["held_out"] == kept["held_out"]


def test_coefficients_are_not_negative_and_found_again() -> None:
    a = np.array([[1.0, 2.0, 0.0], [3.0, 1.0, 0.0], [2.0, 2.0, 0.0], [1.0, 1.0, 0.0]])
    x = areas.nonnegative(a, a @ np.array([2.0, 0.5, 0.0]), np.zeros(3), 0.0)
    assert np.allclose(x, [2.0, 0.5, 0.0], atol=1e-6)
    assert min(areas.nonnegative(a, -np.ones(4), np.zeros(3), 0.0)) == 0.0


def test_the_longest_path_is_the_clock() -> None:
    """Two paths are found again from designs without knowing which path is theirs."""
    rng = np.random.default_rng(1)
    rows = []
    for x, y in rng.uniform(1, 10, (40, 2)):
        features = {"ns one": {"base": 1.0, "x": x}, "ns other": {"base": 1.0, "y": y}}
        clock = {"ns": max(1 + 2 * x, 4 + y)}
        rows.append(areas.Amounted("ecp5", "iterative", False, features, clock))
    found = areas.fitted_paths(rows)
    for row in rows:
        paths = [
            sum(found[path].get(name, 0.0) * many for name, many in row.features[path].items())
            for path in found
        ]
        assert max(paths) == pytest.approx(row.measured["ns"], rel=0.1)
    known = model()["coefficients"]["ecp5"]["iterative"]
    features = {"ns arithmetic": {"base": 1.0}, "ns control": {"contexts": 2.0}}
    longest = max(known["ns arithmetic"]["base"], 2 * known["ns control"]["contexts"])
    assert estimate_area(features, "ecp5", "iterative")["ns"] == pytest.approx(longest)


def test_an_estimate_follows_its_features() -> None:
    one = estimate_area({"lut": {"adders": 100.0}, "dsp": {"tiles": 3.0}}, "xcup", "pipeline")
    two = estimate_area({"lut": {"adders": 200.0}, "dsp": {"tiles": 3.0}}, "xcup", "pipeline")
    assert two["lut"] == pytest.approx(2 * one["lut"]) and one["dsp"] == 3
    assert estimate_area({"lut": {"adders": 1.0}}, "xc7", "nobody") == {"dsp": 0, "bram18": 0}


def test_all_on_the_front_are_written(tmp_path: Path) -> None:
    result = explore(parse_requirements({**SMALL, "interval": 8}, "test"), output=tmp_path / "all")
    files = sorted((tmp_path / "all").iterdir())
    assert len(files) == sum(c.front for c in result.candidates)
    assert {load_design(str(file)).name for file in files} == {file.stem for file in files}
    assert result.chosen
    first = load_design(str(tmp_path / "all" / "explored-1.toml"))
    assert (
        first.model_dump()[result.chosen.family]["butterflies"]
        == (result.chosen.keys["butterflies"])
    )


def test_what_is_proved_stands_beside_the_estimate_area(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs = []

    def proved(candidate_design: Any, engine: str, estimated: Any, progress: Any) -> prove.Proof:
        proofs.append(candidate_design.design)
        return prove.Proof(engine=engine, estimated=estimated, measured={"lut": 50}, seconds=1)

    monkeypatch.setattr(prove, "prove", proved)
    result = explore(parse_requirements({**SMALL, "interval": 8}, "test"), proved=2)
    assert len(proofs) == len(result.proofs) == 2
    assert result.chosen and result.proofs[0].engine == result.chosen.text
    assert result.chosen.lut and f"{result.chosen.lut:,.0f}, 50 (+" in markdown(result.shown())


@pytest.mark.slow
def test_a_proof_is_the_verbs_own() -> None:
    result = explore(
        parse_requirements({**SMALL, "interval": 64, "target": "ecp5"}, "test"), proved=1
    )
    (proof,) = result.proofs
    assert proof.measured.keys() == {"lut", "ff", "dsp", "bram18", "mhz"}
    for name, value in proof.measured.items():
        assert value == pytest.approx(proof.estimated[name], rel=0.3, abs=2)


def test_large_transforms_are_one_familys_part() -> None:
    need = parse_requirements({"rings": "goldilocks", "memory": {"sizes": [16, 20, 24]}}, "test")
    result = explore(need)
    assert {c.family for c in result.candidates} == {"decomposed"}
    assert result.chosen and (result.chosen.keys["n"], result.chosen.keys["t"]) == (64, 16)
    assert set(result.chosen.cycles) == {"2^16", "2^20", "2^24"}


def test_a_page_has_all_that_it_needs(tmp_path: Path) -> None:
    pytest.importorskip("plotly")
    page = tmp_path / "page.html"
    needs = [parse_requirements({**SMALL, "name": name}, "test") for name in ("one", "two")]
    result = explore_all(needs, page=page)
    text = page.read_text("utf-8")
    assert "Plotly" in text and "one on xcup" in text and "two on xcup" in text
    assert not re.search(r'(src|href)="', text.partition("<script>")[0])
    (data,) = re.findall(r"^const data = (.*);$", text, re.MULTILINE)
    points = json.loads(data)["needs"][1]["points"]
    assert isinstance(result, Explored)
    assert len(points) == result.results[1].looked_at
    assert "[pipeline]" in {p["family"]: p["design"] for p in points}["pipeline"]


@pytest.mark.slow
def test_a_browser_draws_the_page(tmp_path: Path) -> None:
    pytest.importorskip("plotly")
    browser = installed()
    page = tmp_path / "page.html"
    result = explore_all([parse_requirements(SMALL, "test")], page=page)
    assert isinstance(result, ExploreResult)
    shown = opened(browser, page)
    assert f'data-points="{result.looked_at}"' in shown
    assert "scatterlayer" in shown and "[pipeline]" in shown
    front = [candidate for candidate in result.candidates if candidate.front]
    last = front[-1].text
    linked = opened(browser, page, urlencode({"front": 1, "design": last}))
    assert f'data-points="{len(front)}"' in linked and f'id="engine">{last}' in linked


def test_a_design_is_compared_with_what_does_as_much() -> None:
    design = load_design("mlkem-mldsa-seamless")
    need = requirements_of(design)
    assert (need.interval, len(need.rings)) == (128, 2)
    result = explore(need, beside=design)
    assert result.candidates[-1].text == "mlkem-mldsa-seamless itself"
    assert "LUT -" in result.beside  # it pads its commutators without need
    same = load_design("ml-kem", {"pipeline.lut_tile": 12})
    assert explore(requirements_of(same), beside=same).beside in ("on the front", "chosen")
    with pytest.raises(NttforgeError, match="nothing is offered"):
        requirements_of(load_design("ml-kem-coprocessor"))
    assert requirements_of(load_design("sam-tiny")).memory


def test_the_needs_of_the_examples_are_met() -> None:
    needs = read_requirements(Path(__file__).parents[3] / "examples" / "needs" / "transforms.toml")
    assert len(needs) == 8 and len({need.name for need in needs}) == 8
    for need in needs:
        if need.name.startswith("ml-kem"):
            assert explore(need).ok


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["goldilocks", "--sizes", "16", "--max-lut", "5"], "--max-lut: nothing estimates it"),
        (["goldilocks", "--sizes", "16", "--products"], "leave the key out"),
        (["goldilock", "--sizes", "16"], "goldilock' is neither"),
        (["91", "--sizes", "16"], "91 is not an odd prime"),
        (["sam-tiny", "--sizes", "16"], "--sizes: a design that has a name says"),
        (["ml-kem", "--n", "256"], "--n: ml-kem has its own n"),
        (["ml-kem", "--directions", "sideways"], "operations"),
        (["ml-kem", "--goal", "beauty"], "goal"),
        (["ml-kem", "-o", "mine.txt"], "end in .toml"),
        (["ml-kem", "--max-mhz", "5"], "No such option"),
    ],
)
def test_mistakes_on_the_command_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["explore", *words])
    assert ended.value.code in (1, 2)
    assert message in capsys.readouterr().err
