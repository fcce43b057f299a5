# SPDX-License-Identifier: Apache-2.0
"""`measure` of a core of both standards."""

import time
from collections.abc import Iterator

from nttforge.flow.mldsa.measure import MldsaMeasureResult, measure_mldsa
from nttforge.flow.mlkem.measure import MlkemMeasureResult, measure_mlkem
from nttforge.flow.prepare import Progress, silent
from nttforge.kinds.lattice.bus import Coprocessor, KemPort
from nttforge.results import Measurement, Timed
from nttforge.table import Block


class PqcMeasureResult(Measurement):
    """What `measure` observed of a core of both standards.

    Attributes
    ----------
    kem, dsa
        Of each standard, as it is measured alone.
    """

    kem: MlkemMeasureResult
    dsa: MldsaMeasureResult

    @property
    def timed(self) -> dict[str, Timed]:
        """Each operation of each set."""
        return {**self.kem.timed, **self.dsa.timed}

    def shown(self) -> Iterator[Block]:
        """Cycles of each operation and set, standard by standard."""
        yield from self.kem.shown()
        yield from self.dsa.shown()
        yield from self.times()


def measure_pqc(
    model: Coprocessor,
    design: str,
    rounds_per_cycle: int,
    multiplier_latency: int,
    *,
    runs: int = 20,
    seed: int = 0,
    progress: Progress = silent,
) -> PqcMeasureResult:
    """See :func:`measure_mlkem` and :func:`measure_mldsa`.

    Raises
    ------
    FaultError
        If the core hangs or breaks its handshakes.
    """
    start = time.monotonic()
    kem = measure_mlkem(
        KemPort(model), design, rounds_per_cycle, runs=runs, seed=seed, progress=progress
    )
    dsa = measure_mldsa(
        model,
        design,
        rounds_per_cycle,
        multiplier_latency,
        runs=runs,
        seed=seed,
        progress=progress,
    )
    seconds = round(time.monotonic() - start, 2)
    return PqcMeasureResult(design=design, kem=kem, dsa=dsa, seconds=seconds)
