# SPDX-License-Identifier: Apache-2.0
"""Registers of a chain: loads of both its pipelines, beside sums; what places hold; and defects."""

import random
from pathlib import Path

import numpy as np
import pytest

from nttforge.cache import design_files
from nttforge.flow.prepare import Prepared, prepare_any
from nttforge.kinds.stream.chain import ChainCore
from nttforge.kinds.stream.chain_machine import Beats, ChainMachine, Sum, Term, right
from nttforge.kinds.stream.loaded import ring_of
from nttforge.kinds.stream.loaded_registers import STATUSES, load_writes, loaded_registers
from nttforge.ring.arithmetic import Array
from nttforge.ring.ring import Ring
from nttforge.simulate.cycles import CycleModel
from tests.known_primes import drawn
from tests.mutants import beside
from tests.mutation.sites import CHOSEN
from tests.rtl.pipeline.test_chain_design import SHAPES, design_of
from tests.rtl.pipeline.test_loaded_registers import wrong_loads
from tests.rtl.pipeline.test_loaded_writes import Drive, access, together
from tests.slang import complaints
from tests.test_style import verible_lint, verilator_lint
from tests.undriven import undriven

ENTRY, OWN = "rtl/pipeline/ntf_loaded_entry.sv", "rtl/pipeline/ntf_loaded_registers.sv"
MAP = loaded_registers(chain=True)
#: Name -> file, pattern of an expression, what it becomes.
MUTANTS = {
    "a load cuts into a sum": (ENTRY, r"s_user_i\[UserW-1\] \|\| s_user_i\[1\]", "1'b1"),
    "a sum never ends": (ENTRY, r"s_user_i\[UserW-1\] \|\| s_user_i\[1\]", "s_user_i[UserW-1]"),
    "a load of the stream never ends": (
        ENTRY,
        r"s_user_i\[UserW-1\] \|\| s_user_i\[1\]",
        "s_user_i[1]",
    ),
    "what a later beat says counts": (ENTRY, r"(?<=ends = )first_q", "1'b1"),
    "a check ends the next load": (OWN, r"begins\[p\] \|\| last_second_q == 1'\(p\)", "1'b1"),
    "loads of the forward pipeline alone": (OWN, r"(?<=last_word, )second_q", "1'b0"),
    "statuses of the forward pipeline alone": (
        OWN,
        r"(?<=shown\[)\(Pipelines == 2\) && second_q",
        "1'b0",
    ),
    "moduli of the forward pipeline alone": (
        OWN,
        r"(?<=held\[)\(Pipelines == 2\) && second_q",
        "1'b0",
    ),
    "there is a third pipeline": (OWN, r"access.wdata\[31:9\] == '0", "1'b1"),
    "the last load was of the forward one": (OWN, r"(?<=\{)last_second_q(?=, 8)", "1'b0"),
    "the place that is looked at is of the forward one": (
        OWN,
        r"(?<=\{)second_q(?=, 8)",
        "1'b0",
    ),
}


class Bench:
    """A chain whose input, keys and registers are driven together."""

    def __init__(self, prepared: Prepared[ChainCore]) -> None:
        self.core = prepared.core
        self.model: CycleModel = ChainMachine.of(prepared).model
        self.rng = random.Random(11)

    def together(self, *drives: Drive, limit: int = 40_000) -> list[list[int]]:
        """See :func:`together`."""
        return together(self.model, *drives, limit=limit, rng=self.rng)

    def feed(self, bus: str, beats: list[int], pauses: tuple[int, ...] = ()) -> Drive:
        """Beats of a stream; before those of some numbers a long pause."""
        core = self.core
        for at, beat in enumerate(beats):
            for _ in range(900 if at in pauses else 0):
                yield {}
            drive = {
                f"{bus}_tvalid": 1,
                f"{bus}_tlast": beat & 1,
                f"{bus}_tdata": beat >> 1 & (1 << core.data_bits) - 1,
            }
            if bus == "s_axis":  # of later beats it is arbitrary
                first = at == 0 or beats[at - 1] & 1
                other = self.rng.getrandbits(core.user_bits)
                drive["s_axis_tuser"] = beat >> 1 + core.data_bits if first else other
            while not (yield drive)[f"{bus}_tready"]:
                pass

    def words(self, place: int, inverse: int, words: tuple[int, ...]) -> Drive:
        """A load of one pipeline through registers, until it is checked."""
        yield from access(True, MAP["place"].address, inverse << 8 | place)
        for name, half, value in load_writes(words):
            while not half and not (yield from access(False, MAP["load"].address)) & 0xFF:
                pass
            yield from access(True, MAP[name].address + 4 * half, value)
        for _ in range(10):
            yield {}
        while STATUSES[(yield from access(False, MAP["status"].address)) & 0xFF] == "under_way":
            pass

    def load(self, place: int, ring: Ring, wait: int = 0) -> Drive:
        """Loads of both pipelines."""
        for _ in range(wait):
            yield {}
        for inverse, pipeline in enumerate((self.core.forward, self.core.inverse)):
            yield from self.words(place, inverse, tuple(pipeline.load_words(ring)))

    def read(self, name: str, half: int = 0) -> int:
        """A register."""
        found: list[int] = []

        def drive() -> Drive:
            found.append((yield from access(False, MAP[name].address + 4 * half)))

        self.together(drive(), limit=20)
        return found[0]

    def accepts(self, place: int) -> bool:
        """Whether a place can be looked at."""

        def drive() -> Drive:
            yield from access(True, MAP["place"].address, place)

        try:
            self.together(drive(), limit=20)
        except AssertionError:
            return False
        return True

    def place(self, place: int, inverse: int) -> tuple[str, int]:
        """Status and modulus of a pipeline's place."""
        assert self.accepts(inverse << 8 | place)
        assert self.read("place") == inverse << 8 | place
        modulus = self.read("modulus") | self.read("modulus", 1) << 32
        return STATUSES[self.read("status")], modulus

    def last(self) -> tuple[str, int, int]:
        """Status, place and pipeline of the load that began last."""
        word = self.read("last_load")
        return STATUSES[word & 0xFF], word >> 8 & 0xFF, word >> 16

    def sums(
        self, sums: list[tuple[Ring, Sum]], *more: Drive, pauses: tuple[int, ...] = ()
    ) -> None:
        """Sums are right, or marked, while something else happens."""
        core, beats = self.core, Beats(self.core)
        for ring, each in sums:
            beats.add(ring, each)
        found = self.together(
            self.feed("s_axis", beats.polynomials, pauses), self.feed("k_axis", beats.keys), *more
        )
        assert len(found) == len(sums)
        for (ring, each), packet in zip(sums, found, strict=True):
            marked, user = divmod(packet[0], 1 << core.result_bits - 1)
            assert (marked, user) == (each.marked, each.place << 1)
            if not each.marked:
                assert core.polynomial_of(packet[1:]).tolist() == right(ring, each.terms).tolist()

    def sum(self, ring: Ring, place: int, terms: int, *, marked: bool = False) -> tuple[Ring, Sum]:
        """A drawn one."""

        def words() -> Array:
            return np.array([self.rng.randrange(ring.q) for _ in range(ring.n)], object)

        return ring, Sum(place, [Term(words(), words()) for _ in range(terms)], marked)


def rings_of(core: ChainCore, count: int) -> list[Ring]:
    """Of drawn primes."""
    rng, zeros = random.Random(12), core.forward.moduli.zeros
    return [ring_of(core.design, drawn(core.bits, zeros, rng)) for _ in range(count)]


def check_places(bench: Bench) -> list[Ring]:
    """All places loaded through registers, and a sum of each."""
    core, rings = bench.core, rings_of(bench.core, bench.core.places)
    for place, ring in enumerate(rings):
        assert bench.place(place, 0) == bench.place(place, 1) == ("none", 0)
        bench.together(bench.load(place, ring))
        assert bench.place(place, 0) == bench.place(place, 1) == ("ready", ring.q)
        assert bench.last() == ("ready", place, 1)
    bench.sums([bench.sum(ring, place, 1 + place) for place, ring in enumerate(rings)])
    assert not any(bench.accepts(place) for place in (core.places, 0x200, 0x10000))
    assert bench.read("faults") == 0
    return rings


def check_between_sums(bench: Bench, rings: list[Ring]) -> None:
    """A load waits until a sum is over, whose terms come late; and the stream until it is over."""
    core = bench.core
    place, old, new = core.places - 1, rings[-1], rings_of(core, 8)[-1]
    first = bench.sum(old, place, 3)
    pauses = (core.beats // 2, core.beats, 2 * core.beats)
    bench.sums([first], bench.load(place, new, wait=40), pauses=pauses)
    assert bench.place(place, 0) == bench.place(place, 1) == ("ready", new.q)
    bench.sums([bench.sum(new, place, 2)])
    # Loads of the stream and of registers, of different places, and a sum behind them.
    beats = Beats(core)
    beats.load(0, old)
    bench.together(bench.feed("s_axis", beats.polynomials), bench.load(place, rings[-1]))
    assert bench.place(0, 0) == bench.place(0, 1) == ("ready", old.q if place else rings[-1].q)
    rings[0] = old
    bench.sums([bench.sum(rings[place], place, 2), bench.sum(rings[0], 0, 1)])


def check_wrong(bench: Bench, rings: list[Ring]) -> None:
    """Wrong loads of either pipeline, with the reason in its place; sums of it are marked."""
    core = bench.core
    for inverse, pipeline in enumerate((core.forward, core.inverse)):
        words = tuple(pipeline.load_words(rings[0]))
        at = 2 if pipeline.moduli.inverse else 1
        for reason, wrong in wrong_loads(words, at, core.bits):
            if any(word >> core.bits for word in wrong):
                continue  # does not fit its register
            bench.together(bench.words(0, inverse, wrong))
            assert bench.last() == (reason, 0, inverse)
            assert bench.place(0, inverse) == (reason, wrong[0])
            assert bench.place(0, 1 - inverse) == ("ready", rings[0].q)
            bench.sums([bench.sum(rings[0], 0, 1, marked=True)])
            bench.together(bench.words(0, inverse, words))
            assert bench.place(0, inverse) == ("ready", rings[0].q)
    assert bench.read("faults") == 1
    bench.sums([bench.sum(rings[0], 0, 2)])
    # While the root of the first load is being checked, the second one is refused.
    beats = Beats(core)
    beats.load(0, rings[0])
    forward = 1 + next(at for at, beat in enumerate(beats.polynomials) if beat & 1)
    even = beats.polynomials[forward] & ~2 | 1
    bench.together(bench.feed("s_axis", [*beats.polynomials[:forward], even]))
    assert bench.place(0, 0) == ("ready", rings[0].q)
    assert bench.last() == ("even", 0, 1)


def check(prepared: Prepared[ChainCore]) -> None:
    """Places, loads between sums, wrong loads."""
    bench = Bench(prepared)
    rings = check_places(bench)
    check_between_sums(bench, rings)
    check_wrong(bench, rings)


def prepared_of(name: str) -> Prepared[ChainCore]:
    made = prepare_any(design_of(name, registers=True))
    assert isinstance(made.core, ChainCore)
    return made  # type: ignore[return-value]  # its core is one


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Prepared[ChainCore]:
    whole = prepared_of("four beats")
    return beside(whole, tmp_path_factory.mktemp("chain") / "dut", [*MUTANTS.values()])


def test_loads_of_both_pipelines(
    spoiled: Prepared[ChainCore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, "0")
    check(spoiled)


@pytest.mark.parametrize("name", [name for name in SHAPES if name != "four beats"])
def test_other_shapes(name: str) -> None:
    check(prepared_of(name))


@pytest.mark.parametrize("name", MUTANTS)
def test_a_defect_is_seen(
    name: str, spoiled: Prepared[ChainCore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, str([*MUTANTS].index(name) + 1))
    with pytest.raises(AssertionError):
        check(spoiled)


def test_linters_find_nothing(tmp_path: Path) -> None:
    """Of a folder with registers, whose page and SystemRDL have them."""
    made = prepared_of("made")
    files, folder, core = design_files(made.folder), made.folder, made.core
    assert not verilator_lint(files, core.wrapper.name, folder / "waivers.vlt")
    assert not complaints(files, core.wrapper.name, folder / "slang.f")
    assert not undriven(files, core.name, tmp_path)
    assert not verible_lint(sorted(folder.glob("*.sv")))
    readme, rdl = ((folder / name).read_text("utf-8") for name in ("README.md", "chain.rdl"))
    for register in MAP:
        assert f"| `{register.name}` |" in readme and f"\\{register.name} @" in rdl, register.name
