# SPDX-License-Identifier: Apache-2.0
"""The ML-DSA core that verifies each signature before it lets it out, whole.

Faults in what signs: without the check the words that leave the core inside would be a wrong
signature with the result "none"; with it none of them leaves, and the result is "fault".
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import pytest

from nttforge.cache import design_files
from nttforge.design import load_design
from nttforge.designs import DSA_CORE
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, prepare_kind
from nttforge.kinds.lattice.bus import Coprocessor, Request, byte_packet, packet
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.functions import Functions
from nttforge.kinds.lattice.mldsa.cycles import checked_cycles, sign_cycles
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.standard import ERRORS, WORDS
from nttforge.kinds.lattice.mldsa.verify import verify_mldsa
from nttforge.kinds.lattice.standard import ML_DSA
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.ml_dsa.message import formatted, representative
from nttforge.standards.ml_dsa.parameters import SEED_BYTES, Parameters
from nttforge.standards.ml_dsa.signing import public_key, sign_mu
from nttforge.standards.transform_engine import software_engine
from tests.coprocessors import DSA_CORE_PORTS
from tests.faults.dsa import REFERENCE, RND
from tests.rtl.faulty import READ, bits, registers, settings, without_assertions

SMALL = SETS[0]
REFUSED = int.from_bytes(WORDS[False], "little")
#: The core inside, where Sign's words leave it.
INSIDE = Ports(
    DSA_CORE_PORTS.inputs, DSA_CORE_PORTS.outputs, probes={"inside": ("u_core.m_pub_o", 66)}
)
#: Whose registers are opened.
OPENED = ("seeds", "verdict", "input", "checks", "feed")
WORD = (1 << 64) - 1
IDLE_WITHIN = 512


@cache
def prepared() -> Prepared[LatticeCore]:
    return prepare_kind(load_design(DSA_CORE, {"lattice.verify_signatures": True}), LatticeCore)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    where = tmp_path_factory.mktemp("checked")
    names = {f"ntf_mldsa_{name}": "*_q" for name in OPENED} | {"ntf_mldsa_release": "fault_q"}
    names |= dict.fromkeys(("ntf_sponge_absorb", "ntf_prim_kept", "ntf_prim_axis_slice"), "*_q")
    opened = settings(where / "settings", names, READ)
    sources = [opened, without_assertions(where), *design_files(prepared().folder)]
    return CycleModel.build(where / "model", sources, prepared().core.name, INSIDE)


@pytest.fixture
def core(model: CycleModel) -> Coprocessor:
    model.reset()
    return Coprocessor(model, checks=True)


@dataclass(frozen=True)
class Signing:
    """A key, what is signed by it, and the deterministic signature, of one try."""

    p: Parameters
    pk: bytes
    sk: bytes
    message: bytes
    mu: bytes
    right: bytes

    @property
    def request(self) -> Request:
        return Request("sign_mu", self.p, RND + self.sk, (self.mu,)).checked(self.pk)


@cache
def signing() -> Signing:
    rng = random.Random(3)
    pk, sk = REFERENCE[SMALL]._keygen_internal(rng.randbytes(32))
    while True:
        message = rng.randbytes(40)
        mu = representative(pk, message)
        made = sign_mu(SMALL, sk, mu, RND, software_engine())
        if len(made.challenges) == 1:
            return Signing(SMALL, pk, sk, message, mu, made.data)


Inputs = dict[str, list[tuple[int, ...]]]
_SIGNALS = ("tdata", "tlast", "tkeep")


@dataclass
class Session:
    """A host that never waits, and one request; what left the core inside, and the ports."""

    left: Inputs
    inside: list[int] = field(default_factory=list)
    public: list[int] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    alert: bool = False
    cycle: int = 0

    @classmethod
    def of(cls, request: Request) -> "Session":
        left: Inputs = {
            "s_command": [(request.command,)],
            "s_pub": [word for data in request.public for word in byte_packet(data)],
            "s_sec": [*packet(request.secret)],
        }
        return cls(left)

    def copy(self) -> "Session":
        lists = ({port: [*words] for port, words in self.left.items()}, [*self.inside])
        return Session(*lists, [*self.public], [*self.results], self.alert, self.cycle)

    def step(self, model: CycleModel, **more: int) -> Mapping[str, int]:
        given = {"m_pub_tready": 1, "m_sec_tready": 1, "m_result_tready": 1} | more
        for port, words in self.left.items():
            if words:
                given[f"{port}_tvalid"] = 1
                named = zip(_SIGNALS, words[0], strict=False)
                given |= {f"{port}_{signal}": value for signal, value in named}
        seen = model.step(**given)
        for port, words in self.left.items():
            if words and seen[f"{port}_tready"]:
                del words[0]
        if seen["inside"] >> 65:
            self.inside.append(seen["inside"] & WORD)
        if seen["m_pub_tvalid"]:
            self.public.append(seen["m_pub_tdata"])
        if seen["m_result_tvalid"]:
            self.results.append(ERRORS[seen["m_result_tdata"]])
        self.alert |= bool(seen["alert_o"])
        self.cycle += 1
        return seen

    def finish(self, model: CycleModel, most: int = 40_000) -> None:
        for _ in range(most):
            if self.step(model)["idle_o"] and self.results:
                return
        raise AssertionError("it hangs")


def begun(model: CycleModel, request: Request) -> Session:
    model.reset()
    while not model.step()["idle_o"]:
        pass
    return Session.of(request)


def words_of(signature: bytes) -> list[int]:
    return [word for word, _, _ in byte_packet(signature)]


def accepted(session: Session) -> bool:
    """Whether what left is a right signature, by the reference."""
    of, data = signing(), b"".join(word.to_bytes(8, "little") for word in session.public)
    signature = data[: of.p.signature_bytes]
    return bool(REFERENCE[of.p]._verify_internal(of.pk, of.message, signature))


def faulty(model: CycleModel, name: str, cycles: Sequence[int], seed: int = 1) -> list[Session]:
    """Signatures with a bit of a register flipped, each in another cycle."""
    rng, session = random.Random(seed), begun(model, signing().request)
    register = next(each for each in registers(model) if each.name == name)
    found = []
    for cycle in cycles:
        while session.cycle < cycle:
            session.step(model)
        state, tried = model.state(), session.copy()
        register.flip(rng.randrange(register.bits))
        model.settle()
        tried.finish(model)
        found.append(tried)
        model.restore(state)
    return found


#: A bit of what signs is flipped: of what, and when. The block of c~ waits with mu in it.
FAULTS = {
    "mu of c~": ("u_sponge.u_absorb.block_q", range(1300, 2400, 300)),
    "mu": ("u_core.u_seeds.digest_q", range(30, 53, 4)),
    "c~": ("u_core.u_verdict.challenge_q", range(2680, 3200, 40)),
    "z": ("u_core.u_signing.u_checks.z_q", range(2946, 3060, 24)),
    "y as it is transformed": ("u_core.u_arithmetic.u_feed.value_q", range(596, 720, 12)),
}


@pytest.mark.parametrize("of", FAULTS)
def test_no_wrong_signature_leaves(model: CycleModel, of: str) -> None:
    """Inside it is whole, and the core has found nothing wrong with it."""
    right, kept_in = words_of(signing().right), 0
    for session in faulty(model, *FAULTS[of]):
        if session.results == ["fault"]:
            made, verdict = session.inside[:-1], session.inside[-1:]
            assert len(made) == len(right) and made != right and verdict == [REFUSED]
            assert not session.public and session.alert
            kept_in += 1
        else:
            # Or it was another try's.
            assert session.results == ["none"] and accepted(session) and not session.alert
    assert kept_in


def test_a_fault_of_y_before_it_is_used_stays_unseen(model: CycleModel) -> None:
    """The signature is a right one, but not the deterministic one: docs/threat-model.md says so."""
    other = 0
    for session in faulty(model, "u_core.u_input.z_q", range(480, 560, 8)):
        assert session.results == ["none"] and accepted(session)
        other += session.public != words_of(signing().right)
    assert other


def test_another_public_key_or_message_ends_with_a_fault(model: CycleModel) -> None:
    for p in SETS:
        pk, sk = REFERENCE[p]._keygen_internal(bytes(SEED_BYTES))
        other = REFERENCE[p]._keygen_internal(bytes([1] * SEED_BYTES))[0]
        flipped = pk[:100] + bytes([pk[100] ^ 4]) + pk[101:]
        message = b"a message"
        for request, reason in (
            (Request("sign", p, RND + sk, (message, other, message)), "fault"),
            (Request("sign", p, RND + sk, (message, flipped, message)), "fault"),
            (Request("sign", p, RND + sk, (message, pk, message + b".")), "fault"),
            (Request("sign_mu", p, RND + sk, (bytes(64), other, bytes(64))), "fault"),
            (Request("sign_mu", p, RND + sk, (bytes(64), pk, bytes([1] * 64))), "fault"),
            (Request("sign", p, RND + sk, (message, pk[:-8], message)), "length"),
            (Request("sign", p, RND + sk[:-8], (message, pk, message)), "length"),
        )[:: 1 if p is SMALL else 3]:
            session = begun(model, request)
            session.finish(model)
            assert (session.results, session.public) == ([reason], []), (p.name, request.operation)
            assert session.alert == (reason == "fault")
            assert not any(session.left.values())


def test_signatures_are_right(core: Coprocessor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of M' and of mu, hedged and deterministic, of keys that stay, with stalls."""
    monkeypatch.setattr("nttforge.kinds.lattice.verify.golden_vectors", lambda _: [])
    found = verify_mldsa(core, "dut", cases=2, seed=1, sets=[SETS[1]])
    assert found.ok, (found.violation, found.mismatches)


def test_prehash_and_keys_that_are_loaded(core: Coprocessor) -> None:
    dsa, (pk, sk) = Functions(core, ML_DSA), (signing().pk, signing().sk)
    assert public_key(SMALL, sk, software_engine()) == pk
    made = dsa.sign(SMALL, sk, b"text", context=b"c", prehash="sha2-256", rnd=RND)
    given = formatted(b"text", b"c", "sha2-256")
    assert made.signature == REFERENCE[SMALL]._sign_internal(sk, given, RND)
    dsa.load(SMALL, sk)
    expected = REFERENCE[SMALL]._sign_internal(sk, b"abc", RND)
    assert dsa.sign_loaded(SMALL, b"abc", RND).signature == expected
    # It signs once.
    with pytest.raises(NttforgeError, match="key"):
        dsa.sign_loaded(SMALL, b"abc", RND)


def test_it_takes_as_long_as_both(core: Coprocessor) -> None:
    """Whatever the secrets are: tries, challenges and the matrix decide, as of either alone."""
    rng = random.Random(5)
    for p in SETS:
        pk, sk = REFERENCE[p]._keygen_internal(rng.randbytes(SEED_BYTES))
        for _ in range(2):
            mu, rnd = rng.randbytes(64), rng.randbytes(32)
            made = sign_mu(p, sk, mu, rnd, software_engine())
            run = core.run(Request("sign_mu", p, rnd + sk, (mu,)).checked(pk))
            cycles = sign_cycles(p, sk[:32], made, None)
            assert run.public[: p.signature_bytes] == made.data
            assert run.cycles == cycles + checked_cycles(p, pk, None, loaded=False)


@pytest.mark.parametrize("cycle", [3300, 3600, 4000, 5000, 6300])
def test_zeroize_leaves_nothing_of_a_signature(model: CycleModel, cycle: int) -> None:
    """From a host that sends nothing more: while it is stored, verified, and let out."""
    session = begun(model, signing().request)
    while session.cycle < cycle:
        session.step(model)
    # Of c~ and z: words of hints are zeros at the end.
    pieces = [word.to_bytes(8, "little") for word in words_of(signing().right)[:290]]
    assert any(piece in model.state() for piece in pieces)
    session.left.clear()
    session.step(model, zeroize_i=1)
    for _ in range(IDLE_WITHIN):
        session.step(model)
    assert not any(piece in model.state() for piece in pieces)
    session.step(model, zeroize_i=1)
    for _ in range(IDLE_WITHIN):
        seen = session.step(model)
    assert seen["idle_o"] and session.results == ["zeroized"] and not session.alert
    assert session.public in ([], [*words_of(signing().right)[: len(session.public) - 1], 0])


@pytest.mark.slow
def test_no_flip_of_the_gate_lets_a_wrong_signature_out(model: CycleModel) -> None:
    """Two faults: one in what signs, and any bit of the gate in a drawn cycle after it."""
    rng, session = random.Random(9), begun(model, signing().request)
    known = {each.name: each for each in registers(model)}
    gate = [each for name, each in known.items() if name.startswith("u_release.")]
    places = list(bits(gate))
    assert len(places) > 200
    while session.cycle < 1300:
        session.step(model)
    known["u_sponge.u_absorb.block_q"].flip(100)
    model.settle()
    before = (model.state(), session.copy())
    whole = before[1].copy()
    whole.finish(model)
    assert whole.results == ["fault"] and len(whole.inside) > len(words_of(signing().right))
    cycles = sorted(rng.sample(range(1300, whole.cycle), 60))
    model.restore(before[0])
    session = before[1]
    for cycle in cycles:
        while session.cycle < cycle:
            session.step(model)
        state = model.state()
        for register, bit in rng.sample(places, 8):
            tried = session.copy()
            register.flip(bit)
            model.settle()
            tried.finish(model)
            assert not tried.public and "none" not in tried.results, (register.name, bit, cycle)
            model.restore(state)
