# SPDX-License-Identifier: Apache-2.0
"""The ML-DSA core behind the verbs."""
