# SPDX-License-Identifier: Apache-2.0
"""The C driver of pipelines with loaded moduli: its loads, what it refuses, and its library."""

import ctypes
import random
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flint import nmod_poly

from nttforge.design import Design, load_design
from nttforge.host.library import write_library
from nttforge.hw import build
from nttforge.hw.core import StreamCore
from nttforge.kinds.stream.driver import ERRORS, refused
from nttforge.kinds.stream.loaded import LoadedPipeline, ring_of
from nttforge.kinds.stream.loaded_registers import STATUS_TEXTS, STATUSES
from tests.drivers.compilers import (
    COMPILERS,
    STRICT,
    assert_clean,
    command_of,
    run,
    shared,
    write_driver,
)
from tests.known_primes import drawn, largest, smallest
from tests.loaded_primes import design_of as design_of_places
from tests.loaded_primes import engine, values_by_flint
from tests.rtl.pipeline.test_loaded import SHAPES, design_of
from tests.rtl.pipeline.test_loaded_registers import wrong_loads

CODES = {error.name: error.value for error in ERRORS}
TEXTS = {error.name: error.text for error in ERRORS}
SEND = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64), ctypes.c_uint32, ctypes.c_int
)
RECEIVE = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.POINTER(ctypes.c_uint64),
    ctypes.POINTER(ctypes.c_uint32),
    ctypes.POINTER(ctypes.c_int),
)


class Bus(ctypes.Structure):
    _fields_ = (("context", ctypes.c_void_p), ("send", SEND), ("receive", RECEIVE))


class Driver:
    """A driver on a bus that keeps what is sent, and plays back what is to be received."""

    def __init__(self, core: StreamCore, design: Design, folder: Path) -> None:
        self.core, self.name, self.places = core, core.name, engine(core).places
        self.library = ctypes.CDLL(str(shared(write_driver(core, design, folder))))
        self.sent: list[tuple[list[int], int, int]] = []
        self.replies: list[tuple[list[int], int, int]] = []
        self.fails = False
        self._send, self._receive = SEND(self._on_send), RECEIVE(self._on_receive)
        self._device = (ctypes.c_uint64 * (3 + 4 * self.places))()
        self._call("open")(self._device, ctypes.byref(Bus(None, self._send, self._receive)))

    def _call(self, name: str) -> Any:
        return getattr(self.library, f"{self.name}_{name}")

    def _on_send(self, _: object, words: Any, user: int, last: int) -> int:
        self.sent.append((words[: self.core.stream.lanes], user, last))
        return int(self.fails)

    def _on_receive(self, _: object, words: Any, user: Any, last: Any) -> int:
        beat, user[0], last[0] = self.replies.pop(0)
        for lane, word in enumerate(beat):
            words[lane] = word
        return 0

    def load(self, place: int, q: int, root: int) -> int:
        wide = ctypes.c_uint64
        code: int = self._call("load")(self._device, place, wide(q), wide(root))
        return code

    def transform(self, place: int, operation: int, words: list[int]) -> tuple[int, list[int]]:
        given = (ctypes.c_uint64 * len(words))(*words)
        out = (ctypes.c_uint64 * len(words))()
        code = self._call("transform")(self._device, place, operation, given, out)
        return code, list(out)

    def error(self, code: int) -> str:
        call = self._call("error")
        call.restype = ctypes.c_char_p
        text: bytes = call(code)
        return text.decode()


#: Designs: those of the pipelines' tests, and one with more values.
NAMES = [*SHAPES, "larger", "rns-54"]


@cache
def core_of(name: str) -> tuple[Design, StreamCore]:
    if name == "larger":
        design = design_of_places(256, 60, {"twiddles": "made", "butterflies": 8})
    else:
        design = load_design(name) if name == "rns-54" else design_of(name)
    core = build(design)
    assert isinstance(core, StreamCore)
    return design, core


def moduli_of(pipeline: LoadedPipeline, count: int) -> Iterator[int]:
    """The smallest, the largest, and drawn ones."""
    bits, zeros = pipeline.moduli.bits, pipeline.moduli.zeros
    yield from (smallest(zeros), largest(bits, zeros))
    rng = random.Random(0)
    yield from (drawn(bits, zeros, rng) for _ in range(count))


@pytest.fixture(params=NAMES)
def driver(request: pytest.FixtureRequest, tmp_path: Path) -> Driver:
    design, core = core_of(request.param)
    return Driver(core, design, tmp_path)


def test_loads_are_those_of_python(driver: Driver) -> None:
    """Word by word, for any prime: its inverse, factors of tables, and what others are made of."""
    pipeline = engine(driver.core)
    count = 1 if driver.core.stream.beats > 1000 else 20
    for number, q in enumerate(moduli_of(pipeline, count)):
        place = number % pipeline.places
        ring = ring_of(pipeline.design, q)
        driver.sent.clear()
        assert driver.load(place, q, ring.root) == 0
        user = 1 << pipeline.user_bits - 1 | pipeline.code(place, 0)
        words = list(pipeline.load_words(ring))
        assert [beat[0] for beat, _, _ in driver.sent] == words
        assert all(not any(beat[1:]) and at == user for beat, at, _ in driver.sent)
        assert [last for _, _, last in driver.sent] == [0] * (len(words) - 1) + [1]


@pytest.mark.long
@pytest.mark.parametrize("compiler", COMPILERS)
def test_compilers_have_nothing_to_say(compiler: str, tmp_path: Path) -> None:
    """Of a driver with tables and one that makes factors, for any processor."""
    for name in ("an inverse", "larger"):
        design, core = core_of(name)
        assert_clean(compiler, write_driver(core, design, tmp_path))


def test_what_is_refused(driver: Driver) -> None:
    """With one line each, before anything is sent."""
    pipeline = engine(driver.core)
    ring = driver.core.operations[0].ring
    names = ["FORM", "WIDE", "FORM", "COMPOSITE", "ROOT"]
    wrong = list(refused(pipeline, ring))
    if pipeline.moduli.bits == 64:
        del names[1]  # there is no wider one
    for (_, q, root), name in zip(wrong, names, strict=True):
        assert driver.load(0, q, root) == CODES[name]
    composites = [(7681 * 12289, 3), (ring.q, ring.q), (ring.q, 0), (1, 1), (0, 0)]
    for q, root in composites:
        assert driver.load(0, q, root) in (CODES["COMPOSITE"], CODES["ROOT"], CODES["FORM"])
    assert driver.load(pipeline.places, ring.q, ring.root) == CODES["PLACE"]
    assert driver.transform(0, 0, [0] * ring.n)[0] == CODES["PLACE"]
    assert not driver.sent
    texts = [driver.error(code) for code in CODES.values()]
    assert len(set(texts)) == len(texts)
    assert driver.error(99) == "an unknown error"


def test_strong_pseudoprimes_are_composite(tmp_path: Path) -> None:
    """Numbers that pass the test to the first bases, and Carmichael numbers."""
    design, core = core_of("an inverse")
    driver = Driver(core, design, tmp_path)
    check = driver.library.dut_check
    for q in (3215031751, 3474749660383, 341550071728321, 3825123056546413051, 561, 1105, 6601):
        # Only those that are 1 modulo 2^zeros come as far as the test.
        code = check(ctypes.c_uint64(q), ctypes.c_uint64(2), None)
        assert code in (CODES["COMPOSITE"], CODES["FORM"])


def test_orders_and_marks_of_transforms(driver: Driver) -> None:
    """Words go and come in the orders of the contract; a marked result is an error."""
    pipeline, rng = engine(driver.core), random.Random(1)
    core = driver.core
    for path in range(len(pipeline.paths)):
        operation = core.operations[path]
        ring = operation.ring
        assert driver.load(0, ring.q, ring.root) == 0
        driver.sent.clear()
        words = [rng.randrange(ring.q) for _ in range(ring.n)]
        reply = [rng.randrange(ring.q) for _ in range(ring.n)]
        order = operation.output_layout.order().tolist()
        user = pipeline.code(0, path)
        rows = [[reply[index] for index in row] for row in order]
        for marked in (False, True):
            tag = user | int(marked) << pipeline.user_bits
            driver.replies = [(row, tag, int(row is rows[-1])) for row in rows]
            code, out = driver.transform(0, path, words)
            assert code == (CODES["HARDWARE"] if marked else 0)
            assert marked or out == reply
        sent = driver.sent[: len(order)]
        given = operation.input_layout.order().tolist()
        assert [beat for beat, _, _ in sent] == [[words[i] for i in row] for row in given]
        assert [at for _, at, _ in sent] == [user] * len(sent)
        assert [last for _, _, last in sent] == [0] * (len(sent) - 1) + [1]
        words[ring.n - 1] = ring.q
        assert driver.transform(0, path, words)[0] == CODES["RANGE"]
    assert driver.transform(0, len(pipeline.paths), [0] * ring.n)[0] == CODES["OPERATION"]
    driver.fails = True
    assert driver.transform(0, 0, [0] * ring.n)[0] == CODES["BUS"]
    assert driver.load(0, ring.q, ring.root) == CODES["BUS"]
    assert driver.transform(0, 0, [0] * ring.n)[0] == CODES["PLACE"]  # half of it was loaded


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library") / "host"
    write_library(design_of("three places"), folder)
    return folder


@pytest.fixture(scope="module")
def with_registers(tmp_path_factory: pytest.TempPathFactory) -> tuple[StreamCore, Path]:
    design = design_of("three places", registers=True)
    core = build(design)
    assert isinstance(core, StreamCore)
    folder = tmp_path_factory.mktemp("registers") / "host"
    write_library(design, folder)
    return core, folder


def compiled(source: Path, library: Path, program: Path, *options: str) -> Path:
    links = [f"-I{library}", f"-L{library}", "-lnttforge", f"-Wl,-rpath,{library}"]
    done = run(*command_of("gcc"), *STRICT, *options, source, "-o", program, *links)
    assert done.returncode == 0, done.stderr
    return program


def test_the_example_of_the_library(library: Path, tmp_path: Path) -> None:
    """It multiplies on the simulated hardware, and shows five moduli that are refused."""
    program = compiled(library / "example.c", library, tmp_path / "example")
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0].endswith(": no error") and lines[1] == "multiply: no error"
    assert lines[2].startswith("right, after ")
    texts = {error.name: error.text for error in ERRORS}
    wanted = ["FORM", "WIDE", "FORM", "COMPOSITE", "ROOT"]
    assert [line.split(": ", 1)[1] for line in lines[3:]] == [texts[name] for name in wanted]


def test_a_program_transforms_with_moduli_of_its_own(library: Path, tmp_path: Path) -> None:
    """Drawn primes in all places at once, with pauses: every value as FLINT has it, and back."""
    design, core = core_of("three places")
    pipeline, rng = engine(core), random.Random(2)
    program = compiled(Path(__file__).with_name("loaded_client.c"), library, tmp_path / "client")
    rings = [ring_of(design, q) for q in moduli_of(pipeline, 7)]
    text, wanted = [], []
    for at, ring in enumerate(rings):
        place = at % pipeline.places
        polynomial = [rng.choice((0, ring.q - 1, rng.randrange(ring.q))) for _ in range(ring.n)]
        text.append(f"load {place} {ring.q} {ring.root}")
        text.append(f"ntt {place} {' '.join(map(str, polynomial))}")
        values = values_by_flint(ring, polynomial)
        text.append(f"intt {place} {' '.join(map(str, values))}")
        wanted += ["0", " ".join(map(str, [0, *values])), " ".join(map(str, [0, *polynomial]))]
    done = subprocess.run(
        [program], input="\n".join(text) + "\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == wanted


def test_a_program_reads_why_a_load_was_refused(
    with_registers: tuple[StreamCore, Path], tmp_path: Path
) -> None:
    """By the driver five wrong moduli; past it every wrong load, by the hardware's registers."""
    core, library = with_registers
    pipeline, rng = engine(core), random.Random(3)
    source = Path(__file__).with_name("loaded_registers_client.c")
    program = compiled(source, library, tmp_path / "client")
    ring = core.operations[0].ring
    right = tuple(pipeline.load_words(ring))
    at, bits = (2 if pipeline.moduli.inverse else 1), pipeline.moduli.bits
    text, wanted = ["place 1", "place 3"], [f"{STATUS_TEXTS[0]}, 0", TEXTS["PLACE"]]

    def raw(place: int, words: tuple[int, ...]) -> str:
        user = 1 << pipeline.user_bits - 1 | pipeline.code(place, 0)
        return f"raw {user} {len(words)} {' '.join(map(str, words))}"

    def has(status: str, modulus: int) -> str:
        return f"{STATUS_TEXTS[STATUSES.index(status)]}, {modulus}"

    # A transform of a place that has nothing.
    text += [f"stray {pipeline.code(1, 0)}", "unloaded", "unloaded"]
    wanted += [str(pipeline.code(1, 0) | 1 << pipeline.user_bits), "1", "0"]
    text += [f"load 1 {ring.q} {ring.root}", "place 1"]
    wanted += [TEXTS["OK"], has("ready", ring.q)]
    for (_, q, root), name in zip(
        refused(pipeline, ring), ("FORM", "WIDE", "FORM", "COMPOSITE", "ROOT"), strict=True
    ):
        text += [f"load 1 {q} {root}", "place 1"]  # nothing was sent, and the place is as it was
        wanted += [TEXTS[name], has("ready", ring.q)]
    for reason, words in wrong_loads(right, at, bits):
        text += [raw(2, words), "place 2", "place 1"]
        wanted += [has(reason, 2), has(reason, words[0]), has("ready", ring.q)]
    text += [raw(3, right), raw(2, right), "place 2", "unloaded"]
    wanted += [has("place", 3), has("ready", 2), has("ready", ring.q), "0"]
    polynomials = [[rng.randrange(ring.q) for _ in range(ring.n)] for _ in range(2)]
    both = " ".join(str(word) for polynomial in polynomials for word in polynomial)
    modulus = nmod_poly([1, *[0] * (ring.n - 1), 1], ring.q)
    product = nmod_poly(polynomials[0], ring.q) * nmod_poly(polynomials[1], ring.q) % modulus
    right_product = " ".join(map(str, [0, *(int(product[i]) for i in range(ring.n))]))
    text.append(f"multiply 1 {both}")
    wanted.append(right_product)
    # Through registers: another prime, the five wrong ones, and what a program left without an end.
    other = ring_of(design_of("three places"), smallest(pipeline.moduli.zeros))
    text += [f"written 0 {other.q} {other.root}", "place 0", f"begun 2 {ring.q}"]
    wanted += [TEXTS["OK"], has("ready", other.q), "0"]
    text += [f"written 1 {other.q} {other.root}", "place 2", "place 1"]
    wanted += [TEXTS["OK"], has("short", ring.q), has("ready", other.q)]
    for (_, q, root), name in zip(
        refused(pipeline, ring), ("FORM", "WIDE", "FORM", "COMPOSITE", "ROOT"), strict=True
    ):
        text += [f"written 1 {q} {root}", "place 1"]
        wanted += [TEXTS[name], has("ready", other.q)]
    text += [f"written 3 {ring.q} {ring.root}", f"written 1 {ring.q} {ring.root}"]
    wanted += [TEXTS["PLACE"], TEXTS["OK"]]
    text.append(f"multiply 1 {both}")
    wanted.append(right_product)
    done = subprocess.run(
        [program], input="\n".join(text) + "\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == wanted


@pytest.mark.long
@pytest.mark.parametrize("compiler", COMPILERS)
def test_compilers_have_nothing_to_say_of_registers(
    compiler: str, with_registers: tuple[StreamCore, Path], tmp_path: Path
) -> None:
    core, _ = with_registers
    design = design_of("three places", registers=True)
    assert_clean(compiler, write_driver(core, design, tmp_path))
