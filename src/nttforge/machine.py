# SPDX-License-Identifier: Apache-2.0
"""Processors that may be used."""

import os


def processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
