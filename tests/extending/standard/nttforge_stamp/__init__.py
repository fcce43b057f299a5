# SPDX-License-Identifier: Apache-2.0
"""A standard for lattice coprocessors: texts are stamped with a key, and summed up."""
