# SPDX-License-Identifier: Apache-2.0
import hashlib
import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024

from docs.tools.record import kept
from nttforge.flow.prepare import prepare_kind
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import measure_standard
from nttforge.kinds.lattice.mlkem import choices as options
from nttforge.kinds.lattice.mlkem.build import coprocessor_design
from nttforge.kinds.lattice.mlkem.choices import Option
from nttforge.kinds.lattice.mlkem.program import CODES, SETS, KemOperation, program_of
from nttforge.kinds.lattice.mlkem.standard import rotate_key
from nttforge.standards.ml_kem.parameters import Parameters
from tests.coprocessors import kem_measures, key_orders
from tests.rtl.kem_port import KemPort, open_kem

REFERENCE = dict(zip(SETS, (ML_KEM_512, ML_KEM_768, ML_KEM_1024), strict=True))
# Five of a hundred above the cycles at a third of the clock: what its registers may cost. Decaps of
# the two small sets has most of them on its way, and takes what they cost: less time all the same.
TARGETS = {
    "keygen": dict(zip(SETS, (711, 1117, 1771), strict=True)),
    "encaps": dict(zip(SETS, (833, 1291, 1944), strict=True)),
    "decaps": dict(zip(SETS, (945, 1286, 1898), strict=True)),
    # Keccak waits for what comes last.
    "decaps_standard": dict(zip(SETS, (997, 1512, 2228), strict=True)),
    # As derived in docs/appendix/lattice.md, and three of a hundred.
    "decaps_seed": dict(zip(SETS, (1455, 2157, 3143), strict=True)),
}
every_set = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)


@pytest.fixture(scope="module")
def coprocessor() -> KemPort:
    return open_kem(prepare_kind(coprocessor_design(), LatticeCore))


def flipped(data: bytes, rng: random.Random) -> bytes:
    bit = rng.randrange(8 * len(data))
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


def accepted_in_three_blocks(rho: bytes, x: int, y: int) -> bool:
    stream = hashlib.shake_128(rho + bytes([x, y])).digest(504)
    value = int.from_bytes(stream, "little")
    return sum((value >> 12 * i & 4095) < 3329 for i in range(336)) >= 256


def planned(rho: bytes, k: int) -> bool:
    return all(accepted_in_three_blocks(rho, x, y) for x in range(k) for y in range(k))


@every_set
def test_against_the_reference(coprocessor: KemPort, p: Parameters) -> None:
    rng, reference = random.Random(p.k), REFERENCE[p]
    for turn in range(25):
        d, z, m = (rng.randbytes(32) for _ in range(3))
        ek, dk = reference._keygen_internal(d, z)
        secret, c = reference._encaps_internal(ek, m)
        assert coprocessor.keygen(p, d, z) == (ek, dk)
        assert coprocessor.encaps(p, ek, m) == (secret, c)
        assert coprocessor.decaps(p, dk, c, check=turn % 2 == 0) == secret
        bad = flipped(c, rng)
        rejected = coprocessor.decaps(p, dk, bad)
        assert rejected == reference._decaps_internal(dk, bad) != secret


def test_cycles_are_those_of_the_page(coprocessor: KemPort) -> None:
    """Latency, and cycles to the next command: docs/appendix/lattice.md has no others."""
    figures = kept(Path(__file__).parents[2] / "docs" / "appendix" / "lattice.md")
    (figure,) = (of for command, of in figures.items() if " measure ml-kem-coprocessor" in command)
    table = next(block for block in figure["page"] if "to the next command" in block["columns"])
    said = {row[0]: (row[1], row[4]) for row in table["rows"]}
    seen = measure_standard(kem_measures(), coprocessor.core, runs=0).operations
    assert said == {n: (of.latency_cycles, of.cycles_per_operation) for n, of in seen.items()}


@every_set
def test_cycles_and_utilisation(coprocessor: KemPort, p: Parameters) -> None:
    rng, reference = random.Random(7), REFERENCE[p]
    while True:
        d = rng.randbytes(32)
        ek, dk = reference._keygen_internal(d, d)
        if planned(ek[-32:], p.k):
            break
    c = reference._encaps_internal(ek, d)[1]
    given: Sequence[tuple[KemOperation, bytes, bytes]] = (
        ("keygen", b"", d + d),
        ("encaps", ek, d),
        *((name, c, key) for name, key in key_orders(dk).items()),
        ("decaps_seed", c, d + d),
    )
    for operation, public, secret in given:
        run = coprocessor.run(operation, p, public, secret)
        assert not run.error
        assert run.cycles <= TARGETS[operation][p]
        assert run.keccak_cycles == 24 * program_of(operation, p).permutations


@every_set
def test_time_does_not_depend_on_secrets(coprocessor: KemPort, p: Parameters) -> None:
    rng, reference = random.Random(31), REFERENCE[p]
    d = rng.randbytes(32)
    ek, dk = reference._keygen_internal(d, d)
    patterns: dict[str, set[tuple[tuple[int, str], ...]]] = {name: set() for name in CODES}
    for turn in range(12):
        m = rng.randbytes(32)
        patterns["keygen"].add(tuple(coprocessor.run("keygen", p, b"", d + m).handshakes))
        run = coprocessor.run("encaps", p, ek, m)
        patterns["encaps"].add(tuple(run.handshakes))
        # Valid, corrupted anywhere, and random ciphertexts; other z.
        c = run.public if turn % 3 == 0 else flipped(run.public, rng)
        c = rng.randbytes(len(c)) if turn % 3 == 2 else c
        key = dk[:-32] + (m if turn % 2 else d)
        for name, given in key_orders(key).items():
            patterns[name].add(tuple(coprocessor.run(name, p, c, given).handshakes))
        run = coprocessor.run("decaps_seed", p, c, d + m)
        patterns["decaps_seed"].add(tuple(run.handshakes))
    assert {name: len(seen) for name, seen in patterns.items()} == dict.fromkeys(patterns, 1)


@every_set
def test_stalls_change_nothing(coprocessor: KemPort, p: Parameters) -> None:
    rng, reference = random.Random(77), REFERENCE[p]
    d, z, m = (rng.randbytes(32) for _ in range(3))
    ek, dk = reference._keygen_internal(d, z)
    secret, c = reference._encaps_internal(ek, m)
    for seed, stall in ((1, 0.1), (2, 0.5), (3, 0.85)):
        run = coprocessor.run("keygen", p, b"", d + z, stall=stall, seed=seed)
        assert (run.public, run.secret) == (ek, dk)
        run = coprocessor.run("encaps", p, ek, m, stall=stall, seed=seed)
        assert (run.public, run.secret) == (c, secret)
        keys = {**key_orders(dk), "decaps_seed": d + z}
        for check, (name, key) in product((False, True), keys.items()):
            run = coprocessor.run(name, p, c, key, check=check, stall=stall, seed=seed)
            assert (run.public, run.secret) == (b"", secret)
        bad = flipped(c, rng)
        run = coprocessor.run("decaps_seed", p, bad, d + z, stall=stall, seed=seed)
        assert run.secret == reference._decaps_internal(dk, bad)


@every_set
def test_a_fourth_block(coprocessor: KemPort, p: Parameters) -> None:
    rng, reference = random.Random(4), REFERENCE[p]
    found = 0
    while found < 3:
        d = rng.randbytes(32)
        rho = hashlib.sha3_512(d + bytes([p.k])).digest()[:32]
        if planned(rho, p.k):
            continue
        found += 1
        ek, dk = reference._keygen_internal(d, d)
        secret, c = reference._encaps_internal(ek, d)
        assert coprocessor.keygen(p, d, d) == (ek, dk)
        assert coprocessor.encaps(p, ek, d) == (secret, c)
        assert coprocessor.decaps(p, dk, c) == secret


@every_set
def test_refusals(coprocessor: KemPort, p: Parameters) -> None:
    rng, reference = random.Random(99), REFERENCE[p]
    d, m = rng.randbytes(32), rng.randbytes(32)
    ek, dk = reference._keygen_internal(d, d)
    secret, c = reference._encaps_internal(ek, m)
    tail = rotate_key(dk)
    wrong_lengths: list[tuple[KemOperation, bytes, bytes]] = [
        ("keygen", b"", d),
        ("keygen", b"", d + d + bytes(8)),
        ("encaps", ek[:-8], m),
        ("encaps", ek + bytes(8), m),
        ("encaps", ek, m[:8]),
        ("decaps", c[:8], tail),
        ("decaps", c + bytes(80), tail),
        ("decaps", c, tail[:-8]),
        ("decaps", c, tail + bytes(8)),
        ("decaps_standard", c, dk[:-8]),
        ("decaps_standard", c, dk[: 384 * p.k]),
        ("decaps_standard", c, dk + bytes(8)),
        ("decaps_seed", c[:-8], d + d),
        ("decaps_seed", c + bytes(8), d + d),
        ("decaps_seed", c, d),
        ("decaps_seed", c, d + d + bytes(8)),
        ("decaps_seed", c, dk),
    ]
    for operation, public, private in wrong_lengths:
        assert coprocessor.run(operation, p, public, private).error
        # The next operation knows nothing of it.
        assert coprocessor.decaps(p, dk, c) == secret
    for place in (0, 128 * p.k, 256 * p.k - 1):
        offset = place * 12
        for value, refused in ((3328, False), (3329, True), (4095, True)):
            number = int.from_bytes(ek, "little")
            number = number & ~(4095 << offset) | value << offset
            key = number.to_bytes(len(ek), "little")
            assert coprocessor.run("encaps", p, key, m).error == refused
    wrong = dk[:-64] + flipped(dk[-64:-32], rng) + dk[-32:]
    assert coprocessor.run("decaps", p, c, rotate_key(wrong), check=True).reason == "hash"
    assert coprocessor.run("encaps", p, bytes([255] * 384) + ek[384:], m).reason == "modulus"


@pytest.mark.parametrize(
    ("rounds", "butterflies", "cores"),
    [
        (2, 2, 1),
        pytest.param(1, 1, 2, marks=pytest.mark.slow),
        pytest.param(1, 4, 4, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_other_parameters(rounds: int, butterflies: int, cores: int) -> None:
    coprocessor = open_kem(
        prepare_kind(coprocessor_design(rounds, butterflies, cores), LatticeCore)
    )
    for p, reference in REFERENCE.items():
        rng, kinds = random.Random(2), set[bool]()
        # Usual matrices, and some that have a polynomial of four blocks.
        while len(kinds) < 2:
            d, z, m = (rng.randbytes(32) for _ in range(3))
            ek, dk = reference._keygen_internal(d, z)
            if planned(ek[-32:], p.k) in kinds:
                continue
            kinds.add(planned(ek[-32:], p.k))
            secret, c = reference._encaps_internal(ek, m)
            rejected = reference._decaps_internal(dk, flipped(c, random.Random(1)))
            for stall in (0.0, 0.5):
                run = coprocessor.run("keygen", p, b"", d + z, stall=stall)
                assert (run.public, run.secret) == (ek, dk)
                run = coprocessor.run("encaps", p, ek, m, stall=stall)
                assert (run.public, run.secret) == (c, secret)
                keys = {**key_orders(dk), "decaps_seed": d + z}
                for check, (name, key) in product((False, True), keys.items()):
                    run = coprocessor.run(name, p, c, key, check=check, stall=stall)
                    assert run.secret == secret
            assert coprocessor.decaps(p, dk, flipped(c, random.Random(1))) == rejected
            assert coprocessor.run("encaps", p, ek[:-8], m).error


@pytest.mark.slow
def test_more_hardware_takes_fewer_cycles() -> None:
    default, wide = (options.cycles(o) for o in (Option(), Option(cores=4, butterflies=4)))
    for name, usual in default.items():
        assert all(few < many for few, many in zip(wide[name], usual, strict=True))
