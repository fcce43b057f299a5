# SPDX-License-Identifier: Apache-2.0
"""A CKKS program of lattigo whose transforms are done by the simulated RTL.

`python -m tests.lattigo.ckks_demo` builds the library of a design with four loaded moduli and the
program `ckks/main.go` on it, and prints what that prints.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from nttforge.design import parse_design
from nttforge.host.library import write_library
from tests.lattigo.peer import HERE, NoLattigoError

DESIGN = {
    "name": "transforms",
    "rings": [{"n": 1024, "q": "runtime", "bits": 51, "moduli": 4}],
    "pipeline": {"butterflies": 2, "twiddles": "made"},
}


def run(folder: Path) -> str:
    """What the program prints, with all that is built in a folder.

    Raises
    ------
    NoLattigoError
        If there is no Go, or the module cannot be had.
    """
    go = shutil.which("go")
    if go is None:
        raise NoLattigoError("install Go: lattigo is not asked")
    library, program = folder / "library", folder / "ckks"
    write_library(parse_design(DESIGN, "demo"), library)
    environment = os.environ | {
        "CGO_ENABLED": "1",
        "CGO_CFLAGS": f"-I{library}",
        "CGO_LDFLAGS": f"-L{library} -lnttforge -Wl,-rpath,{library}",
    }
    line = [go, "build", "-o", str(program), "./ckks"]
    built = subprocess.run(
        line, cwd=HERE, env=environment, capture_output=True, text=True, check=False
    )
    if built.returncode:
        raise NoLattigoError(f"go build: {built.stderr.strip()[-300:]}")
    return subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            print(run(Path(folder)), end="")
        except NoLattigoError as missing:
            sys.exit(str(missing))


if __name__ == "__main__":
    main()
