# SPDX-License-Identifier: Apache-2.0
"""Papers' tables and peers beside our measured figures."""
