# SPDX-License-Identifier: Apache-2.0
"""That of all lattice coprocessors."""

from nttforge.kinds.lattice.backend import BENCHES

__all__ = ["BENCHES"]
