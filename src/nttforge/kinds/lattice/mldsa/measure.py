# SPDX-License-Identifier: Apache-2.0
"""Measurements of ML-DSA: cycles beside the derived ones."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

from pydantic import BaseModel

from nttforge.kinds.lattice.bus import Request, Run, request_of
from nttforge.kinds.lattice.measure import Measured, Measures
from nttforge.kinds.lattice.mldsa.cycles import (
    MULTIPLIER_LATENCY,
    checked_cycles,
    keygen_cycles,
    keygen_floor,
    keygen_standard_cycles,
    load_cycles,
    load_floor,
    load_seed_cycles,
    sign_cycles,
    sign_floor,
    verify_cycles,
    verify_floor,
)
from nttforge.kinds.lattice.mldsa.program import MESSAGE_WORDS, SETS, WORD
from nttforge.standards.ml_dsa.keygen import h, keygen_internal
from nttforge.standards.ml_dsa.message import MU_BYTES
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters
from nttforge.standards.ml_dsa.signing import RND_BYTES, sign_mu
from nttforge.standards.transform_engine import software_engine


class DsaCycles(BaseModel):
    """One operation of one parameter set, without stalls, over all runs.

    - `latency_cycles`: first input word to last output word, the verdict of Verify, or the result
      of `load`, both counted: the mean.
    - `latency_shortest`, `latency_longest`: it depends on the seed: how many blocks s1 and s2 take,
      and when the matrix is sampled.
    - `cycles_per_operation`: from a command to the next one, if they wait one after the other: the
      mean.
    - `keccak_utilisation`: of the latency, the cycles in which Keccak worked.
    - `floor_cycles`: what the permutations alone take, on average over all seeds; of a signature,
      with as many tries as these runs took.
    - `derived`: runs whose latency is, to the cycle, the one that is derived; None where none is:
      if Keccak does several rounds a cycle, and of signatures if multipliers take another number of
      cycles.
    - `runs`: with different seeds.
    - `tries`: of a signature: the mean; None of what is none.
    """

    columns: ClassVar[Mapping[str, str]] = {
        "shortest": "latency_shortest",
        "longest": "latency_longest",
        "runs": "runs",
        "as derived": "derived",
        "tries": "tries",
    }
    legend: ClassVar[str] = (
        "means; floor: what Keccak's permutations alone take, on average, see docs"
    )

    latency_cycles: float
    latency_shortest: int
    latency_longest: int
    cycles_per_operation: float
    keccak_utilisation: float
    floor_cycles: int
    derived: int | None
    runs: int
    tries: float | None = None


#: What is measured of each set: keys as the stream, and as the standard has them; then the others.
MEASURED = (
    *("keygen", "keygen_standard", "verify", "verify_mu", "load", "load_seed"),
    *("sign", "sign_mu", "sign_loaded", "sign_loaded_mu"),
)
#: Cycles of what begins with a seed, and of a key that comes, derived.
_DERIVED: Mapping[str, Callable[[Parameters, bytes], int | None]] = {
    "keygen": keygen_cycles,
    "keygen_standard": keygen_standard_cycles,
    "load_seed": load_seed_cycles,
    "load": load_cycles,
}


class _Keys(NamedTuple):
    seed: bytes
    pk: bytes
    sk: bytes


class _Case(NamedTuple):
    """One run: its request, what is done before and after it, and what is derived.

    - `took`: its cycles; None where they are not derived.
    - `tries`: of a signature.
    """

    request: Request
    took: int | None = None
    tries: int = 0
    before: tuple[Request, ...] = ()
    after: tuple[Request, ...] = ()

    @property
    def requests(self) -> tuple[Request, ...]:
        """All, one after the other."""
        return (*self.before, self.request, *self.after)


class DsaMeasures(Measures):
    """ML-DSA's: every operation but the one that drops a key, each with `runs` keys.

    What is verified are random bytes, which take as long as a signature. What is signed is random,
    too; the keys are the reference's.
    """

    def known(self) -> list[str]:
        """Those of :data:`MEASURED`."""
        return [*MEASURED]

    def operations(self, rng: random.Random, runs: int) -> Iterator[Measured]:
        """All of them, set by set."""
        seeds = {p: [rng.randbytes(SEED_BYTES) for _ in range(runs)] for p in SETS}
        for p in SETS:
            keys = [_Keys(each, *keygen_internal(p, each, software_engine())) for each in seeds[p]]
            for name in self.names:
                cases = [self._case(name, p, each, rng) for each in keys]
                batch = [request for case in cases for request in case.requests]
                yield Measured(p, name, [batch], partial(self._cycles, name, p, cases))

    def _case(self, name: str, p: Parameters, keys: _Keys, rng: random.Random) -> _Case:
        does, drop = self.standard.operations[name], Request("drop", p)
        external, loaded = name.endswith("_mu"), "loaded" in name
        values = keys._asdict()
        if not (does.judges or does.tries):
            derived = _DERIVED[name](p, values["sk" if name == "load" else "seed"][:SEED_BYTES])
            # The next command would wait for a key that stays.
            return _Case(request_of(name, p, values), derived, after=(drop,) * does.keeps)
        first = rng.randbytes(p.signature_bytes if does.judges else RND_BYTES)
        given = rng.randbytes(MU_BYTES if external else MESSAGE_WORDS * WORD)
        values |= {"signature": first, "rnd": first, "mu" if external else "message": given}
        asked = request_of(name, p, values, checks=self.core.checks)
        message = None if external else len(given)
        if does.judges:
            return _Case(asked, verify_cycles(p, keys.pk, message))
        mu = given if external else h(keys.sk[64:128] + given, MU_BYTES)
        # How many tries it takes is public.
        made = sign_mu(p, keys.sk, mu, first, software_engine())
        rho, equal = None if loaded else keys.sk[:SEED_BYTES], self.core.facts["equal_tries"]
        took = sign_cycles(p, rho, made, message, equal=equal)
        if self.core.checks:
            took += checked_cycles(p, keys.pk, message, loaded=loaded)
        around = ((Request("load", p, keys.sk),), (drop,)) if loaded else ()
        return _Case(asked, took, len(made.challenges), *around)

    def _floor(self, name: str, p: Parameters, tries: float) -> float:
        external = name.endswith("_mu")
        if name.startswith("verify"):
            return verify_floor(p, external=external)
        if tries:
            checked = verify_floor(p, external=external) if self.core.checks else 0
            return sign_floor(p, tries, external=external, loaded="loaded" in name) + checked
        return load_floor(p) if name == "load" else keygen_floor(p)

    def _cycles(
        self, name: str, p: Parameters, cases: Sequence[_Case], ran: Sequence[Sequence[Run]]
    ) -> DsaCycles:
        requests, (all_runs,), runs = [case.requests for case in cases], ran, len(cases)
        asked = [request for each in requests for request in each]
        seen = [r for r, request in zip(all_runs, asked, strict=True) if request.operation == name]
        cycles, tries = [run.cycles for run in seen], sum(case.tries for case in cases) / runs
        rounds = self.core.rounds_per_cycle
        usual = self.core.facts["multiplier_latency"] == MULTIPLIER_LATENCY or not tries
        same = sum(took.took == each for took, each in zip(cases, cycles, strict=True))
        return DsaCycles(
            latency_cycles=round(sum(cycles) / runs, 1),
            latency_shortest=min(cycles),
            latency_longest=max(cycles),
            cycles_per_operation=round(sum(run.occupied for run in seen) / runs, 1),
            keccak_utilisation=round(sum(run.keccak_cycles for run in seen) / sum(cycles), 4),
            floor_cycles=round(self._floor(name, p, tries) / rounds),
            derived=same if usual and rounds == 1 else None,
            runs=runs,
            tries=round(tries, 2) if tries else None,
        )


MEASURES = DsaMeasures
