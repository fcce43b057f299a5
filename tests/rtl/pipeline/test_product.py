# SPDX-License-Identifier: Apache-2.0
"""Products of transforms with keys, and their sums, modulo what is loaded."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nttforge.kinds.stream.product import PRODUCT_REGISTERS
from nttforge.reduction.loaded import plan_loaded
from nttforge.rtl_library import library, needed
from tests.known_primes import drawn, largest, smallest
from tests.mutation.sites import CHOSEN, Mutant, spoiled
from tests.rtl.pipeline.product_bench import (
    MODULE,
    Bench,
    Shape,
    Transform,
    drawn_sums,
    drawn_transform,
)

#: Name -> bits, zeros, what else a plan has; places, beats, lanes, keys, beats of block RAM.
SHAPES: dict[str, tuple[int, int, dict[str, Any], tuple[int, ...]]] = {
    "least": (30, 4, {}, (1, 4, 1, 1)),
    "two keys": (54, 13, {}, (4, 8, 2, 2)),
    "an inverse": (64, 4, {"target": "ecp5", "adders_per_stage": 1}, (3, 16, 1, 1, 4)),
    "few registers": (40, 9, {"adders_per_stage": 4}, (2, 8, 1, 3)),
}
#: How often transforms, keys, commands and the sink are ready; how late the first three begin.
STALLS = {
    "none": ((1, 1, 1, 1), (0, 0, 0)),
    "all": ((0.7, 0.7, 0.7, 0.7), (0, 0, 0)),
    "a slow sink": ((1, 1, 1, 0.3), (0, 0, 0)),
    "slow keys": ((1, 0.2, 1, 1), (0, 0, 0)),
    "slow transforms": ((0.2, 1, 1, 1), (0, 0, 0)),
    "late keys": ((1, 1, 1, 1), (0, 300, 0)),
    "late commands": ((1, 1, 0.05, 1), (0, 0, 200)),
    "late transforms": ((1, 1, 1, 0.9), (300, 0, 0)),
}


def shape_of(name: str) -> Shape:
    bits, zeros, options, rest = SHAPES[name]
    plan = plan_loaded(bits, zeros, limit=1, every=rest[1], **options)
    return Shape(plan, *rest)


def moduli_of(shape: Shape, rng: random.Random) -> list[int]:
    """The largest, the smallest, and drawn ones."""
    taken = shape.plan.taken
    given = [largest(taken.bits, taken.zeros), smallest(taken.zeros)]
    while len(given) < shape.places:
        given.append(drawn(taken.bits, taken.zeros, rng))
    return given[: shape.places]


@pytest.fixture(scope="module", params=SHAPES)
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(shape_of(request.param), tmp_path_factory.mktemp("product"))


@pytest.mark.parametrize("stalls", STALLS)
def test_products_and_sums(stalls: str, bench: Bench) -> None:
    """Sums of any places behind each other; what is late or slow changes nothing but the time."""
    rng = random.Random(stalls)
    paces, late = STALLS[stalls]
    moduli = moduli_of(bench.shape, rng)
    transforms = drawn_sums(bench.shape, moduli, rng, 12)
    bench.play(moduli, transforms, seed=1, paces=paces, late=late)


def test_a_beat_every_clock(bench: Bench) -> None:
    """Without stalls results have no gap, whatever the place, and the latency is as derived."""
    rng = random.Random(2)
    moduli = moduli_of(bench.shape, rng)
    count = 6
    transforms = [
        drawn_transform(bench.shape, moduli, rng, rng.randrange(bench.shape.places))
        for _ in range(count)
    ]
    seen = bench.play(moduli, transforms)
    assert seen == list(range(seen[0], seen[0] + count * bench.shape.beats))
    assert seen[0] == bench.shape.plan.latency + PRODUCT_REGISTERS


def with_defect(one: Transform, what: str, moduli: list[int], rng: random.Random) -> Transform:
    """A transform that is wrong in a way that must be marked."""
    key = [[list(row) for row in beat] for beat in one.key]
    if what == "error":
        return replace(one, error=True)
    if what == "short":
        return replace(one, key=key[:-1]) if len(key) > 1 else replace(one, key=key * 2)
    if what == "long":
        return replace(one, key=[*key, *key[: rng.randint(1, len(key))]])
    row = rng.choice(rng.choice(key))
    row[rng.randrange(len(row))] = moduli[one.place]
    return replace(one, key=key)


DEFECTS = ("error", "short", "long", "word")


def marked_sums(shape: Shape, moduli: list[int], rng: random.Random) -> Iterator[Transform]:
    """Sums with one defect each, in any of their transforms, and good ones in between."""
    for what in DEFECTS * 3:
        group = drawn_sums(shape, moduli, rng, 1)
        at = rng.randrange(len(group))
        yield from (
            with_defect(one, what, moduli, rng) if number == at else one
            for number, one in enumerate(group)
        )
        yield from drawn_sums(shape, moduli, rng, 1)


@pytest.mark.parametrize("pace", [1, 0.6])
def test_what_is_wrong_is_marked(pace: float, bench: Bench) -> None:
    """With the error bit of its sum; those around it are right, and nothing hangs."""
    rng = random.Random(3)
    moduli = moduli_of(bench.shape, rng)
    transforms = list(marked_sums(bench.shape, moduli, rng))
    bench.play(moduli, transforms, seed=4, paces=(pace,) * 4)


#: Name -> pattern of an expression, what it becomes.
MUTANTS = {
    "a transform waits for no key": (r"(?<=c_valid_i && \()key_valid \|\| !wants_key", "1'b1"),
    "nor for a command": (r"s_valid && c_valid_i(?= && \(key)", "s_valid"),
    "a key for every beat": (r"first \|\| !c_data_i.constant", "1'b1"),
    "one for all": (r"first \|\| !c_data_i.constant", "first"),
    "a place for each beat": (r"first \? s_user\[PlaceW-1:0\] : place_q", "s_user[PlaceW-1:0]"),
    "a command for each beat": (r"en && go && final_beat", "en && go"),
    "a key goes without its transform": (r"asks && frame_ready", "frame_ready"),
    "any key's length": (r"\(wants_key \? key_error : constant_error_q\)", "1'b0"),
    "a constant's length": (r"wants_key \? key_error : constant_error_q", "key_error"),
    "an error of the transform": (r"(?<=assign error = )s_user\[PlaceW\]", "1'b0"),
    "words of keys": (r"wrong_p(?= \|\| error_q)", "1'b0"),
    "errors of the sum's others": (r"(?<=wrong_p \|\| )error_q", "1'b0"),
    "errors for ever": (r"error_now && !tag\[TagW-4\]", "error_now"),
    "errors of any beat": (r"valid_q\[Before\] && tag\[TagW-2\]", "valid_q[Before]"),
    "a sum does not begin": (r"tag\[TagW-3\] \? '0 : sum_before\[k\]\[l\]", "sum_before[k][l]"),
    "it never goes on": (r"tag\[TagW-3\] \? '0 : sum_before\[k\]\[l\]", "'0"),
    "parts of sums go out": (r"late_q\[2\] && out_tag\[TagW-4\]", "late_q[2]"),
    "written early": (r"(?<=we_i   \()late_q\[1\]", "late_q[0]"),
    "read late": (r"(?<=read_q \+ BeatW'\()valid_q\[Before-1\]", "valid_q[Before]"),
    "the modulus of the product": (r"(?<=factor_i\()mod_sum\[FW-1:0\]", "mod_p[FW-1:0]"),
    "the key of the first lane": (r"\(k\*Lanes\+l\)\*W", "(k*Lanes)*W"),
    "moving while stalled": (r"(?<=else if \()en(?=\) begin\n      read_q)", "1'b1"),
}


@pytest.fixture(scope="module")
def spoiled_bench(tmp_path_factory: pytest.TempPathFactory) -> tuple[Shape, list[Path], Path]:
    """The module with all defects, of which the environment chooses one."""
    folder = tmp_path_factory.mktemp("spoiled")
    data = library()[MODULE].read_text("ascii")
    found = {}
    for number, (good, bad) in enumerate(MUTANTS.values(), start=1):
        matches = list(re.finditer(good, data))
        assert len(matches) == 1, good
        found[number] = Mutant(MODULE, 0, "", *matches[0].span(), matches[0][0], bad)
    changed = folder / f"{MODULE}.sv"
    changed.write_text(spoiled(data.encode("ascii"), found), "ascii")
    sources = [library()[name] for name in needed(MODULE, library()) if name != MODULE]
    return shape_of("two keys"), [*sources, changed], folder


def check(bench: Bench) -> None:
    """All that is promised, in short."""
    rng = random.Random(5)
    moduli = moduli_of(bench.shape, rng)
    for seed, (paces, late) in enumerate(STALLS.values()):
        transforms = drawn_sums(bench.shape, moduli, rng, 5)
        bench.play(moduli, transforms, seed=seed, paces=paces, late=late)
    for pace in (1, 0.7):
        transforms = list(marked_sums(bench.shape, moduli, rng))
        bench.play(moduli, transforms, seed=7, paces=(pace,) * 4)


@pytest.mark.parametrize("name", [None, *MUTANTS])
def test_a_defect_is_seen(
    name: str | None,
    spoiled_bench: tuple[Shape, list[Path], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shape, sources, folder = spoiled_bench
    monkeypatch.setenv(CHOSEN, str(0 if name is None else [*MUTANTS].index(name) + 1))
    bench = Bench(shape, folder / "bench", sources)
    if name is None:
        check(bench)
        return
    with pytest.raises(AssertionError):
        check(bench)
