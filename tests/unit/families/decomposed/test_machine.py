# SPDX-License-Identifier: Apache-2.0
"""The machine, word for word, against python-flint."""

from typing import Any

import flint
import numpy as np
import numpy.typing as npt
import pytest

from nttforge.kinds.decomposed.rounds import Order, Round, rounds
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.twiddles import Seeds
from nttforge.kinds.decomposed.walks import reverse
from tests.unit.families.decomposed import decomposed_model as machine_module
from tests.unit.families.decomposed.cases import SHAPES, cases
from tests.unit.families.decomposed.decomposed_model import Machine
from tests.unit.families.decomposed.generator import Table

Q = 998244353
G = 5
SEEDS = Seeds.create(Q, 18, shift=G, sizes=17)
Words = npt.NDArray[np.int64]


def powers(base: int, count: int) -> Words:
    result = np.empty(count, dtype=np.int64)
    value = 1
    for i in range(count):
        result[i] = value
        value = value * base % Q
    return result


def definition(words: Words, root: int) -> Words:
    """All X[k] = sum of x[i] root^(ik) by Bluestein's identity: ik = C(i+k, 2) - C(i, 2) - C(k, 2).

    One product of polynomials, which flint takes.
    """
    n = len(words)
    triangle = np.arange(2 * n, dtype=np.int64)
    triangle = triangle * (triangle - 1) // 2 % n
    w = powers(root, n)
    down = w[-triangle[:n] % n]
    left = flint.nmod_poly([int(x) for x in words * down % Q][::-1], Q)
    product = left * flint.nmod_poly([int(x) for x in w[triangle]], Q)
    tail = np.array([int(product[n - 1 + k]) for k in range(n)], dtype=np.int64)
    return tail * down % Q


def directions(machine: Machine, size: int, rng: np.random.Generator) -> None:
    words = rng.integers(0, Q, 1 << size)
    psi = machine.seeds.roots[size + 1]
    cyclic = definition(words, psi * psi % Q)
    negacyclic = definition(words * powers(psi, 1 << size) % Q, psi * psi % Q)
    assert (machine.transform(words) == cyclic).all()
    assert (machine.transform(cyclic, inverse=True) == words).all()
    assert (machine.transform(words, negacyclic=True) == negacyclic).all()
    assert (machine.transform(negacyclic, inverse=True, negacyclic=True) == words).all()
    shifted = definition(words * powers(G, 1 << size) % Q, psi * psi % Q)
    assert (machine.transform(words, coset=True) == shifted).all()
    assert (machine.transform(shifted, inverse=True, coset=True) == words).all()
    for pad in range(1, rounds(machine.shape, size)[0].most_pad + 1):
        few = words[: 1 << size - pad]
        whole = np.concatenate((few, np.zeros((1 << size) - len(few), np.int64)))
        shifted_few = definition(whole * powers(G, 1 << size) % Q, psi * psi % Q)
        assert (machine.transform(few, coset=True, padding=pad) == shifted_few).all()
    places = reverse(np.arange(1 << size), size)
    for expected, form in ((cyclic, ""), (negacyclic, "negacyclic"), (shifted, "coset")):
        keys: dict[str, Any] = {form: True} if form else {}
        found = machine.transform(words, order=Order.TO_REVERSED, **keys)
        assert (found[places] == expected).all()
        found = machine.transform(found, inverse=True, order=Order.FROM_REVERSED, **keys)
        assert (found == words).all()


def test_the_reference_is_the_definition() -> None:
    words = np.random.default_rng(1).integers(0, Q, 16)
    root = SEEDS.roots[4]
    expected = [
        sum(int(x) * pow(root, i * k, Q) for i, x in enumerate(words)) % Q for k in range(16)
    ]
    assert definition(words, root).tolist() == expected


@pytest.mark.long
@pytest.mark.parametrize(("shape", "size"), cases(12), ids=str)
def test_every_size_and_direction(shape: Shape, size: int) -> None:
    directions(Machine(shape, SEEDS), size, np.random.default_rng(size))


@pytest.mark.parametrize("shape", [Shape(4, 2, 1), Shape(5, 3, 1), Shape(4, 2, 1, 3)], ids=str)
@pytest.mark.parametrize("size", [8, 9, 10, 11])
def test_two_kernels(shape: Shape, size: int) -> None:
    directions(Machine(shape, SEEDS, kernels=2), size, np.random.default_rng(size))


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("size", [13, 14, 15, 16, 17])
def test_large_sizes(shape: Shape, size: int) -> None:
    directions(Machine(shape, SEEDS), size, np.random.default_rng(size))


@pytest.mark.parametrize("q", [(1 << 64) - (1 << 32) + 1])
def test_words_of_64_bits(q: int) -> None:
    """A round trip, and X[0] = the sum, X[N/2] = the alternating sum."""
    machine = Machine(Shape(4, 2, 1), Seeds.create(q, 12))
    words = np.array([pow(3, i, q) for i in range(1 << 10)], dtype=object)
    result = machine.transform(words)
    assert result[0] == sum(words) % q
    assert result[512] == (sum(words[::2]) - sum(words[1::2])) % q
    assert (machine.transform(result, inverse=True) == words).all()


@pytest.mark.parametrize("table", list(Table))
def test_a_wrong_ratio_is_seen(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: one table whose vectors go on by another root."""
    right: Any = getattr(machine_module, "jobs")  # noqa: B009  (it is the module's import)

    def wrong(at: Round, **keys: Any) -> Any:
        made = right(at, **keys)
        if table in made:
            job = made[table]
            made[table] = type(job)(
                **{**vars(job), "ratio_root": job.ratio_root - 1, "scaled": False}
            )
        return made

    monkeypatch.setattr(machine_module, "jobs", wrong)
    shape = Shape(4, 2, 1)
    words = np.random.default_rng(0).integers(0, Q, 1 << 9)
    got = Machine(shape, SEEDS).transform(words)
    assert (got != definition(words, SEEDS.roots[9])).any()
