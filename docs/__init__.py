# SPDX-License-Identifier: Apache-2.0
"""The pages of the docs, and the tools that record and render them."""
