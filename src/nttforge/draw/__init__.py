# SPDX-License-Identifier: Apache-2.0
"""Drawings: SVG from data."""
