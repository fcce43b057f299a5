# SPDX-License-Identifier: Apache-2.0
"""nttforge: number-theoretic transforms in hardware, from one description.

`nttforge.open("ml-kem")` opens a design; see docs/python.md.
"""

from typing import TYPE_CHECKING, Any

from nttforge.version import __version__

if TYPE_CHECKING:
    from nttforge.api import Engine
    from nttforge.api import open_design as open
    from nttforge.errors import NttforgeError

__all__ = ["Engine", "NttforgeError", "__version__", "open"]

# Imported when they are asked for: the command line starts with this package.
_HOMES = {
    "Engine": ("nttforge.api", "Engine"),
    "NttforgeError": ("nttforge.errors", "NttforgeError"),
    "open": ("nttforge.api", "open_design"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)
