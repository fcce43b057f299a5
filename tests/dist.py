# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.dist` makes wheel and source archive in `build/dist`, and tries them.

The wheel is made of the archive, as packagers do it. It is installed with what it needs from PyPI
into a new environment in a temporary folder, outside of the checkout, where `nttforge demo` is run,
and the bench of a folder that it generates.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile
from collections.abc import Sequence
from email import message_from_bytes
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "build" / "dist"
VERSION = re.findall(r'"(.+)"', (ROOT / "src/nttforge/version.py").read_text("utf-8"))[-1]
#: What users get beside the code, by the name in the archive.
SHIPPED = ("README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", "CITATION.cff", "pyproject.toml")
DESIGN = "ml-kem"


def build() -> tuple[Path, Path]:
    """The archive, and the wheel that is made of it."""
    shutil.rmtree(PLACE, ignore_errors=True)
    command = [sys.executable, "-m", "build", "--outdir", str(PLACE), str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (archive,), (wheel,) = PLACE.glob("*.tar.gz"), PLACE.glob("*.whl")
    return archive, wheel


def check(archive: Path, wheel: Path) -> None:
    """Both are of this version, and have what they should.

    Raises
    ------
    AssertionError
        Naming what is wrong.
    """
    name = f"nttforge-{VERSION}"
    assert archive.name == f"{name}.tar.gz", archive.name
    assert wheel.name == f"{name}-py3-none-any.whl", wheel.name
    with tarfile.open(archive) as content:
        lacks = {f"{name}/{file}" for file in SHIPPED} - {*content.getnames()}
    assert not lacks, lacks
    with zipfile.ZipFile(wheel) as content:
        files = {*content.namelist()}
        metadata = message_from_bytes(content.read(f"{name}.dist-info/METADATA"))
    assert metadata["Version"] == VERSION
    assert {"nttforge/py.typed", "nttforge/_rtl/LICENSE", "nttforge/_rtl/nttforge.core"} <= files
    assert f"version: {VERSION}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"## {VERSION} - " in (ROOT / "CHANGELOG.md").read_text("utf-8")


def try_out(wheel: Path, place: Path) -> None:
    """Install the wheel, run the demo, and the bench of a folder that it generates."""
    venv.create(place / "env", with_pip=True)
    tools = place / "env" / "bin"
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "VIRTUAL_ENV", "NTTFORGE"))
    }
    environment |= {
        "NTTFORGE_CACHE": str(place / "cache"),
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
    }

    def run(*command: str | Path) -> None:
        print("$", " ".join(map(str, command)), flush=True)
        began = time.monotonic()
        subprocess.run(command, cwd=place, env=environment, check=True)
        print(f"  {time.monotonic() - began:.0f} s", flush=True)

    where = (
        "import nttforge, sys; print(nttforge.__file__); sys.exit(sys.argv[1] in nttforge.__file__)"
    )
    run(tools / "pip", "install", "--quiet", f"{wheel}[demo]")
    run(tools / "python", "-c", where, str(ROOT))
    run(tools / "nttforge", "demo")
    run(tools / "nttforge", "generate", DESIGN, "-o", "engine")
    run("make", "-C", "engine")


def main(arguments: Sequence[str]) -> None:
    """Build, check and try."""
    parser = argparse.ArgumentParser(prog="python -m tests.dist", description=__doc__)
    parser.add_argument("--only-build", action="store_true", help="do not install the wheel")
    chosen = parser.parse_args(arguments)
    archive, wheel = build()
    check(archive, wheel)
    if not chosen.only_build:
        with tempfile.TemporaryDirectory(prefix="nttforge-dist-") as place:
            try_out(wheel, Path(place))
    print(
        f"{archive.relative_to(ROOT)}, {wheel.relative_to(ROOT)}: built"
        + " and tried" * (not chosen.only_build)
    )


if __name__ == "__main__":
    main(sys.argv[1:])
