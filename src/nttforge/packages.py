# SPDX-License-Identifier: Apache-2.0
"""Optional packages: their import, and the message for a missing one."""

from importlib import import_module
from typing import Any

from nttforge.errors import NttforgeError


def missing(what: str, why: str, packages: str = "") -> NttforgeError:
    """The error for something that `pip install` brings, by its own name if none is given."""
    return NttforgeError(what, f"is not installed; {why}", f"pip install {packages or what}")


def imported(module: str, package: str, why: str, packages: str = "") -> Any:
    """A module of a package that is imported only when it is needed."""
    try:
        return import_module(module)
    except ImportError:
        raise missing(package, why, packages) from None
