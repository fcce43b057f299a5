# SPDX-License-Identifier: Apache-2.0
"""The C driver of products in the stream: its loads, a program that multiplies, what it refuses."""

import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from flint import nmod_poly

from nttforge.host.library import write_library
from nttforge.hw import build
from nttforge.kinds.stream.chain import ChainCore
from nttforge.kinds.stream.driver import ERRORS, refused
from nttforge.kinds.stream.loaded import ring_of
from nttforge.kinds.stream.loaded_registers import STATUS_TEXTS, STATUSES
from nttforge.ring.ring import Ring
from tests.drivers.compilers import COMPILERS, STRICT, assert_clean, command_of, run, write_driver
from tests.known_primes import drawn, largest, smallest
from tests.rtl.pipeline.test_chain_design import SHAPES, design_of

TEXTS = {error.name: error.text for error in ERRORS}
CODES = {error.name: error.value for error in ERRORS}


def core_of(name: str, **table: Any) -> ChainCore:
    core = build(design_of(name, **table))
    assert isinstance(core, ChainCore)
    return core


def compiled(source: Path, library: Path, program: Path, *flags: str) -> Path:
    links = [*flags, f"-I{library}", f"-L{library}", "-lnttforge", f"-Wl,-rpath,{library}"]
    done = run(*command_of("gcc"), *STRICT, source, "-o", program, *links)
    assert done.returncode == 0, done.stderr
    return program


def sum_by_flint(ring: Ring, pairs: list[tuple[list[int], list[int]]]) -> list[int]:
    """The sum of products modulo x^n + 1."""
    modulus = nmod_poly([1, *[0] * (ring.n - 1), 1], ring.q)
    total = nmod_poly([0], ring.q)
    for a, b in pairs:
        total += nmod_poly(a, ring.q) * nmod_poly(b, ring.q) % modulus
    return [int(total[i]) for i in range(ring.n)]


@pytest.mark.parametrize("name", SHAPES)
def test_a_program_multiplies_with_moduli_of_its_own(name: str, tmp_path: Path) -> None:
    """Drawn primes in all places, products and sums with pauses, against FLINT; five refused."""
    core, rng = core_of(name), random.Random(4)
    pipeline, bits, zeros = core.forward, core.bits, core.forward.moduli.zeros
    write_library(design_of(name), tmp_path / "host")
    source = Path(__file__).with_name("chain_client.c")
    program = compiled(source, tmp_path / "host", tmp_path / "client")
    moduli = [smallest(zeros), largest(bits, zeros), *(drawn(bits, zeros, rng) for _ in range(4))]
    text, wanted = [], []

    def words(ring: Ring) -> list[int]:
        return [rng.choice((0, ring.q - 1, rng.randrange(ring.q))) for _ in range(ring.n)]

    zero = [0] * core.n
    text.append(f"multiply 0 {' '.join(map(str, zero * 2))}")
    wanted.append(" ".join(map(str, [CODES["PLACE"], *zero])))
    for number, q in enumerate(moduli):
        place, ring = number % core.places, ring_of(core.design, q)
        text.append(f"load {place} {q} {ring.root}")
        wanted.append(TEXTS["OK"])
        for count in (1, 3):
            pairs = [(words(ring), words(ring)) for _ in range(count)]
            verb = f"multiply {place}" if count == 1 else f"sum {place} {count}"
            flat = [word for pair in pairs for polynomial in pair for word in polynomial]
            text.append(f"{verb} {' '.join(map(str, flat))}")
            wanted.append(" ".join(map(str, [0, *sum_by_flint(ring, pairs)])))
    names = ["FORM", "WIDE", "FORM", "COMPOSITE", "ROOT"]
    if bits == 64:
        del names[1]  # C has no wider ones
    for (_, q, root), error in zip(refused(pipeline, pipeline.rings[0]), names, strict=True):
        text.append(f"load 0 {q} {root}")
        wanted.append(TEXTS[error])
    text.append(f"load {core.places} {moduli[0]} {ring_of(core.design, moduli[0]).root}")
    wanted.append(TEXTS["PLACE"])
    done = subprocess.run(
        [program], input="\n".join(text) + "\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == wanted


def test_the_example_of_the_library(tmp_path: Path) -> None:
    """It multiplies, adds up, and shows five moduli that are refused."""
    write_library(design_of("made"), tmp_path / "host")
    program = compiled(tmp_path / "host" / "example.c", tmp_path / "host", tmp_path / "example")
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert [line.split(": ")[-1] for line in lines[:3]] == [TEXTS["OK"]] * 3
    assert lines[3].startswith("right, after ")
    wanted = ["FORM", "WIDE", "FORM", "COMPOSITE", "ROOT"]
    assert [line.split(": ", 1)[1] for line in lines[4:]] == [TEXTS[name] for name in wanted]


def test_a_program_loads_through_registers(tmp_path: Path) -> None:
    """Products behind such loads, refusals, and a load that another program left without an end."""
    table = {"registers": True}
    core, rng = core_of("made", **table), random.Random(5)
    pipeline, zeros = core.forward, core.forward.moduli.zeros
    write_library(design_of("made", **table), tmp_path / "host")
    source = Path(__file__).with_name("chain_client.c")
    program = compiled(source, tmp_path / "host", tmp_path / "client", "-DREGISTERS")
    rings = [ring_of(core.design, drawn(core.bits, zeros, rng)) for _ in range(3)]
    text, wanted = ["place 0", "last 0"], [f"{STATUS_TEXTS[0]}, 0; {STATUS_TEXTS[0]}, 0"]
    wanted.append(f"{STATUS_TEXTS[0]}, 0, 0")
    ready = STATUS_TEXTS[STATUSES.index("ready")]

    def product(place: int, ring: Ring) -> None:
        a, b = ([rng.randrange(ring.q) for _ in range(ring.n)] for _ in range(2))
        text.append(f"multiply {place} {' '.join(map(str, a + b))}")
        wanted.append(" ".join(map(str, [0, *sum_by_flint(ring, [(a, b)])])))

    for verb, place, ring in zip(("written", "load", "written"), (0, 1, 0), rings, strict=True):
        text += [f"{verb} {place} {ring.q} {ring.root}", f"place {place}", "last 0"]
        wanted += [TEXTS["OK"], f"{ready}, {ring.q}; {ready}, {ring.q}", f"{ready}, {place}, 1"]
        product(place, ring)
    names = ("FORM", "WIDE", "FORM", "COMPOSITE", "ROOT")
    for (_, q, root), error in zip(refused(pipeline, pipeline.rings[0]), names, strict=True):
        text += [f"written 1 {q} {root}", "place 1"]
        wanted += [TEXTS[error], f"{ready}, {rings[1].q}; {ready}, {rings[1].q}"]
    text += [f"begun 2 {rings[1].q}", f"written 0 {rings[1].q} {rings[1].root}", "place 2"]
    short = STATUS_TEXTS[STATUSES.index("short")]
    wanted += ["0", TEXTS["OK"], f"{STATUS_TEXTS[0]}, 0; {short}, {rings[1].q}"]
    product(0, rings[1])
    done = subprocess.run(
        [program], input="\n".join(text) + "\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == wanted


@pytest.mark.long
@pytest.mark.parametrize("registers", [False, True])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_compilers_have_nothing_to_say(compiler: str, registers: bool, tmp_path: Path) -> None:
    for name in SHAPES:
        folder = tmp_path / name
        folder.mkdir()
        design = design_of(name, registers=registers)
        assert_clean(compiler, write_driver(core_of(name, registers=registers), design, folder))
