# SPDX-License-Identifier: Apache-2.0
"""Common behaviour of the verbs: results on stdout, messages on stderr, exit codes.

=====  ==========================================================================
code   meaning
=====  ==========================================================================
0      all of it held
1      something did not hold: a mismatch, a bad input, a missing tool
2      the command line was not understood
130    interrupted
143    terminated
=====  ==========================================================================
"""

import errno
import io
import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

import typer

from nttforge.cli.outcome import FAILED, INTERRUPTED, OK, TERMINATED, Outcome
from nttforge.cli.signals import TerminatedError, working
from nttforge.errors import MOST, FaultError, NttforgeError, shortened
from nttforge.options.model import Options
from nttforge.options.verbs import Reported
from nttforge.table import data
from nttforge.table import markdown as to_markdown

if TYPE_CHECKING:
    from nttforge.flow.prepare import Progress

#: What messages about files call their options; a verb has others for some.
_FILE_OPTION = re.compile(r"--(?:input|output)\b(?!-)")
_CTRL_C = ("interrupted", INTERRUPTED)
_LINE_SECONDS = 1.0
#: Longest silence before a heartbeat, in seconds.
_SILENCE_SECONDS = 10.0
# Wide enough for every table where standard output is a file or a pipe.
_PIPE_COLUMNS = 120


class _Reporter:
    """Shows progress: one changing line on a terminal, a line a second elsewhere.

    What takes long in one piece is said again, with how long it has taken so far.
    """

    def __init__(self, verb: str) -> None:
        from rich.console import Console  # noqa: PLC0415  (completion does without)
        from rich.text import Text  # noqa: PLC0415

        self._verb, self._text = verb, Text
        self._console = Console(stderr=True)
        self._began = self._told = time.monotonic()
        self._shown, self._pending = 0.0, False
        self._over = threading.Event()
        self.last = "nothing yet"
        # Dots are no characters of a Latin-1 terminal.
        spinner = "dots" if self._console.encoding.startswith("utf") else "line"
        status = self._console.status(verb, spinner=spinner)
        self._status = status if self._console.is_terminal else None

    @contextmanager
    def running(self) -> "Iterator[Progress]":
        watch = threading.Thread(target=self._watch, daemon=True)
        watch.start()
        try:
            if self._status is None:
                yield self.tell
            else:
                with self._status:
                    yield self.tell
        finally:
            self._over.set()
            watch.join()

    def tell(self, text: str) -> None:
        self.last, self._told = text, time.monotonic()
        self._pending = time.monotonic() - self._shown < _LINE_SECONDS
        if self._status is not None or not self._pending:
            self._show(text)

    def _show(self, text: str) -> None:
        line = shortened(f"{self._verb}: {text}", MOST)
        self._shown, self._pending = time.monotonic(), False
        if self._status is not None:
            self._status.update(self._text(line))
        else:
            _tell(line)

    def _watch(self) -> None:
        """Show messages that were held back, and print a heartbeat in long silences."""
        while not self._over.wait(_LINE_SECONDS):
            now = time.monotonic()
            if self._pending and now - self._shown >= _LINE_SECONDS:
                self._show(self.last)
            elif now - max(self._shown, self._told) >= _SILENCE_SECONDS - _LINE_SECONDS:
                self._show(f"{self.last}, {now - self._began:.0f} s so far")


def _tell(line: str) -> None:
    """Write to standard error, if it takes anything."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.__stderr__)


def run_verb(
    verb: str,
    as_json: bool,
    job: "Callable[[Progress], Outcome]",
    markdown: bool = False,
    *,
    model: type[Options] = Options,
    given: Mapping[str, object] = {},
) -> int:
    """Do a verb's job, print its outcome, and return the exit code.

    A message names the option of a field, and of a file that an option gave.

    Every exception becomes one line on standard error, and with `--json` an object with `error`
    on standard output.
    """
    reporter = _Reporter(verb)
    try:
        with working():
            with reporter.running() as progress:
                from nttforge.progress import report_to  # noqa: PLC0415  (as the verbs)

                with report_to(progress):
                    outcome = job(progress)
            _show(outcome, as_json, markdown)
    except KeyboardInterrupt as signal:
        ended = ("terminated", TERMINATED) if isinstance(signal, TerminatedError) else _CTRL_C
        return complain(f"{ended[0]}; so far: {reporter.last}", as_json, ended[1])
    except NttforgeError as error:
        files = {
            str(path): model.flag(name) for name, path in given.items() if isinstance(path, Path)
        }
        field = model.flag(error.field)
        hint = error.hint
        if error.field in files:
            hint = _FILE_OPTION.sub(files[error.field], hint)
        details = {"field": field, "problem": error.problem, "hint": hint}
        return complain(f"{field}: {error.problem}; {hint}", as_json, FAILED, details)
    except FaultError as error:
        return complain(f"the hardware breaks its contract: {error}", as_json, FAILED)
    except (OSError, MemoryError) as error:
        if os.environ.get("NTTFORGE_TRACEBACK"):
            raise
        return complain(refusal(error), as_json, FAILED)
    except Exception as error:
        if os.environ.get("NTTFORGE_TRACEBACK"):
            raise
        what = shortened(f"{type(error).__name__}: {error}", 150)
        return complain(
            f"a defect of nttforge: {what}; set NTTFORGE_TRACEBACK=1 to see where, and report it",
            as_json,
            FAILED,
        )
    return OK if outcome.ok else outcome.failed


def do(verb: str, function: str, model: type[Options], given: Mapping[str, object]) -> NoReturn:
    """Do the work of a verb with the options that were given, and end with its exit code."""
    from nttforge.cli import bounds, work  # noqa: PLC0415  (all that only the verbs need)

    def done(progress: "Progress") -> Outcome:
        return work.perform(verb, function, model.read(given), progress)

    # Other verbs have options of the same names that bound no result, as `explore` its designs.
    job = bounds.gate_of(verb, given).around(done) if issubclass(model, Reported) else done
    as_json, markdown = bool(given.get("as_json")), bool(given.get("markdown"))
    raise typer.Exit(run_verb(verb, as_json, job, markdown, model=model, given=given))


def refusal(error: OSError | MemoryError) -> str:
    """The message for an error of the operating system that no other message covers."""
    if isinstance(error, MemoryError):
        return "memory: there is not enough of it; ask for less"
    name = error.filename or "the system"
    return f"{name}: {error.strerror or error}; make it possible, and start again"


def _show(outcome: Outcome, as_json: bool, markdown: bool) -> None:
    with standard_output():
        if as_json:
            page = {"page": data(outcome.page)} if markdown else {}
            print(json.dumps(outcome.data | page))
        elif markdown:
            print(to_markdown(outcome.page))
        elif isinstance(outcome.view, str):
            print(outcome.view)
        else:
            from nttforge.cli.terminal import printed  # noqa: PLC0415  (completion does without)

            printed(outcome.view, None if sys.stdout.isatty() else _PIPE_COLUMNS)
    if outcome.problem:
        _tell(f"error: {shortened(outcome.problem, MOST)}")


@contextmanager
def standard_output() -> Iterator[None]:
    """Write to standard output; whatever a terminal cannot show is shown as its code.

    A reader that has read enough, as `head`, is no mistake.
    """
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "is closed")
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _discard(sys.__stdout__)
    except OSError as error:
        _discard(sys.__stdout__)
        raise NttforgeError(
            "standard output", error.strerror or "cannot be written", "send it elsewhere"
        ) from None


def _discard(stream: TextIO | None) -> None:
    """Let what is still in a stream, which Python writes when it ends, go nowhere."""
    if stream is not None:
        with suppress(OSError, ValueError):
            sink = os.open(os.devnull, os.O_WRONLY)
            os.dup2(sink, stream.fileno())
            os.close(sink)


def complain(text: str, as_json: bool, code: int, details: dict[str, str] | None = None) -> int:
    """Say what is wrong in one line of at most 300 characters, and return `code`."""
    line = shortened(text, MOST)
    with suppress(NttforgeError):
        if as_json:
            with standard_output():
                print(json.dumps({"error": line, **(details or {})}))
    _tell(f"error: {line}")
    return code
