# SPDX-License-Identifier: Apache-2.0
"""The decomposed family: any size through a kernel of one size; docs/decomposed.md."""
