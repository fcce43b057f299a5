# SPDX-License-Identifier: Apache-2.0
"""The one exception that a user of nttforge can cause."""


class NttforgeError(Exception):
    """A user's mistake or a missing tool, told in one line.

    Parameters
    ----------
    field
        What is wrong: a key of the design, an option, a file, a tool.
    problem
        What is wrong with it, with the offending value.
    mend
        What to do about it.
    """

    def __init__(self, field: str, problem: str, mend: str) -> None:
        super().__init__(f"{field}: {problem}; {mend}")
        self.field = field
        self.problem = problem
        self.mend = mend
