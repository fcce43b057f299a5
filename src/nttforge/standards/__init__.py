# SPDX-License-Identifier: Apache-2.0
"""ML-KEM (FIPS 203) and ML-DSA key generation (FIPS 204) around a transform of your choice.

A reference and a workload, not a product: nothing here runs in constant time or wipes a secret.
"""
