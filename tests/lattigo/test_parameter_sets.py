# SPDX-License-Identifier: Apache-2.0
"""What is drawn reaches all sizes, a case is compared, and the record has no wrong row."""

import random
from itertools import islice

import pytest

from nttforge.kinds.rns.cases import Shape, draw_moduli
from nttforge.kinds.rns.machine import Machine
from nttforge.standards import rns
from nttforge.standards.rns import SwitchingKey
from nttforge.standards.rns.basis import Array
from tests.lattigo import parameter_sets
from tests.lattigo.parameter_sets import COUNTS, Drawn, aggregate, cases, compare
from tests.rtl.rns.bench import prepared
from tests.tally import kept

_CASES = {name: list(islice(cases(name, 0), count)) for name, count in COUNTS.items()}


def test_what_is_drawn_reaches_all_sizes() -> None:
    every = [case for some in _CASES.values() for case in some]
    assert len({case.name for case in every}) == len(every) == sum(COUNTS.values())
    assert {case.log_n for case in every} == set(range(10, 17))
    limbs = {len(case.q) + len(case.p) for case in every}
    assert {min(limbs), max(limbs)} == {2, 32} and len(limbs) > 25
    widths = {q.bit_length() for case in every for q in case.q + case.p}
    assert {min(widths), max(widths)} == {30, 60}
    for some in _CASES.values():
        assert {case.pauses for case in some} == {0.0, 0.1, 0.4}
        assert 0.1 < sum(case.shape.border for case in some) / len(some) < 0.4
        assert all(0 < case.shape.level <= len(case.q) for case in some)


def test_ten_sets_are_drawn_at_all_their_levels() -> None:
    levels: dict[tuple[int, ...], set[int]] = {}
    for case in _CASES["lattigo"]:
        levels.setdefault(case.q + case.p, set()).add(case.shape.level)
    sizes = {case.q + case.p: len(case.q) for case in _CASES["lattigo"]}
    whole = [each for each, of in levels.items() if of == set(range(1, sizes[each] + 1))]
    assert sum(sizes[each] >= 3 for each in whole) >= 10


@pytest.mark.parametrize("wrong", [False, True])
def test_a_case_is_compared(monkeypatch: pytest.MonkeyPatch, *, wrong: bool) -> None:
    """With a key that the level does not need all of; and beside another reference."""
    right = rns.key_switch

    def other(c: Array, key: SwitchingKey, *, t: int = 0) -> list[Array]:
        return [half + 1 for half in right(c, key, t=t)]

    if wrong:
        monkeypatch.setattr(rns, "key_switch", other)
    with Machine.of(prepared()) as machine:
        moduli = draw_moduli(machine.core, random.Random(0), 45)
        shape = Shape("key_switch", "lattigo", 3, 5, 2, 2)
        drawn = Drawn("lattigo/0", 6, moduli[:5], moduli[5:], shape, 0.1)
        line = compare(machine, None, drawn, 0)
        (row,) = aggregate([line])
    assert line["words"] == 2 * 3 * 64
    assert (line["wrong"] > 0) == (row["wrong rows"] > 0) == wrong
    assert row["limbs"] == "7 to 7"


def test_the_record_has_no_wrong_row() -> None:
    rows = kept(parameter_sets.RECORD)["rows"]
    assert all(row["wrong rows"] == 0 for row in rows)
    assert all(row["lattigo differs, uniform"] == 0 for row in rows)
    assert any(row["lattigo differs, borders"] > 0 for row in rows)
    assert {row["convention"] for row in rows} == set(COUNTS)
