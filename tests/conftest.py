# SPDX-License-Identifier: Apache-2.0
"""What holds for all tests."""

from hypothesis import HealthCheck, settings

# A test's time says more of the machine than of the code: the runner's limit is enough.
settings.register_profile("nttforge", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("nttforge")
