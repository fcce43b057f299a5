# SPDX-License-Identifier: Apache-2.0
"""The ML-DSA core behind the verbs; its own are those of `nttforge dsa`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from nttforge.emit.play import Play
from nttforge.errors import NttforgeError
from nttforge.families import MldsaCore
from nttforge.families.mldsa.registers import operation_code
from nttforge.flow.bench import Given, one_of_each, read_options
from nttforge.flow.coprocessor import (
    CoprocessorBench,
    MeasureOptions,
    Opened,
    VerifyOptions,
)
from nttforge.flow.mldsa.dsa import Dsa
from nttforge.flow.mldsa.keys import find_set
from nttforge.flow.mldsa.measure import MEASURED, MldsaMeasureResult, measure_mldsa
from nttforge.flow.mldsa.verify import MldsaVerifyResult, verify_mldsa
from nttforge.flow.prepare import Prepared, Progress
from nttforge.kinds.lattice.bus import open_core
from nttforge.kinds.lattice.stimulus import lattice_play
from nttforge.results import Generated
from nttforge.table import Block, Table


class MldsaGenerated(Generated):
    """A written ML-DSA core; its sets are in the order of their codes."""

    operations: list[str]
    parameter_sets: list[str]
    rounds_per_cycle: int

    def shown(self) -> Iterator[Block]:
        """What it does, of which sets, and where the files are."""
        yield Table(
            f"{self.design}: ML-DSA, {self.rounds_per_cycle} rounds of Keccak a cycle",
            ("operation", "code", "parameter sets, by code"),
            [
                (name, operation_code(name), ", ".join(self.parameter_sets))
                for name in self.operations
            ],
        )
        yield from super().shown()


class DsaMeasureOptions(MeasureOptions):
    """Those of any coprocessor, and the one operation to measure, if not all of them."""

    operation: str | None = None


class MldsaBench(CoprocessorBench[MldsaCore]):
    """KeyGen, Sign and Verify of FIPS 204, from and to bytes."""

    core = MldsaCore
    measure_options = DsaMeasureOptions

    def generated(self, core: MldsaCore, common: Generated) -> MldsaGenerated:
        """Operations and parameter sets."""
        return MldsaGenerated(
            **common.model_dump(),
            operations=list(core.operations),
            parameter_sets=list(core.parameter_sets),
            rounds_per_cycle=core.rounds_per_cycle,
        )

    def play(self, core: MldsaCore) -> Play:
        """NIST's vectors."""
        return lattice_play(core)

    def verify(
        self, prepared: Prepared[MldsaCore], given: Given, progress: Progress
    ) -> MldsaVerifyResult:
        """See :func:`nttforge.flow.mldsa.verify.verify_mldsa`."""
        chosen = read_options(VerifyOptions, {"count": 20, **given})
        core, name = open_core(prepared), prepared.core.name
        return verify_mldsa(core, name, cases=chosen.count, seed=chosen.seed, progress=progress)

    def measure(
        self, prepared: Prepared[MldsaCore], given: Given, progress: Progress
    ) -> MldsaMeasureResult:
        """See :func:`nttforge.flow.mldsa.measure.measure_mldsa`."""
        of = prepared.core
        name, rounds, latency = of.name, of.rounds_per_cycle, of.facts["multiplier_latency"]
        refused = {"sizes": one_of_each(name)["sizes"]}
        chosen = read_options(DsaMeasureOptions, given, refused)
        only = chosen.operation
        if only is not None and only not in MEASURED:
            *first, last = MEASURED
            known = f"use {', '.join(first)} or {last}"
            raise NttforgeError("operation", f"there is no {only!r}", known)
        core = open_core(prepared)
        return measure_mldsa(
            core,
            name,
            rounds,
            latency,
            runs=chosen.count,
            seed=chosen.seed,
            only=only,
            progress=progress,
        )

    def functions(self, prepared: Prepared[MldsaCore]) -> Mapping[str, Callable[..., Any]]:
        """`keygen`, and `sign` and `verify`, `_internal` and `_mu`, of :class:`Dsa`.

        The first argument is the parameter set: 44, 65 or 87.
        """
        kinds = ("", "_internal", "_mu")
        names = ("keygen", *(f"{name}{kind}" for name in ("sign", "verify") for kind in kinds))
        return Opened(Dsa, lambda: Dsa(open_core(prepared))).functions(names, find_set)


BENCH = MldsaBench()
