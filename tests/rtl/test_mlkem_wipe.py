# SPDX-License-Identifier: Apache-2.0
"""Nothing secret stays in any register or memory of the simulated coprocessor.

Runs that differ in secrets alone must leave the same state behind, bit for bit; and no piece of a
secret may be found in it. Both look at everything that the compiled model holds.
"""

import random
from contextlib import suppress
from unittest.mock import patch

import pytest

from nttforge.content import design_files
from nttforge.families.mlkem.build import coprocessor_design
from nttforge.families.mlkem.program import SETS
from nttforge.flow.prepare import prepare_mlkem
from nttforge.simulate.cycles import CycleModel
from nttforge.simulate.mlkem import Coprocessor, build_model
from nttforge.standards.ml_kem.parameters import Parameters
from tests.rtl.mlkem_state import REFERENCE, differences, found, pieces, traces

every_set = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)


@pytest.fixture(scope="module")
def model() -> CycleModel:
    prepared = prepare_mlkem(coprocessor_design())
    return build_model(design_files(prepared.folder), prepared.core.name)


@every_set
def test_secrets_leave_no_trace(model: CycleModel, p: Parameters) -> None:
    for seed in (p.k, p.k + 8):
        assert not differences(model, p, seed)


@every_set
def test_no_piece_of_a_secret_is_left(model: CycleModel, p: Parameters) -> None:
    assert not traces(model, p, p.k)


def test_reset_wipes(model: CycleModel) -> None:
    p, rng = SETS[1], random.Random(5)
    d, z, m = (rng.randbytes(32) for _ in range(3))
    ek, dk = REFERENCE[p]._keygen_internal(d, z)
    secret, c = REFERENCE[p]._encaps_internal(ek, m)
    secrets = pieces(dk[: 384 * p.k], z, m, secret)
    coprocessor = Coprocessor(model)

    class ResetError(Exception):
        pass

    def run_until(cycle: int) -> None:
        """Reset in the middle of an operation."""
        step, count = model.step, 0

        def counted(**inputs: int) -> dict[str, int]:
            nonlocal count
            count += 1
            if count == cycle:
                raise ResetError
            return step(**inputs)

        with patch.object(model, "step", counted), suppress(ResetError):
            coprocessor.decaps(p, dk, c)

    for cycle in (150, 700, 1200):
        run_until(cycle)
        # The search can find something.
        assert found(model.state(), secrets)
        model.reset()
        while not model.step()["idle_o"]:
            pass
        assert not found(model.state(), secrets)
    assert coprocessor.decaps(p, dk, c) == secret
