# SPDX-License-Identifier: Apache-2.0
"""The backend of a core, whatever kind it is of."""

import pytest

from nttforge.design import design_names, load_design
from nttforge.flow.backends import backend_of
from nttforge.hw import build


@pytest.mark.parametrize("name", [name for name in design_names() if name.startswith("rns-")])
def test_a_special_case_of_a_kind_has_the_backend_of_the_kind(name: str) -> None:
    """Moduli that are loaded make another type of core."""
    core = build(load_design(name))
    assert isinstance(core, backend_of(core).core)
