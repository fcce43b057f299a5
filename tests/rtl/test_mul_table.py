# SPDX-License-Identifier: Apache-2.0
"""Products with constants out of tables equal exact integers."""

import random
from pathlib import Path

from tests.rtl.arith_bench import build, failures
from tests.rtl.plan_space import Draw, mul_table

#: Bits of the widest constant of each unit.
WIDTHS = (3, 8, 8, 20, 20, 64, 64, 256, 256, 256)


def test_tables_of_constants(tmp_path: Path) -> None:
    """Digits and constants of any size, the low bits of products and all, registers anywhere."""
    units = [mul_table(i, Draw(random.Random(i), most)) for i, most in enumerate(WIDTHS)]
    wrong = failures(units, build(units, tmp_path))
    assert not wrong, {name: lines[:3] for name, lines in wrong.items()}
