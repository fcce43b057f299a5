# SPDX-License-Identifier: Apache-2.0
"""The narrower ML-DSA core that makes keys and verifies: what is checked and measured of it."""
