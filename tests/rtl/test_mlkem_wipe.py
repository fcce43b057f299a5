# SPDX-License-Identifier: Apache-2.0
"""Nothing secret stays in any register or memory of the simulated coprocessor.

Runs that differ in secrets alone must leave the same state behind, bit for bit; and no piece of a
secret may be found in it. Both look at everything that the compiled model holds. What memories are
overwritten with, is made of a word of the entropy port.
"""

import random
from contextlib import suppress
from pathlib import Path

import pytest

from nttforge.flow.prepare import prepare_kind
from nttforge.kinds.lattice.bus import open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mlkem.build import coprocessor_design
from nttforge.kinds.lattice.mlkem.program import CODES, SETS, KemOperation
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.ml_kem.parameters import Parameters
from tests.coprocessors import key_orders
from tests.formal.proof import library
from tests.rtl.kem_port import KemPort, kem_port
from tests.rtl.mlkem_bench import each_step
from tests.rtl.mlkem_state import REFERENCE, differences, found, left_behind, pieces, traces

every_set = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)


@pytest.fixture(scope="module")
def model() -> CycleModel:
    prepared = prepare_kind(coprocessor_design(), LatticeCore)
    return open_core(prepared)._model


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
    coprocessor = kem_port(model)

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

        with each_step(model, counted), suppress(ResetError):
            coprocessor.decaps(p, dk, c)

    def reset() -> None:
        model.reset()
        while not model.step()["idle_o"]:
            pass

    reset()
    for cycle in (150, 700, 1200):
        run_until(cycle)
        # The search can find something.
        assert found(model.state(), secrets)
        reset()
        assert not found(model.state(), secrets)
    assert coprocessor.decaps(p, dk, c) == secret


def test_registers_are_wiped_though_all_memories_were(model: CycleModel) -> None:
    """A slow sink: there is nothing left to overwrite, and idle comes no sooner than registers."""
    p, step, seen = SETS[0], model.step, list[dict[str, int]]()

    def noted(**inputs: int) -> dict[str, int]:
        seen.append(step(**inputs))
        return seen[-1]

    for seed in (2, 3):
        seen.clear()
        model.reset()
        with each_step(model, noted):
            kem_port(model).run("keygen", p, b"", bytes(64), stall=0.9, seed=seed)
        last = max(at for at, s in enumerate(seen) if s["m_sec_tvalid"] or s["m_pub_tvalid"])
        # Four cycles from the last word to the wiping, and five of that.
        assert next(at for at, s in enumerate(seen[last:]) if s["idle_o"]) == 9


#: Rows that are overwritten after an operation of ML-KEM-512, and by `zeroize_i`, and their bytes,
#: of the memories of keys, vectors, sums (two copies), noise, ciphertext (44 bits a bank), and its
#: words.
_ROWS = {False: (128, 128, 128, 40, 48, 128), True: (256, 128, 256, 72, 80, 256)}
_KEYGEN = (64, 64, 128, 40, 48, 128)
_ROW_BYTES = (12, 12, 24, 12, 24, 8)


@pytest.mark.parametrize("operation", CODES)
def test_memories_are_overwritten_with_entropy(model: CycleModel, operation: KemOperation) -> None:
    p, rng = SETS[0], random.Random(6)
    d, z, m, other = (rng.randbytes(32) for _ in range(4))
    ek, dk = REFERENCE[p]._keygen_internal(d, z)
    c = REFERENCE[p]._encaps_internal(ek, m)[1]
    public = {"keygen": b"", "encaps": ek}.get(operation, c)
    seeds = {"keygen": d + z, "encaps": m}.get(operation, b"")
    key = {**key_orders(dk), "decaps_seed": d + z}.get(operation, b"")

    def left(word: bytes, seeds: bytes = seeds, *, zeroize: bool = False) -> bytes:
        def run(coprocessor: KemPort) -> None:
            coprocessor.run(operation, p, public, key, entropy=seeds + word)
            model.step(zeroize_i=int(zeroize))
            for _ in range(600):
                model.step()
            assert model.step()["idle_o"]

        return left_behind(model, run)

    def differ(one: bytes, two: bytes) -> int:
        return sum(a != b for a, b in zip(one, two, strict=True))

    words = [rng.randbytes(8) for _ in range(2)]
    for zeroize in (False, True):
        rows = _KEYGEN if operation == "keygen" and not zeroize else _ROWS[zeroize]
        written = sum(map(int.__mul__, rows, _ROW_BYTES))
        states = [left(word, zeroize=zeroize) for word in words]
        # Two random bytes are alike in one of 256 cases; some registers hold such words, too.
        assert 0.99 * written < differ(*states) < written + 800
        # Without entropy it is zeros.
        assert 0.99 * written < differ(states[0], left(bytes(8), zeroize=zeroize))
    # And with it secrets leave no trace either.
    if seeds:
        assert left(words[0]) == left(words[0], seeds[:-32] + other)


def test_words_for_the_wiping(tmp_path: Path) -> None:
    """A shift register with feedback, 32 steps a cycle, to which words are added."""
    ports = Ports({"en_i": 1, "valid_i": 1, "data_i": 64}, {"word_o": 64})
    (source,) = library("mlkem/ntf_wipe_words.sv")
    words, rng, state = (
        CycleModel.build(tmp_path, [source], "ntf_wipe_words", ports),
        random.Random(8),
        0,
    )
    words.reset()
    for cycle in range(400):
        enabled, valid, data = (
            rng.random() < 0.7,
            cycle > 20 and rng.random() < 0.1,
            rng.getrandbits(64),
        )
        assert words.step(en_i=enabled, valid_i=valid, data_i=data)["word_o"] == state
        if enabled:
            for _ in range(32):
                state = state << 1
                state ^= (state >> 64) * (1 << 64 | 0b11011)
            state ^= data * valid
    assert state
