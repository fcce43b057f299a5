# SPDX-License-Identifier: Apache-2.0
"""Coprocessors for a need: figures as recorded, areas added up, what is chosen, and why nothing."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

import pytest

from docs.tools.record import blocks
from nttforge.config.requirements import Requirements
from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.explore import command, prove
from nttforge.flow.explore.explore import ExploreResult, explore, parse_requirements
from nttforge.flow.prepare import silent
from nttforge.hw import build
from nttforge.kinds.lattice import sizes
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.options.verbs import Explore
from nttforge.table import markdown
from tests import coprocessor_costs as costs

SMALL: Mapping[str, Any] = {"standards": costs.KEM, "width": 2}
MIDDLE: Mapping[str, Any] = {"standards": costs.KEM, "width": 4}
VERIFIER: Mapping[str, Any] = {"standards": costs.DSA, "width": 4, "operations": "verify"}


def key(keys: Mapping[str, Any]) -> str:
    return sizes.key_of(LatticeTable.model_validate(keys))


def row(**keys: Any) -> sizes.Row:
    return sizes.measured_rows()[key(keys)]


def row_area(standards: list[str]) -> Mapping[str, float]:
    area = sizes.estimate(costs.design_of({"standards": standards}, "ecp5")).area
    assert area is not None
    return area


def table(page: str, command: str) -> Iterator[list[str]]:
    """Rows of a recorded table, numbers without commas."""
    text = dict(blocks((costs.DOCS / page).read_text("utf-8")))[command]
    for line in text.splitlines()[2:]:
        yield [cell.strip().replace(",", "") for cell in line.split("|")[1:-1]]


def looked(*standards: str, **more: Any) -> ExploreResult:
    need = {"rings": [*standards], "coprocessor": True, **more}
    return explore(parse_requirements(need, "test"))


def test_all_of_the_grid_is_measured() -> None:
    assert {*map(key, costs.grid())} == {*sizes.measured_rows()}
    for keys, _, targets in costs.SYNTHESIZED:
        assert {*row(**keys)["area"]} >= {*targets}
    for keys, area in costs.options():
        assert costs.is_usual(keys) or row(**keys)["area"]["xcup"] == area


@pytest.mark.parametrize(
    ("page", "command"),
    [
        ("appendix/lattice-sizes.md", "python -m docs.tools.sizes observed"),
        ("appendix/lattice-sizes-dsa.md", "python -m docs.tools.dsa_sizes observed"),
        ("appendix/lattice-sizes-dsa.md", "python -m docs.tools.dsa_sizes both"),
    ],
)
def test_cycles_of_narrow_cores_are_those_of_the_pages(page: str, command: str) -> None:
    named = {"`ml-kem-small`": SMALL, "`ml-kem-middle`": MIDDLE}
    seen = 0
    for cells in table(page, command):
        keys = named.get(cells[0], costs._SMALL if command.endswith("both") else VERIFIER)
        name, _, _, latency, each = cells[cells[0] in named :][:5]
        # A page may have other cores, with other operations.
        if cycles := row(**keys)["cycles"].get(name):
            assert cycles == [int(latency), int(each)], name
            seen += 1
    assert seen in (3, 15, 18)


def test_cycles_of_fast_cores_are_those_of_the_pages() -> None:
    for each in (1, 2):
        cycles = row(standards=costs.DSA, rounds_per_cycle=each)["cycles"]
        assert cycles == costs.of_pages(each)
    assert row(standards=costs.BOTH)["cycles"] == costs.cycles_of({"standards": costs.BOTH})
    options = 0
    listed = table("appendix/lattice.md", "nttforge show options --markdown")
    for rounds, cores, butterflies, *found in listed:
        keys = {"rounds_per_cycle": int(rounds), "keccak_cores": int(cores)}
        cycles = row(standards=costs.KEM, butterflies=int(butterflies), **keys)["cycles"]
        latencies = [each for each, _ in cycles.values()]
        assert latencies == [int(each) for cell in found[:3] for each in cell.split(" / ")]
        options += 1
    assert options == 9


@pytest.mark.parametrize(
    "keys", [SMALL, {"standards": costs.KEM, "rounds_per_cycle": 2, "butterflies": 4}], ids=key
)
def test_cycles_are_observed(keys: Mapping[str, Any]) -> None:
    assert costs.observed(keys) == row(**keys)["cycles"]


def test_areas_are_near_to_those_of_the_pages() -> None:
    """Which change with every core, while some of these are measured in an hour."""
    names = {"ml-kem-small": SMALL, "ml-kem-middle": MIDDLE, "ml-dsa-verify-small": VERIFIER}
    pages = {
        "appendix/lattice-sizes.md": "python -m docs.tools.sizes core",
        "appendix/lattice-sizes-dsa.md": "python -m docs.tools.dsa_sizes core",
    }
    known: list[tuple[Mapping[str, Any], str, list[str]]] = [
        (names[name.strip("`")], target, [lut, dsp, bram18])
        for page, command in pages.items()
        for name, target, lut, _, dsp, bram18 in table(page, command)
        if name.strip("`") in names
    ]
    assert len(known) == 4
    for standards, target in ((costs.KEM, "xcup"), (costs.DSA, "ecp5")):
        core = {"xcup": "ml-kem-coprocessor", "ecp5": "ml-dsa-core"}[target]
        rows = table(
            "appendix/lattice-tables.md", f"nttforge synth {core} --target {target} --markdown"
        )
        (last,) = (cells for cells in rows if cells[:1] == ["`all`"])
        at = {"xcup": (5, 7, 8), "ecp5": (4, 6, 7)}[target]
        known.append(({"standards": standards}, target, [last[each] for each in at]))
    errors = []
    for keys, target, (lut, *blocks_there) in known:
        area = sizes.estimate(costs.design_of(keys, target)).area
        assert area is not None
        assert [area["dsp"], area["bram18"]] == [int(each) for each in blocks_there]
        errors.append(abs(area["lut"] / int(lut) - 1))
    assert median(errors) <= 0.1 and max(errors) <= 0.15, errors


def test_added_areas_are_near_to_measured_ones() -> None:
    """Of what two keys change, and of narrow cores for the other family with six inputs."""
    errors = {}
    for keys, area in costs.options():
        if len(json.loads(key(keys))) > 2:
            added = sizes.added_area(key(keys), "xcup")
            assert (added["dsp"], added["bram18"]) == (area["dsp"], area["bram18"])
            errors[key(keys)] = abs(added["lut"] / area["lut"] - 1)
    assert len(errors) == 4
    for narrow in (SMALL, VERIFIER):
        areas = row(**narrow)["area"]
        errors[key(narrow)] = abs(areas["xc7"]["lut"] / areas["xcup"]["lut"] - 1)
    assert median(errors.values()) <= 0.05 and max(errors.values()) <= 0.1, errors
    # Both standards on an ECP5, unmeasured: as large beside ML-DSA's as their placed parts are.
    both, one = (row_area(standards) for standards in (costs.BOTH, costs.DSA))
    placed = (49_755 + 26_435 + 26_392 + 10_782) / (49_755 + 20_902 + 10_782)
    assert both["lut"] / one["lut"] == pytest.approx(placed, rel=0.1)


def test_the_fastest_that_fits_is_chosen() -> None:
    result = looked("ml-kem", max_lut=20_000, target="ecp5")
    assert result.ok and result.looked_at == 20 and result.chosen is not None
    fits = [c for c in result.candidates if (c.lut or 0) <= 20_000]
    assert [c for c in result.candidates if not c.violations] == fits != result.candidates
    assert {c.keys.get("width") for c in fits} == {2, 4}
    assert result.chosen.keys["width"] == 4 and all(c.front for c in fits)
    assert result.chosen.cycles["ML-KEM-512 decaps"] == (3339, 3941)
    assert result.aim == "time" and looked("ml-kem").aim == "area"
    least = looked("ml-kem").chosen
    assert least is not None and least.keys == SMALL
    shown = markdown([*result.shown()])
    assert "1,797 / 2,425 / 3,339" in shown and "width = 4" in shown


def test_a_core_that_lacks_operations_is_the_last_resort() -> None:
    everything = looked("ml-dsa")
    assert everything.chosen is not None and not everything.chosen.lacks
    verifier, keys = (c for c in everything.candidates if c.lacks)
    assert (verifier.keys, verifier.lacks, verifier.front) == (VERIFIER, 6, True)
    assert (keys.keys, keys.lacks) == (costs._KEYS, 3)
    assert " / - / " in markdown([*everything.shown()]) or "- / " in markdown([*everything.shown()])
    few = looked("ml-dsa", max_lut=13_000, target="xc7")
    assert few.ok and few.chosen is not None and few.chosen.keys == VERIFIER
    for most, chosen in ((20_000, costs._SMALL_KEYS), (30_000, costs._SMALL)):
        both = looked("ml-kem", "ml-dsa", max_lut=most)
        assert both.ok and both.chosen is not None and both.chosen.keys == chosen


def test_why_nothing_fits_is_said() -> None:
    result = looked("ml-kem", "ml-dsa", max_lut=20_000, target="ecp5")
    assert not result.ok and {*result.operations} >= {"ML-KEM-512 decaps", "ML-DSA-87 sign"}
    assert "--max-lut 20,000 binds" in result.why and "nearest: lattice" in result.why
    with pytest.raises(NttforgeError, match="newhope-512 is no standard"):
        looked("newhope-512")


@pytest.mark.parametrize("keys", [*costs.grid()], ids=key)
def test_every_one_is_a_design(keys: Mapping[str, Any]) -> None:
    """As written, and estimated for each target."""
    for target in ("xc7", "xcup", "ecp5"):
        found = sizes.estimate(costs.design_of(keys, target))
        assert found.area and {*found.area} == {"lut", "dsp", "bram18"}
    if "keccak_cores" not in keys or keys["keccak_cores"] == 1:
        assert build(costs.design_of(keys)).name == "measured"
    unknown = {"standards": costs.KEM, "rounds_per_cycle": 24}
    with pytest.raises(NttforgeError, match="nothing was measured"):
        sizes.estimate(costs.design_of(unknown))


def test_the_written_design_is_the_chosen_one(tmp_path: Any) -> None:
    need = Requirements.model_validate(
        {"name": "mine", "rings": ["ml-kem"], "coprocessor": True, "max_lut": 8_000}
    )
    result = explore(need, output=tmp_path / "mine.toml")
    assert result.chosen is not None
    data = tomllib.loads((tmp_path / "mine.toml").read_text("utf-8"))
    design = parse_design(data, "mine")
    assert key(design.model_dump()["lattice"]) == key(SMALL)


def test_coprocessors_are_shown_beside_transforms() -> None:
    """Unless something is asked of transforms."""

    def ran(**options: Any) -> Any:
        return command.explore(Explore(rings=["ml-kem"], target="ecp5", **options), silent)

    both = ran(max_lut=20_000)
    assert {c.family for c in both.candidates} >= {"pipeline", "iterative"}
    assert (
        both.coprocessors.candidates == looked("ml-kem", max_lut=20_000, target="ecp5").candidates
    )
    assert "1,797 / 2,425 / 3,339" in markdown([*both.shown()])
    assert ran(max_lut=20_000, interval=128).coprocessors is None
    alone = ran(max_lut=20_000, coprocessors=True)
    assert alone.candidates == both.coprocessors.candidates and alone.coprocessors is None


def test_some_are_synthesized(monkeypatch: pytest.MonkeyPatch) -> None:
    proved: list[str] = []

    def synthesized(found: Any, *_: Any) -> prove.Proof:
        proved.append(key(found.design.model_dump()["lattice"]))
        return prove.Proof(engine="", estimated={}, measured={"lut": 1}, seconds=0)

    monkeypatch.setattr(prove, "prove", synthesized)
    need = {"rings": ["ml-kem"], "coprocessor": True, "max_lut": 20_000, "target": "ecp5"}
    explore(parse_requirements(need, "test"), proved=2)
    assert proved == [key(MIDDLE), key(SMALL)]
    assert json.loads(proved[0])["width"] == 4
