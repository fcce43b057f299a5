# SPDX-License-Identifier: Apache-2.0
"""A case with its timing on a model: entered at any cycle, changed, and judged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from nttforge.errors import FaultError
from nttforge.simulate.cycles import CycleModel
from tests.faults.case import Answer, Case, Timing
from tests.faults.closed_loop import ClosedLoop, ReplayResult
from tests.faults.hardware import TRIES_UNIT
from tests.faults.hosts import SINKS, Host, feeds
from tests.rtl.faulty import Register, registers

LIMIT = 400_000
#: In how many cycles a `zeroize` has wiped everything: at most a row of the largest memory in each.
WIPED = 2600
# Two pulses for each command that a queue can be made to believe it has, and one for the first.
_PULSES = 17
# In how many cycles a fault ends what runs.
_ENDED = 16
# In how many cycles an output that is at another place shows it.
_SOON = 64
# Cycles in which whatever works changes more bytes of the state than what only counts cycles.
_STILL_CYCLES, _STILL_BYTES = 1024, 24
#: What an answer that is not right can be; `bad` has a reason.
NO_EFFECT, RIGHT, FAULT, ERROR, WRONG = "no effect", "right", "fault", "error", "wrong"
HANG, STUCK, BAD = "hang", "hang for ever", "bad: "
#: Wrong words with the result "none" while the alert is up; and a fault after which nothing begins
#: until reset: the operation has ended, and the alert is up.
ALERTED, LOCKED = "wrong, alert", "fault until reset"


@dataclass(frozen=True)
class Wiped:
    """A state after `zeroize`, and what was public when that came.

    Attributes
    ----------
    sent
        How many words each output had sent.
    tries
        What was decided about tries to sign, in the registers that hold it: when a try ends, and of
        what, is public (the threat model).
    """

    state: NDArray[np.uint8]
    sent: tuple[int, ...]
    tries: tuple[int, ...]

    def public(self) -> tuple[tuple[int, ...], ...]:
        """What anyone may see."""
        return self.sent, self.tries


@dataclass(frozen=True)
class Residue:
    """Bytes of the state that `zeroize` leaves different without any flip.

    Attributes
    ----------
    secrets
        Of two runs that differ in a secret and end in one cycle.
    moments
        Of runs that end in different cycles: how far they came, and what is public.
    """

    secrets: NDArray[np.bool_]
    moments: NDArray[np.bool_]


class Scenario:
    """A case whose streams come as a timing says.

    Parameters
    ----------
    model, host
        A coprocessor, and who asks it.
    case, timing
        What is asked for, and when words come.

    Raises
    ------
    AssertionError
        If the answer is not the right one without any fault.
    """

    def __init__(
        self, model: CycleModel, host: Host, case: Case, timing: Timing, *, states: int = 64
    ) -> None:
        self.case, self.name = case, f"{case.name}, {timing.name}"
        self._model, self._host = model, host
        begin(model, host, case)
        ready = dict.fromkeys(host.sinks, timing.ready)
        streams = {**host.commands(case.requests), **feeds(model, case, timing)}
        self.loop = ClosedLoop(model, streams, ready)
        played = self.loop.record(LIMIT, states)
        self.cycles, self._limit = played.cycles, played.cycles + case.slack
        self.answer = self._answer(played)
        assert not case.right.reasons or self.answer == case.right, self.name
        self._right = played.words

    @cached_property
    def _tries(self) -> list[Register]:
        return [register for register in registers(self._model) if TRIES_UNIT in register.name]

    def changed(self, cycle: int, change: Callable[[], object]) -> str:
        """What comes of a change of the state in front of a cycle."""
        self.loop.enter(cycle)
        change()
        self._model.settle()
        played = self._finished()
        if played.end == "recorded":
            return NO_EFFECT
        try:
            answer = self._answer(played)
        except FaultError:
            if played.end != "limit":
                return ERROR
            answer = _shown(played, ())
        ended = len(answer.reasons) == len(self.case.requests)
        judged = self._judged(answer, played)
        if ended and played.end != "limit":
            return judged
        # What has left is judged too if the coprocessor does not become idle.
        if judged.startswith(BAD) or judged in (WRONG, ALERTED):
            return judged
        return self._hang(answer.reasons, ended=ended)

    def _finished(self) -> ReplayResult:
        """To the end, or until the limit, or until nothing changes any more."""
        limit = min(self._limit, self.cycles + _STILL_CYCLES)
        played = self.loop.finish(limit)
        while played.end == "limit" and limit < self._limit:
            before = np.frombuffer(self._model.state(), np.uint8)
            limit += _STILL_CYCLES
            played = self.loop.finish(limit)
            after = np.frombuffer(self._model.state(), np.uint8)
            if np.count_nonzero(before != after) <= _STILL_BYTES:
                break
        return played

    def _judged(self, answer: Answer, played: ReplayResult) -> str:
        released = self.case.released(answer)
        if released:
            return BAD + released
        ended = len(answer.reasons) == len(self.case.requests)
        same = answer == self.answer and all(
            played.words[sink] == self._right[sink] for sink in SINKS
        )
        if same:
            return FAULT if played.alerts else RIGHT
        found = self.case.judge(answer) if ended and answer.accepted else None
        if found:
            return BAD + found
        if (ended and answer.accepted) or self._wrong_before(answer, played):
            return ALERTED if played.alerts else WRONG
        if not ended:
            return HANG
        return FAULT if played.alerts or "fault" in answer.reasons else ERROR

    def _wrong_before(self, answer: Answer, played: ReplayResult) -> bool:
        """Whether the first of two operations says "none" of other public words than it must."""
        if self.case.right.packets[0] < 2 or answer.reasons[:1] != ("none",):
            return False
        right = self._right[SINKS[0]]
        size = 1 + next(at for at, word in enumerate(right) if word["tlast"])
        return played.words[SINKS[0]][:size] != right[:size]

    def _answer(self, played: ReplayResult) -> Answer:
        return _shown(played, self._host.results(self._model, played))

    def _hang(self, reasons: tuple[str, ...], *, ended: bool) -> str:
        """Whether `zeroize` ends it, from a host that has gone."""
        self.loop.drop()
        # Each command that waits is begun; a second pulse ends it without the rest of its streams.
        for _ in range(_PULSES):
            self._model.step(zeroize_i=1)
            played = self.loop.advance(WIPED, over=True)
            if played.end == "idle":
                return HANG
            alert = self._model.step()["alert_o"]
            if alert and (ended or self._faulty(reasons, played)):
                return LOCKED
        return STUCK

    def _faulty(self, reasons: tuple[str, ...], played: ReplayResult) -> bool:
        """Whether the last operation that ended, then or now, did so with *fault*."""
        try:
            reasons += self._host.results(self._model, played)
        except FaultError:
            return False
        return reasons[-1:] == ("fault",)

    def wiped(self, cycle: int, change: Callable[[], object], later: int, cycles: int) -> Wiped:
        """The state so many cycles after a `zeroize` that comes `later` after a change."""
        self.loop.enter(cycle)
        change()
        self._model.settle()
        played = self.loop.advance(later)
        tries = tuple(register.read() for register in self._tries)
        self.loop.drop()
        self._model.step(zeroize_i=1)
        self.loop.advance(cycles)
        sent = tuple(len(played.words[sink]) for sink in SINKS)
        return Wiped(np.frombuffer(self._model.state(), np.uint8), sent, tries)


def _wiped_pair(
    pair: Sequence[Scenario], cycle: int, change: Callable[[], object], later: int, cycles: int
) -> tuple[Wiped, Wiped]:
    one, two = (each.wiped(cycle, change, later, cycles) for each in pair)
    return one, two


def residue(
    pair: Sequence[Scenario], cycles: int, others: Sequence[Scenario] = (), places: int = 96
) -> Residue:
    """Bytes in which two runs may differ without any flip, whenever `zeroize` comes.

    Other ones go further, as a flip can make these do.
    """
    last = min(each.cycles for each in pair)
    first, _ = _wiped_pair(pair, 0, lambda: None, 0, cycles)
    secrets, moments = np.zeros((2, first.state.size), np.bool_)
    for place in range(places):
        one, two = _wiped_pair(pair, place * last // places, lambda: None, 0, cycles)
        secrets |= one.state != two.state
        moments |= (one.state != first.state) | (two.state != first.state)
    for other, place in product(others, range(places)):
        seen = other.wiped(place * other.cycles // places, lambda: None, 0, cycles)
        moments |= seen.state != first.state
    return Residue(secrets, moments)


def left(
    pair: Sequence[Scenario],
    cycle: int,
    change: Callable[[], object],
    later: int,
    cycles: int,
    *,
    beside: Residue | None = None,
) -> bool:
    """Whether states differ after a change and `zeroize`, but not `beside`.

    What unchanged runs leave that end in any cycle between does not count: a fault may have ended
    it there. If the change makes the two send different numbers of words, or end a try at different
    times, anyone sees that they differ, and bytes do not count that tell how far an unchanged run
    came.
    """
    one, two = _wiped_pair(pair, cycle, change, later, cycles)
    found = one.state != two.state
    if beside is not None:
        found &= ~beside.secrets
        if found.any():
            ahead = _wiped_pair(pair, cycle, change, later + _SOON, 0)
            if one.public() != two.public() or ahead[0].public() != ahead[1].public():
                found &= ~beside.moments
    for delay in (later, *range(later + _ENDED)):
        if not found.any():
            return False
        one, two = _wiped_pair(pair, cycle, lambda: None, delay, cycles)
        found &= one.state == two.state
    return bool(found.any())


def begin(model: CycleModel, host: Host, case: Case) -> None:
    """From reset until the operations are asked for."""
    model.reset()
    for _ in range(LIMIT):
        if model.step()["idle_o"]:
            break
    host.start(model, case.requests)


def _shown(played: ReplayResult, reasons: tuple[str, ...]) -> Answer:
    words = [played.words[sink] for sink in SINKS]
    public, secret = (b"".join(w["tdata"].to_bytes(8, "little") for w in each) for each in words)
    counts = [sum(w["tlast"] for w in each) for each in words]
    return Answer(reasons, public, secret, (counts[0], counts[1]))
