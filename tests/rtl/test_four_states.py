# SPDX-License-Identifier: Apache-2.0
"""Small tops from power-on in four states: what must be known is, and results are right.

Payloads are X while their valid is low, and so is what nothing drives. Every register is read
before anything is written; then every refused start comes, and an operation of each kind. What was
driven is repeated in Icarus, where that is installed.
"""

import shutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.cache import design_files
from nttforge.design import parse_design
from nttforge.flow.generate import generate
from nttforge.flow.reference import operands, reference
from nttforge.hw import StreamCore, build
from nttforge.hw.wrapper import Wrapper
from nttforge.kinds.decomposed import simulator as decomposed
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.verify import reference as decomposed_reference
from nttforge.rtl_library import library, needed
from nttforge.simulate import shell_simulator as shell
from nttforge.simulate.native import random_words
from tests.four_states import FourStates, JobHost, StreamHost, UnknownError, icarus, opened
from tests.modules import SMALL
from tests.mutants import change
from tests.netlist import Word, synthesised

needs_icarus = pytest.mark.skipif(
    not shutil.which("iverilog"), reason="Icarus is not installed: apt-get install iverilog"
)
MEMORY_END = 1 << 20
OK, NO_WORK, OPERATION, MISALIGNED, RANGE, OVERLAP, READ, WRITE, READ_LATE, _, SIZE = range(11)
BEYOND = (1 << 64) - 64


def stream(model: FourStates, core: StreamCore) -> None:
    """Every operation, each at once after another one."""
    host, rng = StreamHost(model), np.random.default_rng(1)
    packets, wanted = [], []
    for operation in 2 * (*core.operations, *reversed(core.operations)):
        given = operands(operation, 1, core.operands, rng)
        packets.append((operation.code, beats(core, operation.pack(given)[0])))
        result = operation.pack_result(reference(operation, given))
        wanted.append(beats(core, result[0]))
    assert host.run(packets, len(packets)) == wanted


def beats(core: StreamCore, words: Any) -> list[int]:
    """Words of a stream, joined to beats."""
    form = core.stream
    return [
        sum(int(word) << at * form.word_bits for at, word in enumerate(beat))
        for beat in words.reshape(-1, form.lanes)
    ]


def shell_jobs(model: FourStates, core: StreamCore) -> None:
    """Registers, refused starts and jobs of a shell with two instances."""
    assert core.registers is not None and core.shell is not None
    host = JobHost(model, core.registers, MEMORY_END)
    host.check_registers(instances=2)
    assert host.start() == (NO_WORK, 0, 0)

    def refused(status: int, **arguments: int) -> None:
        good = {"operation": 0, "count": 1, "source": 0x1000, "target": 0x2000}
        for name, value in (good | arguments).items():
            host.set(name, value)
        assert host.start()[0] == status, arguments

    # Of the other instance nothing has been written: it stays idle.
    refused(OPERATION, operation=len(core.operations))
    refused(OPERATION, operation=1 << 31)
    refused(MISALIGNED, source=0x1001)
    refused(MISALIGNED, target=0x2001)
    refused(RANGE, source=BEYOND, count=100)
    refused(RANGE, target=BEYOND, count=100)
    refused(OVERLAP, target=0x1000, count=2)
    refused(READ, source=MEMORY_END)
    rng = np.random.default_rng(2)
    for operation in core.operations:
        given = operands(operation, 3, core.operands, rng)
        data = shell.to_memory(core.shell, operation.pack(given)).tobytes()
        host.put(0x1000, data)
        refused(OK, operation=operation.code, count=len(given))
        size = len(given) * core.shell.write_bytes(operation.code)
        words = shell.from_memory(core.shell, host.get(0x2000, size), len(given))
        assert (operation.unpack(words) == reference(operation, given)).all()
    refused(WRITE, target=MEMORY_END)
    check_late(host, refused)
    host.check_access()


def check_late(host: JobHost, ends: Callable[..., None]) -> None:
    """A memory that does not answer: every start ends at once until it has."""
    for channel in host.channels:
        channel.silent = True
    ends(READ_LATE)
    assert host.start()[0] == READ_LATE
    for channel in host.channels:
        channel.silent = False
    for _ in range(40):
        host.tick()
    ends(OK)


def engine_jobs(model: FourStates, core: DecomposedCore) -> None:
    """Registers, refused starts of the decomposed engine, and a job with two rounds' buffers."""
    host = JobHost(model, core.registers, MEMORY_END)
    host.check_registers(shape=core.largest << 16 | core.shape.t << 8 | core.shape.v)
    assert host.start()[0] in (SIZE, NO_WORK)

    def ends(status: int, **arguments: int) -> None:
        good = {"operation": 0, "log_size": core.largest, "count": 1}
        good |= {"source": 0x10000, "target": 0x20000, "scratch": 0x30000}
        for name, value in (good | arguments).items():
            host.set(name, value)
        assert host.start()[0] == status, arguments

    for size in (0, core.least - 1, core.largest + 1, 8, 16 + core.least, 31, 1 << 31):
        ends(SIZE, log_size=size)
    ends(OPERATION, operation=16)
    ends(OPERATION, operation=1 << 31)
    ends(NO_WORK, count=0)
    for name in ("source", "target"):
        ends(MISALIGNED, **{name: 0x40004})
        ends(RANGE, **{name: BEYOND})
    if host.channels:
        ends(OVERLAP, target=0x11000, count=1000)
        ends(READ, source=MEMORY_END)
        check_transforms(host, core, ends)
        ends(WRITE, target=MEMORY_END)
    else:  # of the largest size, which takes several rounds
        ends(MISALIGNED, scratch=0x40004)
        ends(RANGE, scratch=BEYOND)
        ends(OVERLAP, scratch=0x20000)
        ends(OK)
    host.check_access()


def check_transforms(host: JobHost, core: DecomposedCore, ends: Callable[..., None]) -> None:
    """A transform of each operation, of one round and of several."""
    rng = np.random.default_rng(3)
    for number, operation in enumerate(core.operations):
        size = (core.largest, core.least)[number % 2]
        given = random_words(core.ring.q, (2, 1 << size), rng)
        host.put(0x10000, decomposed.to_memory(core, given).tobytes())
        ends(OK, operation=operation.code, log_size=size, count=2)
        got = host.get(0x20000, len(given) * core.part(size, 1))
        wanted = decomposed_reference(core, operation, given)
        assert (decomposed.from_memory(core, got, wanted.shape) == wanted).all(), operation


@dataclass(frozen=True)
class Top:
    """A top, and what is done with it from power-on.

    Attributes
    ----------
    design
        What it is generated from.
    run
        With the netlist and what it is of.
    alone
        Instead of the design's wrapper, a module beside the tests.
    slow
        Its tests are.
    strict
        As of a netlist.
    """

    design: dict[str, Any]
    run: Callable[[FourStates, Any], None]
    alone: Path | None = None
    slow: bool = False
    strict: bool = True


HERE = Path(__file__).parent
SHELL = {
    "shell": {
        "instances": 2,
        "data_width": 64,
        "burst_bytes": 64,
        "latency_cycles": 8,
        "timeout_cycles": 264,
    }
}
CONTROL = HERE / "decomposed" / "control_alone.sv"
TOPS: Mapping[str, Top] = {
    "pipeline": Top(SMALL["pipeline"], stream),
    "iterative": Top(SMALL["iterative"], stream),
    "shell": Top(SMALL["iterative"] | SHELL, shell_jobs),
    "control": Top(SMALL["decomposed"], engine_jobs, CONTROL),
    "pipeline with a shell": Top(SMALL["pipeline"] | SHELL, shell_jobs, slow=True),
    # Its walks begin with whatever was there, and end a run that has not begun.
    "decomposed": Top(SMALL["decomposed"], engine_jobs, slow=True, strict=False),
}


@dataclass(frozen=True)
class Run:
    """A top, and all that was done with it."""

    model: FourStates
    sources: list[Path]
    wrapper: Wrapper


def power_on(top: Top, folder: Path, *defect: str) -> Run:
    """Generate a top, put a defect into a file of it, synthesise it and do what there is to do."""
    design = parse_design({"name": "dut"} | top.design, "test")
    core: Any = build(design)
    generate(design, folder)
    if defect:
        file, good, bad = defect
        change(next(folder.rglob(file)), good, bad, pattern=True)
    sources, wrapper = design_files(folder), core.wrapper
    if top.alone is not None:
        sources, wrapper = [*sources, top.alone], replace(wrapper, name=top.alone.stem)
    model = opened(sources, wrapper, folder, strict=top.strict)
    top.run(model, core)
    return Run(model, sources, wrapper)


def cases(*quick: str, but: Collection[str] = ()) -> list[Any]:
    """Names of tops, without some; those beside `quick` are slow, as is what says so."""
    return [
        pytest.param(name, marks=pytest.mark.slow if top.slow or name not in quick else ())
        for name, top in TOPS.items()
        if name not in but
    ]


@pytest.mark.parametrize("name", cases(*TOPS))
def test_from_power_on(name: str, tmp_path: Path) -> None:
    assert len(power_on(TOPS[name], tmp_path).model.cycles) > 100


@needs_icarus
@pytest.mark.parametrize("name", cases("iterative", "control", but=("decomposed",)))
def test_icarus_agrees(name: str, tmp_path: Path) -> None:
    run = power_on(TOPS[name], tmp_path)
    cycles, wrong = icarus(run.model, run.sources, run.wrapper, tmp_path / "icarus")
    assert not wrong
    assert cycles == len(run.model.cycles)


_RESET = r"always_ff @\(posedge clk_i or negedge rst_ni\) begin(\s+)if \(!rst_ni\) begin(\s+{})"
_NONE = r"always_ff @(posedge clk_i) begin\1if (1'b0) begin\2"
#: What was wrong once: top, file, pattern of what is right, what it was, and what is X of it.
DEFECTS = {
    "a size beyond a table": (
        *(
            "control",
            "ntf_decomposed_check.sv",
            r"SeveralOf\[",
            "Several[",
            "awake, interrupt, run, stop",
        ),
    ),
    "no status before the first job": (
        *("control", "ntf_job_control.sv", _RESET.format("cycles_q"), _NONE),
        "s_axi_control_rdata",
    ),
    "arguments that nothing resets": (
        *("shell", "ntf_shell_arguments.sv", _RESET.format("operation_o"), _NONE),
        "s_axi_control_rdata",
    ),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_named(name: str, tmp_path: Path) -> None:
    top, file, good, bad, unknown = DEFECTS[name]
    with pytest.raises(UnknownError, match=f"X in cycle [0-9]+: {unknown}$"):
        power_on(TOPS[top], tmp_path, file, good, bad)


@needs_icarus
def test_icarus_sees_a_defect(tmp_path: Path) -> None:
    """The same cycles, on sources that are no longer right: a start that never ends."""
    run = power_on(TOPS["control"], tmp_path)
    _, file, good, bad, _ = DEFECTS["a size beyond a table"]
    change(next(tmp_path.rglob(file)), good, bad, pattern=True)
    _, wrong = icarus(run.model, run.sources, run.wrapper, tmp_path / "icarus")
    assert "interrupt" in {each.split()[1] for each in wrong}


#: Controls, and their inputs that carry nothing while a valid is low.
CONTROLS = {
    "ntf_mlkem_control": ("cmd_i",),
    "ntf_mldsa_control": ("cmd_i",),
    "ntf_pqc_control": ("command_i",),
}
_IDLE_CYCLES = 400  # with what is wiped after the reset


def idle_outputs(name: str, folder: Path, *defect: str) -> set[str]:
    """Outputs of a control that are X at any time while it waits for its first command."""
    known = library()
    sources = [Path(shutil.copy(known[each], folder)) for each in needed(name, known)]
    if defect:
        change(folder / f"{name}.sv", *defect)
    netlist = synthesised(sources, name, folder, strict=True)
    inputs: dict[str, int | Word] = dict.fromkeys(netlist.inputs, 0)
    inputs |= {each: Word(0, 0, len(netlist.inputs[each])) for each in CONTROLS[name]}
    inputs |= {each: 1 for each in ("swept_i", "flushed_i") if each in inputs}
    for _ in range(3):
        netlist.step(inputs)
    runs = (netlist.step(inputs | {"rst_ni": 1}) for _ in range(_IDLE_CYCLES))
    return {output for outputs in runs for output, word in outputs.items() if not word.known}


@pytest.mark.synth
@pytest.mark.parametrize("name", CONTROLS)
def test_a_command_that_is_not_valid_reaches_nothing(name: str, tmp_path: Path) -> None:
    assert not idle_outputs(name, tmp_path)


@pytest.mark.synth
@pytest.mark.parametrize(
    ("name", "good", "bad", "output"),
    [
        (
            "ntf_mlkem_control",
            "(state_q == StIdle) & cmd_valid_i) ? cmd_i",
            "1'b1) ? cmd_i",
            "ctrl_o",
        ),
        (
            "ntf_pqc_control",
            "if (valid_i & ready_o) state_d.c",
            "if (1'b1) state_d.c",
            "kem_command_o",
        ),
    ],
)
def test_a_command_that_is_kept_without_its_valid_is_seen(
    name: str, good: str, bad: str, output: str, tmp_path: Path
) -> None:
    assert output in idle_outputs(name, tmp_path, good, bad)
