# SPDX-License-Identifier: Apache-2.0
"""The iterative family: one row of 1 to n/2 butterflies, used for every pass in turn.

The scalable core of `scalable-hls-kyber` (section III-A), with coefficients in registers or banks
of memory; docs/iterative.md derives the places, the waits and the wires.
"""
