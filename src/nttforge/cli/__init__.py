# SPDX-License-Identifier: Apache-2.0
"""The command line."""

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

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


#: What Ctrl-C did before: it does so again while a verb does its job.
_usual: list[Any] = []


@contextmanager
def _on_interrupt(handler: Any) -> Iterator[Any]:
    """With another handler of Ctrl-C, where there can be one; gives the one before."""
    if threading.current_thread() is not threading.main_thread():
        yield None
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield before
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def working() -> Iterator[None]:
    """A verb does its job, which hears of Ctrl-C itself."""
    if not _usual:
        yield
        return
    with _on_interrupt(_usual[-1]):
        yield


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the command `nttforge`: run a verb, and end with its exit code."""
    _open_streams()
    with _on_interrupt(_leave) as before:
        from nttforge.cli.app import run  # noqa: PLC0415  (which Ctrl-C may end)

        _usual[:] = [] if before is None else [before]
        code = run(arguments)
        del _usual[:]
    if arguments is None and before is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said
    sys.exit(code)


__all__ = ["main", "working"]
