# SPDX-License-Identifier: Apache-2.0
from pathlib import Path
from random import Random

import pytest

from nttforge.simulate.cycles import CycleModel
from tests.rtl.decomposed.unit_bench import (
    FIELD,
    GOLDILOCKS,
    JOB_BITS,
    LOG,
    RTL,
    Field,
    job,
    unit,
    words,
)

V, KEY = 4, 5
A0, A1 = 0, 1
FIELDS = [Field(GOLDILOCKS, 12, shift=7), Field(12289, 12), Field(7681, 9, adders=1)]
Written = dict[tuple[int, int, int, int], int]


JOBS = {"job_valid_i": 1, "job_i": JOB_BITS}
WRITES = {
    "job_ready_o": 1,
    "done_o": 1,
    "write_valid_o": 1,
    "write_table_o": 2,
    "write_set_o": 1,
    "write_m_o": 6,
    "write_x_o": V,
    "write_key_o": KEY,
}


def generator(where: Path, field: Field, rtl: Path = RTL, g: int = 0) -> CycleModel:
    return unit(
        where,
        "ntf_twiddle_generator",
        JOBS,
        WRITES | {"write_words_o": field.width + 1 << g},
        needs=("decomposed/ntf_twiddle_sequencer.sv",),
        field=field,
        rtl=rtl,
        LogKernel=V,
        KeyW=KEY,
        LogRow=g,
        NumSeeds=field.orders,
        SeedRows=5 if field.shift else 3,
        Padded="1'b1",
        Seeds="{" + field.seeds + "}",
    )


def sequencer(where: Path, latency: int) -> CycleModel:
    """What the engine that only counts cycles has in the generator's place."""
    outputs = WRITES | {"step_o": 11 + 2 * (LOG + FIELD), "landed_o": 1}
    return unit(
        where,
        "ntf_twiddle_sequencer",
        JOBS,
        outputs,
        LogKernel=V,
        KeyW=KEY,
        MulLatency=latency,
    )


class Bench:
    def __init__(self, model: CycleModel, field: Field, g: int = 0) -> None:
        self.model, self.field, self.g = model, field, g
        self.state: dict[int, tuple[list[int], list[int]]] = {}  # F and V of each table

    def run(self, which: int, set_: int, **keys: int) -> int:
        """Give a job, wait until it is done, and compare; returns its cycles."""
        expected = self.expected(which, set_, **keys)
        given, done, cycles = False, False, 0
        found: Written = {}
        vector = job(which, set_, **keys)
        while not done:
            seen = self.model.step(job_valid_i=not given, job_i=0 if given else vector)
            given = given or bool(seen["job_ready_o"])
            done = bool(seen["done_o"])
            if seen["write_valid_o"]:
                assert not done
                assert seen["write_m_o"] == keys["m"]
                at = seen["write_table_o"], seen["write_set_o"], seen["write_key_o"]
                row = words(seen["write_words_o"], self.field.width + 1, 1 << self.g)
                if which == A0:
                    assert len(set(row)) == 1
                    row = row[:1]
                for x, word in enumerate(row, seen["write_x_o"]):
                    assert (*at, x) not in found
                    found[*at, x] = self.field.decode(word)
            cycles += 1
            assert cycles < 2000
        assert found == expected
        return cycles

    def expected(
        self,
        which: int,
        set_: int,
        *,
        restart: int,
        m: int,
        k: int,
        inverse: int = 0,
        scaled: int = 0,
        coset: int = 0,
        log_n: int = 0,
        pad: int = 0,
        start: int = 0,
        first: int = 0,
        ratio: int = 0,
    ) -> Written:
        q, root = self.field.q, self.field.root
        if restart:
            f0 = pow(2, log_n, q) if scaled else 1
            power, back = self.field.power if coset else root, bool(inverse)
            f1, v0 = (power(e, back) if e else 1 for e in (start, first))
            v1 = root(ratio, back)
            vector = [v0 * pow(v1, x, q) % q for x in range(1 << m)]
            kept = 1 << m - pad
            powers = [f0 * pow(f1, x, q) % q for x in range(kept)]
            self.state[which] = powers + [0] * ((1 << m) - kept), vector
        f, v = self.state[which]
        result: dict[tuple[int, int, int, int], int] = {}
        for key in range(1 << k):
            result |= {(which, set_, key, x): word for x, word in enumerate(f)}
            f = [a * b % q for a, b in zip(f, v, strict=True)]
        self.state[which] = f, v
        return result


def random_jobs(model: CycleModel, field: Field, count: int, g: int = 0) -> None:
    """Jobs of all tables in any order, each going on where its table's job before has ended."""
    bench, rng = Bench(model, field, g), Random(field.q)
    started: dict[int, dict[str, int]] = {}
    for number in range(count):
        which = rng.randrange(4)
        # A0 has one K.
        k = 0 if which == A0 else rng.randint(0, KEY)
        restart = which in (A0, *set(range(4)) - set(started)) or rng.random() < 0.4
        if restart:
            started[which] = {
                "m": rng.randint(max(1, g), V),
                "inverse": rng.randrange(2),
                "scaled": rng.randrange(2),
                "coset": int(bool(field.shift) and rng.random() < 0.5),
                **{n: rng.randrange(field.orders) for n in ("log_n", "start", "first", "ratio")},
            }
            job = started[which]
            job["pad"] = rng.choice((0, 0, rng.randint(1, job["m"])))
            if job["coset"] and 0 < job["start"] < job["m"]:
                job["start"] = job["m"]  # it is squared for each bit of x
        bench.run(which, number & 1, restart=int(restart), k=k, **started[which])


@pytest.mark.parametrize(
    ("field", "g"),
    [(FIELDS[0], 2), (FIELDS[1], 0), (FIELDS[1], 1), (FIELDS[2], 0), (FIELDS[2], 3)],
    ids=str,
)
def test_generator_makes_every_word(field: Field, g: int, tmp_path: Path) -> None:
    random_jobs(generator(tmp_path, field, g=g), field, 120, g)


@pytest.mark.parametrize("g", [0, 1])
def test_generator_makes_a_row_a_cycle(g: int, tmp_path: Path) -> None:
    field = FIELDS[1]
    bench = Bench(generator(tmp_path, field, g=g), field, g)
    assert field.plan.latency + 2 < 16 >> g
    bench.run(1, 0, restart=1, m=V, k=0, ratio=9)
    cycles = bench.run(1, 1, restart=0, m=V, k=KEY)
    assert cycles <= (16 * 32 >> g) + 4


def test_generator_without_data_keeps_its_cycles(tmp_path: Path) -> None:
    field = FIELDS[1]
    whole, alone = tmp_path / "whole", tmp_path / "alone"
    models = (generator(whole, field), sequencer(alone, field.plan.latency))
    rng = Random(4)
    given = [
        job(A1, 0, restart=rng.randrange(2), m=rng.randint(1, V), k=rng.randint(0, 3), ratio=7)
        for _ in range(500)
    ]
    given[0] |= 1 << JOB_BITS - 4
    runs = [m.run([{"job_valid_i": 1, "job_i": g} for g in given * 4]) for m in models]
    assert sum(seen["done_o"] for seen in runs[0]) > 10
    for with_data, without in zip(*runs, strict=True):
        assert all(with_data[name] == without[name] for name in WRITES)
