# SPDX-License-Identifier: Apache-2.0
"""The command line, called as a user does."""

import pytest

from nttforge.cli import main


def call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[object, str, str]:
    """Exit code, standard output, standard error."""
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err
