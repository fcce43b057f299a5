# SPDX-License-Identifier: Apache-2.0
"""A compiled library with a model, opened and closed."""

import ctypes
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from nttforge.errors import NttforgeError
from nttforge.simulate import waveform as trace


class CompiledModel:
    """Base of all simulators: a library, the prefix of its functions, and its job's struct."""

    def __init__(
        self, library: Path, job: type[ctypes.Structure] | None = None, prefix: str = "nttforge"
    ) -> None:
        self._opened: int | None = None
        self._functions, self._prefix = ctypes.CDLL(str(library)), prefix
        if job is not None:
            self._declare("run", ctypes.c_void_p, ctypes.POINTER(job))
            if self._declare("job_size", gives=ctypes.c_uint64)() != ctypes.sizeof(job):
                raise RuntimeError(f"the harness and {type(self).__name__} see jobs differently")
        self._free = self._declare("close", ctypes.c_void_p)
        self._opened = self._declare("open", gives=ctypes.c_void_p)()
        asked = trace.current()
        if asked is not None:
            self.trace(asked)

    def trace(self, asked: trace.Tracing) -> None:
        """Write from now on what the signals do, until the trace ends, or the model is closed."""
        begin = self._functions.nttforge_trace
        begin.argtypes = (ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64)
        if not begin(str(asked.path).encode(), asked.first, asked.last):
            raise NttforgeError(str(asked.path), "cannot be written", "correct --trace")
        asked.ends.append(self._functions.nttforge_trace_end)

    def _declare(self, name: str, *takes: Any, gives: Any = None) -> Any:
        """The library's function of that name, with its types."""
        function = getattr(self._functions, f"{self._prefix}_{name}")
        function.argtypes, function.restype = takes, gives
        return function

    @property
    def _handle(self) -> int:
        """The model."""
        if self._opened is None:
            raise RuntimeError("the simulator is closed")
        return self._opened

    def _do(self, job: ctypes.Structure) -> None:
        self._functions.nttforge_run(self._handle, ctypes.byref(job))

    def close(self) -> None:
        """Free the model."""
        if self._opened is not None:
            self._free(self._opened)
            self._opened = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_opened", None) is not None:
            self.close()
