# SPDX-License-Identifier: Apache-2.0
"""Runs Yosys passes in a process of its own: `python worker.py SCRIPT`, a pass a line."""

import sys
from pathlib import Path


def main() -> None:
    """Run the script's passes on one design."""
    from pyosys import libyosys as ys  # noqa: PLC0415

    design = ys.Design()
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        ys.run_pass(line, design)


if __name__ == "__main__":
    main()
