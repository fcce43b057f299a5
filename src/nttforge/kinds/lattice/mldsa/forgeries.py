# SPDX-License-Identifier: Apache-2.0
"""Invalid signatures, each wrong in one way, that Verify must refuse."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from nttforge.standards.ml_dsa.parameters import Parameters


class Signed(NamedTuple):
    """Inputs of Verify: public key, signature, and M'."""

    pk: bytes
    signature: bytes
    message: bytes

    @property
    def packets(self) -> tuple[bytes, ...]:
        """Those of the public input."""
        return self.pk, self.signature, self.message


def _flipped(data: bytes, rng: Random, begin: int, end: int) -> bytes:
    """One bit of the bytes from `begin` on and in front of `end` is another."""
    at, changed = rng.randrange(begin, end), bytearray(data)
    changed[at] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _hints(p: Parameters, signature: bytes) -> tuple[int, bytearray, list[int]]:
    """Offsets of the hints, of their indices, and of the end of each row's."""
    begin = p.signature_bytes - p.omega - p.k
    return begin, bytearray(signature[begin : -p.k]), list(signature[-p.k :])


def _with_hints(p: Parameters, right: Signed, places: bytes | bytearray, ends: list[int]) -> Signed:
    begin = p.signature_bytes - p.omega - p.k
    return right._replace(signature=right.signature[:begin] + bytes(places) + bytes(ends))


def _challenge(p: Parameters, right: Signed, rng: Random) -> Signed:
    return right._replace(signature=_flipped(right.signature, rng, 0, p.challenge_bytes))


def _z(p: Parameters, right: Signed, rng: Random) -> Signed:
    end = p.signature_bytes - p.omega - p.k
    return right._replace(signature=_flipped(right.signature, rng, p.challenge_bytes, end))


def _key(p: Parameters, right: Signed, rng: Random) -> Signed:
    return right._replace(pk=_flipped(right.pk, rng, 0, p.pk_bytes))


def _message(_: Parameters, right: Signed, rng: Random) -> Signed:
    if not right.message or rng.random() < 0.3:
        return right._replace(message=right.message + bytes(1 + rng.randrange(9)))
    return right._replace(message=_flipped(right.message, rng, 0, len(right.message)))


def _hint(p: Parameters, right: Signed, rng: Random) -> Signed:
    """A hint that is there is left out, and the others move up."""
    _, places, ends = _hints(p, right.signature)
    at = rng.randrange(ends[-1])
    del places[at]
    return _with_hints(p, right, places + bytes(1), [end - (end > at) for end in ends])


def _pair(p: Parameters, signature: bytes, rng: Random) -> int:
    """A hint with another one of its row after it."""
    _, _, ends = _hints(p, signature)
    begins = [0, *ends[:-1]]
    pairs = [at for b, e in zip(begins, ends, strict=True) for at in range(b, e - 1)]
    return rng.choice(pairs)


def _order(p: Parameters, right: Signed, rng: Random) -> Signed:
    """Two hints of a row change places."""
    _, places, ends = _hints(p, right.signature)
    at = _pair(p, right.signature, rng)
    places[at], places[at + 1] = places[at + 1], places[at]
    return _with_hints(p, right, places, ends)


def _twice(p: Parameters, right: Signed, rng: Random) -> Signed:
    """A hint is repeated; there is room for it."""
    _, places, ends = _hints(p, right.signature)
    at = rng.randrange(ends[-1])
    if ends[-1] == p.omega:
        return _order(p, right, rng)
    doubled = places[: at + 1] + places[at:-1]
    return _with_hints(p, right, doubled, [end + (end > at) for end in ends])


def _padding(p: Parameters, right: Signed, rng: Random) -> Signed:
    """A byte after the last hint is not zero."""
    _, places, ends = _hints(p, right.signature)
    if ends[-1] == p.omega:
        return _order(p, right, rng)
    places[rng.randrange(ends[-1], p.omega)] = rng.randrange(1, 256)
    return _with_hints(p, right, places, ends)


def _ends(p: Parameters, right: Signed, rng: Random) -> Signed:
    """A row ends in front of the one before it."""
    _, places, ends = _hints(p, right.signature)
    at = rng.randrange(1, p.k)
    ends[at] = rng.randrange(ends[at - 1]) if ends[at - 1] else 255
    return _with_hints(p, right, places, ends)


def _many(p: Parameters, right: Signed, rng: Random) -> Signed:
    """More hints than there may be."""
    _, places, ends = _hints(p, right.signature)
    ends[-1] = rng.randrange(p.omega + 1, 256)
    return _with_hints(p, right, places, ends)


#: What is wrong, by name.
KINDS: dict[str, Callable[[Parameters, Signed, Random], Signed]] = {
    "challenge": _challenge,
    "z": _z,
    "hint": _hint,
    "public key": _key,
    "message": _message,
    "order of hints": _order,
    "hint twice": _twice,
    "padding of hints": _padding,
    "end of a row": _ends,
    "too many hints": _many,
}
