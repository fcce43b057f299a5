# SPDX-License-Identifier: Apache-2.0
"""Arbitration of operations in several contexts that share the butterflies and the stream."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from nttforge.kinds.iterative.program import Program

SchedulerState = tuple[int, tuple[tuple[int, int, int], ...]]
"""Whose beats are next, and of each operation its step, groups done and cycles to wait."""


@dataclass
class _Operation:
    """One under way, or the next one: its step, the groups done of it, and when it may go on."""

    step: int = 0
    group: int = 0
    ready: int = 0


def completions(
    program: Program, waits: Sequence[int], contexts: int
) -> Iterator[tuple[int, SchedulerState]]:
    """Cycles of operations in an endless sequence, by the rules of `ntf_pass_control`."""
    steps, groups = program.steps, program.groups
    taken = max(number for number, step in enumerate(steps) if step.streams)
    window = [_Operation() for _ in range(contexts)]  # the oldest one first
    now = loading = 0  # whose beats are next in the stream
    while True:
        may = [
            (max(now, each.ready), age)
            for age, each in enumerate(window)
            if (age == loading or not steps[each.step].streams)
            and (age == 0 or steps[each.step].target is not None)
        ]
        now, turn = min(may)
        each, step = window[turn], steps[window[turn].step]
        count = groups - each.group
        older = [ready for ready, age in may if age < turn]
        if older:
            count = min(count, -((now - min(older)) // step.cycles))
        now += count * step.cycles
        each.group += count
        if each.group < groups:
            continue
        loading += int(each.step == taken)
        each.ready = now + waits[each.step]
        each.step, each.group = each.step + 1, 0
        if each.step == len(steps):
            window = [*window[1:], _Operation()]
            loading -= 1
            yield now, (loading, tuple((x.step, x.group, max(0, x.ready - now)) for x in window))


def steady_interval(program: Program, waits: Sequence[int], contexts: int) -> Fraction:
    """Cycles an operation of `completions`, on average, from where a situation comes back."""
    seen: dict[SchedulerState, tuple[int, int]] = {}
    for number, (now, situation) in enumerate(completions(program, waits, contexts)):
        if situation in seen:
            before, since = seen[situation]
            return Fraction(now - since, number - before)
        seen[situation] = number, now
    raise AssertionError("operations follow without end")
