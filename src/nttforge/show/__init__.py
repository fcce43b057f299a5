# SPDX-License-Identifier: Apache-2.0
"""What the pages quote: tables and texts, printed by commands."""
