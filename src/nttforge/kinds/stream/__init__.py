# SPDX-License-Identifier: Apache-2.0
"""Streaming cores of transforms."""
