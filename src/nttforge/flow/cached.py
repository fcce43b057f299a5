# SPDX-License-Identifier: Apache-2.0
"""`cache`: the results that are cached between runs."""

import time
from collections.abc import Iterator

from pydantic import BaseModel

from nttforge.cache import cache_folder, cache_limit, cached_results, prune
from nttforge.results import Result
from nttforge.table import Block, Code, Line, Table

_GIGA = 1e9
_DAY = 86400


class CachePath(Result):
    """Folder of the cache."""

    path: str

    def shown(self) -> Iterator[Block]:
        """The folder."""
        yield Code(self.path)


class KindOfResult(BaseModel):
    """Results of a kind: their number, bytes, and days since the last use, at most."""

    results: int = 0
    bytes: int = 0
    days: float = 0.0


class CacheList(Result):
    """Cached results, by kind, and the limit in bytes."""

    path: str
    limit: int
    kinds: dict[str, KindOfResult]

    def shown(self) -> Iterator[Block]:
        """A row a kind, and the sum."""
        columns = ("kind", "results", "MB", "days since the last use, at most")
        rows = [
            (name, kind.results, round(kind.bytes / 1e6, 1), kind.days)
            for name, kind in self.kinds.items()
        ]
        yield Table(self.path, columns, rows)
        total = sum(kind.bytes for kind in self.kinds.values()) / _GIGA
        yield Line(f"{total:.2f} GB of {self.limit / _GIGA:g}; `nttforge cache prune` deletes some")


class CachePruned(Result):
    """Deleted results."""

    results: int
    bytes: int

    def shown(self) -> Iterator[Block]:
        """Number and size."""
        yield Line(f"{self.results} results deleted, {self.bytes / _GIGA:.2f} GB")


def folder() -> CachePath:
    """The folder of the cache."""
    return CachePath(path=str(cache_folder()))


def listing() -> CacheList:
    """The cached results, by kind."""
    kinds: dict[str, KindOfResult] = {}
    for kept in cached_results():
        kind = kinds.setdefault(kept.kind, KindOfResult())
        kind.results += 1
        kind.bytes += kept.size
        kind.days = max(kind.days, round((time.time() - kept.used) / _DAY, 1))
    return CacheList(
        path=str(cache_folder()), limit=cache_limit(), kinds=dict(sorted(kinds.items()))
    )


def pruned(gigabytes: float | None = None) -> CachePruned:
    """Delete the least recently used results until the rest fits."""
    gone = prune(cache_limit() if gigabytes is None else round(gigabytes * _GIGA))
    return CachePruned(results=len(gone), bytes=sum(kept.size for kept in gone))
