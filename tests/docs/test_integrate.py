# SPDX-License-Identifier: Apache-2.0
"""The page of integration: its commands run, its C compiles, its Python says what it says."""

import doctest
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from nttforge.flow.prepare import prepare_any
from tests.drivers.compilers import STRICT, command_of, run
from tests.end_to_end.test_folder import KEM, design_of

PAGE = Path(__file__).parents[2] / "docs" / "integrate.md"
TEXT = PAGE.read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_the_commands_run_in_order(tmp_path: Path) -> None:
    tools = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    printed = ""
    for line in "".join(blocks("console")).splitlines():
        if "ziglang" in line and importlib.util.find_spec("ziglang") is None:
            continue
        command = ["sh", "-ec", line]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (line, done.stderr)
        printed += done.stdout
    assert "the same secret" in printed


def test_the_c_compiles(tmp_path: Path) -> None:
    folder = prepare_any(design_of(KEM)).folder
    found = blocks("c")
    assert len(found) == 2
    for at, text in enumerate(found):
        source = tmp_path / f"{at}.c"
        source.write_text(text)
        flags = (*STRICT, f"-I{folder}", "-c", source, "-o", tmp_path / f"{at}.o")
        done = run(*command_of("gcc"), *flags)
        assert done.returncode == 0, done.stderr


def test_the_python_runs() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted >= 3 and not found.failed


@pytest.mark.parametrize("text", blocks("python"))
def test_other_python_is_python(text: str) -> None:
    compile(text, str(PAGE), "exec")
