# SPDX-License-Identifier: Apache-2.0
"""Registers of loaded moduli: every wrong load with its reason, what places hold; and defects."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from nttforge.cache import design_files
from nttforge.design import Design, parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import Prepared, prepare
from nttforge.hw import build
from nttforge.hw.core import StreamCore
from nttforge.kinds.stream.loaded_registers import STATUSES, loaded_registers
from nttforge.simulate.cycles import CycleModel, Ports
from tests.loaded_primes import engine, loaded_with
from tests.mutants import beside
from tests.mutation.sites import CHOSEN
from tests.slang import complaints
from tests.test_style import verible_lint, verilator_lint
from tests.undriven import undriven

PORT, FRAMER = "rtl/pipeline/ntf_loaded_port.sv", "rtl/pipeline/ntf_loaded_framer.sv"
OWN = "rtl/pipeline/ntf_loaded_registers.sv"
MAP = loaded_registers()
#: Name -> file, pattern of an expression, what it becomes.
MUTANTS = {
    "an even modulus has another form": (PORT, r"word_i\[0\] \? LoadForm : LoadEven", "LoadForm"),
    "another form is even": (PORT, r"word_i\[0\] \? LoadForm : LoadEven", "LoadEven"),
    "no place is a modulus": (PORT, r"!place_fits(?= \? LoadPlace)", "1'b0"),
    "too many words are ready": (PORT, r"(?<=if \()state_q == StOver", "1'b0"),
    "too few words are under way": (PORT, r"(?<=else if \()last_i && !good", "1'b0"),
    "any end is short": (PORT, r"(?<=else if \()last_i && !good", "last_i"),
    "a wrong root is ready": (PORT, r"root_good \? LoadReady : LoadRoot", "LoadReady"),
    "a load does not begin": (PORT, r"begins \|\| status_d != status_q", "status_d != status_q"),
    "a change of status is not shown": (PORT, r"begins \|\| status_d != status_q", "begins"),
    "a transform is no fault": (FRAMER, r"framed_valid && first && missing", "1'b0"),
    "any transform is a fault": (FRAMER, r"framed_valid && first && missing", "framed_valid"),
    "a fault is never cleared": (OWN, r"access.waddr == AddrFaults && access.wdata\[0\]", "1'b0"),
    "any write clears": (
        OWN,
        r"access.waddr == AddrFaults && access.wdata\[0\]",
        "access.waddr == AddrFaults",
    ),
    "any place can be looked at": (
        OWN,
        r"32'\(access.wdata\[7:0\]\) < 32'\(Places\)",
        "1'b1",
    ),
    "the first place alone": (OWN, r"access.wdata\[PlaceW-1:0\]", "PlaceW'(0)"),
    "statuses of the first place": (OWN, r"statuses_q\[place_q\]", "statuses_q[0]"),
    "moduli of the first place": (OWN, r"(?<=raddr_i\()place_q", "PlaceW'(0)"),
    "a modulus without a load": (OWN, r"shown_q == LoadNone", "1'b0"),
    "low bits twice": (OWN, r"shown_modulus\[63:32\]", "shown_modulus[31:0]"),
    "everything can be written": (
        OWN,
        r"(?<=default:                            write_error = )1'b1",
        "1'b0",
    ),
}


def design() -> Design:
    """Three places, with an inverse."""
    ring = {"n": 32, "q": "runtime", "bits": 36, "moduli": 3}
    table = {"butterflies": 2, "registers": True}
    return parse_design({"name": "dut", "rings": [ring], "pipeline": table}, "test")


class Bench:
    """Packets at the input, reads and writes of registers, an output that is never read."""

    def __init__(self, prepared: Prepared[StreamCore]) -> None:
        self.core = prepared.core
        ports = Ports.of(self.core.wrapper)
        self.model = CycleModel(
            CycleModel.kept(design_files(prepared.folder), self.core.name, ports), ports
        )
        self.model.reset()

    def send(self, user: int, beats: tuple[int, ...]) -> None:
        """A packet."""
        for at, beat in enumerate(beats):
            self.beat(s_axis_tlast=int(at == len(beats) - 1), s_axis_tuser=user, s_axis_tdata=beat)

    def beat(self, **drive: int) -> None:
        """A beat of the stream."""
        for _ in range(4000):
            if self.model.step(s_axis_tvalid=1, m_axis_tready=1, **drive)["s_axis_tready"]:
                return
        pytest.fail("it hangs")

    @property
    def root_at(self) -> int:
        """Number of the word of a load that is the root."""
        return 2 if engine(self.core).moduli.inverse else 1

    def load(self, place: int, words: tuple[int, ...], *, wait: bool = True) -> None:
        """A load; with `wait` until it is checked."""
        pipeline = engine(self.core)
        first = 1 << pipeline.place_bits + pipeline.path_bits
        self.send(first | pipeline.code(place, 0), words)
        self.wait(pipeline.load_wait if wait else 0)

    def transform(self, place: int) -> None:
        """A transform of zeros, until it is inside."""
        self.send(engine(self.core).code(place, 0), (0,) * self.core.stream.beats)
        self.wait(8)

    def wait(self, cycles: int) -> None:
        """Nothing comes in."""
        for _ in range(cycles):
            self.model.step(m_axis_tready=1)

    def read(self, name: str, half: int = 0) -> int:
        """A register's word. Raises OSError if it is refused."""
        request: dict[str, int] = {"s_axi_araddr": MAP[name].address + 4 * half}
        for _ in range(10):
            out = self.model.step(s_axi_arvalid=1, s_axi_rready=1, m_axis_tready=1, **request)
            if out["s_axi_arready"]:
                break
        for _ in range(10):
            out = self.model.step(s_axi_rready=1, m_axis_tready=1)
            if out["s_axi_rvalid"]:
                break
        if out["s_axi_rresp"]:
            raise OSError(name)
        return out["s_axi_rdata"]

    def write(self, name: str, value: int, half: int = 0) -> bool:
        """Whether a write is accepted."""
        address = MAP[name].address + 4 * half
        request = {"s_axi_awaddr": address, "s_axi_wdata": value, "s_axi_wstrb": 15}
        for _ in range(10):
            out = self.model.step(
                s_axi_awvalid=1, s_axi_wvalid=1, s_axi_bready=1, m_axis_tready=1, **request
            )
            if out["s_axi_awready"]:
                break
        for _ in range(10):
            out = self.model.step(s_axi_bready=1, m_axis_tready=1)
            if out["s_axi_bvalid"]:
                break
        assert out["s_axi_bvalid"]
        return not out["s_axi_bresp"]

    def place(self, number: int) -> tuple[str, int]:
        """Status and modulus of a place."""
        assert self.write("place", number)
        modulus = self.read("modulus") | self.read("modulus", 1) << 32
        return STATUSES[self.read("status")], modulus

    def last(self) -> tuple[str, int]:
        """Status and place of the last load."""
        word = self.read("last_load")
        return STATUSES[MAP["last_load"].field("status").get(word)], word >> 8


def wrong_loads(
    words: tuple[int, ...], at: int, bits: int
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Of a right load, whose root is word number `at`: what is wrong, and the words."""
    q, root = words[0], words[at]

    def of(modulus: int, psi: int) -> tuple[int, ...]:
        return (modulus, *words[1:at], psi, *words[at + 1 :])

    yield "even", of(q - 1, root)
    yield "even", of(0, root)
    yield "even", (q + 1,)
    yield "form", of(q + 2, root)
    yield "form", of(1, 0)
    yield "form", of((1 << bits) - 1, root)
    yield "form", (q + 2, *words[1:], 0, 0)
    yield "short", words[:1]
    yield "short", words[: at + 1]
    yield "short", words[:-1]
    yield "long", (*words, 0)
    yield "long", (*words, 0, 0, 0)
    yield "root", of(q, 0)
    yield "root", of(q, q - 1)
    yield "root", of(q, root * root % q)
    yield "root", of(q, root + q)


def check_empty(bench: Bench) -> None:
    """Before a load; a transform of such a place is remembered until it is cleared."""
    pipeline = engine(bench.core)
    places = pipeline.places
    assert bench.read("shape") == pipeline.moduli.bits << 8 | places
    assert bench.last() == ("none", 0)
    assert [bench.place(number) for number in range(places)] == [("none", 0)] * places
    assert bench.read("faults") == 0
    bench.transform(1)
    assert bench.read("faults") == 1
    assert bench.write("faults", 0) and bench.read("faults") == 1
    assert bench.write("faults", 1) and bench.read("faults") == 0


def check_right(bench: Bench, core: StreamCore) -> None:
    """Right loads, on the way and after it."""
    moduli = [each.words[0] for each in core.loads]
    for place, each in enumerate(core.loads):
        bench.load(place, each.words, wait=False)
        assert bench.last() == ("under_way", place)
        assert bench.place(place) == ("under_way", moduli[place])
        bench.wait(engine(core).load_wait)
        assert bench.last() == ("ready", place)
    places = [bench.place(number) for number in range(len(moduli))]
    assert places == [("ready", modulus) for modulus in moduli]
    bench.transform(1)
    assert bench.read("faults") == 0


def check_wrong(bench: Bench, core: StreamCore) -> None:
    """Each wrong load has its reason, and the other places are as they were."""
    pipeline, right = engine(core), core.loads[1].words
    moduli = [each.words[0] for each in core.loads]
    for reason, words in wrong_loads(right, bench.root_at, pipeline.moduli.bits):
        bench.load(1, words)
        assert bench.last() == (reason, 1)
        assert bench.place(1) == (reason, words[0])
        assert bench.place(0) == ("ready", moduli[0])
        assert bench.place(2) == ("ready", moduli[2])
        bench.load(2, words)  # refused for the same reason, and shown nevertheless
        assert bench.last() == (reason, 2)
        assert bench.place(2) == (reason, words[0])
        for place in (1, 2):
            bench.load(place, core.loads[place].words)
            assert bench.place(place) == ("ready", moduli[place])
    places = pipeline.places
    bench.load(places, right)
    assert bench.last() == ("place", places)
    assert [bench.place(number)[0] for number in range(places)] == ["ready"] * places


def check(prepared: Prepared[StreamCore]) -> None:
    """Every register, before a load, after right ones and after each wrong one."""
    core = loaded_with(prepared.core, (193, 12289, prepared.core.operations[0].ring.q))
    bench = Bench(prepared)
    check_empty(bench)
    check_right(bench, core)
    check_wrong(bench, core)
    # What there is not, or is not to be written, is refused.
    places = engine(core).places
    assert not bench.write("place", places) and not bench.write("place", 256)
    assert not any(bench.write(name, 0) for name in ("shape", "last_load", "status", "modulus"))
    assert not bench.write("load", 0)
    with pytest.raises(OSError, match="load_last"):
        bench.read("load_last", 2)
    assert bench.place(2) == ("ready", core.loads[2].words[0])


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Prepared[StreamCore]:
    whole = prepare(design())
    return beside(whole, tmp_path_factory.mktemp("registers") / "dut", [*MUTANTS.values()])


def test_every_wrong_load_has_its_reason(
    spoiled: Prepared[StreamCore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, "0")
    check(spoiled)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_defect_is_seen(
    name: str, spoiled: Prepared[StreamCore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, str([*MUTANTS].index(name) + 1))
    with pytest.raises(AssertionError):
        check(spoiled)


def test_linters_find_nothing(tmp_path: Path) -> None:
    """Of a folder with registers, whose page and SystemRDL have them."""
    made = prepare(design())
    files, folder, core = design_files(made.folder), made.folder, made.core
    assert not verilator_lint(files, core.wrapper.name, folder / "waivers.vlt")
    assert not complaints(files, core.wrapper.name, folder / "slang.f")
    assert not undriven(files, core.name, tmp_path)
    assert not verible_lint(sorted(folder.glob("*.sv")))
    readme, rdl = ((folder / name).read_text("utf-8") for name in ("README.md", "dut.rdl"))
    for register in MAP:
        assert f"| `{register.name}` |" in readme and f"\\{register.name} @" in rdl, register.name


def test_others_have_none() -> None:
    """Fixed moduli."""
    data = {"name": "dut", "rings": [{"n": 32, "q": 193}], "pipeline": {"registers": True}}
    with pytest.raises(NttforgeError, match="only loaded moduli"):
        build(parse_design(data, "test"))
