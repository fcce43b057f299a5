# SPDX-License-Identifier: Apache-2.0
"""Cycles of the coprocessor, from simulation: `python -m nttforge.mlkem.measure`."""

import hashlib
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nttforge.mlkem.program import OPERATIONS, SETS, KemOperation, program_of
from nttforge.mlkem.simulator import Coprocessor, rotate_key
from nttforge.standards.ml_kem.parameters import Parameters

# Keccak-f[1600]'s rounds.
_ROUNDS = 24
_TARGETS: dict[KemOperation, tuple[int, int, int]] = {
    "keygen": (760, 1150, 1800),
    "encaps": (850, 1250, 1900),
    "decaps": (900, 1250, 1900),
}


@dataclass(frozen=True)
class Measured:
    """One operation: its cycles, those in which Keccak worked, the floor and the target."""

    operation: KemOperation
    parameter_set: str
    cycles: int
    keccak: int
    floor: int
    target: int


def measure(coprocessor: Coprocessor, rounds: int = 1) -> list[Measured]:
    """Run every operation of every set once, without stalls."""
    results = []
    for index, p in enumerate(SETS):
        seed = _usual_seed(p)
        ek, dk = coprocessor.keygen(p, seed, seed)
        c = coprocessor.encaps(p, ek, seed)[1]
        streams = {
            "keygen": (b"", seed + seed),
            "encaps": (ek, seed),
            "decaps": (c, rotate_key(dk)),
        }
        for operation in OPERATIONS:
            run = coprocessor.run(operation, p, *streams[operation])
            floor = program_of(operation, p).permutations * _ROUNDS // rounds
            results.append(
                Measured(
                    operation,
                    p.name,
                    run.cycles,
                    run.keccak_cycles,
                    floor,
                    _TARGETS[operation][index],
                )
            )
    return results


def _usual_seed(p: Parameters) -> bytes:
    """A seed whose matrix takes three blocks a polynomial, as 99 of 100 polynomials do."""
    for number in range(1000):
        seed = number.to_bytes(32, "little")
        rho = hashlib.sha3_512(seed + bytes([p.k])).digest()[:32]
        if all(_enough(rho + bytes([x, y])) for x in range(p.k) for y in range(p.k)):
            return seed
    raise AssertionError("one seed in five is usual")


def _enough(seed: bytes) -> bool:
    value = int.from_bytes(hashlib.shake_128(seed).digest(504), "little")
    return sum((value >> 12 * i & 4095) < 3329 for i in range(336)) >= 256


def table(results: list[Measured]) -> str:
    """The results as Markdown."""
    lines = [
        "| operation | set | cycles | target | floor | Keccak works |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {r.operation} | {r.parameter_set} | {r.cycles} | {r.target} | {r.floor} |"
        f" {100 * r.keccak / r.cycles:.0f} % |"
        for r in results
    ]
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure with the rounds a cycle given as argument (1 if none is)."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(table(measure(Coprocessor(Path(folder), rounds), rounds)))


if __name__ == "__main__":
    main()
