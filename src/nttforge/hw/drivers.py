# SPDX-License-Identifier: Apache-2.0
"""C drivers of designs with registers: the files of a folder, and their codes."""

from collections.abc import Mapping
from dataclasses import dataclass

#: File -> (template, variables).
Files = dict[str, tuple[str, Mapping[str, object]]]

IO_HEADER = "nttforge_io.h"


@dataclass(frozen=True)
class DriverError:
    """A negative code of a driver's function, in C `NTTFORGE_NAME`; the hardware's are positive."""

    name: str
    value: int
    text: str


_TEXTS = {
    "ARGUMENT": "a pointer is null, or a value is not one of those that there are",
    "LENGTH": "a buffer has not the length that it must have",
    "BUSY": "something runs: wait for it, or reset the hardware",
    "TIMEOUT": "nothing moved for too long: reset the hardware, and open it again",
    "BUS": "the bus, or what moves the streams, answers with an error",
    "DEVICE": "what answers is another hardware than this driver's",
    "LOST": "it is closed, or failed before: reset the hardware, and open it again",
    "PENDING": "it is under way",
    "READY": "it has not been started",
}
ERRORS = tuple(DriverError(name, -at, text) for at, (name, text) in enumerate(_TEXTS.items(), 1))


@dataclass(frozen=True)
class LibraryTemplates:
    """Templates of libnttforge for a coprocessor with commands, see :mod:`nttforge.host.library`.

    - `example`, `readme`: a first program, and what is said of it.
    - `board`, `header`: the board that is not there, and what a program includes.
    - `registers`: whether the driver needs any.
    """

    example: str = "command_host_example.c.j2"
    readme: str = "command_host_readme.md.j2"
    board: str = "command_board.c.j2"
    header: str = "command_host.h.j2"
    registers: bool = True


def driver_files(name: str, kind: str, variables: Mapping[str, object]) -> Files:
    """The driver of the module `name`, of templates `kind_driver.*`, beside its registers."""
    known = {**variables, "name": name, "P": name.upper()}
    return {
        f"{name}.h": ("registers.h.j2", known),
        IO_HEADER: ("driver_io.h.j2", {"errors": ERRORS}),
        f"{name}_driver.h": (f"{kind}_driver.h.j2", known),
        f"{name}_driver.c": (f"{kind}_driver.c.j2", known),
    }
