# SPDX-License-Identifier: Apache-2.0
"""The ML-KEM coprocessor behind the verbs; its own are those of `nttforge kem`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from nttforge.emit.play import Play
from nttforge.families import MlkemCore
from nttforge.families.mlkem.program import OPERATIONS
from nttforge.families.mlkem.registers import code_words
from nttforge.flow.bench import Given, one_of_each, read_options
from nttforge.flow.coprocessor import (
    CoprocessorBench,
    MeasureOptions,
    Opened,
    VerifyOptions,
)
from nttforge.flow.mlkem.kem import Kem
from nttforge.flow.mlkem.keys import find_set
from nttforge.flow.mlkem.measure import MlkemMeasureResult, measure_mlkem
from nttforge.flow.mlkem.verify import MlkemVerifyResult, verify_mlkem
from nttforge.flow.prepare import Prepared, Progress
from nttforge.kinds.lattice.bus import open_kem
from nttforge.kinds.lattice.stimulus import lattice_play
from nttforge.results import Generated
from nttforge.table import Block, Table


class MlkemGenerated(Generated):
    """A written ML-KEM coprocessor; sets are in the order of their codes."""

    operations: list[str]
    parameter_sets: list[str]
    rounds_per_cycle: int

    def shown(self) -> Iterator[Block]:
        """What it does, of which sets, and where the files are."""
        yield Table(
            f"{self.design}: ML-KEM, {self.rounds_per_cycle} rounds of Keccak a cycle",
            ("operation", "code", "parameter sets, by code"),
            [(name, code_words(name), ", ".join(self.parameter_sets)) for name in self.operations],
        )
        yield from super().shown()


class MlkemBench(CoprocessorBench[MlkemCore]):
    """All of FIPS 203, from seeds to bytes."""

    core = MlkemCore

    def generated(self, core: MlkemCore, common: Generated) -> MlkemGenerated:
        """Operations and parameter sets."""
        return MlkemGenerated(
            **common.model_dump(),
            operations=list(core.operations),
            parameter_sets=list(core.parameter_sets),
            rounds_per_cycle=core.rounds_per_cycle,
        )

    def play(self, core: MlkemCore) -> Play:
        """NIST's vectors."""
        return lattice_play(core)

    def verify(
        self, prepared: Prepared[MlkemCore], given: Given, progress: Progress
    ) -> MlkemVerifyResult:
        """See :func:`nttforge.flow.mlkem.verify.verify_mlkem`."""
        chosen = read_options(VerifyOptions, {"count": 40, **given})
        return verify_mlkem(
            open_kem(prepared),
            prepared.core.name,
            cases=chosen.count,
            seed=chosen.seed,
            progress=progress,
        )

    def measure(
        self, prepared: Prepared[MlkemCore], given: Given, progress: Progress
    ) -> MlkemMeasureResult:
        """See :func:`nttforge.flow.mlkem.measure.measure_mlkem`."""
        chosen = read_options(MeasureOptions, given, one_of_each(prepared.core.name))
        return measure_mlkem(
            open_kem(prepared),
            prepared.core.name,
            prepared.core.rounds_per_cycle,
            prepared.core.keccak_cores,
            runs=chosen.count,
            seed=chosen.seed,
            progress=progress,
        )

    def functions(self, prepared: Prepared[MlkemCore]) -> Mapping[str, Callable[..., Any]]:
        """`keygen`, `encaps`, `decaps` and `decaps_seed` of :class:`nttforge.flow.mlkem.kem.Kem`.

        The first argument is the parameter set: 512, 768 or 1024.
        """
        opened = Opened(Kem, lambda: Kem(open_kem(prepared)))
        return opened.functions((*OPERATIONS, "decaps_seed"), find_set)


BENCH = MlkemBench()
