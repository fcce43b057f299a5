# SPDX-License-Identifier: Apache-2.0
"""Mean cycles of ML-DSA's Sign over representative messages: `python -m benchmarks.signatures`.

A signature takes as many tries as chance has it, so a mean over few random messages says little.
C2SP's CCTV has messages (`ML-DSA/benchmark/ML-DSA-44.json`, ...) whose numbers of tries are
distributed as they should be, if the key is that of a seed of zeros, the context is empty and
signing is deterministic. FILE is such a file, its name that of a parameter set. Without files as
many messages of each set are looked for: number i of m is the first of "message 0", "message 1",
... that takes as many tries as the quantile (i + 1/2) / m of a geometric distribution has.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from nttforge.design import load_design
from nttforge.flow.prepare import prepare_kind
from nttforge.kinds.lattice.bus import Request, open_core
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa.cycles import sign_cycles
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.small.signing.cycles import sign_cycles as narrow_cycles
from nttforge.standards.ml_dsa.keygen import h, keygen_internal
from nttforge.standards.ml_dsa.message import MU_BYTES, formatted
from nttforge.standards.ml_dsa.parameters import Parameters
from nttforge.standards.ml_dsa.signing import Signature, sign_mu
from nttforge.standards.transform_engine import software_engine
from nttforge.table import Cell, Table, markdown

_ZEROS = bytes(32)


def signed(p: Parameters, sk: bytes, message: bytes) -> Signature:
    """The deterministic signature of M'."""
    return sign_mu(p, sk, h(sk[64:128] + message, MU_BYTES), _ZEROS, software_engine())


def quantile(p: Parameters, at: float) -> int:
    """Tries of the signature that so large a share of all signatures does not exceed."""
    return max(1, math.ceil(math.log1p(-at) / math.log1p(-1 / p.tries)))


def representative(p: Parameters, sk: bytes, messages: int) -> list[bytes]:
    """M' of messages whose tries are distributed as all signatures' are."""
    wanted = [quantile(p, (number + 0.5) / messages) for number in range(messages)]
    missing, found, numbers = Counter(wanted), list[bytes](), count()
    while missing.total():
        message = formatted(f"message {next(numbers)}".encode())
        tries = len(signed(p, sk, message).challenges)
        if missing[tries]:
            missing[tries] -= 1
            found.append(message)
    return found


def given(file: Path) -> tuple[Parameters, list[bytes]]:
    """The set that a file's name begins with, and M' of its messages."""
    (p,) = (each for each in SETS if file.name.startswith(each.name))
    return p, [formatted(message.encode()) for message in json.loads(file.read_text("utf-8"))]


def rows(design: str, files: Sequence[Path], messages: int) -> Iterator[list[Cell]]:
    """A set each: cycles of all its signatures, observed."""
    prepared = prepare_kind(load_design(design), LatticeCore)
    core, equal = open_core(prepared), prepared.core.facts.get("equal_tries")
    width = prepared.design.table(LatticeTable).width
    keys = {p: keygen_internal(p, _ZEROS, software_engine())[1] for p in SETS}
    asked = [given(file) for file in files] or [
        (p, representative(p, keys[p], messages)) for p in SETS
    ]
    for p, chosen in asked:
        sk = keys[p]
        ran = core.run_all([Request("sign", p, _ZEROS + sk, (message,)) for message in chosen])
        made = [signed(p, sk, message) for message in chosen]
        derived = [
            narrow_cycles(p, sk[:32], each, len(message), width)
            if equal is None
            else sign_cycles(p, sk[:32], each, len(message), equal=equal)
            for each, message in zip(made, chosen, strict=True)
        ]
        cycles = [run.cycles for run in ran]
        same = sum(one == other for one, other in zip(cycles, derived, strict=True))
        tries = sum(len(each.challenges) for each in made) / len(chosen)
        mean = sum(cycles) / len(cycles)
        yield [p.name, len(chosen), round(tries, 2), round(mean, 1), same]


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("files", type=Path, nargs="*", help="messages, as a JSON list of strings")
    parser.add_argument("--design", default="ml-dsa-core", help="default: ml-dsa-core")
    parser.add_argument(
        "--messages", type=int, default=100, help="of each set, without files (default: 100)"
    )
    asked = parser.parse_args(argv)
    columns = ("set", "messages", "tries", "mean of Sign, cycles", "as derived")
    title = f"{asked.design}: signatures with representative numbers of tries"
    table = Table(title, columns, list(rows(asked.design, asked.files, asked.messages)))
    print(markdown([table]))


if __name__ == "__main__":
    main()
