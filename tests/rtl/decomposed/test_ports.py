# SPDX-License-Identifier: Apache-2.0
"""An engine whose beats are shared by several memory ports does as one with a single port does."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from nttforge.errors import FaultError, NttforgeError
from nttforge.kinds.decomposed.simulator import (
    DecomposedJob,
    DecomposedRun,
    DecomposedSimulator,
    board,
)
from nttforge.kinds.decomposed.verify import reference, verify_decomposed
from nttforge.simulate.memory import Buffer, MemoryModel
from nttforge.simulate.native import random_words
from tests.formal.proof import broken
from tests.rtl.decomposed.test_large import Engine, prepared_of

RING: dict[str, object] = {"q": 998244353}
TABLE = {"l_max": 12}
#: Kernel and beat, bits of a port, and ports: 128 and 256 bits of a beat.
SHAPES = [({}, 64, 2), ({"n": 32, "t": 8}, 64, 4)]
FAST = MemoryModel(latency=20)
SIZE, COUNT = 11, 2
PLACES = (1 << 20, 2 << 20, 3 << 20)
STRIPE = 1 << 16


def striped(bits: int = 64, **table: Any) -> Engine:
    return prepared_of(RING, **TABLE | table, port_bits=bits)


@pytest.fixture(scope="module")
def opened() -> Iterator[Callable[[Engine], DecomposedSimulator]]:
    """Engines without data, by the number of ports."""
    with ExitStack() as stack:
        made: dict[int, DecomposedSimulator] = {}

        def engine(prepared: Engine) -> DecomposedSimulator:
            core = prepared.core
            if core.ports not in made:
                build = DecomposedSimulator.build(core, prepared.folder, data=False)
                made[core.ports] = stack.enter_context(build)
            return made[core.ports]

        yield engine


def run(engine: DecomposedSimulator, memory: MemoryModel, seed: int = 0) -> DecomposedRun:
    """A job whose parts of buffers are far apart; beside them there is no memory."""
    core = engine.core
    part = (COUNT * core.word_bytes << SIZE) // core.ports
    buffers = [Buffer(at + p * STRIPE, None, part) for at in PLACES for p in range(core.ports)]
    # What a stripe has below a page, is not there.
    job = DecomposedJob(0, SIZE, COUNT, *PLACES, STRIPE + 0xABC)
    return engine.run(job, buffers, memory, seed=seed)


def transformed(prepared: Engine, seed: int) -> bool:
    """Whether transforms of two rounds are right, after a memory that waits at random."""
    core, rng = prepared.core, np.random.default_rng(seed)
    with DecomposedSimulator.build(core, prepared.folder) as engine:
        words = random_words(core.ring.q, (3, 1 << SIZE), rng)
        memory = replace(board(core), latency=70, refresh_period=300, refresh_length=40)
        for operation in (core.operations[0], core.operations[3]):
            found, job = engine.transform(operation, words, memory, seed=seed)
            if job.status != "ok" or (found != reference(core, operation, words)).any():
                return False
    return True


@pytest.mark.parametrize(
    ("table", "bits", "ports"), [SHAPES[0], pytest.param(*SHAPES[1], marks=pytest.mark.slow)]
)
def test_results(table: dict[str, Any], bits: int, ports: int) -> None:
    prepared = striped(bits, **table)
    assert (prepared.core.ports, 8 * prepared.core.port_bytes) == (ports, bits)
    result = verify_decomposed(prepared, count=1, seed=ports, largest=9)
    assert result.ok, result.mismatches or result.violation
    assert transformed(prepared, seed=1)


def test_cycles(opened: Callable[[Engine], DecomposedSimulator]) -> None:
    one, two = opened(prepared_of(RING, **TABLE)), opened(striped())
    # The host writes its arguments at random, so that a start may come a little early.
    runs = [
        min((run(engine, FAST, seed) for seed in range(8)), key=lambda job: job.cycles)
        for engine in (one, two)
    ]
    assert runs[0].status == "ok" and runs[0] == runs[1]
    # Ports that are refreshed at different times hardly wait for each other.
    refreshed = replace(FAST, refresh_period=600, refresh_length=60)
    alone, both = (run(engine, refreshed).cycles for engine in (one, two))
    assert runs[0].cycles < alone <= both < 1.1 * alone


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("port", [0, 1])
def test_an_error_of_a_port(
    opened: Callable[[Engine], DecomposedSimulator], port: int, write: bool
) -> None:
    engine = opened(striped())
    place = PLACES[1 if write else 0] + port * STRIPE
    wrong: dict[str, Any] = {"bad_write" if write else "bad_read": place}
    ended = run(engine, replace(FAST, **wrong))
    assert (ended.status, ended.channel) == (
        f"{'write' if write else 'read'} error",
        2 * port + write,
    )
    assert ended.fault == place
    assert run(engine, FAST).status == "ok"


@pytest.mark.parametrize("channel", range(4))
def test_a_port_that_never_answers(
    opened: Callable[[Engine], DecomposedSimulator], channel: int
) -> None:
    engine = opened(striped())
    job = run(engine, replace(FAST, silent=channel), seed=channel)
    assert (job.status, job.channel) == (("read timeout", "write timeout")[channel & 1], channel)
    assert (job.repeated, job.resumed) == (job.status, "ok")


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(NttforgeError, match=r"decomposed\.b: .* longer than 4096 bytes.*use 32"):
        prepared_of({"preset": "bn254"}, n=64, t=4, b=64)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("offset[p-1] + course_i.stripe", "offset[p-1]"),
        ("assign words_valid_o    = &words_valid;", "assign words_valid_o    = |words_valid;"),
        ("assign written_o = &ended;", "assign written_o = |ended;"),
        ("8'(answered[p]) - 8'(written_o)", "8'(answered[p] & written_o) - 8'(written_o)"),
        ("read_ask & read_burst_ready)", "read_ask)"),
        ("out_valid_i & out_ready_o)", "out_valid_i)"),
        ("wdata_o[p*PortW+:PortW]", "wdata_o[(p^1)*PortW+:PortW]"),
    ],
)
def test_mutants_are_caught(good: str, bad: str, tmp_path: Path) -> None:
    prepared = striped()
    copytree(prepared.folder, tmp_path / "design")
    (file,) = (tmp_path / "design").rglob("ntf_decomposed_memory.sv")
    broken(file, good, bad, file.parent)
    # Wrong results, a broken rule of AXI4's, an assertion, or it hangs.
    with suppress(FaultError):
        assert not transformed(replace(prepared, folder=tmp_path / "design"), seed=1)
