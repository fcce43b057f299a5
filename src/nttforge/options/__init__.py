# SPDX-License-Identifier: Apache-2.0
"""The options of the verbs, as models."""
