# SPDX-License-Identifier: Apache-2.0
"""The page of the Python API: every line of it runs, and prints what it says."""

import doctest
from pathlib import Path

import pytest

import nttforge

ROOT = Path(__file__).parents[2]


@pytest.mark.sim
def test_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = str(ROOT / "docs" / "python.md")
    found = doctest.testfile(page, module_relative=False)
    assert found.attempted > 15 and not found.failed


@pytest.mark.sim
def test_the_readme_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five lines of Python, with what they print."""
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted == 5 and not found.failed


def test_names_that_there_are_not() -> None:
    engine = nttforge.open("ml-kem")
    with pytest.raises(AttributeError, match="did you mean ntt"):
        _ = engine.nt
    with pytest.raises(nttforge.NttforgeError, match="cont: is no option here; use count, seed"):
        engine.verify(cont=3)
    with pytest.raises(AttributeError, match="no attribute 'opn'"):
        _ = nttforge.opn
    assert "ntt" in dir(engine) and "<table>" in engine._repr_html_()
    assert nttforge.open("ml-kem-coprocessor").core.kind_label == "an ML-KEM coprocessor"
