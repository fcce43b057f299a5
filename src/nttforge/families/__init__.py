# SPDX-License-Identifier: Apache-2.0
"""Families: from a validated design to a core, as data."""

from nttforge.design import Design
from nttforge.families import iterative, pipeline
from nttforge.families.core import Core, Operation, StreamFormat

__all__ = ["Core", "Operation", "StreamFormat", "build"]

_BUILDERS = {"pipeline": pipeline.build, "iterative": iterative.build}


def build(design: Design) -> Core:
    """Make the core of a design.

    Raises
    ------
    NttforgeError
        If its rings or parameters do not fit its family.
    """
    return _BUILDERS[design.family](design)
