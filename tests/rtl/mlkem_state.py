# SPDX-License-Identifier: Apache-2.0
"""What a coprocessor leaves behind: everything that its compiled model holds, and secrets in it."""

import random
from collections.abc import Callable
from functools import partial

from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024

from nttforge.kinds.lattice.mlkem.program import SETS
from nttforge.simulate.cycles import CycleModel
from nttforge.standards.ml_kem.parameters import Parameters
from tests.coprocessors import key_orders
from tests.rtl.kem_port import KemPort, kem_port

REFERENCE = dict(zip(SETS, (ML_KEM_512, ML_KEM_768, ML_KEM_1024), strict=True))
#: Around a compiled model: whatever ML-KEM is asked of.
Opened = Callable[[CycleModel], KemPort]
PIECE = 12  # bytes: a beat of coefficients in a memory


def pieces(*secrets: bytes) -> set[bytes]:
    return {s[at : at + PIECE] for s in secrets for at in range(0, len(s) - PIECE + 1, PIECE)}


def found(state: bytes, secrets: set[bytes]) -> list[bytes]:
    return [piece for piece in secrets if piece in state]


def left_behind(
    model: CycleModel, run: Callable[[KemPort], object], opened: Opened = kem_port
) -> bytes:
    """The state after a run from reset; a first run fills what is public and not wiped."""
    coprocessor = opened(model)
    for _ in range(2):
        model.reset()
        run(coprocessor)
    for _ in range(4):
        model.step()
    return model.state()


def differences(
    model: CycleModel, p: Parameters, seed: int, opened: Opened = kem_port
) -> dict[str, list[int]]:
    """Bytes of the state in which runs differ that differ in a secret alone; by the secret."""
    rng, reference = random.Random(seed), REFERENCE[p]
    d, m, other = (rng.randbytes(32) for _ in range(3))
    ek, dk = reference._keygen_internal(d, d)
    c = reference._encaps_internal(ek, m)[1]
    noise = rng.randbytes(len(c))
    large = ek[:-40] + bytes([255] * 8) + ek[-32:]
    runs: dict[str, list[Callable[[KemPort], object]]] = {
        "z": [partial(KemPort.keygen, p=p, d=d, z=z) for z in (d, other)],
        "m": [partial(KemPort.encaps, p=p, ek=ek, m=m) for m in (d, other)],
        "c": [partial(KemPort.decaps, p=p, dk=dk, c=c) for c in (c, noise)],
        "refused": [
            partial(KemPort.run, operation="encaps", p=p, public=large, secret=m)
            for m in (d, other)
        ],
    }
    for check, order in enumerate(key_orders(dk)):
        keys = [key_orders(dk[:-32] + z)[order] for z in (d, other)]
        runs[f"z and m of {order}"] = [
            partial(KemPort.run, operation=order, p=p, public=c, secret=key, check=bool(check))
            for key in keys
        ]
    runs["z of decaps_seed"] = [
        partial(KemPort.run, operation="decaps_seed", p=p, public=c, secret=d + z)
        for z in (d, other)
    ]
    runs["c of decaps_seed"] = [
        partial(KemPort.run, operation="decaps_seed", p=p, public=given, secret=d + d)
        for given in (c, noise)
    ]
    found: dict[str, list[int]] = {}
    for name, (first, second) in runs.items():
        one, two = (left_behind(model, run, opened) for run in (first, second))
        differ = [at for at, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]
        if differ:
            found[name] = differ
    return found


def traces(model: CycleModel, p: Parameters, seed: int, opened: Opened = kem_port) -> list[bytes]:
    """Pieces of seeds, vectors and shared secrets that are in the state behind an operation."""
    rng, reference = random.Random(seed), REFERENCE[p]
    d, z, m = (rng.randbytes(32) for _ in range(3))
    ek, dk = reference._keygen_internal(d, z)
    secret, c = reference._encaps_internal(ek, m)
    vector = dk[: 384 * p.k]
    coprocessor = opened(model)
    coprocessor.keygen(p, d, z)
    left = found(model.state(), pieces(d, z, vector))
    coprocessor.encaps(p, ek, m)
    left += found(model.state(), pieces(m, secret))
    for name, key in key_orders(dk).items():
        assert coprocessor.run(name, p, c, key).secret == secret
        left += found(model.state(), pieces(vector, z, m, secret))
    assert coprocessor.run("decaps_seed", p, c, d + z).secret == secret
    return left + found(model.state(), pieces(d, vector, z, m, secret))
