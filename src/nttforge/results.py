# SPDX-License-Identifier: Apache-2.0
"""What all results of a verb have in common, whatever kind of core they are of."""

from abc import abstractmethod

from pydantic import BaseModel


class Generated(BaseModel):
    """A written design folder.

    Attributes
    ----------
    files
        SystemVerilog files relative to the folder, packages first, the top last.
    """

    design: str
    folder: str
    top: str
    files: list[str]


class Verification(BaseModel):
    """What `verify` found.

    Attributes
    ----------
    ok
        All of it held.
    violation
        What the hardware did that it must never do, or None.
    seconds
        Wall time.
    """

    design: str
    ok: bool
    violation: str | None
    seconds: float

    @property
    @abstractmethod
    def verdict(self) -> tuple[str, str]:
        """What was compared, as `500 transforms`, and what is to be said if it did not hold."""


class Measurement(BaseModel):
    """What `measure` observed."""

    design: str
    seconds: float

    @abstractmethod
    def markdown(self) -> str:
        """The table for a page."""


class Ran(BaseModel):
    """What `run` did.

    Attributes
    ----------
    cycles
        Simulated.
    input, output
        Files; no output if the results are wrong, which are not written.
    ok
        The results equal the reference's.
    """

    design: str
    operation: str
    cycles: int
    input: str
    output: str | None
    ok: bool
    seconds: float
