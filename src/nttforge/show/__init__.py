# SPDX-License-Identifier: Apache-2.0
"""Tables and texts of the pages, printed by commands."""
