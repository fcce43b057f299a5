# SPDX-License-Identifier: Apache-2.0
"""C drivers of coprocessors with a queue of commands: what each standard brings, and the whole."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from nttforge.hw.drivers import Files, driver_files


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
