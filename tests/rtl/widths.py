# SPDX-License-Identifier: Apache-2.0
"""Both widths of the cores of ML-DSA, and of both standards, that have one engine."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

#: By bytes a cycle, what a design of the narrower one changes.
NARROW: Mapping[int, Mapping[str, Any]] = {
    4: {"lattice.width": 4},
    8: {"lattice.width": 8, "lattice.transform": "iterative"},
}
_SLOW_AT_EIGHT = [4, pytest.param(8, marks=pytest.mark.slow)]
#: The same for one test.
slow_at_eight = pytest.mark.parametrize(
    "width", _SLOW_AT_EIGHT, ids="{} bytes".format, indirect=True, scope="module"
)


def _width(request: pytest.FixtureRequest) -> int:
    """Bytes a cycle."""
    return int(request.param)


def width_fixture(*, slow: bool = False) -> Callable[..., int]:
    """Fixture of a module: bytes a cycle of its cores.

    - `slow`: tests of eight bytes are.
    """
    widths: Iterable[Any] = _SLOW_AT_EIGHT if slow else NARROW
    made = pytest.fixture(scope="module", name="width", params=widths, ids="{} bytes".format)
    return made(_width)


def at_both_widths(names: Mapping[int, Iterable[str]]) -> pytest.MarkDecorator:
    """A test with none and with each mutant, by width; those of eight bytes are slow."""
    each = [
        pytest.param(width, name, marks=[pytest.mark.slow] * (width == 8), id=f"{width}-{name}")
        for width, of in names.items()
        for name in (None, *of)
    ]
    return pytest.mark.parametrize(("width", "name"), each, indirect=["width"], scope="module")
