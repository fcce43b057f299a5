# SPDX-License-Identifier: Apache-2.0
"""Designs on a board: a bridge around them, a bitstream, its routed netlist simulated."""
