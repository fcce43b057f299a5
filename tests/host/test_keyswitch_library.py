# SPDX-License-Identifier: Apache-2.0
"""The library of an engine of key switching: hexl-fpga's call, beside the exact reference."""

import ctypes
import random
import shutil
import struct
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from nttforge.design import load_design
from nttforge.flow.prepare import Prepared
from nttforge.host.library import build_library, library_texts, write_library
from nttforge.hw import build
from nttforge.kinds.rns.cases import border_polynomial
from nttforge.kinds.rns.core import RnsCore
from nttforge.kinds.rns.driver import ERRORS, levels_of
from nttforge.standards.rns import CONVENTIONS, Basis, SwitchingKey, add, expand, key_switch
from nttforge.standards.rns.basis import Array
from nttforge.standards.rns.keys import uniform
from tests.drivers.compilers import (
    COMPILERS,
    assert_clean,
    shared,
    write_driver,
)
from tests.host.test_loaded_driver import compiled
from tests.known_primes import drawn, largest
from tests.rtl.rns.bench import design, prepared

CODES = {error.name: error.value for error in ERRORS} | {"PENDING": 1}
N, BITS, ZEROS = 64, 54, 7
_REVERSED = [int(f"{k:06b}"[::-1], 2) for k in range(N)]


@cache
def roots(q: int) -> list[int]:
    """All primitive roots of order 2n, the least one first."""
    base = next(x for x in range(2, q) if pow(x, (q - 1) // 2, q) != 1)
    root = pow(base, (q - 1) // (2 * N), q)
    return sorted(pow(root, e, q) for e in range(1, 2 * N, 2))


def values(row: Array, q: int, root: int) -> list[int]:
    """A polynomial's values as SEAL keeps them, by evaluation."""
    points = [pow(root, 2 * r + 1, q) for r in _REVERSED]
    found = np.zeros(N, object)
    for coefficient in row[::-1]:
        found = (found * np.array(points, object) + coefficient) % q
    return [int(word) for word in found]


def from_values(row: Array, q: int, root: int) -> Array:
    """Undo :func:`values`."""
    inverse = pow(root, -1, q)
    points = [(pow(inverse, 2 * r + 1, q), int(row[k])) for k, r in enumerate(_REVERSED)]
    sums = [sum(value * pow(point, i, q) for point, value in points) for i in range(N)]
    return np.array([each * pow(N, -1, q) % q for each in sums], object)


def table(q: int, root: int) -> list[int]:
    """Twiddle factors of a modulus, as hexl-fpga takes them: the third of four tables counts."""
    return [*[7] * 2 * N, *(pow(root, r, q) for r in _REVERSED), *[7] * N]


@dataclass
class Call:
    """A call, and the pair that must come out."""

    moduli: tuple[int, ...]
    level: int
    seed: int = 0
    roots: tuple[int, ...] = ()
    changed: dict[str, object] = field(default_factory=dict)
    #: From which the second half of the key is expanded.
    expanded: bytes = b""

    def __post_init__(self) -> None:
        rng = random.Random(self.seed)
        q, p = Basis(self.moduli[:-1]), Basis(self.moduli[-1:])
        both, used = Basis(self.moduli), q.first(self.level)
        pairs = tuple((uniform(rng, both, N), uniform(rng, both, N)) for _ in q.moduli)
        if self.expanded:
            pairs = tuple((b, self.half(digit)) for digit, (b, _) in enumerate(pairs))
        key = SwitchingKey(q, p, pairs, 1, CONVENTIONS["seal"])
        groups = [Basis((m,)) for m in used.moduli]
        c = border_polynomial(rng, groups, N) if self.seed % 2 else uniform(rng, used, N)
        old = [uniform(rng, used, N) for _ in range(2)]
        right = [add(used, x, u) for x, u in zip(old, key_switch(c, key), strict=True)]
        self.target = self.rows(c)
        self.pair = [word for half in old for word in self.rows(half)]
        self.expected = [word for half in right for word in self.rows(half)]
        sent = [pair[:1] if self.expanded else pair for pair in pairs[: self.level]]
        self.keys = [self.rows(np.concatenate(halves)) for halves in sent]

    def half(self, digit: int) -> Array:
        """The uniform half of a digit's key as coefficients, of values that are expanded."""
        found = []
        for limb, q in enumerate(self.moduli):
            row = expand(self.expanded, digit, limb, q, N)
            found.append(from_values(row, q, roots(q)[0]))
        return np.stack(found)

    def rows(self, limbs: Array) -> list[int]:
        chosen = self.roots or tuple(roots(q)[0] for q in self.moduli)
        count = len(self.moduli)
        return [
            word
            for i, row in enumerate(limbs)
            for word in values(row, self.moduli[i % count], chosen[i % count])
        ]

    def line(self) -> str:
        count = len(self.moduli)
        sizes = {"n": N, "decomp": self.level, "key": count, "rns": self.level + 1, "half": 2}
        factors = [pow(self.moduli[-1], -1, q) for q in self.moduli[: self.level]]
        tables = [w for q, r in zip(self.moduli, self.roots, strict=False) for w in table(q, r)]
        given = {
            **sizes,
            "tables": bool(self.roots) + 0,
            "moduli": self.moduli,
            "factors": factors,
            "twiddles": tables,
            "target": self.target,
            "pair": self.pair,
        }
        flat = [
            str(w)
            for each in (given | self.changed).values()
            for w in (each if isinstance(each, list | tuple) else [each])
        ]
        words = struct.unpack("<4Q", self.expanded) if self.expanded else ()
        verb = ["seeded", *map(str, words), "call"] if self.expanded else ["call"]
        return " ".join([*verb, *flat, *(str(w) for key in self.keys for w in key)])


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    write_library(design(), folder / "host")
    source = Path(__file__).with_name("keyswitch_client.c")
    return compiled(source, folder / "host", folder / "client")


def played(client: Path, *lines: str) -> list[list[int]]:
    done = subprocess.run(
        [client],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return [[int(word) for word in line.split()] for line in done.stdout.splitlines()]


def some_moduli(count: int, seed: int = 0) -> tuple[int, ...]:
    rng = random.Random(seed)
    found: dict[int, None] = {largest(BITS, ZEROS): None}
    while len(found) < count:
        found[drawn(rng.randint(30, BITS), ZEROS, rng)] = None
    return tuple(rng.sample(list(found), count))


@pytest.mark.parametrize("level", range(1, 7))
def test_every_level(client: Path, level: int) -> None:
    """Of two keys, one of them with more moduli than the ciphertext has left."""
    calls = [
        Call(some_moduli(count, seed), level, seed)
        for seed, count in ((2 * level, level + 1), (2 * level + 1, 7))
        if count <= 7
    ]
    lines = [line for call in calls for line in (call.line(), "done")]
    found = played(client, *lines)
    wanted = [row for call in calls for row in ([0], [0], call.expected)]
    assert found == wanted


def test_several_calls_under_way(client: Path) -> None:
    """With one key and with others, more of them than the work size, and one behind them alone."""
    moduli, others = some_moduli(5, 3), some_moduli(4, 4)
    calls = [Call(moduli, 3, 0), Call(moduli, 4, 1), Call(others, 3, 2), Call(others, 2, 3)]
    found = played(client, "size 3", *(call.line() for call in calls), "done", calls[0].line())
    assert found == [[0], [1], [1], [1], [1], [0], *(call.expected for call in calls), [0]]


def test_twiddle_factors_say_the_root(client: Path) -> None:
    moduli = some_moduli(4, 5)
    chosen = tuple(roots(q)[number + 3] for number, q in enumerate(moduli))
    own, least = Call(moduli, 3, 1, chosen), Call(moduli, 3, 1)
    found = played(client, own.line(), "done", least.line(), "done", own.line(), "done")
    assert found == [[0], [0], own.expected, [0], [0], least.expected, [0], [0], own.expected]
    assert own.expected != least.expected


def _wrong(moduli: tuple[int, ...]) -> dict[str, dict[str, object]]:
    q, p = moduli[0], moduli[-1]
    good = Call(moduli, 3)
    factors = [pow(p, -1, m) for m in moduli[:3]]
    bad_table = [w for m in moduli for w in table(m, roots(m)[0])]
    bad_table[2 * N + 5] ^= 1
    return {
        "n SIZE": {"n": 32},
        "components SIZE": {"half": 3},
        "rns SIZE": {"rns": 5},
        "no level SIZE": {"decomp": 0, "rns": 1},
        "no key SIZE": {"decomp": 5, "rns": 6},
        "level LEVEL": {"decomp": 7, "key": 8, "rns": 8, "moduli": (*moduli, *moduli[:3])},
        "wide WIDE": {"moduli": (*moduli[:-1], (1 << 55) + 1)},
        "form FORM": {"moduli": (q - 64, *moduli[1:])},
        "composite COMPOSITE": {"moduli": (129 * 257, *moduli[1:])},
        "equal FACTOR": {"moduli": (p, *moduli[1:])},
        "factor FACTOR": {"factors": [factors[0] + 1, *factors[1:]]},
        "factor of q FACTOR": {"factors": [factors[0] + q, *factors[1:]]},
        "table ROOT": {"tables": 1, "twiddles": bad_table},
        "target RANGE": {"target": [*good.target[:-1], moduli[2]]},
        "pair RANGE": {"pair": [*good.pair[:-1], moduli[2]]},
    }


@pytest.mark.parametrize("name", _wrong(some_moduli(5, 6)))
def test_wrong_calls_change_nothing(client: Path, name: str) -> None:
    """One error each; the pair is as it was, and the next call is right."""
    moduli = some_moduli(5, 6)
    changed = _wrong(moduli)[name]
    wrong, good = Call(moduli, 3, 0, changed=changed), Call(moduli, 3, 1)
    given = changed.get("pair", wrong.pair)
    if name.endswith(("SIZE", "LEVEL")):  # the words of the line are others
        wrong.keys, wrong.target, wrong.pair = [], [], []
        sizes = {"n": N, "decomp": 3, "key": 5} | changed
        count, n = int(str(sizes["decomp"])), int(str(sizes["n"]))
        wrong.keys = [[1] * 2 * int(str(sizes["key"])) * n] * count
        given = [3] * 2 * count * n
        wrong.changed |= {"factors": [1] * count, "target": [2] * count * n, "pair": given}
    found = played(client, wrong.line(), "done", good.line(), "done")
    assert found == [[CODES[name.rsplit(maxsplit=1)[-1]]], [0], given, [0], [0], good.expected]


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("key early", "KEY"),
        ("key late", "KEY"),
        ("data early", "DATA"),
        ("word", "TRANSFORM"),
        ("program", "PROGRAM"),
        ("channel", "BUS"),
        ("dead", "TIMEOUT"),
    ],
)
def test_faults_of_streams(client: Path, fault: str, code: str) -> None:
    """The call that they hit ends with one error and its pair as it was; the next one is right."""
    moduli = some_moduli(4, 7)
    calls = [Call(moduli, 3, seed) for seed in range(3)]
    lines = [calls[0].line(), f"fault {fault}", calls[1].line(), "fault none", calls[2].line()]
    found = played(client, *lines, "done")
    right = [calls[0].expected, calls[1].pair, calls[2].expected]
    assert found == [[0], [CODES[code]], [0], [0], *right]


def spoiled_client(
    made: Prepared[RnsCore], before: str, after: str, where: Path, *options: str
) -> Path:
    """The client of a library whose driver has a defect."""
    texts = library_texts(made)
    file = f"{made.core.name}_driver.c"
    assert texts[file].count(before) == 1
    texts[file] = texts[file].replace(before, after)
    folder = where / "host"
    shutil.copytree(build_library(made, texts), folder)
    for header, text in texts.items():
        if header.endswith(".h"):
            (folder / header).write_text(text, "utf-8")
    source = Path(__file__).with_name("keyswitch_client.c")
    return compiled(source, folder, where / "client", *options)


# -------------------------------------------------------------------------------------------------
# Half of a key from a seed


@pytest.fixture(scope="module")
def seeded_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seeded")
    write_library(design(keccaks=2), folder / "host")
    source = Path(__file__).with_name("keyswitch_client.c")
    return compiled(source, folder / "host", folder / "client", "-DSEEDED")


def a_seed(number: int) -> bytes:
    return random.Random(number).randbytes(32)


@pytest.mark.parametrize("level", range(1, 7))
def test_half_of_a_key_from_a_seed(seeded_client: Path, level: int) -> None:
    """At every level, P's limb in the key not always behind those of the level; the call twice."""
    counts = dict.fromkeys((level + 1, 7))
    calls = [
        Call(some_moduli(count, 20 + level), level, count, expanded=a_seed(count))
        for count in counts
    ]
    lines = [line for call in calls for line in (call.line(), "done")]
    found = played(seeded_client, *lines, *lines)
    wanted = [row for call in calls for row in ([0], [0], call.expected)]
    assert found == wanted * 2


def test_seeds_and_whole_keys_under_way_together(seeded_client: Path) -> None:
    """Calls of two seeds and of a whole key; after a fault of one the next one is right."""
    moduli = some_moduli(5, 30)
    calls = [Call(moduli, 3, 1, expanded=a_seed(1)), Call(moduli, 4, 2)]
    calls += [Call(moduli, 3, 3, expanded=a_seed(2)), Call(moduli, 2, 4, expanded=a_seed(1))]
    found = played(seeded_client, "size 4", *(call.line() for call in calls), "done")
    assert found == [[0], [1], [1], [1], [1], [0], *(call.expected for call in calls)]
    for fault in ("key early", "key late"):
        lines = [calls[0].line(), f"fault {fault}", calls[2].line(), "fault none", calls[3].line()]
        found = played(seeded_client, *lines, "done")
        right = [calls[0].expected, calls[2].pair, calls[3].expected]
        assert found == [[0], [CODES["KEY"]], [0], [0], *right]


#: What is changed in the driver of an engine that expands keys.
_SPOILED_SEEDS = {
    "limb of P": ("(call->key_moduli - 1) << 8", "call->level << 8"),
    "digit of P": ("<< 8 | from->place) << 32", "<< 8) << 32"),
    "second half of the seed": ("call->seed[16 * from->place + i]", "call->seed[i]"),
    "R of the remainder": (
        "case SQUARE: return {p}_product(m, scale, scale);",
        "case SQUARE: return scale;",
    ),
    "R of the quotient": (
        "case SQUARE_BY_P: return {p}_product(m, inverse,",
        "case SQUARE_BY_P: return {p}_product(m, 1,",
    ),
    "two digits a beat": ("_HALVES * step + part;", "_HALVES * step;"),
}


@pytest.mark.parametrize("name", _SPOILED_SEEDS)
def test_a_spoiled_driver_of_seeds_is_seen(name: str, tmp_path: Path) -> None:
    """The pair is another one; that of a call with a whole key is not."""
    made = prepared(keccaks=2)
    before, after = (text.replace("{p}", made.core.name) for text in _SPOILED_SEEDS[name])
    client = spoiled_client(made, before, after, tmp_path, "-DSEEDED")
    moduli = some_moduli(5, 31)
    seeded, whole = Call(moduli, 3, 1, expanded=a_seed(3)), Call(moduli, 3, 2)
    found = played(client, seeded.line(), "done", whole.line(), "done")
    assert [*found[:2], *found[3:]] == [[0], [0], [0], [0], whole.expected]
    assert found[2] != seeded.expected


def test_a_driver_without_keccaks_takes_no_seeds() -> None:
    texts = [library_texts(prepared(keccaks=count)) for count in (0, 2)]
    has = ["_key_switch_seeded" in text["ks_small_driver.h"] for text in texts]
    assert has == [False, True]


#: What is changed in the driver: before, after, and how it shows.
_SPOILED = {
    "half of P": ("case HALF_P: return half;", "case HALF_P: return half + 1;", "wrong"),
    "1/P": ("case ONE_BY_P: return", "case ONE_BY_P: return 1 ^", "wrong"),
    "halves": ("(half * call->key_moduli + limb)", "limb", "wrong"),
    "limb of P": ("place == LAST ? call->key_moduli - 1 : place", "place", "wrong"),
    "last of a packet": ("beats = BEATS * call->level;", "beats = BEATS;", "KEY"),
    "order": (
        "orders[0][1], beat << LANE_BITS | lane",
        "orders[0][0], beat << LANE_BITS | lane",
        "wrong",
    ),
    "the old root": (
        "code = root == 0 ?",
        "root = {p}_product(modulus, root, {p}_product(modulus, root, root)), code = root == 0 ?",
        "wrong",
    ),
    "the engine's errors": (
        "if (outcome >> (32 + i) & 1)",
        "if (outcome >> (40 + i) & 1)",
        "unseen",
    ),
    "a result on the way": (
        "call->scratch + ((size_t)to[0]",
        "call->result + ((size_t)to[0]",
        "written",
    ),
}


@pytest.mark.parametrize("name", _SPOILED)
def test_a_spoiled_driver_is_seen(name: str, tmp_path: Path) -> None:
    """Each defect of the driver shows in the tests above, in the way that it says."""
    made = prepared()
    before, after, symptom = _SPOILED[name]
    client = spoiled_client(made, before, after.replace("{p}", made.core.name), tmp_path)
    moduli = some_moduli(4, 7)
    call, other = Call(moduli[1:], 2, 0), Call(moduli, 2, 1)
    lines = [call.line(), "done", "fault key early", other.line(), "done"]
    found = played(client, *lines)
    right = [[0], [0], call.expected, [CODES["KEY"]], [0], other.pair]
    seen = {
        "wrong": found[2] != right[2],
        "KEY": found[0] == [CODES["KEY"]],
        "unseen": found[:3] == right[:3] and found[3] != right[3],
        "written": found[3] == right[3] and found[5] != right[5],
    }
    assert seen[symptom]


def test_the_example_of_the_library(client: Path, tmp_path: Path) -> None:
    folder = client.parent / "host"
    program = compiled(folder / "example.c", folder, tmp_path / "example")
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    texts = {error.name: error.text for error in ERRORS}
    assert lines[:3] == ["call: it is under way"] * 2 + [f"completed: {texts['OK']}"]
    assert lines[3].startswith("right, after ")
    wanted = ["SIZE", "LEVEL", "FACTOR", "RANGE"]
    assert [line.split(": ", 1)[1] for line in lines[4:]] == [texts[name] for name in wanted]


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The driver alone: what needs no engine."""
    folder = tmp_path_factory.mktemp("driver")
    made = design()
    return ctypes.CDLL(str(shared(write_driver(build(made), made, folder))))


@pytest.mark.long
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", ["ks-small", "ckks-14"])
def test_compilers_have_nothing_to_say(compiler: str, name: str, tmp_path: Path) -> None:
    made = design() if name == "ks-small" else load_design(name)
    assert_clean(compiler, write_driver(build(made), made, tmp_path))


def test_levels_are_those_that_fit() -> None:
    """A level more takes a summand more; rows bound them, too."""
    core = build(design(terms=4))
    assert isinstance(core, RnsCore)
    assert len(levels_of(core)) == 4
    assert build(design(terms=2)).library is None  # a sum of three terms adds to the result


def test_a_seed_expands_as_the_reference_says(driver: ctypes.CDLL) -> None:
    """In the order of a call, which is that of the reference."""
    rng = random.Random(8)
    for q in (*some_moduli(4, 8), 3 << 53 | 1, 257, 2):
        seed, digit, limb = rng.randbytes(32), rng.randrange(256), rng.randrange(256)
        out = (ctypes.c_uint64 * N)()
        assert driver.ks_small_expand(seed, digit, limb, ctypes.c_uint64(q), out) == 0
        right = expand(seed, digit, limb, q, N)
        assert list(out) == right.tolist()
    assert driver.ks_small_expand(None, 0, 0, ctypes.c_uint64(257), None) == CODES["ARGUMENT"]


def test_rows_of_libraries(driver: ctypes.CDLL) -> None:
    """Montgomery's form, and values by ascending exponents, become a call's rows."""
    rng, wide = random.Random(9), ctypes.c_uint64
    driver.ks_small_least_root.restype = wide
    for q in some_moduli(3, 9):
        modulus = (wide * 4)()
        root = driver.ks_small_least_root(wide(q))
        assert root == roots(q)[0]
        assert driver.ks_small_check(wide(q), wide(root), modulus) == 0
        row = [rng.randrange(q) for _ in range(N)]
        for form in range(4):
            kept = [word * pow(2, 64, q) % q for word in row] if form & 1 else row
            kept = [kept[r] for r in _REVERSED] if form & 2 else kept
            out = (wide * N)()
            assert driver.ks_small_convert(modulus, form, (wide * N)(*kept), out) == 0
            assert list(out) == row
        bad = (wide * N)(*[q] * N)
        assert driver.ks_small_convert(modulus, 1, bad, (wide * N)()) == CODES["RANGE"]
        assert driver.ks_small_convert(modulus, 4, bad, (wide * N)()) == CODES["ARGUMENT"]
    assert driver.ks_small_least_root(wide(129 * 257)) == 0
