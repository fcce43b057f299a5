# SPDX-License-Identifier: Apache-2.0
"""Whole designs of every family, of which every key is drawn: see tests/drawn.py."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.hw import StreamCore, build_kind
from nttforge.kinds.stream.measure import MeasureResult
from tests import drawn
from tests.drawn import (
    KEYS,
    Outcome,
    added,
    checked,
    draw,
    figures_hold,
    names_a_key,
    of_generator,
    of_throughput,
    record_of,
    small,
    throughput_holds,
)
from tests.rtl.small_cores import SMALL_RING, prepare_pipeline
from tests.tally import kept

FEW, MANY = 10, 300


@pytest.mark.parametrize("seed", range(FEW))
def test_a_small_design(seed: int) -> None:
    """Refused in a line that names a key, or right, and as fast as derived."""
    assert checked(seed, small).transforms > 0


@pytest.mark.parametrize("seed", range(1))
def test_a_small_design_of_a_throughput(seed: int) -> None:
    """Reached in simulation, by no more butterflies than it takes."""
    assert checked(seed, of_throughput).transforms > 0


@pytest.mark.parametrize("seed", range(1))
def test_a_small_design_of_a_generator(seed: int) -> None:
    assert checked(seed, of_generator).transforms > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MANY))
def test_any_design(seed: int) -> None:
    assert checked(seed).transforms > 0


#: Of rings whose moduli are loaded, which tests/rtl/pipeline/test_loaded.py draws. Engines of key
#: switching, which have such rings, are those of tests/rtl/rns.
LOADED = {"rings.bits", "rings.moduli"}


def test_every_key_is_drawn() -> None:
    """All choices of a choice, and both ends of a range."""
    met: dict[str, Counter[Any]] = {key: Counter() for key in KEYS}
    for seed in range(4000):
        for name, value in draw(f"{seed}.0").items():
            tables = value if name == "rings" else [value]
            for table in tables:
                given = table if isinstance(table, dict) else {name: table}
                prefix = f"{name}." if isinstance(table, dict) else ""
                for key, one in given.items():
                    met[prefix + key][str(one)] += 1
    for key, space in KEYS.items():
        if key in LOADED or key.startswith("rns."):
            continue
        assert met[key], key
        if space.kind == "choice" and not key.startswith(("mlkem.", "mldsa.", "pqc.")):
            assert {str(choice) for choice in space.choices} <= set(met[key]), key


@pytest.mark.parametrize(
    ("field", "problem", "good"),
    [
        ("pipeline.butterflies", "3 is not a power of two", True),
        ("x.toml: rings.0.q", "9 is not an odd prime", True),
        ("design", "the pipeline family takes no table [iterative]", True),
        ("engine", "something is wrong", False),
        ("multiplier", "of 1 bit is too narrow", False),
    ],
)
def test_a_refusal_names_a_key_in_one_line(field: str, problem: str, good: bool) -> None:
    assert names_a_key(NttforgeError(field, problem, "correct it")) == good


def test_a_wrong_figure_is_found() -> None:
    prepared = prepare_pipeline(SMALL_RING)
    figures_hold(prepared)
    core = prepared.core
    late = [replace(operation, latency=operation.latency + 1) for operation in core.operations]
    with pytest.raises(AssertionError, match="latency"):
        figures_hold(replace(prepared, core=replace(core, operations=tuple(late))))
    gaps = tuple(tuple(gap + 1 for gap in row) for row in core.facts["turnaround"])
    facts = {**core.facts, "turnaround": gaps}
    with pytest.raises(AssertionError, match="at the output"):
        figures_hold(replace(prepared, core=replace(core, facts=facts)))


def test_a_throughput_that_is_missed_is_found() -> None:
    """Cycles more than were asked for, and butterflies more than it takes."""
    data = {"name": "fast", "rings": [{"n": 16, "q": 97}], "pipeline": {"interval": 4}}
    design = parse_design(data, "x")
    seen = [MeasureResult.model_construct(cycles_per_transform=cycles) for cycles in (4, 5)]
    throughput_holds(design, build_kind(design, StreamCore), seen[0])
    with pytest.raises(AssertionError):
        throughput_holds(design, build_kind(design, StreamCore), seen[1])
    many = build_kind(parse_design(data | {"pipeline": {"butterflies": 4}}, "x"), StreamCore)
    with pytest.raises(AssertionError, match="2 butterflies would do for 4"):
        throughput_holds(design, many, seen[0])


def test_the_record_counts_values() -> None:
    data = {"name": "one", "rings": [{"n": 4, "q": 17}], "pipeline": {"adders_per_stage": 3}}
    others = [data | {"pipeline": {"adders_per_stage": k}} for k in (3, 8)]
    given = [*enumerate([data, *others]), (0, None)]
    record = record_of(Outcome(data=d, refused=number, transforms=7) for number, d in given)
    assert record["families"] == {"pipeline": {"designs": 3, "refused": 3, "transforms": 21}}
    assert record["broken"] == 1
    assert "1 did not hold" in drawn.shown(record)
    met = record["keys"]["pipeline.adders_per_stage"]
    assert (met["met"], met["size"], met["least"], met["most"]) == (2, 8, "3", "8")
    assert record["keys"]["iterative.slots"]["met"] == 0


def test_records_are_added_up() -> None:
    """Designs of both; what is met of a key is what the one of them has that met more."""
    data: dict[str, Any] = {"name": "one", "rings": [{"n": 4, "q": 17}]}
    three, eight = (data | {"pipeline": {"adders_per_stage": k}} for k in (3, 8))
    roots = data | {"rings": [{"n": 4, "q": 17, "generator": 3}]}
    before, more = (
        record_of(Outcome(data=one, refused=2, transforms=7) for one in given)
        for given in ([three, eight], [three, roots, None])
    )
    del before["keys"]["rings.generator"]
    before["keys"]["family"] |= {"size": 9, "met": 9}  # of which some are no more
    both = added(before, more)
    assert both["families"] == {"pipeline": {"designs": 4, "refused": 8, "transforms": 28}}
    assert both["broken"] == 1
    met = both["keys"]["pipeline.adders_per_stage"]
    assert (met["met"], met["least"], met["most"]) == (2, "2", "8")
    assert both["keys"]["rings.generator"]["most"] == "3"
    assert both["keys"]["family"]["met"] == both["keys"]["family"]["size"] < 9
    assert both["keys"]["iterative.slots"] == before["keys"]["iterative.slots"]


def test_outcomes_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a design that does not hold: as one that is broken."""

    def fails(*_: object) -> int:
        raise AssertionError("wrong")

    monkeypatch.setattr(drawn, "OUTCOMES", tmp_path)
    monkeypatch.setattr(drawn, "check", lambda *_: 7)
    assert checked(1, small).transforms == 7
    monkeypatch.setattr(drawn, "check", fails)
    with pytest.raises(AssertionError, match="wrong"):
        checked(2, small)
    left = [Outcome.model_validate_json(path.read_text()) for path in sorted(tmp_path.iterdir())]
    assert [one.data is None for one in left] == [False, True]


def test_every_switch_is_met_in_the_record() -> None:
    """What has two values or three was tried with each of them, by a design that is right."""
    for key, met in kept(drawn.RECORD)["keys"].items():
        assert met["size"] is None or met["size"] > 3 or met["met"] == met["size"], key
