# SPDX-License-Identifier: Apache-2.0
"""ML-DSA on one Keccak, one row of products and one transform: the programs of its units."""
