# SPDX-License-Identifier: Apache-2.0
"""lattigo 6.1.1 as a process: built from its Go files here if Go and its module are there."""

import shutil
import struct
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

import numpy as np

from nttforge.standards.rns import CONVENTIONS, Basis, SwitchingKey
from nttforge.standards.rns.basis import Array
from nttforge.standards.rns.switching import Pair
from tests.peer_programs import built_program

HERE = Path(__file__).parent
_KEY_SWITCH, _ROTATE, _RESCALE, _ENCRYPT_CKKS, _ENCRYPT_BGV, _DECRYPT, _TIMES = range(1, 8)
_HEAD_WORDS = 6


class NoLattigoError(Exception):
    """Go, or the module lattigo, is missing: nothing is compared with it."""


def program() -> Path:
    """The compiled program, from the cache."""
    go = shutil.which("go")
    if go is None:
        raise NoLattigoError("install Go: lattigo is not asked")
    sources = [HERE / name for name in ("main.go", "schemes.go", "times.go", "go.mod", "go.sum")]
    built = partial(built_program, "lattigo", sources, missing=NoLattigoError)
    return built(lambda folder: [go, "build", "-o", str(folder / "lattigo"), "."]) / "lattigo"


@dataclass(frozen=True)
class Encrypted:
    """Ciphertexts and keys of lattigo, whose secret it keeps.

    - `g`: of the rotation by 13 slots.
    - `x`, `y`: two ciphertexts.
    - `relinearization`, `rotation`: keys from s^2, and from the image of s under g^-1.
    """

    g: int
    x: Pair
    y: Pair
    relinearization: SwitchingKey
    rotation: SwitchingKey


@dataclass(frozen=True)
class Decrypted:
    """What lattigo finds in a product of its ciphertexts, rescaled and rotated.

    - `differ`: words of transforms that are not those of its own evaluator.
    - `error`, `bound`: of CKKS log2 of the average error and of what lattigo's tests allow; of BGV
      wrong slots, and 0.
    """

    differ: int
    error: float
    bound: float


class Lattigo:
    """Calls a running program; polynomials are limbs of coefficients."""

    def __init__(self, given: IO[bytes], answered: IO[bytes]) -> None:
        self._given, self._answered = given, answered

    def _ask(
        self,
        operation: int,
        q: Basis,
        p: Basis,
        polynomials: Sequence[Array],
        *,
        key: SwitchingKey | None = None,
        g: int = 0,
        answers: tuple[int, int],
    ) -> list[Array]:
        limbs, n = polynomials[0].shape
        head = (operation, n.bit_length() - 1, len(q.moduli), len(p.moduli), limbs, g)
        halves = () if key is None else (half for pair in key.pairs for half in pair)
        self._give(head, q, p, (*polynomials, *halves))
        return self._take(*answers, n)

    def _give(
        self, head: Sequence[int], q: Basis, p: Basis, polynomials: Sequence[Array] = ()
    ) -> None:
        assert len(head) == _HEAD_WORDS
        words = [np.array([*head, *q.moduli, *p.moduli], np.uint64)]
        words += [each.astype(np.uint64).ravel() for each in polynomials]
        self._given.write(np.concatenate(words).astype("<u8").tobytes())
        self._given.flush()

    def _take(self, count: int, limbs: int, n: int) -> list[Array]:
        answered = self._answered.read(8 * count * limbs * n)
        return list(np.frombuffer(answered, "<u8").astype(object).reshape(count, limbs, n))

    def _take_key(self, q: Basis, p: Basis, n: int) -> SwitchingKey:
        width = len(p.moduli)
        halves = self._take(2 * -(-len(q.moduli) // width), len(q.moduli) + width, n)
        pairs = tuple(zip(halves[::2], halves[1::2], strict=True))
        return SwitchingKey(q, p, pairs, width, CONVENTIONS["lattigo"])

    def encrypt(self, scheme: str, n: int, q: Basis, p: Basis, parameter: int) -> Encrypted:
        """Two drawn ciphertexts at the highest level, and keys.

        - `scheme`: "CKKS" or "BGV".
        - `parameter`: log2 of the scale, or the plaintext modulus.
        """
        operation = {"CKKS": _ENCRYPT_CKKS, "BGV": _ENCRYPT_BGV}[scheme]
        limbs = len(q.moduli)
        self._give((operation, n.bit_length() - 1, limbs, len(p.moduli), limbs, parameter), q, p)
        ((g,),) = self._take(1, 1, 1)[0].tolist()
        x0, x1, y0, y1 = self._take(4, limbs, n)
        relinearization, rotation = (self._take_key(q, p, n) for _ in range(2))
        return Encrypted(g, (x0, x1), (y0, y1), relinearization, rotation)

    def decrypt(self, pair: Pair, q: Basis, p: Basis) -> Decrypted:
        """Compare the product of the last two ciphertexts with what they were made of."""
        limbs, n = pair[0].shape
        head = (_DECRYPT, n.bit_length() - 1, len(q.moduli), len(p.moduli), limbs, 0)
        self._give(head, q, p, pair)
        differ, error, bound = struct.unpack("<Qdd", self._answered.read(24))
        return Decrypted(differ, error, bound)

    def apply_times(self, n: int, q: Basis, p: Basis, calls: int) -> list[float]:
        """`ApplyEvaluationKey` of a random ciphertext on one core: seconds of each call."""
        limbs = len(q.moduli)
        self._give((_TIMES, n.bit_length() - 1, limbs, len(p.moduli), limbs, calls), q, p)
        return [float(each) / 1e9 for each in self._take(1, 1, calls)[0][0]]

    def key_switch(self, c: Array, key: SwitchingKey) -> Pair:
        """`GadgetProduct`: a polynomial times the key."""
        u0, u1 = self._ask(_KEY_SWITCH, key.q, key.p, [c], key=key, answers=(2, len(c)))
        return u0, u1

    def rotate(self, pair: Pair, g: int, key: SwitchingKey) -> Pair:
        """`Automorphism`: of a ciphertext."""
        c0, c1 = self._ask(_ROTATE, key.q, key.p, pair, key=key, g=g, answers=(2, len(pair[0])))
        return c0, c1

    def rescale(self, c: Array, q: Basis, p: Basis) -> Array:
        """`DivRoundByLastModulus`."""
        (result,) = self._ask(_RESCALE, q, p, [c], answers=(1, len(c) - 1))
        return result


@contextmanager
def lattigo() -> Iterator[Lattigo]:
    """A running program.

    Raises
    ------
    NoLattigoError
        If there is no Go, or the module cannot be had.
    """
    line = [str(program())]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        yield Lattigo(process.stdin, process.stdout)
        process.stdin.close()
