# SPDX-License-Identifier: Apache-2.0
"""What holds for all tests: hypothesis's limits, markers of tools that tests start, their order."""

import os
import random
import shlex
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.marks import MARKERS, Uses, started

# A test's time says more of the machine than of the code: the runner's limit is enough.
settings.register_profile("nttforge", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("nttforge")

# Half of what it takes to collect the tests is to compile them, if nothing is kept of that.
sys.dont_write_bytecode = False

#: Set by `make check`: there is no compiler, and no test takes longer than this of a processor.
CHECK = "NTTFORGE_CHECK_SECONDS"
#: A seed: the tests of each file run in an order drawn with it, so that none needs another one.
ORDER = "NTTFORGE_ORDER"
_started: dict[str, str] = {}


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    """Remember tools that are started."""
    if event == "subprocess.Popen":
        words = arguments[1]
        command = shlex.split(words) if isinstance(words, str) else [os.fsdecode(w) for w in words]
        if marker := started(command):
            _started.setdefault(marker, command[0])


sys.addaudithook(_listen)


def _used(item: pytest.Item) -> list[Any]:
    """What a test is made of: its function, its fixtures, its parameters."""
    if not isinstance(item, pytest.Function):
        return []
    fixtures = item._fixtureinfo.name2fixturedefs.values()
    functions = [definition.func for each in fixtures for definition in each]
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return [item.function, *functions, *parameters]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by the tools that it can reach; see `tests/marks.py`. Draw their order."""
    used = [_used(item) for item in items]
    uses = Uses()
    # Most tests have their function and fixtures in common with others.
    uses.add({id(thing): thing for things in used for thing in things}.values())
    uses.spread()
    for item, things in zip(items, used, strict=True):
        for marker in sorted(uses.of(things)):
            item.add_marker(marker)
    if seed := os.environ.get(ORDER):
        draw = random.Random(seed)
        places = {item: (item.path.as_posix(), draw.random()) for item in items}
        items.sort(key=places.__getitem__)


def pytest_report_header() -> str | None:
    """Say how to draw the same order again."""
    seed = os.environ.get(ORDER)
    return f"order of tests: {ORDER}={seed}" if seed else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Forget what the test before has started."""
    _started.clear()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that starts a tool without its marker, or takes too long for `make check`."""
    limit, began = float(os.environ.get(CHECK, "inf")), time.process_time()
    result = yield
    have = {marker.name for marker in item.iter_markers()}
    lacks = {marker: tool for marker, tool in _started.items() if marker not in have}
    if CHECK in os.environ and lacks and not have & {*MARKERS}:
        pytest.fail(f"starts {lacks}: mark it pytest.mark.{min(lacks)}", pytrace=False)
    if (took := time.process_time() - began) > limit:
        pytest.fail(f"took {took:.0f} s of a processor: mark it pytest.mark.long", pytrace=False)
    return result
