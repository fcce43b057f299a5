# SPDX-License-Identifier: Apache-2.0
"""Which verb works with which kind of design: every cell is a command that was run.

`python -m tests.matrix` prints what is recorded; `run` runs the cells, all of them or those whose
verb, or design, is named, and records how each ended: a cell that worked, or the reason that the
command gives. `run --missing` takes those without a record. What takes many minutes is run alone.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nttforge.table import Table, markdown
from tests.tally import keep, kept

RECORD = "matrix"
#: A design of each kind, by what it is called in the table.
KINDS: Mapping[str, str] = {
    "pipeline": "mlkem-mldsa",
    "iterative": "scalable-kyber",
    "decomposed": "sam-tiny",
    "ML-KEM": "ml-kem-coprocessor",
    "ML-DSA": "ml-dsa-coprocessor",
    "both": "pqc-coprocessor",
    "both, small": "pqc-small",
    "key switching": "ckks-14",
}
_PYTHON = """\
from nttforge import host
with host.open({design!r}) as device:
    print(device.operations)
"""
Words = Sequence[str]


def _verb(*words: str) -> Callable[[str, Path], Words]:
    """A command of nttforge: `D` is the design, and `O` a place for what it writes."""

    def command(design: str, place: Path) -> Words:
        known = {
            "D": design,
            "O": str(place / "out"),
            "P": str(place / "in.npy"),
            "R": str(place / "out.npy"),
            "J": str(place / "in.json"),
            "S": str(place / "out.json"),
        }
        return [sys.executable, "-m", "nttforge", *(known.get(word, word) for word in words)]

    return command


def _device(design: str, _: Path) -> Words:
    return [sys.executable, "-c", _PYTHON.format(design=design)]


def _run(design: str, place: Path) -> Words:
    """The first transform of a design that has some."""
    if design == KINDS["key switching"]:
        words = ("--input", "J", "--output", "S", "--op", "rescale")
    else:
        operation = "ml-kem.ntt" if design == KINDS["pipeline"] else "ntt"
        words = ("--input", "P", "--output", "R", "--op", operation)
    return _verb("run", "D", *words)(design, place)


def _measure(design: str, place: Path) -> Words:
    """Two runs, where durations may depend on data."""
    words = () if design == KINDS["key switching"] else ("--transforms", "2")
    return _verb("measure", "D", *words)(design, place)


def _timeline(design: str, place: Path) -> Words:
    """Of a set that the design may have: ML-DSA's, if it has that alone."""
    asked = ("verify", "44") if design == KINDS["ML-DSA"] else ("keygen", "512")
    return _verb("show", "timeline", *asked, "--design", "D")(design, place)


#: How each verb is tried.
VERBS: Mapping[str, Callable[[str, Path], Words]] = {
    "generate": _verb("generate", "D", "-o", "O"),
    "verify": _verb("verify", "D", "--transforms", "1"),
    "run": _run,
    "measure": _measure,
    "synth": _verb("synth", "D"),
    "timing": _verb("timing", "D"),
    "pnr": _verb("pnr", "D"),
    "report": _verb("report", "D", "--target", "none", "-o", "O"),
    "kem": _verb("kem", "keygen", "--parameter-set", "512", "--design", "D"),
    "dsa": _verb("dsa", "keygen", "--parameter-set", "44", "--design", "D"),
    "host": _verb("host", "D", "-o", "O"),
    "host --openssl": _verb("host", "D", "--openssl", "-o", "O"),
    "soc": _verb("soc", "D", "-o", "O"),
    "bitstream": _verb("bitstream", "D", "--board", "ulx3s-85f", "-o", "O"),
    "Python device": _device,
    "show registers": _verb("show", "registers", "D"),
    "show contract": _verb("show", "contract", "D"),
    "show sheet": _verb("show", "sheet", "D"),
    "show figure": _verb("show", "figure", "D", "-o", "O"),
    "show flow": _verb("show", "flow", "D"),
    "show timeline": _timeline,
}
#: So much time a cell has; what takes longer is no cell, but a night.
SECONDS = 3000
_WORKS = "works"
#: Cells that `--missing` does not run, and why.
LEFT_OUT: Mapping[tuple[str, str], str] = {
    ("pnr", "ML-KEM"): "takes more than 20 minutes: [a page](appendix/lattice.md) has its clock",
    ("pnr", "ML-DSA"): "does not fit the device: [a page](appendix/lattice.md) has clocks of parts",
    ("pnr", "both"): "does not fit the device: [parts' clocks](appendix/lattice.md)",
    **{
        (
            verb,
            "key switching",
        ): "does not fit the device: [clocks of parts](key-switching.md#area-and-clock)"
        for verb in ("timing", "pnr")
    },
}


#: Coefficients for `run`.
_LENGTH = {"decomposed": 64}
#: Moduli of a polynomial for `run`.
_MODULI = (18014398508400641, 18014398508138497)


def tried(kind: str, verb: str) -> str:
    """How a cell's command ended: `works`, or the reason that it gives."""
    with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
        place = Path(scratch)
        if verb == "run":
            np.save(place / "in.npy", np.arange(_LENGTH.get(kind, 256), dtype=np.int64)[None])
            limbs = [[i % q for i in range(16_384)] for q in _MODULI]
            (place / "in.json").write_text(json.dumps({"c": limbs, "q": _MODULI}), "utf-8")
        words = VERBS[verb](KINDS[kind], place)
        try:
            done = subprocess.run(
                words, capture_output=True, text=True, check=False, timeout=SECONDS, cwd=place
            )
        except subprocess.TimeoutExpired:
            return f"has not ended after {SECONDS} s"
        if done.returncode == 0:
            return _WORKS
        return _reason(done.stderr).replace(scratch, "")


def _reason(text: str) -> str:
    """The line that says what is wrong."""
    said = re.findall(
        r"^(?:\S*Error|error): (.*)", text.replace("nttforge.errors.", ""), re.MULTILINE
    )
    return said[-1] if said else text.strip().splitlines()[-1]


def run(verbs: Sequence[str], kinds: Sequence[str], *, missing: bool) -> None:
    """Run cells and record them, each as soon as it has ended."""
    for verb in verbs:
        for kind in kinds:
            record: dict[str, Any] = kept(RECORD)
            if missing and (kind in record.get(verb, {}) or (verb, kind) in LEFT_OUT):
                continue
            ended = tried(kind, verb)
            print(f"{verb}, {kind}: {ended}", file=sys.stderr, flush=True)
            record.setdefault(verb, {})[kind] = ended
            keep(RECORD, record)


def _plain(reason: str, design: str) -> str:
    """A reason without the design that it is given for, so that several have one."""
    name = f"(?:{design}|{design.replace('-', '_')})"
    return re.sub(rf"^(?:design: )?{name}:? ", "", reason)


def _cells(record: Mapping[str, Mapping[str, str]], reasons: list[str]) -> Iterator[list[str]]:
    for verb in VERBS:
        line = [f"`{verb}`" if verb != "Python device" else verb]
        for kind in KINDS:
            found = record.get(verb, {}).get(kind)
            reason = _plain(found or LEFT_OUT.get((verb, kind), ""), KINDS[kind])
            if reason not in (_WORKS, "") and reason not in reasons:
                reasons.append(reason)
            ended = "no" if found else "not run"
            line.append(
                f"{ended} ({reasons.index(reason) + 1})" if reason in reasons else reason or ended
            )
        yield line


def shown(record: Mapping[str, Mapping[str, str]]) -> str:
    """The table, and below it the reasons of what does not work, as the commands give them."""
    reasons: list[str] = []
    rows = list(_cells(record, reasons))
    head = ["verb", *(f"{kind}: `{name}`" for kind, name in KINDS.items())]
    lines = [f"{at}. {reason}" for at, reason in enumerate(reasons, 1)]
    return "\n".join([markdown([Table("Verbs", head, rows)]), "", *lines])


def main() -> int:
    """Print the table, or run cells."""
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("what", nargs="?", choices=("show", "run"), default="show")
    made.add_argument("--verb", action="append", choices=[*VERBS])
    made.add_argument("--kind", action="append", choices=[*KINDS])
    made.add_argument("--missing", action="store_true", help="only cells without a record")
    options = made.parse_args()
    if options.what == "show":
        print(shown(kept(RECORD)))
        return 0
    run(options.verb or [*VERBS], options.kind or [*KINDS], missing=options.missing)
    return 0


if __name__ == "__main__":
    sys.exit(main())
