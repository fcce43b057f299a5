# SPDX-License-Identifier: Apache-2.0
"""Defects of converter, correction and program, each by its name and by what shows it."""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np
import pytest

from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared
from nttforge.kinds.rns.build import RnsCore
from nttforge.kinds.rns.cases import OPERATIONS, Case, Shape, draw_moduli, run_case
from nttforge.kinds.rns.machine import EngineKey, Machine, StuckError
from nttforge.kinds.rns.program import By, Command, Op, Target, Term
from nttforge.kinds.rns.switching import Job
from nttforge.standards.rns import Basis, Lift
from tests.mutants import beside
from tests.mutation.sites import CHOSEN
from tests.rtl.rns.bench import near_words, prepared

_SWITCH = Shape("key_switch", "lattigo", 4, 4, 2, 2)
#: Name: file, what is right, what is wrong, the symptom.
MUTANTS: Mapping[str, tuple[str, str, str, str]] = {
    "no word is near": (
        "ntf_rns_fraction.sv",
        r"&sum_q\[Point-1-:Guard-WholeW\]",
        "1'b0",
        "borders are wrong",
    ),
    "all words are near": (
        "ntf_rns_fraction.sv",
        r"&sum_q\[Point-1-:Guard-WholeW\]",
        "1'b1",
        "uniform words are near",
    ),
    "near words are not counted": (
        "ntf_rns_lanes.sv",
        r"ends_q\[Early-1\] && fractions_q\[Early-1\]",
        "1'b0",
        "borders are wrong",
    ),
    "near words are counted down": (
        "ntf_rns_program.sv",
        r"\{1'b0, near_q\} \+ \(NearW \+ 1\)'\(near_count_i\)",
        "{1'b0, near_q} - (NearW + 1)'(near_count_i)",
        "another number of words is near",
    ),
    "signs correct nothing": (
        "ntf_rns_fraction.sv",
        r"WholeW'\(near && has_sign_q && positive_q\)",
        "WholeW'(0)",
        "borders are wrong",
    ),
    "a sign is the other one": (
        "ntf_rns_fraction.sv",
        r"!sum_q\[Point-1\]",
        "sum_q[Point-1]",
        "borders are wrong",
    ),
    "fractions of narrow moduli are not shifted": (
        "ntf_rns_fraction.sv",
        r"y_q << shift_q",
        "y_q",
        "uniform words are wrong",
    ),
    "the sum of fractions is not begun anew": (
        "ntf_rns_fraction.sv",
        r"\(first_at \? '0 : sum_q\)",
        "sum_q",
        "uniform words are wrong",
    ),
    "digits are not centred": (
        "ntf_rns_sum.sv",
        r"SumW'\(signed'\(\{1'b0, initial_at\}\)\)",
        "SumW'(0)",
        "uniform words are wrong",
    ),
    "sums go on while a step is missing": (
        "ntf_rns_sum.sv",
        r"(?<=if \()valid_at",
        "1'b1",
        "uniform words are wrong",
    ),
    "lanes are not turned": (
        "ntf_rns_turn.sv",
        r"LaneW'\(turn_i\)",
        "LaneW'(0)",
        "a rotation is wrong",
    ),
    "beats are not moved": (
        "ntf_rns_walker.sv",
        r"flip\(index_q\[BeatW-1:0\]\)",
        "flip(beat_q)",
        "a rotation is wrong",
    ),
    "a command does not wait": (
        "ntf_rns_queue.sv",
        r"!reached\(over_i\[u\], command_o.wait_for\[u\]\)",
        "1'b0",
        "uniform words are wrong",
    ),
    "a command is over with its first row": (
        "ntf_rns_results.sv",
        r"&rows_over",
        "|rows_over",
        "uniform words are wrong",
    ),
    "both halves have one key": (
        "ntf_rns_lanes.sv",
        r"key_i\[c%NumHalves\]\[l\]",
        "key_i[0][l]",
        "uniform words are wrong",
    ),
    "targets that there are not are written": (
        "ntf_rns_walker.sv",
        r"8'\(c\) < command_i.targets",
        "1'b1",
        "uniform words are wrong",
    ),
    "all targets have the place of the first": (
        "ntf_rns_unit.sv",
        r"target\[c\]\.place",
        "target[0].place",
        "uniform words are wrong",
    ),
    "all targets begin with one value": (
        "ntf_rns_unit.sv",
        r"target\[c\]\.factor\[W-1:0\]",
        "target[0].factor[W-1:0]",
        "uniform words are wrong",
    ),
    "summands are those of another command": (
        "ntf_rns_slots.sv",
        r"head_q \+ SlotW'\(1\)",
        "head_q",
        "uniform words are wrong",
    ),
    "factors of other targets are lost": (
        "ntf_rns_slots.sv",
        r"(?<=filling_q && )in_terms_q && 32'\(column_q\) == c",
        "in_terms_q && column_q == '0",
        "uniform words are wrong",
    ),
    "keys are awaited where none come": (
        "ntf_rns_program.sv",
        r"term.by == ByKey && command_q.op != OpSum",
        "1'b0",
        "a summand without keys is not seen",
    ),
    "a target that there is not is taken": (
        "ntf_rns_program.sv",
        r"term.place >= Cfg.places",
        "1'b0",
        "a wrong place is not seen",
    ),
    "more targets than there are are taken": (
        "ntf_rns_program.sv",
        r"command_q.targets <= most_targets",
        "1'b1",
        "too many targets are not seen",
    ),
    "a writer does not wait": (
        "ntf_rns_memory.sv",
        r"o < p && write_valid_i\[o\] && write_bank\[o\] == write_bank\[p\]",
        "1'b0",
        "uniform words are wrong",
    ),
    "a reader does not wait": (
        "ntf_rns_memory.sv",
        r"o < p && read_valid_i\[o\] && read_bank\[o\] == read_bank\[p\]",
        "1'b0",
        "uniform words are wrong",
    ),
    "a row that there is not is taken": (
        "ntf_rns_program.sv",
        r"row < Cfg.rows",
        "1'b1",
        "a wrong row is not seen",
    ),
    "the length of keys is not looked at": (
        "ntf_rns_walker.sv",
        r"fire && is_key && !keyless_q && key_end != key_over",
        "1'b0",
        "a short key is not seen",
    ),
    "the length of rows is not looked at": (
        "ntf_rns_drain.sv",
        r"take && !excess_q && last_i != full",
        "1'b0",
        "a short row is not seen",
    ),
    "errors of the transform are lost": (
        "ntf_rns_core.sv",
        r"t_in_valid_i && t_in_ready_o && t_in_user_i\[1\] && t_in_user_i\[0\]",
        "1'b0",
        "a word that is no residue is not seen",
    ),
}


#: Commands that there are not.
_WRONG = {
    "row": Command(Op.STORE, src=64),
    "place": Command(Op.CONVERT, targets=(Target(7),), terms=(Term(0),)),
    "targets": Command(Op.CONVERT, targets=(Target(),) * 5, terms=(Term(0),)),
    "keys": Command(Op.CONVERT, targets=(Target(),), terms=(Term(0, by=By.KEY),)),
}


def case_of(machine: Machine, shape: Shape) -> Case:
    return OPERATIONS[shape.operation](machine, shape, random.Random(0))


def _right(machine: Machine, shape: Shape, *, near: bool = False) -> bool:
    done = run_case(machine, case_of(machine, shape), pauses=0.2, rng=random.Random(1))
    return not done.wrong and not done.outcome.errors and (done.near > 0) == near


def _errors(machine: Machine, change: str) -> tuple[str, ...]:
    case = case_of(machine, replace(_SWITCH, level=2, whole=2))
    job = Job(machine.limbs)
    case.make(job)
    words = job.program.words(1)
    data = [machine.row(place, case.rows[number, place]) for number, place in job.loaded]
    assert case.key is not None
    key = EngineKey.of(machine, case.key, case.places)
    keys = [machine.key_packet(key, packet) for packet in job.packets]
    rows = len(job.stored)
    if change == "key":
        keys[0] = keys[0][:-1]
    elif change == "data":
        data[0] = data[0][:-1]
    elif change == "word":
        data[0] = [*data[0][:-1], (1 << machine.core.data_bits) - 1]
    else:
        words = [w for c in (_WRONG[change], Command(Op.END)) for w in c.words]
        data, keys, rows = [], [], 0
    return machine.run(words, data=data, keys=keys, rows=rows, limit=30_000).outcome.errors


def _near(machine: Machine) -> bool:
    done = run_case(machine, case_of(machine, _SWITCH))
    return done.near == 0


def _near_count(machine: Machine) -> bool:
    shape = Shape("mod_down", "lattigo", 2, 2, 3, border=True)
    case, places = case_of(machine, shape), shape.p(len(machine.moduli))
    x = np.stack([case.rows[0, place] for place in places])
    p = Basis(tuple(machine.moduli[place] for place in places))
    done = run_case(machine, case)
    return 0 < done.near == near_words(machine.core, x, p, Lift.CENTRED)


#: What shows a defect, and whether all is well.
SYMPTOMS: Mapping[str, Callable[[Machine], bool]] = {
    "uniform words are near": _near,
    "another number of words is near": _near_count,
    "uniform words are wrong": lambda m: _right(m, _SWITCH),
    "borders are wrong": lambda m: _right(m, replace(_SWITCH, border=True), near=True),
    "a rotation is wrong": lambda m: _right(m, replace(_SWITCH, operation="rotate", g=5)),
    "a short key is not seen": lambda m: _errors(m, "key") == ("key",),
    "a short row is not seen": lambda m: "data" in _errors(m, "data"),
    "a word that is no residue is not seen": lambda m: _errors(m, "word") == ("transform",),
    "a wrong row is not seen": lambda m: _errors(m, "row") == ("program",),
    "a wrong place is not seen": lambda m: _errors(m, "place") == ("program",),
    "too many targets are not seen": lambda m: _errors(m, "targets") == ("program",),
    "a summand without keys is not seen": lambda m: _errors(m, "keys") == ("program",),
}


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared[RnsCore]]:
    places = [(f"rtl/rns/{file}", good, bad) for file, good, bad, _ in MUTANTS.values()]
    yield beside(prepared(banks=1), tmp_path_factory.mktemp("mutants") / "design", places)


def fails(made: Prepared[RnsCore], symptom: str) -> bool:
    """Whether it shows, or the engine gets stuck."""
    with Machine.of(made) as machine:
        try:
            machine.load(draw_moduli(machine.core, random.Random(2), 48))
            return not SYMPTOMS[symptom](machine)
        except (StuckError, NttforgeError):  # what comes may be no residues
            return True


@pytest.mark.parametrize("name", MUTANTS)
def test_each_defect_has_one_place(name: str) -> None:
    file, good, _, _ = MUTANTS[name]
    assert len(re.findall(good, (prepared().folder / "rtl/rns" / file).read_text())) == 1


@pytest.mark.parametrize("symptom", SYMPTOMS)
def test_without_a_defect_nothing_shows(
    spoiled: Prepared[RnsCore], symptom: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, "0")
    assert not fails(spoiled, symptom)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_defect_has_its_symptom(
    spoiled: Prepared[RnsCore], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, str([*MUTANTS].index(name) + 1))
    assert fails(spoiled, MUTANTS[name][3])
