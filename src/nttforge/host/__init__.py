# SPDX-License-Identifier: Apache-2.0
"""Host software of a design: libraries and a Python API that drive it, simulated or real."""
