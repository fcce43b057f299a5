# SPDX-License-Identifier: Apache-2.0
"""Cores of transforms behind the verbs."""
