# SPDX-License-Identifier: Apache-2.0
"""lattigo's CKKS with the transforms of the simulated RTL."""

import re
from pathlib import Path

import pytest

from tests.lattigo.ckks_demo import run
from tests.lattigo.peer import NoLattigoError

pytestmark = pytest.mark.slow  # builds a program whose module may have to be loaded


def test_all_transforms_are_the_rtls(tmp_path: Path) -> None:
    """Encryption, product, rescaling, rotation, decryption: each transform is lattigo's own."""
    try:
        printed = run(tmp_path)
    except NoLattigoError as missing:
        pytest.skip(str(missing))
    first = re.match(r"(\d+) transforms on the RTL, 0 differ from lattigo's\n", printed)
    assert first is not None and int(first[1]) > 70, printed
    assert "4 moduli loaded" in printed
