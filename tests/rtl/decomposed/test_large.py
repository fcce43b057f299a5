# SPDX-License-Identifier: Apache-2.0
"""The whole engine through the flows: values, cycles, files."""

import errno
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from nttforge.design import load_design, parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.backends import backend_of
from nttforge.flow.prepare import Prepared, prepare_any, prepare_kind, silent
from nttforge.hw import shell as shell_registers
from nttforge.kinds.decomposed.core import COUNT, LOG_SIZE, DecomposedCore
from nttforge.kinds.decomposed.lower_bounds import latency_floor
from nttforge.kinds.decomposed.measure import DecomposedMeasureResult, measure_decomposed
from nttforge.kinds.decomposed.run import is_short, run_decomposed
from nttforge.kinds.decomposed.simulator import (
    DecomposedJob,
    DecomposedSimulator,
    from_memory,
    to_memory,
)
from nttforge.kinds.decomposed.verify import (
    definition_holds,
    memories,
    reference,
    verify_decomposed,
    with_zeros,
)
from nttforge.options.verbs import FileOptions, MeasureOptions, RunOptions
from nttforge.progress import report_to
from nttforge.results import Measurement
from nttforge.simulate.memory import Buffer, Channels, MemoryModel
from nttforge.simulate.native import native_transform, random_words
from nttforge.table import markdown

Engine = Prepared[DecomposedCore]

LEAST = {"n": 16, "t": 4, "b": 2, "l_max": 14}


def prepared_of(ring: dict[str, object], **table: object) -> Engine:
    data = {"name": "dut", "family": "decomposed", "rings": [ring], "decomposed": LEAST | table}
    return prepare_kind(parse_design(data, "test"), DecomposedCore)


@pytest.fixture(scope="module")
def tiny() -> Engine:
    return prepared_of({"q": 998244353}, coset=5, blowup=4)


@pytest.fixture(scope="module")
def simulator(tiny: Engine) -> Iterator[Any]:
    with DecomposedSimulator.build(tiny.core, tiny.folder) as opened:
        yield opened


def test_every_size_operation_and_memory(tiny: Engine) -> None:
    result = verify_decomposed(tiny, seed=1)
    assert result.ok, result.mismatches or result.violation
    assert result.sizes == (4, 14)
    assert len(result.operations) == 12
    assert result.definition_checked >= 2 * 11 * 12


def test_digits_of_two_bits_less() -> None:
    """Where half of a size's bits are too many for its second digit."""
    result = verify_decomposed(prepared_of({"q": 7681}, b=4, digit=2, l_max=8), seed=3)
    assert result.ok, result.mismatches or result.violation


@pytest.mark.parametrize("kernels", [1, 2])
def test_zeros_where_nobody_has_written(kernels: int) -> None:
    """With a modulus whose reduction makes -q of 0, far below the next power of two."""
    table: dict[str, object] = {"b": 4, "l_max": 10, "blowup": 16, "kernels": kernels}
    result = verify_decomposed(prepared_of({"q": 166674433}, **table), seed=3)
    assert result.ok, result.mismatches or result.violation


@pytest.mark.slow
def test_cycles_of_beats_of_many_bits() -> None:
    """16,384 of them: a literal that is repeated so often is a warning."""
    wide = prepared_of({"preset": "bls12-381"}, n=64, t=16, engines=4)
    with DecomposedSimulator.build(wide.core, wide.folder, data=False):
        pass


@pytest.mark.slow
def test_the_slowest_memory_that_a_design_may_name() -> None:
    table: dict[str, object] = {"b": 4, "l_max": 8, "clock_mhz": 2500, "burst_ns": 100000}
    result = verify_decomposed(prepared_of({"q": 786433}, **table), sizes=[4, 8], count=1)
    assert result.ok, result.mismatches or result.violation


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ring", "table"),
    [
        ({"q": 998244353}, {"n": 64, "t": 8, "b": 8, "digit": 4, "engines": 2}),
        ({"preset": "goldilocks"}, {"n": 16, "t": 4, "b": 4, "coset": 7, "blowup": 16}),
        ({"q": "0x8000011c00000001"}, {"n": 32, "t": 8, "b": 2}),
        ({"q": 12289}, {"n": 32, "t": 4, "b": 8, "l_max": 11, "coset": 11, "coset_inverse": False}),
        ({"q": 7681}, {"n": 32, "t": 8, "b": 2, "l_max": 9}),
        ({"preset": "bn254"}, {"n": 16, "t": 4, "b": 2, "adders_per_stage": 1}),
    ],
)
def test_other_rings_and_shapes(ring: dict[str, object], table: dict[str, object]) -> None:
    result = verify_decomposed(prepared_of(ring, **table), seed=2)
    assert result.ok, result.mismatches or result.violation


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sam-64", "sam-256-bn254"])
def test_the_paper_configurations(name: str) -> None:
    """Every power of two to 2^18 (64 bits) and 2^14 (256 bits), all directions."""
    prepared = prepare_kind(load_design(name), DecomposedCore)
    result = verify_decomposed(prepared, seed=3, largest=18 if name == "sam-64" else 14)
    assert result.ok, result.mismatches or result.violation


def test_which_runs_are_short(tiny: Engine) -> None:
    """Of wide words alone, whose models take minutes to compile, and of some thousand beats."""
    core = prepared_of({"preset": "bn254"}, adders_per_stage=1).core
    assert core.lanes == 4
    assert is_short(core, 12, 2) and not is_short(core, 12, 10)
    assert is_short(core, 4, 2_500) and not is_short(core, 4, 2_501)
    assert not is_short(tiny.core, 4, 1)


@pytest.mark.slow
def test_a_first_run_of_wide_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an empty cache, by a model that is not optimised."""
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    prepared = prepared_of({"preset": "bn254"}, adders_per_stage=1)
    said = list[str]()
    (tmp_path / "in.txt").write_text(" ".join(["0", "1", *["0"] * 254]))
    with report_to(said.append):
        result = run_decomposed(prepared, "ntt", tmp_path / "in.txt", tmp_path / "out.txt")
    assert result.ok
    words = (tmp_path / "out.txt").read_text().split()
    q, root = int(result.modulus), int(result.root)
    assert words == [str(pow(root, i, q)) for i in range(256)]
    assert "compiling the simulator of dut" in said


@pytest.mark.slow
def test_a_million_words() -> None:
    prepared = prepare_kind(load_design("sam-64"), DecomposedCore)
    core = prepared.core
    words = random_words(core.ring.q, (1, 1 << 20), np.random.default_rng(20))
    operation = core.operations[0]
    with DecomposedSimulator.build(core, prepared.folder) as simulator:
        got, run = simulator.transform(operation, words)
    assert run.status == "ok"
    assert (got == native_transform(core.ring.q, core.root(operation, 20), words)).all()


MEMORIES = (
    "the board",
    "a beat a cycle, latency 1",
    "random stalls on every handshake",
    "latency 300, stalls in bursts",
    "refreshed",
)


def test_the_memories_are_those_of_verify(tiny: Engine) -> None:
    assert tuple(memories(tiny.core)) == MEMORIES


@pytest.mark.parametrize("memory", MEMORIES)
def test_the_engine_without_data_takes_the_same_cycles(
    tiny: Engine, simulator: DecomposedSimulator, memory: str
) -> None:
    """Every size, several transforms, under random stalls too: they depend on the seed alone."""
    core = tiny.core
    model = memories(core)[memory]
    with DecomposedSimulator.build(core, tiny.folder, data=False) as bare:
        for number, size in enumerate((4, 7, 9, 11, 12, 13, 13)):
            operation = core.operations[number]
            pad = core.most_padding(operation, size)
            for count, padding in ((1, 0), (5, pad)):
                words = np.zeros((count, 1 << size - padding, 1), np.uint64)
                _, whole = simulator.transform(operation, words, model, padding=padding, seed=size)
                alone = bare.count(operation, size, count, model, padding=padding, seed=size)
                assert alone == whole


#: Cycles of a transform of the tiny engine by its size, as they were when last looked at: later is
#: not wrong, and would be seen by nothing else.
CYCLES = {
    "the board": {4: 330, 6: 436, 8: 868, 10: 2388, 12: 9590, 13: 16079, 14: 31055},
    "a beat a cycle, latency 1": {4: 124, 6: 204, 8: 370, 10: 951, 12: 3421, 13: 8497, 14: 16705},
}


@pytest.mark.parametrize("memory", CYCLES)
def test_nothing_takes_longer_than_it_did(tiny: Engine, memory: str) -> None:
    core, model = tiny.core, memories(tiny.core)[memory]
    with DecomposedSimulator.build(core, tiny.folder, data=False) as bare:
        took = {n: bare.count(core.operations[0], n, 1, model).cycles for n in CYCLES[memory]}
    assert took == CYCLES[memory]


BURSTS = "latency 300, stalls in bursts"
# With these a group waited so long to be unloaded that it was counted twice, and all stood still.
LONG_WAITS = (44, 52, 108, 136)


def test_groups_that_wait_long_to_be_unloaded(tiny: Engine) -> None:
    core = tiny.core
    with DecomposedSimulator.build(core, tiny.folder, data=False) as bare:
        for seed in (*range(20), *LONG_WAITS):
            run = bare.count(core.operations[0], 14, 1, memories(core)[BURSTS], seed=seed)
            assert run.status == "ok"


def test_jobs_follow_each_other_without_a_reset(tiny: Engine) -> None:
    """Arguments of the job before stay, and all jobs of a simulator are right after it."""
    core, asked = tiny.core, (LOG_SIZE, COUNT)
    channels = Channels(core.channels, core.port_bytes, shell_registers.ADDRESS_WIDTH)
    with DecomposedSimulator.build(core, tiny.folder, data=False) as bare:
        bare.count(core.operations[0], 11, 3)
        answer = bare._host.job(channels, [], asked, [], MemoryModel(), patience=10_000)
    assert answer.registers == (11, 3)


def test_durations_do_not_depend_on_data(tiny: Engine, simulator: DecomposedSimulator) -> None:
    core = tiny.core
    operation = core.operations[3]
    runs = [
        simulator.transform(operation, words, seed=5)[1]
        for words in (
            np.zeros((2, 1 << 12, 1), np.uint64),
            np.full((2, 1 << 12, 1), core.ring.q - 1, np.uint64),
            random_words(core.ring.q, (2, 1 << 12), np.random.default_rng(5)),
        )
    ]
    assert runs[0] == runs[1] == runs[2]


def test_every_word_is_read_and_written_once_a_round(
    tiny: Engine, simulator: DecomposedSimulator
) -> None:
    core = tiny.core
    for size in (9, 13):
        _, run = simulator.transform(core.operations[0], np.zeros((3, 1 << size, 1), np.uint64))
        beats = len(core.rounds(size)) * (3 << size) // core.lanes
        assert run.read_beats == run.written_beats == beats
        assert run.read_bursts == run.write_bursts == beats * core.lanes >> core.shape.p


@pytest.mark.parametrize("size", [9, 12, 13])
def test_zeros_are_not_read(tiny: Engine, simulator: DecomposedSimulator, size: int) -> None:
    """Nor is there memory for them; and of a transform that is alone the words are there sooner."""
    core = tiny.core
    operation = next(o for o in core.operations if o.name == "coset.ntt")
    cycles = []
    for padding in range(core.most_padding(operation, size) + 1):
        words = random_words(core.ring.q, (1, 1 << size - padding), np.random.default_rng(size))
        got, run = simulator.transform(operation, words, padding=padding)
        expected = reference(core, operation, with_zeros(words, padding))
        assert run.status == "ok" and (got == expected).all()
        beats = (1 << size) // core.lanes
        later = beats * (len(core.rounds(size)) - 1)
        assert (run.read_beats, run.written_beats) == (later + (beats >> padding), later + beats)
        floor = latency_floor(core, size, operation.order, padding)
        assert floor < run.cycles
        cycles.append(run.cycles)
    assert len(cycles) > 1 and sorted(cycles, reverse=True) == cycles and len(set(cycles)) > 1


def test_padding_that_there_is_not_is_refused(tiny: Engine, tmp_path: Path) -> None:
    for name, padding in (("intt", 1), ("ntt", 4)):
        with pytest.raises(NttforgeError, match=r"^padding: .* words reads one of \d at least"):
            measured(tiny, sizes=[10], operation=name, padding=padding)
    np.save(tmp_path / "x.npy", np.arange(256))
    for padding in (-1, 1 << 70):
        with pytest.raises(NttforgeError, match=r"^padding: .* is out of range; use 0 to 4$"):
            backend_of(tiny.core).functions(tiny)["coset.ntt"](np.arange(256), padding=padding)
    given = RunOptions(operation="coset.ntt", padding=2)
    result = backend_of(tiny.core).run(
        tiny, [tmp_path / "x.npy"], tmp_path / "y.npy", given, silent
    )
    assert result.ok and np.load(tmp_path / "y.npy").shape == (1024,)
    values = backend_of(tiny.core).functions(tiny)["coset.ntt"](np.arange(256), padding=2)
    assert (values == np.load(tmp_path / "y.npy")).all()


def test_a_mutant_is_caught(tiny: Engine, tmp_path: Path) -> None:
    """One digit of the last seed, the root 1, is wrong."""
    shutil.copytree(tiny.folder, tmp_path / "dut")
    package = tmp_path / "dut" / f"{tiny.core.name}_pkg.sv"
    text = package.read_text()
    at = text.rindex("'h", 0, text.index("Rounds of every order")) + 8
    package.write_text(text[:at] + ("1" if text[at] == "0" else "0") + text[at + 1 :])
    result = verify_decomposed(replace(tiny, folder=tmp_path / "dut"), largest=6)
    assert not result.ok and result.mismatches


def test_measure(tiny: Engine) -> None:
    result = measure_decomposed(tiny, sizes=[12, 14], count=8)
    assert [row.size for row in result.one] == [12, 14]
    assert [row.rounds for row in result.one] == [2, 2]
    assert all(row.floor_cycles < row.cycles for row in result.one)
    assert all(row.floor_cycles < row.cycles for row in result.batches)
    for one in result.one:
        assert one.floor_cycles < one.waiting_cycles < one.cycles
    for batch in result.batches:
        assert batch.floor_cycles <= batch.more_cycles < batch.cycles_per_transform
    assert [row.transforms for row in result.batches] == [8, 8]
    assert "| 2^12 | 2 |" in markdown(result.page())


@pytest.mark.slow
def test_rounds_of_different_transforms_share_their_time() -> None:
    """2^18 words of 256 bits: a round that waits for the memory, and one that the kernel holds up.

    Round after round they take 3.16 cycles a beat instead of three.
    """
    prepared = prepare_kind(load_design("sam-256-bn254"), DecomposedCore)
    (batch,) = measure_decomposed(prepared, sizes=[18], count=8).batches
    assert batch.of_floor > 0.95  # filling and draining included
    assert batch.more_of_floor > 0.999
    core = prepared.core
    words = random_words(core.ring.q, (3, 1 << 18), np.random.default_rng(18))
    for operation in core.operations[:2]:
        with DecomposedSimulator.build(core, prepared.folder) as simulator:
            got, run = simulator.transform(operation, words)
        assert run.status == "ok"
        assert (got == reference(core, operation, words)).all()


def measured(prepared: Prepared[Any], **given: object) -> Measurement:
    return backend_of(prepared.core).measure(prepared, MeasureOptions.read(given), silent)


def test_measure_in_another_order(tiny: Engine) -> None:
    """What is bit-reversed on one side is written where it was read, and takes as many rounds."""
    for name in ("ntt.reversed", "negacyclic.intt.reversed"):
        result = measured(tiny, sizes=[10, 13], operation=name, count=4)
        assert isinstance(result, DecomposedMeasureResult)
        assert result.operation == name
        assert [row.rounds for row in result.one] == [1, 2]
        assert all(row.floor_cycles < row.cycles for row in result.one)
        assert all(row.floor_cycles < row.cycles for row in result.batches)


def test_measure_refuses_operations(tiny: Engine) -> None:
    with pytest.raises(NttforgeError, match=r"ntt\.revers"):
        measured(tiny, operation="ntt.revers")
    with pytest.raises(NttforgeError, match=r"operation: there is no 'ntt'; use keygen"):
        measured(prepare_any(load_design("ml-kem-coprocessor")), operation="ntt")


def test_a_transform_in_place(tiny: Engine, simulator: DecomposedSimulator) -> None:
    """One buffer for everything, of several rounds, there and back; no other memory is touched."""
    core = tiny.core
    there, back = (core.operations[code] for code in (6, 7))
    words = random_words(core.ring.q, (3, 1 << 13), np.random.default_rng(13))
    memory = to_memory(core, words)
    place = 1 << 20
    for operation in (there, back):
        job = DecomposedJob(operation.code, 13, 3, place, place, 0)
        run = simulator.run(job, [Buffer(place, memory)])
        assert run.status == "ok"
        got = from_memory(core, memory, words.shape)
        if operation is there:
            assert (got == reference(core, there, words)).all()
    assert (got == words).all()


def test_measure_refuses_other_sizes(tiny: Engine) -> None:
    for size in (3, 15):
        with pytest.raises(NttforgeError, match=rf"sizes: dut has no transform of 2\^{size}"):
            measure_decomposed(tiny, sizes=[size])


def test_files(tiny: Engine, tmp_path: Path) -> None:
    core = tiny.core
    words = random_words(core.ring.q, (2, 1 << 12), np.random.default_rng(7))[..., 0]
    np.save(tmp_path / "x.npy", words)
    forward = run_decomposed(tiny, "negacyclic.ntt", tmp_path / "x.npy", tmp_path / "y.npy")
    back = run_decomposed(tiny, "negacyclic.intt", tmp_path / "y.npy", tmp_path / "z.txt")
    assert forward.ok and back.ok
    assert forward.words_compared == 2 << 12 and forward.points_compared
    given = [[int(word) for word in line.split()] for line in (tmp_path / "z.txt").open()]
    assert given == words.tolist()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    result = np.load(tmp_path / "y.npy")
    assert result.shape == words.shape and result.dtype == np.uint64
    psi = core.seeds.roots[13]
    value = sum(int(word) * pow(psi, 3 * i, core.ring.q) for i, word in enumerate(words[0]))
    assert int(result[0, 1]) == value % core.ring.q


def test_files_of_words_without_a_shape(tiny: Engine, tmp_path: Path) -> None:
    """One polynomial of any size; several would come back as one."""
    words = random_words(tiny.core.ring.q, (2, 1 << 6), np.random.default_rng(8))[..., 0]
    (tmp_path / "x.bin").write_bytes(words[0].astype("<u4").tobytes())
    forward = run_decomposed(tiny, "ntt", tmp_path / "x.bin", tmp_path / "y.mem")
    assert forward.input_format == "raw words, 4 bytes each, little-endian"
    assert len((tmp_path / "y.mem").read_text().split()) == 1 << 6
    assert run_decomposed(tiny, "intt", tmp_path / "y.mem", tmp_path / "z.json").ok
    assert json.loads((tmp_path / "z.json").read_text()) == words[0].tolist()
    np.save(tmp_path / "x.npy", words)
    with pytest.raises(NttforgeError, match=r"there are 2 polynomials, and \.hex holds one"):
        run_decomposed(tiny, "ntt", tmp_path / "x.npy", tmp_path / "y.hex")
    with pytest.raises(NttforgeError, match="word_bytes: no file holds raw words"):
        files = FileOptions(word_bytes=4)
        run_decomposed(tiny, "ntt", tmp_path / "x.npy", tmp_path / "y.txt", files=files)


def test_the_definition_is_looked_at(tiny: Engine) -> None:
    core = tiny.core
    words = random_words(core.ring.q, (1, 1 << 6), np.random.default_rng(1))
    for operation in core.operations:
        got = reference(core, operation, words)
        assert definition_holds(core, operation, words[0], got[0], 0)[0]
        got[0, :, 0] ^= np.uint64(1)
        assert not definition_holds(core, operation, words[0], got[0], 0)[0]


@pytest.mark.parametrize(
    ("array", "complaint"),
    [
        (np.zeros(100, np.int64), "100 words"),
        (np.zeros(8, np.int64), "8 words"),
        (np.zeros(1 << 15, np.int64), "2\\^4 to 2\\^14"),
        (np.zeros((2, 2, 2, 16), np.int64), "shape"),
        (np.zeros((0, 16), np.int64), "no polynomials"),
        (np.zeros(16), "float64"),
        (np.zeros(0, np.int64), "no polynomials"),
        (np.array([[0] * 16, [0] * 7 + [-1] + [0] * 8]), "word 7 of polynomial 1: -1 is not in"),
        (np.full(16, 998244353), "word 0 of polynomial 0: 998244353 is not in"),
        (np.full(16, 1 << 63, np.uint64), "is not in"),
        (np.zeros((1, 16, 4), np.uint64), r"\(1, 16, 4\) and holds uint64"),
    ],
)
def test_wrong_files(
    tiny: Engine, tmp_path: Path, array: npt.NDArray[np.generic], complaint: str
) -> None:
    np.save(tmp_path / "x.npy", array)
    with pytest.raises(NttforgeError, match=complaint):
        run_decomposed(tiny, "ntt", tmp_path / "x.npy", tmp_path / "y.npy")
    assert not (tmp_path / "y.npy").exists()


def test_wrong_names(tiny: Engine, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(16, np.uint64))
    (tmp_path / "folder.npy").mkdir()
    for operation, source, target in (
        ("nt", "x.npy", "y.npy"),
        (None, "x.npy", "y.npy"),
        ("ntt", "w.npy", "y.npy"),
        ("ntt", "x.npy", "y.dat"),
        ("ntt", "x.npy", "y"),
        ("ntt", "x.npy", "there/y.npy"),
        ("ntt", "x.npy", "folder.npy"),
        ("ntt", "folder.npy", "y.npy"),
        ("ntt", "x.npy", "/proc/y.npy"),
    ):
        with pytest.raises(NttforgeError):
            run_decomposed(tiny, operation, tmp_path / source, tmp_path / target)


@pytest.mark.parametrize(
    ("size", "what"), [((1 << 16) + 128, "results"), (1 << 15, "words between two rounds")]
)
def test_a_full_disk(
    tiny: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, what: str
) -> None:
    """It is found before anything is simulated, and leaves nothing."""
    np.save(tmp_path / "x.npy", np.zeros(1 << 13, np.uint64))
    whole = os.posix_fallocate

    def full(file: int, offset: int, asked: int) -> None:
        if asked == size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        whole(file, offset, asked)

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(NttforgeError, match=f"MB of {what} .*No space left on device"):
        run_decomposed(tiny, "ntt", tmp_path / "x.npy", tmp_path / "y.npy")
    assert [path.name for path in tmp_path.iterdir()] == ["x.npy"]


def test_an_interrupted_run_leaves_nothing_and_says_how_far_it_got(
    tiny: Engine, tmp_path: Path
) -> None:
    np.save(tmp_path / "x.npy", np.zeros((64, 1 << 13), np.uint64))
    said: list[str] = []

    def stop(text: str) -> None:
        said.append(text)
        if "cycles" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_decomposed(tiny, "ntt", tmp_path / "x.npy", tmp_path / "y.npy", stop)
    assert said[-1].startswith("ntt of 64 x 2^13 words: ") and said[-1].endswith("cycles")
    assert [path.name for path in tmp_path.iterdir()] == ["x.npy"]


def test_an_interrupt_is_heard(tiny: Engine, simulator: DecomposedSimulator) -> None:
    """The simulation stops, and the next one starts afresh."""

    def stop(cycles: int, part: float) -> None:
        assert 0 <= part <= 1
        raise KeyboardInterrupt

    operation = tiny.core.operations[0]
    words = random_words(tiny.core.ring.q, (64, 1 << 13), np.random.default_rng(2))
    with pytest.raises(KeyboardInterrupt):
        simulator.transform(operation, words, MemoryModel(latency=300), watch=stop)
    got, run = simulator.transform(operation, words[:1])
    assert run.status == "ok"
    root = tiny.core.root(operation, 13)
    assert (got == native_transform(tiny.core.ring.q, root, words[:1])).all()
