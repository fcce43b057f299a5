# SPDX-License-Identifier: Apache-2.0
"""Hostile command lines and design files, drawn from a seed, and what must hold of each.

Words come from the command's own verbs and options and the keys of a design, so that a new one is
tried without a line here; between them come numbers and names that nobody would give. Files are
designs that were changed at random, noise, and malformed arrays. Whatever was drawn, the command
ends with a documented code, without a traceback, its last words are one line of at most 300
characters, and it leaves no part of a file.

Tools that take long are not there, neither a compiler nor Yosys: what is tried is all in front of
them. tests/unit/cli/test_hostile.py goes further.

`python -m tests.fuzz FIRST END` tries the invocations of these numbers and keeps what was counted;
`python -m tests.fuzz` prints it.
"""

import argparse
import io
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as Xml
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

import typer.main

from nttforge.cli import main
from nttforge.cli.app import app
from nttforge.design import Design, design_names
from nttforge.errors import NttforgeError
from nttforge.ring.presets import PRESETS
from nttforge.show.keys import tables
from nttforge.targets import TARGETS
from tests.tally import keep, kept, markdown

RECORD = "fuzz"
CODES = (0, 1, 2, 130)
#: First words that the command knows.
VERBS = frozenset(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
MOST = 300
SECONDS = 60
#: One in so many is a process of its own, with streams that are closed, full or of another code.
REAL = 60
_LONG = {
    "bitstream",
    "host",
    "soc",
    "synth",
    "pnr",
    "report",
    "demo",
    "multiplier",
    "timing",
}

SMALL = 'name = "mine"\n[[rings]]\nn = 16\nq = 97\n'
WORDS = (
    "", " ", "-", "--", "nan", "-inf", "0", "-1", "1", "2", "3.5", "1e400", "9" * 30, "9" * 5000,
    "0x" + "f" * 4000, "2147483648", "18446744073709551616", "/", ".", "..", "/dev/null",
    "/dev/full", "/proc/self/mem", "a" * 300, "\udcff", "\u2603", "[red]x[/y]", "{{ 7 * 7 }}",
    "x\ny", "\x1b[2J", "%s", "ml-kem", "ntt", "intt", "xcup", "768", "561", "97", "x.npy",
    "bad.npy", "out.npy", "out.txt", "x.txt", "mine.toml", "bad.toml", "out.toml", "out.html",
    "no/such/file", "folder", "ecp5", "true", "[", "'", "cafe",
)  # fmt: skip


@dataclass(frozen=True)
class Ended:
    """How an invocation ended."""

    code: object
    out: str = ""
    err: str = ""
    alone: bool = False


def commands() -> dict[tuple[str, ...], list[Any]]:
    """Every verb and its options and arguments, as typer knows them."""
    found: dict[tuple[str, ...], list[Any]] = {}

    def walk(path: tuple[str, ...], command: Any) -> None:
        for name, inner in getattr(command, "commands", {}).items():
            walk((*path, name), inner)
        if not hasattr(command, "commands"):
            found[path] = command.params

    walk((), typer.main.get_command(app))
    return found


KEYS = [
    f"{heading.strip('[]')}.{key}".lstrip(".")
    for heading, model in tables(Design)
    for key in model.model_fields
]


def value(rng: random.Random) -> str:
    """A value of an option or a key, mostly one that is wrong."""
    match rng.randrange(6):
        case 0:
            return str(rng.choice((1, -1)) * (rng.getrandbits(rng.randrange(1, 80))))
        case 1:
            return "".join(chr(rng.randrange(1, 0x250)) for _ in range(rng.randrange(12)))
        case 2:
            return rng.choice([*design_names(), *PRESETS])
        case _:
            return rng.choice(WORDS)


def toml(rng: random.Random) -> str:
    """A value as a design file has it."""
    return rng.choice(
        (
            "nan", "inf", "-1", "0", "1", "2", "4", "16", "97", "true", "[]", "{}", '""', "1.5",
            '"auto"', '"xcup"', "[1, [2]]", "1979-05-27", '"' + "9" * 5000 + '"', "9" * 5000,
            "[" * 5000, str(rng.getrandbits(64)), json.dumps(value(rng)), '"""\nx\n"""',
        )
    )  # fmt: skip


def design(rng: random.Random) -> bytes:
    """A design file: one that is right, changed; or noise."""
    lines = SMALL.splitlines()
    for _ in range(rng.randrange(4)):
        match rng.randrange(5):
            case 0:
                key = rng.choice(KEYS)
                table, _, name = key.rpartition(".")
                lines += [f"[{table}]", f"{name} = {toml(rng)}"] if table else []
            case 1:
                lines.insert(0, f"{rng.choice(KEYS)} = {toml(rng)}")
            case 2:
                lines.pop(rng.randrange(len(lines)))
            case 3:
                place = rng.randrange(len(lines))
                lines[place] = lines[place].split("=")[0] + f"= {toml(rng)}"
            case _:
                lines.append(f'family = "{rng.choice(("iterative", "mlkem", "decomposed"))}"')
        if not lines:
            break
    data = bytearray("\n".join(lines).encode("utf-8", "replace"))
    if not rng.randrange(4):
        for _ in range(rng.randrange(1, 6)):
            data.insert(rng.randrange(len(data) + 1), rng.randrange(256))
    return bytes(data) if rng.randrange(12) else rng.randbytes(rng.randrange(400))


def array(rng: random.Random) -> bytes:
    """A `.npy` file that is none, almost."""
    descr = rng.choice(("<i8", "|O", "<f8", ">u2", "<U3", "<m8[s]", "|V4", "x", "<c16"))
    order = rng.choice(("False", "True", "3"))
    shapes = ("(2, 16)", "(16,)", "()", "(-1, 16)", "(1, 1 << 60)", "(9999999999,)", "3")
    header = (
        f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {rng.choice(shapes)}}}".encode()
    )
    data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    data += bytes(rng.choice((0, 128, 255, 256)))
    if not rng.randrange(3):
        place = rng.randrange(len(data))
        data = data[:place] + rng.randbytes(rng.randrange(4)) + data[place + rng.randrange(4) :]
    return data


def invocation(rng: random.Random) -> list[str]:
    """The words of a command line."""
    known = commands()
    path = rng.choice(list(known))
    words = list(path)
    for parameter in known[path]:
        if parameter.param_type_name == "argument":
            if rng.randrange(12):
                words.append(rng.choice(("mine.toml", "bad.toml", value(rng))))
            continue
        if not (parameter.required or not rng.randrange(4)) or not rng.randrange(15):
            continue
        names = [name.strip() for name in (*parameter.opts, *parameter.secondary_opts)]
        words.append(rng.choice([name for name in names if name]))
        if not getattr(parameter, "is_flag", False):
            words.append(option(parameter, rng))
    match rng.randrange(10):
        case 0:
            words.insert(rng.randrange(len(words) + 1), value(rng))
        case 1:
            words.pop(rng.randrange(len(words)))
        case 2:
            words.append("--json")
    # Nothing that the system would not pass on.
    return [word.replace("\0", "") for word in words]


LIKELY = {
    "--parameter-set": ("512", "768", "1024"),
    "--set": ("pipeline.seamless=true", "target=ecp5"),
    "--transforms": ("3", "2"),
    "--op": ("ntt", "intt", "pointwise", "cyclic.ntt"),
    "--target": tuple(TARGETS),
    "--input": ("x.txt", "x.npy", "bad.npy", "x.hex", "x.bin", "bad.json"),
    "--output": ("out.npy", "out.txt", "out", "out.toml", "out.html", "folder", "out.bin"),
    "--format": ("hex", "bin", "csv", "json"),
    "--byte-order": ("little", "big"),
    "--sizes": ("4", "4,5", "4,,5", "16,40", "4,5,6,7,8,9"),
    "--design": ("ml-kem-coprocessor", "mine.toml", "bad.toml"),
    "--ek": ("00" * 800, "x.npy", "00" * 1184),
    "--dk": ("00" * 1632, "x.txt"),
    "--c": ("00" * 768, "bad.npy"),
}


NUMBERS = ("--seed", "--placement-seed", "--jobs", "--largest")


def option(parameter: Any, rng: random.Random) -> str:
    """An option's value: two of three are plausible, the others are not."""
    if not rng.randrange(3):
        return value(rng)
    longest = max(parameter.opts, key=len)
    if longest == "--set" and rng.randrange(2):
        return f"{rng.choice(KEYS)}={rng.choice((value(rng), toml(rng)))}"
    if longest in LIKELY:
        return rng.choice(LIKELY[longest])
    if isinstance(parameter.default, int | float) or longest in NUMBERS:
        return rng.choice((str(rng.randrange(1, 50)), "0", "1", "nan", f"{rng.uniform(0, 99):.3f}"))
    return rng.choice(("x.npy", "bad.npy", "x.txt", "router1", "00" * 32, "out"))


def furnish(folder: Path, rng: random.Random) -> None:
    """What an invocation finds."""
    (folder / "mine.toml").write_text(SMALL)
    (folder / "bad.toml").write_bytes(design(rng))
    (folder / "bad.npy").write_bytes(array(rng))
    (folder / "bad.json").write_bytes(array(rng))
    (folder / "x.hex").write_text("".join(f"{i:x}\n" for i in range(16)))
    (folder / "x.bin").write_bytes(bytes(range(16)))
    (folder / "x.txt").write_text(" ".join(map(str, range(16))) + "\n")
    (folder / "folder").mkdir()
    (folder / "folder" / "thesis").write_text("mine")


class SlowError(BaseException):
    """An invocation that takes too long; no verb may catch it."""


def _slow(_signal: int, _frame: FrameType | None) -> None:
    raise SlowError


@contextmanager
def limited() -> Iterator[None]:
    """The longest that an invocation may take."""
    before = signal.signal(signal.SIGALRM, _slow)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _no_tool(name: str, *_: object, **__: object) -> None:
    raise NttforgeError(name, "is not here", "go without it")


#: No compiler, and a cache that may be pruned: not the user's.
_SURROUNDINGS = {
    "CXX": "no-compiler",
    "NTTFORGE_CACHE": str(Path(tempfile.gettempdir()) / f"nttforge-fuzz-{os.getuid()}"),
}


def here(words: list[str], folder: Path) -> Ended:
    """An invocation in this process."""
    out, err = io.StringIO(), io.StringIO()
    code: object = None
    with (
        mock.patch.dict(os.environ, _SURROUNDINGS),
        mock.patch("nttforge.synthesize.yosys.run_tool", _no_tool),
        mock.patch("nttforge.synthesize.nextpnr.run_tool", _no_tool),
        chdir(folder),
        redirect_stdout(out),
        redirect_stderr(err),
        limited(),
    ):
        try:
            main(words)
        except SystemExit as ended:
            code = ended.code
    return Ended(code, out.getvalue(), err.getvalue())


def real(words: list[str], folder: Path, rng: random.Random) -> Ended:
    """An invocation as a process of its own."""
    environment = (
        os.environ
        | _SURROUNDINGS
        | rng.choice(
            (
                {},
                {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
                {"COLUMNS": "x"},
                {"TERM": "dumb"},
            )
        )
    )
    redirect = rng.choice(("", "", " >&-", " 2>&-", " >/dev/full", " <&-"))
    done = subprocess.run(
        ["bash", "-c", f'exec "$0" "$@"{redirect}', sys.executable, "-m", "nttforge", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=4 * SECONDS,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr, alone=True)


def reported(words: Sequence[str], folder: Path) -> set[Path]:
    """Files that `--junit` names and that tell of a failure: these alone a failure may leave.

    None outside of the folder: of what an invocation may name, /proc/self/mem cannot be read.
    """
    named = (folder / word for option, word in pairwise(words) if option == "--junit")
    inside = (path for path in named if folder in path.parents)
    here = (path for path in inside if os.path.isfile(path))  # noqa: PTH113  (a name may be too long)
    return {path for path in here if tells_of_a_failure(path.read_bytes())}


def tells_of_a_failure(data: bytes) -> bool:
    """Whether this is a whole report of tests, one of which failed."""
    try:
        suite = Xml.fromstring(data)
    except Xml.ParseError:
        return False
    return suite.tag == "testsuite" and suite.find("testcase/failure") is not None


def faults(
    ended: Ended, folder: Path, before: dict[str, bytes], reports: Collection[Path] = ()
) -> list[str]:
    """What does not hold of an invocation, whose reports may be there whatever came of it."""
    lines = [line for line in ended.err.splitlines() if line.startswith("error: ")]
    both = ended.out + ended.err
    found = {
        f"code {ended.code}": ended.code not in CODES,
        "traceback": "Traceback" in both or "Exception ignored" in both,
        "defect": "a defect of nttforge" in both,
        "long message": any(len(line) > MOST for line in ended.err.splitlines()),
        "more than one message": len(lines) > 1,
        "part of a file": any(folder.rglob(".nttforge-*")),
        "a file was changed": any(
            (folder / name).read_bytes() != data
            for name, data in before.items()
            if ended.code != 0 and folder / name not in reports
        ),
        "an output of a failure": ended.code != 0
        and any(path.is_file() for path in folder.glob("out*") if path not in reports),
    }
    return [name for name, holds in found.items() if holds]


def attempt(number: int) -> tuple[list[str], Ended, list[str]]:
    """Try the invocation of that number: its words, how it ended, and what does not hold."""
    rng = random.Random(f"nttforge {number}")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        furnish(folder, rng)
        words = invocation(rng)
        before = {
            str(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        try:
            alone = number % REAL == 0 and not _LONG & set(words)
            ended = real(words, folder, rng) if alone else here(words, folder)
        except (SlowError, subprocess.TimeoutExpired):
            return words, Ended(None), ["slow"]
        except BaseException as error:
            return words, Ended(None), [f"raised {type(error).__name__}: {error}"[:200]]
        return words, ended, faults(ended, folder, before, reported(words, folder))


def run(first: int, end: int) -> dict[str, Any]:
    """Try invocations, and count."""
    codes: Counter[str] = Counter()
    verbs: Counter[str] = Counter()
    processes = broken = 0
    for number in range(first, end):
        words, ended, found = attempt(number)
        processes += ended.alone
        codes[str(ended.code)] += 1
        verbs[words[0] if words and words[0] in VERBS else "none"] += 1
        if found:
            broken += 1
            shown_words = [word[:60] for word in words]
            print(number, found, shown_words, ended.err[-300:], flush=True)
    return {
        "invocations": end - first,
        "processes": processes,
        "codes": dict(codes),
        "verbs": dict(verbs),
        "broken": broken,
    }


def total(counts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Several counts as one."""
    result: dict[str, Any] = {"codes": Counter(), "verbs": Counter()}
    for counted in counts:
        for name, value in counted.items():
            result[name] = (
                result.get(name, 0) + value
                if isinstance(value, int)
                else (result[name] + Counter(value))
            )
    return {n: dict(sorted(v.items())) if isinstance(v, Counter) else v for n, v in result.items()}


def run_all(first: int, end: int, jobs: int) -> dict[str, Any]:
    """Try invocations in several processes, and count."""
    places = [first + (end - first) * i // jobs for i in range(jobs + 1)]
    with ProcessPoolExecutor(jobs) as pool:
        return total(pool.map(run, places[:-1], places[1:]))


def shown(record: Mapping[str, Any]) -> str:
    """The record as a table."""
    if not record:
        return "Nothing is recorded yet."
    rows = [(f"`{name}`", count) for name, count in record["verbs"].items()]
    codes = ", ".join(f"{code}: {count:,}" for code, count in record["codes"].items())
    return (
        f"{record['invocations']:,} invocations, {record['processes']:,} of them processes of "
        f"their own; exit codes {codes}; {record['broken']} broke a rule.\n\n"
        + markdown(("first word", "invocations"), rows)
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("numbers", nargs="*", type=int, metavar="FIRST END")
    given = parser.parse_args().numbers
    if not given:
        print(shown(kept(RECORD)))
        sys.exit(0)
    first, end = given
    counted = run_all(first, end, os.cpu_count() or 1)
    keep(RECORD, counted)
    sys.exit(1 if counted["broken"] else 0)
