# SPDX-License-Identifier: Apache-2.0
"""The coprocessor against vectors and independent implementations; `verify` can fail."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from nttforge.design import load_design
from nttforge.errors import FaultError
from nttforge.flow.prepare import prepare_kind
from nttforge.kinds.lattice.bus import Coprocessor, Request, Run, open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import measure_standard
from nttforge.kinds.lattice.mlkem.build import coprocessor_design
from nttforge.kinds.lattice.mlkem.program import CODES, SETS, KemOperation
from nttforge.kinds.lattice.mlkem.timing import Patterns, secret_patterns
from nttforge.kinds.lattice.mlkem.verify import verify_mlkem
from nttforge.kinds.lattice.standard import ML_KEM
from nttforge.kinds.lattice.vectors import golden_vectors, wrong_answers
from nttforge.standards.ml_kem.parameters import Parameters
from nttforge.table import markdown
from tests import known_answers as vectors
from tests.coprocessors import kem_measures

ALL = {"keys", "ciphertexts", "secrets", "rejections", "by seeds", "refused keys"}
ALL |= {"refused streams", "queued"}
every_set = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)


@pytest.fixture(scope="module")
def coprocessor() -> Coprocessor:
    return open_core(prepare_kind(coprocessor_design(), LatticeCore))


def test_vectors_and_random_cases(coprocessor: Coprocessor) -> None:
    result = verify_mlkem(coprocessor, "dut", cases=24, seed=1)
    assert result.ok, (result.mismatches, result.violation)
    assert result.vectors == 180
    assert result.oracles == ["kyber-py", "cryptography"]
    for p in SETS:
        assert set(result.compared[p.name]) == ALL
        assert min(result.compared[p.name].values()) >= 24  # six queues of four


@pytest.mark.slow
def test_a_thousand_cases_a_set(coprocessor: Coprocessor) -> None:
    result = verify_mlkem(coprocessor, "dut", cases=1000, seed=2)
    assert result.ok, (result.mismatches, result.violation)


@pytest.mark.slow
def test_every_published_vector(coprocessor: Coprocessor) -> None:
    assets = vectors.fetch(vectors.ML_KEM_SOURCE)
    published = list(vectors.published_vectors(vectors.ML_KEM_SOURCE, assets))
    assert golden_vectors(ML_KEM) == published
    known = list(vectors.known_answers(assets))
    assert (len(published), len(known)) == (180, 600)
    assert vectors.run_all(coprocessor, ML_KEM, [*published, *known]) == 0


def lengths_by_last(found: Mapping[KemOperation, Patterns]) -> list[set[tuple[Hashable, ...]]]:
    """Of each operation, by the words of the last polynomial alone: how long it took."""
    lengths: dict[Hashable, set[tuple[Hashable, ...]]] = {}
    for operation, patterns in found.items():
        for words, seen in patterns.seen.items():
            if None not in words:
                lengths.setdefault((operation, words[-1]), set()).update(p[:2] for p in seen)
    return list(lengths.values())


@every_set
def test_handshakes_do_not_depend_on_secrets(coprocessor: Coprocessor, p: Parameters) -> None:
    for stall in (0.0, 0.3):
        found = secret_patterns(coprocessor, p, 12, seed=3, stall=stall)
        assert not any(patterns.leaks for patterns in found.values())
        assert {found[name].runs for name in CODES} == {12, 24}
        # Encaps and Decaps have one public seed; that of a key that is made depends on d.
        made = ("keygen", "decaps_seed")
        assert {len(found[name].seen) for name in CODES if name not in made} == {1}
        if not stall:  # here the last polynomial that is sampled is what all wait for
            lengths = lengths_by_last(found)
            assert lengths and all(len(one) == 1 for one in lengths)


@pytest.mark.parametrize("changes", [{"rounds_per_cycle": 3}, {"butterflies": 1}], ids=str)
def test_other_cores_are_not_said_to_leak(changes: dict[str, int]) -> None:
    """Where other polynomials than the last one of the matrix tell how long it takes."""
    design = load_design("ml-kem-coprocessor", {f"lattice.{k}": v for k, v in changes.items()})
    core, p = open_core(prepare_kind(design, LatticeCore)), SETS[2]
    found = secret_patterns(core, p, 8, seed=1)
    assert not any(patterns.leaks for patterns in found.values())
    assert any(len(one) > 1 for one in lengths_by_last(found))


@pytest.mark.slow
@every_set
def test_handshakes_of_hundreds(coprocessor: Coprocessor, p: Parameters) -> None:
    for stall in (0.0, 0.3):
        found = secret_patterns(coprocessor, p, 300, seed=4, stall=stall)
        assert not any(patterns.leaks for patterns in found.values())


def test_measure_observes(coprocessor: Coprocessor) -> None:
    result = measure_standard(kem_measures(), coprocessor, runs=2)
    assert list(result.operations) == [f"{p.name} {o}" for p in SETS for o in CODES]
    for row in result.operations.values():
        assert row.floor_cycles == row.keccak_cycles < row.latency_cycles
        assert row.latency_cycles < row.cycles_per_operation
    assert "| ML-KEM-768 encaps |" in markdown(result.page())


class Spoilt:
    """A coprocessor whose runs are changed before anybody sees them."""

    def __init__(self, inner: Coprocessor, change: Callable[[str, Run, Any], None]) -> None:
        self._inner, self._change = inner, change

    def run(self, request: Request, **how: Any) -> Run:
        return self.run_all([request], **how)[0]

    def run_all(self, requests: Sequence[Request], **how: Any) -> list[Run]:
        runs = self._inner.run_all(requests, **how)
        for request, run in zip(requests, runs, strict=True):
            self._change(request.operation, run, b"".join(request.public))
        return runs

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def tampered_key(operation: str, run: Run, _: bytes) -> None:
    if operation == "keygen" and run.secret:
        run.secret = bytes([run.secret[0] ^ 1]) + run.secret[1:]


def takes_all(operation: str, run: Run, _: bytes) -> None:
    run.reason = "none"


def leaks(operation: str, run: Run, public: bytes) -> None:
    run.occupied += operation == "decaps" and sum(public) % 2


def hangs(operation: str, run: Run, _: bytes) -> None:
    raise FaultError("hang", "the coprocessor hangs")


@pytest.mark.parametrize(
    ("change", "symptom"),
    [(tampered_key, "what='keys'"), (takes_all, "refused"), (hangs, "hangs"), (leaks, "timing")],
)
def test_verify_can_fail(
    coprocessor: Coprocessor, change: Any, symptom: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nttforge.kinds.lattice.verify.golden_vectors", lambda _: [])
    spoilt: Any = Spoilt(coprocessor, change)
    result = verify_mlkem(spoilt, "dut", cases=4, sets=SETS[:1])
    assert not result.ok
    assert symptom in f"{result.mismatches} {result.violation}"


def test_a_wrong_vector_is_seen(coprocessor: Coprocessor) -> None:
    vector = golden_vectors(ML_KEM)[0]
    assert not wrong_answers(coprocessor, ML_KEM, vector)
    assert wrong_answers(coprocessor, ML_KEM, replace(vector, digests={"ek": "00"}))


def test_the_vectors_are_read_as_they_were_written() -> None:
    golden = golden_vectors(ML_KEM)
    assert [v.operation for v in golden].count("decaps") == 30
    assert len(vectors.pack(golden)) < 300_000
