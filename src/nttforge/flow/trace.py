# SPDX-License-Identifier: Apache-2.0
"""`--trace`: waveforms of a simulated design, and files for their viewers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from nttforge.emit.viewers import gtkwave, signals, surfer, view_text
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, Progress
from nttforge.hw import Core
from nttforge.output import check_writable, write_text
from nttforge.results import Result
from nttforge.simulate.waveform import LAST_CYCLE, Tracing, check_trace, tracing
from nttforge.table import Line

R = TypeVar("R", bound=Result)
#: Suffix of the files beside a trace, and who opens them.
_VIEWERS = {".gtkw": gtkwave, ".sucl": surfer}


@dataclass(frozen=True)
class Replay:
    """The step of a verification that failed, to be repeated, with its cycles since reset."""

    do: Callable[[Prepared[Any], Progress], None]
    first: int = 0
    last: int = LAST_CYCLE


def check(path: Path | None) -> None:
    """Refuse a trace that cannot be written, before anything is simulated."""
    if path is not None:
        check_trace(path)
        for suffix in _VIEWERS:
            check_writable(path.with_suffix(suffix))


@contextmanager
def traced(
    prepared: Prepared[Core], path: Path | None, first: int = 0, last: int = LAST_CYCLE
) -> Iterator[None]:
    """Trace what is simulated meanwhile, if there is a file for it, and write what viewers need."""
    if path is None:
        yield
        return
    core = prepared.core
    asked = Tracing(path, "".join(map(view_text, core.views)), first, last)
    with tracing(asked):
        yield
    if not path.is_file():
        raise NttforgeError("--trace", "nothing was simulated", "give an operation to simulate")
    groups = signals(core, asked.scope)
    for suffix, text in _VIEWERS.items():
        write_text(path.with_suffix(suffix), text(path.name, groups))


def traced_replay(
    prepared: Prepared[Core], replay: Replay | None, path: Path | None, progress: Progress
) -> bool:
    """Trace a step that failed; whether there was one, and a file for it."""
    if replay is None or path is None:
        return False
    progress("the step that failed, once more, traced")
    with traced(prepared, path, replay.first, replay.last):
        replay.do(prepared, progress)
    return True


def with_trace(result: R, path: Path | None) -> R:
    """A result that says where its trace is and how to look at it, if there is one."""
    if path is None:
        return result
    saved = (f"{name} {path.with_suffix(suffix)}" for name, suffix in _COMMANDS)
    line = Line(f"signals in {path}: {', or '.join(saved)}")
    return result.with_line(line, trace=str(path))


_COMMANDS = (("gtkwave", ".gtkw"), ("surfer -c", ".sucl"))
