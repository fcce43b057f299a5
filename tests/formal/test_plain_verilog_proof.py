# SPDX-License-Identifier: Apache-2.0
"""Verilog-2005 of `generate --verilog` is proved to be the SystemVerilog.

Of two small designs and a preset; the front end that reads SystemVerilog, slang's, is that of the
translation itself.
"""

from pathlib import Path

import pytest

from nttforge.cache import design_files
from nttforge.flow.generate import generate
from nttforge.hw import build
from tests.end_to_end.test_projects import small
from tests.equivalence import prove


def proved(name: str, folder: Path, *change: str) -> int:
    design = small(name)
    generate(design, folder, verilog=True)
    verilog = folder / "verilog" / f"{design.module}.v"
    if change:
        good, bad = change
        text = verilog.read_text()
        assert good in text
        verilog.write_text(text.replace(good, bad, 1))
    (folder / "proof").mkdir()
    return prove(design_files(folder), verilog, build(design).wrapper.name, folder / "proof")


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "name", ["products", *(pytest.param(n, marks=SLOW) for n in ("stream", "ml-kem"))]
)
def test_it_is_the_same(name: str, tmp_path: Path) -> None:
    assert proved(name, tmp_path) > 1000


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("products", "state_d = ", "state_d = ~"),
        pytest.param("ml-kem", " + ", " - ", marks=SLOW),
    ],
)
def test_a_difference_is_found(name: str, good: str, bad: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="proof did fail"):
        proved(name, tmp_path, good, bad)
