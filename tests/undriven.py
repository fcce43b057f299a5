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


def undriven(sources: Sequence[Path], top: str, scratch: Path) -> list[str]:
    """The bits of an elaborated design that are driven by nothing, or by a written x."""
    files = " ".join(map(str, sources))
    (scratch / "undriven.ys").write_text(
        f"read_slang --no-proc --unroll-limit 1048576 --top {top} {files}\n"
        "select t:$buf\n"
        "write_rtlil -selected undriven.il\n"
    )
    done = subprocess.run(
        [sys.executable, _WORKER, "undriven.ys"],
        cwd=scratch,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return _UNKNOWN.findall((scratch / "undriven.il").read_text())
