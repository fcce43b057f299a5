# SPDX-License-Identifier: Apache-2.0
"""ML-DSA cores with one engine that make keys and verify: keys, cycles, jobs, wiping, mutants."""

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from nttforge.design import load_design
from nttforge.designs import DSA_KEYS
from nttforge.errors import FaultError, NttforgeError
from nttforge.flow.prepare import Prepared, prepare_kind
from nttforge.kinds.lattice.bus import Coprocessor, Request, open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import measure_standard
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.small import program
from nttforge.kinds.lattice.mldsa.small.keys.cycles import (
    _small,
    keygen_cycles,
    keygen_standard_cycles,
)
from nttforge.kinds.lattice.mldsa.small.keys.measure import KeyMeasures
from nttforge.kinds.lattice.mldsa.small.keys.standard import STANDARD
from nttforge.kinds.lattice.mldsa.small.keys.verify import KeyCases
from nttforge.kinds.lattice.mldsa.standard import reference, stream_order
from nttforge.kinds.lattice.verify import verify_standard
from nttforge.standards.ml_dsa.keygen import h
from nttforge.standards.ml_dsa.parameters import DROPPED_BITS, N, Parameters
from tests.coprocessors import DSA_PORTS
from tests.rtl.beside import Mutant, MutantModel, with_mutants
from tests.rtl.test_mldsa_small import begin, wipe_cycles
from tests.rtl.widths import NARROW, at_both_widths, slow_at_eight, width_fixture

SMALLEST = SETS[0]
every_set = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)
DERIVED: Mapping[str, Callable[[Parameters, bytes, int], int]] = {
    "keygen": keygen_cycles,
    "keygen_standard": keygen_standard_cycles,
}
width = width_fixture()


def prepared(width: int) -> Prepared[LatticeCore]:
    return prepare_kind(load_design(DSA_KEYS, NARROW[width]), LatticeCore)


@pytest.fixture(scope="module")
def core(width: int) -> Coprocessor:
    return open_core(prepared(width))


def key_pair(p: Parameters, seed: bytes) -> tuple[bytes, bytes]:
    values = reference(p, {"seed": seed})
    return values["pk"], values["sk"]


@slow_at_eight
def test_vectors_and_random_cases(core: Coprocessor) -> None:
    result = verify_standard(KeyCases, core, "dut", cases=5, seed=3)
    assert result.ok, (result.mismatches, result.violation)
    assert result.vectors == 120
    for row in result.compared.values():
        assert row["public keys"] == row["private keys"] == row["refused streams"] == 10


@pytest.mark.slow
def test_a_thousand_cases_a_set(core: Coprocessor) -> None:
    result = verify_standard(KeyCases, core, "dut", cases=1000, seed=4)
    assert result.ok, (result.mismatches, result.violation)


def derived(core: Coprocessor, p: Parameters, width: int, seeds: int) -> None:
    rng = random.Random(p.name)
    for _ in range(seeds):
        seed = rng.randbytes(32)
        for name, cycles in DERIVED.items():
            assert core.run(Request(name, p, seed)).cycles == cycles(p, seed, width), (name, seed)


@every_set
def test_cycles_are_as_derived(core: Coprocessor, width: int, p: Parameters) -> None:
    """They depend on which candidates are sampled, and on nothing else of a seed."""
    derived(core, p, width, 12)


@pytest.mark.slow
@every_set
def test_cycles_of_many_keys(core: Coprocessor, width: int, p: Parameters) -> None:
    derived(core, p, width, 500)


def test_no_faster_than_keccak(core: Coprocessor, width: int) -> None:
    seen = measure_standard(KeyMeasures(STANDARD, prepared(width).core), core, runs=2).operations
    for p in SETS:
        for name in STANDARD.operations:
            row = seen[f"{p.name} {name}"]
            assert row.floor_cycles <= row.latency_cycles < 1.5 * row.floor_cycles


@every_set
@pytest.mark.parametrize("apart", [False, True])
def test_the_list_computes_t(p: Parameters, apart: bool) -> None:
    """Jobs of Keccak and of the engine, interpreted: sums of products of names."""
    s: dict[int, Any] = {}
    m: dict[int, str] = {}
    v: dict[int, Any] = {}
    summed = frozenset[Any]()
    for job in program._key_absorbs(p):
        if job.kind == "Small":
            s[job.to] = f"s1_{job.x}" if job.x < p.l else f"s2_{job.x - p.l}"
        elif job.kind == "Matrix":
            m[job.to] = f"A{job.y}{job.x}"
    for step in program._key_engine(p, apart=apart):
        if step.kind == "Forward":
            v[step.to] = frozenset({s[step.origin]})
        elif step.kind == "Product" and apart:
            term = v[step.other] if step.store else {(m[step.origin], *v[step.other])}
            summed = frozenset((summed if step.add else frozenset()) | term)
        elif step.kind == "Product":
            assert step.add
            v[step.to] |= {(m[step.origin], *v[step.other])}
        elif step.kind == "Inverse":
            s[step.to] = summed if apart else v[step.origin]
    for i in range(p.k):
        products = {(f"A{i}{j}", f"s1_{j}") for j in range(p.l)}
        assert s[program.W + i] == {f"s2_{i}", *products}


@every_set
def test_the_list_packs_each_row_once(p: Parameters) -> None:
    """In the order in which they leave."""
    rows = [(job.kind, job.origin) for job in program._key_rows(p, ahead=False)]
    t, s1, s2 = program.W, program.Z, program.T1
    lists = (("Key", t, p.k), ("Small", s1, p.l), ("Small", s2, p.k), ("Low", t, p.k))
    assert rows == [(kind, first + n) for kind, first, many in lists for n in range(many)] + [
        ("End", 0)
    ]


@every_set
def test_what_is_packed_ahead_has_room(p: Parameters) -> None:
    """Each port has its rows in the same order; t1 never waits for the other one."""
    ahead, after = ([*program._key_rows(p, ahead=ahead)] for ahead in (True, False))
    for kinds in ({"Key"}, {"Small", "Low"}):
        rows, others = ([job for job in each if job.kind in kinds] for each in (ahead, after))
        assert rows == others
    assert ahead[-1].kind == "End"
    last = max(at for at, job in enumerate(ahead) if job.kind == "Key")
    bits = {"Small": p.eta_bits, "Low": DROPPED_BITS, "Key": 0}
    assert sum(bits[job.kind] * N // 8 for job in ahead[:last]) <= program.QUEUED


# Ports.


def test_seeds_from_the_entropy_port(core: Coprocessor) -> None:
    seed = bytes(range(32))
    run = core.run(Request("keygen", SMALLEST, entropy=seed), stall=0.3, seed=1)
    pk, sk = key_pair(SMALLEST, seed)
    assert (run.reason, run.public, run.secret) == ("none", pk, stream_order(sk))


def test_a_seed_of_zeros(core: Coprocessor) -> None:
    """From the stream it is one as any other; the entropy port gives none."""
    pk, _ = key_pair(SMALLEST, bytes(32))
    assert core.run(Request("keygen", SMALLEST, bytes(32))).public == pk
    with pytest.raises(FaultError):
        core.run(Request("keygen", SMALLEST, entropy=bytes(32)))
    core._model.reset()


#: Sets, and shares of cycles in which ports stall; of the largest one the queue of what is secret,
#: which has no room for all of it, is full at times.
SLOW = [*[(SMALLEST, 0.5)] * 12, *[(SMALLEST, 0.8)] * 4, (SETS[2], 0.97)]


def of_slow_hosts(core: Coprocessor, seed: bytes) -> bool:
    """Whether all of a key pair leaves, however late the host takes its words."""
    for n, (p, stall) in enumerate(SLOW):
        run = core.run(Request("keygen_standard", p, seed), stall=stall, seed=n)
        if (run.public, run.secret) != key_pair(p, seed):
            return False
    return True


@slow_at_eight
def test_slow_hosts(core: Coprocessor) -> None:
    assert of_slow_hosts(core, bytes(range(32)))


def test_wrong_lengths_are_refused(core: Coprocessor) -> None:
    seed = bytes([9] * 32)
    pk, sk = key_pair(SMALLEST, seed)
    for words in (1, 2, 3, 5, 8):
        asked = [Request("keygen", SMALLEST, bytes([9] * 8 * words))]
        asked.append(Request("keygen_standard", SMALLEST, seed))
        refused, run = core.run_all(asked, stall=0.2, seed=words)
        assert (refused.reason, refused.public, refused.secret) == ("length", b"", b"")
        assert (run.public, run.secret) == (pk, sk)


def test_other_designs_are_refused() -> None:
    for keys in (
        {"lattice.width": 8},
        {"lattice.width": 2},
        {"lattice.transform": "iterative"},
        {"lattice.registers": False},
        {**NARROW[8], "lattice.registers": False},
        {**NARROW[8], "lattice.rounds_per_cycle": 2},
    ):
        with pytest.raises(NttforgeError):
            load_design(DSA_KEYS, keys)


# Wiping.


def times(seed: bytes, width: int) -> tuple[int, ...]:
    """Cycles of KeyGen, and in it of each polynomial of s1 and s2."""
    p = SMALLEST
    expanded = h(seed + bytes([p.k, p.l]), 96)
    smalls = (_small(p, expanded[32:], nonce, width) for nonce in range(p.k + p.l))
    return keygen_cycles(p, seed, width), *smalls


@cache
def alike(width: int) -> tuple[bytes, bytes]:
    """Two seeds whose keys take as long, in all parts."""
    rng, known = random.Random(1), dict[tuple[int, ...], bytes]()
    while True:
        seed = rng.randbytes(32)
        first = known.setdefault(times(seed, width), seed)
        if first != seed:
            return first, seed


def wiped(
    core: Coprocessor, name: str, seed: bytes, width: int, part: float | None
) -> tuple[bytes, bytes]:
    """The state in the middle, and after KeyGen, or after a zeroize in that part of its cycles."""
    model, middle = core._model, b""
    request = Request(name, SMALLEST, seed)
    model.reset()
    for _ in range(wipe_cycles(width)):
        model.step()
    if part is None:
        core.run(request)
    else:
        begin(core, request, int(part * keygen_cycles(SMALLEST, seed, width)))
        middle = model.state()
        for high in (1, 0, 0, 0, 1):
            model.step(zeroize_i=high)
    for _ in range(wipe_cycles(width)):
        model.step()
    return middle, model.state()


@pytest.mark.parametrize("part", [None, 0.004, 0.04, 0.21, 0.7, 0.87, 0.98])
@pytest.mark.parametrize("name", DERIVED)
def test_nothing_of_a_seed_is_left(
    core: Coprocessor, width: int, name: str, part: float | None
) -> None:
    """Two runs that differ in the seed alone end in the same state, down to the last bit."""
    runs = [wiped(core, name, seed, width, part) for seed in alike(width)]
    (middle, end), (other_middle, other_end) = runs
    assert part is None or middle != other_middle
    assert end == other_end


# Mutants.

CORE, MESSAGE, ROWS = (f"scaled/ntf_dsa_{name}.sv" for name in ("core", "message", "rows"))
LANES, PACKER = "scaled/ntf_dsa_lanes.sv", "scaled/ntf_dsa_packer.sv"
SQUEEZE, SECRET, SEEDS = (f"scaled/ntf_dsa_{name}.sv" for name in ("squeeze", "secret", "seeds"))
PRIVATE, WORDS, PACKAGE = (f"scaled/ntf_dsa_{name}.sv" for name in ("private", "words", "pkg"))
MUTANTS = {
    "rows and columns exchanged in the seed": Mutant(
        MESSAGE, r"4'd0, job\.y, 4'd0, job\.x", "4'd0, job.x, 4'd0, job.y", "public keys"
    ),
    "rho' is K": Mutant(
        SQUEEZE, r"held_q\.at < 5'\(96 / Bytes\)", "held_q.at < 5'(64 / Bytes)", "hangs"
    ),
    "coefficients of s in another order": Mutant(
        SQUEEZE, r"held_q\.pair\[0\](?= \?)", "~held_q.pair[0]", "public keys"
    ),
    "eta of another set": Mutant(
        SQUEEZE, r"(?<=residue_of\()task_i\.eta4", "~task_i.eta4", "public keys"
    ),
    "candidates of another eta": Mutant(
        SQUEEZE, r"task_i\.eta4 \? 2'd3 : 2'd2", "task_i.eta4 ? 2'd2 : 2'd3", "public keys"
    ),
    "t0 instead of t1": Mutant(
        LANES, r"\(kind_i == RowHigh\)(?= \? 3'd0)", "(kind_i != RowHigh)", "private keys"
    ),
    "s is packed with its sign": Mutant(
        LANES, r"(?<=code_of\()task_i\.eta4", "~task_i.eta4", "private keys"
    ),
    "t0 has twelve bits": Mutant(ROWS, r"5'd13", "5'd12", "hangs"),
    "secret words go where public ones go": Mutant(ROWS, r"(?<=secret: \(\()Keys", "1'b0", "hangs"),
    "tr always last": Mutant(SECRET, r"standard_i(?= \? PartTr)", "1'b0", "private keys"),
    "the end does not wait for the host": Mutant(
        SECRET, r"(?<=PartDone\) & )~open_o", "1'b1", "slow host"
    ),
    "a seed is read while another is hashed": Mutant(
        SECRET, r"(?<=seeds_i\[seed\] & )seed_free_i", "1'b1", "private keys"
    ),
    "any length of a seed is right": Mutant(
        PRIVATE, r"in\.last != ends", "1'b0", "refused streams"
    ),
    "xi is never taken from its port": Mutant(
        CORE, r"(?<=\.entropy_i      \()entropy(?=\))", "1'b0", "entropy"
    ),
    "samples of s are left": Mutant(
        SQUEEZE, r"sweep_i\.valid(?= \| \(sampled & little)", "1'b0", "left"
    ),
    "pairs on their way are left": Mutant(
        ROWS, r"(?<=RowHints\)\)\) \| )\(sweep_i\.valid & ~sweep_i\.at\[0\]\)", "1'b0", "left"
    ),
    "seeds are left": Mutant(SEEDS, r"sweep_i\.valid(?= \| \(given)", "1'b0", "left"),
    "half a word is left": Mutant(WORDS, r"phase_i\.wipe(?=\) \{low_q)", "1'b0", "left"),
    "candidates are left": Mutant(SQUEEZE, r"\(Keys & phase_i\.wipe\)", "1'b0", "left"),
}
#: What takes a public word without asking: of eight bytes all words are late.
_NOT_ASKED = MESSAGE, r"\(shown && !key_ready_i\)", "1'b0"
#: Of four bytes, whose words are halves of those that leave.
HALVES = {
    "the public key does not wait for the host": Mutant(*_NOT_ASKED, "slow host"),
    "halves of words exchanged": Mutant(
        WORDS, r"\{word_i\.data\[31:0\], low_q\}", "{low_q, word_i.data[31:0]}", "public keys"
    ),
}
#: Of eight bytes, of the queue of s1, s2 and t0.
AHEAD = {
    "the public key does not wait for the host": Mutant(*_NOT_ASKED, "public keys"),
    "secret words do not wait for room": Mutant(PACKER, r"\(keeps & kept\)", "kept", "slow host"),
    "a word that is secret goes into both queues": Mutant(
        PACKER, r"made & hashed", "made", "public keys"
    ),
    "what is packed ahead is left": Mutant(PACKER, r"sweeps(?= \| \(made & kept)", "1'b0", "left"),
    "what is packed ahead leaves before its port is ready": Mutant(
        PACKER, r"secret_ready_i(?= \| phase_i\.wipe)", "1'b1", "hangs"
    ),
    "the queue ahead is not emptied": Mutant(
        PACKER, r"phase_i\.wipe(?=\),\s+\.data_o \(ahead)", "1'b0", "hangs"
    ),
}
BY_WIDTH = {4: MUTANTS | HALVES, 8: MUTANTS | AHEAD}


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory, width: int) -> MutantModel:
    where, mutants = tmp_path_factory.mktemp("mutants"), [*BY_WIDTH[width].values()]
    return with_mutants(prepared(width), DSA_PORTS, mutants, where, assertions=False)


def found(model: MutantModel, mutant: int, width: int) -> str:
    """What is wrong of a few keys, and what is left behind."""
    model.mutant = mutant
    model.reset()
    core = Coprocessor(model)
    result = verify_standard(KeyCases, core, "dut", cases=3, seed=1, sets=SETS[:2])
    if not result.ok:
        return f"{[m.what for m in result.mismatches]} {result.violation}"
    seed, other = alike(width)
    try:
        if not of_slow_hosts(core, seed):
            return "slow host"
    except FaultError:
        return "slow host"
    try:
        core.run(Request("keygen", SMALLEST, entropy=seed))
    except FaultError:
        return "entropy"
    for part in (None, 0.21, 0.1, 0.98):
        ends = [wiped(core, "keygen", each, width, part)[1] for each in (seed, other)]
        if ends[0] != ends[1]:
            return "left"
    return ""


@pytest.mark.long
@at_both_widths(BY_WIDTH)
def test_mutants_are_caught(
    spoilt: MutantModel, width: int, name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nttforge.kinds.lattice.verify.golden_vectors", lambda _: [])
    mutants = BY_WIDTH[width]
    symptom = found(spoilt, 0 if name is None else [*mutants].index(name) + 1, width)
    assert mutants[name].symptom in symptom and symptom if name else not symptom
