# SPDX-License-Identifier: Apache-2.0
"""A kind of core in a package of its own: sums modulo q of all words so far."""
