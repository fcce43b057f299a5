# SPDX-License-Identifier: Apache-2.0
"""The core of both standards behind the verbs."""
