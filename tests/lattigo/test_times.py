# SPDX-License-Identifier: Apache-2.0
"""lattigo's key switching is timed beside the engine's, if Go is there."""

import pytest

from tests.lattigo.peer import NoLattigoError
from tests.lattigo.times import CLOCKS_MHZ, COLUMNS, Switched, main, rows, switchings


def test_a_row_has_both_times() -> None:
    try:
        (row,) = rows([Switched(10, 2, 1, 4, 1320, "observed")], calls=2)
    except NoLattigoError as error:
        pytest.skip(str(error))
    assert list(row) == list(COLUMNS)
    assert [row[f"us at {clock} MHz"] for clock in CLOCKS_MHZ] == ["10", "4"]
    assert float(row["lattigo, us"].replace(",", "")) > 0


@pytest.mark.long
def test_the_engine_s_cycles_are_those_of_the_page() -> None:
    found = list(switchings())
    assert [(each.q, each.p, each.known) for each in found[:2]] == [
        (6, 1, "observed"),
        (6, 2, "observed"),
    ]
    assert all(each.cycles > 0 for each in found)


def test_the_record_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    assert "2^14, 6 + 1" in capsys.readouterr().out
