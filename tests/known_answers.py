# SPDX-License-Identifier: Apache-2.0
"""Published vectors: `python -m tests.known_answers` runs all of kyber-py's sources.

It fetches kyber-py's source distribution from the package index, compares NIST's vectors in it
with those of the package, every byte, and runs them. It also runs the known answers of Kyber's
third round, whose ciphertexts are ML-KEM's and whose secrets are a hash of ML-KEM's. With
`--standard ml-dsa` it does the same with dilithium-py's sources and NIST's vectors of KeyGen,
Sign and Verify.
"""

import argparse
import json
import lzma
import subprocess
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nttforge.cache import cached
from nttforge.design import load_design
from nttforge.designs import DSA_CORE
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import prepare_kind
from nttforge.flow.vectors import Vector, digest
from nttforge.kinds.lattice.bus import Coprocessor, open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mlkem.build import PRESET
from nttforge.kinds.lattice.operation import Standard
from nttforge.kinds.lattice.standard import ML_DSA, ML_KEM
from nttforge.kinds.lattice.vectors import (
    ACCEPTED,
    GOLDEN,
    answers,
    golden_vectors,
    verdict_byte,
)
from nttforge.standards.ml_kem.parameters import parameter_set
from nttforge.standards.ml_kem.symmetric import h, j
from nttforge.standards.oracle import kyber_py

#: The digest of a secret of Kyber's third round.
KYBER = "kyber_k"
_KNOWN_ANSWERS = {
    "ML-KEM-512": "PQCkemKAT_1632.rsp",
    "ML-KEM-768": "PQCkemKAT_2400.rsp",
    "ML-KEM-1024": "PQCkemKAT_3168.rsp",
}


class Source(NamedTuple):
    """Where a standard's vectors are published.

    - `package`, `release`: of the package index.
    - `design`: what they are run on.
    - `modes`: of ACVP: a folder each.
    - `operations`: by mode, or by what a test calls its function.
    - `names`: of values, where ACVP has others.
    - `absent`: values, in hexadecimal, that some tests do not have.
    """

    package: str
    release: str
    standard: Standard
    design: str
    modes: tuple[str, ...]
    operations: Mapping[str, str]
    names: Mapping[str, str] = {}
    absent: Mapping[str, str] = {}

    def folder(self, mode: str) -> str:
        """A mode's, among the assets."""
        return f"{self.standard.name}-{mode}-{self.standard.published.replace(' ', '')}"


ML_KEM_SOURCE = Source(
    *("kyber-py", "1.2.0", ML_KEM, PRESET),
    ("keyGen", "encapDecap"),
    {"keyGen": "keygen", "encapsulation": "encaps", "decapsulation": "decaps"},
    {"secret": "k"},
)
ML_DSA_SOURCE = Source(
    *("dilithium-py", "1.5.1", ML_DSA, DSA_CORE),
    ("keyGen", "sigGen", "sigVer"),
    {"keyGen": "keygen", "sigGen": "sign", "sigVer": "verify"},
    absent={"rnd": "00" * 32},  # of deterministic signatures
)
SOURCES = {"ml-kem": ML_KEM_SOURCE, "ml-dsa": ML_DSA_SOURCE}


def pack(vectors: list[Vector]) -> bytes:
    """What `golden_vectors` reads."""
    entries = [
        {**vars(vector), "inputs": {k: v.hex() for k, v in vector.inputs.items()}}
        for vector in vectors
    ]
    return lzma.compress(json.dumps(entries, separators=(",", ":")).encode(), preset=9)


def fetch(source: Source) -> Path:
    """Assets of a source, from the package index or kept from an earlier time.

    Raises
    ------
    NttforgeError
        If the index cannot be reached.
    """

    package, release = source.package, source.release

    def make(scratch: Path) -> None:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        options = ["--no-binary", ":all:", "--dest", str(scratch), f"{package}=={release}"]
        done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["pip failed"]
            raise NttforgeError(package, lines[-1], "vectors need the package index: try again")
        (archive,) = scratch.glob("*.tar.gz")
        with tarfile.open(archive) as tar:
            tar.extractall(scratch, filter="data")
        archive.unlink()

    name = f"{package.replace('-', '_')}-{release}"
    return cached("vectors", f"{package}-{release}", make) / name / "assets"


def published_vectors(source: Source, assets: Path) -> Iterator[Vector]:
    """NIST's vectors, as a source carries them."""
    for mode in source.modes:
        file = assets / source.folder(mode) / "internalProjection.json"
        for group in json.loads(file.read_text("utf-8"))["testGroups"]:
            for test in group["tests"]:
                yield _acvp(source, mode, {**source.absent, **group, **test})


def _acvp(source: Source, mode: str, test: Mapping[str, Any]) -> Vector:
    operation = source.operations[test.get("function", mode)]
    taken = source.standard.operations[operation]

    def data(name: str) -> bytes:
        return bytes.fromhex(test[source.names.get(name, name)])

    outputs = (
        {ACCEPTED: verdict_byte(test["testPassed"])}
        if taken.judges
        else {value.name: data(value.name) for value in taken.outputs}
    )
    return Vector(
        name="ACVP",
        number=test["tcId"],
        parameter_set=test["parameterSet"],
        operation=operation,
        inputs={value.name: data(value.name) for value in taken.inputs},
        digests={name: digest(each) for name, each in outputs.items()},
    )


def kyber_secret(secret: bytes, c: bytes) -> bytes:
    """The secret of Kyber's third round, which hashed the ciphertext into ML-KEM's."""
    return j(secret + h(c))


def wrong_answers(
    core: Coprocessor, standard: Standard, vector: Vector
) -> list[tuple[str, str, str]]:
    """(output, digest of ours, expected one) of each output that differs, Kyber's among them."""
    found = []
    for each in answers(core, standard, vector):
        values = {**vector.inputs, **each}
        if KYBER in vector.digests:
            values[KYBER] = kyber_secret(values["secret"], values["c"])
        found += vector.wrong(values)
    return found


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
            number, hashed = int(entry["count"]), {KYBER: digest(secret)}
            label = "Kyber round 3"
            yield Vector(label, number, name, "decaps", {"dk": dk, "c": c}, hashed)
            hashed = {"c": digest(c), **hashed}
            yield Vector(label, number, name, "encaps", {"ek": ek, "m": m}, hashed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.known_answers",
        description="Run every published vector on the simulated coprocessor.",
    )
    parser.add_argument("--write", type=Path, help="write NIST's vectors as the package has them")
    parser.add_argument("--standard", choices=SOURCES, default="ml-kem")
    options = parser.parse_args(arguments)
    start, source = time.monotonic(), SOURCES[options.standard]
    try:
        assets = fetch(source)
        published = list(published_vectors(source, assets))
        if options.write:
            options.write.write_bytes(pack(published))
            return 0
        if golden_vectors(source.standard) != published:
            print(f"{GOLDEN} differs from the published vectors", file=sys.stderr)
            return 1
        more = known_answers(assets) if source is ML_KEM_SOURCE else ()
        core = open_core(prepare_kind(load_design(source.design), LatticeCore))
        wrong = run_all(core, source.standard, [*published, *more])
    except NttforgeError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{wrong or 'none'} wrong, {time.monotonic() - start:.0f} s", file=sys.stderr)
    return 1 if wrong else 0


def run_all(core: Coprocessor, standard: Standard, vectors: Sequence[Vector]) -> int:
    """Run vectors, print how many there were of each kind, and return how many were wrong."""
    counts: Counter[str] = Counter()
    wrong = 0
    for vector in vectors:
        counts[f"{vector.name}, {vector.parameter_set} {vector.operation}"] += 1
        for what, got, expected in wrong_answers(core, standard, vector):
            wrong += 1
            print(f"{vector.name} {vector.number} {what}: {got}, not {expected}", file=sys.stderr)
    for kind, count in counts.items():
        print(f"{kind}: {count}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
