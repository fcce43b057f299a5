# SPDX-License-Identifier: Apache-2.0
"""ML-DSA as a narrower core has it that signs: commands and packets of the whole one.

No key stays loaded in it.
"""

from dataclasses import replace

from nttforge.kinds.lattice.mldsa.standard import STANDARD as WHOLE

OPERATIONS = ("keygen", "verify", "verify_mu", "sign", "sign_mu", "keygen_standard")

STANDARD = replace(
    WHOLE,
    package=__package__,
    whole=WHOLE,
    kind_label="a small ML-DSA coprocessor",
    operations={name: WHOLE.operations[name] for name in OPERATIONS},
    functions={
        name: each for name, each in WHOLE.functions.items() if each.operation in OPERATIONS
    },
)
