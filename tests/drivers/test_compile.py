# SPDX-License-Identifier: Apache-2.0
"""Drivers of every kind of design with registers, compiled without a warning by what is here."""

from pathlib import Path

import pytest

from nttforge.flow.prepare import prepare_any
from nttforge.hw.drivers import ERRORS
from tests.drivers.compilers import COMPILERS, STRICT, command_of, run, shared
from tests.end_to_end.test_folder_bench import design_of

DESIGNS = (
    "shell",
    "large",
    "ml-kem-coprocessor",
    "ml-dsa-coprocessor",
    "checked",
    "pqc-coprocessor",
)


def folder_of(name: str) -> tuple[Path, str]:
    """A design's folder and its module."""
    prepared = prepare_any(design_of(name))
    return prepared.folder, prepared.core.name


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", DESIGNS)
def test_freestanding(name: str, compiler: str, tmp_path: Path) -> None:
    command = command_of(compiler)
    folder, module = folder_of(name)
    source = tmp_path / "driver.c"
    text = (folder / f"{module}_driver.c").read_text()
    flags = (*STRICT, "-ffreestanding", f"-I{folder}", "-c", "-o", tmp_path / "driver.o")
    source.write_text(text)
    done = run(*command, *flags, source)
    assert done.returncode == 0, done.stderr
    source.write_text(text + "\nstatic int nobody;\n")
    assert run(*command, *flags, source).returncode != 0


@pytest.mark.parametrize("name", DESIGNS)
def test_it_calls_nothing_and_cxx_can_call_it(name: str, tmp_path: Path) -> None:
    folder, module = folder_of(name)
    for file in (f"{module}_driver.c", f"{module}_driver.h", f"{module}.h", "nttforge_io.h"):
        (tmp_path / file).write_bytes((folder / file).read_bytes())
    assert shared(tmp_path / f"{module}_driver.c").is_file()
    program = tmp_path / "user.cpp"
    program.write_text(
        f'#include "{module}_driver.h"\n'
        f"int main() {{ return {module}_message(NTTFORGE_BUSY) != nullptr ? 0 : 1; }}\n"
    )
    library = tmp_path / f"{module}_driver.so"
    flags = ("-Wall", "-Wextra", "-Werror", program, library, "-o", tmp_path / "user")
    done = run("g++", *flags)
    assert done.returncode == 0, done.stderr
    assert run(tmp_path / "user").returncode == 0


def test_codes_are_below_those_of_the_hardware() -> None:
    assert len({error.value for error in ERRORS}) == len(ERRORS)
    assert all(error.value < 0 for error in ERRORS)
