# SPDX-License-Identifier: Apache-2.0
"""The narrower ML-DSA core that signs as well: what is checked and measured of it."""
