# SPDX-License-Identifier: Apache-2.0
"""The backend of all streaming cores."""

from nttforge.kinds.stream.backend import BACKEND

__all__ = ["BACKEND"]
