# SPDX-License-Identifier: Apache-2.0
"""What the bench in a folder plays of a narrower core that signs: as of the whole one, slower."""

from nttforge.kinds.lattice.mldsa.stimulus import SCRIPT as WHOLE
from nttforge.kinds.lattice.mldsa.stimulus import cases

__all__ = ["SCRIPT", "cases"]

SCRIPT = WHOLE._replace(cycles=400_000)
