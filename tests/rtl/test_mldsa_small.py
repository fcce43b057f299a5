# SPDX-License-Identifier: Apache-2.0
"""The ML-DSA cores with one engine: verdicts, cycles, jobs, refusals, wiping, mutants."""

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import pytest
from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87

from docs.tools.dsa_sizes import TARGETS, Plan
from docs.tools.sized_machine import Size
from nttforge.design import load_design
from nttforge.designs import DSA_VERIFIER
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, prepare_kind
from nttforge.kinds.lattice.bus import Coprocessor, Request, open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import measure_standard
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.small import program
from nttforge.kinds.lattice.mldsa.small.measure import VerifierMeasures
from nttforge.kinds.lattice.mldsa.small.standard import STANDARD
from nttforge.kinds.lattice.mldsa.small.verify import VerifierCases
from nttforge.kinds.lattice.mldsa.standard import WORDS
from nttforge.kinds.lattice.verify import verify_standard
from nttforge.standards.ml_dsa.keygen import h
from nttforge.standards.ml_dsa.message import representative
from nttforge.standards.ml_dsa.parameters import N, Parameters
from tests.coprocessors import DSA_PORTS
from tests.rtl.beside import Mutant, MutantModel, with_mutants
from tests.rtl.widths import NARROW, at_both_widths, width_fixture

ORACLES = dict(zip(SETS, (ML_DSA_44, ML_DSA_65, ML_DSA_87), strict=True))
SMALLEST, SEED = SETS[0], bytes([3] * 32)
every_set = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)
width = width_fixture(slow=True)


def prepared(width: int) -> Prepared[LatticeCore]:
    return prepare_kind(load_design(DSA_VERIFIER, NARROW[width]), LatticeCore)


@pytest.fixture(scope="module")
def core(width: int) -> Coprocessor:
    return open_core(prepared(width))


def wipe_cycles(width: int) -> int:
    """More than all rows of the largest memory."""
    return 9600 // width


def signed(p: Parameters, message: bytes, seed: bytes = SEED) -> tuple[bytes, bytes, bytes]:
    """The packets of a right signature, by dilithium-py."""
    pk, sk = ORACLES[p]._keygen_internal(seed)
    return pk, ORACLES[p]._sign_internal(sk, message, bytes(32)), message


def without_c(p: Parameters, pk: bytes, message: bytes) -> bytes:
    """A signature that is right if c is 0: z is 0, w1 that of 0, and there are no hints."""
    challenge = h(representative(pk, message) + bytes(N // 8 * p.w1_bits * p.k), p.challenge_bytes)
    z = sum((1 << p.gamma1_bits) << p.z_bits * at for at in range(N * p.l))
    return challenge + z.to_bytes(N // 8 * p.l * p.z_bits, "little") + bytes(p.omega + p.k)


def test_vectors_and_random_cases(core: Coprocessor) -> None:
    result = verify_standard(VerifierCases, core, "dut", cases=4, seed=3)
    assert result.ok, (result.mismatches, result.violation)
    assert result.vectors == 45
    for row in result.compared.values():
        assert row["refused commands"] == row["refused streams"] == 4


@pytest.mark.slow
def test_a_thousand_cases_a_set(core: Coprocessor) -> None:
    result = verify_standard(VerifierCases, core, "dut", cases=1000, seed=4)
    assert result.ok, (result.mismatches, result.violation)


def test_cycles(core: Coprocessor, width: int) -> None:
    """No more than planned, and not less than Keccak's permutations take; that of 65 as asked."""
    measures = VerifierMeasures(STANDARD, prepared(width).core)
    seen = measure_standard(measures, core, runs=2).operations
    for p in SETS:
        plan, row = Plan(Size(width, width), "verify", p), seen[f"{p.name} verify"]
        assert row.floor_cycles <= row.latency_cycles <= row.latency_longest <= plan.cycles
        assert row.latency_cycles <= TARGETS.get(f"{p.name} verify", plan.cycles)
        # What Keccak needs is in it, and what it does while all is wiped is not.
        assert seen[f"{p.name} verify_mu"].latency_cycles <= row.latency_cycles


def test_a_signature_takes_as_long_whatever_is_wrong(core: Coprocessor) -> None:
    """But for the challenge, which decides when it is whole, and is public."""
    p = SMALLEST
    pk, signature, message = signed(p, b"message")
    at = p.challenge_bytes
    others = [signature[:at] + random.Random(n).randbytes(len(signature) - at) for n in range(3)]
    runs = core.run_all(
        [Request("verify", p, public=(pk, s, message)) for s in (signature, *others)]
    )
    assert [run.accepted for run in runs] == [True, False, False, False]
    assert len({run.cycles for run in runs}) == 1


# Lists of jobs, interpreted: what they compute, of which places.


def computed(p: Parameters) -> Mapping[int, Any]:
    """Places of S after the engine's list, of polynomials as symbols: sums of products of names."""
    s = {program.BALL: "-c", **{program.Z + j: f"z{j}" for j in range(p.l)}}
    s |= {program.T1 + i: f"t{i}" for i in range(p.k)}
    m = {
        job.to: f"A{job.y}{job.x}"
        for job in program._absorbs(p, external=False)
        if job.kind == "Matrix"
    }
    v: dict[int, Any] = {}
    for job in program._engine(p):
        if job.kind == "Forward":
            v[job.to] = s[job.origin]
            if job.store:
                m[program.STORED + job.to % 8] = v[job.to]
        elif job.kind == "Product":
            term = frozenset({(m[job.origin], v[job.other])})
            v[job.to] = (v[job.to] if job.add else frozenset()) | term
        elif job.kind == "Inverse":
            s[job.to] = v[job.origin]
    return s


@every_set
def test_the_list_computes_w(p: Parameters) -> None:
    made = computed(p)
    for i in range(p.k):
        terms = {("-c", f"t{i}"), *((f"A{i}{j}", f"z{j}") for j in range(p.l))}
        assert made[program.W + i] == terms


@every_set
@pytest.mark.parametrize("external", [False, True])
def test_the_list_hashes_all_messages_once(p: Parameters, external: bool) -> None:
    jobs = [*program._absorbs(p, external=external)]
    matrix = [(job.y, job.x, job.to) for job in jobs if job.kind == "Matrix"]
    assert sorted(matrix) == [(i, j, i * p.l + j) for i in range(p.k) for j in range(p.l)]
    rest = ["Ball", *([] if external else ["Key", "Mu"]), "Check", "End"]
    assert [job.kind for job in jobs if job.kind != "Matrix"] == rest


# What is refused.


def test_wrong_lengths_are_refused(core: Coprocessor) -> None:
    """Packets too short or too long, by a word or a byte; what follows is right."""
    p = SMALLEST
    pk, signature, message = signed(p, b"message")
    packets, right = (pk, signature, representative(pk, message)), (pk, signature, message)
    after = Request("verify", p, public=right)
    for at, data in enumerate(packets):
        for wrong in (data[:-1], data[:-8], data[:8], data + bytes(1), data + bytes(8), b""):
            given = (*packets[:at], wrong, *packets[at + 1 :])
            bad = Request("verify_mu", p, public=given)
            refused, run = core.run_all([bad, after], stall=0.1, seed=at)
            assert (refused.reason, refused.public, run.accepted) == ("length", b"", True)
    # A host that is slow: hints are waited for, too.
    assert core.run(after, stall=0.97).accepted


def test_messages_of_every_length(core: Coprocessor) -> None:
    """At each end of a word and of a block, in which SHAKE's suffix stands."""
    p = SMALLEST
    pk, sk = ORACLES[p]._keygen_internal(SEED)
    for length in (*range(10), *range(68, 76), *range(204, 212)):
        message = bytes(range(length))
        made = ORACLES[p]._sign_internal(sk, message, bytes(32))
        assert core.run(Request("verify", p, public=(pk, made, message))).accepted, length


def test_other_designs_are_refused() -> None:
    for keys in (
        {"lattice.width": 2},
        {"lattice.rounds_per_cycle": 2},
        {"lattice.equal_tries": True},
        {"lattice.registers": False},
        {"lattice.standards": ["ml-kem"]},
    ):
        with pytest.raises(NttforgeError):
            load_design(DSA_VERIFIER, keys)
    with pytest.raises(NttforgeError):
        load_design("ml-dsa-coprocessor", {"lattice.operations": "verify"})


# Wiping.


def held(p: Parameters, packets: tuple[bytes, ...]) -> set[bytes]:
    """Of a message and what is hashed of it, as memories and registers have it."""
    pk, signature, message = packets
    mu = representative(pk, message)
    return {value[at : at + 4] for value in (mu, signature[:32]) for at in range(0, 32, 4)}


class StoppedError(Exception):
    """The host stops in the middle of an operation."""


def begin(core: Coprocessor, request: Request, cycles: int) -> None:
    """An operation that its host leaves alone after so many cycles."""
    until, left = core._model.until, cycles

    def counted(watched: bytes, counts: bytes, given: Sequence[int], most: int = 1) -> Any:
        nonlocal left
        if not left:
            raise StoppedError
        found = until(watched, counts, given[:left], min(most, left))
        left -= found[0]
        return found

    with pytest.MonkeyPatch.context() as patch, suppress(StoppedError):
        patch.setattr(core._model, "until", counted)
        core.run(request)


@pytest.mark.parametrize("how", ["end", "reset", "zeroize"])
def test_nothing_of_a_message_is_left(core: Coprocessor, width: int, how: str) -> None:
    p, model = SMALLEST, core._model
    packets = signed(p, random.Random(8).randbytes(200))
    request, found = Request("verify", p, public=packets), held(p, packets)
    model.reset()
    if how == "end":
        assert core.run(request).accepted
    else:
        cycles = core.run(request).cycles
        model.reset()
        begin(core, request, cycles - 57)
        state = model.state()
        assert any(piece in state for piece in found)
        if how == "reset":
            model.reset()
        else:
            for high in (1, 0, 0, 0, 1):
                model.step(zeroize_i=high)
    for _ in range(wipe_cycles(width)):
        model.step()
    assert not any(piece in model.state() for piece in found)
    model.reset()
    assert core.run(request).accepted


# Mutants.

CORE, INPUT, RING = "scaled/ntf_dsa_core.sv", "scaled/ntf_dsa_input.sv", "scaled/ntf_dsa_ring.sv"
MEMORIES, PACKER = "scaled/ntf_dsa_memories.sv", "scaled/ntf_dsa_packer.sv"
SQUEEZE, MESSAGE = "scaled/ntf_dsa_squeeze.sv", "scaled/ntf_dsa_message.sv"
UNPACK, LANES = "scaled/ntf_dsa_unpack.sv", "scaled/ntf_dsa_lanes.sv"
VERDICT, SWEEP = "scaled/ntf_dsa_verdict.sv", "scaled/ntf_dsa_sweep.sv"
RIGHT, WRONG = "right signatures", "wrong: "
MUTANTS = {
    "any hint is right": Mutant(CORE, r"hints\.ok(?= & ball)", "2'b11", "wrong: order of hints"),
    "any z is right": Mutant(CORE, r"(?<=sound_i   \()norms\.bounded", "2'b11", "wrong: z beyond"),
    "any length is right": Mutant(INPUT, r"(?<=held_d\.length = )wrong", "1'b0", "refused streams"),
    "any command is one": Mutant(
        CORE, r"(?<=asked\.command\.set = )2'd3", "cmd_i.command.set", "hangs"
    ),
    "c, not its negative": Mutant(
        SQUEEZE, r"signs\[i\]\[1\](?= \^ signing)", "~signs[i][1]", RIGHT
    ),
    "t1 without its factor": Mutant(
        UNPACK, r"\{fields_q\[l\]\[9:0\], 13'd0\}", "{13'd0, fields_q[l][9:0]}", RIGHT
    ),
    "the matrix transposed": Mutant(
        MESSAGE, r"4'd0, job\.y, 4'd0, job\.x", "4'd0, job.x, 4'd0, job.y", RIGHT
    ),
    "no hints": Mutant(LANES, r"(?<=\.hint_i\()hints\[l\]", "1'b0", RIGHT),
    "hints of the row before": Mutant(LANES, r"(?<=\.raddr_i\(\{)row_i", "3'(row_i - 3'd1)", RIGHT),
    "a suffix behind a whole message": Mutant(
        MESSAGE, r"message_i\.last & ~message_i\.whole", "message_i.last", RIGHT
    ),
    (TOGETHER := "sums begin with what was there"): Mutant(
        RING, r"(?<=\.add_i         \()job\.add", "1'b1", RIGHT
    ),
    (APART := "sums beside the engine begin with what was there"): Mutant(
        "scaled/ntf_dsa_products.sv", r"(?<=add: )job_i\.add", "1'b1", RIGHT
    ),
    (WHOLE := "sums that are not whole"): Mutant(
        RING, r"whole(?= \| \(job\.kind != EngineInverse\))", "1'b1", RIGHT
    ),
    "a row is taken a beat too early": Mutant(
        MEMORIES, r"(?<=if \()row_i(?=\) held_d)", "row_i & ~held_q.made.rows[0]", "hangs"
    ),
    "the queue of words is not emptied": Mutant(
        PACKER, r"(?<=\.ready_i\(ready_i \| )phase_i\.wipe", "1'b0", RIGHT
    ),
    "no challenge": Mutant(SQUEEZE, r"(?<=assign sign   = )!signs\[i\]\[0\]", "1'b1", RIGHT),
    "half of a sweep": Mutant(
        SWEEP, r"at_q\[0\]\[10:0\]", "{at_q[0][10:5], 1'b0, at_q[0][3:0]}", RIGHT
    ),
    "nothing is wiped of the seeds": Mutant(
        "scaled/ntf_dsa_seeds.sv", r"sweep_i\.valid(?= \| \(given)", "1'b0", "left"
    ),
}


#: With four bytes products are the engine's, with eight beside it.
BY_WIDTH = {4: {*MUTANTS} - {APART, WHOLE}, 8: {*MUTANTS} - {TOGETHER}}


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory, width: int) -> MutantModel:
    where = tmp_path_factory.mktemp("mutants")
    return with_mutants(prepared(width), DSA_PORTS, [*MUTANTS.values()], where, assertions=False)


def found(model: MutantModel, mutant: int) -> str:
    """What is wrong of a few cases, of a forgery, and what is left behind."""
    model.mutant = mutant
    model.reset()
    core = Coprocessor(model)
    result = verify_standard(VerifierCases, core, "dut", cases=4, seed=1, sets=SETS[:1])
    if not result.ok:
        return f"{[m.what for m in result.mismatches]} {result.violation}"
    pk, _, message = packets = signed(SMALLEST, bytes(range(200)))
    forged = (pk, without_c(SMALLEST, pk, message), message)
    if core.run(Request("verify", SMALLEST, public=forged)).public == WORDS[True]:
        return "forged"
    largest = signed(SETS[2], bytes(range(200)))
    if not core.run(Request("verify", SETS[2], public=largest)).accepted:
        return RIGHT
    assert core.run(Request("verify", SMALLEST, public=packets)).accepted
    state = model.state()
    return "left" if any(piece in state for piece in held(SMALLEST, packets)) else ""


@pytest.mark.long
@at_both_widths({width: sorted(names) for width, names in BY_WIDTH.items()})
def test_mutants_are_caught(
    spoilt: MutantModel, name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nttforge.kinds.lattice.verify.golden_vectors", lambda _: [])
    symptom = found(spoilt, 0 if name is None else [*MUTANTS].index(name) + 1)
    assert MUTANTS[name].symptom in symptom and symptom if name else not symptom
