# SPDX-License-Identifier: Apache-2.0
"""The loop of `verify`, with standards and a core of a few lines: nothing is simulated."""

import random
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from nttforge.errors import FaultError
from nttforge.kinds.lattice import verify
from nttforge.kinds.lattice.bus import Request, Run
from nttforge.kinds.lattice.measure import several
from nttforge.kinds.lattice.mlkem.measure import usual_seed
from nttforge.kinds.lattice.mlkem.timing import secret_patterns
from nttforge.kinds.lattice.stimulus import StimulusStep
from nttforge.kinds.lattice.verify import Batch, Case, Cases, in_turn, verify_several
from nttforge.standards.ml_kem import ML_KEM_512


class Set(NamedTuple):
    name: str


class Echo:
    """A core that answers with what it is given, but for one request."""

    checks = False

    def __init__(self, wrong: str = "", hangs: str = "") -> None:
        self._wrong, self._hangs = wrong, hangs
        self.last: Any = ((), 0.0, 0)

    def run_all(
        self, requests: Sequence[Request], *, stall: float = 0.0, seed: int = 0
    ) -> list[Run]:
        self.last = (requests, stall, seed)
        names = [f"{each.operation} {each.p.name}" for each in requests]
        if self._hangs in names:
            raise FaultError("hang", "the core hangs")
        return [
            Run(public=each.secret + b"!" * (name == self._wrong), cycles=1)
            for name, each in zip(names, requests, strict=True)
        ]


def standard(*names: str) -> Any:
    return SimpleNamespace(sets=[Set(name) for name in names], vectors={})


class First(Cases):
    standard = standard("A-1", "A-2")
    usual = 3
    operation = "one"

    def batches(self, case: Case, rng: random.Random) -> Iterator[Batch]:
        data = rng.randbytes(3)
        step = StimulusStep(Request(self.operation, case.p, data), public=data)
        yield [("answers", step), ("", StimulusStep(step.asked))]

    @classmethod
    def turns(
        cls, p: Any, rng: random.Random, *, checks: bool, word: bytes | None = None
    ) -> list[StimulusStep]:
        data = rng.randbytes(3)
        request = Request(f"turn of {cls.operation}", p, data)
        return [StimulusStep(request, public=data)] * len(cls.standard.sets)


class Second(First):
    standard = standard("B-1", "B-2", "B-3")
    operation = "two"


KINDS: dict[str, type[Cases]] = {"first": First, "second": Second}


def verified(core: Any, cases: int = 2) -> Any:
    return verify_several(KINDS, core, "dut", cases=cases)


def test_standards_take_turns_and_the_longer_one_ends() -> None:
    made = in_turn(
        KINDS.values(), (First.standard.sets[0], Second.standard.sets[0]), random.Random(1)
    )
    names = [step.asked.operation for step in made]
    assert names == ["turn of one", "turn of two"] * 2 + ["turn of two"]


def test_each_standard_stands_beside_the_other_fields() -> None:
    found = verified(Echo())
    assert found.ok and found.replay is None and found.in_turn == 10
    shown = found.model_dump()
    fields = ["design", "ok", "violation", "seconds", "first", "second", "in_turn", "differ"]
    assert [name for name in shown if name != "provenance"] == fields
    assert shown["second"]["compared"] == {p.name: {"answers": 2} for p in Second.standard.sets}
    assert list(several("dut", iter(())).model_dump())[-1] == "clock"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("one A-2", "2 of 20 answers are wrong"),
        ("two B-3", "2 of 20 answers are wrong"),
        ("turn of two B-1", "6 of 20 answers are wrong"),
    ],
)
def test_what_failed_is_run_again(wrong: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not what was run last, which was right."""
    found = verified(Echo(wrong))
    assert not found.ok and found.verdict[1] == said
    replayed = Echo()
    monkeypatch.setattr(verify, "open_core", lambda _: replayed)
    found.replay.do(None, lambda _: None)
    requests, _, _ = replayed.last
    assert wrong in [f"{each.operation} {each.p.name}" for each in requests]


@pytest.mark.parametrize("hangs", ["two B-2", "turn of one A-1"])
def test_a_core_that_hangs_is_a_finding(hangs: str) -> None:
    found = verified(Echo(hangs=hangs))
    assert not found.ok and found.violation == "the core hangs" and found.replay is not None
    assert found.verdict[1] == "the core did what it must never do"


class Refusing:
    """A coprocessor that refuses seeds."""

    def run(self, request: Request, **_: Any) -> Run:
        assert request.secret[:32] == usual_seed(request.p)
        return Run(reason="secret_length")


def test_a_coprocessor_that_refuses_what_is_right_is_a_finding() -> None:
    core: Any = Refusing()
    with pytest.raises(FaultError, match="refuses keygen of ML-KEM-512") as found:
        secret_patterns(core, ML_KEM_512, 4)
    assert found.value.kind == "refused"
