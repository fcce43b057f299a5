# SPDX-License-Identifier: Apache-2.0
"""Modular multipliers: which reduction, with which constants, widths and registers."""

from nttforge.reduction.plan import MultiplierPlan, plan_multiplier, plan_shifts

__all__ = ["MultiplierPlan", "plan_multiplier", "plan_shifts"]
