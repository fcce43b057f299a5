# SPDX-License-Identifier: Apache-2.0
"""Results cached by content: the hash of a design folder's bytes and of the tools' versions."""

import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from nttforge.errors import NttforgeError
from nttforge.output import writing

FILE_LIST = "files.f"
_MEMORY_SUFFIXES = (".hex", ".mem", ".init")
_SPARE_SECONDS = 3600.0
_MOST_GB = 1e9
#: Of a log's end, more than its last lines are.
_TAIL_BYTES = 1 << 16


def design_files(folder: Path) -> list[Path]:
    """Source files of a design folder, packages first, the top and its wrapper last."""
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
    """Folder of the cache: `$NTTFORGE_CACHE`, or the user's cache folder."""
    chosen = os.environ.get("NTTFORGE_CACHE")
    # Absolute, because tools run in folders of their own.
    return Path(chosen or platformdirs.user_cache_dir("nttforge")).absolute()


def find_cached(kind: str, key: str) -> Path | None:
    """Folder of a result, if it is in the cache; it counts as used now."""
    folder = cache_folder() / kind / key
    if not folder.is_dir():
        return None
    with suppress(OSError):  # of another user, perhaps: it can be read
        os.utime(folder)
    return folder


def cached(kind: str, key: str, make: Callable[[Path], None]) -> Path:
    """Folder of a cached result, made by `make(scratch folder)` once; other processes wait."""
    kept = find_cached(kind, key)
    if kept is not None:
        return kept
    kept = cache_folder() / kind / key
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
    _keep_to_the_limit()
    return kept


def _keep_to_the_limit() -> None:
    """Prune once an hour: looking at every file takes longer than many a result."""
    limit = cache_limit()
    stamp = cache_folder() / "pruned"
    if stamp.exists() and time.time() - stamp.stat().st_mtime < _SPARE_SECONDS:
        return
    stamp.touch()
    prune(limit)


@dataclass(frozen=True)
class CacheEntry:
    """A cached result: kind, folder, bytes, and last use (seconds since the epoch)."""

    kind: str
    path: Path
    size: int
    used: float


def cached_results() -> list[CacheEntry]:
    """Everything in the cache, what was used longest ago first."""
    found = []
    for folder in cache_folder().glob("*/*"):
        with suppress(OSError):  # taken away by another process meanwhile
            if folder.is_dir() and folder.suffix != ".part":
                files = [path for path in folder.rglob("*") if path.is_file()]
                size = sum(path.stat().st_size for path in files)
                found.append(CacheEntry(folder.parent.name, folder, size, folder.stat().st_mtime))
    return sorted(found, key=lambda kept: kept.used)


def cache_limit() -> int:
    """Bytes that the cache may take: `$NTTFORGE_CACHE_GB`, or 20 GB."""
    text = os.environ.get("NTTFORGE_CACHE_GB", "20")
    with suppress(ValueError):
        limit = float(text)
        if 0 <= limit < _MOST_GB:
            return round(limit * 1e9)
    raise NttforgeError("NTTFORGE_CACHE_GB", f"{text!r} is no size", "give gigabytes, as 20")


def prune(limit: int) -> list[CacheEntry]:
    """Remove results, least recently used first, down to `limit` bytes; the last hour's stay."""
    results = cached_results()
    total = sum(kept.size for kept in results)
    gone = []
    for kept in results:
        if total <= limit or time.time() - kept.used < _SPARE_SECONDS:
            break
        shutil.rmtree(kept.path, ignore_errors=True)
        kept.path.with_suffix(".lock").unlink(missing_ok=True)
        total -= kept.size
        gone.append(kept)
    return gone


def keep_log(name: str, text: str) -> Path:
    """Keep a failed tool's log in the cache, under the hash of its content and the tool's name."""
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    log = cache_folder() / "logs" / f"{digest}-{name}.log"
    with writing(log, "make room in the cache, or set NTTFORGE_CACHE"):
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(text, "utf-8")
    return log


def tail(log: Path, lines: int = 1, containing: Iterable[str] = ()) -> str:
    """Last lines of a log, or the first ones that contain one of the given words."""
    words = tuple(containing)
    text: list[str] = []
    if log.exists():
        with log.open("rb") as file:  # of a large log that is looked at often, its end
            size = file.seek(0, os.SEEK_END)
            file.seek(0 if words else max(0, size - _TAIL_BYTES))
            text = file.read().decode("utf-8", errors="replace").splitlines()
    hits = [line for line in text if any(word in line for word in words)]
    return " ".join(line.strip() for line in (hits[:lines] if hits else text[-lines:]))
