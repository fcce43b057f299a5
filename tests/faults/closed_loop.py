# SPDX-License-Identifier: Apache-2.0
"""A host that streams words to a compiled model and reacts to it, in the compiled library.

A run is recorded once, its state at checkpoints included. Then it can be entered at every cycle,
the model changed, and the rest of it played: a run whose state is again that of the recorded one
ends at once.
"""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from nttforge.simulate.cycles import CycleModel
from nttforge.simulate.word_streams import (
    ALWAYS,
    LEAST_LIMBS,
    LIMB,
    DrainStruct,
    FeedStruct,
    Many,
    PlayStruct,
    as_limbs,
)

#: How a run can end: at its limit, idle, or in a state of the recorded run.
End = Literal["limit", "idle", "recorded"]
_ENDS: tuple[End, ...] = ("limit", "idle", "recorded")
#: A word of a stream: its signals but `tvalid` and `tready`, by name.
Word = Mapping[str, int]


@dataclass(frozen=True)
class Feed:
    """An input stream.

    Attributes
    ----------
    words
        Of each its signals.
    first
        The first cycle in which each may be offered; it is held until it is taken. One for each
        word, or none: as early as can be.
    awaited
        Nothing is over while a word is left.
    """

    words: Sequence[Word]
    first: Sequence[int] = ()
    awaited: bool = False


@dataclass
class ReplayResult:
    """A run, or the rest of one.

    Attributes
    ----------
    end
        How it ended.
    cycles
        How many cycles it had, from the beginning.
    alerts
        In how many of them the alert was high.
    words
        What came, by stream.
    """

    end: End
    cycles: int
    alerts: int
    words: dict[str, list[dict[str, int]]] = field(default_factory=dict)


class ClosedLoop:
    """Streams at the ports of a model; the run begins with the state that the model is in.

    Parameters
    ----------
    model
        A compiled model, whose streams have `_tvalid` in front of their other signals.
    feeds
        Input streams, by name.
    ready
        Of each output stream in which of 64 cycles the host is ready, a bit each.
    idle, alert
        Outputs: all is over when the first was high for `rest` cycles; the second is counted.
    """

    def __init__(
        self,
        model: CycleModel,
        feeds: Mapping[str, Feed],
        ready: Mapping[str, int],
        *,
        idle: str = "idle_o",
        alert: str = "alert_o",
        rest: int = 8,
    ) -> None:
        self._model, self._sinks = model, tuple(ready)
        self._feeds = (FeedStruct * len(feeds))(*(self._feed(n, f) for n, f in feeds.items()))
        self._drains = (DrainStruct * len(ready))(*(self._drain(n, r) for n, r in ready.items()))
        self._play = PlayStruct(
            feeds=len(feeds),
            feed=self._feeds,
            drains=len(ready),
            drain=self._drains,
            idle=model.offset(idle),
            alert=model.offset(alert),
            rest=rest,
        )
        self._states = b""
        self._places: ctypes.Array[Many] = (Many * 0)()
        #: Cycles of the recorded run.
        self.cycles = 0

    def _feed(self, name: str, feed: Feed) -> FeedStruct:
        at, bits = self._payload(name)
        words = [
            self._model.packed({f"{name}_{k}": v for k, v in w.items()}) >> at for w in feed.words
        ]
        first = feed.first or [0] * len(words)
        return FeedStruct(
            valid=at - 1,
            ready=self._model.offset(f"{name}_tready"),
            data=at,
            bits=bits,
            awaited=feed.awaited,
            count=len(words),
            words=as_limbs(words, LEAST_LIMBS),
            first=(Many * len(first))(*first),
        )

    def _drain(self, name: str, pattern: int) -> DrainStruct:
        at, bits = self._payload(name)
        ready = self._model.offset(f"{name}_tready")
        return DrainStruct(valid=at - 1, ready=ready, data=at, bits=bits, pattern=pattern & ALWAYS)

    def _payload(self, name: str) -> tuple[int, int]:
        """Where the signals of a word begin, and how many bits they have."""
        fields = self._model.fields(name)
        bits = sum(mask.bit_length() for _, _, mask in fields)
        return self._model.offset(f"{name}_tvalid") + 1, bits

    def record(self, limit: int, states: int = 64) -> ReplayResult:
        """Play the run from its beginning, and keep what it did, so many states included.

        Raises
        ------
        ValueError
            If it is not over before the limit.
        """
        begin = self._model.state()
        for drain in self._drains:
            drain.room = limit
            drain.words = (Many * (LEAST_LIMBS * limit))()
        found = self._run(limit)
        if found.end != "idle":
            raise ValueError(f"the run is not over after {limit} cycles")
        self.cycles = found.cycles
        for drain in self._drains:
            drain.expected = drain.came
            right = drain.words[: LEAST_LIMBS * drain.came]
            drain.right = (Many * max(1, len(right)))(*right)
            # Of a run that was changed, more than all words are no use.
            drain.room = drain.came + 16
            drain.words = (Many * (LEAST_LIMBS * drain.room))()
        # Once more: the distance of states depends on the length.
        self._play.every = -(-self.cycles // states)
        count = -(-self.cycles // self._play.every)
        buffer = ctypes.create_string_buffer(count * len(begin))
        self._places = self._play.places = (Many * (count * self._stride))()
        self._model.restore(begin)
        self._rewind(0)
        self._play.written, self._play.states = ctypes.addressof(buffer), count
        again = self._run(limit)
        self._play.written = None
        self._states = buffer.raw
        self._golden = ctypes.c_char_p(self._states)
        if again != found:
            raise ValueError("the same run is another one")
        return found

    def enter(self, cycle: int) -> None:
        """Bring the model into the state in front of a cycle of the recorded run."""
        play, size = self._play, len(self._states) // self._play.states
        number = min(cycle // play.every, play.states - 1)
        self._model.restore(self._states[number * size : (number + 1) * size])
        *places, resting = self._places[number * self._stride : (number + 1) * self._stride]
        self._rewind(number * play.every)
        play.resting = resting
        for feed, taken in zip(self._feeds, places, strict=False):
            feed.taken = taken
        for drain, came in zip(self._drains, places[len(self._feeds) :], strict=True):
            drain.came = came
            ctypes.memmove(drain.words, drain.right, 8 * LEAST_LIMBS * drain.expected)
        play.golden = None
        self._advance(cycle)

    def finish(self, limit: int) -> ReplayResult:
        """Play on from where the model is, up to a cycle at most."""
        self._play.golden = ctypes.cast(self._golden, ctypes.c_void_p)
        return self._run(limit)

    def advance(self, cycles: int, *, over: bool = False) -> ReplayResult:
        """Play so many cycles more, whatever happens; or, if `over`, until all is over."""
        rest = self._play.rest
        if over:
            self._play.resting = 0
        else:
            self._play.rest = ALWAYS
        self._play.golden = None
        found = self._run(self._play.cycle + cycles)
        self._play.rest = rest
        return found

    def drop(self) -> None:
        """Offer no word any more."""
        for feed in self._feeds:
            feed.taken = feed.count

    @property
    def _stride(self) -> int:
        """Numbers kept with a state: where each stream is, and how long all was idle."""
        return len(self._feeds) + len(self._drains) + 1

    def _rewind(self, cycle: int) -> None:
        play = self._play
        play.cycle, play.alerts, play.differs, play.resting = cycle, 0, 0, 0
        for feed in self._feeds:
            feed.taken = 0
        for drain in self._drains:
            drain.came = 0

    def _advance(self, limit: int) -> End:
        self._play.limit = limit
        return _ENDS[self._model.play(self._play)]

    def _run(self, limit: int) -> ReplayResult:
        end = self._advance(limit)
        words = {
            name: self._shown(name, drain)
            for name, drain in zip(self._sinks, self._drains, strict=True)
        }
        return ReplayResult(end, self._play.cycle, self._play.alerts, words)

    def _shown(self, name: str, drain: DrainStruct) -> list[dict[str, int]]:
        count = min(drain.came, drain.room)
        limbs = drain.words[: LEAST_LIMBS * count]
        values = (limbs[2 * at] | limbs[2 * at + 1] << LIMB for at in range(count))
        fields = self._model.fields(name)
        return [{n: value >> at & mask for n, at, mask in fields} for value in values]
