# SPDX-License-Identifier: Apache-2.0
"""Nothing secret stays in any register or memory of the simulated coprocessor.

Runs that differ in secrets alone must leave the same state behind, bit for bit; and no piece of a
secret may be found in it. Both look at everything that the compiled model holds.
"""

import random
from collections.abc import Callable

import pytest
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024

from nttforge.content import design_files
from nttforge.mlkem.program import SETS
from nttforge.mlkem.simulator import Coprocessor, build_model, rotate_key, write_coprocessor
from nttforge.simulate.cycles import CycleModel
from nttforge.standards.ml_kem.parameters import Parameters

REFERENCE = dict(zip(SETS, (ML_KEM_512, ML_KEM_768, ML_KEM_1024), strict=True))
every_set = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)
PIECE = 12  # bytes: a beat of coefficients in a memory


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CycleModel:
    design = write_coprocessor(tmp_path_factory.mktemp("design"))
    return build_model(design_files(design.path), design.top)


def left_behind(model: CycleModel, run: Callable[[Coprocessor], object]) -> bytes:
    """The state after a run from reset; a first run fills what is public and not wiped."""
    coprocessor = Coprocessor.of(model)
    for _ in range(2):
        model.reset()
        run(coprocessor)
    for _ in range(4):
        model.step()
    return model.state()


def pieces(*secrets: bytes) -> set[bytes]:
    return {s[at : at + PIECE] for s in secrets for at in range(0, len(s) - PIECE + 1, PIECE)}


def found(state: bytes, secrets: set[bytes]) -> list[bytes]:
    return [piece for piece in secrets if piece in state]


@every_set
def test_secrets_leave_no_trace(model: CycleModel, p: Parameters) -> None:
    rng, reference = random.Random(p.k), REFERENCE[p]
    d, m = rng.randbytes(32), rng.randbytes(32)
    ek, dk = reference._keygen_internal(d, d)
    c = reference._encaps_internal(ek, m)[1]
    for _ in range(2):
        other, noise = rng.randbytes(32), rng.randbytes(len(c))
        runs = {
            "z": [lambda k, z=z: k.keygen(p, d, z) for z in (d, other)],
            "m": [lambda k, m=m: k.encaps(p, ek, m) for m in (d, other)],
            "c": [lambda k, c=c: k.decaps(p, dk, c) for c in (c, noise)],
            "refused": [
                lambda k, m=m: k.run("encaps", p, ek[:-40] + bytes([255] * 8) + ek[-32:], m)
                for m in (d, other)
            ],
            "z and m of a key that is not checked": [
                lambda k, z=z, c=c: k.run("decaps", p, c, rotate_key(dk[:-32] + z))
                for z in (d, other)
            ],
        }
        for name, (first, second) in runs.items():
            one, two = left_behind(model, first), left_behind(model, second)
            differ = [at for at, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]
            assert not differ, (name, differ)


@every_set
def test_no_piece_of_a_secret_is_left(model: CycleModel, p: Parameters) -> None:
    rng, reference = random.Random(p.k), REFERENCE[p]
    d, z, m = (rng.randbytes(32) for _ in range(3))
    ek, dk = reference._keygen_internal(d, z)
    secret, c = reference._encaps_internal(ek, m)
    vector = dk[: 384 * p.k]
    coprocessor = Coprocessor.of(model)
    coprocessor.keygen(p, d, z)
    assert not found(model.state(), pieces(d, z, vector))
    coprocessor.encaps(p, ek, m)
    assert not found(model.state(), pieces(m, secret))
    assert coprocessor.decaps(p, dk, c) == secret
    assert not found(model.state(), pieces(vector, z, m, secret))


def test_reset_wipes(model: CycleModel) -> None:
    p, rng = SETS[1], random.Random(5)
    d, z, m = (rng.randbytes(32) for _ in range(3))
    ek, dk = REFERENCE[p]._keygen_internal(d, z)
    secret, c = REFERENCE[p]._encaps_internal(ek, m)
    secrets = pieces(dk[: 384 * p.k], z, m, secret)
    coprocessor = Coprocessor.of(model)

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

        model.step = counted  # type: ignore[method-assign]
        try:
            coprocessor.decaps(p, dk, c)
        except ResetError:
            pass
        finally:
            model.step = step  # type: ignore[method-assign]

    for cycle in (150, 700, 1200):
        run_until(cycle)
        # The search can find something.
        assert found(model.state(), secrets)
        model.reset()
        while not model.step()["idle_o"]:
            pass
        assert not found(model.state(), secrets)
    assert coprocessor.decaps(p, dk, c) == secret
