# SPDX-License-Identifier: Apache-2.0
"""Units as libraries for C programs, and the command that runs mlkem-native's tests."""

import ctypes
import hashlib
import os
import random
import shutil
from pathlib import Path

import pytest
from kyber_py.ml_kem import ML_KEM_512

from nttforge.rtl_library import rtl_root
from tests.host.mlkem_native import (
    CHECKOUT,
    NAME,
    TRANSFORMS,
    keccak_library,
    main,
    run_tests,
    transform_library,
)

Q, MONT = 3329, 1 << 16
RING = ML_KEM_512.R


def permuted(library: ctypes.CDLL, state: bytes) -> bytes:
    buffer = ctypes.create_string_buffer(state, 200)
    assert library.nttforge_keccak(buffer) == 0
    return buffer.raw


def shake256(library: ctypes.CDLL, message: bytes, size: int) -> bytes:
    """By the unit's permutation, sponge and padding by hand."""
    rate = 136
    padded = message + b"\x1f" + bytes(-(len(message) + 1) % rate)
    padded = padded[:-1] + bytes([padded[-1] | 0x80])
    state = bytes(200)
    for at in range(0, len(padded), rate):
        block = padded[at : at + rate] + bytes(200 - rate)
        state = permuted(library, bytes(a ^ b for a, b in zip(state, block, strict=True)))
    squeezed = b""
    while len(squeezed) < size:
        squeezed += state[:rate]
        state = permuted(library, state)
    return squeezed[:size]


def test_the_permutation_of_any_state() -> None:
    library, rng = ctypes.CDLL(str(keccak_library() / f"lib{NAME}.so")), random.Random(1)
    for length in (0, 1, 135, 136, 137, 1000):
        message = rng.randbytes(length)
        assert shake256(library, message, 500) == hashlib.shake_256(message).digest(500)


def words(values: list[int]) -> "ctypes.Array[ctypes.c_int16]":
    return (ctypes.c_int16 * len(values))(*values)


def flat(rows: list[list[int]]) -> "ctypes.Array[ctypes.c_int16]":
    return words([value for row in rows for value in row])


def times(a: list[int], b: list[int]) -> list[int]:
    """The product of two polynomials in the transform's domain, by kyber-py."""
    pair = (RING([x % Q for x in values], is_ntt=True) for values in (a, b))
    found: list[int] = (next(pair) * next(pair)).coeffs
    return found


@pytest.fixture(scope="module")
def transforms() -> ctypes.CDLL:
    return ctypes.CDLL(str(transform_library() / f"lib{TRANSFORMS}.so"))


def test_transforms_in_the_factors_and_bounds_of_the_hooks(transforms: ctypes.CDLL) -> None:
    rng = random.Random(1)
    for bound in (Q - 1, 1, 0):
        x = [rng.randint(-bound, bound) for _ in range(256)]
        buffer = words(x)
        assert transforms.nttforge_ntt(buffer) == 0
        assert list(buffer) == RING([v % Q for v in x]).to_ntt().coeffs
        there = [v + Q * rng.randint(-9, 8) for v in buffer]
        buffer = words(there)
        assert transforms.nttforge_intt_tomont(buffer) == 0
        assert list(buffer) == [v * MONT % Q for v in x]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_scalar_products(transforms: ctypes.CDLL, count: int) -> None:
    rng, r = random.Random(count), words([0] * 256)
    for most in (4095, 0):
        a = [[rng.randint(0, most) for _ in range(256)] for _ in range(count)]
        b = [[rng.randint(-(1 << 15), (1 << 15) - 1) for _ in range(256)] for _ in range(count)]
        assert transforms.nttforge_products(r, flat(a), flat(b), count) == 0
        terms = [times(x, y) for x, y in zip(a, b, strict=True)]
        assert [v * MONT % Q for v in r] == [sum(column) % Q for column in zip(*terms, strict=True)]


def test_what_is_no_checkout_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 1
    assert "no checkout of mlkem-native" in capsys.readouterr().err


def checkout() -> Path:
    if CHECKOUT not in os.environ:
        pytest.skip(f"no checkout here: set {CHECKOUT} to one of mlkem-native")
    return Path(os.environ[CHECKOUT])


@pytest.mark.slow
def test_its_tests_pass_on_the_unit() -> None:
    result = run_tests(checkout())
    assert result.ok, result.log
    assert len(result.programs) == 15


@pytest.mark.slow
def test_its_tests_see_a_broken_unit(tmp_path: Path) -> None:
    library = shutil.copytree(rtl_root(), tmp_path / "rtl")
    file = library / "lattice" / "ntf_keccak_f1600.sv"
    text = file.read_text()
    assert "64'h8000000080008008" in text
    file.write_text(text.replace("64'h8000000080008008", "64'h8000000080008000", 1))
    result = run_tests(checkout(), ["run_kat_512"], library=keccak_library(library))
    assert not result.ok and result.permutations > 0


@pytest.mark.slow
def test_its_tests_see_broken_products(tmp_path: Path) -> None:
    text = (rtl_root() / "mlkem" / "ntf_basemul.sv").read_text()
    assert "26'(low2_q) - 26'(high2_q) + 26'(add2_q[1])" in text
    file = tmp_path / "ntf_basemul.sv"
    file.write_text(text.replace("26'(add2_q[1])", "26'(add2_q[0])"))
    result = run_tests(checkout(), ["run_kat_512"], transforms=transform_library(file))
    assert not result.ok and result.products > 0
