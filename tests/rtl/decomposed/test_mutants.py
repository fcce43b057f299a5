# SPDX-License-Identifier: Apache-2.0
"""The tests of this folder must be able to fail: each defect put into the RTL is caught."""

import faulthandler
import gc
import multiprocessing
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from nttforge.kinds.decomposed import rounds as cut
from nttforge.kinds.decomposed.shape import Shape as MachineShape
from nttforge.kinds.decomposed.simulator import DecomposedSimulator
from nttforge.kinds.decomposed.twiddles import Seeds
from nttforge.kinds.decomposed.verify import memories
from nttforge.kinds.decomposed.verify import reference as transforms
from nttforge.simulate.cycles import CycleModel
from nttforge.simulate.native import random_words
from tests.rtl.decomposed import (
    test_buffer,
    test_control,
    test_generator,
    test_passes,
    test_planner,
    test_twiddles,
    test_unload,
    test_walkers,
)
from tests.rtl.decomposed.test_datapath import Control, Machinery, check_landing, reference
from tests.rtl.decomposed.test_large import BURSTS, LONG_WAITS, Engine, prepared_of
from tests.rtl.decomposed.unit_bench import RTL, Field, Shape, Structures

SMALL = Shape(4, 2, 4)
MACHINE = MachineShape(4, 2, 2)
FIELD = Field(7681, 9, adders=1, shift=7)  # many registers in its multiplier
MACHINERY = Machinery(MACHINE, Seeds.create(998244353, 14))


def check_buffer(model: CycleModel) -> None:
    traffic = test_buffer.Traffic(model, SMALL, seed=1)
    traffic.fill()
    for _ in range(1000):
        traffic.mix()


def check_unload(model: CycleModel) -> None:
    for stall in (0.0, 0.3, 0.6):
        rng = Random(3)
        model.reset()
        test_unload.run(model, [SMALL.random(rng) for _ in range(300)], rng, stall=stall)
        test_unload.run(model, [SMALL.random(rng) for _ in range(100)], rng, stall=stall, late=0.95)


def check_generator(model: CycleModel) -> None:
    test_generator.random_jobs(model, FIELD, 60)


def check_tables(model: CycleModel) -> None:
    for size in (6, 8, 11, 13):
        for at in cut.rounds(MACHINE, size):
            test_twiddles.check_round(model, MACHINE, at, Random(size))


def check_datapath(model: Structures) -> None:
    check_landing(model, MACHINERY)
    # The last one has rounds of many groups, which take all four slots.
    for size, inverse in ((10, False), (11, True), (13, False)):
        rng = Random(size)
        data = [rng.randrange(MACHINERY.q) for _ in range(1 << size)]
        found = Control(model, MACHINERY, rng, stall=0.1).transform(data, inverse=inverse)
        assert found == reference(MACHINERY, data, inverse=inverse)


def check_sequences(model: CycleModel) -> None:
    for size in test_walkers.sizes(WALKED):
        for order in cut.Order:
            test_walkers.check_sequence(model, WALKED, order, size, 3)


def check_control(model: Structures) -> None:
    test_control.check_course(model)
    test_control.test_registers(model)
    for name in test_control.REFUSED:
        test_control.test_refused(model, name)
    for name in test_control.TAKEN:
        test_control.test_taken(model, name)
    for channel, status in ((0, test_control.READ), (1, test_control.WRITE)):
        test_control.test_an_error_ends_the_job(model, channel, status)
    for channel, stopped in ((0, False), (1, False), (1, True)):
        test_control.check_timeout(model, channel, stopped)
    test_control.test_no_timeout_while_nothing_is_asked_for(model)


def engine(where: Path, rtl: Path) -> DecomposedSimulator:
    """The whole engine without its data path, of the RTL in `rtl`."""
    return built(prepared_of({"q": 998244353}), where, rtl, data=False)


def built(prepared: Engine, where: Path, rtl: Path, *, data: bool) -> DecomposedSimulator:
    """Its folder with other RTL."""
    shutil.copytree(prepared.folder, where)
    for file in (where / "rtl").rglob("*.sv"):
        shutil.copy(rtl / file.parent.name / file.name, file)
    return DecomposedSimulator.build(prepared.core, where, data=data)


def check_engine(simulator: DecomposedSimulator) -> None:
    core = simulator.core
    for seed in (*LONG_WAITS, *range(100)):
        memory = memories(core)[BURSTS]
        assert simulator.count(core.operations[0], 14, 1, memory, seed=seed).status == "ok"


def coset_engine(where: Path, rtl: Path) -> DecomposedSimulator:
    """The whole engine of transforms on a coset."""
    return built(prepared_of({"q": 998244353}, coset=5, blowup=4), where, rtl, data=True)


def check_coset(simulator: DecomposedSimulator) -> None:
    core = simulator.core
    for size in (6, 9, 13):
        for operation in core.operations[8:]:
            words = random_words(core.ring.q, (1, 1 << size), np.random.default_rng(size))
            got, run = simulator.transform(operation, words)
            assert run.status == "ok" and (got == transforms(core, operation, words)).all()


WALKED = test_walkers.MACHINES[0]
Build = Callable[[Path, Path], Any]
UNITS: dict[str, tuple[Build, Callable[[Any], None]]] = {
    "buffer": (lambda where, rtl: test_buffer.buffer_model(where, SMALL, rtl=rtl), check_buffer),
    "unload": (test_unload.queue, check_unload),
    "generator": (
        lambda where, rtl: test_generator.generator(where, FIELD, rtl=rtl),
        check_generator,
    ),
    "rows": (
        lambda where, rtl: test_generator.generator(where, FIELD, rtl=rtl, g=2),
        lambda model: test_generator.random_jobs(model, FIELD, 60, 2),
    ),
    "tables": (lambda where, rtl: test_twiddles.tables(where, MACHINE, rtl), check_tables),
    "datapath": (lambda where, rtl: MACHINERY.model(where, rtl=rtl), check_datapath),
    "loads": (
        lambda where, rtl: test_walkers.load_walker(where, WALKED, rtl),
        partial(test_walkers.check_loads, machine=WALKED, seed=1),
    ),
    "read bursts": (
        lambda where, rtl: test_walkers.burst_walker(where, WALKED, False, rtl),
        partial(test_walkers.check_bursts, machine=WALKED, write=False),
    ),
    "write bursts": (
        lambda where, rtl: test_walkers.burst_walker(where, WALKED, True, rtl),
        partial(test_walkers.check_bursts, machine=WALKED, write=True),
    ),
    "sequence": (lambda where, rtl: test_walkers.sequencer(where, WALKED, rtl), check_sequences),
    "planner": (test_planner.planner, partial(test_planner.check_planner, machine=WALKED)),
    "schedule": (
        lambda where, rtl: test_passes.scheduler(where, WALKED, rtl),
        partial(test_passes.check_scheduler, machine=WALKED, seed=1),
    ),
    "passes": (
        lambda where, rtl: test_passes.pass_walker(where, WALKED, rtl),
        partial(test_passes.check_all_passes, machine=WALKED),
    ),
    "unloads": (
        lambda where, rtl: test_passes.unload_walker(where, WALKED, rtl),
        partial(test_passes.check_all_unloads, machine=WALKED),
    ),
    "control": (test_control.control, check_control),
    "engine": (engine, check_engine),
    "coset": (coset_engine, check_coset),
}
HEAVY = ("datapath", "engine", "coset")  # whose tests without defects are elsewhere


@dataclass(frozen=True)
class Mutant:
    """A defect: the one place in `file` that is `good` becomes `bad`; the unit's check sees it."""

    unit: str
    file: str
    good: str
    bad: str
    slow: bool = True


ROOMS = ("decomposed", "shell")
PACKAGE = "ntf_decomposed_pkg"
MUTANTS = {
    "a row of the network": Mutant("buffer", "ntf_xor_network", r"j\^\(1<<i\)", "j^1"),
    "the label of the highest bit": Mutant("buffer", PACKAGE, r"\(all >> \(v - 1\)\)", "all"),
    "rows that share a bit": Mutant(
        "buffer", "ntf_plane_buffer", r">>\s+\(LogBeat \+ 1\)\)", ">> LogBeat)", slow=False
    ),
    "whose words are written": Mutant(
        "buffer", "ntf_plane_buffer", r"kernel_q\[h\] \? write_words\[b\] : ", ""
    ),
    "a load that does not wait": Mutant(
        "buffer",
        "ntf_plane_arbiter",
        r"load_ready_o   = ~kernel_pipe\[Network-1\]",
        "load_ready_o   = '1",
    ),
    "a fetch that does not wait": Mutant(
        "buffer",
        "ntf_plane_arbiter",
        r"\{!\(read_valid_i && read_half_i\)",
        "{!(1'b0 && read_half_i)",
    ),
    "the other half's words": Mutant(
        "unload", "ntf_unload_queue", r"word\[head_half\]\)", "word[0])"
    ),
    "more than there is room for": Mutant(
        "unload", "ntf_unload_queue", r"taken_q != CountW'\(WordDepth\)", "1'b1", slow=False
    ),
    "a queue that moves without its words": Mutant(
        "unload",
        "ntf_unload_queue",
        r"advance = head_valid & word_valid\[head_half\]",
        "advance = head_valid & (|word_valid)",
    ),
    "operands that are not there yet": Mutant(
        "generator",
        "ntf_twiddle_sequencer",
        r"'0 : \(LogKernel \+ 1\)'\(words_mask\(m\) >> LogRow\)",
        "'0 : (LogKernel + 1)'(words_mask(m + LogW'(1)) >> LogRow)",
        slow=False,
    ),
    "doubling by what is not there yet": Mutant(
        "generator",
        "ntf_twiddle_sequencer",
        r"at_most\(\{last, 1'b1\}\)",
        "at_most({last, 1'b1} << 1)",
    ),
    "a root that is not squared": Mutant(
        "generator", "ntf_twiddle_sequencer", r"ratio_q - LogW'\(1\)", "ratio_q"
    ),
    "zeros a step late": Mutant(
        "generator", "ntf_twiddle_sequencer", r"step_q \+ LogW'\(1\) >= kept_q", "step_q >= kept_q"
    ),
    "a shift for the ratio": Mutant(
        "generator", "ntf_twiddle_sequencer", r"\{~on_f_q, grown_seed\}", "{1'b1, grown_seed}"
    ),
    "the shift in both directions": Mutant(
        "generator", "ntf_twiddle_sequencer", r"job_q\.inverse \? 3'd4 : 3'd3", "3'd3"
    ),
    "a word of A0 that is not there yet": Mutant(
        "generator", "ntf_twiddle_sequencer", r"one \? '0 : \(LogK", "one ? '1 : (LogK"
    ),
    "a word of row 0 from another lane": Mutant(
        "rows", "ntf_twiddle_generator", r"g - \(1 << Step\)", "0"
    ),
    "vectors that all tables share": Mutant(
        "generator", "ntf_twiddle_generator", r"source = \{step.which", "source = {2'd0"
    ),
    "a seed while products land": Mutant(
        "generator", "ntf_twiddle_sequencer", r"if \(flight_q == '0\) state_d", "state_d"
    ),
    "all lanes of a full digit": Mutant(
        "tables",
        "ntf_twiddle_tables",
        r"\(!full_q \|\| x_q\[LogKernel-1\] == Lane\[LogBeat-1\]\)",
        "1'b1",
    ),
    "kc in the order of c": Mutant(
        "tables",
        "ntf_twiddle_tables",
        r"LogKernel'\(reverse_low\(beat_i.index.c, beat_i.round.mc\)\)",
        "LogKernel'(beat_i.index.c)",
    ),
    "K's high bits": Mutant("tables", "ntf_twiddle_tables", r"key >> split", "key"),
    "K without its lane": Mutant(
        "tables", "ntf_twiddle_tables", r"FieldW'\(h << \(LogBeat - 1\)\)", "'0", slow=False
    ),
    "the digit of A0 in order": Mutant(
        "tables",
        "ntf_twiddle_tables",
        r"LogKernel'\(reverse_low\(FieldW'\(write_x_i\), write_m_i\)\)",
        "write_x_i",
    ),
    "the set of another table": Mutant(
        "tables", "ntf_twiddle_tables", r"sets_i\[TableB\]", "sets_i[TableA2]"
    ),
    "words of the beat before": Mutant(
        "datapath",
        "ntf_decomposed_pace",
        r"(FeedLatency = ReadDelay \+ read_latency\(LogBeat\) \+ MulLatency)",
        r"\1 + 1",
    ),
    "a beat that lands too early": Mutant(
        "datapath",
        PACKAGE,
        r"DecisionLatency \+ 1 - network_latency",
        "DecisionLatency + 2 - network_latency",
    ),
    "the digit of another pass": Mutant(
        "datapath", PACKAGE, r"\? round.mc : round.mr", "? round.mr : round.mr"
    ),
    "slots that share their places": Mutant(
        "datapath", PACKAGE, r"FieldW'\(beat.index.slot\[1\]\)", "FieldW'(1'b0)"
    ),
    "twiddles of another beat": Mutant(
        "datapath",
        "ntf_decomposed_datapath",
        r"\.Depth\(lookup_delay\(LogBeat, MulLatency\)\)",
        ".Depth(lookup_delay(LogBeat, MulLatency) + 1)",
    ),
}

CONTROL = {
    # The scheduler.
    "a group that is counted twice": Mutant(
        "schedule", "ntf_pass_scheduler", r"~told_q\[retire_q\]", "~retire_o", slow=False
    ),
    "a group that is counted twice, in the engine": Mutant(
        "engine", "ntf_pass_scheduler", r"~told_q\[retire_q\]", "~retire_o"
    ),
    "the youngest group first": Mutant(
        "schedule",
        "ntf_pass_scheduler",
        r"int i = 3; i >= 0; i--\) begin\n      if \(go_q",
        "int i = 0; i < 4; i++) begin\n      if (go_q",
    ),
    "a unit that is not there": Mutant(
        "schedule", "ntf_pass_scheduler", r"\(next_q\[i\] \| unit_q\[i\]\)", "(next_q[i])"
    ),
    "a pass before the other is back": Mutant(
        "schedule", "ntf_pass_scheduler", r"begun_q\[i\] == back_q\[i\]\)", "1'b1)"
    ),
    "one of two tables": Mutant(
        "schedule", "ntf_pass_scheduler", r"made\[TableA2\] & made\[TableB\]", "made[TableA2]"
    ),
    "a group that waits for its zeros": Mutant(
        "schedule", "ntf_pass_scheduler", r" \| beats_t'\(zeros_q\[loading_q\]\)", ""
    ),
    "blocks that overlap": Mutant("schedule", "ntf_pass_scheduler", "Pace - 1", "Pace - 2"),
    "a gap between blocks": Mutant(
        "schedule",
        "ntf_pass_scheduler",
        r"any & \(pace_q == '0\)",
        "any & (pace_q == '0) & ~block_landed_i",
    ),
    "four slots where there are two": Mutant(
        "schedule",
        "ntf_pass_scheduler",
        r"number_i\[1\] & \(round_i.slots == 2'd2\)",
        "number_i[1]",
    ),
    "a pass that is back a block early": Mutant(
        "schedule",
        "ntf_pass_scheduler",
        r"landed_q\[i\] == all_q",
        "landed_q[i] + blocks_t'(1) >= all_q",
    ),
    "unloading one pass early": Mutant(
        "schedule", "ntf_pass_scheduler", r"2'd1 == passes", "2'd1 >= passes - 2'd1"
    ),
    # Places of passes.
    "written in the layout that was read": Mutant(
        "passes", "ntf_pass_walker", "ahead_form, ahead_form.first", "ahead_form, ~ahead_form.first"
    ),
    "a place that comes a cycle late": Mutant(
        "passes",
        "ntf_pass_walker",
        r"~walk_valid_q \| \(walked & write_step_q == '1\)\)",
        "~walk_valid_q)",
        slow=False,
    ),
    "a pass along what is still": Mutant("schedule", "ntf_walk_pkg", r" & ~round\.still", ""),
    "final in every round": Mutant("passes", "ntf_pass_walker", r"round_q.last & ", ""),
    "landed for another context": Mutant(
        "passes", "ntf_pass_walker", r"data_i \(block_i.number\)", "data_i (block_i.slot)"
    ),
    "landed a beat early": Mutant(
        "passes", "ntf_pass_walker", r"landed_q == '1", "landed_q == '1 - 1'b1"
    ),
    # Unloading.
    "a beat before its unit": Mutant(
        "unloads", "ntf_unload_walker", r"end_q <= \{1'b0, mask\}", "end_q <= '0", slow=False
    ),
    "a unit that was counted for the group before": Mutant(
        "unloads", "ntf_unload_walker", r"if \(walked & final_beat\) units_q <= '0;\s+else", ""
    ),
    "a pause behind every unit": Mutant(
        "unloads", "ntf_unload_walker", r"~units_q\[1\] & \(", "(units_q == '0) & ("
    ),
    "a context that is asked for twice": Mutant(
        "unloads", "ntf_unload_walker", r" & ~asked_q\[context_q\]", ""
    ),
    "a slot that is free a beat early": Mutant(
        "unloads",
        "ntf_unload_walker",
        r"left_q == final_left",
        "left_q + beats_t'(1) >= final_left",
    ),
    "what is still in the order of what is not": Mutant(
        "loads", "ntf_walk_pkg", r"side_walk\.mask  = side\.way == WayPCR", "side_walk.mask  = 1'b0"
    ),
    "units of a quarter": Mutant(
        "unloads", "ntf_unload_walker", r"round_q\.unload\.unit\)", "round_q.unload.unit - 6'd2)"
    ),
    "a pass that is back in the group before": Mutant(
        "schedule",
        "ntf_pass_scheduler",
        r"& ~idle & ~\(alloc_i & \(alloc == 2'\(i\)\)\)",
        "& ~idle",
    ),
    # Loading.
    "one group too many": Mutant("loads", "ntf_load_walker", r"3'd4 : 3'd2", "3'd4 : 3'd3"),
    "slots that lie as those of the group before": Mutant(
        "loads", "ntf_load_walker", r"slots == before_q\[1\]", "slots == before_q[0]", slow=False
    ),
    "words from the place of another order": Mutant(
        "loads",
        "ntf_walk_pkg",
        r"WayRCPC, WayRP: begin",
        "WayRCPC, WayRP, WayPCRC: begin",
    ),
    "words that nobody places": Mutant(
        "loads",
        "ntf_load_walker",
        r"words_ready_o = valid_q & load_ready_i",
        "words_ready_o = valid_q",
    ),
    "zeros that are read": Mutant("loads", "ntf_walk_pkg", r"c >> side\.pad", "c"),
    "words that are not read": Mutant(
        "read bursts", "ntf_walk_pkg", r"~bits_on_top\(side\.pad\)", "~bits_below(side.pad)"
    ),
    "the low end of a first digit": Mutant(
        "read bursts", "ntf_walk_pkg", r"& ~bits_below\(side\.pad\)", "& ~bits_on_top(side.pad)"
    ),
    # Bursts.
    "every last place of a group": Mutant(
        "write bursts",
        "ntf_burst_walker",
        r"near_way_q\.common\.last & near_way_q\.final_place",
        "near_way_q.final_place",
    ),
    "an address of the burst before": Mutant(
        "read bursts", "ntf_burst_walker", r"(?<!else )if \(en\) begin", "if (1'b1) begin"
    ),
    "bursts that go on as those of the other side": Mutant(
        "write bursts",
        "ntf_burst_walker",
        r"side     = Write \? round_i\.unload",
        "side     = Write ? round_i.load",
    ),
    "a digit of the address that is not reversed": Mutant(
        "write bursts",
        "ntf_walk_pkg",
        r"keyed & mirror, side\.shift_c",
        "1'b0, side.shift_c",
        slow=False,
    ),
    "a first burst in every group": Mutant(
        "read bursts", "ntf_burst_walker", r"begin_q  <= first_i", "begin_q  <= 1'b1"
    ),
    # Groups of a job.
    "a later round that reads the source": Mutant(
        "sequence", "ntf_round_sequencer", r"from_source_q \? source_i : between", "source_i"
    ),
    "a work area in every order": Mutant(
        "sequence",
        "ntf_round_sequencer",
        r"order_i == OrderNatural && (\(.*\)) \? work_i : target_i",
        r"\1 ? work_i : work_i",
    ),
    "blocks of words that are all at one place": Mutant(
        "sequence", "ntf_round_sequencer", r" \| \(lo_q << lo_shift_q\)", ""
    ),
    "an outer digit that is not reversed": Mutant(
        "sequence",
        "ntf_round_sequencer",
        r"\(reversed\(hi_q\) >> hi_shift_q\)",
        "hi_q",
    ),
    "a round that reads what is being written": Mutant(
        "sequence", "ntf_round_sequencer", r"\? 32'd2 : count_i", "? 32'd3 : count_i"
    ),
    "a transform before the first one": Mutant(
        "sequence", "ntf_round_sequencer", r"!final_q && transform_q != '0", "!final_q"
    ),
    "tables that are never renewed": Mutant(
        "sequence", "ntf_round_sequencer", r"last_lo_q & \(hi_mask_q != '0\)", "1'b0"
    ),
    "every transform at the place of the first": Mutant(
        "sequence", "ntf_round_sequencer", r"(source_i : between\)) \+ read_at", r"\1"
    ),
    "a padded transform at the place of a whole one": Mutant(
        "sequence", "ntf_round_sequencer", r"\? source_at_q : offset_q", "? offset_q : offset_q"
    ),
    "zeros in every round": Mutant(
        "sequence", "ntf_round_sequencer", r"Padded && index_q == '0\)", "Padded)"
    ),
    "versions that are one behind": Mutant(
        "sequence", "ntf_round_sequencer", r"version:    version_d", "version:    version_q"
    ),
    # Jobs of the generator.
    "a table that is overwritten too early": Mutant(
        "planner", "ntf_twiddle_planner", r"free_q & turn_q", "turn_q", slow=False
    ),
    "a table that is overwritten a version early": Mutant(
        "planner",
        "ntf_twiddle_planner",
        r"free_q\[i\]  <= 1'b0",
        "free_q[i]  <= since_q[i] == retired_q",
    ),
    "a scale in every round": Mutant(
        "planner", "ntf_twiddle_planner", r" & \(round_i.kappa == '0\)", ""
    ),
    "psi in every table": Mutant(
        "planner", "ntf_twiddle_planner", r"twist_in && table_q != TableB", "twist_in"
    ),
    "psi in every round": Mutant("planner", "ntf_twiddle_planner", r" & round_i.last;", ";"),
    "a table that hears of another": Mutant(
        "planner",
        "ntf_twiddle_planner",
        r"done_o\[name\] <= done_o\[name\]",
        "done_o[name] <= done_o[table_q]",
    ),
    "the shift's power of the largest transform": Mutant(
        "planner", "ntf_twiddle_planner", r"LogW'\(LogMax\) - size_i", "LogW'(LogMax)"
    ),
    "a coset's last pass as any other": Mutant(
        "coset",
        "ntf_kernel_stage",
        r"\(course_i.negacyclic \| course_i.coset\)",
        "course_i.negacyclic",
    ),
    "a way back that all sizes share": Mutant(
        "coset", "ntf_decomposed_machine", r"5 \+ i - LogMin", "5"
    ),
    # Registers and the course of a job.
    "a source as long as its target": Mutant(
        "control", "ntf_decomposed_check", r"other == '0 \? source_q : bytes_q", "bytes_q"
    ),
    "a padded source that its target overwrites": Mutant(
        "control", "ntf_decomposed_check", r" \| padded_q \| ~equal", " | ~equal"
    ),
    "an operation that is not there": Mutant(
        "control", "ntf_decomposed_check", r"8'h33 : 8'h11", "8'h33 : 8'h33"
    ),
    "buffers that touch": Mutant(
        "control", "ntf_buffer_check", r"addr_q\[1\]\[0\]\} < end_q", "addr_q[1][0]} <= end_q"
    ),
    "an end that wraps": Mutant(
        "control",
        "ntf_buffer_check",
        r"end_q\[i\]    <= .*",
        "end_q[i]    <= {1'b0, addr_q[0][i] + AddrW'(length_i[i])};",
    ),
    "a size without negacyclic transforms": Mutant(
        "control",
        "ntf_decomposed_check",
        r"operation_i\[1\] \? LogMaxNegacyclic : LogMax",
        "LogMax",
    ),
    "an overlap in one round": Mutant(
        "control",
        "ntf_decomposed_check",
        r"with_work_q \| \(which_q == '0\)",
        "1'b1",
        slow=False,
    ),
    "an end that does not wait for answers": Mutant(
        "control", "ntf_job_control", r"settled_q & ~owed_i", "settled_q"
    ),
    "time that passes while nothing is asked for": Mutant(
        "control", "ntf_axi_watch", r"moved_i \| ~owed_i", "moved_i"
    ),
    "time that is never up": Mutant(
        "control", "ntf_axi_watch", r"late_o = late_q", "late_o = 1'b0"
    ),
    "a job after the memory was late": Mutant(
        "control", "ntf_job_control", r"StLate:  if \(~owed_i & ~start\)", "StLate:  if (~start)"
    ),
    "an error that is reported of the other channel": Mutant(
        "control",
        "ntf_decomposed_control",
        r"failed & ~stop_o \? ~channels_i.error\[0\]",
        "failed & ~stop_o ? channels_i.error[0]",
    ),
    "arguments that change under way": Mutant(
        "control",
        "ntf_decomposed_control",
        r"AddrWork, AddrWork \+ 4: write_bad = ~open \| late",
        "AddrWork, AddrWork + 4: write_bad = 1'b0",
    ),
}
MUTANTS |= CONTROL


def quietly(check: Callable[[CycleModel], None], model: CycleModel) -> None:
    """In a process that is expected to abort, without a report.

    Models of other tests must not be collected in it: their threads have not come along, and
    Verilator waits for them for ever.
    """
    faulthandler.disable()
    gc.disable()
    check(model)


def test_every_defect_has_one_place() -> None:
    """Of the slow ones too: a change of the RTL is to be followed the same day."""
    files = (path for room in ROOMS for path in (RTL / room).glob("*.sv"))
    texts = {path.stem: path.read_text("utf-8") for path in files}
    places = {name: len(re.findall(m.good, texts[m.file])) for name, m in MUTANTS.items()}
    assert set(places.values()) == {1}, places


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if m.slow else []) for n, m in MUTANTS.items()],
)
def test_defects_are_caught(name: str, tmp_path: Path) -> None:
    mutant = MUTANTS[name]
    rtl = tmp_path / "rtl"
    shutil.copytree(RTL, rtl)
    (file,) = (path for room in ROOMS for path in (rtl / room).glob(f"{mutant.file}.sv"))
    file.write_text(re.sub(mutant.good, mutant.bad, file.read_text("utf-8")), "utf-8")
    build, check = UNITS[mutant.unit]
    model = build(tmp_path / "build", rtl)
    # An assertion of the RTL ends the process.
    process = multiprocessing.get_context("fork").Process(target=quietly, args=(check, model))
    process.start()
    process.join(900)
    code = process.exitcode
    process.kill()
    assert code, "it was not caught" if code == 0 else "the check has no end"


QUICK = {mutant.unit for mutant in MUTANTS.values() if not mutant.slow}


@pytest.mark.parametrize(
    "unit",
    [
        pytest.param(unit, marks=() if unit in QUICK else pytest.mark.slow)
        for unit in UNITS
        if unit not in HEAVY
    ],
)
def test_without_defects_nothing_is_caught(unit: str, tmp_path: Path) -> None:
    build, check = UNITS[unit]
    check(build(tmp_path, RTL))
