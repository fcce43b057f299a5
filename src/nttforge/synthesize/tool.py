# SPDX-License-Identifier: Apache-2.0
"""How a tool is run: in a process of its own, for a limited time, its output kept in a log."""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from nttforge.content import cache_folder, tail
from nttforge.errors import NttforgeError


def run_tool(
    name: str,
    command: Sequence[str],
    log: Path,
    time_limit: float,
    complete: Callable[[], bool] = lambda: True,
) -> None:
    """Run a tool in the folder of its log, to whose end its output is added.

    Parameters
    ----------
    name
        As users know it.
    command
        Program and arguments.
    log
        The log; a failed run's is kept in the cache, where the message says.
    time_limit
        Seconds until the tool is given up.
    complete
        Whether the run left what it should; asked after exit code 0.

    Raises
    ------
    NttforgeError
        If the tool fails or takes too long, with its own first complaint.
    """
    problem = None
    with log.open("a", encoding="utf-8") as output:
        try:
            done = subprocess.run(
                command,
                cwd=log.parent,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=time_limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            problem = f"it did not end within {time_limit:g} s"
        else:
            if done.returncode or not complete():
                complaint = tail(log, 1, ("error:", "ERROR:"))
                problem = complaint or f"it ended with code {done.returncode}"
    if problem is not None:
        saved = cache_folder() / "logs" / log.name
        saved.parent.mkdir(parents=True, exist_ok=True)
        log.replace(saved)
        raise NttforgeError(name, problem, f"see {saved}")
