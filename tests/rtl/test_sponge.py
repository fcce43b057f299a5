# SPDX-License-Identifier: Apache-2.0
"""The sponge reports what it does: an upset of a start gives the right digest, or is seen."""

import hashlib
import random

import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.decomposed.unit_bench import Structures, width
from tests.rtl.faulty import registers, settings, with_mutants, without_assertions
from tests.rtl.mlkem_bench import RTL

#: sponge_req_t and sponge_rsp_t.
ASK = (
    *(("wipe", 1), ("start", 1), ("fresh", 1), ("stop", 1), ("absorbed", 1), ("pad", 3)),
    *(("head", 576), ("valid", 1), ("last", 1), ("whole", 1), ("suffix", 8), ("data", 64)),
    *(("take", 1), ("load", 1), ("narrow", 1), ("append", 1), ("digest", 1), ("taken", 4)),
)
TOLD = (
    *(("ready", 1), ("ready_soon", 1), ("valid_soon", 1), ("absorb_ready", 1), ("absorbed", 1)),
    *(("last_block", 1), ("room", 1), ("started", 1), ("loaded", 1), ("wiped", 1), ("fault", 1)),
    *(("has96", 1), ("has64", 1), ("window", 96), ("digest", 1024)),
)
NEEDS = (
    *("prim/ntf_prim_kept.sv", "lattice/ntf_sponge_pkg.sv", "lattice/ntf_keccak_round.sv"),
    *(
        "lattice/ntf_keccak_f1600.sv",
        "lattice/ntf_sponge_absorb.sv",
        "lattice/ntf_squeeze_buffer.sv",
    ),
)
COMPARED = "{fresh, message} != ({2{start}} & {ask_i.fresh, ask_i.absorbed})"
MUTANTS = {
    "what a start clears is not compared": {COMPARED: "message != (start & ask_i.absorbed)"},
    "what a start absorbs is not compared": {COMPARED: "fresh != (start & ask_i.fresh)"},
}
SHA3_256, COMMON = 6, 2  # the suffix, and the rate's last bit: of pad_t
WORDS = [random.Random(3).getrandbits(64) for _ in range(20)]  # two blocks
LATE = 3  # cycles from the load to the digest, and to a fault
Cycle = dict[str, int]


@pytest.fixture(scope="module")
def sponge(tmp_path_factory: pytest.TempPathFactory) -> Structures:
    where = tmp_path_factory.mktemp("ntf_sponge")
    source = where / "ntf_sponge.sv"
    text = (RTL / "lattice/ntf_sponge.sv").read_text()
    source.write_text(with_mutants(text, [*MUTANTS.values()]))
    opened = settings(where, {"ntf_prim_kept": "*_q"})
    ports = Ports({"ask_i": width(ASK), "mutant_i": 3}, {"told_o": width(TOLD)})
    sources = [without_assertions(where), opened, *(RTL / needed for needed in NEEDS), source]
    model = CycleModel.build(where / "model", sources, "ntf_sponge", ports)
    return Structures(model, {"ask_i": ASK}, {"told_o": TOLD})


def hashed(sponge: Structures) -> tuple[list[Cycle], int]:
    """What a unit asks for to hash a message of two blocks, cycle by cycle; and the digest."""
    words, driven, started, outputs = list(WORDS), list[Cycle](), 0, sponge.step()
    begun: list[bool] = [False, False]  # reported a cycle later
    while not outputs["loaded_o"]:
        start = bool(outputs["ready_soon_o"] and outputs["absorbed_o"]) and not any(begun[-2:])
        ask = {
            "suffix_i": SHA3_256,
            "whole_i": 1,
            "data_i": words[0] if words else 0,
            "valid_i": bool(words),
            "last_i": len(words) == 1,
            "start_i": start and started < 2,
            # Both stay for a cycle more.
            "fresh_i": not started or (started == 1 and begun[-1]),
            "absorbed_i": 1,
            "take_i": begun[-1],
            "load_i": bool(outputs["valid_soon_o"]) and started == 2 and not any(begun[-2:]),
            "digest_i": 1,
        }
        begun.append(start and started < 2)
        started += begun[-1]
        outputs = sponge.step(**ask)
        driven.append(ask)
        if ask["valid_i"] and outputs["absorb_ready_o"]:
            words.pop(0)
    driven += [{"digest_i": 1}] * (LATE + 1)
    return driven, sponge.run(driven[-LATE - 1 :])[-1]["digest_o"] & (1 << 256) - 1


def wrong(sponge: Structures, driven: list[Cycle], right: int, mutant: int = 0) -> list[str]:
    """Flips of what starts, loads and wipes that give another digest and are not seen."""
    places = [each for each in registers(sponge.model) if "u_left" not in each.name]
    assert len(places) == 7
    found = []
    sponge.reset()
    for at, ask in enumerate(driven):
        state = sponge.model.state()
        for register in places:
            sponge.model.restore(state)
            register.flip(0)
            rest = [{**each, "mutant_i": mutant} for each in driven[at:]]
            outputs = sponge.run(rest)
            asked = [driven[at - 1] if at else {}, *driven[at:]]
            seen = any(
                each["fault_o"]
                or each["started_o"] != bool(before.get("start_i"))
                or each["loaded_o"] != bool(before.get("load_i"))
                or (each["wiped_o"] and at + later)  # a reset wipes
                for later, (before, each) in enumerate(zip(asked, outputs, strict=False))
            )
            if not seen and outputs[-1]["digest_o"] & (1 << 256) - 1 != right:
                found.append(f"{register.name} in cycle {at}")
        sponge.model.restore(state)
        sponge.step(**ask)
    return found


def test_an_upset_of_what_starts_is_seen(sponge: Structures) -> None:
    sponge.reset()
    driven, digest = hashed(sponge)
    message = b"".join(word.to_bytes(8, "little") for word in WORDS)
    assert digest.to_bytes(32, "little") == hashlib.sha3_256(message).digest()
    assert not wrong(sponge, driven, digest)
    for number, name in enumerate(MUTANTS, start=1):
        assert wrong(sponge, driven, digest, number), name


def test_a_start_in_the_middle_of_a_permutation_is_told(sponge: Structures) -> None:
    """Who hashes compares it with what was asked for: this start is a fault there."""
    sponge.reset()
    hashed(sponge)
    (start,) = (each for each in registers(sponge.model) if "u_start" in each.name)
    for cycles in range(1, 23):
        sponge.reset()
        sponge.run([{}, {"start_i": 1, "fresh_i": 1}, {"fresh_i": 1}])
        sponge.run([{}] * cycles)
        start.flip(0)
        assert sponge.step()["started_o"]
