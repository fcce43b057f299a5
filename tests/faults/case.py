# SPDX-License-Identifier: Apache-2.0
"""Operations, what they must give, and what must never come of them; streams early and late."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nttforge.kinds.lattice.bus import Request

ALWAYS = (1 << 64) - 1
WORD_BYTES = 8
ZEROS = bytes(64)
#: Keccak-f[1600] of zeros, its first 512 bits: what a sponge gives that has absorbed nothing.
PERMUTED = bytes.fromhex(
    "e7dde140798f25f18a47c033f9ccd584eea95aa61e2698d54d49806f304715bd"
    "57d05362054e288bd46f8e7f2da497ffc44746a4a0e5fe90762e19d60cda5b8c"
)


@dataclass(frozen=True)
class Answer:
    """What operations gave.

    Attributes
    ----------
    reasons
        How each ended.
    public, secret
        Bytes of the output streams.
    packets
        How many packets each of the two streams had.
    """

    reasons: tuple[str, ...]
    public: bytes = b""
    secret: bytes = b""
    packets: tuple[int, int] = (0, 0)

    @property
    def accepted(self) -> bool:
        """Whether the last operation ended without an error."""
        return self.reasons[-1:] == ("none",)


#: Of an answer with the result "none" that is not the right one: what known value it has, or None.
Judge = Callable[[Answer], str | None]


@dataclass(frozen=True)
class Case:
    """Operations, one after the other.

    Attributes
    ----------
    name, core
        What it is, and which core does it: `kem` or `dsa`.
    requests
        What is asked for.
    right
        The answer.
    judge
        Finds what must not be in a wrong answer that has no error.
    released
        Finds what must not leave whatever the result is.
    slack
        Cycles after which a run that takes longer than it should counts as a hang.
    """

    name: str
    core: str
    requests: tuple[Request, ...]
    right: Answer
    judge: Judge
    released: Judge = lambda _: None
    slack: int = 3000

    @property
    def secret(self) -> bool:
        """Whether there are words of secrets to wait for."""
        return any(request.secret or request.entropy for request in self.requests)

    @property
    def public(self) -> list[bytes]:
        """Packets of the public input."""
        return [data for request in self.requests for data in request.public]


@dataclass(frozen=True)
class Timing:
    """When the host gives words and takes them.

    Attributes
    ----------
    name
        What is late.
    late
        By input stream: from which word on, by its share of all, and how many cycles late.
    ready
        Of the outputs: in which of 64 cycles the host takes a word.
    """

    name: str
    late: Mapping[str, tuple[float, int]]
    ready: int = ALWAYS

    @property
    def secrets(self) -> bool:
        """Whether secrets alone are late."""
        return "s_sec" in self.late

    def first(self, stream: str, words: int) -> list[int]:
        """The first cycle of each word of a stream."""
        share, cycles = self.late.get(stream, (0.0, 0))
        held = int(share * words)
        return [0] * held + [cycles] * (words - held)


def timings(rng: random.Random, longest: int) -> list[Timing]:
    """All early; secrets late; secrets late in the middle; public words late, and slow outputs."""

    def cycles() -> int:
        return rng.randrange(longest // 10, longest)

    def secrets(share: float, late: int) -> dict[str, tuple[float, int]]:
        return {"s_sec": (share, late), "entropy": (share, late)}

    slow = sum(1 << at for at in range(64) if rng.random() < 0.8)
    return [
        Timing("early", {}),
        Timing("secrets late", secrets(0, cycles())),
        Timing("secrets late from the middle on", secrets(rng.random(), cycles())),
        Timing("public words late", {"s_pub": (rng.choice((0, rng.random())), cycles())}, slow),
    ]


def words_of(data: bytes) -> list[bytes]:
    """The whole words of it."""
    return [data[at : at + WORD_BYTES] for at in range(0, len(data), WORD_BYTES)]
