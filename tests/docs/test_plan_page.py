# SPDX-License-Identifier: Apache-2.0
"""The floor plan of look-up tables: rectangles as large as what they stand for."""

import re

from nttforge.draw.floor_plan import boxes, draw, gathered

BLOCKS = {"": 10, "u_a": 50, "u_a.u_x": 200, "u_a.u_x.u_deep": 40, "u_b<2>": 100, "u_none": 0}


def test_deeper_blocks_count_with_those_above() -> None:
    assert gathered(BLOCKS, 2) == {"": 10, "u_a": 50, "u_a.u_x": 240, "u_b<2>": 100}
    assert gathered(BLOCKS, 1) == {"": 10, "u_a": 290, "u_b<2>": 100}


def test_rectangles_are_shares_and_do_not_overlap() -> None:
    parts = [(f"p{i}", count) for i, count in enumerate((300, 120, 70, 9, 1))]
    found = boxes(parts, (0, 0, 100, 50))
    assert [name for name, _, _ in found] == [name for name, _ in parts]
    for _, count, (x, y, w, h) in found:
        assert abs(w * h - count * 10) < 1e-6
        assert x >= 0 and y >= 0 and x + w <= 100 + 1e-9 and y + h <= 50 + 1e-9
    for i, (_, _, a) in enumerate(found):
        for _, _, b in found[i + 1 :]:
            across = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
            down = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
            assert across < 1e-9 or down < 1e-9


def test_the_drawing_names_its_blocks() -> None:
    drawn = draw("LUT of x", BLOCKS)
    assert set(re.findall(r"<title>(.*?)</title>", drawn)) == {
        *("top: 10 LUT", "u_a: 50 LUT", "u_a.u_x: 240 LUT", "u_b&lt;2&gt;: 100 LUT")
    }
    assert drawn.count("<rect") == 1 + 4 and "http" not in drawn.replace("http://www.w3.org", "")
