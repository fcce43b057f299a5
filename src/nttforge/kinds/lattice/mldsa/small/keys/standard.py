# SPDX-License-Identifier: Apache-2.0
"""ML-DSA as a core has it that makes keys and verifies: commands and packets of the whole one."""

from nttforge.kinds.lattice.mldsa.small.standard import part_of_whole
from nttforge.kinds.lattice.mldsa.standard import STANDARD as WHOLE

OPERATIONS = ("keygen", "verify", "verify_mu", "keygen_standard")

STANDARD = part_of_whole(
    __package__,
    OPERATIONS,
    "an ML-DSA core that makes keys and verifies",
    usage_hint="use `nttforge dsa keygen` or `dsa verify`",
    vectors={name: WHOLE.vectors[name] for name in ("keygen", "verify")},
)
