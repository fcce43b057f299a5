# SPDX-License-Identifier: Apache-2.0
"""What ML-DSA asks of one Keccak, one row of products and one transform: its schedule.

`python -m docs.tools.mldsa permutations` counts them on dilithium-py; `floors`, `options`,
`keccaks`, `rates`, `signatures`, `memories` and `program` derive.
"""

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import zip_longest
from random import Random
from typing import Any
from unittest.mock import patch

from docs.tools.dsa_plan import (
    Machine,
    expected_sign,
    keygen_cycles,
    machine,
    plan,
    sign,
    sign_mean,
    verify_cycles,
)
from nttforge.kinds.lattice.mldsa.cycles import ROUND_CYCLES
from nttforge.kinds.lattice.mldsa.program import (
    MESSAGE_WORDS,
    SETS,
    WORD,
    Program,
    keygen,
    permutations,
    totals,
    verify,
)
from nttforge.kinds.lattice.mldsa.signing import ORDERS
from nttforge.names import find
from nttforge.standards.keccak import SHAKE128_RATE, SHAKE256_RATE
from nttforge.standards.ml_dsa.parameters import N, Parameters, Q, parameter_set
from nttforge.standards.oracle import import_oracle
from nttforge.table import Cell, Table, markdown


class Sponge:
    """An extendable-output function as dilithium-py uses them, which notes what it does.

    Parameters
    ----------
    real
        Theirs.
    rate
        Bytes of a block.
    calls
        Where each use is noted: length of the message, bytes that were read, rate.
    """

    def __init__(self, real: Any, rate: int, calls: list[list[int]]) -> None:
        self._real, self._rate, self._calls = real, rate, calls

    def __call__(self, message: bytes) -> "Sponge":
        """Absorb a message."""
        self._real.absorb(message)
        self._calls.append([len(message), 0, self._rate])
        return self

    def read(self, length: int) -> bytes:
        """Squeeze so many bytes more."""
        self._calls[-1][1] += length
        data: bytes = self._real.read(length)
        return data


def permuted(call: Sequence[int]) -> int:
    """Permutations of one use: blocks absorbed, and blocks squeezed after the first."""
    message, read, rate = call
    return message // rate + max(1, -(-read // rate))


@contextmanager
def noted() -> Iterator[list[list[int]]]:
    """Uses of Keccak by dilithium-py, in this context."""
    calls: list[list[int]] = []
    shake = import_oracle("dilithium-py", "dilithium_py.shake.shake_wrapper", "Shake")
    wide = Sponge(shake(hashlib.shake_128, SHAKE128_RATE), SHAKE128_RATE, calls)
    narrow = Sponge(shake(hashlib.shake_256, SHAKE256_RATE), SHAKE256_RATE, calls)
    polynomials = "dilithium_py.polynomials.polynomials"
    with (
        patch(f"{polynomials}.shake128", wide),
        patch(f"{polynomials}.shake256", narrow),
        patch("dilithium_py.ml_dsa.ml_dsa.shake256", narrow),
    ):
        yield calls


def counted(p: Parameters, runs: int, seed: int = 0) -> tuple[float, float, float, float]:
    """Permutations of dilithium-py: KeyGen, Sign but its tries, a try, Verify; averages.

    Tries are counted by their challenges.

    Raises
    ------
    NttforgeError
        If dilithium-py is not installed.
    """
    oracle = import_oracle("dilithium-py", "dilithium_py.ml_dsa", p.name.replace("-", "_"))
    random = Random(f"{p.name} {seed}")
    sums = [0.0, 0.0, 0.0, 0.0]
    # Lengths of the messages that each try hashes: challenge, w1 after mu, seeds of y.
    of_a_try = {p.challenge_bytes, 64 + N // 8 * p.w1_bits * p.k, 64 + 2}
    for _ in range(runs):
        with noted() as calls:
            pk, sk = oracle._keygen_internal(random.randbytes(32))
        sums[0] += sum(map(permuted, calls))
        message = random.randbytes(MESSAGE_WORDS * WORD)
        with noted() as calls:
            signature = oracle._sign_internal(sk, message, bytes(32))
        again = [call for call in calls if call[2] == SHAKE256_RATE and call[0] in of_a_try]
        tries = sum(call[0] == p.challenge_bytes for call in again)
        sums[1] += sum(map(permuted, calls)) - sum(map(permuted, again))
        sums[2] += sum(map(permuted, again)) / tries
        with noted() as calls:
            assert oracle._verify_internal(pk, message, signature)
        sums[3] += sum(map(permuted, calls))
    keys, once_, each, checks = (total / runs for total in sums)
    return keys, once_, each, checks


def permutation_table(runs: int) -> Table:
    """Permutations, derived, beside those counted on dilithium-py."""
    rows: list[list[Cell]] = []
    for p in SETS:
        derived = totals(p)
        seen = counted(p, runs)
        for name, exact, count in zip(
            ("KeyGen", "Sign, once", "Sign, each try", "Verify"),
            (derived.keygen, derived.sign, derived.attempt, derived.verify),
            seen,
            strict=True,
        ):
            rows.append([f"{p.name} {name}", f"{exact:.2f}", f"{count:.2f}"])
    note = f"averages of {runs} keys and signatures; messages of {MESSAGE_WORDS * WORD} bytes"
    return Table("Permutations", ["operation", "derived", "dilithium-py"], rows, [note])


def use_table() -> Table:
    """Permutations of each use of Keccak."""
    rows: list[list[Cell]] = []
    for name, field, often in (
        ("seeds: H(xi, k, l)", "seeds", "1"),
        ("a polynomial of the matrix", "matrix", "{matrix}"),
        ("a polynomial of s1 or s2", "secret", "{both}"),
        ("tr = H(pk)", "tr", "1"),
        ("mu", "mu", "1"),
        ("rho''", "rho", "1"),
        ("a polynomial of y", "mask", "{p.l} a try"),
        ("c~ = H(mu, w1)", "challenge", "1 a try"),
        ("SampleInBall", "ball", "1 a try"),
    ):
        uses = [often.format(p=p, matrix=p.k * p.l, both=p.k + p.l) for p in SETS]
        numbers = [getattr(permutations(p), field) for p in SETS]
        counts = [f"{number:.2f} x {use}" for number, use in zip(numbers, uses, strict=True)]
        rows.append([name, *(count.replace(".00", "") for count in counts)])
    return Table("Uses", ["use", *(p.name for p in SETS)], rows)


def floor_table() -> Table:
    """Cycles: Keccak's floor, and planned."""
    rows: list[list[Cell]] = []
    small, large = machine(), machine(8, 32)
    for p in SETS:
        n = totals(p)
        tried = n.sign + n.attempt * p.tries
        loaded = tried - p.k * p.l * permutations(p).matrix
        for name, count, planned, wide in (
            ("KeyGen", n.keygen, keygen_cycles(p, small), keygen_cycles(p, large)),
            ("Sign", tried, sign_mean(p, small).mean, sign_mean(p, large).mean),
            (
                "Sign, loaded key",
                loaded,
                sign_mean(p, small, loaded=True).mean,
                sign_mean(p, large, loaded=True).mean,
            ),
            ("Verify", n.verify, verify_cycles(p, small), verify_cycles(p, large)),
        ):
            floor = round(count * ROUND_CYCLES)
            rows.append([f"{p.name} {name}", floor, round(planned), round(wide)])
    columns = ["cycles", "floor", "4 butterflies", "8 butterflies"]
    notes = ["16 lanes of products with four butterflies, 32 with eight", "averages"]
    return Table("Floors", columns, rows, notes)


def option_table() -> Table:
    """A try, and a signature, with more butterflies and lanes."""
    rows: list[list[Cell]] = []
    for p in SETS:
        keccak = totals(p).attempt * ROUND_CYCLES
        for butterflies, lanes in ((4, 16), (4, 32), (8, 16), (8, 32)):
            engine = machine(butterflies, lanes)
            transforms = p.l + p.k + 1 + 2 * p.k
            products = (p.k * p.l + 2 * p.k) * N // lanes
            signature = sign_mean(p, engine)
            rows.append(
                [
                    *(p.name, butterflies, lanes, round(keccak)),
                    *(transforms * engine.beats, products),
                    *(round(signature.each), round(signature.mean)),
                ]
            )
    columns = ["set", "butterflies", "lanes", "Keccak", "transforms", "products", "a try", "mean"]
    return Table("Options", columns, rows)


def keccak_table() -> Table:
    """The plan's cycles with one Keccak, and with several."""
    engines = [replace(machine(), keccaks=keccaks) for keccaks in (1, 2, 3)]
    operations: Sequence[tuple[str, Callable[[Parameters, Machine], float]]] = (
        ("KeyGen", keygen_cycles),
        ("Sign", lambda p, engine: sign_mean(p, engine).mean),
        ("Sign, loaded key", lambda p, engine: sign_mean(p, engine, loaded=True).mean),
        ("Verify", verify_cycles),
    )
    rows: list[list[Cell]] = [
        [f"{p.name} {name}", *(round(cycles(p, engine)) for engine in engines)]
        for p in SETS
        for name, cycles in operations
    ]
    return Table("Keccaks", ["cycles", "one Keccak", "two", "three"], rows)


def signature_table() -> Table:
    """What the core takes, derived from its cycles, and when each unit works."""
    rows: list[list[Cell]] = []
    for p in SETS:
        whole, loaded = (expected_sign(p, loaded=each) for each in (False, True))
        lanes, engine = 16, machine()
        # Of a try that fails early c t0 is not transformed back, and ML-DSA-87's is not made.
        keccak, transforms = totals(p).attempt * ROUND_CYCLES, p.l + p.k + 1 + p.k
        challenged = p.k if ORDERS[p.name].waits else 2 * p.k
        products = (p.k * p.l + challenged) * N // lanes
        rows.append(
            [
                *(p.name, round(whole.mean), round(loaded.mean)),
                *(round(whole.round), round(keccak), transforms * engine.beats, products),
            ]
        )
    columns = ["set", "Sign", "with a loaded key", "a round"]
    return Table("Signatures", [*columns, "Keccak", "transforms", "products"], rows)


def rate_table() -> Table:
    """What samplers and packers take from a block, and how long they need for it."""
    rows: list[list[Cell]] = []
    wide, narrow = SHAKE128_RATE * 8, SHAKE256_RATE * 8
    for name, block, bits, passing, width in (
        ("matrix, candidates", wide, 24, Q / 2**23, 96),
        ("s1, s2 of eta = 2", narrow, 4, 15 / 16, 64),
        ("s1, s2 of eta = 4", narrow, 4, 9 / 16, 64),
        ("y of gamma1 = 2^17", narrow, 18, 1.0, 64),
        ("y of gamma1 = 2^19", narrow, 20, 1.0, 64),
        ("w1 of gamma2 = (q-1)/88", narrow, 6, 1.0, 64),
        ("w1 of gamma2 = (q-1)/32", narrow, 4, 1.0, 64),
        ("t1", narrow, 10, 1.0, 64),
    ):
        cycles = -(-block // width)
        rate = block / bits * passing / ROUND_CYCLES
        rows.append([name, bits, f"{passing:.4f}", width, cycles, f"{rate:.2f}"])
    columns = ["what", "bits", "pass", "bits a cycle", "cycles a block", "coefficients a cycle"]
    notes = [
        f"a block takes Keccak {ROUND_CYCLES} cycles",
        "the last column is what Keccak makes, or absorbs, on average",
    ]
    return Table("Rates", columns, rows, notes)


def memory_table() -> Table:
    """Memories of the largest set, in bits."""
    p = SETS[-1]
    field = Q.bit_length()
    polynomials = (
        ("matrix", p.k * p.l, field, "products", "sampler"),
        ("vector: y, s1 or z, transformed", p.l, field, "products", "transform"),
        (
            "secrets: s1 + 512 s2, and t0 or t1, transformed",
            2 * p.k,
            field,
            "products",
            "transform",
        ),
        ("challenge, transformed", 1, field, "products", "transform"),
        ("sums", 2 * p.k, field, "transform", "products"),
        ("y", 2 * p.l, p.z_bits, "transform, checks", "sampler"),
        ("w, two tries", 2 * p.k, field, "checks", "transform"),
        ("z of the try", p.l, p.z_bits, "output", "checks"),
        ("s2 (KeyGen)", p.k, 3, "rounding", "sampler"),
    )
    rows: list[list[Cell]] = [
        [name, number, bits, number * N * bits, reader, writer]
        for name, number, bits, reader, writer in polynomials
    ]
    rows.append(["sum", None, None, sum(n * N * b for _, n, b, _, _ in polynomials), None, None])
    columns = ["memory", "polynomials", "bits a coefficient", "bits", "read by", "written by"]
    return Table("Memories", columns, rows)


def program_table(operation: str, number: str) -> Table:
    """Jobs of each unit, in order, with the cycle in which each starts."""
    programs: dict[str, Callable[[Parameters], Program]] = {
        "keygen": keygen,
        "sign": sign,
        "verify": verify,
    }
    p = parameter_set(f"ML-DSA-{number}")
    placed = plan(find("operation", operation, programs)(p), machine())
    columns = []
    for labels in placed.order.values():
        columns.append([f"{placed.jobs[label].start:.0f}: {label}" for label in labels])
    rows = [list(row) for row in zip_longest(*columns, fillvalue="")]
    return Table("Program", ["Keccak", "products", "transforms"], rows)


def main(arguments: Sequence[str]) -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m docs.tools.mldsa")
    tables: dict[str, Callable[[], Table]] = {
        "uses": use_table,
        "floors": floor_table,
        "options": option_table,
        "keccaks": keccak_table,
        "rates": rate_table,
        "signatures": signature_table,
        "memories": memory_table,
    }
    parser.add_argument("table", choices=[*tables, "permutations", "program"])
    parser.add_argument("--runs", type=int, default=10, help="keys and signatures to count on")
    parser.add_argument("--of", nargs=2, default=("keygen", "44"), help="operation and set")
    given = parser.parse_args(arguments)
    if given.table == "permutations":
        table = permutation_table(given.runs)
    elif given.table == "program":
        table = program_table(*given.of)
    else:
        table = tables[given.table]()
    print(markdown([table]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
