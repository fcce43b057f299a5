# SPDX-License-Identifier: Apache-2.0
"""Streams at the ports of a compiled model, played by its own harness: millions of words.

The structs of simulate/cycles.h, and a host that offers words and takes them, with pauses.
"""

import ctypes
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from nttforge.c_struct import POINTER, members
from nttforge.simulate.cycles import CycleModel

LIMB = 64
#: Of a word, at least and at most.
LEAST_LIMBS, MOST_LIMBS = 2, 64
ALWAYS = (1 << 64) - 1
#: How a run ends that has seen what it waits for.
_OVER = 1
Many = ctypes.c_uint64
Words = ctypes.POINTER(Many)


class FeedStruct(ctypes.Structure):
    """A stream into the model."""

    _fields_ = members((Many, "valid ready data bits awaited count taken"), (Words, "words first"))


class DrainStruct(ctypes.Structure):
    """A stream out of the model."""

    _fields_ = members(
        (Many, "valid ready data bits pattern room came"),
        (Words, "words"),
        (Many, "expected"),
        (Words, "right"),
    )


class PlayStruct(ctypes.Structure):
    """A run."""

    _fields_ = members(
        (Many, "feeds drains"),
        (ctypes.POINTER(FeedStruct), "feed"),
        (ctypes.POINTER(DrainStruct), "drain"),
        (Many, "cycle limit idle rest alert alerts differs every"),
        (POINTER, "written golden"),
        (Many, "states"),
        (Words, "places"),
        (Many, "resting"),
    )


def limbs_of(bits: int) -> int:
    """Limbs of a word of so many bits."""
    return max(LEAST_LIMBS, -(-bits // LIMB))


def as_limbs(words: Sequence[int], limbs: int) -> "ctypes.Array[Many]":
    """Words as the harness takes them."""
    raw = b"".join(word.to_bytes(8 * limbs, "little") for word in words)
    return (Many * max(1, len(words) * limbs)).from_buffer_copy(raw or bytes(8))


@dataclass
class Supply:
    """Words of a stream that come from memory, asked for in order while a queue has room.

    - `interval`: cycles from one word to the next, at best.
    - `latency`: cycles from the asking for a word until it is there.
    - `depth`: words that are in the queue, or on their way to it.
    """

    interval: float
    latency: float
    depth: int
    asked: int = 0
    at: float = 0.0

    def hold(self, feed: FeedStruct) -> None:
        """Nothing is there at the beginning."""
        for number in range(feed.count):
            feed.first[number] = ALWAYS

    def ask(self, feed: FeedStruct, cycle: int) -> None:
        """Ask for the words that there is room for."""
        while self.asked < min(feed.count, feed.taken + self.depth):
            self.at = max(self.at + self.interval, cycle)
            feed.first[self.asked] = ceil(self.at + self.latency)
            self.asked += 1


@dataclass(frozen=True)
class Streamed:
    """Results of a run.

    - `cycles`: of the run, until the last awaited word came.
    - `words`: by stream.
    - `over`: whether all words came that were awaited.
    """

    cycles: int
    words: dict[str, list[int]]
    over: bool


def stream(
    model: CycleModel,
    feeds: Mapping[str, Sequence[int]],
    awaited: Mapping[str, int],
    *,
    limit: int,
    pauses: float = 0,
    rng: random.Random | None = None,
    chunk: int = 32,
    late: Mapping[str, int] | None = None,
    supplies: Mapping[str, Supply] | None = None,
) -> Streamed:
    """Play words into a model until as many words as are awaited have come.

    - `feeds`: words of each input stream: its signals behind `tvalid`, the first one lowest.
    - `awaited`: words that come of each output stream; those of the first one come when the others
      are about to end.
    - `limit`: cycles.
    - `pauses`: share of the cycles in which a source has no word, or a sink takes none.
    - `rng`: of the pauses.
    - `chunk`: cycles between two looks, at most; a stream pauses from one to the next.
    - `late`: by input stream, the cycle before which it offers no word.
    - `supplies`: by input stream, the memory that its words come from; asked at looks.
    """
    rng = rng or random.Random(0)
    offered = [_feed(model, name, words) for name, words in feeds.items()]
    for feed, name in zip(offered, feeds, strict=True):
        feed.first[0] = (late or {}).get(name, 0)
    sinks = [_drain(model, name, room) for name, room in awaited.items()]
    feed_array = (FeedStruct * len(offered))(*offered)
    drain_array = (DrainStruct * len(sinks))(*sinks)
    first = model.offset(f"{next(iter(awaited))}_tvalid")
    # It looks more often when the first awaited stream has begun.
    play = PlayStruct(
        feeds=len(offered),
        feed=feed_array,
        drains=len(sinks),
        drain=drain_array,
        idle=first,
        alert=first,
        rest=1,
    )
    numbers = [*feeds]
    fed = [(each, feed_array[numbers.index(name)]) for name, each in (supplies or {}).items()]
    for supply, feed in fed:
        supply.hold(feed)
    over = False
    while play.cycle < limit and not over:
        for supply, feed in fed:
            supply.ask(feed, play.cycle)
        length = chunk if play.rest == 1 else 1
        if pauses:
            length = rng.randint(1, chunk)
            play.limit = min(limit, play.cycle + length)
            _pause(play, pauses, rng)
        play.limit = min(limit, play.cycle + length)
        if model.play(play) == _OVER:
            play.rest = ALWAYS
        over = all(d.came >= a for d, a in zip(drain_array, awaited.values(), strict=True))
    found = {name: _words(drain) for name, drain in zip(awaited, drain_array, strict=True)}
    return Streamed(play.cycle, found, over)


def _payload(model: CycleModel, name: str) -> tuple[int, int]:
    """Offset of a word's signals, and their bits."""
    bits = sum(mask.bit_length() for _, _, mask in model.fields(name))
    return model.offset(f"{name}_tvalid") + 1, bits


def _pause(play: PlayStruct, pauses: float, rng: random.Random) -> None:
    """Hold back what a source has behind the word that it offers, and have sinks take none."""
    for number in range(play.feeds):
        feed = play.feed[number]
        behind = feed.taken + 1
        if behind < feed.count and rng.random() < pauses:
            feed.first[behind] = max(feed.first[behind], play.limit)
    for number in range(play.drains):
        play.drain[number].pattern = 0 if rng.random() < pauses else rng.getrandbits(64) | 1


def _feed(model: CycleModel, name: str, words: Sequence[int]) -> FeedStruct:
    at, bits = _payload(model, name)
    return FeedStruct(
        valid=at - 1,
        ready=model.offset(f"{name}_tready"),
        data=at,
        bits=bits,
        awaited=0,
        count=len(words),
        words=as_limbs(words, limbs_of(bits)),
        first=(Many * max(1, len(words)))(),
    )


def _drain(model: CycleModel, name: str, room: int) -> DrainStruct:
    at, bits = _payload(model, name)
    ready = model.offset(f"{name}_tready")
    room += 16
    return DrainStruct(
        valid=at - 1,
        ready=ready,
        data=at,
        bits=bits,
        pattern=ALWAYS,
        room=room,
        words=(Many * (limbs_of(bits) * room))(),
    )


def _words(drain: DrainStruct) -> list[int]:
    limbs = limbs_of(drain.bits)
    count = min(drain.came, drain.room)
    raw = ctypes.string_at(drain.words, 8 * limbs * count)
    size = 8 * limbs
    return [int.from_bytes(raw[i * size : (i + 1) * size], "little") for i in range(count)]
