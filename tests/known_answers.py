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
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from nttforge.cache import cached
from nttforge.design import load_design
from nttforge.designs import DSA_CORE
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import prepare_kind
from nttforge.flow.vectors import Vector, digest
from nttforge.kinds.lattice.bus import open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa import vectors as dsa
from nttforge.kinds.lattice.mlkem.build import coprocessor_design
from nttforge.kinds.lattice.mlkem.program import KemOperation
from nttforge.kinds.lattice.mlkem.vectors import GOLDEN, golden_vectors, wrong_answers
from nttforge.standards.ml_kem.parameters import parameter_set
from nttforge.standards.oracle import kyber_py

RELEASE, DSA_RELEASE = "1.2.0", "1.5.1"
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
_NAMES: dict[KemOperation, tuple[Sequence[str], Sequence[str]]] = {
    "keygen": (("d", "z"), ("ek", "dk")),
    "encaps": (("ek", "m"), ("c", "k")),
    "decaps": (("dk", "c"), ("k",)),
}
#: Digests of ours that differ from a vector's.
Wrong = Callable[[Vector], list[tuple[str, str, str]]]


def pack(vectors: list[Vector]) -> bytes:
    """What `golden_vectors` reads."""
    entries = [
        {**vars(vector), "inputs": {k: v.hex() for k, v in vector.inputs.items()}}
        for vector in vectors
    ]
    return lzma.compress(json.dumps(entries, separators=(",", ":")).encode(), preset=9)


def fetch(package: str = "kyber-py", release: str = RELEASE) -> Path:
    """Assets of a package's sources, from the package index or kept from an earlier time.

    Raises
    ------
    NttforgeError
        If the index cannot be reached.
    """

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


def published_vectors(assets: Path) -> Iterator[Vector]:
    """NIST's vectors of FIPS 203, as kyber-py's sources carry them."""
    for part in ("keyGen", "encapDecap"):
        for test in _tests(assets / f"ML-KEM-{part}-FIPS203"):
            operation = _OPERATIONS[test.get("function", part)]
            yield _acvp(operation, test, *_NAMES[operation])


def published_signatures(assets: Path) -> Iterator[Vector]:
    """NIST's vectors of FIPS 204's keys and signatures, as dilithium-py's sources carry them."""
    for test in _tests(assets / "ML-DSA-keyGen-FIPS204"):
        yield _acvp("keygen", test, ("seed",), ("pk", "sk"))
    for test in _tests(assets / "ML-DSA-sigGen-FIPS204"):
        # Deterministic ones have no rnd.
        yield _acvp("sign", {"rnd": "00" * 32, **test}, ("sk", "message", "rnd"), ("signature",))
    for test in _tests(assets / "ML-DSA-sigVer-FIPS204"):
        accepted = {"accepted": dsa.accepted_byte(test["testPassed"]).hex()}
        yield _acvp("verify", test | accepted, ("pk", "message", "signature"), ("accepted",))


def _tests(folder: Path) -> Iterator[dict[str, Any]]:
    for group in json.loads((folder / "internalProjection.json").read_text("utf-8"))["testGroups"]:
        yield from ({**group, **test} for test in group["tests"])


def _acvp(
    operation: str, test: dict[str, Any], inputs: Sequence[str], outputs: Sequence[str]
) -> Vector:
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
        prog="python -m tests.known_answers",
        description="Run every published vector on the simulated coprocessor.",
    )
    parser.add_argument("--write", type=Path, help="write NIST's vectors as the package has them")
    parser.add_argument("--standard", choices=("ml-kem", "ml-dsa"), default="ml-kem")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    kem = options.standard == "ml-kem"
    try:
        assets = fetch() if kem else fetch("dilithium-py", DSA_RELEASE)
        published = list(published_vectors(assets) if kem else published_signatures(assets))
        if options.write:
            options.write.write_bytes(pack(published))
            return 0
        if (golden_vectors if kem else dsa.golden_vectors)() != published:
            print(f"{GOLDEN} differs from the published vectors", file=sys.stderr)
            return 1
        if kem:
            coprocessor = open_core(prepare_kind(coprocessor_design(), LatticeCore))
            more = known_answers(assets)
            wrong = run_all(partial(wrong_answers, coprocessor), [*published, *more])
        else:
            core = open_core(prepare_kind(load_design(DSA_CORE), LatticeCore))
            wrong = run_all(partial(dsa.wrong_answers, core), published)
    except NttforgeError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{wrong or 'none'} wrong, {time.monotonic() - start:.0f} s", file=sys.stderr)
    return 1 if wrong else 0


def run_all(wrong_of: Wrong, vectors: Sequence[Vector]) -> int:
    """Run vectors, print how many there were of each kind, and return how many were wrong."""
    counts: Counter[str] = Counter()
    wrong = 0
    for vector in vectors:
        counts[f"{vector.name}, {vector.parameter_set} {vector.operation}"] += 1
        for what, got, expected in wrong_of(vector):
            wrong += 1
            print(f"{vector.name} {vector.number} {what}: {got}, not {expected}", file=sys.stderr)
    for kind, count in counts.items():
        print(f"{kind}: {count}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
