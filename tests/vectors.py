# SPDX-License-Identifier: Apache-2.0
"""Published vectors: `python -m tests.vectors` runs all of kyber-py's sources.

It fetches kyber-py's source distribution from the package index, compares NIST's vectors in it
with those of the package, every byte, and runs them. It also runs the known answers of Kyber's
third round, whose ciphertexts are ML-KEM's and whose secrets are a hash of ML-KEM's.
"""

import argparse
import json
import lzma
import subprocess
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nttforge.content import cached
from nttforge.errors import NttforgeError
from nttforge.families.mlkem.build import coprocessor_design
from nttforge.families.mlkem.program import KemOperation
from nttforge.flow.mlkem.vectors import GOLDEN, Vector, digest, golden_vectors, wrong_answers
from nttforge.flow.prepare import prepare_mlkem
from nttforge.simulate.mlkem import Coprocessor
from nttforge.standards.ml_kem.parameters import parameter_set
from nttforge.standards.oracle import kyber_py

RELEASE = "1.2.0"
_KNOWN_ANSWERS = {
    "ML-KEM-512": "PQCkemKAT_1632.rsp",
    "ML-KEM-768": "PQCkemKAT_2400.rsp",
    "ML-KEM-1024": "PQCkemKAT_3168.rsp",
}
_OPERATIONS: dict[str, KemOperation] = {
    "keyGen": "keygen",
    "encapsulation": "encaps",
    "decapsulation": "decaps",
}


def pack(vectors: list[Vector]) -> bytes:
    """What `golden_vectors` reads."""
    entries = [
        {**vars(vector), "inputs": {k: v.hex() for k, v in vector.inputs.items()}}
        for vector in vectors
    ]
    return lzma.compress(json.dumps(entries, separators=(",", ":")).encode(), preset=9)


def fetch() -> Path:
    """Folder of kyber-py's sources, from the package index or kept from an earlier time.

    Raises
    ------
    NttforgeError
        If the index cannot be reached.
    """

    def make(scratch: Path) -> None:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        options = ["--no-binary", ":all:", "--dest", str(scratch), f"kyber-py=={RELEASE}"]
        done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["pip failed"]
            raise NttforgeError("kyber-py", lines[-1], "vectors need the package index: try again")
        (archive,) = scratch.glob("*.tar.gz")
        with tarfile.open(archive) as tar:
            tar.extractall(scratch, filter="data")
        archive.unlink()

    return cached("vectors", f"kyber-py-{RELEASE}", make) / f"kyber_py-{RELEASE}" / "assets"


def published_vectors(assets: Path) -> Iterator[Vector]:
    """NIST's vectors of FIPS 203, as kyber-py's sources carry them."""
    for part in ("keyGen", "encapDecap"):
        text = (assets / f"ML-KEM-{part}-FIPS203" / "internalProjection.json").read_text("utf-8")
        for group in json.loads(text)["testGroups"]:
            operation = _OPERATIONS[group.get("function", part)]
            for test in group["tests"]:
                yield _acvp(operation, {**group, **test})


def _acvp(operation: KemOperation, test: dict[str, Any]) -> Vector:
    inputs, outputs = {
        "keygen": (("d", "z"), ("ek", "dk")),
        "encaps": (("ek", "m"), ("c", "k")),
        "decaps": (("dk", "c"), ("k",)),
    }[operation]
    return Vector(
        name="ACVP",
        number=test["tcId"],
        parameter_set=test["parameterSet"],
        operation=operation,
        inputs={key: bytes.fromhex(test[key]) for key in inputs},
        digests={key: digest(bytes.fromhex(test[key])) for key in outputs},
    )


def known_answers(assets: Path) -> Iterator[Vector]:
    """Kyber's third round: decapsulations, and encapsulations of the messages that these hold.

    Its keys were made from seeds in another way, and its messages by a generator that has no part
    in ML-KEM: kyber-py decrypts them.
    """
    for name, file in _KNOWN_ANSWERS.items():
        p, oracle = parameter_set(name), kyber_py(name)
        for block in (assets / file).read_text("utf-8").split("\n\n"):
            entry = dict(line.split(" = ") for line in block.splitlines() if " = " in line)
            if not entry:
                continue
            ek, dk, c, secret = (bytes.fromhex(entry[key]) for key in ("pk", "sk", "ct", "ss"))
            m = oracle._k_pke_decrypt(dk[: p.pke_key_bytes], c)
            number, hashed = int(entry["count"]), {"kyber_k": digest(secret)}
            label = "Kyber round 3"
            yield Vector(label, number, name, "decaps", {"dk": dk, "c": c}, hashed)
            hashed = {"c": digest(c), **hashed}
            yield Vector(label, number, name, "encaps", {"ek": ek, "m": m}, hashed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.vectors",
        description="Run every published vector on the simulated coprocessor.",
    )
    parser.add_argument("--write", type=Path, help="write NIST's vectors as the package has them")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    try:
        assets = fetch()
        published = list(published_vectors(assets))
        if options.write:
            options.write.write_bytes(pack(published))
            return 0
        if golden_vectors() != published:
            print(f"{GOLDEN} differs from kyber-py's sources", file=sys.stderr)
            return 1
        coprocessor = prepare_mlkem(coprocessor_design()).coprocessor()
        wrong = run_all(coprocessor, [*published, *known_answers(assets)])
    except NttforgeError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{wrong or 'none'} wrong, {time.monotonic() - start:.0f} s", file=sys.stderr)
    return 1 if wrong else 0


def run_all(coprocessor: Coprocessor, vectors: Sequence[Vector]) -> int:
    """Run vectors, print how many there were of each kind, and return how many were wrong."""
    counts: Counter[str] = Counter()
    wrong = 0
    for vector in vectors:
        counts[f"{vector.name}, {vector.parameter_set} {vector.operation}"] += 1
        for what, got, expected in wrong_answers(coprocessor, vector):
            wrong += 1
            print(f"{vector.name} {vector.number} {what}: {got}, not {expected}", file=sys.stderr)
    for kind, count in counts.items():
        print(f"{kind}: {count}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
