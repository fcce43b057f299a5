# SPDX-License-Identifier: Apache-2.0
"""The lattice coprocessors in the verbs, whichever standards they have; see also `kem`, `dsa`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from nttforge.emit.stimulus import Play
from nttforge.errors import NttforgeError
from nttforge.flow.backend import Given, one_of_each, read_options
from nttforge.flow.prepare import Prepared, Progress
from nttforge.hw import Hardware
from nttforge.kinds.lattice.both import measure_pqc, verify_pqc
from nttforge.kinds.lattice.bus import open_core, open_kem
from nttforge.kinds.lattice.coprocessor_backend import (
    CoprocessorBench,
    MeasureOptions,
    Opened,
    VerifyOptions,
)
from nttforge.kinds.lattice.mldsa.core import MldsaCore
from nttforge.kinds.lattice.mldsa.dsa import Dsa
from nttforge.kinds.lattice.mldsa.measure import MEASURED, measure_mldsa
from nttforge.kinds.lattice.mldsa.verify import verify_mldsa
from nttforge.kinds.lattice.mlkem.core import MlkemCore
from nttforge.kinds.lattice.mlkem.kem import Kem
from nttforge.kinds.lattice.mlkem.measure import measure_mlkem
from nttforge.kinds.lattice.mlkem.verify import verify_mlkem
from nttforge.kinds.lattice.pqc.core import PqcCore
from nttforge.kinds.lattice.standard import ML_DSA, ML_KEM, Standard, standards_of
from nttforge.kinds.lattice.stimulus import lattice_play
from nttforge.kinds.lattice.verbs import find_set
from nttforge.results import Generated, Measurement, Verification
from nttforge.table import Block, Table


class LatticeGenerated(Generated):
    """A written coprocessor; sets are in the order of their codes, by standard if it has both.

    Attributes
    ----------
    codes, set_codes
        By standard: of its operations what is said of the code, and the codes of its sets.
    """

    operations: list[str] | dict[str, tuple[str, ...]]
    parameter_sets: list[str] | dict[str, tuple[str, ...]]
    rounds_per_cycle: int
    codes: dict[str, dict[str, str]]
    set_codes: dict[str, list[int]]

    def shown(self) -> Iterator[Block]:
        """What it does, of which sets, and where the files are."""
        operations: Any = self.operations
        sets: Any = self.parameter_sets
        columns = ("operation", "code", "parameter sets, by code")
        rounds = f"{self.rounds_per_cycle} rounds of Keccak a cycle"
        if isinstance(operations, dict):
            yield Table(
                f"{self.design}: {rounds}",
                ("standard", *columns),
                [
                    (name, each, self.codes[name][each], self._sets(name, sets[name]))
                    for name, listed in operations.items()
                    for each in listed
                ],
            )
        else:
            name = next(iter(sets)).rpartition("-")[0]
            yield Table(
                f"{self.design}: {name}, {rounds}",
                columns,
                [(each, self.codes[name][each], self._sets(name, sets)) for each in operations],
            )
        yield from super().shown()

    def _sets(self, standard: str, names: Sequence[str]) -> str:
        """Sets, with their codes where these are not the numbers from 0 on."""
        codes = self.set_codes[standard]
        if codes == [*range(len(names))]:
            return ", ".join(names)
        return ", ".join(f"{code} {name}" for code, name in zip(codes, names, strict=True))


class DsaMeasureOptions(MeasureOptions):
    """Those of any coprocessor, and the one operation to measure, if not all of them."""

    operation: str | None = None


class _Face(NamedTuple):
    """A standard as Python has it: what its operations are called, and how they are opened."""

    standard: Standard
    kind: type[Any]
    opened: Callable[[Prepared[Any]], Any]
    functions: tuple[str, ...]
    cases: int


_KINDS = ("", "_internal", "_mu")
_FACES: Mapping[str, _Face] = {
    "ML-KEM": _Face(
        ML_KEM,
        Kem,
        lambda prepared: Kem(open_kem(prepared)),
        ("keygen", "encaps", "decaps", "decaps_seed"),
        40,
    ),
    "ML-DSA": _Face(
        ML_DSA,
        Dsa,
        lambda prepared: Dsa(open_core(prepared)),
        ("keygen", *(f"{name}{kind}" for name in ("sign", "verify") for kind in _KINDS)),
        20,
    ),
}
_CASES_OF_BOTH = 9


class LatticeBench(CoprocessorBench[Any]):
    """FIPS 203, FIPS 204, or both, from seeds and messages to bytes."""

    measure_options: type[MeasureOptions]  # type: ignore[misc]  # one a core, not one for all

    def __init__(
        self, core: type[Hardware], options: type[MeasureOptions] = MeasureOptions
    ) -> None:
        self.core, self.measure_options = core, options  # type: ignore[misc]

    def generated(self, core: Any, common: Generated) -> LatticeGenerated:
        """Operations and parameter sets, and their codes."""
        found = [
            (each, (core.registers or each.registers)["command"]) for each in standards_of(core)
        ]
        return LatticeGenerated(
            **common.model_dump(),
            operations=core.operations,
            parameter_sets=core.parameter_sets,
            rounds_per_cycle=core.rounds_per_cycle,
            codes={
                each.name: {name: each.code_words(command, name) for name in each.operations}
                for each, command in found
            },
            set_codes={
                each.name: [each.set_code(command, place) for place in range(len(each.sets))]
                for each, command in found
            },
        )

    def play(self, core: Any) -> Play:
        """NIST's vectors."""
        return lattice_play(core)

    def verify(self, prepared: Prepared[Any], given: Given, progress: Progress) -> Verification:
        """See :func:`verify_mlkem`, :func:`verify_mldsa` and :func:`verify_pqc`."""
        found, name = standards_of(prepared.core), prepared.core.name
        cases = _FACES[found[0].name].cases if len(found) == 1 else _CASES_OF_BOTH
        chosen = read_options(VerifyOptions, {"count": cases, **given})
        how: dict[str, Any] = {"cases": chosen.count, "seed": chosen.seed, "progress": progress}
        if found == (ML_KEM,):
            return verify_mlkem(open_kem(prepared), name, **how)
        if found == (ML_DSA,):
            return verify_mldsa(open_core(prepared), name, **how)
        return verify_pqc(open_core(prepared), name, **how)

    def measure(self, prepared: Prepared[Any], given: Given, progress: Progress) -> Measurement:
        """See :func:`measure_mlkem`, :func:`measure_mldsa` and :func:`measure_pqc`."""
        core, found = prepared.core, standards_of(prepared.core)
        refused = {k: v for k, v in one_of_each(core.name).items() if not self._takes(k)}
        chosen = read_options(self.measure_options, given, refused)
        how: dict[str, Any] = {"seed": chosen.seed, "progress": progress, "runs": chosen.count}
        if found == (ML_KEM,):
            rounds, cores = core.rounds_per_cycle, core.keccak_cores
            return measure_mlkem(open_kem(prepared), core.name, rounds, cores, **how)
        facts = (core.name, core.rounds_per_cycle, core.facts["multiplier_latency"])
        if found == (ML_DSA,):
            only = _measured(getattr(chosen, "operation", None))
            return measure_mldsa(open_core(prepared), *facts, only=only, **how)
        return measure_pqc(open_core(prepared), *facts, **how)

    def _takes(self, option: str) -> bool:
        return option in self.measure_options.model_fields

    def functions(self, prepared: Prepared[Any]) -> Mapping[str, Callable[..., Any]]:
        """Operations of :class:`Kem` and :class:`Dsa`, `kem_...` and `dsa_...` if it has both.

        The first argument is the parameter set: 512, 768 or 1024; 44, 65 or 87.
        """
        faces = [_FACES[standard.name] for standard in standards_of(prepared.core)]
        return {
            f"{face.standard.prefix if len(faces) > 1 else ''}{name}": function
            for face in faces
            for name, function in Opened(face.kind, partial(face.opened, prepared))
            .functions(face.functions, partial(find_set, face.standard))
            .items()
        }


def _measured(name: str | None) -> str | None:
    """The one operation to measure, if there is such a one."""
    if name is not None and name not in MEASURED:
        *first, last = MEASURED
        known = f"use {', '.join(first)} or {last}"
        raise NttforgeError("operation", f"there is no {name!r}", known)
    return name


BENCHES = (
    LatticeBench(MlkemCore),
    LatticeBench(MldsaCore, DsaMeasureOptions),
    LatticeBench(PqcCore),
)
