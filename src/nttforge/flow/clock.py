# SPDX-License-Identifier: Apache-2.0
"""The clock of a core on ECP5, to turn cycles into time: placed, or estimated of what is larger."""

from collections.abc import Sequence

from nttforge.errors import TooLargeError
from nttforge.flow.prepare import Prepared, Progress, silent
from nttforge.flow.synth import CLOCK_SEEDS, on_ecp5, pnr
from nttforge.flow.timing import timing
from nttforge.hw import Core
from nttforge.results import Clock
from nttforge.synthesize.nextpnr import ASKED_MHZ, DEVICE, tables_of


def clock_of(
    prepared: Prepared[Core],
    *,
    frequency_mhz: float = ASKED_MHZ,
    seeds: Sequence[int] = CLOCK_SEEDS,
    progress: Progress = silent,
) -> Clock:
    """The clock of a core on an LFE5U-85F by :func:`pnr`, or :func:`timing` if too large."""
    try:
        placed = pnr(prepared, frequency_mhz=frequency_mhz, seeds=seeds, progress=progress)
    except TooLargeError:
        estimated = timing(prepared, paths=1, progress=progress)
        return Clock(
            device=f"LFE5U-{DEVICE}, speed grade {estimated.speed_grade}",
            mhz=estimated.fmax_mhz,
            seeds=[],
            lut4=mapped_lut4(prepared, progress=progress),
        )
    return Clock(
        device=f"{placed.device}, speed grade {placed.speed_grade}",
        mhz=placed.fmax_mhz,
        seeds=list(seeds),
        lut4=placed.utilization["TRELLIS_COMB"][0],
    )


def mapped_lut4(prepared: Prepared[Core], *, progress: Progress = silent) -> int:
    """Look-up tables of ECP5 that a core takes, with carries and memories, before it is placed."""
    mapped = on_ecp5(prepared, instance="", shell=False, time_limit=3600, progress=progress)
    return tables_of(mapped.cells)
