# SPDX-License-Identifier: Apache-2.0
"""The verbs that do something else for each family, chosen by what the family's core is."""

from nttforge.flow.measure import MeasureResult, measure
from nttforge.flow.prepare import Prepared, PreparedKem, Progress, silent
from nttforge.flow.verify import VerifyResult, verify
from nttforge.mlkem.measure import KemMeasureResult, measure_kem
from nttforge.mlkem.verify import KemVerifyResult, verify_kem

TRANSFORMS_VERIFIED, CASES_VERIFIED = 500, 40
TRANSFORMS_MEASURED, RUNS_MEASURED = 1000, 20


def verify_any(
    prepared: Prepared | PreparedKem,
    *,
    count: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> VerifyResult | KemVerifyResult:
    """Compare the RTL with the references.

    Parameters
    ----------
    prepared
        The core and its folder.
    count
        Random transforms, or random cases of each parameter set; the family's own if None.
    seed
        Of all data and stalls.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        If the simulator cannot be built, or an independent implementation is missing.
    """
    if isinstance(prepared, PreparedKem):
        return verify_kem(
            prepared.coprocessor(progress),
            prepared.core.name,
            cases=CASES_VERIFIED if count is None else count,
            seed=seed,
            progress=progress,
        )
    transforms = TRANSFORMS_VERIFIED if count is None else count
    return verify(prepared, transforms=transforms, seed=seed, progress=progress)


def measure_any(
    prepared: Prepared | PreparedKem,
    *,
    count: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> MeasureResult | KemMeasureResult:
    """Observe cycles in simulation.

    Parameters
    ----------
    prepared
        The core and its folder.
    count
        Transforms in each sequence, or runs of each operation; the family's own if None.
    seed
        Of the data.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        If the simulator cannot be built.
    """
    if isinstance(prepared, PreparedKem):
        return measure_kem(
            prepared.coprocessor(progress),
            prepared.core.name,
            prepared.core.rounds_per_cycle,
            runs=RUNS_MEASURED if count is None else count,
            seed=seed,
            progress=progress,
        )
    transforms = TRANSFORMS_MEASURED if count is None else count
    return measure(prepared, transforms=transforms, seed=seed, progress=progress)
