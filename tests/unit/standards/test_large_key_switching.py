# SPDX-License-Identifier: Apache-2.0
"""The engine that a key switching takes, or why there is none."""

import pytest

from docs.tools import large_key_switching
from docs.tools.large_key_switching import DSPS, URAMS, Found, Setting, channels_of, verdict


def found(cycles: int, dsps: int, urams: int = 100) -> Found:
    return Found(Setting(14, 6, 1, 1, 4, 64), cycles, dsps, urams, 4)


def test_the_smallest_that_is_fast_enough_and_fits_is_named() -> None:
    small, large = found(900, 2000), found(800, 3000)
    assert verdict([large, found(2000, 10), small, found(1, 5, URAMS + 1)], 1000) == str(small)


def test_why_there_is_none() -> None:
    fits, fast = found(2000, DSPS), found(900, DSPS + 1)
    said = verdict([fits, fast, found(800, DSPS + 2)], 1000).splitlines()
    assert said[1] == f"the fastest that fits: {fits}"
    assert said[2] == f"the smallest that is fast enough: {fast}"
    assert verdict([fits], 10).splitlines()[-1] == f"the fastest: {fits}"
    assert "too few rows" in verdict([], 10)


def test_channels_keep_up_with_a_beat_a_clock() -> None:
    """Two words a lane in each clock, at what is left of 14.4 GB/s a channel."""
    assert [channels_of(lanes) for lanes in (2, 8, 32)] == [1, 3, 12]


def test_an_engine_is_found_for_a_small_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_key_switching, "CHOICES", ((1, 4), (2,), (8, 32)))
    some = list(large_key_switching.engines(10, 3, 1))
    assert {each.setting.rows for each in some} == {32}, "8 rows are too few"
    slow, fast = sorted(some, key=lambda each: -each.cycles)
    assert fast.cycles < slow.cycles / 2 and fast.dsps > 2 * slow.dsps
    assert verdict(some, slow.cycles) == str(slow)
