# SPDX-License-Identifier: Apache-2.0
"""Engines of key switching: a transform with loaded moduli, sums, and a program of jobs as data."""
