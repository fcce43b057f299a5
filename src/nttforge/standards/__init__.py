# SPDX-License-Identifier: Apache-2.0
"""ML-KEM (FIPS 203), ML-DSA (FIPS 204) and key switching, with a transform engine of your choice.

A reference and a workload, not a product: nothing here runs in constant time or wipes a secret.
"""
