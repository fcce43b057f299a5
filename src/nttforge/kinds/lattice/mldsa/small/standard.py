# SPDX-License-Identifier: Apache-2.0
"""ML-DSA as a core has it that only verifies: commands and packets are those of the whole one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nttforge.kinds.lattice.mldsa.standard import STANDARD as WHOLE
from nttforge.kinds.lattice.operation import Standard


def part_of_whole(
    package: str, operations: Sequence[str], kind_label: str, **changes: Any
) -> Standard:
    """ML-DSA with some of its operations alone, in a package of their own.

    - `kind_label`, `changes`: fields of the standard that differ.
    """
    functions = WHOLE.functions.items()
    return replace(
        WHOLE,
        package=package,
        whole=WHOLE,
        kind_label=kind_label,
        operations={name: WHOLE.operations[name] for name in operations},
        functions={name: each for name, each in functions if each.operation in operations},
        **changes,
    )


OPERATIONS = ("verify", "verify_mu")

STANDARD = part_of_whole(
    __package__,
    OPERATIONS,
    "an ML-DSA core that verifies",
    usage_hint="use `nttforge dsa verify`",
    vectors={"verify": WHOLE.vectors["verify"]},
)
