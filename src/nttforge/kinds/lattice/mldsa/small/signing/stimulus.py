# SPDX-License-Identifier: Apache-2.0
"""What the bench in a folder plays of a narrower core that signs: NIST's vectors."""

from collections.abc import Iterator

from nttforge.kinds.lattice.mldsa.stimulus import SCRIPT as WHOLE
from nttforge.kinds.lattice.mldsa.stimulus import cases as whole_cases
from nttforge.kinds.lattice.stimulus import Script, StimulusStep

SCRIPT = Script(400_000, True, WHOLE.about)


def cases(*, entropy: bool, checks: bool = False) -> Iterator[StimulusStep]:
    """Keys and signatures, right and wrong; some keys' seeds may come as entropy."""
    yield from whole_cases(entropy=entropy, checks=checks)
