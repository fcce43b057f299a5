# SPDX-License-Identifier: Apache-2.0
"""A stream and loads at one input: packets stay whole, and a beat that is offered stays."""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from nttforge.rtl_library import library, needed
from nttforge.simulate.cycles import CycleModel, Ports
from tests.mutation.sites import CHOSEN, Mutant, spoiled

MODULE = "ntf_loaded_entry"
WIDTH, LANES, USER = 16, 2, 5
PORTS = Ports(
    {
        **{"s_valid_i": 1, "s_last_i": 1, "s_user_i": USER, "s_data_i": WIDTH * LANES},
        **{"l_valid_i": 1, "l_last_i": 1, "l_user_i": USER, "l_word_i": WIDTH},
        "m_ready_i": 1,
    },
    {
        **{"s_ready_o": 1, "l_ready_o": 1, "m_valid_o": 1, "m_last_o": 1, "m_user_o": USER},
        "m_data_o": WIDTH * LANES,
    },
)
#: {load, place, operation}; the operation is {constant, last, first}.
LOAD, LAST = 1 << USER - 1, 2
#: Cycles in which nothing moves that are a hang.
PATIENCE = 200
OFFERED = "s_valid_i && !registers"
MUTANTS = {
    "what is offered is exchanged for a load": "1'b0",
    "loads wait for a packet": "!registers",
    "a load that waits turns into the stream": "s_valid_i",
}


@pytest.fixture(scope="module", params=[False, True], ids=["packets", "sums"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The module with all mutants."""
    sums: bool = request.param
    found = {name: library()[name] for name in needed(MODULE, library())}
    data = found[MODULE].read_bytes()
    at = data.index(OFFERED.encode())
    span = (at, at + len(OFFERED))
    mutants = {
        number: Mutant(MODULE, 0, "", *span, OFFERED, bad)
        for number, bad in enumerate(MUTANTS.values(), start=1)
    }
    folder = tmp_path_factory.mktemp("entry")
    found[MODULE] = folder / f"{MODULE}.sv"
    found[MODULE].write_text(spoiled(data, mutants), "ascii")
    parameters = {"W": WIDTH, "Lanes": LANES, "UserW": USER, "Sums": int(sums)}
    return CycleModel.compiled(
        folder / "dut", [*found.values()], MODULE, PORTS, {k: str(v) for k, v in parameters.items()}
    )


def packets(way: str, rng: random.Random, count: int) -> Iterator[list[dict[str, int]]]:
    """Packets as beats; every second one of the stream's ends a sum."""
    for number in range(count):
        length = rng.randrange(1, 5)
        user = LOAD if way == "l" else LAST * (number % 2)
        word = "word" if way == "l" else "data"
        yield [
            {
                f"{way}_valid_i": 1,
                f"{way}_last_i": int(at == length - 1),
                f"{way}_user_i": user,
                f"{way}_{word}_i": rng.getrandbits(WIDTH),
            }
            for at in range(length)
        ]


def seen_at(way: str, beat: Mapping[str, int]) -> tuple[int, int, int]:
    """What a beat is at the output: {last, user, word of the lowest lane}."""
    word = beat["l_word_i" if way == "l" else "s_data_i"]
    return beat[f"{way}_last_i"], beat[f"{way}_user_i"], word


def check(library: Path, *, sums: bool) -> None:
    """Both at once, with pauses everywhere; then loads alone."""
    model = CycleModel(library, PORTS)
    for seed, stream in enumerate((40, 40, 40, 0)):
        rng = random.Random(seed)
        left = {
            way: [beat for packet in packets(way, rng, count) for beat in packet]
            for way, count in (("s", stream), ("l", 40))
        }
        wanted = {way: [seen_at(way, beat) for beat in beats] for way, beats in left.items()}
        found: dict[str, list[tuple[int, int, int]]] = {"s": [], "l": []}
        offers = dict.fromkeys(left, False)  # a beat that is offered stays, at the inputs too
        held: tuple[int, int, int] | None = None
        inside, still = "", 0  # whose packet is not over
        model.reset()
        while any(left.values()):
            offers = {way: bool(left[way]) and (offers[way] or rng.random() < 0.4) for way in left}
            inputs = {key: v for way in left if offers[way] for key, v in left[way][0].items()}
            ready = int(rng.random() < 0.5)
            out = model.step(m_ready_i=ready, **inputs)
            beat = out["m_last_o"], out["m_user_o"], out["m_data_o"] & (1 << WIDTH) - 1
            assert held is None or (out["m_valid_o"] and beat == held), "a beat was taken back"
            held = beat if out["m_valid_o"] and not ready else None
            still = 0 if out["m_valid_o"] and ready else still + 1
            assert still < PATIENCE, "it hangs"
            for way, beats in left.items():
                if offers[way] and out[f"{way}_ready_o"]:
                    assert out["m_valid_o"] and inside in ("", way), "a packet is cut"
                    found[way].append(beat)
                    given = beats.pop(0)
                    offers[way] = False
                    ends = way == "l" or not sums or given["s_user_i"] & LAST
                    inside = "" if given[f"{way}_last_i"] and ends else way
        assert found == wanted


def test_packets_of_both(
    built: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, "0")
    check(built, sums="sums" in request.node.name)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_defect_is_seen(
    name: str, built: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOSEN, str([*MUTANTS].index(name) + 1))
    with pytest.raises(AssertionError):
        check(built, sums="sums" in request.node.name)
