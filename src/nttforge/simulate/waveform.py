# SPDX-License-Identifier: Apache-2.0
"""Waveform files: models compiled inside :func:`tracing` write their signals to one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from nttforge.errors import NttforgeError
from nttforge.output import check_writable
from nttforge.simulate.toolchain import find_toolchain

#: A file's suffix -> Verilator's name of the format.
FORMATS = {".vcd": "vcd", ".fst": "fst"}
_WRITER_OF_FST = "fstcpp"
_WORDS = 256  # of a memory whose words are shown
#: No trace is longer.
LAST_CYCLE = (1 << 64) - 1


@dataclass
class Tracing:
    """A requested trace: file, added SystemVerilog, cycles since reset, scope of the top."""

    path: Path
    views: str
    first: int = 0
    last: int = LAST_CYCLE
    scope: str = ""
    ends: list[Callable[[], None]] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """Verilator's name of the format."""
        return FORMATS[self.path.suffix]

    @property
    def flags(self) -> tuple[str, ...]:
        """Options of Verilator."""
        return (
            f"--trace-{self.kind}",
            "--trace-structs",
            "--no-trace-params",
            *("--trace-max-array", str(_WORDS), "--trace-max-width", "0"),
        )

    @property
    def before(self) -> str:
        """Text before a harness's."""
        return (
            f'#define TRACE_HEADER "verilated_{self.kind}_c.h"\n'
            f"#define TRACE_FILE Verilated{self.kind.capitalize()}C\n"
        )


_under_way: ContextVar[Tracing | None] = ContextVar("tracing", default=None)


def current() -> Tracing | None:
    """The trace that is asked for, if one is."""
    return _under_way.get()


def check_trace(path: Path) -> None:
    """Refuse a trace that cannot be written, before anything is simulated."""
    if path.suffix not in FORMATS:
        problem = f"{path.suffix or 'no suffix'} is not known"
        raise NttforgeError(str(path), problem, "use .fst, or .vcd, which is larger")
    check_writable(path)
    if path.suffix == ".fst" and not (find_toolchain().include / _WRITER_OF_FST).is_dir():
        problem = "this Verilator's writer of FST files needs libraries"
        raise NttforgeError(str(path), problem, "use .vcd, or install verilator 5.48 or newer")


@contextmanager
def tracing(trace: Tracing | None) -> Iterator[None]:
    """Trace the model that is opened meanwhile; nothing is different with None."""
    if trace is None:
        yield
        return
    check_trace(trace.path)
    token = _under_way.set(trace)
    try:
        yield
    finally:
        _under_way.reset(token)
        for end in trace.ends:
            end()
