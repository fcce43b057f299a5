# SPDX-License-Identifier: Apache-2.0
"""The ML-KEM coprocessor: its programs, its design folder, its simulator."""
