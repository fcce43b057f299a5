# SPDX-License-Identifier: Apache-2.0
import pytest

from nttforge.standards.transform_engine import CountingEngine, software
from tests.unit.standards.definition import definition


@pytest.fixture(params=[definition, software], ids=["definition", "software"])
def engine(request: pytest.FixtureRequest) -> CountingEngine:
    """What the user gets by default, and an engine that shares nothing with it."""
    return CountingEngine(request.param)
