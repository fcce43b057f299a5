# SPDX-License-Identifier: Apache-2.0
"""The C drivers of designs with memory jobs, called from Python."""

import ctypes
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nttforge.c_struct import INT, U32, U64, members
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared
from nttforge.hw.core import Core
from nttforge.hw.drivers import ERRORS, IO_HEADER
from nttforge.simulate.build import build_c

#: The drivers' own codes, by name.
CODES = {error.name: error.value for error in ERRORS}
#: Arguments of a task that are addresses.
WIDE = ("source", "target", "scratch", "stripe")
#: Looks at a job: time ends it first.
_PATIENCE = (1 << 32) - 1
_READ = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32)
)
_WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32)
_WAIT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


class _Io(ctypes.Structure):
    _fields_ = (("context", ctypes.c_void_p), ("read", _READ), ("write", _WRITE), ("wait", _WAIT))


class _Device(ctypes.Structure):
    _fields_ = members((U32, "patience"), (_Io, "io"), (U32, "idle"), (INT, "running lost"))


class Outcome(ctypes.Structure):
    """`struct NAME_outcome`: status, channel and address of an error, cycles."""

    _fields_ = members((U32, "status channel"), (U64, "fault cycles"))


@dataclass(frozen=True)
class Registers:
    """A platform's access to registers: each address in bytes from the first one.

    - `read`, `write`: a register; an `OSError` is an error of the bus, and what else is raised ends
      the call.
    - `wait`: called between two looks at a job: sleeps until the interrupt, or for a while; an
      `OSError` gives up. None to look again at once.
    - `seconds`: that a job may take; None to count looks, as the C driver does.
    """

    read: Callable[[int], int]
    write: Callable[[int, int], None]
    wait: Callable[[], None] | None = None
    seconds: float | None = None


def driver_names(core: Core) -> tuple[str, ...]:
    """The files of a core's driver in its folder."""
    names = (f"{core.name}.h", f"{core.name}_driver.h", f"{core.name}_driver.c", IO_HEADER)
    return tuple(name for name in names if name in core.templates)


def driver_texts(prepared: Prepared[Core]) -> dict[str, str]:
    """The driver's files, by name, as they are in the folder."""
    names = driver_names(prepared.core)
    return {name: (prepared.folder / name).read_text("utf-8") for name in names}


def job_type(header: Mapping[str, Any]) -> type[ctypes.Structure]:
    """`struct NAME_job` of a design's registers."""
    names = [register.name for register in header["registers"]]
    wide = [(name, ctypes.c_uint64) for name in WIDE if name in names]
    there = {"log_size": header["sized"], "padding": header["padded"]}
    sized = [(name, ctypes.c_uint32) for name, is_there in there.items() if is_there]
    task = type("Task", (ctypes.Structure,), {"_fields_": [*wide, ("count", ctypes.c_uint32)]})
    fields = [("operation", ctypes.c_uint32), *sized, ("tasks", task * header["instances"])]
    return type("Job", (ctypes.Structure,), {"_fields_": fields})


class JobDriver:
    """A compiled driver on a platform's registers.

    - `name`: the module that it drives.
    - `library`: the driver, compiled.
    - `header`: variables of its registers' C header.
    - `registers`: how they are reached.
    """

    def __init__(
        self, name: str, library: Path, header: Mapping[str, Any], registers: Registers
    ) -> None:
        self.name = name
        self.job_type = job_type(header)
        self._library = ctypes.CDLL(str(library))
        self.device = _Device()
        self._seconds = registers.seconds
        self._end = float("inf")
        self._raised: BaseException | None = None

        def read(_: object, address: int, value: Any) -> int:
            def put() -> None:
                value[0] = registers.read(address)
                if time.monotonic() > self._end:
                    self.device.patience = 0  # if the job is not over by now

            return self._status(put)

        def write(_: object, address: int, value: int) -> int:
            return self._status(lambda: registers.write(address, value))

        self.io = _Io(None, _READ(read), _WRITE(write))
        if registers.wait is not None:
            wait = registers.wait
            self.io.wait = _WAIT(lambda _: self._status(wait))

    @classmethod
    def build(
        cls, prepared: Prepared[Core], header: Mapping[str, Any], registers: Registers
    ) -> "JobDriver":
        """Compile the driver of a design, or take the one that is kept.

        Raises NttforgeError if the compiler is missing.
        """
        name = prepared.core.name
        folder = build_c(driver_texts(prepared), name)
        return cls(name, folder / f"lib{name}.so", header, registers)

    def _status(self, job: Callable[[], object]) -> int:
        """The status of a Python function for C: exceptions do not pass through C."""
        try:
            job()
        except OSError:
            return 1
        except BaseException as error:
            self._raised = error
            return 1
        return 0

    def call(self, function: str, *arguments: Any) -> int:
        """A function of the driver: its code; what a platform's function raises comes out here."""
        given = [ctypes.byref(a) if isinstance(a, ctypes.Structure) else a for a in arguments]
        code: int = getattr(self._library, f"{self.name}_{function}")(
            ctypes.byref(self.device), *given
        )
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        return code

    def message(self, code: int) -> str:
        """A code in words."""
        function = getattr(self._library, f"{self.name}_message")
        function.restype = ctypes.c_char_p
        text: bytes = function(code)
        return text.decode()

    def checked(self, function: str, *arguments: Any) -> None:
        """As :meth:`call`.

        Raises NttforgeError with the code's words, if it is not 0.
        """
        code = self.call(function, *arguments)
        if code != 0:
            raise NttforgeError(
                self.name, f"{function}: {self.message(code)}", f"see {self.name}_driver.h"
            )

    def run(
        self,
        operation: int,
        tasks: Sequence[Mapping[str, int]],
        log_size: int = 0,
        padding: int = 0,
    ) -> Outcome:
        """Do a job, a task for each engine: `source`, `target`, `scratch` and `count`.

        Raises NttforgeError if the hardware or the bus refuses it, or it takes too long.
        """
        job, outcome = self.job_type(operation=operation, log_size=log_size), Outcome()
        job.padding = padding  # of no account where there is no such field
        for i, task in enumerate(tasks):
            for name, value in task.items():
                setattr(job.tasks[i], name, value)
        if self._seconds is not None:
            self.device.patience = _PATIENCE
            self._end = time.monotonic() + self._seconds
        self.checked("run", job, outcome)
        return outcome
