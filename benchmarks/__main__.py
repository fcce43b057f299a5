# SPDX-License-Identifier: Apache-2.0
"""A paper's table beside our measured figures: `python -m benchmarks PAPER`."""

import argparse
import sys
from collections.abc import Sequence

from benchmarks.reproduce import papers, reproduce
from nttforge.cli.outcome import Outcome
from nttforge.cli.session import run_verb
from nttforge.flow.prepare import Progress


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("paper", metavar="PAPER", help=f"one of {', '.join(papers())}")
    parser.add_argument(
        "--place",
        action="store_true",
        help="also place and route, or simulate the largest sizes, or measure more variants, "
        "which takes from minutes to hours",
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)

    def job(progress: Progress) -> Outcome:
        result = reproduce(given.paper, given.place, progress)
        return Outcome(result.model_dump(mode="json"), result.shown(), page=result.page())

    return run_verb("benchmarks", given.json, job, given.markdown)


if __name__ == "__main__":
    sys.exit(main())
