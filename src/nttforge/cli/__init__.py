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


class TerminatedError(KeyboardInterrupt):
    """SIGTERM came while a verb did its job: as Ctrl-C, so that what is half done is removed."""


def _leave(number: int, _frame: FrameType | None) -> None:
    """End at once: while modules are loaded, nothing has to be undone."""
    os.write(2, b"error: terminated\n" if number == signal.SIGTERM else b"error: interrupted\n")
    os._exit(128 + number)


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would cut the cleaning off
    raise TerminatedError


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
def _on_signals(interrupt: Any, terminate: Any) -> Iterator[Any]:
    """With other handlers of Ctrl-C and SIGTERM, where there can be some; gives Ctrl-C's before."""
    if threading.current_thread() is not threading.main_thread():
        yield None
        return
    handlers = {signal.SIGINT: interrupt, signal.SIGTERM: terminate}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield before[signal.SIGINT]
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def working() -> Iterator[None]:
    """A verb does its job; Ctrl-C and SIGTERM raise, so that what is half done is removed."""
    if not _usual:
        yield
        return
    with _on_signals(_usual[-1], _terminate):
        yield


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the command `nttforge`: run a verb, and end with its exit code."""
    _open_streams()
    with _on_signals(_leave, _leave) as before:
        from nttforge.cli.app import run  # noqa: PLC0415  (which Ctrl-C may end)

        _usual[:] = [] if before is None else [before]
        code = run(arguments)
        del _usual[:]
    if arguments is None and before is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said
    sys.exit(code)


__all__ = ["TerminatedError", "main", "working"]
