# SPDX-License-Identifier: Apache-2.0
"""What the paper says of its own coprocessor follows from its table."""

from nttforge.reproduce.kyber import COLUMNS, TABLE_I, _published

# Section IV-B, microseconds of KeyGen, Encaps and Decaps.
MICROSECONDS = (7.4, 12.0, 16.4)


def test_times_are_those_of_the_paper() -> None:
    row = _published(TABLE_I[0])
    times = row[COLUMNS.index("KeyGen, us") :][:3]
    for time, stated in zip(times, MICROSECONDS, strict=True):
        assert isinstance(time, float) and abs(time - stated) < 0.1


def test_every_row_has_every_column() -> None:
    assert all(len(_published(row)) == len(COLUMNS) for row in TABLE_I)
