# SPDX-License-Identifier: Apache-2.0
"""ML-DSA as a core has it that only verifies: commands and packets are those of the whole one."""

from dataclasses import replace

from nttforge.kinds.lattice.mldsa.standard import STANDARD as WHOLE

OPERATIONS = ("verify", "verify_mu")

STANDARD = replace(
    WHOLE,
    package=__package__,
    whole=WHOLE,
    kind_label="an ML-DSA core that verifies",
    usage_hint="use `nttforge dsa verify`",
    operations={name: WHOLE.operations[name] for name in OPERATIONS},
    functions={
        name: each for name, each in WHOLE.functions.items() if each.operation in OPERATIONS
    },
    vectors={"verify": WHOLE.vectors["verify"]},
)
