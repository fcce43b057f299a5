# SPDX-License-Identifier: Apache-2.0
"""Design folders as content: what is in one, and results that are kept by what they depend on.

Simulators, areas and clocks are functions of a design folder's bytes and of the tools' versions.
They are kept under a key that is the hash of exactly these, so nothing is ever stale and a second
run of an unchanged design costs nothing.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import platformdirs

from nttforge.errors import NttforgeError
from nttforge.output import writing

FILE_LIST = "files.f"
_MEMORY_SUFFIXES = (".hex", ".mem")


def design_files(folder: Path) -> list[Path]:
    """Source files of a design folder, packages first, the top last.

    Raises
    ------
    NttforgeError
        If the folder has no file list, or the list names a file that is not there.
    """
    file_list = folder / FILE_LIST
    if not file_list.is_file():
        raise NttforgeError(
            "design folder", f"{folder} has no {FILE_LIST}", "write one with `nttforge generate`"
        )
    lines = (line.strip() for line in file_list.read_text(encoding="utf-8").splitlines())
    files = [folder / line for line in lines if line and not line.startswith(("//", "#"))]
    for path in files:
        if not path.is_file():
            raise NttforgeError(
                "design folder",
                f"{FILE_LIST} names {path.name}, which is not there",
                "write the folder again with `nttforge generate`",
            )
    return files


def design_key(folder: Path, *more: str) -> str:
    """Hash of everything in a design folder that tools read, and of the strings in `more`."""
    files = design_files(folder)
    files += sorted(path for path in folder.rglob("*") if path.suffix in _MEMORY_SUFFIXES)
    digest = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder)}\0{len(content)}\0".encode())
        digest.update(content)
    for text in more:
        digest.update(f"{len(text)}\0{text}".encode())
    return digest.hexdigest()[:32]


def cache_folder() -> Path:
    """Where results are kept: `$NTTFORGE_CACHE`, or the user's cache folder."""
    chosen = os.environ.get("NTTFORGE_CACHE")
    # Absolute, because tools run in folders of their own.
    return Path(chosen or platformdirs.user_cache_dir("nttforge")).absolute()


def cached(kind: str, key: str, make: Callable[[Path], None]) -> Path:
    """Folder of a kept result, made by `make(scratch folder)` if it is not there yet.

    The scratch folder takes its final name only when `make` has returned, so an interrupted run
    leaves nothing half done; a second process that wants the same waits for the first.

    Raises
    ------
    NttforgeError
        If the cache cannot be written, and whatever `make` raises.
    """
    kept = cache_folder() / kind / key
    if kept.is_dir():
        return kept
    scratch = kept.with_suffix(".part")
    with writing(kept.parent, "make room in the cache, or set NTTFORGE_CACHE"):
        kept.parent.mkdir(parents=True, exist_ok=True)
        with kept.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not kept.is_dir():
                shutil.rmtree(scratch, ignore_errors=True)  # of a run that was killed
                try:
                    scratch.mkdir()
                    make(scratch)
                    scratch.rename(kept)
                finally:
                    shutil.rmtree(scratch, ignore_errors=True)
    return kept


def keep_log(name: str, text: str) -> Path:
    """Keep a failed tool's log where a message can point to.

    Raises
    ------
    NttforgeError
        If the cache cannot be written.
    """
    log = cache_folder() / "logs" / name
    with writing(log, "make room in the cache, or set NTTFORGE_CACHE"):
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(text, "utf-8")
    return log


def tail(log: Path, lines: int = 1, containing: Iterable[str] = ()) -> str:
    """Last lines of a log, or the first ones that contain one of the given words."""
    text = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    words = tuple(containing)
    hits = [line for line in text if any(word in line for word in words)]
    return " ".join(line.strip() for line in (hits[:lines] if hits else text[-lines:]))
