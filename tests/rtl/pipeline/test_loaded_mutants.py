# SPDX-License-Identifier: Apache-2.0
"""Defects of what is loaded and made: seen in results, in error bits, or as what hangs."""

import random
from dataclasses import replace

import numpy as np
import pytest

from nttforge.design import parse_design
from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared, prepare
from nttforge.hw.core import Core, Load
from nttforge.simulate.stream import StreamSimulator
from tests.loaded_primes import engine, loaded_with, wrong_words
from tests.mutants import beside
from tests.mutation.sites import CHOSEN

PORT, FRAMER = "rtl/pipeline/ntf_loaded_port.sv", "rtl/pipeline/ntf_loaded_framer.sv"
MAKER, TABLES = "rtl/pipeline/ntf_loaded_maker.sv", "rtl/pipeline/ntf_loaded_tables.sv"
CONSTANTS, EARLY = "rtl/pipeline/ntf_loaded_constants.sv", "rtl/pipeline/ntf_early.sv"
ROOT, WORDS = "rtl/arith/ntf_loaded_root.sv", "rtl/arith/ntf_loaded_words.sv"
CENTRE, DELAY = "rtl/arith/ntf_loaded_centre.sv", "rtl/arith/ntf_mod_delay.sv"
STAGE = "rtl/pipeline/ntf_stage.sv"

#: Name -> file, pattern of an expression, what it becomes.
MUTANTS = {
    "a load does not wait for transforms": (PORT, r"load \? !busy_i : ready_i", "ready_i"),
    "a transform waits for no check": (PORT, r"valid_i && !load && !pending_q", "valid_i && !load"),
    "any place is loaded": (PORT, r"place_fits && loaded_q\[place\]", "place_fits"),
    "the check is not asked": (PORT, r"(?<=loaded_q\[place_q\] <= )root_good", "1'b1"),
    "an even modulus": (PORT, r"word_i\[Zeros-1:0\] == Zeros'\(1\)", "1'b1"),
    "a modulus of 1": (PORT, r"word_i\[W-1:Zeros\] != '0", "1'b1"),
    "a place that there is not": (PORT, r"32'\(place\) < Places", "1'b1"),
    "a load that is too long": (PORT, r"(?<=good = )last_factor && last_i", "last_factor"),
    "a load that is too short": (PORT, r"(?<=good = )last_factor && last_i", "last_i"),
    "lengths of the first table": (PORT, r"\(rom_q < 16'd2\) \? rom_q\[1:0\] : 2'd2", "2'd0"),
    "a place for each beat": (FRAMER, r"first \? framed_place : place_q", "framed_place"),
    "a place that is not loaded": (FRAMER, r"error \| missing", "error"),
    "nothing is inside": (FRAMER, r"inside_q != '0", "1'b0"),
    "high words of the first place": (
        MAKER,
        r"(?<=raddr_i\()HighAddrW'\(32'\(place\) << HighW\)",
        "HighAddrW'(0)",
    ),
    "low words are high ones": (MAKER, r"number & 32'\(\(1 << LowW\) - 1\)", "number >> HighW"),
    "words of the other path": (MAKER, r"highs\[path_q\]", "highs[~path_q]"),
    "lanes' words of the other path": (MAKER, r"words\[late_path_q\]", "words[~late_path_q]"),
    "factors of the table's first place": (
        TABLES,
        r"(?<=raddr = )RamW'\(32'\(place_i\) << AddrW\)",
        "RamW'(0)",
    ),
    "constants of the first place": (CONSTANTS, r"(?<=raddr_i\()place_i", "PlaceW'(0)"),
    "the modulus is never new": (CONSTANTS, r"(?<=mod_o\[ModW-1\] <= )first_i", "1'b0"),
    "beats are not counted ahead": (EARLY, r"beat_q \+ BeatW'\(1\)", "beat_q"),
    "the first row alone": (CENTRE, r"sum\[W\+1\] == x\[W\]", "1'b0"),
    "always the other one": (CENTRE, r"sum\[W\+1\] == x\[W\]", "1'b1"),
    "a root of q and more": (ROOT, r"!less_q\[W\]", "1'b0"),
    "any root": (ROOT, r"\(bits_q\[W-1\] \? sum_d : sum_q\) != \{q_q\[W-1:1\], 1'b0\}", "1'b0"),
    "a squaring less": (ROOT, r"CountW'\(Squarings - 1\)", "CountW'(Squarings - 2)"),
    "words of q": (WORDS, r"word\[i\] > \{mod_i\[FW-1:0\], Zeros'\(0\)\}", "1'b0"),
    "words from q - 1 on": (
        WORDS,
        r"word\[i\] > \{mod_i\[FW-1:0\], Zeros'\(0\)\}",
        "word[i] >= {mod_i[FW-1:0], Zeros'(0)}",
    ),
    "the last words alone": (WORDS, r"wrong_q && !new_q", "1'b0"),
    "errors are not told": (STAGE, r"out_tag\[TagW-1\] \| out_wrong", "out_tag[TagW-1]"),
}


@pytest.fixture(scope="module")
def prepared() -> Prepared[Core]:
    ring = {"n": 16, "q": "runtime", "bits": 30, "moduli": 3}
    table = {"butterflies": 2, "twiddles": "made", "made_from": 8}
    return prepare(parse_design({"name": "dut", "rings": [ring], "pipeline": table}, "test"))


@pytest.fixture(scope="module")
def spoiled(prepared: Prepared[Core], tmp_path_factory: pytest.TempPathFactory) -> Prepared[Core]:
    return beside(prepared, tmp_path_factory.mktemp("loaded") / "dut", [*MUTANTS.values()])


def marked(simulator: StreamSimulator, core: Core, place: int, data: list[int]) -> bool:
    """Whether a transform of words has the error bit."""
    simulator.core = core
    try:
        simulator.stream([core.operations[2 * place]], np.array([data], dtype=np.uint64))
    except FaultError as error:
        assert "tuser is" in str(error), error
        return True
    return False


def check(simulator: StreamSimulator, core: Core) -> None:
    """All that is promised of loads, places and words."""
    rng = random.Random(0)
    core = loaded_with(core, (97, 12289, core.operations[0].ring.q))
    for _ in range(3):
        assert not wrong_words(simulator, core, 24, rng)
    n, q = core.operations[0].ring.n, core.operations[0].ring.q
    fine, load = [q - 1] * n, core.loads[0]
    at = 2 if engine(core).moduli.inverse else 1

    def with_words(*words: int, code: int = load.code) -> Core:
        return replace(core, loads=(*core.loads, Load(code, words, load.wait)))

    for wrong in (q, q + 1):
        for place in (0, n // 2, n - 1):
            data = [*fine[:place], wrong, *fine[place + 1 :]]
            assert marked(simulator, core, 0, data)
    assert not marked(simulator, core, 0, fine)
    words = load.words
    for changed in (
        words[:-1],
        (*words, 0),
        (words[0] - 1, *words[1:]),
        (1, *words[1:]),
        words[: at + 2],
        *((*words[:at], root, *words[at + 1 :]) for root in (0, q - 1, words[at] ** 2 % q)),
        (*words[:at], words[at] + q, *words[at + 1 :]),
    ):
        assert marked(simulator, with_words(*changed), 0, fine), changed
        assert not marked(simulator, with_words(*changed), 1, fine)
    assert not marked(simulator, with_words(*words, code=load.code + 6), 0, fine)
    assert marked(simulator, replace(core, loads=core.loads[:2]), 2, fine)


def test_what_is_right_is_found_right(
    spoiled: Prepared[Core], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, "0")
    with spoiled.simulator() as simulator:
        check(simulator, spoiled.core)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_defect_is_seen(
    name: str, spoiled: Prepared[Core], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, str([*MUTANTS].index(name) + 1))
    with spoiled.simulator() as simulator, pytest.raises((AssertionError, FaultError)):
        check(simulator, spoiled.core)
