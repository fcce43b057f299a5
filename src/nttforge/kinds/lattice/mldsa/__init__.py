# SPDX-License-Identifier: Apache-2.0
"""ML-DSA on one Keccak, one row of products, one transform: what does what, and when."""
