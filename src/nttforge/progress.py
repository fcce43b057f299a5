# SPDX-License-Identifier: Apache-2.0
"""Progress of long work, and the time left, reported to the caller.

Compilers and synthesis are called from far below the verbs, and report without a callback to
tell. What ends in one piece takes about as long as the last time, of which the seconds are kept.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from nttforge.cache import cache_folder

Progress = Callable[[str], None]
#: Seconds between two reports of the same work.
_PAUSE_SECONDS = 4.0
_tellers: list[Progress] = []


@contextmanager
def report_to(progress: Progress) -> Iterator[None]:
    """Call `progress` with each report made meanwhile."""
    _tellers.append(progress)
    try:
        yield
    finally:
        _tellers.remove(progress)


def tell(text: str) -> None:
    """Say what goes on, if anybody listens."""
    if _tellers:
        _tellers[-1](text)


def clock(seconds: float) -> str:
    """Hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def eta(done: int, of: int, what: str, seconds: float, more: str = "") -> str:
    """Progress, and the remaining time at its rate.

    - `done`, `of`: how many are done, of how many; at least one is.
    - `what`: they are.
    - `seconds`: it has taken.
    - `more`: what else is to be said of those that are done.
    """
    left = seconds / done * (of - done)
    return (
        f"{done} of {of} {what} ({done / of:.0%}){more}; {clock(seconds)} so far, "
        f"{clock(left)} to go"
    )


class ProgressTimer:
    """Work in one piece, which is known by a name and takes about as long as the last time.

    - `name`: what it is, whatever has changed since.
    """

    def __init__(self, name: str) -> None:
        self._file = cache_folder() / "lasted" / hashlib.sha256(name.encode()).hexdigest()[:16]
        self._name = name
        self._began = self._told = time.monotonic()
        self._last: float | None = None
        with suppress(OSError, ValueError):
            self._last = float(self._file.read_text("utf-8"))

    def tell(self, doing: str = "") -> None:
        """Say how far it is, but not too often."""
        now = time.monotonic()
        if now - self._told >= _PAUSE_SECONDS:
            self._told = now
            tell(self.text(now - self._began, doing))

    def text(self, seconds: float, doing: str = "") -> str:
        """Message after so many seconds."""
        words = f"{self._name}: {clock(seconds)} so far"
        if self._last is not None and seconds < self._last:
            left = clock(self._last - seconds)
            words += f", {seconds / self._last:.0%}, {left} to go if it is as the last time"
        elif self._last is not None:
            words += f", longer than the last time, {clock(self._last)}"
        return f"{words}; {doing}" if doing else words

    def ended(self) -> None:
        """Keep how long it has taken."""
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(f"{time.monotonic() - self._began:.1f}", "utf-8")
