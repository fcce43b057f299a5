# SPDX-License-Identifier: Apache-2.0
"""The backend of each kind of core."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from nttforge.flow.backend import Backend
from nttforge.flow.prepare import Prepared, Progress
from nttforge.hw import Core
from nttforge.kinds import FAMILIES, part
from nttforge.options.verbs import MeasureOptions, VerifyOptions
from nttforge.results import Measurement, Verification


@cache
def backends() -> Mapping[type[Core], Backend[Any]]:
    """All of them, by the type of core; a kind with several types has them in `BACKENDS`."""
    parts = (part(family, "backend") for family in FAMILIES)
    found: list[Backend[Any]] = [
        backend for each in parts for backend in getattr(each, "BACKENDS", (each.BACKEND,))
    ]
    return {backend.core: backend for backend in found}


def backend_of(core: Core) -> Backend[Any]:
    """The backend of this kind of core, or of a kind that it is a special case of."""
    return next(backends()[kind] for kind in type(core).__mro__ if kind in backends())


def verified(prepared: Prepared[Core], options: VerifyOptions, progress: Progress) -> Verification:
    """The RTL of a design compared with references, by its kind's backend."""
    result = backend_of(prepared.core).verify(prepared, options, progress)
    return result.with_provenance(prepared.design)


def measured(prepared: Prepared[Core], options: MeasureOptions, progress: Progress) -> Measurement:
    """Cycles of a design, observed by its kind's backend."""
    result = backend_of(prepared.core).measure(prepared, options, progress)
    return result.with_provenance(prepared.design)
