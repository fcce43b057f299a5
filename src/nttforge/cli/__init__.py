# SPDX-License-Identifier: Apache-2.0
"""The command line."""

from nttforge.cli.app import main

__all__ = ["main"]
