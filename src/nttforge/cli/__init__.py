# SPDX-License-Identifier: Apache-2.0
"""The command line."""

import os
import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType

_INTERRUPTED = 130


def _leave(_signal: int, _frame: FrameType | None) -> None:
    """End at once: while modules are loaded, nothing has to be undone."""
    os.write(2, b"error: interrupted\n")
    os._exit(_INTERRUPTED)


def _open_streams() -> None:
    """Give closed descriptors a place: the next file that is opened would be theirs."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest that is free
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the command `nttforge`: run a verb, and end with its exit code."""
    _open_streams()
    handles = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, _leave) if handles else None
    from nttforge.cli.app import run  # noqa: PLC0415  (takes a second, which Ctrl-C may end)

    if handles:
        signal.signal(signal.SIGINT, before)
    code = run(arguments)
    if handles and arguments is None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said
    sys.exit(code)


__all__ = ["main"]
