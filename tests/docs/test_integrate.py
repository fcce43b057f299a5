# SPDX-License-Identifier: Apache-2.0
"""The page of integration: its commands run, its C compiles, its Python says what it says."""

import doctest
import importlib.util
from pathlib import Path

import pytest

from nttforge.flow.prepare import prepare_any
from tests.docs.console import blocks, commands, printed
from tests.drivers.compilers import STRICT, command_of, run
from tests.end_to_end.test_folder_bench import KEM, design_of

PAGE = Path(__file__).parents[2] / "docs" / "integrate.md"
TEXT = PAGE.read_text("utf-8")


@pytest.mark.sim
def test_the_commands_run_in_order(tmp_path: Path) -> None:
    everything = ""
    for command in commands("".join(blocks(TEXT, "console"))):
        if "ziglang" in command.line and importlib.util.find_spec("ziglang") is None:
            continue
        held, said = printed(command.line, tmp_path)
        assert held, (command.line, said)
        everything += said
    assert "the same secret" in everything


def test_the_c_compiles(tmp_path: Path) -> None:
    folder = prepare_any(design_of(KEM)).folder
    found = blocks(TEXT, "c")
    assert len(found) == 2
    for at, text in enumerate(found):
        source = tmp_path / f"{at}.c"
        source.write_text(text)
        flags = (*STRICT, f"-I{folder}", "-c", source, "-o", tmp_path / f"{at}.o")
        done = run(*command_of("gcc"), *flags)
        assert done.returncode == 0, done.stderr


@pytest.mark.sim
def test_the_python_runs() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted >= 3 and not found.failed


@pytest.mark.parametrize("text", blocks(TEXT, "python"))
def test_other_python_is_python(text: str) -> None:
    compile(text, str(PAGE), "exec")
