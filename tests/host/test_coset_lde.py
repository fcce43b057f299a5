# SPDX-License-Identifier: Apache-2.0
"""The example of a prover's loop: its extensions are values of the same polynomials, says flint."""

import importlib.util
import random
from pathlib import Path
from types import ModuleType

import flint
import numpy as np
import pytest

from nttforge import host
from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.kinds.decomposed.config import DecomposedTable

EXAMPLE = Path(__file__).parents[2] / "examples" / "coset_lde.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("coset_lde", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check(example: ModuleType, name: str, log_size: int, columns: int, blowup: int) -> None:
    """Columns are values of polynomials that flint evaluates; so must their extensions be."""
    rng, n = random.Random(log_size), 1 << log_size
    design = example.with_coset(load_design(name))
    q, shift = design.rings[0].modulus, design.table(DecomposedTable).coset
    field = flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(q))
    polynomials = [field([rng.randrange(q) for _ in range(n)]) for _ in range(columns)]
    with host.open(design) as engine:
        # The points are the values of x.
        small, large = ([int(x) for x in engine.ntt(unit(size))] for size in (n, blowup * n))
        given = np.array([values(f, small) for f in polynomials], object)
        found = example.extend(engine, given, blowup)
    coset = [shift * x % q for x in large]
    assert len({*large}) == blowup * n and not {*coset} & {*large}
    for f, extended in zip(polynomials, found, strict=True):
        assert [int(y) for y in extended] == values(f, coset)


def unit(size: int) -> list[int]:
    return [0, 1, *[0] * (size - 2)]


def values(f: "flint.fmpz_mod_poly", points: list[int]) -> list[int]:
    return [int(y) for y in f.multipoint_evaluate(points)]


@pytest.mark.parametrize(("log_size", "columns", "blowup"), [(5, 3, 2), (9, 5, 2), (10, 1, 4)])
def test_extensions_are_values_of_the_same_polynomials(
    example: ModuleType, log_size: int, columns: int, blowup: int
) -> None:
    check(example, "sam-tiny", log_size, columns, blowup)


@pytest.mark.slow
def test_extensions_over_goldilocks(example: ModuleType) -> None:
    check(example, "sam-64", 12, 4, 16)


def test_a_column_that_is_too_long_is_refused(example: ModuleType) -> None:
    design = example.with_coset(load_design("sam-tiny"))
    with host.open(design) as engine, pytest.raises(NttforgeError, match="sam"):
        example.extend(engine, np.zeros((1, 1 << 16), object), 2)


def test_a_design_that_has_a_coset_keeps_it(example: ModuleType) -> None:
    design = load_design(str(EXAMPLE.parent / "coset-64.toml"))
    assert example.with_coset(design) is design


@pytest.mark.sim
def test_the_command(example: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert example.main(["sam-tiny", "--columns", "2", "--log-size", "5"]) == 0
    assert capsys.readouterr().out.startswith("2 columns from 32 to 64 values, ")
    assert example.main(["sam-tinny"]) == 1
    assert "sam-tiny" in capsys.readouterr().err
