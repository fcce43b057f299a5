# SPDX-License-Identifier: Apache-2.0
"""ML-KEM cores of fewer bytes a cycle: answers, cycles, and what they leave behind."""

import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from docs.tools.sized_machine import Plan, Size
from nttforge.design import load_design
from nttforge.designs import KEM_MIDDLE, KEM_SMALL
from nttforge.flow.prepare import prepare_kind
from nttforge.kinds.lattice.bus import Coprocessor, open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.measure import measure_standard
from nttforge.kinds.lattice.mlkem.measure import KemMeasures
from nttforge.kinds.lattice.mlkem.program import (
    CODES,
    MATRIX_BLOCKS,
    OPERATIONS,
    SETS,
    program_of,
)
from nttforge.kinds.lattice.mlkem.small import permutations_of, tables
from nttforge.kinds.lattice.mlkem.standard import STANDARD
from nttforge.kinds.lattice.mlkem.verify import verify_mlkem
from nttforge.simulate.cycles import CycleModel
from nttforge.standards.ml_kem.parameters import Parameters
from tests.rtl.kem_port import KemPort, kem_port
from tests.rtl.mlkem_bench import each_step
from tests.rtl.mlkem_state import REFERENCE, differences, found, pieces, traces

every_set = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)
#: Cycles of published cores of these sizes, of ML-KEM-512.
PEERS = {
    KEM_SMALL: {"keygen": 3768, "encaps": 5079, "decaps": 6668},
    KEM_MIDDLE: {"keygen": 1882, "encaps": 2446, "decaps": 3754},
}
SIZES = {KEM_SMALL: Size(2, 2), KEM_MIDDLE: Size(4, 4, packed=2)}
#: More cycles than planned, of a hundred: KeyGen of the larger sets waits for ports and places.
LATE, LATE_KEYGEN = 6, 14


@pytest.fixture(scope="module", params=PEERS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def core(name: str) -> LatticeCore:
    return prepare_kind(load_design(name), LatticeCore).core


@pytest.fixture(scope="module")
def coprocessor(name: str) -> Coprocessor:
    return open_core(prepare_kind(load_design(name), LatticeCore))


@pytest.fixture(scope="module")
def model(coprocessor: Coprocessor) -> CycleModel:
    return coprocessor._model


def test_vectors_and_random_cases(coprocessor: Coprocessor) -> None:
    result = verify_mlkem(coprocessor, "dut", cases=8, seed=3)
    assert result.ok, (result.mismatches, result.violation)
    assert result.vectors == 180


@pytest.mark.slow
def test_a_thousand_cases_a_set(coprocessor: Coprocessor) -> None:
    result = verify_mlkem(coprocessor, "dut", cases=1000, seed=4)
    assert result.ok, (result.mismatches, result.violation)


def test_cycles(name: str, coprocessor: Coprocessor, core: LatticeCore) -> None:
    """Below the peer's, as planned; and Keccak works for its permutations, and two passes."""
    seen = measure_standard(KemMeasures(STANDARD, core), coprocessor, runs=0).operations
    for operation, most in PEERS[name].items():
        assert seen[f"ML-KEM-512 {operation}"].latency_cycles <= most
    for p in SETS:
        for operation in CODES:
            cycles = seen[f"{p.name} {operation}"]
            assert 0 <= cycles.keccak_cycles - cycles.floor_cycles <= 8
        for operation in OPERATIONS:
            planned = Plan(SIZES[name], operation, p).cycles
            late = LATE_KEYGEN if operation == "keygen" and p.k > 2 else LATE
            taken = seen[f"{p.name} {operation}"].latency_cycles
            assert planned <= taken <= planned * (100 + late) // 100


@every_set
def test_lists_have_all_messages(p: Parameters) -> None:
    """As many permutations as the fast core has, which keeps a matrix for a second use."""
    for operation in CODES:
        more = MATRIX_BLOCKS * p.k**2 if operation == "decaps_seed" else 0
        assert permutations_of(operation, p) == program_of(operation, p).permutations + more


def test_an_operation_begins_with_its_first_job() -> None:
    table = tables()["sponge"]
    firsts = [table.jobs[base][1].rpartition(": ")[2] for base in table.bases]
    key, found = "G(d, k)", "H(ek), of a standard key on demand"
    assert firsts == [*3 * [key], *3 * ["H(ek)"], *6 * [found], *3 * [key]]


@every_set
def test_secrets_leave_no_trace(model: CycleModel, p: Parameters) -> None:
    assert not differences(model, p, p.k)


@every_set
def test_no_piece_of_a_secret_is_left(model: CycleModel, p: Parameters) -> None:
    assert not traces(model, p, p.k)


class StoppedError(Exception):
    """The host stops in the middle of an operation."""


@contextmanager
def stopped(model: CycleModel, cycle: int) -> Iterator[None]:
    """In so many cycles."""
    step, count = model.step, 0

    def counted(**inputs: int) -> dict[str, int]:
        nonlocal count
        count += 1
        if count == cycle:
            raise StoppedError
        return step(**inputs)

    with each_step(model, counted), suppress(StoppedError):
        yield


@pytest.mark.parametrize("how", ["reset", "zeroize"])
def test_an_operation_that_is_ended_is_wiped(name: str, model: CycleModel, how: str) -> None:
    p, rng = SETS[1], random.Random(5)
    d, z, m = (rng.randbytes(32) for _ in range(3))
    ek, dk = REFERENCE[p]._keygen_internal(d, z)
    secret, c = REFERENCE[p]._encaps_internal(ek, m)
    secrets = pieces(dk[: 384 * p.k], z, m, secret)
    coprocessor: KemPort = kem_port(model)
    # A model that comes from its reset wipes first: cycles are counted from an idle one.
    assert coprocessor.decaps(p, dk, c) == secret
    # While something is known, and nothing has been wiped.
    for cycle in (900, 3000, 6500) if name == KEM_SMALL else (450, 1500, 3400):
        with stopped(model, cycle):
            coprocessor.decaps(p, dk, c)
        # The search can find something.
        assert found(model.state(), secrets)
        if how == "reset":
            model.reset()
        else:
            for high in (1, 0, 0, 0, 1):
                model.step(zeroize_i=high)
        for _ in range(1400):
            seen = model.step()
        assert seen["idle_o"] or how == "zeroize"
        assert not found(model.state(), secrets)
        model.reset()
    assert coprocessor.decaps(p, dk, c) == secret
