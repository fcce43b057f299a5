# SPDX-License-Identifier: Apache-2.0
"""`ring` finds primes that fit, refuses those that do not, and shows what transforms use."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from nttforge.design import parse_design
from nttforge.errors import NttforgeError
from nttforge.flow.rings import Wanted, primes, rings
from nttforge.ring.ring import Ring
from tests.unit.cli.cli_calls import call
from tests.unit.ring.random_rings import rings as drawn


def test_primes_that_are_found_make_a_design() -> None:
    """The issue's: 24 moduli of 54 bits for 65,536 coefficients."""
    found = primes(Wanted(65536), 54, 24)
    assert len(found.primes) == 24 and found.order == 1 << 17
    for facts in found.primes:
        q = int(facts.q)
        assert q.bit_length() == 54 and q % found.order == 1 and facts.hex == hex(q)
        assert pow(int(facts.root), 1 << 16, q) == q - 1
    design = parse_design({"name": "many", **tomllib.loads(found.toml)}, "x")
    for number, facts in enumerate(found.primes):
        assert str(design.ring(number).root) == facts.root


def test_primes_of_other_rings() -> None:
    found = primes(Wanted(256, negacyclic=False, layers=6), 256, 2)
    table = tomllib.loads(found.toml)["rings"][0]
    assert table == {"n": 256, "q": found.primes[0].q, "form": "x^n-1", "layers": 6}
    assert found.order == 64 and found.layers == 6


@pytest.mark.parametrize(
    ("wanted", "bits", "count", "complaint"),
    [
        (Wanted(100), 54, 1, "n: 100 is not a power of two"),
        (Wanted(1 << 33), 54, 1, "n: .* from 4 to"),
        (Wanted(16, layers=5), 54, 1, "layers: 5 is not from 1 to 4"),
        (Wanted(16), 257, 1, "bits: 257 is not from 2 to 256"),
        (Wanted(16), 54, 0, "count: 0 is not from 1 to 1000"),
        (Wanted(16), 7, 2, "bits: 1 primes of 7 bits are 1 mod 32, and 2 were wanted"),
    ],
)
def test_primes_that_there_are_not(wanted: Wanted, bits: int, count: int, complaint: str) -> None:
    with pytest.raises(NttforgeError, match=complaint):
        primes(wanted, bits, count)


def call_json(capsys: Any, *words: object) -> tuple[object, Any]:
    code, out, _ = call(capsys, *words, "--json")
    return code, json.loads(out)


@given(drawn())
def test_what_is_shown_is_what_the_ring_has(ring: Ring) -> None:
    (facts,) = rings({"x": ring}, twiddles=True).rings
    assert [[*map(int, stage.forward)] for stage in facts.twiddles] == [*map(list, ring.twiddles)]
    inverse = [[*map(int, stage.inverse)] for stage in facts.twiddles]
    assert inverse == [*map(list, ring.inverse_twiddles)]
    for root in facts.roots:
        value = int(root.root)
        assert pow(value, root.order // 2, ring.q) == ring.q - 1
    assert int(facts.roots[-1].root) == ring.root and facts.order == ring.root_order
    assert int(facts.scale) * 2**ring.layers % ring.q == 1
    assert int(facts.inverse_root) * ring.root % ring.q == 1
    assert (ring.q - 1) % (1 << facts.two_adicity) == 0
    assert (ring.q - 1) >> facts.two_adicity & 1
    first = rings({"x": ring}).rings[0].twiddles
    assert [stage.forward for stage in first] == [s.forward[:4] for s in facts.twiddles]


@pytest.mark.parametrize(
    ("words", "q", "hint"),
    [
        (["--n", "256"], "3329", "use 7681, the nearest prime that is 1 mod 512, or layers = 7"),
        (["--n", "256"], "0xd00", "not an odd prime; use 7681, the nearest"),
        (["--n", "256", "--layers", "7"], "3328", "use 3329, the nearest prime that is 1 mod 256"),
        (["--n", "1024", "--form", "x^n-1"], "3329", "nearest prime that is 1 mod 1024, or layers"),
        (["--n", "16"], "-7", "use 97, the nearest prime"),
        (["--n", "16"], str(1 << 256), "largest modulus 256; use 1157920892373161954235"),
    ],
)
def test_a_modulus_that_does_not_fit_names_one_that_does(
    words: list[str], q: str, hint: str, capsys: Any
) -> None:
    code, _, err = call(capsys, "ring", *words, "--q", q)
    assert (code, hint in err, err.startswith("error: --q: ")) == (1, True, True), err
    assert len(err.splitlines()) == 1
    nearest = hint.removeprefix("use ").partition(",")[0]
    if nearest.isdecimal():
        assert call(capsys, "ring", *words, "--q", nearest)[0] == 0


def test_engines_of_many_sizes_name_l_max() -> None:
    keys = {
        "name": "x",
        "family": "decomposed",
        "rings": [{"q": 7681}],
        "decomposed": {"l_max": 12},
    }
    with pytest.raises(NttforgeError, match=r"nearest prime that is 1 mod 4096, or l_max = 9"):
        parse_design(keys, "x")
    keys["rings"] = [{"q": 11}]
    with pytest.raises(NttforgeError, match=r"nearest prime that is 1 mod 4096$"):
        parse_design(keys, "x")


def test_the_command(capsys: Any, tmp_path: Path) -> None:
    _, found = call_json(capsys, "ring", "--n", 256, "--bits", 30, "--count", 2)
    design = tmp_path / "two.toml"
    design.write_text(f'name = "two"\n{found["toml"]}\n')
    ended, shown = call_json(capsys, "ring", design, "--set", "rings.0.root=minimal")
    assert (ended, [ring["q"] for ring in shown["rings"]]) == (0, [p["q"] for p in found["primes"]])
    assert shown["rings"][0]["root"] == found["primes"][0]["root"]
    assert shown["provenance"]["design_hash"]
    code, out, _ = call(capsys, "ring", "--n", 16, "--q", 97, "--root", "minimal")
    assert code == 0 and "Z_97[x]/(x^16 + 1)" in out and "smallest root of its order" in out
    code, out, _ = call(capsys, "ring", "sam-256-bls12-381")
    assert code == 0 and "BLS12-381 Fr" in out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "RING: there is neither a design nor a modulus"),
        (["--n", "16"], "RING: there is neither"),
        (["--q", "97"], "RING: there is neither"),
        (["ml-kem", "--n", "16"], "--n: has no meaning here"),
        (["--n", "16", "--q", "97", "--bits", "7"], "--q: has no meaning here"),
        (["--n", "16", "--q", "97", "--count", "2"], "--count: has no meaning here"),
        (["--n", "16", "--bits", "9", "--twiddles"], "--twiddles: has no meaning here"),
        (["--n", "16", "--q", "9x"], "--q: '9x' is not an integer"),
        (["--n", "16", "--q", "97", "--form", "x^n"], "--form: there is no x^n"),
        (["--n", "16", "--q", "97", "--generator", "4"], "--generator: 4 is a square"),
        (["--n", "0", "--bits", "9"], "--n: 0 is not a power of two"),
        (["sam-256-bls12-381", "--twiddles"], "--twiddles: bls12-381 has 268435456 of them"),
    ],
)
def test_words_that_do_not_fit(words: list[str], complaint: str, capsys: Any) -> None:
    code, _, err = call(capsys, "ring", *words)
    assert (code, complaint in err) == (1, True), err
