# SPDX-License-Identifier: Apache-2.0
"""The command line."""

import os
import sys
from collections.abc import Sequence

from nttforge.cli.signals import ignore_interrupts, loading


def _open_streams() -> None:
    """Give closed descriptors a place: the next file that is opened would be theirs."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest that is free
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the command `nttforge`: run a verb, and end with its exit code."""
    _open_streams()
    with loading():
        from nttforge.cli.app import run  # noqa: PLC0415  (which Ctrl-C may end)

        code = run(arguments)
    if arguments is None:
        ignore_interrupts()
    sys.exit(code)


__all__ = ["main"]
