# SPDX-License-Identifier: Apache-2.0
"""`operations = ["polymul"]` of loaded moduli: the generated chain, and the verbs."""

import random
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import nmod_poly

from nttforge.cache import design_files
from nttforge.design import Design, load_design, parse_design
from nttforge.errors import FaultError, NttforgeError
from nttforge.flow.backends import backend_of
from nttforge.flow.generate import generate
from nttforge.flow.prepare import Prepared, prepare_any, silent
from nttforge.kinds.stream.chain import ChainCore
from nttforge.kinds.stream.chain_backend import BACKEND
from nttforge.kinds.stream.chain_machine import Beats, ChainMachine, Sum, Term, right
from nttforge.kinds.stream.chain_measure import measure
from nttforge.kinds.stream.chain_verify import SPOILS, drawn_rings, drawn_sum, drawn_words, verify
from nttforge.options.verbs import MeasureOptions, RunOptions
from tests.slang import complaints
from tests.test_style import verible_lint, verilator_lint
from tests.undriven import undriven

#: Of each shape: ring, table.
SHAPES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "four beats": ({"n": 8, "bits": 64, "moduli": 3}, {}),
    "one place": ({"n": 32, "bits": 30}, {"butterflies": 2, "order": "mirrored"}),
    "made": (
        {"n": 64, "bits": 54, "moduli": 3},
        {"butterflies": 2, "twiddles": "made", "made_from": 24, "ram_block_from": 8},
    ),
}


def design_of(name: str, **table: Any) -> Design:
    ring, keys = SHAPES[name]
    return parse_design(
        {"name": "chain", "operations": ["polymul"], "rings": [{"q": "runtime", **ring}]}
        | {"pipeline": keys | table},
        "test",
    )


def prepared(name: str) -> Prepared[ChainCore]:
    made = prepare_any(design_of(name))
    assert isinstance(made.core, ChainCore) and backend_of(made.core) is BACKEND
    return made  # type: ignore[return-value]  # its core is one


@pytest.fixture(scope="module", params=SHAPES)
def chain(request: pytest.FixtureRequest) -> Prepared[ChainCore]:
    return prepared(request.param)


@pytest.fixture(scope="module")
def small() -> Prepared[ChainCore]:
    return prepared("four beats")


def test_sums_under_every_stall(chain: Prepared[ChainCore]) -> None:
    """Drawn primes of all widths, sums and numbers, late keys; and each thing that is wrong."""
    result = verify(chain, 96, 0, silent)
    assert result.ok, result
    kinds = {tally.kind for tally in result.tallies if tally.sums}
    assert kinds == {"place not loaded", "product", "by a number", "sum of products", *SPOILS}


def test_cycles_are_those_of_the_beats(chain: Prepared[ChainCore]) -> None:
    """A product follows the other without a gap, whatever the modulus; latency as derived."""
    result = measure(chain, 6, 0, silent)
    beats = chain.core.beats
    assert result.sums[0].latency == result.latency_derived
    assert [row.each for row in result.sums] == [row.terms * beats for row in result.sums]
    assert [row.latency for row in result.sums] == [
        result.latency_derived + (row.terms - 1) * beats for row in result.sums
    ]


def test_late_keys_lose_nothing(small: Prepared[ChainCore]) -> None:
    """All polynomials that have room wait; the results come as soon as the keys do."""
    core, rng = small.core, random.Random(1)
    rings = drawn_rings(core, rng)
    sums = [drawn_sum(place, rings[place], rng) for place in (0, 1, 2, 0, 1)]
    with ChainMachine.of(small) as machine:
        loads = Beats(core)
        for place, ring in enumerate(rings):
            loads.load(place, ring)
        loads.add(rings[0], sums[0])
        machine.run(loads, sums[:1])
        for late in (0, 100, 5000):
            beats = Beats(core)
            for each in sums:
                beats.add(rings[each.place], each)
            found = machine.run(beats, sums, late={"k_axis": late})
            wanted = [right(rings[each.place], each.terms) for each in sums]
            assert all((a == b).all() for a, b in zip(found.polynomials, wanted, strict=True))
            assert not any(found.marked)
            assert found.cycles >= late


@pytest.mark.parametrize("name", SHAPES)
def test_a_user_multiplies(name: str, tmp_path: Path) -> None:
    """From files and from Python, modulo a prime of the user's, as FLINT does."""
    made, rng = prepared(name), random.Random(2)
    core = made.core
    q = drawn_rings(core, rng)[0].q
    n = core.n
    a, b = ([[rng.randrange(q) for _ in range(n)] for _ in range(3)] for _ in range(2))
    modulus = nmod_poly([1, *[0] * (n - 1), 1], q)
    wanted = []
    for x, y in zip(a, b, strict=True):
        product = nmod_poly(x, q) * nmod_poly(y, q) % modulus
        wanted.append([int(product[i]) for i in range(n)])
    call = BACKEND.functions(made)["polymul"]
    assert call(np.array(a, object), np.array(b, object), modulus=q).tolist() == wanted
    assert call(a[0], b[0], modulus=q).tolist() == wanted[0]
    files = [tmp_path / each for each in ("a.json", "b.json", "c.json")]
    for file, rows in zip(files, (a, b), strict=False):
        file.write_text(str(rows), "utf-8")
    options = RunOptions(operation="polymul", modulus=q)
    ran = BACKEND.run(made, files[:2], files[2], options, silent)
    assert ran.ok and re.findall(r"\d+", files[2].read_text("utf-8")) == [
        str(word) for row in wanted for word in row
    ]


def test_what_is_refused(small: Prepared[ChainCore], tmp_path: Path) -> None:
    source = tmp_path / "a.json"
    source.write_text(str([1] * 8), "utf-8")
    for options, said in (
        (RunOptions(operation="ntt"), "use polymul"),
        (RunOptions(modulus=35), "not 1 modulo 16"),
        (RunOptions(modulus=33), "not an odd prime"),
    ):
        with pytest.raises(NttforgeError, match=said):
            BACKEND.run(small, [source, source], tmp_path / "c.json", options, silent)
    with pytest.raises(NttforgeError, match="--input-b"):
        BACKEND.run(small, [source], tmp_path / "c.json", RunOptions(), silent)
    with pytest.raises(NttforgeError, match="all of its operations"):
        BACKEND.measure(small, MeasureOptions(operation="polymul"), silent)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"operations": ["ntt", "polymul"]}, "operations"),
        ({"operations": ["mac"]}, r"operations: .* has no mac; use .*polymul"),
        ({"rings": [{"n": 16, "q": 97}]}, "iterative"),
        ({"rings": [{"n": 16, "q": "runtime", "bits": 30, "form": "x^n-1"}]}, "form"),
        ({"pipeline": {"byte_lanes": True}}, "byte_lanes"),
        ({"pipeline": {"butterflies": 4}}, "use 2 or fewer"),
        ({"shell": {}}, "shell"),
    ],
)
def test_designs_that_there_are_not(change: dict[str, Any], said: str) -> None:
    ring = {"n": 16, "q": "runtime", "bits": 30}
    design = {"name": "chain", "operations": ["polymul"], "rings": [ring]} | change
    with pytest.raises(NttforgeError, match=said):
        prepare_any(parse_design(design, "test"))


def test_nothing_comes_of_a_place_that_is_wrong(small: Prepared[ChainCore]) -> None:
    """Sums that no keys come for are reported as stuck, and another place by its number."""
    core, rng = small.core, random.Random(3)
    rings = drawn_rings(core, rng)
    with ChainMachine.of(small) as machine:
        beats = Beats(core)
        for place, ring in enumerate(rings):
            beats.load(place, ring)
        each = Sum(1, [Term(drawn_words(rings[1], rng), drawn_words(rings[1], rng))])
        beats.add(rings[1], each)
        with pytest.raises(FaultError, match="place 1 instead of 2"):
            machine.run(beats, [replace(each, place=2)])
        again = Beats(core)
        again.add(rings[1], each)
        again.keys = []
        with pytest.raises(FaultError, match="did not come"):
            machine.run(again, [each])


#: A place of the generated top, and what it becomes.
DEFECTS = {
    "errors of the first pipeline are lost": ("f_user[PlaceW+2], ", "1'b0, "),
    "keys have no end": (".k_last_i     (k_axis_tlast)", ".k_last_i     (1'b0)"),
    "loads never go on": (".leaves_i (leaves)", ".leaves_i (1'b0)"),
    "constants of another place": (".write_place_i(a_user[1+:PlaceW])", ".write_place_i('0)"),
    "the first pipeline's loads are the second's": ("l_data_i (a_data)", "l_data_i ('0)"),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_top_is_seen(name: str, small: Prepared[ChainCore], tmp_path: Path) -> None:
    good, bad = DEFECTS[name]
    folder = tmp_path / "folder"
    shutil.copytree(small.folder, folder)
    file = folder / "chain.sv"
    text = file.read_text("utf-8")
    assert text.count(good) == 1, name
    file.write_text(text.replace(good, bad), "utf-8")
    assert not verify(replace(small, folder=folder), 64, 0, silent).ok


def test_linters_find_nothing(chain: Prepared[ChainCore], tmp_path: Path) -> None:
    files, folder, name = design_files(chain.folder), chain.folder, chain.core.name
    assert not verilator_lint(files, name, folder / "waivers.vlt")
    assert not complaints(files, chain.core.wrapper.name, folder / "slang.f")
    assert not undriven(files, name, tmp_path)
    assert not verible_lint(sorted(folder.glob("*.sv")))


def test_a_preset_multiplies(tmp_path: Path) -> None:
    """The folder's page has operations, R and sizes."""
    design = load_design("rns-54", {"operations": ["polymul"]})
    result = generate(design, tmp_path / "folder")
    readme = (tmp_path / "folder" / "README.md").read_text("utf-8")
    assert result.top == "rns_54"
    for said in ("{constant, last, first}", "value times 2^54 modulo q", "16384, 4 a beat"):
        assert said in readme
