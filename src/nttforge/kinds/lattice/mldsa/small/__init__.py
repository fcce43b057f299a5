# SPDX-License-Identifier: Apache-2.0
"""The narrower ML-DSA core, which verifies: its lists of jobs, and what is checked of it."""
