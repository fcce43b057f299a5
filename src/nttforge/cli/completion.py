# SPDX-License-Identifier: Apache-2.0
"""Shell completion of names."""

from collections.abc import Iterable
from importlib import resources

from nttforge.options.verbs import FORMATS
from nttforge.targets import TARGETS


def _like(names: Iterable[str], begun: str) -> list[str]:
    return sorted(name for name in names if name.startswith(begun))


def rings(incomplete: str) -> list[str]:
    """Rings that have a name."""
    from nttforge.ring.presets import PRESETS  # noqa: PLC0415  (works out their roots)

    return _like(PRESETS, incomplete)


def designs(incomplete: str) -> list[str]:
    """Designs that have a name; the shell itself proposes files."""
    folder = resources.files("nttforge") / "designs"
    files = (entry.name for entry in folder.iterdir())
    named = (name.removesuffix(".toml") for name in files if name.endswith(".toml"))
    return sorted([*_like(named, incomplete), *rings(incomplete)])


def targets(incomplete: str) -> list[str]:
    """Families of FPGAs."""
    return _like(TARGETS, incomplete)


def formats(incomplete: str) -> list[str]:
    """Formats of files of polynomials."""
    return _like(FORMATS, incomplete)


def byte_orders(incomplete: str) -> list[str]:
    """Orders of the bytes of a word."""
    return _like(("little", "big"), incomplete)


def forms(incomplete: str) -> list[str]:
    """Polynomials of rings."""
    return _like(("x^n+1", "x^n-1"), incomplete)
