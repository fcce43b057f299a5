# SPDX-License-Identifier: Apache-2.0
"""The order of the tests of a file can be drawn (`make test ORDER=7`)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILE = "tests/unit/ring/test_primes.py"


def collected(seed: str) -> list[str]:
    """The tests of a file, in the order in which they would run."""
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", FILE, "--collect-only", "-q", "-o", "addopts="],
        env={**os.environ, "NTTFORGE_ORDER": seed},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [line for line in ran.stdout.splitlines() if "::" in line]


@pytest.mark.long
def test_a_seed_draws_the_order_of_a_file() -> None:
    usual, first, second = (collected(seed) for seed in ("", "1", "2"))
    assert sorted(usual) == sorted(first) == sorted(second)
    assert first != usual != second != first
    assert collected("1") == first
