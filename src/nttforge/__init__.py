# SPDX-License-Identifier: Apache-2.0
"""nttforge: number-theoretic transforms in hardware, from one description."""

__version__ = "0.1.0"
