# SPDX-License-Identifier: Apache-2.0
"""No flip of what says that a seed is there gives a result that anyone can compute.

A seed's register is zero before the seed comes. Whoever is made to believe that it came, hashes
zeros: J(0, c) of a ciphertext that is to be refused, the key of d = 0, the secret of m = 0. Flips
of all that counts words, says which step it is, or chooses where a word comes from, are tried with
secret streams that come early and late.
"""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from kyber_py.ml_kem import ML_KEM_512

from nttforge.design import load_design
from nttforge.flow.prepare import prepare_kind
from nttforge.kinds.lattice.bus import Request
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mlkem.program import SETS, KemOperation
from nttforge.kinds.lattice.mlkem.standard import ERRORS, rotate_key
from nttforge.simulate.cycles import CycleModel
from tests.coprocessors import KEM_PORTS, kem_request, register
from tests.faults.case import PERMUTED
from tests.rtl.beside import Mutant, MutantModel, with_mutants
from tests.rtl.faulty import Register, bits, registers, settings
from tests.rtl.mlkem_bench import RegisterKem, each_step

P = SETS[0]
OPEN = {
    "ntf_prim_kept": "*_q",
    "ntf_mlkem_seeds": "*_q",
    "ntf_seed_source": "*_q",
    "ntf_absorb_source": "*_q",
    "ntf_sponge_absorb": "*_q",
    "ntf_keccak_f1600": "*_q",
    "ntf_mlkem_hash": "*_q",
    "ntf_hash_rails": "*_q",
    "ntf_job_list": "*_q",
    "ntf_mlkem_input": "*_q",
    "ntf_mlkem_control": "*_q",
    "ntf_mlkem_core": "*_q",
}
WIDEST = 20  # bits of a register that decides; wider ones are data, but for what control keeps
LATE = 200  # cycles
TAIL = 700  # cycles until everything is idle
ZEROS = bytes(32)
Packet = tuple[str, bytes]  # an output stream, and what leaves there


@dataclass(frozen=True)
class Target:
    """Flips that give a known value if a defect takes a check away, and never do without it.

    Attributes
    ----------
    register, bits
        Which.
    cycles
        From the command on.
    """

    mutant: Mutant
    operation: KemOperation
    late: int
    register: str
    bits: Sequence[int]
    cycles: range


HASH = "mlkem/ntf_mlkem_hash.sv"
TARGETS = {
    "rail 1 repeats rail 0": Target(
        Mutant("prim/ntf_prim_rails.sv", r"~inverted(?=, direct)", "direct", ""),
        *("decaps", LATE, "u_seeds.u_rails.u_rail_0.kept_q", range(14), range(10, 190, 20)),
    ),
    "copies of what the units are told may differ": Target(
        Mutant("mlkem/ntf_mlkem_control.sv", r"~\(&same\)", "1'b0", ""),
        *("encaps", 0, "u_control.gen_at[1].u_at.kept_q", range(1), range(20, 120, 5)),
    ),
    "the sponge may be wiped meanwhile": Target(
        Mutant(HASH, r"sponge_i\.wiped", "1'b0", ""),
        *("decaps", 0, "u_sponge.gen_wipe[1].u_wipe.kept_q", range(1), range(10, 60)),
    ),
    "J may have any number of blocks": Target(
        Mutant("mlkem/ntf_hash_rails.sv", r"(?<=& )wrong_j", "1'b0", ""),
        *("decaps", 0, "u_core.u_hash.short_q", range(1), range(30, 200, 2)),
    ),
    "words of a block are counted once": Target(
        Mutant("lattice/ntf_sponge_absorb.sv", r"differs_q != '0", "1'b0", ""),
        *("decaps", 0, "u_sponge.u_absorb.count_q", range(2, 3), range(10, 60)),
    ),
}


def build(folder: Path) -> MutantModel:
    """The coprocessor with the registers that decide opened, and the defects to choose from."""
    prepared = prepare_kind(load_design("ml-kem-coprocessor"), LatticeCore)
    first = [settings(folder / "settings", OPEN)]
    mutants = [target.mutant for target in TARGETS.values()]
    # An upset may well break an assertion.
    return with_mutants(prepared, KEM_PORTS, mutants, folder, first=first, assertions=False)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> MutantModel:
    return build(tmp_path_factory.mktemp("seeds"))


Upset = tuple[Register, int, int]  # a bit of a register, and the cycle


@dataclass
class Operation:
    """An operation that can be entered at every cycle.

    Attributes
    ----------
    right, known
        The output that is right, and those that anyone can compute.
    inputs, states
        What the host drives in each cycle, packed; the model's state before it.
    before
        What left the model until then.
    """

    model: CycleModel
    right: Packet
    known: dict[str, Packet]
    inputs: list[bytes]
    states: list[bytes]
    before: list[bytes]

    def outcome(self, at: int) -> tuple[str, str]:
        """From this cycle on: what leaves, and how the operation ends."""
        raw = b"".join(self.before[:at]) + self.model.replay(b"".join(self.inputs[at:]))
        left = {port: self._packet(raw, port) for port in ("m_pub", "m_sec")}
        packets = {"right": self.right} | self.known
        what = next((name for name, (port, data) in packets.items() if data in left[port]), "other")
        if not self.model.step()["idle_o"]:
            return what, "hang"
        error = register("result").field("error").get(RegisterKem(self.model).read("result"))
        return what, ERRORS[error]

    def _packet(self, raw: bytes, port: str) -> bytes:
        """Bytes that leave at an output whose host always takes them."""
        size = len(raw) // len(self.inputs)
        widths = list(self.model.ports.read.items())
        valid = sum(width for _, width in widths[: widths.index((f"{port}_tvalid", 1))])
        flags = raw[valid // 8 :: size]
        cycles = [at for at, byte in enumerate(flags) if byte >> valid % 8 & 1]
        shown = b"".join(raw[at * size : (at + 1) * size] for at in cycles)
        words = [seen[f"{port}_tdata"] for seen in self.model.outputs(shown)]
        return b"".join(word.to_bytes(8, "little") for word in words)

    def flipped(self, upset: Upset) -> tuple[str, str]:
        """What comes of a flip."""
        target, bit, at = upset
        self.model.restore(self.states[at])
        target.flip(bit)
        return self.outcome(at)


def recorded(
    model: CycleModel, request: Request, late: int
) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """Inputs, states and outputs of a run whose secret stream comes so many cycles late."""
    inputs: list[bytes] = []
    states: list[bytes] = []
    step, over = model.step, False

    def recording(**drive: int) -> dict[str, int]:
        nonlocal over
        over = over or "s_axi_arvalid" in drive  # of its end
        early = len(inputs) < late
        if early:
            drive = {name: value for name, value in drive.items() if not name.startswith("s_sec")}
        if not over:
            inputs.append(model.vectors([drive]))
            states.append(model.state())
        seen = step(**drive)
        return {**seen, "s_sec_tready": 0} if early else seen

    model.reset()
    while not model.step()["idle_o"]:
        pass
    with each_step(model, recording):
        run = RegisterKem(model).run_all([request])[0]
    assert not run.error
    taking = model.vectors([{"m_pub_tready": 1, "m_sec_tready": 1}])
    model.restore(states[0])
    outputs = [model.replay(vector) for vector in inputs]
    return inputs + [taking] * TAIL, states, outputs


def key_of(sigma: bytes) -> bytes:
    """The first polynomial of the secret vector that is sampled from these coins."""
    vector, _ = ML_KEM_512._generate_error_vector(sigma, ML_KEM_512.eta_1, 0)
    encoded: bytes = vector.to_ntt().encode(12)
    return encoded[:384]


def operation(
    model: CycleModel, name: KemOperation, late: int, *, check: bool = False, seed: int = 1
) -> Operation:
    """What is asked for, what is right, and what anyone could compute instead."""
    rng = random.Random(seed)
    d, z, m = (rng.randbytes(32) for _ in range(3))
    ek, dk = ML_KEM_512._keygen_internal(d, z)
    secret, c = ML_KEM_512._encaps_internal(ek, m)
    known = {"zeros": ("m_sec", ZEROS), "Keccak of zeros": ("m_sec", PERMUTED[:32])}
    if name == "keygen":
        request, right = kem_request(name, P, b"", d + z), ("m_sec", dk)
        known |= {
            "the key of d = 0": ("m_pub", ML_KEM_512._G(ZEROS + bytes([P.k]))[0]),
            "the key of sigma = 0": ("m_sec", key_of(ZEROS)),
            "the key of Keccak of zeros": ("m_sec", key_of(PERMUTED[32:])),
        }
    elif name == "encaps":
        request, right = kem_request(name, P, ek, m), ("m_sec", secret)
        digest = hashlib.sha3_256(ek).digest()
        for what, coins in (("sigma", ZEROS), ("Keccak", PERMUTED[32:])):
            ciphertext = ML_KEM_512._k_pke_encrypt(ek, m, coins)
            known[f"the ciphertext of {what} = 0"] = ("m_pub", ciphertext[:64])
        known |= {
            "the secret of m = 0": ("m_sec", ML_KEM_512._G(ZEROS + digest)[0]),
            "the hash of the key": ("m_sec", digest),
        }
    else:
        wrong = c[:-1] + bytes([c[-1] ^ 1])  # the lowest bit: a small error
        key = {"decaps": rotate_key(dk), "decaps_standard": dk, "decaps_seed": d + z}[name]
        request = kem_request(name, P, wrong, key, check=check)
        right = ("m_sec", ML_KEM_512._decaps_internal(dk, wrong))
        # Words and blocks of z, or of what is hashed with it, that were left out.
        heads = {"J(0, c)": ZEROS, "J(c)": b"", "J(0, ..., c)": bytes(136)}
        tails = {f"J(c) from block {at} on": 136 * at - 32 for at in range(1, 6)}
        known |= {
            "K'": ("m_sec", secret),
            **{
                what: ("m_sec", hashlib.shake_256(head + wrong).digest(32))
                for what, head in heads.items()
            },
            **{
                what: ("m_sec", hashlib.shake_256(wrong[at:]).digest(32))
                for what, at in tails.items()
            },
        }
    return Operation(model, right, known, *recorded(model, request, late))


CASES: Sequence[tuple[KemOperation, int, bool]] = (
    ("decaps", 0, False),
    ("decaps", LATE, True),
    ("decaps_standard", LATE, True),
    ("decaps_seed", LATE, False),
    ("keygen", 0, False),
    ("keygen", LATE, False),
    ("encaps", 0, False),
    ("encaps", LATE, False),
)


@pytest.fixture(scope="module")
def operations(model: MutantModel) -> list[Operation]:
    model.mutant = 0
    return [operation(model, name, late, check=check) for name, late, check in CASES]


def deciding(model: CycleModel, unit: str = "") -> list[tuple[Register, int]]:
    """Bits of registers that count, choose, or say what is there."""
    return list(bits([r for r in registers(model) if r.bits <= WIDEST and unit in r.name]))


def is_known(outcome: tuple[str, str]) -> bool:
    """Whether what anyone can compute has left, and no error says so."""
    what, end = outcome
    return end in ("none", "hang") and what not in ("right", "other")


def test_nothing_is_known_without_a_flip(operations: list[Operation]) -> None:
    for each in operations:
        each.model.restore(each.states[0])
        assert each.outcome(0) == ("right", "none")


def test_no_flip_says_that_a_seed_came(model: MutantModel, operations: list[Operation]) -> None:
    """Of what `ntf_mlkem_seeds` knows: early and late, what gave J(0, c), and the key of d = 0."""
    rng = random.Random(3)
    for each, (target, bit) in product(operations, deciding(model, "u_seeds.")):
        upset = (target, bit, rng.randrange(10, len(each.states) // 2))
        assert not is_known(each.flipped(upset)), upset


@pytest.mark.parametrize("draws", [1, pytest.param(40, marks=pytest.mark.slow)])
def test_no_flip_gives_a_known_value(
    model: MutantModel, operations: list[Operation], draws: int
) -> None:
    rng = random.Random(4)
    for target, bit in deciding(model) * draws:
        each = rng.choice(operations)
        upset = (target, bit, rng.randrange(len(each.states)))
        assert not is_known(each.flipped(upset)), upset


def test_a_flip_of_the_kind_of_a_job_is_a_fault(
    model: MutantModel, operations: list[Operation]
) -> None:
    """While the key is absorbed: the job of d in the place of H(ek) gave a secret of zeros."""
    each = operations[CASES.index(("encaps", 0, False))]
    (word,) = [r for r in registers(model) if r.name.endswith("u_core.u_hash.u_jobs.u_list.word_q")]
    for bit, at in product(range(word.bits), range(20, 120, 10)):
        what, _ = each.flipped((word, bit, at))
        assert (what, model.step()["alert_o"]) == ("other", 1), (bit, at)


@pytest.mark.parametrize("name", TARGETS)
def test_what_a_check_is_there_for(model: MutantModel, name: str) -> None:
    """Flips at every cycle in question are harmless, and are not without the check."""
    target = TARGETS[name]
    places = [r for r in registers(model) if r.name.endswith(target.register)]
    assert len(places) == 1
    found = []
    for mutant in (0, [*TARGETS].index(name) + 1):
        model.mutant = mutant
        each = operation(model, target.operation, target.late)
        upsets = product(places, target.bits, target.cycles)
        found.append(any(is_known(each.flipped(upset)) for upset in upsets))
    model.mutant = 0
    assert found == [False, True]
