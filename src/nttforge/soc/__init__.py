# SPDX-License-Identifier: Apache-2.0
"""Designs in a SoC: LiteX modules, a SoC around a design, its firmware, and what they take."""
