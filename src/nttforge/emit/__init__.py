# SPDX-License-Identifier: Apache-2.0
"""Emission: a core as a design folder that reads as if written by hand."""

from nttforge.emit.design_folder import DesignFolder, write

__all__ = ["DesignFolder", "write"]
