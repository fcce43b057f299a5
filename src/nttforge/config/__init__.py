# SPDX-License-Identifier: Apache-2.0
"""The tables of a design: one module per table. A family's module has the family's name."""
