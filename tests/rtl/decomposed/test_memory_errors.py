# SPDX-License-Identifier: Apache-2.0
"""What the whole engine does when its memory fails: the job ends, says where, and the next is well.

The engine is the one without data: its control is all there.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from nttforge.kinds.decomposed.simulator import DecomposedJob, DecomposedRun, DecomposedSimulator
from nttforge.kinds.decomposed.walks import load, unload
from nttforge.simulate.memory import Buffer, MemoryModel
from nttforge.simulate.stream import StallPattern
from tests.rtl.decomposed.test_large import prepared_of
from tests.unit.families.decomposed.addresses import read_address, write_address

MEMORIES = {
    "fast": MemoryModel(latency=1, requests=4),
    "far": MemoryModel(latency=300, stalls=StallPattern.random(0.3)),
}
SOURCE, TARGET, WORK = 1 << 20, 2 << 20, 3 << 20
COUNT = 2
SIZES = (9, 12)  # of one round, of two


@pytest.fixture(scope="module")
def engine() -> Iterator[DecomposedSimulator]:
    tiny = prepared_of({"q": 998244353})
    with DecomposedSimulator.build(tiny.core, tiny.folder, data=False) as opened:
        yield opened


def run(
    engine: DecomposedSimulator, size: int, missing: int | None = None, **given: Any
) -> DecomposedRun:
    extent = COUNT * engine.core.word_bytes << size
    places = (SOURCE, TARGET, WORK)
    buffers = [Buffer(at, None, extent) for at in places if at != missing]
    return engine.run(DecomposedJob(0, size, COUNT, *places), buffers, **given)


def bursts(engine: DecomposedSimulator, size: int, write: bool) -> list[int]:
    """Addresses of the bursts of a job, in order; read ones of the first round, or written ones
    of the last."""
    core, shape = engine.core, engine.core.shape
    at = core.rounds(size)[-1 if write else 0]
    words = 1 << (at.unload if write else at.load).burst
    result = []
    for transform in range(COUNT):
        base = (TARGET if write else SOURCE) + (transform * core.word_bytes << size)
        for group in range(at.groups):
            if write:
                places = write_address(at, group, unload(shape, at).fields)
            else:
                places = read_address(at, group, load(shape, at).fields)
            result += [base + int(a) * core.word_bytes for a in places.reshape(-1)[::words]]
    return result


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("place", [0.0, 0.4, 1.0])
def test_an_error_ends_the_job(
    engine: DecomposedSimulator, size: int, place: float, write: bool, memory: str
) -> None:
    known = bursts(engine, size, write)
    burst = known[round(place * (len(known) - 1))]
    wrong: dict[str, Any] = {"bad_write" if write else "bad_read": burst}
    ended = run(engine, size, memory=replace(MEMORIES[memory], **wrong), seed=size)
    assert (ended.status, ended.channel) == (f"{'write' if write else 'read'} error", int(write))
    assert ended.fault == burst
    again = run(engine, size, memory=MEMORIES[memory])
    assert again.status == "ok"
    assert (
        again.written_beats
        == again.read_beats
        == (len(engine.core.rounds(size)) * COUNT << size) // engine.core.lanes
    )


@pytest.mark.parametrize(
    ("missing", "status"), [(SOURCE, "read"), (TARGET, "write"), (WORK, "write")]
)
def test_missing_memory_ends_the_job(
    engine: DecomposedSimulator, missing: int, status: str
) -> None:
    ended = run(engine, SIZES[1], missing, memory=MEMORIES["fast"])
    assert ended.status == f"{status} error"
    assert 0 <= ended.fault - missing < COUNT * engine.core.word_bytes << SIZES[1]


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("channel", [0, 1])
def test_a_memory_that_never_answers_ends_the_job(
    engine: DecomposedSimulator, channel: int, memory: str
) -> None:
    """Nothing that was valid is taken back; when the answers have come, it works on."""
    job = run(engine, SIZES[1], memory=replace(MEMORIES[memory], silent=channel), seed=channel)
    assert (job.status, job.channel) == (("read timeout", "write timeout")[channel], channel)
    assert job.cycles > engine.core.timeout_cycles
    assert (job.repeated, job.resumed) == (job.status, "ok")


def test_refused(engine: DecomposedSimulator) -> None:
    size = engine.core.largest + 1
    ended = run(engine, size, memory=MEMORIES["fast"])
    assert ended.status == "size not supported"
    assert ended.read_bursts == ended.write_bursts == 0
