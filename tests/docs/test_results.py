# SPDX-License-Identifier: Apache-2.0
"""The table of `make test-full`: files that were run are renewed, the others stay."""

from pathlib import Path

from tests.result_records import record_of, rooms, table

CASES = """<testsuites><testsuite>
<testcase classname="tests.rtl.shell.test_shell" name="a"/>
<testcase classname="tests.rtl.shell.test_shell" name="b"><failure/></testcase>
<testcase classname="tests.rtl.test_iterative" name="c"><skipped/></testcase>
<testcase classname="tests.rtl.test_iterative.TestMore" name="d"/>
<testcase classname="tests.test_style" name="e"><error/></testcase>
</testsuite></testsuites>"""


def counts(passed: int, skipped: int, failed: int, revision: str) -> dict[str, object]:
    return {"passed": passed, "skipped": skipped, "failed": failed, "revision": revision}


def test_cases_are_counted_by_file(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text(CASES)
    assert record_of([tmp_path / "x.xml"], "abc") == {
        "tests/rtl/shell/test_shell.py": counts(1, 0, 1, "abc"),
        "tests/rtl/test_iterative.py": counts(1, 1, 0, "abc"),
        "tests/test_style.py": counts(0, 0, 1, "abc"),
    }


def test_a_file_is_run_piece_by_piece(tmp_path: Path) -> None:
    """A case that was run again has its last outcome."""
    case = '<testcase classname="tests.test_style" name="{}">{}</testcase>'
    pieces = [case.format("a", "<failure/>"), case.format("b", ""), case.format("a", "")]
    paths = [tmp_path / f"{number}.xml" for number in range(len(pieces))]
    for path, piece in zip(paths, pieces, strict=True):
        path.write_text(f"<testsuites><testsuite>{piece}</testsuite></testsuites>")
    assert record_of(paths, "abc") == {"tests/test_style.py": counts(2, 0, 0, "abc")}
    assert record_of(paths[:2], "abc") == {"tests/test_style.py": counts(1, 0, 1, "abc")}


def test_a_line_is_a_room() -> None:
    record = {
        "tests/rtl/test_a.py": counts(5, 1, 0, "abc"),
        "tests/rtl/test_b.py": counts(2, 0, 1, "def"),
        "tests/unit/ring/test_c.py": counts(9, 0, 0, "abc"),
    }
    lines = table(record, {"tests/rtl": 4, "tests/unit/ring": 1, "tests/host": 2}).splitlines()
    assert lines[2:] == [
        "| tests/host |  | 0 of 2 | 0 | 0 | 0 |",
        "| tests/rtl | abc, def | 2 of 4 | 7 | 1 | 1 |",
        "| tests/unit/ring | abc | 1 of 1 | 9 | 0 | 0 |",
        "| **all** |  | 3 of 7 | 16 | 1 | 1 |",
    ]


def test_rooms_are_those_of_the_tree() -> None:
    assert rooms()["tests/docs"] >= 10
