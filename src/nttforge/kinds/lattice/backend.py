# SPDX-License-Identifier: Apache-2.0
"""The lattice coprocessors in the verbs, whichever standards they have; see also `kem`, `dsa`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from nttforge.emit.stimulus import Stimulus
from nttforge.flow.backend import Backend, one_of_each
from nttforge.flow.prepare import Prepared, Progress
from nttforge.kinds.lattice.bus import open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.functions import Opened, open_functions
from nttforge.kinds.lattice.measure import measure_standard, several
from nttforge.kinds.lattice.operation import Standard
from nttforge.kinds.lattice.standard import part
from nttforge.kinds.lattice.stimulus import lattice_stimulus
from nttforge.kinds.lattice.verify import cases_of, verify_several, verify_standard
from nttforge.options.verbs import MeasureOptions, VerifyOptions
from nttforge.results import Generated, Measurement, Verification
from nttforge.table import Block, Table


class LatticeGenerated(Generated):
    """A written coprocessor; sets are in the order of their codes, by standard if it has both.

    - `codes`, `set_codes`: by standard: of its operations what is said of the code, and the codes
      of its sets.
    """

    operations: tuple[str, ...] | dict[str, tuple[str, ...]]
    parameter_sets: tuple[str, ...] | dict[str, tuple[str, ...]]
    rounds_per_cycle: int | float
    codes: dict[str, dict[str, str]]
    set_codes: dict[str, list[int]]

    def shown(self) -> Iterator[Block]:
        """Operations, parameter sets, and files."""
        found: Any = self.parameter_sets
        several = isinstance(found, dict)
        sets = found if several else dict.fromkeys(self.codes, found)
        alone, first = ("", 0) if several else (f"{next(iter(sets))}, ", 1)
        columns = ("standard", "operation", "code", "parameter sets, by code")
        rows = [
            (standard, operation, code, self._sets(standard, sets[standard]))
            for standard, codes in self.codes.items()
            for operation, code in codes.items()
        ]
        yield Table(
            f"{self.design}: {alone}{self.rounds_per_cycle} rounds of Keccak a cycle",
            columns[first:],
            [row[first:] for row in rows],
        )
        yield from super().shown()

    def _sets(self, standard: str, names: Sequence[str]) -> str:
        """Sets, with their codes where these are not the numbers from 0 on."""
        codes = self.set_codes[standard]
        if codes == [*range(len(names))]:
            return ", ".join(names)
        return ", ".join(f"{code} {name}" for code, name in zip(codes, names, strict=True))


_CASES_OF_SEVERAL, _RUNS = 9, 20


def _word(standard: Standard) -> str:
    """Name of a standard in results."""
    return standard.prefix.rstrip("_")


class LatticeBackend(Backend[LatticeCore]):
    """FIPS 203, FIPS 204, or both, from seeds and messages to bytes."""

    core = LatticeCore

    def generated(self, core: LatticeCore, common: Generated) -> LatticeGenerated:
        """Operations and parameter sets, and their codes."""
        found = [(each, (core.registers or each.registers)["command"]) for each in core.standards]
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

    def stimulus(self, core: LatticeCore) -> Stimulus:
        """NIST's vectors."""
        return lattice_stimulus(core)

    def verify(
        self, prepared: Prepared[LatticeCore], options: VerifyOptions, progress: Progress
    ) -> Verification:
        """See :func:`verify_standard` and :func:`verify_several`."""
        core = prepared.core
        kinds = {_word(each): cases_of(each) for each in core.standards}
        first, *more = kinds.values()
        usual = _CASES_OF_SEVERAL if more else first.usual
        cases, seed = options.count or usual, options.seed or 0
        how: dict[str, Any] = {"cases": cases, "seed": seed, "progress": progress}
        opened = open_core(prepared)
        if more:
            return verify_several(kinds, opened, core.name, **how)
        return verify_standard(first, opened, core.name, **how)

    def measure(
        self, prepared: Prepared[LatticeCore], options: MeasureOptions, progress: Progress
    ) -> Measurement:
        """See :func:`measure_standard`; of one standard alone, also one operation."""
        core = prepared.core
        more = ("operation",) if len(core.standards) == 1 else ()
        options.only(MeasureOptions, "count", "seed", *more, **one_of_each(core.name))
        which = {name: getattr(options, name) for name in more}
        kinds = [part(each, "measure").MEASURES(each, core, **which) for each in core.standards]
        how: dict[str, Any] = {"runs": options.count or _RUNS, "seed": options.seed or 0}
        opened = open_core(prepared)
        found = (measure_standard(each, opened, **how, progress=progress) for each in kinds)
        if more:
            return next(found)
        return several(core.name, zip(map(_word, core.standards), found, strict=True))

    def functions(self, prepared: Prepared[LatticeCore]) -> Mapping[str, Callable[..., Any]]:
        """Functions of each standard, `kem_...` and `dsa_...` if it has both.

        The first argument is the parameter set: 512, 768 or 1024; 44, 65 or 87.
        """
        found = prepared.core.standards
        return {
            f"{standard.prefix if len(found) > 1 else ''}{name}": function
            for standard in found
            for name, function in Opened(standard, partial(open_functions, prepared, standard))
            .functions()
            .items()
        }


BACKEND = LatticeBackend()
