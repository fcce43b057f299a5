# SPDX-License-Identifier: Apache-2.0
"""Modular multipliers: which reduction, with which constants, widths and registers."""

from nttforge.reduction.half import HalfRatePlan, plan_half_rate
from nttforge.reduction.plan import MultiplierPlan, plan_multiplier, plan_shifts

__all__ = ["HalfRatePlan", "MultiplierPlan", "plan_half_rate", "plan_multiplier", "plan_shifts"]
