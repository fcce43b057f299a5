# SPDX-License-Identifier: Apache-2.0
"""The lattice coprocessor: standards as data, and the code that drives their hardware."""
