# SPDX-License-Identifier: Apache-2.0
"""A lint for bits that nothing drives.

slang's front end for Yosys gives each such bit an x, whatever it belongs to: a part of a vector, a
word of an array, a bit that no turn of a loop assigns. Verilator's UNDRIVEN sees the first of these
only, and both see a design's own parameters alone: what other parameters leave open, drawn designs
and plans must show.
"""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import nttforge.synthesize.yosys

_WORKER = Path(nttforge.synthesize.yosys.__file__).with_name("worker.py")
_UNKNOWN = re.compile(
    r"^  cell \$buf .*\n(?:    parameter .*\n)*    connect \\A .*'[01]*x.*\n    connect \\Y (.*)$",
    re.MULTILINE,
)


def passes(scratch: Path, *lines: str) -> None:
    """Run passes of Yosys in `scratch`."""
    (scratch / "passes.ys").write_text("\n".join([*lines, ""]))
    done = subprocess.run(
        [sys.executable, _WORKER, "passes.ys"],
        cwd=scratch,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def elaborated(sources: Sequence[Path], top: str, scratch: Path, *more: str) -> None:
    """Elaborate a design and run passes of Yosys on it, in `scratch`."""
    files = " ".join(map(str, sources))
    passes(scratch, f"read_slang --no-proc --unroll-limit 1048576 --top {top} {files}", *more)


def undriven(sources: Sequence[Path], top: str, scratch: Path) -> list[str]:
    """The bits of an elaborated design that are driven by nothing, or by a written x."""
    elaborated(sources, top, scratch, "select t:$buf", "write_rtlil -selected undriven.il")
    return _UNKNOWN.findall((scratch / "undriven.il").read_text())
