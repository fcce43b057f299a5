# SPDX-License-Identifier: Apache-2.0
"""lattigo 6.1.1 as a process: built from `main.go` when Go and its module are there."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

import numpy as np

from nttforge.standards.rns import Basis, SwitchingKey
from nttforge.standards.rns.basis import Array
from nttforge.standards.rns.switching import Pair
from tests.peer_programs import built_program

HERE = Path(__file__).parent
_KEY_SWITCH, _ROTATE, _RESCALE = 1, 2, 3


class NoLattigoError(Exception):
    """Go, or the module lattigo, is missing: nothing is compared with it."""


def program() -> Path:
    """The compiled program, from the cache."""
    go = shutil.which("go")
    if go is None:
        raise NoLattigoError("install Go: lattigo is not asked")
    sources = [HERE / name for name in ("main.go", "go.mod", "go.sum")]
    built = partial(built_program, "lattigo", sources, missing=NoLattigoError)
    return built(lambda folder: [go, "build", "-o", str(folder / "lattigo"), "."]) / "lattigo"


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
        words = [np.array([*head, *q.moduli, *p.moduli], np.uint64)]
        words += [each.astype(np.uint64).ravel() for each in (*polynomials, *halves)]
        self._given.write(np.concatenate(words).astype("<u8").tobytes())
        self._given.flush()
        count, of_limbs = answers
        answered = self._answered.read(8 * count * of_limbs * n)
        shape = (count, of_limbs, n)
        return list(np.frombuffer(answered, "<u8").astype(object).reshape(shape))

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
