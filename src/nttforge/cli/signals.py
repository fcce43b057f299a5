# SPDX-License-Identifier: Apache-2.0
"""Handling of Ctrl-C and SIGTERM: exit at once during imports, raise while a verb runs."""

import os
import signal
import threading
from collections.abc import Iterator
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


@contextmanager
def loading() -> Iterator[None]:
    """Modules are loaded, and a verb is found and run; then nothing is left to be interrupted."""
    with _on_signals(_leave, _leave) as before:
        _usual[:] = [] if before is None else [before]
        try:
            yield
        finally:
            del _usual[:]


def ignore_interrupts() -> None:
    """All is said: what remains is the interpreter's end."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
