# SPDX-License-Identifier: Apache-2.0
"""`python -m nttforge` is the command `nttforge`."""

from nttforge.cli import main

main()
