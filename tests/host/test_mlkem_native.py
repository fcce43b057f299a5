# SPDX-License-Identifier: Apache-2.0
"""The Keccak unit as a library for C programs, and the command that runs mlkem-native's tests."""

import ctypes
import hashlib
import os
import random
import shutil
from pathlib import Path

import pytest

from nttforge.rtl_library import rtl_root
from tests.host.mlkem_native import CHECKOUT, NAME, keccak_library, main, run_tests


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
    shutil.copytree(rtl_root() / "mlkem", tmp_path / "mlkem")
    file = tmp_path / "mlkem" / "keccak_f1600.sv"
    text = file.read_text()
    assert "64'h8000000080008008" in text
    file.write_text(text.replace("64'h8000000080008008", "64'h8000000080008000", 1))
    result = run_tests(checkout(), ["run_kat_512"], library=keccak_library(tmp_path))
    assert not result.ok and result.permutations > 0
