# SPDX-License-Identifier: Apache-2.0
"""The lattice coprocessors in the verbs, whichever standards they have; see also `kem`, `dsa`."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from nttforge.emit.stimulus import Play
from nttforge.errors import NttforgeError
from nttforge.flow.backend import Bench, one_of_each
from nttforge.flow.prepare import Prepared, Progress
from nttforge.hw import Hardware
from nttforge.kinds.lattice.bus import Coprocessor, open_core
from nttforge.kinds.lattice.measure import StandardMeasureResult, several
from nttforge.kinds.lattice.mldsa.core import MldsaCore
from nttforge.kinds.lattice.mldsa.dsa import Dsa
from nttforge.kinds.lattice.mldsa.measure import MEASURED, measure_mldsa
from nttforge.kinds.lattice.mldsa.verify import MldsaCases
from nttforge.kinds.lattice.mlkem.core import MlkemCore
from nttforge.kinds.lattice.mlkem.kem import Kem
from nttforge.kinds.lattice.mlkem.measure import measure_mlkem
from nttforge.kinds.lattice.mlkem.verify import MlkemCases
from nttforge.kinds.lattice.pqc.core import PqcCore
from nttforge.kinds.lattice.standard import ML_DSA, ML_KEM, Standard, standards_of
from nttforge.kinds.lattice.stimulus import lattice_play
from nttforge.kinds.lattice.verbs import find_set
from nttforge.kinds.lattice.verify import Cases, verify_several, verify_standard
from nttforge.options.verbs import MeasureOptions, RunOptions, VerifyOptions
from nttforge.results import Generated, Measurement, Verification
from nttforge.table import Block, Table

C = TypeVar("C")


class Opened(Generic[C]):
    """A simulated coprocessor whose operations are functions; it is compiled and opened once.

    Parameters
    ----------
    kind
        Its class, whose methods are the operations.
    opens
        Compiles and opens it. Called again after a call that did not come to its end, because the
        simulated core is then in the middle of something.
    """

    def __init__(self, kind: type[C], opens: Callable[[], C]) -> None:
        self._kind, self._opens = kind, opens
        self._lock = Lock()
        self._core: C | None = None

    def functions(
        self, names: Iterable[str], find_set: Callable[[str], object]
    ) -> dict[str, Callable[..., Any]]:
        """Methods of the coprocessor, by name.

        Parameters
        ----------
        names
            Of methods whose first argument is a parameter set.
        find_set
            From its number or name to that set; the functions take either.
        """
        return {name: self._function(name, find_set) for name in names}

    def _function(self, name: str, find_set: Callable[[str], object]) -> Callable[..., Any]:
        def call(parameter_set: int | str, *given: Any, **named: Any) -> Any:
            found = find_set(str(parameter_set))
            with self._lock:
                core = self._core or self._opens()
                self._core = None
                try:
                    result = getattr(core, name)(found, *given, **named)
                except NttforgeError:  # refused, before or by an operation that came to its end
                    self._core = core
                    raise
                self._core = core
            return result

        signature = inspect.signature(getattr(self._kind, name))
        _, _, *rest = signature.parameters.values()  # self and the set
        first = next(iter(inspect.signature(call).parameters.values()))
        call.__signature__ = signature.replace(parameters=[first, *rest])  # type: ignore[attr-defined]
        return call


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


class _Face(NamedTuple):
    """A standard as Python has it.

    Attributes
    ----------
    kind
        The class of its functions.
    cases, measure
        What is verified, and what measures it.
    """

    standard: Standard
    kind: type[Any]
    cases: type[Cases]
    measure: Callable[..., StandardMeasureResult]

    @property
    def word(self) -> str:
        """What results call the standard."""
        return self.standard.prefix.rstrip("_")


def _measure_kem(opened: Coprocessor, core: Any, **how: Any) -> StandardMeasureResult:
    cores = getattr(core, "keccak_cores", 1)
    return measure_mlkem(opened, core.name, core.rounds_per_cycle, cores, **how)


def _measure_dsa(opened: Coprocessor, core: Any, **how: Any) -> StandardMeasureResult:
    facts = (core.name, core.rounds_per_cycle, core.facts["multiplier_latency"])
    return measure_mldsa(opened, *facts, **how)


_FACES: Mapping[str, _Face] = {
    "ML-KEM": _Face(
        ML_KEM,
        Kem,
        MlkemCases,
        _measure_kem,
    ),
    "ML-DSA": _Face(
        ML_DSA,
        Dsa,
        MldsaCases,
        _measure_dsa,
    ),
}
_CASES_OF_SEVERAL, _RUNS = 9, 20


def faces_of(core: Hardware) -> list[_Face]:
    """Of the standards that a core has."""
    return [_FACES[standard.name] for standard in standards_of(core)]


class LatticeBench(Bench[Any]):
    """FIPS 203, FIPS 204, or both, from seeds and messages to bytes."""

    def __init__(self, core: type[Hardware], *measured: str) -> None:
        self.core = core  # type: ignore[misc]  # one an instance, not one for all
        self._measured = ("count", "seed", *measured)

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

    def verify(
        self, prepared: Prepared[Any], options: VerifyOptions, progress: Progress
    ) -> Verification:
        """See :func:`verify_standard` and :func:`verify_several`."""
        kinds = {face.word: face.cases for face in faces_of(prepared.core)}
        first, *more = kinds.values()
        usual = _CASES_OF_SEVERAL if more else first.usual
        cases, seed = options.count or usual, options.seed or 0
        how: dict[str, Any] = {"cases": cases, "seed": seed, "progress": progress}
        opened, name = open_core(prepared), prepared.core.name
        if more:
            return verify_several(kinds, opened, name, **how)
        return verify_standard(first, opened, name, **how)

    def measure(
        self, prepared: Prepared[Any], options: MeasureOptions, progress: Progress
    ) -> Measurement:
        """See :func:`measure_mlkem` and :func:`measure_mldsa`."""
        core = prepared.core
        options.only(MeasureOptions, *self._measured, **one_of_each(core.name))
        runs, seed = options.count or _RUNS, options.seed or 0
        how: dict[str, Any] = {"seed": seed, "progress": progress, "runs": runs}
        if "operation" in self._measured:
            how["only"] = _measured(options.operation)
        opened = open_core(prepared)
        first, *more = faces_of(core)
        if not more:
            return first.measure(opened, core, **how)
        faces = (first, *more)
        return several(
            core.name, ((each.word, each.measure(opened, core, **how)) for each in faces)
        )

    def run(
        self,
        prepared: Prepared[Any],
        sources: Sequence[Path],
        target: Path,
        options: RunOptions,
        progress: Progress,
    ) -> NoReturn:
        """Refuse: seeds, keys and ciphertexts are no polynomials."""
        del sources, target, options, progress
        raise NttforgeError(*prepared.core.no_transforms())

    def functions(self, prepared: Prepared[Any]) -> Mapping[str, Callable[..., Any]]:
        """Operations of :class:`Kem` and :class:`Dsa`, `kem_...` and `dsa_...` if it has both.

        The first argument is the parameter set: 512, 768 or 1024; 44, 65 or 87.
        """
        faces = faces_of(prepared.core)
        return {
            f"{face.standard.prefix if len(faces) > 1 else ''}{name}": function
            for face in faces
            for name, function in Opened(face.kind, partial(_open, face.kind, prepared))
            .functions(face.standard.functions, partial(find_set, face.standard))
            .items()
        }


def _open(kind: type[C], prepared: Prepared[Any]) -> C:
    return kind(open_core(prepared))  # type: ignore[call-arg]


def _measured(name: str | None) -> str | None:
    """The one operation to measure, if there is such a one."""
    if name is not None and name not in MEASURED:
        *first, last = MEASURED
        known = f"use {', '.join(first)} or {last}"
        raise NttforgeError("operation", f"there is no {name!r}", known)
    return name


BENCHES = (
    LatticeBench(MlkemCore),
    LatticeBench(MldsaCore, "operation"),
    LatticeBench(PqcCore),
)
