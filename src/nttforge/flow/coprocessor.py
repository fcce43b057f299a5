# SPDX-License-Identifier: Apache-2.0
"""What the benches of cores for standards have in common: bytes instead of polynomials."""

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from pydantic import Field

from nttforge.errors import NttforgeError
from nttforge.flow.bench import Bench, Given, K, Options
from nttforge.flow.prepare import Prepared, Progress
from nttforge.limits import LAST_SEED, MOST


class VerifyOptions(Options):
    """Random cases of each parameter set, and the seed of all data and stalls."""

    count: int = Field(ge=1, le=MOST)
    seed: int = Field(0, ge=0, le=LAST_SEED)


class MeasureOptions(Options):
    """Runs of each operation and set, and the seed of their inputs."""

    count: int = Field(20, ge=2, le=MOST)
    seed: int = Field(0, ge=0, le=LAST_SEED)


class CoprocessorBench(Bench[K]):
    """Of a core from and to bytes, which `measure` runs with all of its operations."""

    measure_options = MeasureOptions

    def run(
        self,
        prepared: Prepared[K],
        sources: Sequence[Path],
        target: Path,
        given: Given,
        progress: Progress,
    ) -> NoReturn:
        """Refuse: seeds, keys and ciphertexts are no polynomials."""
        del sources, target, given, progress
        raise NttforgeError(*prepared.core.no_transforms())
