# SPDX-License-Identifier: Apache-2.0
"""The core of both standards behind the verbs."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from nttforge.emit.play import Play
from nttforge.families import PqcCore
from nttforge.families.mldsa.registers import operation_code
from nttforge.families.mlkem.registers import code_words
from nttforge.flow.bench import Given, one_of_each, read_options
from nttforge.flow.coprocessor import (
    CoprocessorBench,
    MeasureOptions,
    Opened,
    VerifyOptions,
)
from nttforge.flow.mldsa.dsa import Dsa
from nttforge.flow.mldsa.keys import find_set as find_dsa
from nttforge.flow.mlkem.kem import Kem
from nttforge.flow.mlkem.keys import find_set as find_kem
from nttforge.flow.pqc.measure import PqcMeasureResult, measure_pqc
from nttforge.flow.pqc.play import pqc_play
from nttforge.flow.pqc.verify import PqcVerifyResult, open_pqc, verify_pqc
from nttforge.flow.prepare import Prepared, Progress
from nttforge.results import Generated
from nttforge.table import Block, Table

#: What is said of an operation's code, by standard.
_CODES: Mapping[str, Callable[[str], str | int]] = {"ML-KEM": code_words, "ML-DSA": operation_code}


class PqcGenerated(Generated):
    """A written core; sets are in the order of their codes."""

    operations: dict[str, tuple[str, ...]]
    parameter_sets: dict[str, tuple[str, ...]]
    rounds_per_cycle: int

    def shown(self) -> Iterator[Block]:
        """What it does, of which sets, and where the files are."""
        yield Table(
            f"{self.design}: {self.rounds_per_cycle} rounds of Keccak a cycle",
            ("standard", "operation", "code", "parameter sets, by code"),
            [
                (standard, name, _CODES[standard](name), ", ".join(self.parameter_sets[standard]))
                for standard, names in self.operations.items()
                for name in names
            ],
        )
        yield from super().shown()


class PqcBench(CoprocessorBench[PqcCore]):
    """FIPS 203 and FIPS 204, from and to bytes."""

    core = PqcCore

    def generated(self, core: PqcCore, common: Generated) -> PqcGenerated:
        """Operations and parameter sets of both standards."""
        return PqcGenerated(
            **common.model_dump(),
            operations=core.operations,
            parameter_sets=core.parameter_sets,
            rounds_per_cycle=core.rounds_per_cycle,
        )

    def play(self, core: PqcCore) -> Play:
        """NIST's vectors."""
        return pqc_play(core)

    def verify(
        self, prepared: Prepared[PqcCore], given: Given, progress: Progress
    ) -> PqcVerifyResult:
        """See :func:`nttforge.flow.pqc.verify.verify_pqc`."""
        chosen = read_options(VerifyOptions, {"count": 9, **given})
        model, name = open_pqc(prepared), prepared.core.name
        return verify_pqc(model, name, cases=chosen.count, seed=chosen.seed, progress=progress)

    def measure(
        self, prepared: Prepared[PqcCore], given: Given, progress: Progress
    ) -> PqcMeasureResult:
        """See :func:`nttforge.flow.pqc.measure.measure_pqc`."""
        of = prepared.core
        name, rounds, latency = of.name, of.rounds_per_cycle, of.facts["multiplier_latency"]
        chosen = read_options(MeasureOptions, given, one_of_each(name))
        model = open_pqc(prepared)
        return measure_pqc(
            model, name, rounds, latency, runs=chosen.count, seed=chosen.seed, progress=progress
        )

    def functions(self, prepared: Prepared[PqcCore]) -> Mapping[str, Callable[..., Any]]:
        """Of both standards: `kem_keygen`, `kem_encaps`, `dsa_sign` and so on.

        The first argument is the parameter set: 512, 768 or 1024; 44, 65 or 87.
        """
        kems = Opened(Kem, lambda: Kem(open_pqc(prepared).kem)).functions(_KEM, find_kem)
        dsas = Opened(Dsa, lambda: Dsa(open_pqc(prepared))).functions(_DSA, find_dsa)
        return {f"kem_{name}": function for name, function in kems.items()} | {
            f"dsa_{name}": function for name, function in dsas.items()
        }


_KEM = ("keygen", "encaps", "decaps", "decaps_seed")
_DSA = ("keygen", "sign", "sign_internal", "sign_mu", "verify", "verify_internal", "verify_mu")


BENCH = PqcBench()
