# SPDX-License-Identifier: Apache-2.0
"""Engines for large transforms behind the verbs."""
