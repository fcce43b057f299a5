# SPDX-License-Identifier: Apache-2.0
"""The verbs that do something else for each family, chosen by what the family's core is."""

from collections.abc import Sequence
from pathlib import Path

from nttforge.errors import NttforgeError
from nttforge.flow.large_measure import LargeMeasureResult, measure_large
from nttforge.flow.large_run import LargeRunResult, find_large_operation, run_large
from nttforge.flow.large_verify import LargeVerifyResult, verify_large
from nttforge.flow.measure import MeasureResult, measure
from nttforge.flow.prepare import (
    AnyPrepared,
    PreparedKem,
    PreparedLarge,
    Progress,
    as_transforms,
    silent,
)
from nttforge.flow.run import RunResult, run_file
from nttforge.flow.verify import VerifyResult, verify
from nttforge.mlkem.measure import KemMeasureResult, measure_kem
from nttforge.mlkem.verify import KemVerifyResult, verify_kem

TRANSFORMS_VERIFIED, CASES_VERIFIED = 500, 40
TRANSFORMS_MEASURED, RUNS_MEASURED = 1000, 20


def verify_any(
    prepared: AnyPrepared,
    *,
    count: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> VerifyResult | KemVerifyResult | LargeVerifyResult:
    """Compare the RTL with the references.

    Parameters
    ----------
    prepared
        The core and its folder.
    count
        Random transforms, random cases of each parameter set, or polynomials of each job; the
        family's own if None.
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
    if isinstance(prepared, PreparedLarge):
        return verify_large(prepared, count=count, seed=seed, progress=progress)
    transforms = TRANSFORMS_VERIFIED if count is None else count
    return verify(prepared, transforms=transforms, seed=seed, progress=progress)


def measure_any(
    prepared: AnyPrepared,
    *,
    count: int | None = None,
    sizes: Sequence[int] | None = None,
    operation: str | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> MeasureResult | KemMeasureResult | LargeMeasureResult:
    """Observe cycles in simulation.

    Parameters
    ----------
    prepared
        The core and its folder.
    count
        Transforms in each sequence or batch, or runs of each operation; the family's own if None.
    sizes
        log2 of the transforms of an engine for large ones; its own choice if None.
    operation
        What such an engine does; the first of its operations if None. The others do all of theirs.
    seed
        Of the data.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        If the simulator cannot be built, or an option is not for this family.
    """
    if operation is not None and not isinstance(prepared, PreparedLarge):
        raise NttforgeError(
            "--op", f"{prepared.core.name} is measured with all of its operations", "leave it out"
        )
    if isinstance(prepared, PreparedKem):
        return measure_kem(
            prepared.coprocessor(progress),
            prepared.core.name,
            prepared.core.rounds_per_cycle,
            runs=RUNS_MEASURED if count is None else count,
            seed=seed,
            progress=progress,
        )
    if isinstance(prepared, PreparedLarge):
        chosen = None if operation is None else find_large_operation(prepared.core, operation)
        return measure_large(
            prepared, count=count, sizes=sizes, operation=chosen, progress=progress
        )
    if sizes is not None:
        raise NttforgeError(
            "--sizes", f"{prepared.core.name} has one size", "use it with the decomposed family"
        )
    transforms = TRANSFORMS_MEASURED if count is None else count
    return measure(prepared, transforms=transforms, seed=seed, progress=progress)


def run_any(
    prepared: AnyPrepared,
    operation: str | None,
    source: Path,
    target: Path,
    progress: Progress = silent,
    *,
    more: Sequence[Path] = (),
) -> RunResult | LargeRunResult:
    """Transform the polynomials of a file, and write another; `more` are further operands.

    Raises
    ------
    NttforgeError
        Naming what is wrong with the option or the file, or if the design is a coprocessor.
    """
    if not isinstance(prepared, PreparedLarge):
        core = as_transforms(prepared)
        return run_file(core, operation, source, target, progress, more=more)
    if more:
        raise NttforgeError("--input-b", "a transform takes one input", "leave it out")
    return run_large(prepared, operation, source, target, progress)
