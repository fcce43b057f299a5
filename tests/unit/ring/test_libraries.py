# SPDX-License-Identifier: Apache-2.0
"""Each row of docs/roots.md's table of libraries: our transform is theirs, with the keys there.

Vectors and constants are those that the libraries publish, in the files that are named.
"""

from collections.abc import Callable
from typing import Any

import pytest
from dilithium_py.ml_dsa import ML_DSA_44
from kyber_py.ml_kem import ML_KEM_512

from docs.tools.root_tables import LIBRARIES
from nttforge.design import parse_design
from nttforge.ring.presets import PRESETS
from nttforge.ring.ring import Ring, bit_reverse
from nttforge.ring.roots import FIELDS, minimal_root
from nttforge.ring.transform import intt, ntt

from .random_rings import random_polynomials

MODULI = {field.name: field.q for field in FIELDS.values()}
BN254, BLS12_381 = MODULI["BN254 Fr"], MODULI["BLS12-381 Fr"]
GOLDILOCKS = MODULI["Goldilocks"]


def ring_of(**keys: Any) -> Ring:
    """The ring of a design with these keys."""
    return parse_design({"name": "mine", "rings": [keys]}, "test").ring(0)


def cyclic_roots(top: int, q: int, **keys: Any) -> None:
    """The transforms of every size up to 65,536 have the powers of a library's largest root."""
    for size in range(2, min(16, ((q - 1) & (1 - q)).bit_length() - 1) + 1):
        ring = ring_of(n=1 << size, q=str(q), form="x^n-1", **keys)
        log = ((q - 1) & (1 - q)).bit_length() - 1
        assert ring.root == pow(top, 1 << log - size, q)


def natural(ring: Ring, values: list[int]) -> list[int]:
    """Value k at root^k: what most libraries of proof systems have in place k."""
    return [values[bit_reverse(k, ring.depth)] for k in range(ring.n)]


@pytest.mark.parametrize("n", [8, 64])
def test_natural_order_is_a_permutation_by_bit_reversal(n: int) -> None:
    ring = ring_of(n=n, q=str(GOLDILOCKS), form="x^n-1")
    x = [int(v) for v in random_polynomials(ring, 3, batch=1)[0]]
    values = [
        sum(c * pow(ring.root, i * k, ring.q) for i, c in enumerate(x)) % ring.q for k in range(n)
    ]
    assert natural(ring, ntt(ring, x).tolist()) == values


def test_every_row_has_its_test() -> None:
    assert {f"test_{row.test}" for row in LIBRARIES} <= set(globals())


def test_fips_203() -> None:
    ring = ring_of(preset="ml-kem")
    x = random_polynomials(ring, 1, batch=1)[0].tolist()
    assert ntt(ring, x).tolist() == ML_KEM_512.R(x).to_ntt().coeffs
    assert ring.root == 17


def test_fips_204() -> None:
    ring = ring_of(preset="ml-dsa")
    x = random_polynomials(ring, 1, batch=1)[0].tolist()
    assert ntt(ring, x).tolist() == ML_DSA_44.R(x).to_ntt().coeffs
    assert ring.root == 1753


def forward_in_c(
    x: list[int], zetas: list[int], least: int, fqmul: Callable[[int, int], int]
) -> None:
    """The loops of PQClean's ntt(), of ML-KEM (least 2), ML-DSA (1) and Falcon's mq_NTT (1)."""
    k, length = 0, len(x) // 2
    while length >= least:
        for start in range(0, len(x), 2 * length):
            k += 1
            for j in range(start, start + length):
                t = fqmul(zetas[k], x[j + length])
                x[j + length], x[j] = x[j] - t, x[j] + t
        length //= 2


def backward_in_c(
    x: list[int], zetas: list[int], least: int, fqmul: Callable[[int, int], int]
) -> None:
    """The loops of PQClean's invntt_tomont() before its last line."""
    k, length = len(x) // least, least
    while length < len(x):
        for start in range(0, len(x), 2 * length):
            k -= 1
            for j in range(start, start + length):
                t = x[j]
                x[j], x[j + length] = t + x[j + length], fqmul(zetas[k], x[j + length] - t)
        length *= 2


# The first words of the tables zetas of crypto_kem/ml-kem-512/clean/ntt.c and of
# crypto_sign/ml-dsa-44/clean/ntt.c (there the one of index 0 is not used), and the factors of their
# last lines: in Montgomery form, for words of 16 and of 32 bits.
@pytest.mark.parametrize(
    ("preset", "bits", "published", "last"),
    [
        ("ml-kem", 16, {0: -1044, 1: -758, 2: -359, 3: -1517, 4: 1493, 5: 1422, 6: 287}, 1441),
        ("ml-dsa", 32, {1: 25847, 2: -2608894, 3: -518909, 4: 237124, 5: -777960}, 41978),
    ],
)
def test_pqclean_ml(preset: str, bits: int, published: dict[int, int], last: int) -> None:
    ring = ring_of(preset=preset)
    q, least = ring.q, ring.leaf_degree
    back = pow(1 << bits, -1, q)
    zetas = [1, *(z for stage in ring.twiddles for z in stage)]
    zetas = [(z << bits) % q for z in zetas]
    for index, word in published.items():
        assert (zetas[index] - word) % q == 0

    def fqmul(a: int, b: int) -> int:
        return a * b * back % q

    x = random_polynomials(ring, 2, batch=1)[0].tolist()
    words = [value - q if value > q // 2 else value for value in x]
    forward_in_c(words, zetas, least, fqmul)
    assert [word % q for word in words] == ntt(ring, x).tolist()
    backward_in_c(words, zetas, least, fqmul)
    assert [fqmul(word, last) for word in words] == [(value << bits) % q for value in x]


# GMb of crypto_sign/falcon-1024/clean/vrfy.c: R g^rev(i), R = 4091 = 2^16 mod q, g = 7.
GMB = [4091, 7888, 11060, 11208, 6960, 4342, 6275, 9759, 1591, 6399, 9477, 5266, 586, 5825, 7538]


@pytest.mark.parametrize("n", [512, 1024])
def test_pqclean_falcon(n: int) -> None:
    ring = ring_of(preset=f"newhope-{n}")
    table = [4091 * pow(7, bit_reverse(i, 10), 12289) % 12289 for i in range(1024)]
    assert table[: len(GMB)] == GMB
    words = x = random_polynomials(ring, 2, batch=1)[0].tolist()
    words = words.copy()
    forward_in_c(words, table, 1, lambda a, b: a * b * pow(4091, -1, 12289) % 12289)
    assert [word % ring.q for word in words] == ntt(ring, x).tolist()


# hexl, test/test-ntt.cpp, NTTAPITest, of 4 words and more.
HEXL = [
    (113, [94, 109, 11, 18], [82, 2, 81, 98]),
    (113, [59, 50, 98, 50], [1, 2, 3, 4]),
    (73, [2, 1, 1, 1], [17, 41, 36, 60]),
    (16417, [31, 21, 15, 34], [1611, 14407, 14082, 2858]),
    (4194353, [4127, 9647, 1987, 5410], [1478161, 3359347, 222964, 3344742]),
    (
        281474976710897,
        [281474976710765, 49, 281474976710643, 275],
        [12006376116355, 216492038983166, 272441922811203, 62009615510542],
    ),
    (
        4194353,
        [1, 1, 0, 0, 0, 0, 0, 0],
        [132171, 4062184, 2675172, 1519183, 462763, 3731592, 1824324, 2370031],
    ),
]


@pytest.mark.parametrize(("q", "given", "expected"), HEXL)
def test_seal(q: int, given: list[int], expected: list[int]) -> None:
    """SEAL's, too: native/tests/seal/util/ntt.cpp has the same powers as HEXL's test."""
    ring = ring_of(n=len(given), q=q)
    assert ntt(ring, given).tolist() == expected
    assert intt(ring, expected).tolist() == given
    assert ring_of(n=len(given), q=q, root="minimal").root == ring.root
    seal = ring_of(n=4, q=0xFFFFFFFFFFC0001)
    assert [seal.twiddles[0][0], *seal.twiddles[1]] == [
        288794978602139552,
        178930308976060547,
        748001537669050592,
    ]
    # native/tests/seal/util/numth.cpp, try_minimal_primitive_root.
    assert minimal_root(1234565441, 8) == 249725733


# ring/ntt_test.go of lattigo, its vectors of 8 words.
LATTIGO = [
    (
        576460752303439873,
        [
            *(218919769016417135, 285383958099531571, 154130792340322329, 208160061956504958),
            *(240497969120867784, 56870045954269445, 426823474235379995, 504896482300062811),
        ],
        [
            *(532040159151935360, 6777376300449212, 105015934674156327, 435476759662080597),
            *(230332092648414310, 312854922061405173, 527557817676300694, 177763842260035280),
        ],
    ),
    (
        576460752303702017,
        [
            *(275112135024930041, 250984234238255359, 362910580529173626, 199635459264466796),
            *(384027850586118086, 24808063873304527, 338428138896886890, 278051156238693569),
        ],
        [
            *(133270078917385086, 320664165956944128, 162488447052015562, 564362462797872461),
            *(574419935916152080, 214479305361450751, 457815076814980937, 349858359686341340),
        ],
    ),
]


def least_primitive_root(q: int) -> int:
    """PrimitiveRoot of lattigo's ring/subring.go: of all residues, and looked for from 3 up."""
    flint = pytest.importorskip("flint")
    factors = [int(p) for p, _ in flint.fmpz(q - 1).factor()]
    return next(g for g in range(3, q) if all(pow(g, (q - 1) // p, q) != 1 for p in factors))


@pytest.mark.parametrize(("q", "given", "expected"), LATTIGO)
def test_lattigo(q: int, given: list[int], expected: list[int]) -> None:
    ring = ring_of(n=8, q=q, generator=least_primitive_root(q))
    assert ntt(ring, given).tolist() == expected
    if q == LATTIGO[0][0]:
        assert ntt(ring_of(n=8, q=q), given).tolist() != expected


@pytest.mark.parametrize(
    ("field", "root"),
    [("Goldilocks", 1753635133440165772), ("BabyBear", 0x1A427A41), ("KoalaBear", 0x6AC49F88)],
)
def test_plonky3(field: str, root: int) -> None:
    """TWO_ADIC_GENERATORS of goldilocks.rs, baby_bear.rs and koala_bear.rs, the last ones."""
    cyclic_roots(root, MODULI[field])


def test_plonky2() -> None:
    """POWER_OF_TWO_GENERATOR of field/src/goldilocks_field.rs; Winterfell's f64 has the same."""
    root = 7277203076849721926
    cyclic_roots(root, GOLDILOCKS, root=str(root))
    psi = ring_of(n=1024, q=str(GOLDILOCKS), root=str(root))
    assert psi.root**2 % psi.q == pow(root, 1 << 22, psi.q)


def test_risc_zero() -> None:
    """ROU_FWD of risc0/core/src/field/baby_bear.rs, of the orders 4, 8, ... 1024."""
    q = MODULI["BabyBear"]
    cyclic_roots(137, q, root=137)
    published = [284861408, 1801542727, 567209306, 740045640, 918899846, 1881002012, 1453957774]
    published += [65325759, 1538055801]
    for size, root in enumerate(published, 2):
        assert ring_of(n=1 << size, q=q, form="x^n-1", root=137).root == root


# TWO_ADIC_ROOT_OF_UNITY of arkworks' ark-bls12-381, ark-bls12-377 and ark-bn254, in fields/fr.rs;
# gnark-crypto's ecc/*/fr/fft/domain.go has the same as rootOfUnity.
ARKWORKS = {
    "BLS12-381 Fr": "10238227357739495823651030575849232062558860180284477541189508159991286009131",
    "BLS12-377 Fr": "8065159656716812877374967518403273466521432693661810619979959746626482506078",
    "BN254 Fr": "19103219067921713944291392827692070036145651957329286315305642004821462161904",
}


@pytest.mark.parametrize("field", ARKWORKS)
def test_arkworks(field: str) -> None:
    cyclic_roots(int(ARKWORKS[field]), MODULI[field])


@pytest.mark.parametrize("field", ARKWORKS)
def test_gnark(field: str) -> None:
    """Root and order: DIF leaves the bit-reversed one, as ours."""
    cyclic_roots(int(ARKWORKS[field]), MODULI[field])
    ring = ring_of(n=16, q=str(MODULI[field]), form="x^n-1")
    x = random_polynomials(ring, 5, batch=1)[0].tolist()
    values = x.copy()
    # difFFT of ecc/bn254/fr/fft/fft.go: (a, b) -> (a + b, (a - b) w^i), halves of halves.
    length = ring.n // 2
    while length:
        w = pow(ring.root, ring.n // (2 * length), ring.q)
        for start in range(0, ring.n, 2 * length):
            for i in range(start, start + length):
                a, b = values[i], values[i + length]
                values[i], values[i + length] = a + b, (a - b) * pow(w, i - start, ring.q)
        length //= 2
    assert [value % ring.q for value in values] == ntt(ring, x).tolist()


def test_zkcrypto() -> None:
    """ROOT_OF_UNITY of bls12_381's scalar.rs and of pasta_curves' fields/fp.rs and fq.rs."""
    cyclic_roots(int(ARKWORKS["BLS12-381 Fr"]), BLS12_381)
    fp, fq = (MODULI[name] for name in ("Pasta Fp (Vesta Fr)", "Pasta Fq (Pallas Fr)"))
    cyclic_roots(0x2BCE74DEAC30EBDA362120830561F81AEA322BF2B7BB7584BDAD6FABD87EA32F, fp)
    cyclic_roots(0x2DE6A9B8746D3F589E5C4DFD492AE26E9BB97EA3C106F049A70E2C1102B6D05F, fq)


def test_halo2curves() -> None:
    """Fr of bn256: mul_gen = 7, and the root of order 2^28 that it gives."""
    root = 0x03DDB9F5166D18B798865EA93DD31F743215CF6DD39329C8D34F1ED960C37C9C
    cyclic_roots(root, BN254, generator=7)
    assert PRESETS["bn254"].ring.root != ring_of(preset="bn254", generator=7).root
    assert ring_of(preset="bn254", generator=7).root == pow(root, 1 << 18, BN254)


@pytest.mark.parametrize(
    ("field", "root"),
    [("f128", 23953097886125630542083529559205016746), ("f62", 4421547261963328785)],
)
def test_winterfell_s_other_fields(field: str, root: int) -> None:
    cyclic_roots(root, MODULI[field])


def test_stark252() -> None:
    root = 145784604816374866144131285430889962727208297722245411306711449302875041684
    cyclic_roots(root, MODULI["Stark252"])
