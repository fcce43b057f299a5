# SPDX-License-Identifier: Apache-2.0
"""That of all cores of streams."""

from nttforge.kinds.stream.backend import BACKEND

__all__ = ["BACKEND"]
