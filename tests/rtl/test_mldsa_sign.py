# SPDX-License-Identifier: Apache-2.0
"""The ML-DSA cores with one engine that sign: signatures, cycles, jobs, wiping, mutants."""

import random
from typing import Any

import numpy as np
import pytest

from nttforge.design import load_design
from nttforge.designs import DSA_MIDDLE, DSA_SMALL
from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared, prepare_kind
from nttforge.kinds.lattice.bus import Coprocessor, Request, open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.small import program
from nttforge.kinds.lattice.mldsa.small.signing.cycles import candidates, once_cycles, sign_cycles
from nttforge.kinds.lattice.mldsa.small.signing.verify import SignCases
from nttforge.kinds.lattice.verify import verify_standard
from nttforge.standards import bits
from nttforge.standards.ml_dsa import expand_s
from nttforge.standards.ml_dsa.keygen import keygen_internal
from nttforge.standards.ml_dsa.message import representative
from nttforge.standards.ml_dsa.parameters import Parameters
from nttforge.standards.ml_dsa.signing import Signature, sign_mu
from nttforge.standards.transform_engine import software_engine
from tests.coprocessors import DSA_PORTS
from tests.rtl.beside import Mutant, MutantModel, with_mutants
from tests.rtl.test_mldsa_small import begin, wipe_cycles
from tests.rtl.widths import at_both_widths, slow_at_eight, width_fixture

SMALLEST, LONGEST = SETS[0], SETS[-1]
DESIGNS = {4: DSA_SMALL, 8: DSA_MIDDLE}
MU = bytes(range(64))
every_set = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)
width = width_fixture()


def prepared(width: int) -> Prepared[LatticeCore]:
    return prepare_kind(load_design(DESIGNS[width]), LatticeCore)


@pytest.fixture(scope="module")
def core(width: int) -> Coprocessor:
    return open_core(prepared(width))


def key_of(p: Parameters, seed: bytes) -> tuple[bytes, bytes]:
    return keygen_internal(p, seed, software_engine())


def signature(p: Parameters, sk: bytes, mu: bytes, rnd: bytes) -> Signature:
    return sign_mu(p, sk, mu, rnd, software_engine())


def packets(made: Signature) -> bytes:
    """As words leave: the last one is filled with zeros."""
    return made.data + bytes(-len(made.data) % 8)


def request(p: Parameters, sk: bytes, mu: bytes = MU, rnd: bytes = bytes(32)) -> Request:
    return Request("sign_mu", p, rnd + sk, public=(mu,))


def late(p: Parameters, sk: bytes) -> tuple[bytes, Signature]:
    """mu of which a try passes the norms of z and w - c s2, and fails by c t0 or its hints."""
    rng = random.Random(p.name)
    while True:
        mu = rng.randbytes(64)
        made = signature(p, sk, mu, bytes(32))
        if sum(made.passed) > 1:
            return mu, made


@slow_at_eight
def test_vectors_and_random_cases(core: Coprocessor) -> None:
    result = verify_standard(SignCases, core, "dut", cases=3, seed=3)
    assert result.ok, (result.mismatches, result.violation)
    assert result.vectors == 180
    for row in result.compared.values():
        assert row["signatures made"] == row["public keys"] == 6


@pytest.mark.slow
def test_a_thousand_cases_a_set(core: Coprocessor) -> None:
    result = verify_standard(SignCases, core, "dut", cases=1000, seed=4)
    assert result.ok, (result.mismatches, result.violation)


@every_set
def test_cycles_are_as_derived(core: Coprocessor, width: int, p: Parameters) -> None:
    """They depend on the tries, on which check a try fails, on rho, and on the hints that leave."""
    rng = random.Random(p.name)
    pk, sk = key_of(p, rng.randbytes(32))
    mus = [late(p, sk)[0], *(rng.randbytes(64) for _ in range(5))]
    for mu in mus:
        made = signature(p, sk, mu, bytes(32))
        run = core.run(request(p, sk, mu))
        assert run.public[: p.signature_bytes] == made.data
        assert run.cycles == sign_cycles(p, sk[:32], made, None, width), mu.hex()
    for length in (71, 72, 500):
        message = rng.randbytes(length)
        made = signature(p, sk, representative(pk, message), bytes(32))
        run = core.run(Request("sign", p, bytes(32) + sk, public=(message,)))
        assert run.public[: p.signature_bytes] == made.data
        assert run.cycles == sign_cycles(p, sk[:32], made, length, width), length


def test_a_try_that_fails_by_its_hints(core: Coprocessor) -> None:
    for p in SETS:
        _, sk = key_of(p, bytes(32))
        mu, made = late(p, sk)
        assert core.run(request(p, sk, mu), stall=0.3, seed=1).public[: len(made.data)] == made.data


# Lists of jobs.


@every_set
@pytest.mark.parametrize("apart", [False, True])
def test_the_list_computes_w_and_products(p: Parameters, apart: bool) -> None:
    """Jobs of the engine, interpreted: a try that ends early, one that ends late, and another."""
    s: dict[int, Any] = {}
    s |= {program.PAIRS + i: f"s{i}" for i in range(p.k)}
    s |= {program.LOWS + i: f"t{i}" for i in range(p.k)}
    s |= {bank + j: f"y{bank + j}" for bank in (0, program.Y_LATER) for j in range(p.l)}
    jobs = [*program._sign_engine(p, apart=apart)]
    m: dict[int, Any] = {i * p.l + j: f"A{i}{j}" for i in range(p.k) for j in range(p.l)}
    v: dict[int, Any] = {}
    at = 0
    for bank, early in ((0, True), (program.Y_LATER, False), (0, True)):
        for job in jobs[at:]:
            if job.kind == "Forward":
                place = job.origin ^ (bank if job.need == "Vectors" else 0)
                s[program.BALL] = "c" if job.need == "Ball" else s.get(program.BALL)
                v[job.to] = frozenset({("c",) if job.need == "Ball" else s[place]})
                if job.store:
                    m[program.STORED + job.to % 8] = "c"
            elif job.kind == "Product":
                term = frozenset({(m[job.origin], *v[job.other])})
                v[job.to] = (v[job.to] if job.add else frozenset()) | term
            elif job.kind == "Inverse":
                s[job.to] = v[job.origin]
            elif job.need == "Passed":
                for i in range(p.k):
                    y = {(f"A{i}{j}", f"y{bank + j}") for j in range(p.l)}
                    assert s[program.W + i] == y
                    assert s[program.result_place(i)] == {("c", f"s{i}")}
                at = job.origin
                if early:
                    break
            elif job.need == "Accepted":
                assert s[program.result_place(0)] == {("c", "t0")}
                at = job.origin
                break


@every_set
def test_each_try_has_its_own_y(p: Parameters) -> None:
    """Numbers of y from kappa on: of the first try, then of each next one."""
    jobs = [*program._sign_absorbs(p, external=False)]
    numbers = [job.x for job in jobs if job.kind == "Vector"]
    assert numbers == [*range(2 * p.l), *range(p.l, 2 * p.l)]
    again = {16 * job.x + job.y for job in jobs if job.kind == "Judge"}
    assert again == {next(n for n, job in enumerate(jobs) if job.kind == "Judge") + 1}


# Ports.


def test_rnd_from_the_entropy_port(core: Coprocessor) -> None:
    _, sk = key_of(SMALLEST, bytes(32))
    rnd = bytes([7] * 32)
    asked = Request("sign_mu", SMALLEST, sk, public=(MU,), entropy=rnd)
    run = core.run(asked, stall=0.3, seed=1)
    assert run.public == packets(signature(SMALLEST, sk, MU, rnd))


def test_keys_do_not_stay(core: Coprocessor) -> None:
    for name in ("load", "sign_loaded", "drop"):
        assert core.run(Request(name, SMALLEST)).reason == "command"


def test_wrong_keys_are_refused(core: Coprocessor) -> None:
    """Of a wrong length, or with a coefficient that is none: nothing leaves."""
    _, sk = key_of(SMALLEST, bytes(32))
    foreign = sk[:128] + bytes([0xFF]) + sk[129:]
    wrong = [(sk[:-8], "length"), (sk + bytes(8), "length"), (sk[:8], "length"), (foreign, "key")]
    for n, (key, reason) in enumerate(wrong):
        refused, right = core.run_all(
            [request(SMALLEST, key), request(SMALLEST, sk)], stall=0.2, seed=n
        )
        assert (refused.reason, refused.public, refused.secret) == (reason, b"", b"")
        assert right.public == packets(signature(SMALLEST, sk, MU, bytes(32)))


# Wiping.


def alike(core: Coprocessor) -> tuple[bytes, bytes]:
    """Two keys of one rho, whose signatures take a try, and as long, as their challenges do."""
    p, rng, known = SMALLEST, random.Random(1), dict[tuple[int, int], bytes]()
    # The test before may have left it in the middle of an operation.
    core._model.reset()
    _, public = key_of(p, bytes(32))
    while True:
        secrets = p.eta - np.concatenate(expand_s(p, rng.randbytes(64)))
        small = bits.pack(secrets, p.eta_bits)
        sk = public[:32] + rng.randbytes(32) + public[64:128] + small + public[128 + len(small) :]
        challenges = signature(p, sk, MU, bytes(32)).challenges
        if len(challenges) == 1:
            took = core.run(request(p, sk)).occupied, candidates(p, challenges[0])
            first = known.setdefault(took, sk)
            if first != sk:
                return first, sk


def moment(part: float, width: int) -> int:
    """Cycles of that part of a signature of one try."""
    return int(part * once_cycles(SMALLEST, width))


def wiped(core: Coprocessor, sk: bytes, width: int, part: float | None) -> tuple[bytes, bytes]:
    """The state in the middle, and after Sign, or after a zeroize in that part of its cycles."""
    model, middle = core._model, b""
    model.reset()
    for _ in range(wipe_cycles(width)):
        model.step()
    if part is None:
        core.run(request(SMALLEST, sk))
    else:
        begin(core, request(SMALLEST, sk), moment(part, width))
        middle = model.state()
        for high in (1, 0, 0, 0, 1):
            model.step(zeroize_i=high)
    for _ in range(wipe_cycles(width)):
        model.step()
    return middle, model.state()


#: While the key comes, in the first try, in its checks, while z leaves; hints, which are public,
#: leave in their own time.
PARTS = (0.007, 0.06, 0.21, 0.51, 0.7, 0.81, 0.89, 0.93)


def test_nothing_of_a_key_is_left(core: Coprocessor, width: int) -> None:
    """Two runs that differ in the key alone end in the same state, down to the last bit."""
    keys = alike(core)
    for part in (None, *PARTS):
        (middle, end), (other_middle, other_end) = (wiped(core, sk, width, part) for sk in keys)
        assert part is None or middle != other_middle
        assert end == other_end, part


# Mutants.

CORE, LANES, MESSAGE, PRIVATE, RING = (
    f"scaled/ntf_dsa_{name}.sv" for name in ("core", "lanes", "message", "private", "ring")
)
ROWS, SEEDS, SIGNATURE, SQUEEZE, UNPACK = (
    f"scaled/ntf_dsa_{name}.sv" for name in ("rows", "seeds", "signature", "squeeze", "unpack")
)
MADE = "signatures made"
#: Of products beside the engine.
APART = {
    "products of the challenge before": Mutant(
        RING, r"(?<=product_ready & )\(forward\[0\] == \{.*\}\)", "1'b1", MADE
    ),
    "products of a challenge that is in the engine": Mutant(
        RING, r"~held_q\.job\.store(?=\n)", "1'b1", MADE
    ),
    "products of a vector that is in the engine": Mutant(
        RING, r"\(held_q\.job\.to != job\.other\)", "1'b1", MADE
    ),
}
MUTANTS = {
    "y of the next try is that of this one": Mutant(
        MESSAGE, r"attempt_i\.kappa \+ \{12'd0, job\.x\}", "{12'd0, job.x}", "hangs"
    ),
    "rnd in front of K": Mutant(
        MESSAGE, r"rail_q\[0\]\.word\[HalfW\](?= \? SeedXi)", "~rail_q[0].word[HalfW]", MADE
    ),
    "the challenge of Verify": Mutant(SQUEEZE, r"signs\[i\]\[1\] \^ signing", "signs[i][1]", MADE),
    "rho'' is mu": Mutant(
        SQUEEZE, r"\(job\.kind == AbsorbPrivate\)(?=\) \? SeedMask)", "1'b0", "hangs"
    ),
    "w - c s2 as large as c t0": Mutant(UNPACK, r"norm_i\.rest(?= \? sizes\.rest)", "1'b0", MADE),
    "y always of the same bank": Mutant(RING, r"place\[3\] \^ attempt_i\.bank", "place[3]", MADE),
    "s1 and s2 exchanged": Mutant(
        UNPACK, r"\{two, 9'd0\} \+ 14'\(one\)", "{one, 9'd0} + 14'(two)", MADE
    ),
    "any coefficient of a key": Mutant(
        UNPACK, r"small_q(?= & \(\|outside)", "1'b0", "refused streams"
    ),
    "any length of a key": Mutant(PRIVATE, r"in\.last != ends", "1'b0", "hangs"),
    "hints of w": Mutant(LANES, r"(?<=RowHints:          op = )3'd4", "3'd0", "hangs"),
    "z without its sign": Mutant(
        LANES, r"(?<=u_vector \(\n        \.d_i\()task_i\.wide", "~task_i.wide", MADE
    ),
    "a challenge of the try before": Mutant(SEEDS, r"again_i(?=\) count)", "1'b0", "hangs"),
    "any number of hints": Mutant(CORE, r"norm\.few(?= & ball)", "2'b11", "late"),
    "codes of s1 are left": Mutant(UNPACK, r"sweep_i\.valid(?= \| first_q)", "1'b0", "left"),
    "a beat of a product is left": Mutant(
        ROWS, r"phase_i\.wipe(?= \| stand_o\.waits\) other_q)", "1'b0", "left"
    ),
    "hints are left": Mutant(SIGNATURE, r"(?<=hints_i\.valid \| )phase_i\.wipe", "1'b0", "left"),
    **APART,
}


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory, width: int) -> MutantModel:
    where = tmp_path_factory.mktemp("mutants")
    return with_mutants(prepared(width), DSA_PORTS, [*MUTANTS.values()], where, assertions=False)


def found(model: MutantModel, mutant: int, width: int, keys: tuple[bytes, bytes]) -> str:
    """What is wrong of a few signatures, and what is left behind."""
    model.mutant = mutant
    model.reset()
    core = Coprocessor(model)
    result = verify_standard(SignCases, core, "dut", cases=2, seed=1, sets=SETS[:2])
    if not result.ok:
        return f"{[m.what for m in result.mismatches]} {result.violation}"
    for p in SETS[:2]:
        _, sk = key_of(p, bytes(32))
        mu, made = late(p, sk)
        try:
            if core.run(request(p, sk, mu)).public != packets(made):
                return "late"
        except FaultError:
            return "late"
    for part in (None, 0.21, 0.81):
        ends = [wiped(core, sk, width, part)[1] for sk in keys]
        if ends[0] != ends[1]:
            return "left"
    return ""


@pytest.mark.long
@at_both_widths({4: [name for name in MUTANTS if name not in APART], 8: MUTANTS})
def test_mutants_are_caught(
    core: Coprocessor,
    spoilt: MutantModel,
    width: int,
    name: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("nttforge.kinds.lattice.verify.golden_vectors", lambda _: [])
    keys = alike(core)
    number = 0 if name is None else [*MUTANTS].index(name) + 1
    symptom = found(spoilt, number, width, keys)
    assert MUTANTS[name].symptom in symptom and symptom if name else not symptom
