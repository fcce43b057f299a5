# SPDX-License-Identifier: Apache-2.0
"""The ML-KEM coprocessor, as data."""
