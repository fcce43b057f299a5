# SPDX-License-Identifier: Apache-2.0
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from nttforge.kinds.decomposed.rounds import Field as Digit
from nttforge.kinds.decomposed.rounds import Round, rounds
from nttforge.kinds.decomposed.shape import Shape
from nttforge.kinds.decomposed.walks import reverse
from nttforge.simulate.cycles import CycleModel
from tests.rtl.decomposed.unit_bench import BEAT_BITS, LOG, RTL, Field, beats, joined, unit
from tests.rtl.decomposed.unit_bench import words as split
from tests.unit.families.decomposed.generator import Table, jobs
from tests.unit.families.decomposed.pass_orders import kernel_pass

BITS = 10
ONE = 0x155
GOLDILOCKS = 2**64 - 2**32 + 1
LOOKUP_LATENCY = 3


def tables(where: Path, shape: Shape, rtl: Path = RTL, g: int = 0) -> CycleModel:
    data = BITS << shape.t
    return unit(
        where,
        "ntf_twiddle_tables",
        {
            "write_valid_i": 1,
            "write_table_i": 2,
            "write_set_i": 1,
            "write_m_i": LOG,
            "write_x_i": shape.v,
            "write_key_i": max(shape.p, shape.v),
            "write_words_i": BITS << g,
            "beat_i": BEAT_BITS,
            "pass_i": 2,
            "sets_i": 4,
        },
        {"a_o": data, "b_o": data},
        rtl=rtl,
        LogKernel=shape.v,
        LogBeat=shape.t,
        LogBurst=shape.p,
        LogRow=g,
        W=BITS,
        One=ONE,
    )


Words = dict[tuple[Table, int, int, int], int]


def fill(model: CycleModel, at: Round, rng: Random, g: int = 0) -> Words:
    """Both sets of all tables that a round has, in any order."""
    sizes = {
        table: (one.m, one.k) for table, one in jobs(at, inverse=False, negacyclic=False).items()
    }
    keys = [
        (table, set_, key, x)
        for table, (m, k) in sizes.items()
        for set_ in range(2)
        for key in range(1 << k)
        for x in range(1 << m)
    ]
    rng.shuffle(keys)
    made = {key: rng.getrandbits(BITS) for key in keys}
    cycles = []
    for table, set_, key, x in keys:
        if table is Table.A0:
            row = [made[table, set_, key, x]] * (1 << g)
        elif x % (1 << g):
            continue
        else:
            row = [made[table, set_, key, x + i] for i in range(1 << g)]
        cycles.append(
            {
                "write_valid_i": 1,
                "write_table_i": table,
                "write_set_i": set_,
                "write_m_i": sizes[table][0],
                "write_key_i": key,
                "write_x_i": x,
                "write_words_i": joined(row, BITS),
            }
        )
    model.run(cycles)
    return made


def reversed_bits(value: int, bits: int) -> int:
    return int(reverse(np.array(value), bits))


def expected(
    made: Words, at: Round, digit: Digit, word: tuple[int, int, int], sets: int
) -> tuple[int, int]:
    p, c, r = word

    def of(table: Table, key: int, x: int) -> int:
        return made[table, sets >> table & 1, key, x]

    key = p if at.keyed else 0
    low = (1 << at.split) - 1
    if digit is Digit.P:
        return of(Table.A0, 0, reversed_bits(p, at.mp)), ONE
    if digit is Digit.C:
        return of(Table.A1, key, c), ONE
    second = of(Table.B, reversed_bits(c, at.mc) if at.mc else key >> at.split, r)
    return of(Table.A2, key & low, r), second


def check_round(model: CycleModel, shape: Shape, at: Round, rng: Random, g: int = 0) -> None:
    """Fill all tables of a round, and look up random beats of its passes."""
    made = fill(model, at, rng, g)
    cycles, results = [], []
    for digit in at.passes:
        walk = kernel_pass(shape, at, digit).read
        places = beats(walk, rng.randrange(1 << at.slots), shape)
        for beat in rng.sample(range(len(places)), min(200, len(places))):
            sets = rng.getrandbits(4)
            cycles.append({"beat_i": places[beat], "pass_i": int(digit), "sets_i": sets})
            p, c, r = (field[beat].tolist() for field in walk.fields)
            row = [expected(made, at, digit, word, sets) for word in zip(p, c, r, strict=True)]
            results.append(tuple(map(list, zip(*row, strict=True))))
    seen = model.run([*cycles, *[{}] * LOOKUP_LATENCY])[LOOKUP_LATENCY:]
    for outputs, (a, b) in zip(seen, results, strict=True):
        assert split(outputs["a_o"], BITS, 1 << shape.t) == a
        assert split(outputs["b_o"], BITS, 1 << shape.t) == b


@pytest.mark.parametrize(
    ("shape", "sizes", "g"),
    [
        (Shape(4, 2, 2), (6, 8, 11, 12, 13), 0),
        (Shape(4, 2, 2), (6, 8, 11), 1),
        (Shape(5, 3, 1), (9, 15), 2),
        (Shape(5, 2, 2), (10, 15), 0),
    ],
    ids=str,
)
def test_every_lane_finds_its_factors(
    shape: Shape, sizes: tuple[int, ...], g: int, tmp_path: Path
) -> None:
    model, rng = tables(tmp_path, shape, g=g), Random(shape.t)
    for size in sizes:
        for at in rounds(shape, size):
            check_round(model, shape, at, rng, g)


def multiplier(where: Path, field: Field, count: int, **more: Any) -> CycleModel:
    width = field.width
    return unit(
        where,
        "ntf_twiddle_multiplier",
        {"a_i": count * (width + 1), "b_i": count * (width + 1), "data_i": count * width},
        {"data_o": count * (width + 1)},
        common=("clk_i",),
        field=field,
        Words=count,
        **more,
    )


# Of a zero the reduction of the last makes -q.
@pytest.mark.parametrize("q", [GOLDILOCKS, 12289, 166674433])
def test_factors_of_nothing_make_zeros_of_whatever_is_there(q: int, tmp_path: Path) -> None:
    """As 0 and as -q, of words that are no residues, too."""
    field = Field(q, 2)
    width, latency = field.width, field.plan.latency
    padded = {"Padded": "1'b1", "Modulus": f"{width}'d{q}"}
    model, rng = multiplier(tmp_path, field, 1, **padded), Random(q)
    rows = [(rng.choice([0, -q]), rng.randrange(-q, q), rng.getrandbits(width)) for _ in range(99)]
    rows += [(a, b, (1 << width) - 1) for a in (0, -q) for b in (-q, 0, 1, q - 1)]
    cycles: list[dict[str, int]] = [{} for _ in range(len(rows) + 2 * latency)]
    for t, (a, b, data) in enumerate(rows):
        cycles[t] |= {"a_i": a % (2 << width), "b_i": b % (2 << width)}
        cycles[t + latency]["data_i"] = data
    zeros = (0, -q % (2 << width))
    assert all(seen["data_o"] in zeros for seen in model.run(cycles)[2 * latency :])


@pytest.mark.parametrize("q", [GOLDILOCKS, 12289, 7681])
def test_multiplier_multiplies_twice(q: int, tmp_path: Path) -> None:
    field = Field(q, 2)
    width, latency, count = field.width, field.plan.latency, 2
    model = multiplier(tmp_path, field, count)
    rng, inverse = Random(q), pow(field.plan.encode(1), -1, q)
    edges = [-q, -q + 1, -1, 0, 1, q - 2, q - 1]
    rows = []
    for _ in range(600):
        row = [
            (
                *(rng.choice(edges) if rng.random() < 0.3 else rng.randrange(-q, q) for _ in "ab"),
                rng.choice([0, 1, q - 1]) if rng.random() < 0.2 else rng.randrange(q),
            )
            for _ in range(count)
        ]
        rows.append(row)
    cycles: list[dict[str, int]] = [{} for _ in range(len(rows) + 2 * latency)]
    for t, row in enumerate(rows):
        a, b, data = zip(*row, strict=True)
        cycles[t] |= {"a_i": joined(a, width + 1), "b_i": joined(b, width + 1)}
        cycles[t + latency]["data_i"] = joined(data, width)
    seen = model.run(cycles)[2 * latency :]
    for row, outputs in zip(rows, seen, strict=True):
        words = split(outputs["data_o"], width + 1, count)
        for (x, y, z), word in zip(row, words, strict=True):
            lazy = word - (2 << width) * (word >> width)
            assert -q <= lazy < q
            assert (lazy - x * y * inverse * z * inverse) % q == 0
