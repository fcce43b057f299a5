# SPDX-License-Identifier: Apache-2.0
"""The iterative family: one row of butterflies, used for every pass in turn.

It is the scalable core of `scalable-hls-kyber` (section III-A): 1 to n/2 butterflies, with the
coefficients in registers or in banks of memory. Its passes are the pipeline family's schedule of
exchanges, laid out in memory instead of space; docs/iterative.md derives the places, the waits and
the wires.
"""
