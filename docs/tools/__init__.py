# SPDX-License-Identifier: Apache-2.0
"""What records and renders the pages: no part of the package."""
