# SPDX-License-Identifier: Apache-2.0
"""Files that a user asks for: one message for all that cannot be written."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nttforge.errors import NttforgeError


def _refused(path: Path, problem: str | None) -> NttforgeError:
    return NttforgeError(str(path), problem or "cannot be written", "correct --output")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says about a file into a message for the user.

    Raises
    ------
    NttforgeError
        Naming the file, if it cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise _refused(path, error.strerror) from None


def write_text(path: Path, text: str) -> None:
    """Write a text file.

    Raises
    ------
    NttforgeError
        Naming the file, if it cannot be written.
    """
    with writing(path):
        path.write_text(text, "utf-8")


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before the work that it is for; it is not touched.

    Raises
    ------
    NttforgeError
        Naming the file, if it or its folder cannot be written.
    """
    if path.is_dir():
        raise _refused(path, os.strerror(errno.EISDIR))
    if not path.parent.is_dir():
        raise NttforgeError(str(path), "there is no such folder", "make it, or correct --output")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise _refused(path, os.strerror(errno.EACCES))
