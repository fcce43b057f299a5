# SPDX-License-Identifier: Apache-2.0
"""libnttforge: C programs that link it, compared with an independent implementation."""

import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024

from nttforge.cli import main
from nttforge.design import load_design
from nttforge.host.library import HostLibrary, write_library
from tests.drivers.compilers import STRICT, command_of, run

HERE = Path(__file__).parent
REFERENCE = (ML_KEM_512, ML_KEM_768, ML_KEM_1024)
MODULUS = 4  # the hardware's code for a coefficient that is not below q


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> HostLibrary:
    folder = tmp_path_factory.mktemp("library")
    return write_library(load_design("ml-kem-coprocessor"), folder)


def test_the_verb(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["host", "ml-kem-coprocessor", "-o", str(tmp_path), "--json"])
    made = HostLibrary.model_validate_json(capsys.readouterr().out)
    assert ended.value.code == 0 and {p.name for p in tmp_path.iterdir()} == set(made.files)
    with pytest.raises(SystemExit) as ended:
        main(["host", "ml-kem", "-o", str(tmp_path)])
    assert ended.value.code == 1
    assert (
        "lattice coprocessors, pipelines of loaded moduli and engines of key switching"
        in capsys.readouterr().err
    )


def linked(library: HostLibrary, source: Path, *more: str | Path) -> Path:
    """A program, compiled as the folder's README says."""
    folder = Path(library.folder)
    program = folder / source.stem
    include, search = f"-I{folder}", f"-L{folder}"
    flags: tuple[str | Path, ...] = (include, source, *more)
    flags += ("-o", program, search, "-lnttforge", f"-Wl,-rpath,{folder}")
    done = run(*command_of("gcc"), *STRICT, *flags)
    assert done.returncode == 0, done.stderr
    return program


def answers(program: Path, stall: float, seed: int, interrupt: int, lines: list[str]) -> Any:
    """Code, cycles and the outputs of each line."""
    words = [str(program), str(stall), str(seed), str(interrupt)]
    text = "\n".join(lines)
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    rows = [line.split(" ") for line in done.stdout.splitlines()]
    assert len(rows) == len(lines)
    return [(int(r[0]), int(r[1]), bytes.fromhex(r[2]), bytes.fromhex(r[3])) for r in rows]


def cases(rng: random.Random) -> list[tuple[str, int, bytes, bytes]]:
    """Lines of every operation and set, refused ones among them, and what must come."""
    made: list[tuple[str, int, bytes, bytes]] = []
    for code, reference in enumerate(REFERENCE):
        d, z, m = (rng.randbytes(32) for _ in range(3))
        ek, dk = reference._keygen_internal(d, z)
        secret, c = reference._encaps_internal(ek, m)
        spoilt = bytes([c[0] ^ 1]) + c[1:]
        rejected = reference._decaps_internal(dk, spoilt)
        refused = bytes([255] * 384) + ek[384:]
        made += [
            (f"keygen {code} {d.hex()} {z.hex()}", 0, ek, dk),
            (f"encaps {code} {ek.hex()} {m.hex()}", 0, c, secret),
            (f"encaps {code} {refused.hex()} {m.hex()}", MODULUS, bytes(len(c)), bytes(32)),
            (f"decaps {code} {dk.hex()} {c.hex()}", 0, b"", secret),
            (f"decaps {code} {dk.hex()} {spoilt.hex()}", 0, b"", rejected),
            (f"decaps_seed {code} {(d + z).hex()} {c.hex()}", 0, b"", secret),
            (f"decaps_seed {code} {(d + z).hex()} {spoilt.hex()}", 0, b"", rejected),
        ]
    rng.shuffle(made)
    return made


@pytest.mark.parametrize("interrupt", [0, 1], ids=["poll", "interrupt"])
@pytest.mark.parametrize("stall", [0.0, 0.3, 0.9])
def test_a_program_computes_what_the_standard_says(
    library: HostLibrary, stall: float, interrupt: int
) -> None:
    program, rng = linked(library, HERE / "client.c"), random.Random(int(10 * stall) + interrupt)
    for seed in range(3):
        wanted = cases(rng)
        for got, (line, code, public, secret) in zip(
            answers(program, stall, seed, interrupt, [w[0] for w in wanted]), wanted, strict=True
        ):
            assert (got[0], got[2], got[3]) == (code, public, secret), (seed, line[:10])
            assert got[1] > (0 if code else 600)


def test_seeds_from_the_entropy_port(library: HostLibrary) -> None:
    program = linked(library, HERE / "client.c")
    seen = set()
    for code, reference in enumerate(REFERENCE):
        lines = [f"keygen {code} - -"] * 2
        for _, _, ek, dk in answers(program, 0.3, 1, 0, lines):
            seen.add(ek)
            secret, c = reference._encaps_internal(ek, bytes(32))
            (got,) = answers(program, 0.0, 0, 0, [f"decaps {code} {dk.hex()} {c.hex()}"])
            assert got[3] == secret
            (got,) = answers(program, 0.0, 0, 0, [f"encaps {code} {ek.hex()} -"])
            assert reference._decaps_internal(dk, got[2]) == got[3]
    assert len(seen) == 6


def test_misuse_ends_in_a_documented_code(library: HostLibrary) -> None:
    done = run(linked(library, HERE / "misuse.c"))
    assert (done.returncode, done.stdout) == (0, "all as documented\n")


def test_the_example_and_the_readme(library: HostLibrary) -> None:
    folder = Path(library.folder)
    assert set(library.files) <= {path.name for path in folder.iterdir()}
    readme = (folder / "README.md").read_text()
    commands = readme.split("```console\n")[1].split("```")[0]
    done = subprocess.run(
        ["sh", "-ec", commands], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and "the same secret" in done.stdout, done


def test_another_hardware_is_refused(library: HostLibrary, tmp_path: Path) -> None:
    """The driver of a coprocessor with two rounds a cycle, on one that has one."""
    folder = Path(library.folder)
    for path in folder.glob("*.[ch]"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    driver = tmp_path / "ml_kem_coprocessor_driver.c"
    text = driver.read_text()
    changed = text.replace("IDENTITY_ROUNDS) != 1u", "IDENTITY_ROUNDS) != 2u")
    assert changed != text
    driver.write_text(changed)
    program = tmp_path / "other.c"
    program.write_text(
        '#include "nttforge.h"\n'
        "int main(void) { nttforge *core; return nttforge_open(&core, 0) != NTTFORGE_DEVICE; }\n"
    )
    # The program's own driver comes before the library's, which calls it too.
    flags = (f"-I{tmp_path}", program, driver, "-o", tmp_path / "other")
    libraries = (f"-L{folder}", "-lnttforge", f"-Wl,-rpath,{folder}")
    done = run(*command_of("gcc"), *STRICT, *flags, *libraries)
    assert done.returncode == 0, done.stderr
    assert run(tmp_path / "other").returncode == 0
