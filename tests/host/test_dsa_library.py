# SPDX-License-Identifier: Apache-2.0
"""The driver of the ML-DSA coprocessor, through libnttforge, compared with dilithium-py."""

import random
import subprocess
from pathlib import Path

import pytest
from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87

from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.host.library import HostLibrary, write_library
from nttforge.kinds.lattice.mldsa.standard import ERRORS
from nttforge.standards.ml_dsa.message import HASHES, formatted, representative
from tests.drivers.compilers import run
from tests.host.test_library import HERE, answers, linked

REFERENCE = (ML_DSA_44, ML_DSA_65, ML_DSA_87)
FORMS = ("message", *HASHES, "mu", "formatted")
KEY, SIGNATURE = ERRORS.index("key"), ERRORS.index("signature")
Recorded = tuple[str, int, bytes, bytes]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> HostLibrary:
    folder = tmp_path_factory.mktemp("library")
    return write_library(load_design("ml-dsa-coprocessor"), folder)


def line(what: str, code: int, *given: bytes | str | int) -> str:
    """KEY RND FORM DATA CONTEXT SIGNATURE."""
    words = [(g.hex() or "-") if isinstance(g, bytes) else str(g) for g in given]
    return " ".join([what, str(code), *words, *["-", "-", "0", "-", "-", "-"][len(words) :]])


def cases(rng: random.Random, code: int, forms: list[str]) -> list[Recorded]:
    """Lines for a set, in their order, and code and outputs that must come."""
    reference, seed = REFERENCE[code], rng.randbytes(32)
    pk, sk = reference._keygen_internal(seed)
    made = [
        (line("keygen", code, seed), 0, pk, sk),
        (line("load_seed", code, seed), 0, pk, b""),
    ]
    for number, form in enumerate(forms):
        # Heads of M' of every length, modulo the words of the stream.
        text, context = rng.randbytes(rng.randrange(40)), rng.randbytes(rng.randrange(256))
        rnd = bytes(32) if number % 2 else rng.randbytes(32)
        said: bytes | str = "0" if number % 2 else rnd
        what, data = formatted(text, context, form if form in HASHES else None), text
        if form in HASHES:
            data = HASHES[form][1](text)
        elif form == "formatted":
            data, context = what, b""
        elif form == "mu":
            data, context = representative(pk, what), b""
        signature = reference._sign_internal(sk, what, rnd)
        given = (FORMS.index(form), data, context)
        wrong = bytes([signature[0] ^ 1]) + signature[1:]
        # By the key that is loaded, as long as nothing else comes in between.
        made.append((line("sign", code, b"", said, *given), 0, signature, b""))
        judged = [
            (line("sign", code, sk, said, *given), 0, signature, b""),
            (line("verify", code, pk, b"", *given, signature), 0, b"", b""),
            (line("verify", code, pk, b"", *given, wrong), SIGNATURE, b"", b""),
        ]
        made += judged if number == len(forms) - 1 else []
    foreign = sk[:128] + b"\xff" + sk[129:]
    blank = bytes(len(signature))
    return [
        *made,
        (line("load", code, foreign), KEY, b"", b""),
        (line("sign", code, b"", "0", 0, b"abc"), KEY, blank, b""),
        (line("load", code, sk), 0, b"", b""),
        (
            line("sign", code, b"", "0", *given),
            0,
            reference._sign_internal(sk, what, bytes(32)),
            b"",
        ),
        (line("drop", code), 0, b"", b""),
        (line("sign", code, b"", "0", *given), KEY, blank, b""),
    ]


@pytest.mark.parametrize(
    ("code", "stall", "interrupt", "forms"),
    [
        (0, 0.3, 0, ["message", "sha2-512", "mu"]),
        (1, 0.0, 1, ["formatted", "message"]),
        (2, 0.0, 0, ["shake-128", "message"]),
        pytest.param(0, 0.9, 1, list(FORMS), marks=pytest.mark.slow),
        pytest.param(1, 0.5, 0, list(FORMS), marks=pytest.mark.slow),
        pytest.param(2, 0.3, 1, list(FORMS), marks=pytest.mark.slow),
    ],
)
def test_a_program_computes_what_the_standard_says(
    library: HostLibrary, code: int, stall: float, interrupt: int, forms: list[str]
) -> None:
    program, seed = linked(library, HERE / "dsa_client.c"), 10 * code + interrupt
    wanted = cases(random.Random(seed), code, forms)
    got = answers(program, stall, seed, interrupt, [w[0] for w in wanted])
    for (said, cycles, public, secret), expected in zip(got, wanted, strict=True):
        assert (said, public, secret) == expected[1:], (seed, expected[0][:12])
        assert cycles > 200


def test_seeds_from_the_entropy_port(library: HostLibrary) -> None:
    program = linked(library, HERE / "dsa_client.c")
    ((_, _, pk, sk), (_, _, other, _)) = answers(
        program, 0.2, 1, 0, [line("keygen", 0, b""), line("keygen", 0, b"")]
    )
    assert ML_DSA_44.pk_from_sk(sk) == pk != other
    sign = line("sign", 0, sk, b"", 0, b"abc", b"context")
    load, loaded = line("load_seed", 0, b""), line("sign", 0, b"", b"", 0, b"abc", b"context")
    once, again, (_, _, inside, _), by_it = answers(program, 0.0, 0, 0, [sign, sign, load, loaded])
    assert once[2] != again[2] and inside not in (pk, other)
    for key, (said, _, signature, _) in ((pk, once), (pk, again), (inside, by_it)):
        assert not said and ML_DSA_44.verify(key, b"abc", signature, ctx=b"context")


def test_misuse_ends_in_a_documented_code(library: HostLibrary) -> None:
    done = run(linked(library, HERE / "dsa_misuse.c"))
    assert (done.returncode, done.stdout) == (0, "all as documented\n")


def test_the_example_and_the_readme(library: HostLibrary) -> None:
    folder = Path(library.folder)
    commands = (folder / "README.md").read_text().split("```console\n")[1].split("```")[0]
    done = subprocess.run(
        ["sh", "-ec", commands], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and "the signature is right" in done.stdout, done


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("request->head[0] = (uint8_t)hashed", "request->head[0] = 0"),
        ("if (is_end(input, input->at++)) break;", "++input->at;"),
        ("request->output[port]", "request->output[port ^ 1]"),
    ],
)
@pytest.mark.slow
def test_a_broken_driver_is_seen(library: HostLibrary, tmp_path: Path, old: str, new: str) -> None:
    """The program's own driver comes before the library's."""
    changed = tmp_path / "library"
    changed.mkdir()
    for path in Path(library.folder).iterdir():
        (changed / path.name).write_bytes(path.read_bytes())
    driver = changed / "ml_dsa_coprocessor_driver.c"
    assert old in driver.read_text()
    driver.write_text(driver.read_text().replace(old, new))
    broken = library.model_copy(update={"folder": str(changed)})
    program = linked(broken, HERE / "dsa_client.c", driver)
    wanted = cases(random.Random(1), 0, ["sha2-256", "message"])
    with pytest.raises(AssertionError):
        got = answers(program, 0.0, 1, 0, [w[0] for w in wanted])
        assert [(g[0], *g[2:]) for g in got] == [w[1:] for w in wanted]


@pytest.mark.slow
def test_a_library_whose_signatures_are_verified(tmp_path: Path) -> None:
    """The driver sends what that takes; with another public key there is no signature."""
    design = load_design("ml-dsa-coprocessor", {"lattice.verify_signatures": True})
    folder = Path(write_library(design, tmp_path / "library").folder)
    commands = (folder / "README.md").read_text().split("```console\n")[1].split("```")[0]
    example, sign = folder / "example.c", "  if (code == 0)\n    code = ml_dsa_coprocessor_sign("
    text = example.read_text()
    assert text.count(sign) == 1
    for change, said in (("", "the signature is right"), ("  pk[40] ^= 1;\n", "fault")):
        example.write_text(text.replace(sign, change + sign))
        done = subprocess.run(
            ["sh", "-ec", commands], cwd=folder, capture_output=True, text=True, check=False
        )
        assert (done.returncode == 0) == (not change), done
        assert said in done.stdout + done.stderr


def test_a_core_without_registers_has_no_library(tmp_path: Path) -> None:
    with pytest.raises(NttforgeError, match="registers"):
        write_library(load_design("ml-dsa-core"), tmp_path)
