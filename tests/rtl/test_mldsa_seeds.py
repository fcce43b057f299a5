# SPDX-License-Identifier: Apache-2.0
"""The ML-DSA core under upsets of what says that a seed is there, which try it is, what is hashed.

One bit of a register is flipped in an operation, whose streams come at once or late. Whatever the
host sees then may be the right result, a fault, or a hang; it must be no value that anyone knows
where a secret belongs, and nothing may be accepted that should not be.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from dilithium_py.ml_dsa import ML_DSA_44

from nttforge.cache import design_files
from nttforge.design import load_design
from nttforge.designs import DSA_CORE
from nttforge.errors import FaultError
from nttforge.flow.prepare import prepare_kind
from nttforge.kinds.lattice.bus import CommandStreams, Request, Run
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.standard import WORDS, private_key
from nttforge.rtl_library import library, needed
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards import bits as packing
from nttforge.standards.ml_dsa import expand_a, expand_s, matrix_vector
from nttforge.standards.ml_dsa.keygen import h
from nttforge.standards.ml_dsa.parameters import ML_DSA_44 as P
from nttforge.standards.ml_dsa.parameters import RING, Q
from nttforge.standards.ml_dsa.signing import (
    Signature,
    decompose,
    expand_mask,
    sample_in_ball,
    sign_mu,
    sk_decode,
)
from nttforge.standards.transform_engine import IntArray, software_engine
from tests.coprocessors import DSA_CORE_PORTS
from tests.rtl.faulty import Register, bits, registers, settings
from tests.rtl.mlkem_bench import pack
from tests.rtl.test_mldsa_core import held, left

#: What is opened: registers of the modules that decide, by a pattern.
OPEN = dict.fromkeys(
    (
        *(
            "ntf_prim_kept",
            "ntf_seed_source",
            "ntf_norm_check",
            "ntf_hint_decode",
            "ntf_job_list",
            "ntf_checked_jobs",
        ),
        *(
            "ntf_mldsa_seeds",
            "ntf_mldsa_secret",
            "ntf_mldsa_input",
            "ntf_mldsa_hash",
            "ntf_mldsa_block",
        ),
        *(
            "ntf_mldsa_tries",
            "ntf_mldsa_verdict",
            "ntf_mldsa_output",
            "ntf_mldsa_send",
            "ntf_mldsa_control",
        ),
        *(
            "ntf_mldsa_core",
            "ntf_mldsa_checks",
            "ntf_mldsa_hints",
            "ntf_mldsa_samplers",
            "ntf_mldsa_rows",
        ),
        *(
            "ntf_mldsa_feed",
            "ntf_framer",
            "ntf_commutator",
            "ntf_stage",
            "ntf_pipeline",
            "ntf_prim_axis_slice",
        ),
    ),
    "*_q",
)
# Secrets and data on their way, which say nothing of others.
DATA = (
    *("xi_q", "rho_q", "key_q", "rho_secret_q", "digest_q", "tr_q", "challenge_q", "z_q"),
    *("other_q", "field_q", "first_q", "hint_q", "product_q", "data_q", "seed_q", "group_q_data"),
    *("ends_q", "byte_q", "beyond_q", "u_sponge", "u_transform"),
)
#: Where bits are flipped: seeds, where their words come from, and tries; what feeds Keccak; all.
FEW = ("u_core.u_seeds.", "u_core.u_secret.u_source.", "u_core.u_signing.u_tries.")
FEEDS = ("u_core.u_hash.", "u_core.u_output.")
UNITS = ("u_core.",)
WIPING = r"u_control\.(u_sweep|u_wiped)|u_feed\.(u_rails|clear_q)"
#: Counts of beats on their way into the transform, through it, and out of it.
COUNTS = (
    r"u_feed\.(u_rails|beat_q|phase_q|room_q|valid_q|(put|get)_q)|u_framer\.(beat|state|first|idle)_q"
    r"|u_transform\..*(beat_q|drain_q|valid_q|full_q|settling_q)$"
)
SEED, RND = bytes([5] * 32), bytes(32)
#: Signatures of the first mu take one try, those of the second one two.
MU, TWICE = bytes([16] * 64), bytes([7] * 64)
PK, SK = ML_DSA_44._keygen_internal(SEED)
PATIENCE = 12_000
TAKEN = {f"m_{port}_tready": 1 for port in ("pub", "sec", "result")}
Upset = tuple[Register, int, int]  # a bit of a register, and the cycle
ZEROS = 4  # coefficients of y that are zero: two are rare


@dataclass(frozen=True)
class Operation:
    """What is asked for, and how late a port's words come, in cycles.

    Attributes
    ----------
    requests
        One after the other; the last one is judged.
    late
        Port -> cycle from which on it is driven.
    """

    requests: Sequence[Request]
    late: dict[str, int] = field(default_factory=dict)


def forged(signature: bytes) -> bytes:
    """The signature with a coefficient of z beyond its bound: only the norm is wrong, and c~."""
    at = P.challenge_bytes
    return signature[:at] + bytes(3) + signature[at + 3 :]


@cache
def right(mu: bytes) -> Signature:
    return sign_mu(P, SK, mu, RND, software_engine())


@cache
def operations() -> dict[str, Operation]:
    once, twice = (Request("sign_mu", P, RND + SK, (mu,)) for mu in (MU, TWICE))
    loaded = Request("sign_loaded_mu", P, RND, (MU,))
    signature = right(MU).data
    wrong = (PK, forged(signature), MU)
    hints = bytearray(signature)
    hints[-1] ^= 0x80  # ends beyond omega: refused by the hints alone
    return {
        "keygen": Operation([Request("keygen", P, SEED)]),
        "keygen, late": Operation([Request("keygen", P, SEED)], {"s_sec": 300}),
        "sign": Operation([once]),
        "sign, late": Operation([once], {"s_pub": 900}),
        "sign, two tries": Operation([twice], {"s_pub": 300}),
        "sign loaded, late": Operation([Request("load", P, SK), loaded], {"s_pub": 2900}),
        "verify, z": Operation([Request("verify_mu", P, public=wrong)]),
        "verify, hints": Operation([Request("verify_mu", P, public=(PK, bytes(hints), MU))]),
    }


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    where = tmp_path_factory.mktemp("seeds")
    prepared = prepare_kind(load_design(DSA_CORE), LatticeCore)
    # A chip has no assertions, which an upset may well break.
    without = where / "synthesis.sv"
    without.write_text("`define SYNTHESIS\n")
    sources = [settings(where / "settings", OPEN), without, *design_files(prepared.folder)]
    return CycleModel.build(where / "model", sources, prepared.core.name, DSA_CORE_PORTS)


def run(
    model: CycleModel,
    operation: Operation,
    upset: Upset | None = None,
    patience: int = PATIENCE,
) -> tuple[Run | None, str, int]:
    """The last request's run, or None; how it ended; and cycles."""
    model.reset()
    while not model.step()["idle_o"]:
        pass
    streams = CommandStreams(model, operation.requests, 0.0, 0)
    held = {port: streams._inputs[port] for port in operation.late}
    streams._inputs.update(dict.fromkeys(held, ()))
    events = sorted({*operation.late.values(), patience, *([upset[2]] if upset else [])})
    cycle = 0
    try:
        while not streams.over:
            if upset and cycle == upset[2]:
                upset[0].flip(upset[1])
            for port in [port for port in held if operation.late[port] <= cycle]:
                streams._inputs[port] = held.pop(port)
            left = [at for at in events if at > cycle]
            if not left:
                return None, "hang", cycle
            cycle += streams.advance(cycle, left[0] - cycle)
    except (FaultError, IndexError) as wrong:
        return None, "fault" if "illegal state" in str(wrong) else "protocol", cycle
    reason = streams.runs[-1].reason
    return streams.runs[-1], reason, cycle


@cache
def known_masks() -> frozenset[bytes]:
    """Polynomials of y that anyone can make."""
    seeds = (bytes(64), MU, TWICE, bytes(32) + MU[:32])
    masks = (expand_mask(P, seed, P.l * n) for seed in seeds for n in range(12))
    return frozenset(row.tobytes() for mask in masks for row in mask)


@cache
def known_secrets() -> frozenset[bytes]:
    """Polynomials of s1 and s2 that anyone can make."""
    rows = np.concatenate([*expand_s(P, bytes(64)), np.zeros((1, 256), np.int64)])
    return frozenset(row.astype(np.int64).tobytes() for row in rows)


def mu_of(operation: Operation) -> bytes:
    return operation.requests[-1].public[-1]


def of_signature(data: bytes, mu: bytes) -> str:
    """What is known, or accepted and should not be, of a signature that is not the right one."""
    size = P.challenge_bytes
    challenge, packed = data[:size], data[size : size + 32 * P.z_bits * P.l]
    if challenge in right(mu).challenges[:-1]:
        return "a rejected try is accepted"
    engine = software_engine()
    z: IntArray = (1 << P.gamma1_bits) - packing.unpack(packed, P.z_bits).reshape(-1, 256)
    rho, _, _, s1, _, _ = sk_decode(P, SK)
    ball = engine.ntt(RING, sample_in_ball(P, challenge)[np.newaxis] % Q)
    product = engine.intt(RING, ball * engine.ntt(RING, s1 % Q) % Q)
    y = (z - product + Q // 2) % Q - Q // 2
    for mask, name in ((y, "y"), (z, "z")):
        if any(row.astype(np.int64).tobytes() in known_masks() for row in mask):
            return f"{name} is known"
    if np.count_nonzero(y == 0) >= ZEROS:
        return "y is zero"
    if y.size - np.unique(y).size > 64:
        return "y repeats"
    w1, _ = decompose(
        P, engine.intt(RING, matrix_vector(expand_a(P, rho), engine.ntt(RING, y % Q)))
    )
    if h(bytes(64) + packing.pack(w1, P.w1_bits), size) == challenge:
        return "mu is zero"
    return ""


def of_key(data: bytes, pk: bytes) -> str:
    """The same of a private key."""
    if len(data) != P.sk_bytes:
        return ""
    _, key, _, s1, s2, _ = sk_decode(P, private_key(data))
    if key == bytes(32) or pk[:32] == bytes(32):
        return "K or rho is zero"
    rows = np.concatenate([s1, s2]).astype(np.int64)
    return "s1 or s2 is known" if any(r.tobytes() in known_secrets() for r in rows) else ""


def bad(operation: Operation, ended: Run | None, reason: str) -> str:
    """What must not be of a run that ended; nothing if all is well."""
    request = operation.requests[-1]
    if ended is None:
        return ""
    if request.operation.startswith("verify"):
        accepted = reason == "none" or ended.public == WORDS[True]
        return "a wrong signature is accepted" if accepted else ""
    if reason != "none":
        return ""
    if request.operation == "keygen":
        return of_key(ended.secret, ended.public)
    data = ended.public[: P.signature_bytes]
    mu = mu_of(operation)
    return "" if data == right(mu).data else of_signature(data, mu)


def control(model: CycleModel, units: tuple[str, ...]) -> list[tuple[Register, int]]:
    """Bits of the registers in these units that are not data."""
    found = [r for r in registers(model) if r.name.startswith(units)]
    return list(bits([r for r in found if not any(name in r.name for name in DATA)]))


def found(model: CycleModel, name: str, upset: Upset) -> tuple[str, str]:
    """How an operation ended under an upset, and what must not be; a hang ends by zeroize."""
    operation = operations()[name]
    ended, reason, _ = run(model, operation, upset)
    wrong = bad(operation, ended, reason)
    if reason == "hang":
        seen = [model.step(zeroize_i=int(cycle in (0, 300))) for cycle in range(700)]
        wrong = "" if seen[-1]["idle_o"] or seen[-1]["m_result_tvalid"] else "a hang stays"
    return reason, f"{wrong}: bit {upset[1]} of {upset[0].name} at {upset[2]}" if wrong else ""


def drawn(
    model: CycleModel, units: tuple[str, ...], each: int, seed: int
) -> Iterator[tuple[str, Upset]]:
    """Each bit of the units, `each` times, in operations and cycles that are drawn."""
    rng, every = random.Random(seed), operations()
    length = {name: run(model, operation)[2] for name, operation in every.items()}
    for register, bit in control(model, units):
        for _ in range(each):
            name = rng.choice([*every])
            yield name, (register, bit, rng.randrange(3, length[name]))


def test_operations_end_as_they_should(model: CycleModel) -> None:
    expected = dict.fromkeys(operations(), "none")
    expected |= {name: "signature" for name in expected if name.startswith("verify")}
    for name, operation in operations().items():
        ended, reason, _ = run(model, operation)
        assert reason == expected[name] and not bad(operation, ended, reason), name
        if name.startswith("sign"):
            assert ended and ended.public[: P.signature_bytes] == right(mu_of(operation)).data
    assert [len(right(mu).challenges) for mu in (MU, TWICE)] == [1, 2]


#: When a seed that is thought to be there too early would be hashed: while rho'' is made, and at
#: once, while xi is.
EARLY = [("sign, late", 931), ("sign, late", 936), ("keygen", 10), ("keygen, late", 305)]


@pytest.mark.parametrize(("name", "at"), EARLY)
def test_no_seed_is_there_too_early(model: CycleModel, name: str, at: int) -> None:
    """Each bit of what says so: what would be made of zeros is known to anyone."""
    seeds = control(model, ("u_core.u_seeds.",))
    tried = [found(model, name, (register, bit, at)) for register, bit in seeds]
    assert not [wrong for _, wrong in tried if wrong]


def test_no_upset_gives_a_secret_away(model: CycleModel) -> None:
    """Each bit of what decides about seeds and tries, and some of what feeds Keccak, once."""
    tried = [found(model, *each) for each in drawn(model, FEW, 1, seed=1)]
    feeds = [*drawn(model, FEEDS, 1, seed=2)]
    tried += [found(model, *each) for each in random.Random(3).sample(feeds, 100)]
    assert not [wrong for _, wrong in tried if wrong]
    ends = Counter(reason for reason, _ in tried)
    assert ends["fault"] > len(tried) // 4, ends


def test_no_upset_gives_another_job(tmp_path: Path) -> None:
    """Words of a list, while they are of any use: those that are not right are a fault."""
    words, bits_of_a_word, base = 90, 12, 37
    rng = random.Random(7)
    listed = [rng.getrandbits(bits_of_a_word) for _ in range(words)]
    parameters = {
        **{"Width": str(bits_of_a_word), "Num": str(words)},
        "Words": f"{bits_of_a_word * words}'h{pack(listed, bits_of_a_word):x}",
    }
    inputs = {
        **{"run_i": 1, "load_i": 1, "base_i": 16, "next_i": 1, "jump_i": 1, "jump_at_i": 6},
    }
    ports = Ports(inputs, {"at_o": 6, "word_o": bits_of_a_word, "fault_o": 1})
    known = library()
    opened = settings(
        tmp_path, {"ntf_job_list": "*_q", "ntf_checked_jobs": "*_q", "ntf_prim_kept": "*_q"}
    )
    needs = [opened, *(known[each] for each in needed("ntf_checked_jobs", known))]
    model = CycleModel.build(tmp_path / "model", needs, "ntf_checked_jobs", ports, parameters)
    always = {"base_i": base, "run_i": 1}
    wait = [always] * 4
    steps = [always | {"next_i": 1}, *wait[:3]] * 5
    jump = [always | {"jump_i": 1, "jump_at_i": 31}, *wait]
    begin = [{"base_i": base}] * 2 + [{"base_i": base, "load_i": 1}] + [{"base_i": base}] * 3
    cycles = [*begin, *wait, *steps, *jump, *steps, *wait]
    model.reset()
    whole = model.run(cycles)
    assert [seen["word_o"] for seen in whole[-3:]] == [listed[base + 36]] * 3
    assert not any(seen["fault_o"] for seen in whole)
    places = list(bits(registers(model)))
    model.reset()
    for at, cycle in enumerate(cycles[:-6]):
        state = model.state()
        for register, bit in rng.sample(places, len(places) // 8):
            model.restore(state)
            register.flip(bit)
            seen = model.run(cycles[at:])
            # A word is looked at a cycle after its step, or three after a jump, for the others.
            words_of = zip(seen[:-5], whole[at:-5], cycles[at:], strict=False)
            wrong = [s for s, w, c in words_of if c.get("run_i") and s["word_o"] != w["word_o"]]
            alerted = any(s["fault_o"] for s in seen)
            assert alerted or len(wrong) < 4, (register.name, bit, at, len(wrong))
        model.restore(state)
        model.run([cycle])


class Alerted(CommandStreams):
    """Streams of a core whose alert stays from an operation before."""

    def _move(self, cycle: int, drive: dict[str, int], seen: dict[str, int]) -> None:
        super()._move(cycle, drive, {**seen, "alert_o": 0})


def test_no_upset_of_a_count_outlives_zeroize(model: CycleModel) -> None:
    """Of beats in the transform: zeroize ends what is pushed, and the next operation is right."""
    rng, sign = random.Random(5), operations()["sign"]
    length = run(model, sign)[2]
    counts = [*bits([r for r in registers(model) if re.search(COUNTS, r.name)])]
    assert len(counts) > 150
    for register, bit in rng.sample(counts, 60):
        at = rng.randrange(3, length)
        _, reason, _ = run(model, sign, (register, bit, at), patience=length + 100)
        where = (register.name, bit, at, reason)
        seen = [model.step(**TAKEN, zeroize_i=int(cycle in (0, 300))) for cycle in range(900)]
        assert seen[-1]["idle_o"], where
        streams = Alerted(model, [Request("keygen", P, SEED)], 0.0, 0)
        cycle = 0
        while not streams.over and cycle < PATIENCE:
            cycle += streams.advance(cycle, PATIENCE - cycle)
        assert streams.over and streams.runs[-1].public == PK, where


def test_no_upset_ends_the_wiping_early(model: CycleModel) -> None:
    """Of its counter, or of what says that the transform is empty: nothing of a key is left."""
    largest = SETS[2]
    keygen = Operation([Request("keygen", largest, SEED)])
    end = run(model, keygen)[2]
    assert not left(model, largest, SEED)
    counts = [r for r in registers(model) if re.search(WIPING, r.name)]
    assert sum(r.bits for r in counts) >= 40
    pieces, rng = held(largest, SEED), random.Random(6)
    for register, bit in rng.sample([*bits(counts)], 16):
        early = rng.choice((250, 100, 12))
        run(model, keygen, (register, bit, end - early))
        assert any(model.step(**TAKEN)["idle_o"] for _ in range(1200)), (register.name, bit, early)
        state = model.state()
        assert not [p for p in pieces if p in state], (register.name, bit, early)


@pytest.mark.slow
def test_no_upset_anywhere_gives_a_secret_away(model: CycleModel) -> None:
    tried = [found(model, *each) for each in drawn(model, UNITS, 1, seed=4)]
    assert not [wrong for _, wrong in tried if wrong]
