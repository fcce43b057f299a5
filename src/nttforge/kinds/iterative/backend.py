# SPDX-License-Identifier: Apache-2.0
"""That of all cores of streams."""

from nttforge.kinds.stream.backend import BENCH

__all__ = ["BENCH"]
