# SPDX-License-Identifier: Apache-2.0
"""ML-DSA as a core has it that makes keys and verifies: commands and packets of the whole one."""

from dataclasses import replace

from nttforge.kinds.lattice.mldsa.standard import STANDARD as WHOLE

OPERATIONS = ("keygen", "verify", "verify_mu", "keygen_standard")

STANDARD = replace(
    WHOLE,
    package=__package__,
    whole=WHOLE,
    kind_label="an ML-DSA core that makes keys and verifies",
    usage_hint="use `nttforge dsa keygen` or `dsa verify`",
    operations={name: WHOLE.operations[name] for name in OPERATIONS},
    functions={
        name: each for name, each in WHOLE.functions.items() if each.operation in OPERATIONS
    },
    vectors={name: WHOLE.vectors[name] for name in ("keygen", "verify")},
)
