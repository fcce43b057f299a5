# SPDX-License-Identifier: Apache-2.0
"""The lattice coprocessor: standards as data, and what drives hardware that has one or more."""
