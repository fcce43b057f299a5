# SPDX-License-Identifier: Apache-2.0
"""The source of seeds, alone: no flip brings a word from elsewhere, or passes a seed of zeros."""

from collections.abc import Iterator

import pytest

from nttforge.rtl_library import library, needed
from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.faulty import bits, registers, settings, with_mutants

PORTS = Ports(
    {
        "start_i": 1,
        "entropy_i": 1,
        "last_i": 3,
        "alone_i": 1,
        "run_i": 1,
        "wipe_i": 1,
        "abandon_i": 1,
        "s_valid_i": 1,
        "s_last_i": 1,
        "s_data_i": 64,
        "entropy_valid_i": 1,
        "entropy_data_i": 64,
        "ready_i": 1,
        "mutant_i": 3,
    },
    {
        "fault_o": 1,
        "valid_o": 1,
        "last_o": 1,
        "open_o": 1,
        "seeding_o": 1,
        "s_ready_o": 1,
        "entropy_ready_o": 1,
        "data_o": 64,
    },
)
# Defects that must be found: each is what stands for expressions of the module.
MUTANTS = {
    "one rail says where words come from": {
        "rail_q[0].seeding & rail_q[1].seeding": "rail_q[0].seeding",
        "~rail_q[0].seeding & ~rail_q[1].seeding": "~rail_q[0].seeding",
    },
    "rails that differ are no fault": {"differ | (|zero)": "|zero"},
    "a seed of zeros passes": {"whole_q[r] & ~rail_q[r].some": "1'b0"},
    "of a seed the last word counts": {"rail_q[r].count[1:0] != 2'd0": "1'b0"},
}
D_Z = [1 << 8 * at for at in range(8)]
FOREIGN = 0xFEED  # what stands at the port that no word may come from
Cycle = dict[str, int]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    where = tmp_path_factory.mktemp("source")
    known = library()
    source = where / "ntf_seed_source.sv"
    source.write_text(
        with_mutants(known["ntf_seed_source"].read_text("utf-8"), [*MUTANTS.values()])
    )
    opened = settings(where, {"ntf_seed_source": "*_q", "ntf_prim_kept": "*_q"})
    others = [known[name] for name in needed("ntf_seed_source", known)[:-1]]
    return CycleModel.build(where / "model", [opened, *others, source], "ntf_seed_source", PORTS)


def packet(words: list[int], entropy: bool, gap: int = 1) -> list[Cycle]:
    """A packet of d and z, a word every `gap` + 1 cycles, and then a pause."""
    run = {"run_i": 1, "last_i": 7, "alone_i": 1, "ready_i": 1}
    here, there = ("entropy", "s") if entropy else ("s", "entropy")
    idle = {**run, f"{there}_valid_i": 1, f"{there}_data_i": FOREIGN}
    cycles = [{"start_i": 1, "last_i": 7, "alone_i": 1, "entropy_i": int(entropy)}]
    for at, word in enumerate(words):
        cycles += [idle] * gap
        last = {"s_last_i": 1} if here == "s" and at == len(words) - 1 else {}
        cycles.append({**idle, f"{here}_valid_i": 1, f"{here}_data_i": word, **last})
    return [*cycles, *[idle] * 4]


def passed(seen: list[Cycle]) -> list[int]:
    return [each["data_o"] for each in seen if each["valid_o"]]


def run(model: CycleModel, cycles: list[Cycle], mutant: int = 0) -> list[Cycle]:
    model.reset()
    return model.run([{**cycle, "mutant_i": mutant} for cycle in cycles])


@pytest.mark.parametrize("entropy", [False, True])
def test_words_come_from_one_port(model: CycleModel, entropy: bool) -> None:
    seen = run(model, packet(D_Z, entropy))
    assert passed(seen) == D_Z and not any(each["fault_o"] for each in seen)
    assert not seen[-1]["open_o"]


def zeros_pass(model: CycleModel, mutant: int = 0) -> bool:
    """Whether d or z of zeros is passed on without a fault, or what has a bit is one."""
    lone = [0, 0, 1, 0, 1, 0, 0, 0]
    wrong = any(each["fault_o"] for each in run(model, packet(lone, True), mutant))
    for words in ([0] * 4 + D_Z[4:], D_Z[:4] + [0] * 4):
        for gap in (0, 1):
            seen = run(model, packet(words, True, gap), mutant)
            wrong |= not any(each["fault_o"] for each in seen)
    return wrong


def test_a_seed_of_zeros_is_a_fault_from_the_entropy_port_alone(model: CycleModel) -> None:
    assert not zeros_pass(model)
    seen = run(model, packet([0] * 8, entropy=False))
    assert passed(seen) == [0] * 8 and not any(each["fault_o"] for each in seen)


def wrong_flips(model: CycleModel, mutant: int = 0) -> Iterator[tuple[str, int, int, bool]]:
    """Flips after which a word is another one, or some are missing and there is no fault."""
    for entropy in (False, True):
        cycles = [{**cycle, "mutant_i": mutant} for cycle in packet(D_Z, entropy)]
        # Up to the last word: after it nothing is waited for, and none may come.
        for at in range(1, len(cycles) - 2):
            model.reset()
            before = model.run(cycles[:at])
            state = model.state()
            for register, bit in bits(registers(model)):
                model.restore(state)
                register.flip(bit)
                seen = before + model.run(cycles[at:])
                words = passed(seen)
                there = words == D_Z or any(each["fault_o"] for each in seen)
                if words != D_Z[: len(words)] or not there:
                    yield register.name, bit, at, entropy


def test_no_flip_changes_where_words_come_from(model: CycleModel) -> None:
    assert not list(wrong_flips(model))


def test_a_fault_is_wiped(model: CycleModel) -> None:
    """Rails that differ agree again after the wiping: nothing is waited for, all else goes on."""
    for register, bit in bits(registers(model)):
        run(model, packet(D_Z, entropy=True)[:8])
        register.flip(bit)
        model.run([{"run_i": 1}, *[{"wipe_i": 1, "last_i": 7, "alone_i": 1}] * 2])
        seen = model.run(packet(D_Z, entropy=False))
        assert passed(seen) == D_Z and not any(each["fault_o"] for each in seen[1:]), register


@pytest.mark.parametrize("mutant", range(1, len(MUTANTS) + 1), ids=list(MUTANTS))
def test_mutants_are_found(model: CycleModel, mutant: int) -> None:
    assert zeros_pass(model, mutant) or any(wrong_flips(model, mutant))
