# SPDX-License-Identifier: Apache-2.0
"""Flipped bits in whole coprocessors, and what comes of them: `python -m tests.faults`."""
