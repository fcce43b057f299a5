# SPDX-License-Identifier: Apache-2.0
"""Runs a tool in a process of its own, with a time limit and a log."""

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from nttforge.cache import keep_log, tail
from nttforge.errors import NttforgeError

_LOOK_SECONDS = 2


def run_tool(
    name: str,
    command: Sequence[str],
    log: Path,
    time_limit: float,
    *,
    complete: Callable[[], bool] = lambda: True,
    tell: Callable[[str], None] | None = None,
) -> None:
    """Run a tool in its log's folder, for `time_limit` seconds; a failed run's log is kept."""
    problem = None
    with log.open("a", encoding="utf-8") as output:
        process = subprocess.Popen(
            command,
            cwd=log.parent,
            # Scratch files of a tool that is killed go with the folder.
            env={**os.environ, "TMPDIR": str(log.parent)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            code = _wait(process, time_limit, lambda: tell(tail(log)) if tell else None)
        finally:
            process.kill()
            process.wait()
    if code is None:
        problem = f"it did not end within {time_limit:g} s"
    elif code or not complete():
        complaint = tail(log, 1, ("error:", "ERROR:"))
        problem = complaint or f"it ended with code {code}"
    if problem is not None:
        saved = keep_log(log.stem, log.read_text("utf-8", errors="replace"))
        raise NttforgeError(name, problem, f"see {saved}")


def _wait(
    process: subprocess.Popen[bytes], time_limit: float, meanwhile: Callable[[], None]
) -> int | None:
    """Exit code of a process; None if it takes too long."""
    end = time.monotonic() + time_limit
    while (left := end - time.monotonic()) > 0:
        try:
            return process.wait(min(left, _LOOK_SECONDS))
        except subprocess.TimeoutExpired:
            meanwhile()
    return None
