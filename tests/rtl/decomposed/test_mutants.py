# SPDX-License-Identifier: Apache-2.0
"""The tests of this folder must be able to fail: each defect put into the RTL is caught."""

import multiprocessing
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from nttforge.families.decomposed import rounds as cut
from nttforge.families.decomposed.shape import Shape as MachineShape
from nttforge.families.decomposed.twiddles import Seeds
from nttforge.simulate.cycles import CycleModel
from tests.rtl.decomposed import test_buffer, test_generator, test_twiddles, test_unload
from tests.rtl.decomposed.bench import RTL, Field, Shape
from tests.rtl.decomposed.test_datapath import Control, Machinery, reference

SMALL = Shape(4, 2, 4)
MACHINE = MachineShape(4, 2, 2)
FIELD = Field(7681, 9, adders=1)  # many registers in its multiplier
MACHINERY = Machinery(MACHINE, Seeds.create(12289, 12))


def check_buffer(model: CycleModel) -> None:
    traffic = test_buffer.Traffic(model, SMALL, seed=1)
    traffic.fill()
    for _ in range(1000):
        traffic.mix()


def check_unload(model: CycleModel) -> None:
    rng = Random(3)
    test_unload.run(model, [SMALL.random(rng) for _ in range(300)], rng, stall=0.6)


def check_generator(model: CycleModel) -> None:
    test_generator.random_jobs(model, FIELD, 60)


def check_tables(model: CycleModel) -> None:
    for size in (6, 8, 11, 13):
        for at in cut.rounds(MACHINE, size):
            test_twiddles.check_round(model, MACHINE, at, Random(size))


def check_datapath(model: CycleModel) -> None:
    for size, inverse in ((10, False), (11, True)):
        rng = Random(size)
        data = [rng.randrange(12289) for _ in range(1 << size)]
        found = Control(model, MACHINERY, rng, stall=0.1).transform(data, inverse=inverse)
        assert found == reference(MACHINERY, data, inverse=inverse)


Build = Callable[[Path, Path], CycleModel]
UNITS: dict[str, tuple[Build, Callable[[CycleModel], None]]] = {
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
}


@dataclass(frozen=True)
class Mutant:
    """A defect: the one place in `file` that is `good` becomes `bad`; the unit's check sees it."""

    unit: str
    file: str
    good: str
    bad: str
    slow: bool = True


PACKAGE = "decomposed_pkg"
MUTANTS = {
    "a row of the network": Mutant("buffer", "xor_network", r"j\^\(1<<i\)", "j^1"),
    "the label of the highest bit": Mutant("buffer", PACKAGE, r"\(all >> \(v - 1\)\)", "all"),
    "rows that share a bit": Mutant(
        "buffer", "plane_buffer", r">> \(T \+ 1\)\)", ">> T)", slow=False
    ),
    "whose words are written": Mutant(
        "buffer", "plane_buffer", r"kernel_q\[h\] \? write_words\[b\] : ", ""
    ),
    "a load that does not wait": Mutant(
        "buffer", "plane_buffer", r"load_ready_o  = ~kernel_pipe\[Network-1\]", "load_ready_o  = '1"
    ),
    "a fetch that does not wait": Mutant(
        "buffer", "plane_buffer", r"\{!\(read_valid_i && read_half\)", "{!(1'b0 && read_half)"
    ),
    "the other half's words": Mutant("unload", "unload_queue", r"word\[head_half\]\)", "word[0])"),
    "more than there is room for": Mutant(
        "unload", "unload_queue", r"taken_q != CountW'\(WordDepth\)", "1'b1", slow=False
    ),
    "operands that are not there yet": Mutant(
        "generator",
        "twiddle_generator",
        r"\(32'd1 << job_q.m\) >> G",
        "(32'd2 << job_q.m) >> G",
        slow=False,
    ),
    "doubling by what is not there yet": Mutant(
        "generator", "twiddle_generator", r": \(32'd2 << step_q\)", ": (32'd4 << step_q)"
    ),
    "a root that is not squared": Mutant(
        "generator", "twiddle_generator", r"ratio_q - LogW'\(1\)", "ratio_q"
    ),
    "a word of A0 that is not there yet": Mutant(
        "generator", "twiddle_generator", r"serial \? 32'd1 :", "serial ? '1 :"
    ),
    "a word of row 0 from another lane": Mutant(
        "rows", "twiddle_generator", r"g - \(1 << Step\)", "0"
    ),
    "vectors that all tables share": Mutant(
        "generator", "twiddle_generator", r"source = \{job_q.which", "source = {2'd0"
    ),
    "a seed while products land": Mutant(
        "generator", "twiddle_generator", r"if \(flight_q == '0\) state_d", "state_d"
    ),
    "all lanes of a full digit": Mutant(
        "tables", "twiddle_tables", r"\(!full_q \|\| x_q\[V-1\] == Lane\[T-1\]\)", "1'b1"
    ),
    "kc in the order of c": Mutant(
        "tables",
        "twiddle_tables",
        r"V'\(reverse_low\(beat_i.index.c, beat_i.round.mc\)\)",
        "V'(beat_i.index.c)",
    ),
    "K's high bits": Mutant("tables", "twiddle_tables", r"key >> split", "key"),
    "K without its lane": Mutant(
        "tables", "twiddle_tables", r"FieldW'\(h << \(T - 1\)\)", "'0", slow=False
    ),
    "the digit of A0 in order": Mutant(
        "tables",
        "twiddle_tables",
        r"V'\(reverse_low\(FieldW'\(write_x_i\), write_m_i\)\)",
        "write_x_i",
    ),
    "the set of another table": Mutant(
        "tables", "twiddle_tables", r"sets_i\[TableB\]", "sets_i[TableA2]"
    ),
    "a word that comes too early": Mutant(
        "datapath",
        "decomposed_datapath",
        r"(?s)LookupLatency \+ MulLatency - read_latency\(T\) : 1",
        "LookupLatency + MulLatency - read_latency(T) + 1 : 1",
    ),
    "a beat that lands too early": Mutant(
        "datapath",
        PACKAGE,
        r"network_latency\(t\) - 1 : 1;",
        "network_latency(t) - 1 : 0;",
    ),
    "the digit of another pass": Mutant(
        "datapath", PACKAGE, r"\? round.mc : round.mr", "? round.mr : round.mr"
    ),
    "slots that share their places": Mutant(
        "datapath", PACKAGE, r"FieldW'\(beat.index.slot\[1\]\)", "FieldW'(1'b0)"
    ),
    "twiddles of another beat": Mutant(
        "datapath",
        "decomposed_datapath",
        r"\.Depth\(LookupDelay\)",
        ".Depth(LookupDelay + 1)",
    ),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if m.slow else []) for n, m in MUTANTS.items()],
)
def test_defects_are_caught(name: str, tmp_path: Path) -> None:
    mutant = MUTANTS[name]
    rtl = tmp_path / "rtl"
    shutil.copytree(RTL, rtl)
    file = rtl / "decomposed" / f"{mutant.file}.sv"
    text, places = re.subn(mutant.good, mutant.bad, file.read_text("utf-8"))
    assert places == 1
    file.write_text(text, "utf-8")
    build, check = UNITS[mutant.unit]
    model = build(tmp_path / "build", rtl)
    # An assertion of the RTL ends the process.
    process = multiprocessing.get_context("fork").Process(target=check, args=(model,))
    process.start()
    process.join(120)
    survived = process.exitcode == 0
    process.kill()
    assert not survived


def test_without_defects_nothing_is_caught(tmp_path: Path) -> None:
    for name, (build, check) in UNITS.items():
        if name != "datapath":
            check(build(tmp_path / name, RTL))
