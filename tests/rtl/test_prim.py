# SPDX-License-Identifier: Apache-2.0
"""The primitives, each in all of its shapes, against references cycle by cycle."""

from pathlib import Path

from tests.rtl.mlkem_bench import RTL
from tests.rtl.prim_bench import failures, shapes

#: Constants.
ELSEWHERE = {"prim_pkg"}


def test_every_shape_does_what_it_says(tmp_path: Path) -> None:
    assert not failures(RTL, tmp_path, seed=1)


def test_every_primitive_is_there() -> None:
    listed = {path.stem for path in (RTL / "prim").glob("*.sv")}
    assert {shape.module for shape in shapes()} == listed - ELSEWHERE
