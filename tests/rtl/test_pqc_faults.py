# SPDX-License-Identifier: Apache-2.0
"""A bit flipped in the core that is idle, and in what stands between both, of the core for both.

The other one then gives the right answer, or the result is a fault and the alert is raised, or it
hangs until it is zeroized: no other answer with the result "none", and no word of what follows it.
"""

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from dilithium_py.ml_dsa import ML_DSA_44
from kyber_py.ml_kem import ML_KEM_512

from nttforge.cache import design_files
from nttforge.kinds.lattice.bus import Request, byte_packet, packet
from nttforge.kinds.lattice.mldsa.program import SETS as DSA_SETS
from nttforge.kinds.lattice.mlkem.program import SETS as KEM_SETS
from nttforge.simulate.cycles import CycleModel
from tests.coprocessors import BOTH_PORTS, REASONS, kem_request
from tests.rtl.faulty import Register, bits, registers, settings
from tests.rtl.test_pqc import prepared

#: Registers that can be flipped; those of the units are opened for those who look for more.
OPEN = {
    "ntf_prim_kept": "*_q",
    "ntf_pqc_control": "*_q",
    "ntf_pqc_share": "*_q",
    "ntf_mlkem_control": "*_q",
    "ntf_mldsa_control": "*_q",
}
SINKS = ("m_pub", "m_sec")
READY = {f"{port}_tready": 1 for port in (*SINKS, "m_result")}
#: Longer than what is held back here takes afterwards.
PATIENCE = 20_000
#: Cycles between an upset and the words that were held back.
HOLD = 1000

Words = Mapping[str, Sequence[tuple[int, ...]]]


@dataclass
class Seen:
    """What a core showed: words by port, results, and whether it raised the alert."""

    words: dict[str, list[int]] = field(default_factory=lambda: {port: [] for port in SINKS})
    results: list[int] = field(default_factory=list)
    taken: dict[str, int] = field(default_factory=dict)
    alert: bool = False
    idle: bool = False

    def left(self, words: Words) -> Words:
        """Words that were not taken."""
        return {port: given[self.taken.get(port, 0) :] for port, given in words.items()}

    @property
    def reason(self) -> str:
        return ", ".join(map(REASONS.__getitem__, self.results)) or "hang"


def drive(model: CycleModel, words: Words, cycles: int, *, hold: int = 0, results: int = 1) -> Seen:
    """A host that offers words, and takes what comes, until the core is idle after so many results.

    It offers nothing for the first `hold` cycles.
    """
    at, gone = dict.fromkeys(words, 0), 0
    seen = Seen(taken=at)
    awaited = [f"{port}_tvalid" for port in (*SINKS, "m_result")]
    while gone < cycles:
        offers = gone >= hold
        given = {p: words[p][at[p]] for p in words if offers and at[p] < len(words[p])}
        inputs = READY | {f"{port}_tvalid": 1 for port in given}
        for port, word in given.items():
            named = zip(("tdata", "tlast", "tkeep"), word, strict=False)
            inputs |= {f"{port}_{name}": value for name, value in named}
        over = len(seen.results) >= results
        watched = [*awaited, *(f"{port}_tready" for port in given), *(["idle_o"] if over else [])]
        mask = model.mask(*watched)
        most = (cycles if offers else hold) - gone
        count, shown, _ = model.until(mask, mask, [model.packed(inputs)], most)
        gone += count
        for port in given:
            at[port] += shown[f"{port}_tready"]
        for port in SINKS:
            if shown[f"{port}_tvalid"]:
                seen.words[port].append(shown[f"{port}_tdata"])
        if shown["m_result_tvalid"]:
            seen.results.append(shown["m_result_tdata"])
        seen.alert |= bool(shown["alert_o"])
        seen.idle = over and bool(shown["idle_o"])
        if seen.idle:
            break
    return seen


def streams(asked: Request) -> dict[str, list[tuple[int, ...]]]:
    return {
        "s_command": [(asked.command,)],
        "s_sec": [*packet(asked.secret)],
        "s_pub": [word for data in asked.public for word in byte_packet(data)],
    }


@dataclass
class Held:
    """An operation whose last words at the public input are held back.

    Attributes
    ----------
    state
        Of the model, when all that was given was taken, and computed.
    whole, rest
        All words, and those that are held back.
    right
        The operation's outputs.
    idle
        Instance of the core that does nothing.
    """

    model: CycleModel
    state: bytes
    whole: Words
    rest: Words
    right: dict[str, list[int]]
    idle: str

    def outcome(self, register: Register, bit: int, *, before: int = 0) -> str:
        """How it ends when a bit is flipped, `before` cycles after the rest is offered if not 0."""
        self.model.restore(self.state)
        done = drive(self.model, self.rest, before) if before else None
        register.flip(bit)
        rest = done.left(self.rest) if done else self.rest
        seen = drive(self.model, rest, PATIENCE, hold=0 if before else HOLD)
        words = {port: (done.words[port] if done else []) + seen.words[port] for port in SINKS}
        if seen.reason == "none":
            return "right" if words == self.right else "wrong"
        if seen.reason != "hang":
            return seen.reason if seen.alert else f"{seen.reason} without alert"
        return "hang" if zeroized(self.model).idle else "hang for ever"

    def outcomes(self, upsets: Iterable[tuple[Register, int]]) -> dict[str, list[str]]:
        """Registers and bits by outcome."""
        found: dict[str, list[str]] = {}
        for register, bit in upsets:
            how = self.outcome(register, bit)
            found.setdefault(how, []).append(f"{register.name}[{bit}]")
        return found


def zeroized(model: CycleModel) -> Seen:
    """A pulse of zeroize, and another one that gives the streams up."""
    for _ in range(2):
        model.step(zeroize_i=1, **READY)
        seen = drive(model, {}, 3000, results=0)
    return seen


def held(
    model: CycleModel, asked: Request, last: int, right: Mapping[str, bytes], idle: str
) -> Held:
    """Operation `asked` without its `last` words at the public input; it ends in `right`."""
    model.reset()
    drive(model, {}, PATIENCE, results=0)
    given = streams(asked)
    rest = {"s_pub": given["s_pub"][-last:]}
    drive(model, {**given, "s_pub": given["s_pub"][:-last]}, 3000)
    words = {port: [word for word, _ in packet(right.get(port, b""))] for port in SINKS}
    found = Held(model, model.state(), given, rest, words, idle)
    whole = drive(model, rest, PATIENCE)
    assert whole.words == words and whole.reason == "none" and not whole.alert
    return found


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    folder, made = tmp_path_factory.mktemp("pqc"), prepared()
    # A chip has no assertions, which an upset may well break.
    without = folder / "synthesis.sv"
    without.write_text("`define SYNTHESIS\n")
    sources = [settings(folder / "settings", OPEN), without, *design_files(made.folder)]
    return CycleModel.build(folder / "model", sources, made.core.name, BOTH_PORTS)


KEY = ML_DSA_44._keygen_internal(bytes(32))[1]
MESSAGE = bytes(range(32))


def signature() -> bytes:
    """Of :data:`MESSAGE`, after one try; padded to whole words."""
    made = ML_DSA_44._sign_internal(KEY, MESSAGE, bytes(32))
    return bytes(made + bytes(-len(made) % 8))


def signing(model: CycleModel) -> Held:
    """ML-DSA waits for M'."""
    request = Request("sign", DSA_SETS[0], bytes(32) + KEY, (MESSAGE,))
    return held(model, request, len(MESSAGE) // 8, {"m_pub": signature()}, "u_kem")


def encapsulating(model: CycleModel) -> Held:
    """ML-KEM waits for the last words of the key."""
    ek, _ = ML_KEM_512._keygen_internal(bytes(32), bytes(32))
    secret, c = ML_KEM_512._encaps_internal(ek, MESSAGE)
    asked = kem_request("encaps", KEM_SETS[0], ek, MESSAGE)
    return held(model, asked, 90, {"m_pub": c, "m_sec": secret}, "u_dsa")


Operation = Callable[[CycleModel], Held]
OPERATIONS: list[Operation] = [signing, encapsulating]
#: What decides, of a core's control: wiping, above all.
DECIDES = re.compile(r"u_control\.(u_state|u_unended|ended|lost|zeroize|wipe|done|.*u_loaded)")


def upsets(run: Held, sample: int) -> list[tuple[Register, int]]:
    """What decides in the idle core, all that is between both; and a sample of the idle core."""
    every = registers(run.model)
    idle = [r for r in every if r.name.startswith(f"{run.idle}.")]
    control = f"{run.idle}.u_control."
    wipes = [r for r in idle if r.name.startswith(f"{control}gen_at") and r.name.endswith("u_at")]
    first = [r for r in idle if DECIDES.match(r.name.removeprefix(f"{run.idle}."))]
    between = [r for r in every if r.name.startswith(("u_control.", "u_share."))]
    chosen = [*bits([*first, *wipes, *between])]
    rest = [place for place in bits(idle) if place not in chosen]
    return [*chosen, *random.Random(1).sample(rest, min(sample, len(rest)))]


def waits_in(operations: Sequence[Operation]) -> object:
    """The fixture `operation`: each of those that a core waits in."""

    @pytest.fixture(params=operations)
    def operation(request: pytest.FixtureRequest) -> Operation:
        begin: Operation = request.param
        return begin

    return operation


operation = waits_in(OPERATIONS)


@pytest.fixture
def key_cycles() -> int:
    """Of a KeyGen, in which there is a fault."""
    return 40


@pytest.mark.parametrize("sample", [20, pytest.param(2000, marks=pytest.mark.slow)])
def test_a_fault_beside_an_operation_gives_no_wrong_answer(
    model: CycleModel, operation: Operation, sample: int
) -> None:
    run = operation(model)
    found = run.outcomes(upsets(run, sample))
    assert found.keys() == {"right", "fault"}, {k: v for k, v in found.items() if k != "right"}


@pytest.mark.slow
def test_a_fault_at_any_time_gives_no_wrong_answer(model: CycleModel, operation: Operation) -> None:
    run, rng = operation(model), random.Random(2)
    places = upsets(run, 2000)
    for _ in range(400):
        register, bit = rng.choice(places)
        before = rng.randrange(1, 700)
        how = run.outcome(register, bit, before=before)
        assert how in {"right", "fault"}, (register.name, bit, before, how)


def named(model: CycleModel, name: str) -> Register:
    (found,) = [r for r in registers(model) if r.name == name]
    return found


@pytest.mark.parametrize(
    "place", ["u_kem.u_control.u_state.kept_q", "u_dsa.u_control.u_state.kept_q"]
)
def test_behind_a_fault_both_are_wiped_and_right(
    model: CycleModel, operation: Operation, key_cycles: int, place: str
) -> None:
    """Whichever core it is in: of two keys nothing is left; then both do what they do."""
    run, states = operation(model), []
    for other in (0, 1):
        model.reset()
        drive(model, {}, PATIENCE, results=0)
        given = streams(Request("keygen", DSA_SETS[0], bytes([other]) * 32))
        if operation is encapsulating:
            asked = kem_request("keygen", KEM_SETS[0], b"", bytes([other]) * 64)
            given = streams(asked)
        drive(model, given, key_cycles)
        named(model, place).flip(3)
        seen = drive(model, {}, PATIENCE)
        assert (seen.reason, seen.alert, seen.idle) == ("fault", True, True)
        zeroized(model)
        states.append(model.state())
    assert states[0] == states[1]
    whole = drive(model, run.whole, PATIENCE)
    assert whole.reason == "none" and whole.words == run.right


@pytest.mark.parametrize("place", ["u_kem.u_control.u_state.kept_q", "u_control.fault_q"])
def test_a_fault_elsewhere_takes_a_loaded_key_away(model: CycleModel, place: str) -> None:
    """Of ML-DSA, which is idle, and whose key stays; but for the fault it signs with it."""
    sign = streams(Request("sign_loaded", DSA_SETS[0], bytes(32), (MESSAGE,)))
    for flips in (False, True):
        model.reset()
        drive(model, {}, PATIENCE, results=0)
        assert drive(model, streams(Request("load", DSA_SETS[0], KEY)), PATIENCE).reason == "none"
        if flips:
            named(model, place).flip(1)
        drive(model, {}, PATIENCE, results=0)
        assert drive(model, sign, PATIENCE).reason == ("key" if flips else "none")
