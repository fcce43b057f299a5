# SPDX-License-Identifier: Apache-2.0
"""One core for ML-KEM and ML-DSA."""
