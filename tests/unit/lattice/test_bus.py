# SPDX-License-Identifier: Apache-2.0
"""The bus model around a scripted core: what it accepts as an answer, and slow sources."""

from collections.abc import Sequence
from typing import Any

import pytest

from nttforge.design import load_design
from nttforge.errors import FaultError
from nttforge.hw import build
from nttforge.kinds.lattice.bus import Coprocessor, Request, ports_of
from nttforge.kinds.lattice.mldsa.program import SETS as DSA_SETS
from nttforge.kinds.lattice.mlkem.program import SETS as KEM_SETS
from nttforge.kinds.lattice.pqc.registers import REGISTERS
from nttforge.kinds.lattice.standard import ML_DSA, ML_KEM, standards_of
from nttforge.simulate.cycles import Ports, places
from tests.coprocessors import BOTH_PORTS, DSA_CORE_PORTS, DSA_PORTS, KEM_PORTS, kem_request

Word = tuple[str, int, int]  # port, data, last


class Scripted:
    """A core of streams: takes a command and words of a secret, sends words, and then its result.

    `late`: words that it sends after the result.
    """

    def __init__(
        self, ports: Ports, words: int, sent: Sequence[Word], *late: Word, result: int = 0
    ) -> None:
        self.ports = ports
        self._inputs = list(places(ports.inputs))
        self._script: list[Word] = [*sent, ("m_result", result, 0), *late]
        self._left, self._commanded = words, False
        self.gaps: list[int] = [0]

    def packed(self, inputs: dict[str, int]) -> int:
        return sum(inputs.get(name, 0) << at for name, at, _ in self._inputs)

    def mask(self, *names: str) -> bytes:
        return " ".join(names).encode()

    def step(self) -> dict[str, int]:
        return self._seen()

    def _seen(self, **high: int) -> dict[str, int]:
        return {**dict.fromkeys(self.ports.read, 0), "idle_o": 1, **high}

    def until(
        self, _: bytes, __: bytes, given: Sequence[int], ___: int = 1
    ) -> tuple[int, dict[str, int], int]:
        drive = {name: given[0] >> at & mask for name, at, mask in self._inputs}
        if not self._commanded:
            self._commanded = bool(drive["s_command_tvalid"])
            return 1, self._seen(s_command_tready=1, idle_o=0), 0
        if self._left:
            self._left -= drive["s_sec_tvalid"]
            self.gaps = (
                [*self.gaps, 0] if drive["s_sec_tvalid"] else [*self.gaps[:-1], self.gaps[-1] + 1]
            )
            return 1, self._seen(s_sec_tready=1, idle_o=0), 0
        if not self._script:
            return 1, self._seen(), 0
        port, data, last = self._script[0]
        taken = drive[f"{port}_tready"]
        if taken:
            self._script.pop(0)
        high = {f"{port}_tvalid": 1, f"{port}_tdata": data}
        if port != "m_result":
            high[f"{port}_tlast"] = last
        return 1, self._seen(**high, idle_o=int(not self._script)), 0


KEYS: tuple[Word, ...] = (("m_pub", 1, 0), ("m_pub", 2, 1), ("m_sec", 3, 1))
KEYGEN = Request("keygen", DSA_SETS[0], bytes(32))


def ran(model: Any, request: Request = KEYGEN, stall: float = 0.0, seed: int = 0) -> Any:
    return Coprocessor(model).run(request, stall=stall, seed=seed)


@pytest.mark.parametrize("stall", [0.0, 0.5])
def test_what_came_is_the_answer(stall: float) -> None:
    run = ran(Scripted(DSA_CORE_PORTS, 4, KEYS), stall=stall)
    assert run.public == bytes([1, *bytes(7), 2, *bytes(7)])
    assert run.secret == bytes([3, *bytes(7)])
    assert run.reason == "none" and not run.error
    if not stall:
        assert run.cycles == 4 + 3
        assert [port for _, port in run.handshakes] == [*["s_sec"] * 4, "m_pub", "m_pub", "m_sec"]


@pytest.mark.parametrize(
    ("sent", "late", "kind"),
    [
        (KEYS[:2], (), "tlast"),  # no private key
        (KEYS[2:], (), "tlast"),
        ((*KEYS[:1], *KEYS[2:]), (), "tlast"),
        ((*KEYS, ("m_sec", 4, 1)), (), "tlast"),
        (KEYS, (("m_sec", 4, 1),), "superfluous"),
    ],
)
def test_a_wrong_answer_is_a_finding(sent: Sequence[Word], late: Sequence[Word], kind: str) -> None:
    with pytest.raises(FaultError) as found:
        ran(Scripted(DSA_CORE_PORTS, 4, sent, *late))
    assert found.value.kind == kind


def test_output_of_an_operation_that_has_none_is_a_finding() -> None:
    load = Request("load", DSA_SETS[0], bytes(32))
    with pytest.raises(FaultError) as found:
        ran(Scripted(DSA_CORE_PORTS, 4, KEYS[2:]), load)
    assert found.value.kind == "superfluous"


def test_sources_rest_whatever_the_standard() -> None:
    """Longer than stalls make it; without stalls, never."""
    requests = (KEYGEN, kem_request("keygen", KEM_SETS[0], b"", bytes(64)))
    for request, ports in zip(requests, (DSA_CORE_PORTS, BOTH_PORTS), strict=True):
        longest = []
        for seed in range(4):
            words, mark = len(request.secret) // 8, request.standard.mark
            model = Scripted(ports, words, KEYS, result=mark)
            ran(model, request, 0.4, seed)
            longest.append(max(model.gaps))
        assert max(longest) > 500
        model = Scripted(ports, words, KEYS, result=mark)
        ran(model, request)
        assert max(model.gaps) == 0


def test_commands_say_what_is_asked() -> None:
    kem = kem_request("decaps_seed", KEM_SETS[2], b"", bytes(64), check=True, entropy=b"")
    assert kem.command == 0b1111_0110
    dsa = Request("keygen_standard", DSA_SETS[1])
    assert dsa.command == 0b0010_1010
    for standard in (ML_KEM, ML_DSA):
        assert len({standard.byte(name) for name in standard.operations}) == len(
            standard.operations
        )


def test_one_table_has_the_commands_of_both_standards() -> None:
    """Operation and set say which standard, flags are where they are, and no command is two."""
    command, seen = REGISTERS["command"], set[int]()
    for standard in (ML_KEM, ML_DSA):
        for operation in standard.operations:
            for place, number in enumerate(standard.commands.sets):
                word = standard.word(command, operation, place, entropy=1, tag=255)
                named = command.field("operation").values[command.field("operation").get(word)]
                plain, *flags = standard.flagged.get(operation, (operation,))
                assert named == f"{standard.prefix}{plain}"
                assert command.field("set").values[command.field("set").get(word)] == number
                assert [command.field(flag).get(word) for flag in flags] == [1] * len(flags)
                assert command.field("tag").get(word) == 255
                seen.add(word)
        errors = REGISTERS["result"].field("error").values
        assert set(standard.errors) <= set(errors) and errors[0] == "none"
    assert len(seen) == 3 * (len(ML_KEM.operations) + len(ML_DSA.operations))


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "standards", "ports"),
    [
        ("ml-kem-coprocessor", (ML_KEM,), KEM_PORTS),
        ("ml-dsa-coprocessor", (ML_DSA,), DSA_PORTS),
        ("ml-dsa-core", (ML_DSA,), DSA_CORE_PORTS),
        ("pqc-core", (ML_KEM, ML_DSA), BOTH_PORTS),
        ("pqc-coprocessor", (ML_KEM, ML_DSA), DSA_PORTS),
    ],
)
def test_the_model_has_the_ports_of_the_core(name: str, standards: object, ports: Ports) -> None:
    core = build(load_design(name))
    assert standards_of(core) == standards
    assert ports_of(core) == ports
    shown = {port.name.removesuffix("_i").removesuffix("_o") for port in core.wrapper.ports}
    both = {*ports.inputs, *ports.outputs}
    assert {each.removesuffix("_i").removesuffix("_o") for each in both} <= shown | {"s_axi"}


def test_a_core_of_transforms_has_no_standard() -> None:
    assert not standards_of(build(load_design("ml-kem")))
