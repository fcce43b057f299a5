# SPDX-License-Identifier: Apache-2.0
"""Files of users: one message for reading and writing errors, and atomic writes."""

import errno
import os
import select
import shutil
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from nttforge.errors import NttforgeError

_PUBLIC, _SECRET = 0o666, 0o600
#: How long a named pipe may stay without data, or without a reader.
PIPE_SECONDS = 30
_LARGEST_TOML = 1 << 20  # bytes


def _refused(path: Path, problem: str | None, hint: str = "correct --output") -> NttforgeError:
    return NttforgeError(str(path), problem or "cannot be written", hint)


@contextmanager
def writing(path: Path, hint: str = "correct --output") -> Iterator[None]:
    """Turn what the system says about a file into a message for the user."""
    try:
        yield
    except OSError as error:
        raise _refused(path, error.strerror or str(error), hint) from None


def _open_to_write(path: Path) -> BinaryIO:
    """What is no file, open; a named pipe without a reader does not block for ever."""
    if not path.is_fifo():
        return path.open("wb")
    deadline = time.monotonic() + PIPE_SECONDS
    while True:
        try:
            pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
        else:
            os.set_blocking(pipe, True)
            return os.fdopen(pipe, "wb")
        if time.monotonic() > deadline:
            message = f"a pipe without a reader for {PIPE_SECONDS} s"
            raise OSError(errno.ETIMEDOUT, message, str(path))
        time.sleep(0.05)


def _as_before(target: Path, scratch: Path) -> None:
    """Give the file that takes a name the permissions of the one that had it."""
    if target.exists():
        scratch.chmod(target.stat().st_mode & 0o777)


def claim_name(scratch: Path, path: Path) -> None:
    """Let a complete file take the name `path`, as :func:`atomic_file` does: links are followed.

    What is no file gets its bytes.
    """
    with writing(path):
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            with scratch.open("rb") as complete, _open_to_write(target) as file:
                shutil.copyfileobj(complete, file)
            return
        _as_before(target, scratch)
        scratch.replace(target)


@contextmanager
def atomic_file(path: Path, *, secret: bool = False) -> Iterator[BinaryIO]:
    """A file to write that takes the name `path` when it is complete.

    Until then, and if anything goes wrong, what was at `path` stays as it is: the file is written
    beside it. What is no file, as `/dev/stdout`, is written in place.
    """
    with writing(path):
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            with _open_to_write(target) as file:
                yield file
            return
        scratch = target.parent / f".nttforge-{os.getpid()}-{os.urandom(4).hex()}"
        mode = _SECRET if secret else _PUBLIC
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with os.fdopen(descriptor, "wb") as file:
                if not secret:
                    _as_before(target, scratch)
                yield file
            scratch.replace(target)
        except BaseException:
            with suppress(OSError):
                scratch.unlink()
            raise


def write_bytes(path: Path, data: bytes, *, secret: bool = False) -> None:
    """Write a file at once or not at all; only its owner can read a secret one."""
    with atomic_file(path, secret=secret) as file:
        file.write(data)


def write_text(path: Path, text: str) -> None:
    """Write a text file at once or not at all."""
    write_bytes(path, text.encode("utf-8"))


def check_folder(folder: Path, mark: str, what: str) -> None:
    """Refuse to write where something else is.

    - `mark`: a file that is in every folder of the kind that will be written, which may be again.
    - `what`: that kind, for the message.
    """
    with writing(folder, "name another one with -o"):
        if not folder.exists():
            return
        if not folder.is_dir():
            raise _refused(folder, "is not a folder", "name a folder with -o")
        if any(folder.iterdir()) and not (folder / mark).is_file():
            raise _refused(folder, f"is neither empty nor {what}", "name another one with -o")


@contextmanager
def atomic_folder(folder: Path, hint: str) -> Iterator[Path]:
    """A folder to write whose files move to `folder`, which is made if need be, when all are there.

    What else is in `folder` stays. If anything goes wrong, `folder` is as it was.
    """
    with writing(folder, hint):
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".nttforge-", dir=folder) as name:
                scratch = Path(name)
                yield scratch
                for path in sorted(scratch.rglob("*")):
                    target = folder / path.relative_to(scratch)
                    if path.is_dir():
                        target.mkdir(exist_ok=True)
                    else:
                        path.replace(target)
        except BaseException:
            for path in missing:
                with suppress(OSError):  # it is not empty
                    path.rmdir()
            raise


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before the work that it is for; it is not touched."""
    with writing(path):
        if path.is_dir():
            raise _refused(path, os.strerror(errno.EISDIR))
        if not path.parent.is_dir():
            raise _refused(path, "there is no such folder", "make it, or correct --output")
        existing = [path] if path.exists() else []
        if existing and not path.is_file():
            pass  # a device, written in place
        elif not os.access(path.parent, os.W_OK):
            raise _refused(path, os.strerror(errno.EACCES))
        if not all(os.access(each, os.W_OK) for each in existing):
            raise _refused(path, os.strerror(errno.EACCES))


@contextmanager
def reading(path: Path, hint: str = "correct --input") -> Iterator[None]:
    """Turn what the system says about a file that is read into a message for the user."""
    try:
        yield
    except FileNotFoundError:
        raise NttforgeError(str(path), "there is no such file", hint) from None
    except UnicodeDecodeError:
        raise NttforgeError(str(path), "is not a text file", hint) from None
    except OSError as error:
        raise NttforgeError(str(path), error.strerror or "cannot be read", hint) from None
    except MemoryError:
        raise NttforgeError(str(path), "is too large for this machine's memory", hint) from None


def open_to_read(path: Path) -> BinaryIO:
    """A user's file, open; a named pipe into which nothing is written does not block for ever."""
    if not path.is_fifo():
        return path.open("rb")
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    # Until a program has opened it for writing there is neither data nor an end.
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    if not waiting.poll(1000 * PIPE_SECONDS):
        os.close(pipe)
        raise OSError(errno.ETIMEDOUT, f"a pipe without data for {PIPE_SECONDS} s", str(path))
    os.set_blocking(pipe, True)
    return os.fdopen(pipe, "rb")


def read_toml(path: Path, hint: str) -> dict[str, Any]:
    """The tables of a TOML file that a user wrote."""
    with reading(path, hint):
        with open_to_read(path) as file:  # not by its size: devices have none, and no end
            data = file.read(_LARGEST_TOML + 1)
        if len(data) > _LARGEST_TOML:
            raise NttforgeError(str(path), "is too large for a TOML file", hint)
        text = data.decode("utf-8").replace("\r\n", "\n")
    try:
        return tomllib.loads(text)
    except ValueError as error:  # one of TOML's, or Python's of a number with too many digits
        raise NttforgeError(str(path), f"is not TOML: {error}", "correct that line") from None
    except RecursionError:
        raise NttforgeError(str(path), "is nested too deeply", "write fewer levels") from None


def check_prefix(prefix: Path, names: Sequence[str]) -> list[Path]:
    """Paths of the files `PREFIX.NAME`, refused as by :func:`check_writable`."""
    if prefix.name in ("", ".."):
        raise NttforgeError("--output", f"{prefix} is a folder", "add a prefix for files in it")
    paths = [prefix.with_name(f"{prefix.name}.{name}") for name in names]
    for path in paths:
        check_writable(path)
    return paths
