# SPDX-License-Identifier: Apache-2.0
"""The table of `make test-full`: rooms that were run are renewed, the others stay."""

from pathlib import Path

import pytest

from tests.results import Room, outcomes, recorded, renewed, table

PAGE = "before\n<!-- make test-full -->\n{}<!-- end -->\nbehind\n"
CASES = """<testsuites><testsuite>
<testcase classname="tests.rtl.shell.test_shell" name="a"/>
<testcase classname="tests.rtl.shell.test_shell" name="b"><failure/></testcase>
<testcase classname="tests.rtl.test_iterative" name="c"><skipped/></testcase>
<testcase classname="tests.rtl.test_iterative.TestMore" name="d"/>
<testcase classname="tests.test_style" name="e"><error/></testcase>
</testsuite></testsuites>"""


def test_cases_are_counted_by_room(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text(CASES)
    assert outcomes(tmp_path / "x.xml", "abc") == {
        "tests/rtl/shell": Room((1, 0, 1), "abc"),
        "tests/rtl": Room((1, 1, 0), "abc"),
        "tests": Room((0, 0, 1), "abc"),
    }


def test_rooms_that_were_not_run_keep_their_line() -> None:
    old = {"tests/unit": Room((9, 0, 0), "abc"), "tests/rtl": Room((1, 2, 3), "abc-dirty")}
    page = renewed(PAGE.format(""), old)
    assert recorded(page) == old
    new = {"tests/rtl": Room((6, 0, 0), "def")}
    page = renewed(page, new)
    assert page == PAGE.format(table(old | new))
    assert "| **all** | 15 | 0 | 0 |  |\n" in page
    assert page.index("| tests/rtl |") < page.index("| tests/unit |")


def test_a_page_without_the_block_is_refused() -> None:
    with pytest.raises(ValueError, match="no block"):
        renewed("nothing", {})
