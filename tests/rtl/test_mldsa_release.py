# SPDX-License-Identifier: Apache-2.0
"""What lets signatures out, alone: between a host and a core of a few lines, with short signatures.

No word of a signature that was not verified leaves, whatever bit of it flips in whatever cycle.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from nttforge.kinds.lattice.mldsa.standard import ACCEPTED, COMMANDS, ERRORS
from nttforge.kinds.lattice.mldsa.standard import WORDS as VERDICTS
from nttforge.rtl_library import library, needed
from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.faulty import bits, registers, settings, with_mutants

WORDS = 5  # of the largest signature, here
TAIL = 0x1F  # bytes of its last word: ML-DSA-65's
RESULT_WORD = int.from_bytes(ACCEPTED, "little")
REFUSED_WORD = int.from_bytes(VERDICTS[False], "little")
BOUND = 40  # cycles within which everything ends that does not wait for a host
PORTS = Ports(
    {
        **{"cmd_valid_i": 1, "cmd_i": 7, "result_ready_i": 1, "end_i": 2, "s_pub_i": 74},
        **{"m_pub_ready_i": 1, "result_valid_i": 1, "result_i": 3, "status_i": 5},
        **{"s_pub_ready_i": 1, "m_pub_i": 66, "mutant_i": 3},
    },
    {
        **{"m_pub_o": 66, "cmd_ready_o": 1, "result_valid_o": 1, "result_o": 3, "status_o": 5},
        **{"s_pub_ready_o": 1, "cmd_valid_o": 1, "cmd_o": 7, "result_ready_o": 1, "end_o": 2},
        **{"s_pub_o": 74, "m_pub_ready_o": 1},
    },
)
# Defects that the tests below must find.
MUTANTS = {
    "one rail lets it out": {"&right": "|right", "differ | right_differ | stray": "differ | stray"},
    "the verdict's word is not looked at": {"~verified": "1'b0"},
    "the result is not looked at": {"(result_i != ErrorNone)": "1'b0"},
    "what is left is not drained": {"idle & held_q.mine & (held_q.part != PartNone)": "1'b0"},
    "the memory is not wiped": {
        "sweep | (store & (held_q.last[0] == 1'(b)))": "store & (held_q.last[0] == 1'(b))"
    },
    "zeroize does not end it": {"end_i.zeroize | end_i.fault": "end_i.fault"},
    "packets that are short will do": {"~over": "1'b0"},
}
IDLE, FAULT, ALERT, ZEROIZE = 16, 2, 1, 1
Cycle = dict[str, int]
Packet = Sequence[int]


def command(operation: str, of: int = 1) -> int:
    return of << 4 | COMMANDS.operations.index(operation)


def signature(seed: int = 1, words: int = WORDS) -> list[int]:
    rng = random.Random(seed)
    return [rng.getrandbits(64) | 1 << 63 | 1 for _ in range(words)]


@dataclass
class Core:
    """What the hardware's core does with a command, at its ports alone.

    Attributes
    ----------
    signs, sign_result, verdicts, verify_result, takes
        What it gives for Sign, and for Verify, no word if it is None; of how many packets.
    """

    signs: list[int] = field(default_factory=signature)
    sign_result: str = "none"
    verdicts: Sequence[int] = (RESULT_WORD,)
    verify_result: str = "none"
    takes: int = 3
    commands: list[int] = field(default_factory=list)
    came: list[tuple[int, int, int]] = field(default_factory=list)  # data, keep and last
    packets: int = 0
    out: list[tuple[int, int]] = field(default_factory=list)
    result: str | None = None
    wiping: int = 0
    ended: bool = False

    def drive(self, ready: bool) -> Cycle:
        idle = self.result is None
        gives = bool(self.out) and not self.packets
        has_result = not idle and not self.packets and not self.out and not self.wiping
        word = 1 << 65 | self.out[0][1] << 64 | self.out[0][0] if gives else 0
        return {
            "status_i": IDLE * (idle and not self.wiping),
            "s_pub_ready_i": int(ready and self.packets > 0 and not self.wiping),
            "m_pub_i": word,
            "result_valid_i": int(has_result),
            "result_i": ERRORS.index(self.result or "none"),
        }

    def see(self, given: Cycle, seen: Cycle) -> None:
        self.wiping -= self.wiping > 0
        if given["result_valid_i"] and seen["result_ready_o"]:
            self.result, self.ended = None, False
        if given["m_pub_i"] and seen["m_pub_ready_o"]:
            del self.out[0]
        if given["s_pub_ready_i"] and seen["s_pub_o"] >> 73:
            word = seen["s_pub_o"]
            self.came.append((word & (1 << 64) - 1, word >> 64 & 255, word >> 72 & 1))
            self.packets -= word >> 72 & 1
        if given["status_i"] and seen["cmd_valid_o"]:
            self._begin(seen["cmd_o"] & 15)
            self.commands.append(seen["cmd_o"])
        if seen["end_o"]:
            # A second one: it waits for no stream.
            self.packets = 0 if self.ended and not self.wiping else self.packets
            self.out, self.wiping, self.ended = [], 12, True
            if self.result is not None:
                self.result = "zeroized" if seen["end_o"] == ZEROIZE else "fault"

    def _begin(self, operation: int) -> None:
        if operation in (
            COMMANDS.operations.index("verify"),
            COMMANDS.operations.index("verify_mu"),
        ):
            self.packets, self.result = self.takes, self.verify_result
            self.out = [(word, 1) for word in self.verdicts]
        elif operation == COMMANDS.operations.index("keygen"):
            self.packets, self.result, self.out = 0, "none", [(7, 0), (8, 1)]
        else:
            self.packets, self.result = 1, self.sign_result
            words = self.signs if self.sign_result == "none" else []
            self.out = [(w, int(at == len(words) - 1)) for at, w in enumerate(words)]


def host_words(*packets: Packet) -> list[int]:
    return [
        1 << 73 | int(at == len(packet) - 1) << 72 | 255 << 64 | word
        for packet in packets
        for at, word in enumerate(packet)
    ]


MESSAGE, PK = (11, 12), (21, 22, 23)
SENT = host_words(MESSAGE, PK, MESSAGE)


@dataclass
class Run:
    """What a host sees of commands, and what was driven in each cycle."""

    public: list[tuple[int, int]] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    driven: list[Cycle] = field(default_factory=list)
    alert: bool = False
    left: int = 0  # words that were not taken
    idle: int = 0  # the cycle since which it is


def run(
    model: CycleModel,
    core: Core,
    commands: Sequence[int],
    words: Sequence[int] = SENT,
    *,
    stall: float = 0.0,
    seed: int = 0,
    zeroize: Sequence[int] = (),
    stops: int = 1 << 30,
    mutant: int = 0,
    most: int = 600,
) -> Run:
    """Commands one after the other; the host sends no words from the cycle `stops` on."""
    rng, found, waiting, sent = random.Random(seed), Run(), list(commands), list(words)
    offered = False
    model.reset()
    for cycle in range(most):
        offered = bool(sent) and (offered or rng.random() >= stall) and cycle < stops
        given = core.drive(rng.random() >= stall) | {
            "cmd_valid_i": int(bool(waiting)),
            "cmd_i": waiting[0] if waiting else 0,
            "result_ready_i": int(rng.random() >= stall),
            "m_pub_ready_i": int(rng.random() >= stall),
            "end_i": ZEROIZE * (cycle in zeroize),
            "s_pub_i": sent[0] if offered else 0,
            "mutant_i": mutant,
        }
        seen = model.step(**given)
        found.driven.append(given)
        core.see(given, seen)
        if waiting and seen["cmd_ready_o"]:
            del waiting[0]
        if offered and seen["s_pub_ready_o"]:
            del sent[0]
            offered = False
        if given["m_pub_ready_i"] and seen["m_pub_o"] >> 65:
            found.public.append((seen["m_pub_o"] & (1 << 64) - 1, seen["m_pub_o"] >> 64 & 1))
        if given["result_ready_i"] and seen["result_valid_o"]:
            found.results.append(ERRORS[seen["result_o"]])
        found.alert |= bool(seen["status_o"] & ALERT)
        idle = bool(seen["status_o"] & IDLE) and not waiting
        found.idle = (found.idle or cycle) if idle else 0
        if found.idle and cycle > found.idle + 8 and cycle > max(zeroize, default=0) + 8:
            break
    found.left = len(sent)
    return found


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    where = tmp_path_factory.mktemp("release")
    source = where / "ntf_mldsa_release.sv"
    sources = [library()[name] for name in needed("ntf_mldsa_release", library())]
    source.write_text(with_mutants(sources[-1].read_text(), [*MUTANTS.values()]))
    opened = settings(
        where,
        {"ntf_mldsa_release": "fault_q", "ntf_prim_kept": "*_q", "ntf_prim_axis_slice": "*_q"},
    )
    needs = [opened, *sources[:-1], source]
    return CycleModel.build(
        where / "model", needs, "ntf_mldsa_release", PORTS, {"Words": str(WORDS)}
    )


def whole(words: Sequence[int]) -> list[tuple[int, int]]:
    return [(word, int(at == len(words) - 1)) for at, word in enumerate(words)]


def signs(model: CycleModel, mutant: int = 0) -> None:
    """A signature leaves when the core has verified it, by what the host sent."""
    for number, (operation, check) in enumerate(
        {"sign": "verify", "sign_mu": "verify_mu", "sign_loaded": "verify"}.items()
    ):
        for words in (WORDS, WORDS - 1, 1):
            core = Core(signature(words, words))
            asked, stall = command(operation), number * 0.3
            found = run(model, core, [asked] * 2, SENT * 2, stall=stall, seed=words, mutant=mutant)
            assert core.commands == [asked, command(check)] * 2
            assert found.results == ["none"] * 2 and not found.alert and not found.left
            assert found.public == whole(core.signs) * 2
            checked = [
                *((word, 255, int(at == 1)) for at, word in enumerate(MESSAGE)),
                *((word, 255, int(at == 2)) for at, word in enumerate(PK)),
                *((word, TAIL if last else 255, last) for word, last in whole(core.signs)),
                *((word, 255, int(at == 1)) for at, word in enumerate(MESSAGE)),
            ]
            assert core.came == checked * 2
            wiped(model, core)


def wiped(model: CycleModel, core: Core) -> None:
    for _ in range(3):
        model.step(status_i=IDLE)
    state = model.state()
    assert not any(word.to_bytes(8, "little") in state for word in core.signs)


def refuses(model: CycleModel, mutant: int = 0) -> None:
    """What was not found right in both ways ends with a fault, and none of it leaves."""
    for reason, verdicts in (
        *((reason, [RESULT_WORD]) for reason in ("signature", "fault")),
        *(("none", [word]) for word in (REFUSED_WORD, 0, RESULT_WORD ^ 1)),
        *(("none", words) for words in ([], [RESULT_WORD] * 2, [REFUSED_WORD, RESULT_WORD])),
        ("signature", [REFUSED_WORD]),
    ):
        core = Core(verdicts=verdicts, verify_result=reason)
        found = run(model, core, [command("sign")], stall=0.2, mutant=mutant)
        assert (found.results, found.public, found.left) == (["fault"], [], 0), (reason, verdicts)
        assert found.alert or reason == "fault"
        wiped(model, core)
    # As the core says, if the host's packets have wrong lengths.
    found = run(model, Core(verdicts=[], verify_result="length"), [command("sign")], mutant=mutant)
    assert (found.results, found.public, found.alert) == (["length"], [], False)
    # A verification that has not seen the message.
    found = run(model, Core(takes=2), [command("sign")], mutant=mutant)
    assert (found.results, found.public, found.alert, found.left) == (["fault"], [], True, 0)
    # More words than there are.
    found = run(model, Core(signature(1, WORDS + 1)), [command("sign")], mutant=mutant)
    assert (found.results, found.public, found.alert, found.left) == (["fault"], [], True, 0)


def errors(model: CycleModel, mutant: int = 0) -> None:
    """How Sign ends otherwise; what the host sends is drained; others pass."""
    for reason in ("key", "length", "tries", "zeroized", "fault"):
        core = Core(sign_result=reason)
        asked = [command("sign_loaded"), command("keygen")]
        found = run(model, core, asked, stall=0.3, mutant=mutant)
        assert (found.results, found.public, found.left) == ([reason, "none"], whole([7, 8]), 0)
        assert core.commands == asked
    # No such set, and a load: neither signs.
    for other in (command("sign", 3), command("load")):
        core = Core(signs=[])
        found = run(model, core, [other], host_words(MESSAGE), mutant=mutant)
        assert found.results == ["none"] and core.commands == [other]


def ends(model: CycleModel, mutant: int = 0) -> None:
    """Zeroize in each cycle: all that is left is drained, the next command is not touched."""
    last = run(model, Core(), [command("sign")], mutant=mutant).idle
    kinds = set()
    for cycle in range(last + 1):
        core = Core()
        twice = ([command("sign")] * 2, SENT * 2)
        found = run(model, core, *twice, stall=0.2, seed=cycle, zeroize=[cycle], mutant=mutant)
        ended = found.results[0] == "zeroized"
        assert found.results in (["zeroized", "none"], ["none"] * 2), cycle
        # Of the first one nothing, all, or some words, and zeros.
        first, second = found.public[: -len(core.signs)], found.public[-len(core.signs) :]
        assert second == whole(core.signs) and not found.alert
        begun = [*whole(core.signs)[: len(first) - 1], (0, 1)]
        assert first in ([], whole(core.signs), begun) and (ended or first == whole(core.signs))
        kinds.add((ended, len(first)))
        # Nothing stays if the host sends nothing more: again, and it waits for no stream.
        core = Core()
        sent, again = [command("sign")] if cycle > 8 else [], [cycle, cycle + BOUND]
        found = run(model, core, sent, zeroize=again, stops=cycle, mutant=mutant)
        assert found.idle and found.idle < cycle + 2 * BOUND, cycle
        wiped(model, core)
    assert {(True, 0), (False, WORDS)} < kinds and len(kinds) > 3


TESTS: tuple[Callable[..., None], ...] = (signs, refuses, errors, ends)


@pytest.mark.parametrize("test", TESTS)
def test_release(model: CycleModel, test: Callable[..., None]) -> None:
    test(model)


def flipped(model: CycleModel, driven: Sequence[Cycle]) -> Iterator[tuple[str, int, int, bytes]]:
    """Each flip of a bit at a cycle, and what is seen from then on."""
    vectors = [model.vectors([cycle]) for cycle in driven]
    places = list(bits(registers(model)))
    model.reset()
    for at, vector in enumerate(vectors):
        state, rest = model.state(), b"".join(vectors[at:])
        for register, bit in places:
            model.restore(state)
            register.flip(bit)
            yield register.name, bit, at, model.replay(rest)
        model.restore(state)
        model.replay(vector)


def shows(model: CycleModel, raw: bytes) -> list[int]:
    """Words of the public output that are offered or show anything."""
    size = model._out_bytes
    return [
        word
        for at in range(0, len(raw), size)
        if (word := int.from_bytes(raw[at : at + 9], "little") & (1 << 66) - 1)
    ]


def leaks(model: CycleModel, mutant: int = 0) -> set[str]:
    """Flips that let out a word of a signature that is not right, by both or by one of two ways."""
    found = set()
    for verdicts, reason in (
        ([REFUSED_WORD], "signature"),
        ([REFUSED_WORD], "none"),
        ([RESULT_WORD], "signature"),
        ([], "none"),
    ):
        core = Core(signature(3, 3), verdicts=verdicts, verify_result=reason)
        driven = run(model, core, [command("sign")], mutant=mutant).driven
        for name, bit, at, raw in flipped(model, driven):
            if shows(model, raw):
                found.add(f"{name} {bit} in {at}")
    return found


def test_no_flip_lets_an_unverified_signature_out(model: CycleModel) -> None:
    assert not leaks(model)


def test_a_flip_of_what_decides_is_a_fault(model: CycleModel) -> None:
    """And of a right signature nothing else leaves than its words, and zeros at an early end."""
    core = Core(signature(3, 3))
    golden = run(model, core, [command("sign")])
    words = [1 << 65 | last << 64 | word for word, last in whole(core.signs)]
    assert golden.results == ["none"]
    alert = model.offset("status_o")
    deciding = set()
    for name, bit, at, raw in flipped(model, golden.driven):
        if "slice" in name or name == "fault_q":
            continue
        deciding.add(name)
        assert {*shows(model, raw)} <= {*words, 3 << 64}
        alerted = int.from_bytes(raw[-model._out_bytes :], "little") >> alert & ALERT
        assert alerted or at == len(golden.driven) - 1, (name, bit, at)
    assert len(deciding) == 5  # three copies, and two rails


@pytest.mark.parametrize("number", range(1, len(MUTANTS) + 1), ids=[*MUTANTS])
def test_mutants_are_found(model: CycleModel, number: int) -> None:
    if number == 1:
        assert leaks(model, number)
        return
    with pytest.raises(AssertionError):
        for test in TESTS:
            test(model, number)
