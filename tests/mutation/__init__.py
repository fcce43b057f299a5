# SPDX-License-Identifier: Apache-2.0
"""A mutation score of the RTL: defects put in mechanically, and how many the tests catch."""
