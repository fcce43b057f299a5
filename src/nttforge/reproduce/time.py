# SPDX-License-Identifier: Apache-2.0
"""Columns of a table that turn cycles into time."""

from collections.abc import Sequence

from nttforge.families import Core
from nttforge.flow.clock import clock_of
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.stream.measure import MeasureResult
from nttforge.flow.synth import CLOCK_SEEDS
from nttforge.table import Cell

TIME_COLUMNS = ["MHz, ECP5", "latency, us", "a transform, us", "1000 LUT4 x us"]
TIME_NOTE = (
    "MHz: nextpnr's, of an LFE5U-85F of speed grade 8, the best of seeds "
    f"{', '.join(map(str, CLOCK_SEEDS))}. Times are cycles of the engine as built for it over that "
    "clock; LUT4 x us: look-up tables that it takes there, times microseconds a transform."
)


def times(mhz: float | None, cycles: Sequence[int | None]) -> list[Cell]:
    """Microseconds of operations; None where a clock or cycles are not known."""
    return [None if mhz is None or count is None else round(count / mhz, 2) for count in cycles]


def time_cells(
    prepared: Prepared[Core], measured: MeasureResult, progress: Progress = silent
) -> list[Cell]:
    """What stands in these columns for a core built for `ecp5`.

    Raises
    ------
    NttforgeError
        If nextpnr is missing or fails.
    """
    clock = clock_of(prepared, progress=progress)
    each = measured.cycles_per_transform
    times = (clock.us(measured.latency_cycles), clock.us(each), clock.area_time(each))
    return [f"{clock.mhz:.0f}", *(f"{time:g}" for time in times)]
