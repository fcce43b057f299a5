# SPDX-License-Identifier: Apache-2.0
"""The wheel is whole: it generates designs far from the source tree."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_the_wheel_generates_designs(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(wheels)]
    subprocess.run([*command, str(ROOT)], check=True, cwd=tmp_path)
    (wheel,) = wheels.glob("nttforge-*.whl")
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    shipped = {path.relative_to(installed).parts[0] for path in installed.rglob("*.py")}
    assert shipped == {"nttforge"}  # neither benchmarks nor what renders the pages
    script = (
        "import sys, nttforge; from nttforge.cli import main\n"
        f"assert nttforge.__file__.startswith({str(installed)!r}), nttforge.__file__\n"
        "main(['generate', 'ml-kem', '-o', 'engine'])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path, env=environment)
    listed = (tmp_path / "engine" / "files.f").read_text().split()
    assert "ml_kem.sv" in listed
    assert all((tmp_path / "engine" / name).is_file() for name in listed)
