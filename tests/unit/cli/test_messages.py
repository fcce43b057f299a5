# SPDX-License-Identifier: Apache-2.0
"""Messages name the option that is wrong; what is cut off leaves nothing; pipes do not block."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from nttforge import output
from nttforge.flow import demo as showcase
from nttforge.flow.values import read_value
from nttforge.kinds.lattice import verbs
from nttforge.kinds.lattice.standard import ML_DSA
from nttforge.synthesize.tool import run_tool
from tests.unit.cli.cli_calls import call
from tests.unit.cli.test_cli import SOURCE

PRODUCTS = """\
name = "products"
family = "iterative"
rings = [{ n = 16, q = 97 }]
operations = ["polymul"]
"""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("cache prune --to inf", "inf is not from 0 to"),
        ("cache prune --to nan", "nan is not from 0 to"),
        ("measure mlkem-mldsa --transforms 0", "0 is not from 2 to"),
        ("measure mlkem-mldsa --transforms 1", "1 is not from 2 to"),
        ("explore goldilocks --sizes 0", "error: --sizes: Input should be greater"),
        ("explore goldilocks --sizes 10 --largest 40", "error: --largest: Input should be less"),
        ("explore ml-dsa --max-dsp -1", "error: --max-dsp: Input should be greater"),
        ("explore 5 --n 3", "error: --n: Input should be greater"),
        ("synth mlkem-mldsa --junit .", "Is a directory; correct --junit"),
        ("explore ml-dsa --html .", "Is a directory; correct --html"),
        ("run rlwe-7681 --op ntt --input x.txt --output no/x.txt", "make it, or correct --output"),
        ("run products.toml --input x.txt --input-b no.txt --output y.txt", "correct --input-b"),
        ("sweep grid.toml -o rows.jsonl --parquet no/x", "no such folder; make it, or correct --p"),
    ],
)
def test_the_option_that_is_wrong_is_named(
    words: str, message: str, capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "products.toml").write_text(PRODUCTS)
    (tmp_path / "x.txt").write_text(" ".join(map(str, range(16))))
    (tmp_path / "grid.toml").write_text('verb = "synth"\ndesigns = ["mlkem-mldsa"]\n')
    code, _, err = call(capsys, *words.split())
    assert code in (1, 2) and message in err and "defect" not in err


def test_a_signature_of_another_length_is_wrong_and_no_mistake(tmp_path: Path) -> None:
    short = tmp_path / "short.sig"
    short.write_bytes(bytes(range(200)))
    assert read_value("--signature", str(short), 2420, exact=False) == bytes(range(200))
    assert read_value("--signature", "00" * 7, 2420, exact=False) == bytes(7)
    assert read_value("--signature", "00" * 2420, 2420, exact=False) == bytes(2420)

    class Refuses:
        def verify_internal(self, _: object, *, signature: bytes, **__: bytes) -> Any:
            from nttforge.kinds.lattice.functions import Verdict  # noqa: PLC0415

            assert signature == bytes(range(200))
            return Verdict(False, "length", 1, 0)

    message = tmp_path / "m"
    message.write_bytes(b"m")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verbs, "open_functions", lambda *_: Refuses())
        found = verbs.VERBS["dsa"].do(
            "verify",
            _Prepared(),  # type: ignore[arg-type]
            ML_DSA.sets[0],
            pk="00" * 1312,
            signature=str(short),
            message=message,
        )
    assert isinstance(found, verbs.Verified) and not found.ok


class _Prepared:
    class core:  # noqa: N801
        name = "x"


def test_a_pipe_into_which_nothing_is_written_does_not_block(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "PIPE_SECONDS", 0.1)
    pipe = tmp_path / "x.toml"
    os.mkfifo(pipe)
    code, _, err = call(capsys, "generate", str(pipe), "-o", str(tmp_path / "out"))
    assert code == 1 and "a pipe without data for" in err
    done = subprocess.Popen(["sh", "-c", f'sleep 0.2; echo "name = 5" > "{pipe}"'])
    monkeypatch.setattr(output, "PIPE_SECONDS", 20)
    code, _, err = call(capsys, "generate", str(pipe), "-o", str(tmp_path / "out"))
    assert code == 1 and "name" in err and not done.wait()


def test_a_pipe_that_nobody_reads_does_not_block(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "PIPE_SECONDS", 0.1)
    pipe, complete = tmp_path / "x.svg", tmp_path / "complete"
    os.mkfifo(pipe)
    code, _, err = call(capsys, "show", "example", "decomposed", "-o", str(pipe))
    assert code == 1 and "x.svg: a pipe without a reader for 0.1 s; correct --output" in err
    monkeypatch.setattr(output, "PIPE_SECONDS", 20)
    complete.write_bytes(b"words")
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        output.claim_name(complete, pipe)
        assert reader.communicate()[0] == b"words" and pipe.is_fifo()


def test_a_reader_that_has_read_enough_is_no_mistake() -> None:
    """As `head`: no message, and the exit code of the result."""
    source, sink = os.pipe()
    os.close(source)
    command = [sys.executable, "-m", "nttforge", "show", "contract", "ml-kem"]
    done = subprocess.run(command, stdout=sink, stderr=subprocess.PIPE, text=True, check=False)
    os.close(sink)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_demo_that_fails_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(showcase, "prepare", fails)
    with pytest.raises(KeyboardInterrupt):
        showcase.showcase(tmp_path / "engine")
    assert not list(tmp_path.iterdir())


def test_scratch_files_of_a_tool_are_in_the_folder_of_its_log(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import tempfile; tempfile.mkdtemp(prefix='yosys-abc-')"]
    run_tool("yosys", command, tmp_path / "log", 60)
    assert [path.name[:10] for path in tmp_path.iterdir() if path.is_dir()] == ["yosys-abc-"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_a_signal_ends_leaves_nothing(number: signal.Signals, tmp_path: Path) -> None:
    """While Yosys works: no part of a result stays in the cache, and the last line says so."""
    (tmp_path / "d.toml").write_text('name = "d"\n[[rings]]\nn = 64\nq = 7681\n')
    scratch, cache = tmp_path / "tmp", tmp_path / "cache"
    scratch.mkdir()
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", f"{listen}; from nttforge.cli import main; main()"),
            *("synth", "d.toml", "--json"),
        ],
        cwd=tmp_path,
        env=os.environ
        | {"PYTHONPATH": str(SOURCE), "NTTFORGE_CACHE": str(cache), "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not list(cache.glob("elaborated/*.part")):
        if list(cache.glob("*/*.part/*.log")):
            break
        time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    said = "terminated" if number == signal.SIGTERM else "interrupted"
    assert process.returncode == 128 + number and "Traceback" not in err
    assert json.loads(out)["error"].startswith(said)
    assert not list(cache.glob("*/*.part")) and not list(scratch.iterdir())
