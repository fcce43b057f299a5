# SPDX-License-Identifier: Apache-2.0
"""What a design may say: a module a table. That of a family is called as it is."""
