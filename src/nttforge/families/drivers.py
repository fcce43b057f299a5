# SPDX-License-Identifier: Apache-2.0
"""C drivers of what has registers: which files a folder gets, and what their codes mean."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

#: File -> (template, variables).
Files = dict[str, tuple[str, Mapping[str, object]]]

IO_HEADER = "nttforge_io.h"


@dataclass(frozen=True)
class DriverError:
    """What a driver's function returns when the hardware is not to blame, or cannot say.

    Attributes
    ----------
    name
        In C behind `NTTFORGE_`.
    value
        Less than 0: what is above is the hardware's.
    text
        What it means.
    """

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
    """What libnttforge of a coprocessor with commands is made of, see :mod:`nttforge.host.library`.

    Attributes
    ----------
    example, readme
        A first program, and what is said of it.
    board, header
        The board that is not there, and what a program includes.
    """

    example: str
    readme: str
    board: str = "command_board.c.j2"
    header: str = "command_host.h.j2"


@dataclass(frozen=True)
class StandardDriver:
    """What the driver of a coprocessor with commands has of a standard.

    Attributes
    ----------
    standard, published
        Its name, and that of its text.
    driver
        Of the templates with its own functions.
    pieces
        Of a packet that goes in, at most.
    known
        What its templates know: sizes of its parameter sets, for instance.
    answers
        Results with which all output leaves, and which are no refusals.
    prefix
        Of its functions, and of its operations in the command register.
    first
        The code of its first parameter set.
    """

    standard: str
    published: str
    driver: str
    pieces: int
    known: Mapping[str, Any]
    answers: tuple[str, ...] = ()
    prefix: str = ""
    first: int = 0

    @property
    def variables(self) -> dict[str, Any]:
        """What its templates call `of`."""
        code = f"set - {self.first}u" if self.first else "set"
        return {**self.known, **asdict(self), "set": code}


def command_driver_files(
    name: str, variables: Mapping[str, object], *standards: StandardDriver
) -> Files:
    """The driver of the coprocessor `name`, with the functions of these standards."""
    answers = [error for each in standards for error in each.answers]
    known = {
        "standards": [each.variables for each in standards],
        "answers": answers,
        "pieces": max(each.pieces for each in standards),
    }
    return driver_files(name, "command", {**variables, **known})


def driver_files(name: str, kind: str, variables: Mapping[str, object]) -> Files:
    """The driver of the module `name`, of templates `kind_driver.*`, beside its registers."""
    known = {**variables, "name": name, "P": name.upper()}
    return {
        f"{name}.h": ("registers.h.j2", known),
        IO_HEADER: ("driver_io.h.j2", {"errors": ERRORS}),
        f"{name}_driver.h": (f"{kind}_driver.h.j2", known),
        f"{name}_driver.c": (f"{kind}_driver.c.j2", known),
    }
