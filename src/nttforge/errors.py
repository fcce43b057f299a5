# SPDX-License-Identifier: Apache-2.0
"""Errors that a user causes, and faults of the hardware."""

import warnings

MOST = 290
"""Characters of a message, so that it is a line with `error: ` in front of it."""


def shortened(text: str, most: int) -> str:
    """`text` on one line of at most `most` characters: the middle of a longer one is left out."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    tail = (most - 5) // 3
    return f"{line[: most - 5 - tail]} ... {line[len(line) - tail :]}"


def shown(value: object) -> str:
    """What a user gave, for a message; of an integer too long to read, its size."""
    if isinstance(value, int) and value.bit_length() > 512:
        return f"an integer of {value.bit_length()} bits"
    try:
        return shortened(repr(value), 120)
    except Exception:
        return f"a value of type {type(value).__name__}"


class NttforgeError(Exception):
    """A user's mistake or a missing tool, in one line of at most `MOST` characters.

    - `field`: what is wrong: a key of the design, an option, a file, a tool.
    - `problem`: what is wrong with it, with the offending value.
    - `hint`: what to do about it.
    """

    def __init__(self, field: str, problem: str, hint: str) -> None:
        # What is wrong is cut first, then the longer one of the others.
        parts = [shortened(part, len(part)) for part in (field, problem, hint)]
        for i, least in ((1, 100), (2, 100), (0, 80)):
            excess = sum(map(len, parts)) + len(": ; ") - MOST
            parts[i] = shortened(parts[i], max(least, len(parts[i]) - max(0, excess)))
        self.field, self.problem, self.hint = parts
        super().__init__("{}: {}; {}".format(*parts))


class MissingNameError(NttforgeError, KeyError, AttributeError):
    """There is no operation of that name; Python's lookups take it for their own error."""

    def __str__(self) -> str:
        return str(self.args[0])


class TooLargeError(NttforgeError):
    """A design does not fit the device that it was to be placed on."""


class RenamedWarning(UserWarning):
    """A former name was used: it is accepted for one release, and the text has the new one."""


def warn_renamed(former: str, present: str, source: str = "") -> None:
    """Warn of a former name, in one line that has the present one."""
    where = f"{source}: " if source else ""
    text = f"{where}{former} is now {present}; the former name goes with the next release"
    warnings.warn(text, RenamedWarning, stacklevel=4)


class FaultError(Exception):
    """A fault of the hardware: a finding of a check, and no defect of nttforge.

    - `kind`: `combinational`, `dropped`, `unstable`, `superfluous`, `tlast`, `tuser`, `stuck`,
      `assertion`, `fatal`, `finish`, `width` or `crash` of a stream; `hang`, `bus`, `order`,
      `identity`, `status` or `results` of what has registers; `refused` of what is right.
    - `message`: what happened, and where.
    - `seed`: of the stalls, to see it again; None if there were none.
    - `cycle`: after reset, in which it was seen; 0 if it is not known.
    """

    def __init__(self, kind: str, message: str, seed: int | None = None, cycle: int = 0) -> None:
        super().__init__(message if seed is None else f"{message} (seed {seed})")
        self.kind = kind
        self.message = message
        self.seed = seed
        self.cycle = cycle
