# SPDX-License-Identifier: Apache-2.0
"""ML-DSA as a narrower core has it that signs: commands and packets of the whole one.

No key stays loaded in it.
"""

from nttforge.kinds.lattice.mldsa.small.standard import part_of_whole

OPERATIONS = ("keygen", "verify", "verify_mu", "sign", "sign_mu", "keygen_standard")

STANDARD = part_of_whole(__package__, OPERATIONS, "a small ML-DSA coprocessor")
