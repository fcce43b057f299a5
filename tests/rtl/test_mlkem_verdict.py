# SPDX-License-Identifier: Apache-2.0
"""The verdict of decapsulation, alone: no upset of it lets K' leave behind a wrong ciphertext.

Every register of it is flipped, a bit at a time, at every cycle; every step that it is given is
left out, and done twice.
"""

from collections.abc import Iterator

import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.faulty import flips, registers, settings, with_mutants
from tests.rtl.mlkem_bench import RTL, pack

LANES, RANK = 8, 2
BEATS = (RANK + 1) * 256 // LANES
TASK_W = 5
ENCAPS, DECAPS = 16, 8  # of verdict_task_t, below which is the rank
BOTH = 3  # rails
PORTS = Ports(
    {
        "run_i": 2,
        "start_i": 2,
        "task_i": 2 * TASK_W,
        "j_valid_i": 2,
        "g_valid_i": 2,
        "decoded_i": 1,
        "decoded_data_i": 88,
        "made_i": 1,
        "made_data_i": 88,
        "stored_i": 88,
        "computed_i": 1,
        "mutant_i": 3,
    },
    {"secret_o": 2, "reject_o": 2, "fault_o": 1},
)
# Defects that flips or steps must find: each is what stands for expressions of the module.
MUTANTS = {
    "rail 1 repeats rail 0": {"{~kept_1_q, secret_0_q}": "{secret_0_q, secret_0_q}"},
    "rail 0 repeats rail 1": {"{~kept_1_q, secret_0_q}": "{~kept_1_q, ~kept_1_q}"},
    "any number of beats": {
        "count_0_d == beats(rank_0_d)": "1'b1",
        "&count_1_q": "1'b1",
    },
    "what was compared need not be what came": {"check_q == '0": "1'b1"},
    "beats that differ are not remembered": {
        "(seen.made & ~seen.equal) ? StDiffers : StCompare": "StCompare"
    },
    "one copy tells both rails that K is there": {"g_valid_i[rail]": "g_valid_i[0]"},
}
Cycle = dict[str, int]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    where = tmp_path_factory.mktemp("verdict")
    source = where / "ntf_mlkem_verdict.sv"
    source.write_text(
        with_mutants((RTL / "mlkem/ntf_mlkem_verdict.sv").read_text(), [*MUTANTS.values()])
    )
    opened = settings(where, {"ntf_mlkem_verdict": "*_q", "ntf_prim_kept": "*_q"})
    needs = [opened, RTL / "mlkem/ntf_mlkem_pkg.sv", RTL / "prim/ntf_prim_kept.sv", source]
    return CycleModel.build(
        where / "model", needs, "ntf_mlkem_verdict", PORTS, {"TLanes": str(LANES)}
    )


def operation(wrong: int | None, operation: int = DECAPS) -> list[Cycle]:
    """What the verdict sees of a decapsulation in which beat `wrong` differs in a bit, or none."""
    task = (operation | RANK) * (1 | 1 << TASK_W)
    idle = {"run_i": BOTH, "task_i": task}
    # Pairs are equal, so that the exclusive-or does not miss a beat: the count has to.
    data = [pack([b * 97 + lane // 2 * 13 & 1023 for lane in range(8)], 11) for b in range(BEATS)]
    came = [{**idle, "decoded_i": 1, "decoded_data_i": word} for word in data]
    made = []
    for at, word in enumerate(data):
        other = word ^ (1 << 5 if at == wrong else 0)
        made.append({**idle, "made_i": 1, "stored_i": word, "made_data_i": other})
        if at % 31 == 7:  # what is there between two beats is the next one, or the last one
            made.append({**made[-1], "made_i": 0})
    j, g = {**idle, "j_valid_i": BOTH}, {**idle, "g_valid_i": BOTH}
    end = [{**idle, "computed_i": 1}] * 6
    return [{"start_i": BOTH, "task_i": task}, *came, idle, j, idle, g, idle, *made, idle, *end]


def run(model: CycleModel, cycles: list[Cycle], mutant: int = 0) -> list[Cycle]:
    model.reset()
    return model.run([{**cycle, "mutant_i": mutant} for cycle in cycles])


def steps(wrong: int) -> Iterator[tuple[str, list[Cycle]]]:
    """The same operation with one step left out, or done twice, also of one rail alone."""
    cycles = operation(wrong)
    events = ("start_i", "j_valid_i", "g_valid_i", "made_i", "decoded_i", "computed_i")
    for at, cycle in enumerate(cycles):
        for event in (name for name in events if cycle.get(name)):
            yield f"no {event} in {at}", [*cycles[:at], {**cycle, event: 0}, *cycles[at + 1 :]]
            yield f"{event} twice in {at}", [*cycles[: at + 1], *cycles[at:]]
            # A register that holds it a cycle too long, with what is there then.
            after = {**cycles[min(at + 1, len(cycles) - 1)], event: cycle[event]}
            yield f"{event} in {at} lasts", [*cycles[: at + 1], after, *cycles[at + 2 :]]
            for rail in (1, 2) if cycle[event] == BOTH else ():
                for number, place in ((rail, at), (BOTH, at), (rail, at + 1)):
                    altered = {**cycles[place], event: cycles[place].get(event, 0) ^ number}
                    yield (
                        f"{event} of rails {number} in {place}",
                        [*cycles[:place], altered, *cycles[place + 1 :]],
                    )


def test_what_leaves(model: CycleModel) -> None:
    right, wrong = run(model, operation(None)), run(model, operation(40))
    assert (right[-1]["secret_o"], right[-1]["reject_o"], right[-1]["fault_o"]) == (3, 0, 0)
    assert (wrong[-1]["secret_o"], wrong[-1]["reject_o"], wrong[-1]["fault_o"]) == (0, 3, 0)
    computed = next(at for at, c in enumerate(operation(None)) if c.get("computed_i"))
    assert [s["secret_o"] for s in right].index(3) == [s["reject_o"] for s in wrong].index(3)
    assert [s["secret_o"] for s in right].index(3) == computed + 1
    begun = operation(None, ENCAPS)[:3]
    sent = run(model, [*begun, {**begun[-1], "g_valid_i": BOTH}, begun[-1]])
    assert [s["secret_o"] for s in sent] == [0, 0, 0, 0, 3]
    # KeyGen, and what is two operations at once, give nothing.
    for task in (0, ENCAPS | DECAPS):
        seen = run(model, [{**c, "g_valid_i": BOTH} for c in operation(None, task)])
        assert not any(s["secret_o"] or s["reject_o"] for s in seen)


@pytest.mark.parametrize("wrong", [0, BEATS // 2, BEATS - 1])
def test_no_flip_lets_the_secret_leave(model: CycleModel, wrong: int) -> None:
    tried = list(flips(model, operation(wrong)))
    assert len(tried) > 15_000
    assert not [where for where in tried if where[-1]]


def opened_by_one_copy(model: CycleModel, mutant: int = 0) -> Iterator[tuple[int, str, int]]:
    """Encaps, Decaps, and what gives no K: copies of an event that let K leave by themselves."""
    for task in (0, ENCAPS, DECAPS):
        cycles = operation(40, task)[: BEATS + 10]
        for at, cycle in enumerate(cycles):
            for event in ("start_i", "j_valid_i", "g_valid_i", "run_i", "task_i"):
                for rail in range(2):
                    wrong = (ENCAPS | DECAPS) << TASK_W * rail if event == "task_i" else 1 << rail
                    altered = {**cycle, event: cycle.get(event, 0) ^ wrong}
                    seen = run(model, [*cycles[:at], altered, *cycles[at + 1 :]], mutant)
                    if any(s["secret_o"] == BOTH for s in seen):
                        yield task, event, at


def test_what_one_rail_is_told_opens_nothing(model: CycleModel) -> None:
    assert not list(opened_by_one_copy(model))


@pytest.mark.parametrize("wrong", [0, BEATS // 2, BEATS - 1])
def test_no_step_left_out_or_done_twice_lets_it_leave(model: CycleModel, wrong: int) -> None:
    for name, cycles in steps(wrong):
        assert not any(seen["secret_o"] == 3 for seen in run(model, cycles)), name


def changed(wrong: int) -> list[Cycle]:
    """The bit that is wrong changes between decoding and comparison."""
    cycles = operation(wrong)
    return [{**c, "stored_i": c["made_data_i"]} if c.get("made_i") else c for c in cycles]


def test_a_bit_that_changes_in_the_memory_is_a_fault(model: CycleModel) -> None:
    for wrong in range(BEATS):
        seen = run(model, changed(wrong))
        assert not any(s["secret_o"] for s in seen) and seen[-1]["fault_o"]


def test_a_flip_is_told(model: CycleModel) -> None:
    """A rail that is pushed aside raises the fault, and then nothing leaves."""
    vectors = model.vectors(operation(None))
    for register in registers(model):
        if "u_stage" not in register.name:
            continue
        for bit in range(register.bits):
            model.reset()
            model.run(operation(None)[:50])
            register.flip(bit)
            seen = list(model.outputs(model.replay(vectors[-len(vectors) // 2 :])))
            assert seen[3]["fault_o"] and not any(s["secret_o"] & s["reject_o"] for s in seen)


def test_what_comes_out_of_turn_is_a_fault(model: CycleModel) -> None:
    """A digest more, or a beat, in any pause of a right decapsulation: nothing leaves."""
    cycles = operation(None)
    pauses = [at for at, cycle in enumerate(cycles) if cycle.keys() == {"run_i", "task_i"}]
    assert len(pauses) == 4
    for at in pauses:
        for event in ("j_valid_i", "g_valid_i", "made_i"):
            more = {**cycles[at], event: 2 ** PORTS.inputs[event] - 1}
            seen = run(model, [*cycles[:at], more, *cycles[at:]])
            assert seen[-1]["fault_o"] and not any(s["secret_o"] or s["reject_o"] for s in seen)


def test_the_rank_is_that_of_the_start(model: CycleModel) -> None:
    """What the task says afterwards, to either rail, changes nothing."""
    first, *rest = operation(None)
    for rails in (1, 1 << TASK_W, 1 | 1 << TASK_W):
        seen = run(model, [first, *({**c, "task_i": c["task_i"] ^ rails} for c in rest)])
        assert (seen[-1]["secret_o"], seen[-1]["fault_o"]) == (BOTH, 0), rails


@pytest.mark.parametrize("rail", [0, 1])
def test_a_stage_that_forgets_a_difference_is_a_beat_short(model: CycleModel, rail: int) -> None:
    """Beats that differ are not counted: a rail set back to its comparison refuses all the same."""
    compare = 0b0100101 ^ (0x7F if rail else 0)
    cycles = operation(40)
    end = next(at for at, cycle in enumerate(cycles) if cycle.get("computed_i"))
    stage = next(r for r in registers(model) if f"u_stage_{rail}." in r.name)
    model.reset()
    model.run(cycles[: end - 1])
    assert stage.read() != compare
    stage.write(compare)
    seen = model.run(cycles[end - 1 :])
    assert not any(s["secret_o"] >> rail & 1 for s in seen) and seen[-1]["fault_o"]


@pytest.mark.parametrize("mutant", range(1, len(MUTANTS) + 1), ids=list(MUTANTS))
def test_the_campaign_finds_a_mutant(model: CycleModel, mutant: int) -> None:
    def leaves(cycles: list[Cycle]) -> bool:
        return any(seen["secret_o"] == 3 for seen in run(model, cycles, mutant))

    assert (
        leaves(changed(40))
        or any(opened_by_one_copy(model, mutant))
        or any(leaves(cycles) for _, cycles in steps(40))
        or any(
            where[-1] for where in flips(model, [{**c, "mutant_i": mutant} for c in operation(40)])
        )
    )
