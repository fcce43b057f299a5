# SPDX-License-Identifier: Apache-2.0
"""Key switching on the simulated RTL, beside the exact references and lattigo 6.1.1.

`python -m tests.lattigo.parameter_sets run LOG` compares each drawn case and writes a line of it to
LOG; what LOG has already is skipped, so it can be run in pieces. `record LOG ...` merges logs into
the record, with the revision of the RTL, and without arguments the record is printed. An engine of
60 bits is built once for each n, and takes all moduli and levels: of 32 limbs, or of 18 and 8 for
large n. Of `lattigo` there are 1,000 pairs of parameter set and level: ten sets at all their
levels, corners, and drawn ones of which most have a small n; of `seal` and `openfhe` 200. Without
Go the references alone are compared.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from nttforge.design import parse_design
from nttforge.flow.prepare import prepare_core
from nttforge.kinds.rns.build import build
from nttforge.kinds.rns.cases import OPERATIONS, Case, Shape, run_case
from nttforge.kinds.rns.machine import Machine
from nttforge.ring.primes import is_prime
from nttforge.standards.rns import Basis
from nttforge.standards.rns.basis import Array
from tests.lattigo.peer import Lattigo, NoLattigoError, lattigo
from tests.result_records import revision
from tests.tally import keep, kept, markdown

RECORD = "key-switching"
COLUMNS = (
    *("convention", "n", "cases", "limbs", "bits", "with pauses", "at borders", "near words"),
    *("words", "wrong rows", "beside lattigo", "lattigo differs, uniform"),
    "lattigo differs, borders",
)
#: Cases of each convention.
COUNTS = {"lattigo": 1000, "seal": 200, "openfhe": 200}
BITS, LEAST_BITS = 60, 30
TABLE = {
    "butterflies": 2,
    "rows": 256,
    "terms": 31,
    "targets": 4,
    "banks": 8,
    "twiddles": "made",
}
LEAST_LOG_N, MOST_LOG_N = 10, 16
#: Of drawn cases, by log2 n.
_WEIGHTS = (720, 150, 70, 35, 15, 6, 4)
#: Coefficients that a drawn case transforms, at most, if it can have so few.
_MOST = 80_000
#: Of an engine, by log2 n; 32 below.
_PLACES = {13: 18, 14: 8, 15: 8, 16: 8}
_ATTEMPTS, _SETS_AT_ALL_LEVELS = 100, 10
#: log2 n, limbs of Q and of P: at the highest level.
_CORNERS = (
    *((10, 31, 1), (10, 16, 16), (10, 1, 1), (11, 30, 2), (12, 24, 8), (13, 14, 3)),
    *((14, 6, 1), (14, 6, 2), (15, 5, 2), (16, 1, 1), (16, 5, 2)),
)
_PAUSES = (0.0, 0.1, 0.4)
_PLAINTEXTS = (0, 0, 65537, 2)


@dataclass(frozen=True)
class Drawn:
    """A case: its name, log2 n, moduli of Q and P, what is done, and the pauses of all streams."""

    name: str
    log_n: int
    q: tuple[int, ...]
    p: tuple[int, ...]
    shape: Shape
    pauses: float

    @property
    def transformed(self) -> int:
        """Coefficients."""
        level, special = self.shape.level, len(self.p)
        if self.shape.operation == "rescale":
            return level << self.log_n
        digits = -(-level // self.shape.digit_limbs)
        return (digits + 2) * (level + special) << self.log_n


def places(log_n: int) -> int:
    """Moduli of the engine for 2^log_n coefficients."""
    return _PLACES.get(log_n, 32)


def _moduli(rng: random.Random, log_n: int, count: int) -> tuple[int, ...]:
    """Distinct primes, of one width or of several."""
    zeros, found = log_n + 1, dict[int, None]()
    least = rng.randint(max(LEAST_BITS, zeros + 9), BITS)
    most = rng.choice((least, rng.randint(least, BITS), BITS))
    while len(found) < count:
        width = rng.randint(least, most)
        q = (rng.getrandbits(width - zeros - 1) | 1 << width - zeros - 1) << zeros | 1
        if is_prime(q):
            found[q] = None
    return tuple(found)


def _shape(rng: random.Random, convention: str, limbs: tuple[int, int, int], level: int) -> Shape:
    log_n, q, p = limbs
    kinds = {
        "lattigo": ("key_switch", "key_switch", "key_switch", "rotate", "rescale"),
        "seal": ("key_switch", "relinearize", "rotate"),
        "openfhe": ("key_switch", "relinearize", "rotate"),
    }
    operation = rng.choice(kinds[convention])
    if operation == "rescale" and level == 1:
        operation = "key_switch"
    width = {"lattigo": p, "seal": 1, "openfhe": rng.randint(1, min(q, 12))}[convention]
    t = rng.choice(_PLAINTEXTS) if convention == "openfhe" and operation != "rotate" else 0
    g = 2 * rng.randrange(1, 1 << log_n) + 1 if operation == "rotate" else 1
    return Shape(operation, convention, level, q, p, width, t, g, rng.random() < 0.25)


def _draw(rng: random.Random, name: str, convention: str, limbs: tuple[int, int, int]) -> Drawn:
    """Of log2 n, limbs of Q and of P at the highest level, with a key switching."""
    log_n, q, p = limbs
    moduli = _moduli(rng, log_n, q + p)
    shape = replace(_shape(rng, convention, limbs, q), operation="key_switch", g=1)
    return Drawn(name, log_n, moduli[:q], moduli[q:], shape, rng.choice(_PAUSES))


def _drawn(rng: random.Random, name: str, convention: str) -> Drawn:
    """Of any n, limbs and level: as many limbs as n lets."""
    (log_n,) = rng.choices(range(LEAST_LOG_N, MOST_LOG_N + 1), _WEIGHTS)
    tried: list[Drawn] = []
    while not tried or (tried[-1].transformed > _MOST and len(tried) < _ATTEMPTS):
        limbs = min(places(log_n), max(2, round(2 * 16 ** rng.random())))
        p = 1 if convention == "seal" else rng.randint(1, min(8, limbs // 2))
        q = limbs - p
        level = q if rng.random() < 0.3 else rng.randint(1, q)
        shape = _shape(rng, convention, (log_n, q, p), level)
        tried.append(Drawn(name, log_n, (0,) * q, (0,) * p, shape, rng.choice(_PAUSES)))
    case = min(tried, key=lambda each: max(each.transformed, _MOST))
    q, p = len(case.q), len(case.p)
    moduli = _moduli(rng, log_n, q + p)
    return replace(case, q=moduli[:q], p=moduli[q:])


def cases(convention: str, seed: int) -> Iterator[Drawn]:
    """All of a convention, without an end."""
    numbers = iter(range(1 << 30))
    if convention == "lattigo":
        for number in range(_SETS_AT_ALL_LEVELS):
            rng = random.Random(f"{seed}/set/{number}")
            limbs = LEAST_LOG_N + number % 2, rng.randint(3, 9), rng.randint(1, 3)
            whole = _draw(rng, "", convention, limbs)
            for level in range(1, limbs[1] + 1):
                yield replace(
                    whole,
                    name=f"{convention}/{next(numbers)}",
                    shape=replace(whole.shape, level=level, border=level % 4 == 3),
                    pauses=_PAUSES[level % len(_PAUSES)],
                )
        for corner in _CORNERS:
            number = next(numbers)
            name, rng = f"{convention}/{number}", random.Random(f"{seed}/corner/{number}")
            yield _draw(rng, name, convention, corner)
    for number in numbers:
        name = f"{convention}/{number}"
        yield _drawn(random.Random(f"{seed}/{name}"), name, convention)


def engine(log_n: int) -> Machine:
    """Of 2^log_n coefficients: all moduli, limbs and levels."""
    ring = {"n": 1 << log_n, "q": "runtime", "bits": BITS, "moduli": places(log_n)}
    data = {"name": f"ks-{log_n}", "family": "rns", "rings": [ring], "rns": TABLE}
    design = parse_design(data, "parameter sets")
    return Machine.of(prepare_core(build(design, with_driver=False), design))


def _by_lattigo(peer: Lattigo, drawn: Drawn, case: Case) -> int:
    """Words of lattigo's result that are not the reference's."""
    shape, q, p = case.shape, Basis(drawn.q), Basis(drawn.p)

    def polynomial(rows: Mapping[tuple[int, int], Array], number: int, level: int) -> Array:
        return np.stack([rows[number, place] for place in range(level)])

    c = polynomial(case.rows, 0, shape.level)
    if shape.operation == "rescale":
        right = polynomial(case.expected, 0, shape.level - 1)
        return int(np.sum(peer.rescale(c, q.first(shape.level), p) != right))
    assert case.key is not None
    rights = [polynomial(case.expected, half, shape.level) for half in range(2)]
    if shape.operation == "rotate":
        found = peer.rotate((polynomial(case.rows, 1, shape.level), c), shape.g, case.key)
    else:
        found = peer.key_switch(c, case.key)
    return sum(int(np.sum(x != y)) for x, y in zip(found, rights, strict=True))


def _without_unused(case: Case) -> Case:
    """The same with as much of its key as the level needs."""
    if case.key is None:
        return case
    shape, whole = case.shape, len(case.key.q.moduli)
    digits = -(-shape.level // shape.digit_limbs)
    used = {n: place for n, place in case.places.items() if n < shape.level or n >= whole}
    return replace(case, key=replace(case.key, pairs=case.key.pairs[:digits]), places=used)


def compare(machine: Machine, peer: Lattigo | None, drawn: Drawn, seed: int) -> dict[str, Any]:
    """The line of a case."""
    rng = random.Random(f"{seed}/{drawn.name}/words")
    shape, moduli = drawn.shape, drawn.q + drawn.p
    machine.load(moduli)
    case = OPERATIONS[shape.operation](machine, shape, rng)
    done = run_case(machine, _without_unused(case), pauses=drawn.pauses, rng=rng)
    asked = peer is not None and shape.convention == "lattigo"
    return {
        "case": drawn.name,
        "log n": drawn.log_n,
        "limbs": [len(drawn.q), len(drawn.p)],
        "level": shape.level,
        "digit": shape.digit_limbs,
        "bits": [min(moduli).bit_length(), max(moduli).bit_length()],
        "operation": shape.operation,
        "border": shape.border,
        "pauses": drawn.pauses,
        "words": done.words,
        "wrong": len(done.wrong) + len(done.outcome.errors),
        "near": done.near,
        "cycles": done.cycles,
        "lattigo": _by_lattigo(peer, drawn, case) if asked and peer is not None else None,
    }


def _lines(logs: Iterable[Path]) -> dict[str, dict[str, Any]]:
    """Of all logs, by the name of the case."""
    texts = [log.read_text("utf-8").splitlines() for log in logs if log.is_file()]
    found = [json.loads(text) for lines in texts for text in lines]
    return {line["case"]: line for line in found}


def run(log: Path, seed: int, seconds: float, log_ns: Sequence[int]) -> int:
    """Compare what the log does not have; how many are left."""
    done, start = _lines([log]), time.monotonic()
    # Conventions in step, so that a part of all is a part of each; what takes long comes last.
    wanted = [
        (case.log_n, case.transformed > 4 * _MOST, number / count, case)
        for name, count in COUNTS.items()
        for number, case in enumerate(islice(cases(name, seed), count))
        if case.name not in done and case.log_n in log_ns
    ]
    wanted.sort(key=lambda each: each[:3])
    left = len(wanted)
    with ExitStack() as stack, log.open("a", encoding="utf-8") as out:
        try:
            peer = stack.enter_context(lattigo())
        except NoLattigoError as missing:
            print(missing, file=sys.stderr)
            peer = None
        machine: Machine | None = None
        for *_, case in wanted:
            if time.monotonic() - start > seconds:
                break
            if machine is None or machine.core.n != 1 << case.log_n:
                machine = stack.enter_context(engine(case.log_n))
            line = compare(machine, peer, case, seed)
            out.write(json.dumps(line) + "\n")
            out.flush()
            left -= 1
    return left


def aggregate(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row a convention and n."""
    groups: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
    for line in lines:
        convention = line["case"].split("/")[0]
        groups.setdefault((convention, line["log n"]), []).append(line)
    order = list(COUNTS)
    rows = []
    for (convention, log_n), some in sorted(
        groups.items(), key=lambda item: (order.index(item[0][0]), item[0][1])
    ):
        asked = [line for line in some if line["lattigo"] is not None]
        limbs = [sum(line["limbs"]) for line in some]
        rows.append(
            {
                "convention": convention,
                "n": f"2^{log_n}",
                "cases": len(some),
                "limbs": f"{min(limbs)} to {max(limbs)}",
                "bits": f"{min(s['bits'][0] for s in some)} to {max(s['bits'][1] for s in some)}",
                "with pauses": sum(line["pauses"] > 0 for line in some),
                "at borders": sum(line["border"] for line in some),
                "near words": sum(line["near"] for line in some),
                "words": sum(line["words"] for line in some),
                "wrong rows": sum(line["wrong"] for line in some),
                "beside lattigo": len(asked),
                "lattigo differs, uniform": sum(s["lattigo"] > 0 for s in asked if not s["border"]),
                "lattigo differs, borders": sum(s["lattigo"] > 0 for s in asked if s["border"]),
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip())
    parser.add_argument("what", nargs="?", choices=["run", "record"])
    parser.add_argument("logs", nargs="*", type=Path, help="a line a case; of `run` one")
    parser.add_argument("--seed", type=int, default=0, help="of all cases (default: 0)")
    parser.add_argument("--seconds", type=float, default=1e9, help="of `run`, about")
    every = range(LEAST_LOG_N, MOST_LOG_N + 1)
    parser.add_argument("--log-n", type=int, nargs="+", default=every, help="of `run`: log2 of n")
    given = parser.parse_args()
    if given.what == "run":
        (log,) = given.logs
        print(f"{run(log, given.seed, given.seconds, given.log_n)} cases are left")
        return
    if given.what == "record":
        rows = aggregate(_lines(given.logs).values())
        keep(RECORD, {"seed": given.seed, "revision": revision(), "rows": rows})
    record = kept(RECORD)
    rows = record["rows"]
    print(markdown(COLUMNS, [[row[name] for name in COLUMNS] for row in rows], text=2))
    print(f"\nRun at revision {record['revision']}.")


if __name__ == "__main__":
    main()
