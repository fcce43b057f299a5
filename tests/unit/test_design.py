# SPDX-License-Identifier: Apache-2.0
"""Bad designs, each answered by one clear line that names the field; and good ones."""

import math
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from nttforge.design import Design, Family, design_names, load_design, parse_design
from nttforge.errors import NttforgeError, RenamedWarning
from nttforge.hw import build
from nttforge.kinds.stream.config import PipelineTable
from nttforge.ring.presets import PRESETS
from nttforge.show.keys import tables

GOOD = """
name = "mine"
operations = ["ntt"]

[[rings]]
n = 16
q = 97

[pipeline]
butterflies = 2
"""


def written(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text)
    return str(path)


def complaint(text: str, folder: Path) -> str:
    with pytest.raises(NttforgeError) as caught:
        build(load_design(written(folder, text)))
    message = str(caught.value)
    assert "\n" not in message
    assert "mine.toml" in message or caught.value.field.startswith(
        ("rings.", "pipeline.", "reduction")
    )
    assert caught.value.problem and caught.value.hint
    return message


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        # The ring.
        ("q = 97", "q = 91", ["rings.0.q", "91 is not an odd prime"]),
        ("q = 97", "q = 2", ["rings.0.q", "2 is not from 3 to 2^256 - 1"]),
        ("q = 97", "q = -97", ["rings.0.q", "-97"]),
        ("q = 97", "q = 101", ["rings.0.q", "101", "no root of unity of order 32"]),
        ("q = 97", 'q = "0x61z"', ["rings.0.q", "0x61z", "integer"]),
        ("q = 97", "q = [97]", ["rings.0.q", "integer"]),
        ("q = 97", "q = 97.5", ["rings.0.q", "97.5", "integer"]),
        ("q = 97", "q = 97.0", ["rings.0.q", "97.0", "integer"]),
        ("q = 97", "q = true", ["rings.0.q", "True", "integer"]),
        ("q = 97", "", ["rings.0", "needs a preset, or n and q"]),
        ("n = 16", "n = 24", ["rings.0.n", "24 is not a power of two"]),
        ("n = 16", "n = 2", ["rings.0.n", "2 is not from 4 to 131072"]),
        ("n = 16", "n = 0", ["rings.0.n", "0 is not from 4 to 131072"]),
        ("n = 16", "n = -16", ["rings.0.n", "-16 is not from 4 to 131072"]),
        ("n = 16", "n = true", ["rings.0.n", "True", "integer"]),
        ("q = 97", "q = 97\nlayers = 5", ["rings.0.layers", "5 is not from 1 to 4"]),
        ("q = 97", "q = 97\nlayers = 0", ["rings.0.layers", "0 is not from 1 to 16"]),
        ("q = 97", "q = 97\nroot = 2", ["rings.0.root", "2 is not a primitive root", "leave it"]),
        ("q = 97", 'q = 97\nform = "x^n"', ["rings.0.form", "x^n+1", "x^n-1"]),
        ("q = 97", "q = 97\nrooot = 3", ["rings.0.rooot", "unknown key", "did you mean root?"]),
        ("q = 97", 'q = 97\npreset = "ml-kem"', ["rings.0", "takes no n"]),
        ("n = 16\nq = 97", 'preset = "ml-kam"', ["rings.0", "ml-kam", "did you mean ml-kem?"]),
        ("n = 16\nq = 97", 'preset = "ml-kem"\nn = 128', ["rings.0", "takes no n"]),
        ("[[rings]]\nn = 16\nq = 97\n", "", ["rings", "is missing"]),
        ("[[rings]]\nn = 16\nq = 97\n", "rings = []\n", ["rings"]),
        ("[[rings]]\nn = 16\nq = 97\n", "rings = 7\n", ["rings", "7"]),
        ("[[rings]]\nn = 16\nq = 97\n", 'rings = ["ml-kem"]\n', ["rings.0", "ml-kem"]),
        ("[pipeline]", "[[rings]]\nn = 16\nq = 97\n[pipeline]", ["same name", "name of its own"]),
        ("[pipeline]", "[[rings]]\nn = 32\nq = 193\n[pipeline]", ["rings.1.n", "32 differs"]),
        # The design.
        ('name = "mine"', "", ["name", "is missing"]),
        ('name = "mine"', "name = 5", ["name", "5"]),
        ('name = "mine"', 'name = "Mine"', ["name", "Mine"]),
        ('name = "mine"', 'name = "../mine"', ["name", "../mine"]),
        ('name = "mine"', 'name = "small"', ["name", "small", "SystemVerilog"]),
        ('name = "mine"', 'name = "always-ff"', ["name", "always-ff", "SystemVerilog"]),
        ('name = "mine"', 'name = "double"', ["name", "double", "C or C++"]),
        ('name = "mine"', 'name = "co-await"', ["name", "co-await", "C or C++"]),
        ('name = "mine"', 'name = "uint8-t"', ["name", "uint8-t", "C or C++"]),
        ('name = "mine"', 'name = "stdint"', ["name", "stdint", "system's header"]),
        ('name = "mine"', 'name = "regfile"', ["name", "regfile", "SystemRDL"]),
        ('name = "mine"', 'name = "csr"', ["name", "csr", "SoC's registers"]),
        ('name = "mine"', 'name = "nttforge-io"', ["name", "nttforge-io", "the tool's own"]),
        ('name = "mine"', 'name = "soc-platform"', ["name", "soc-platform", "the tool's own"]),
        ('name = "mine"', 'name = "ntf-pipeline"', ["name", "ntf-pipeline", "begins like"]),
        ('name = "mine"', 'name = "ntf-arith"', ["name", "ntf-arith", "begins like"]),
        ('["ntt"]', '["nttt"]', ["operations.0", "nttt", "'ntt'"]),
        ('["ntt"]', '["ntt", "ntt"]', ["operations", "listed twice"]),
        ('["ntt"]', "[]", ["operations"]),
        ('["ntt"]', '"ntt"', ["operations", "ntt"]),
        ('name = "mine"', 'name = "mine"\nfamily = "pipe"', ["family", "pipe", "'pipeline'"]),
        ('name = "mine"', 'name = "mine"\ntarget = "xcvu"', ["target", "xcvu", "'xcup'"]),
        ('name = "mine"', 'name = "mine"\noperation = 1', ["unknown key", "mean operations?"]),
        ('name = "mine"', 'name = "mine"\nzzz = 1', ["unknown key", "use one of name, "]),
        # The pipeline.
        ("butterflies = 2", "butterflys = 2", ["unknown key", "did you mean butterflies?"]),
        ("butterflies = 2", "butterflies = 3", ["butterflies", "3 is not a power of two"]),
        ("butterflies = 2", "butterflies = 16", ["butterflies", "16", "n/2 = 8"]),
        ("butterflies = 2", "butterflies = 0", ["pipeline.butterflies", "0"]),
        ("butterflies = 2", "butterflies = 2.0", ["pipeline.butterflies", "2.0", "integer"]),
        ("butterflies = 2", "adders_per_stage = 9", ["pipeline.adders_per_stage", "9"]),
        ("butterflies = 2", 'reduction = "baret"', ["pipeline.reduction", "baret", "'barrett'"]),
        ("butterflies = 2", 'reduction = "goldilocks"', ["goldilocks", "97"]),
        ("butterflies = 2", 'seamless = "maybe"', ["pipeline.seamless", "maybe"]),
        ("butterflies = 2", "seamless = 1", ["pipeline.seamless", "1"]),
        ("butterflies = 2", "ram_block_from = 1", ["pipeline.ram_block_from", "1"]),
        ("[pipeline]\nbutterflies = 2", "pipeline = 2", ["pipeline"]),
        # Tables of other families.
        ("[pipeline]", "[iterative]", ["design", "pipeline family takes no table [iterative]"]),
        ('name = "mine"', 'name = "mine"\nfamily = "iterative"', ["no table [pipeline]"]),
        # The file.
        ('name = "mine"', "name = mine", ["is not TOML", "line 2"]),
        ('name = "mine"', 'name = "mine"\nname = "yours"', ["is not TOML", "line 3"]),
    ],
)
def test_bad_designs(old: str, new: str, words: list[str], tmp_path: Path) -> None:
    text = changed(old, new)
    if new in ("pipeline = 2", "rings = []\n", "rings = 7\n", 'rings = ["ml-kem"]\n'):
        text = f"{new}\n{changed(old, '')}"  # in front of the tables
    message = complaint(text, tmp_path)
    missing = [word for word in words if word not in message]
    assert not missing, message


@pytest.mark.parametrize("name", ["no/such/file.toml", "mlkem-mldsa.tml", "/", "nonsense"])
def test_designs_that_are_not_there(name: str) -> None:
    with pytest.raises(NttforgeError) as caught:
        load_design(name)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_nearest_design_is_named() -> None:
    with pytest.raises(NttforgeError, match=r"did you mean mlkem-mldsa\?"):
        load_design("mlkem-mdlsa")
    with pytest.raises(NttforgeError, match=r"did you mean goldilocks\?"):
        load_design("goldilock")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    with pytest.raises(NttforgeError, match="directory"):
        load_design(str(folder))
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00name")
    with pytest.raises(NttforgeError, match="not a text file"):
        load_design(str(binary))


@pytest.mark.parametrize("name", [*design_names(), *PRESETS])
def test_what_comes_with_nttforge_is_right(name: str) -> None:
    design = load_design(name)
    assert design.name == name
    assert isinstance(design, Design)


def test_integers_of_any_size_and_base(tmp_path: Path) -> None:
    big = (1 << 64) - (1 << 32) + 1
    for text in (str(big), f'"{big}"', f'"{big:#x}"'):
        design = load_design(written(tmp_path, changed("q = 97", f"q = {text}")))
        assert design.rings[0].ring().q == big


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"pipeline.butterfly": 2}, ["pipeline.butterfly", "did you mean butterflies?"]),
        ({"pipelin.butterflies": 2}, ["pipelin", "did you mean pipeline?"]),
        ({"name.first": 2}, ["name.first", "name is not a table"]),
        ({"pipeline.butterflies": "many"}, ["pipeline.butterflies", "many"]),
        ({"rings.1.root": 3}, ["--set rings.1.root", "'1' names no element", "a number below 1"]),
        ({"rings.first.root": 3}, ["'first' names no element"]),
        ({"rings.0.preset.name": 3}, ["rings.0.preset.name", "preset is not a table"]),
        ({"rings": [], "rings.0": 3}, ["--set rings.0", "give the whole array"]),
        ({"rings.0.root": "least"}, ["rings.0.root", 'neither a number nor "minimal"']),
        ({"rings.0.root": 0}, ["rings.0.root: 0 is not from 1 to 2^256 - 1"]),
        ({"rings.0.root": 1.5}, ["rings.0.root: 1.5"]),
        ({"rings.0.generator": 4}, ["rings.0.generator", "4 is a square modulo 3329"]),
        ({"rings.0.generator": 3, "rings.0.root": 17}, ["leave one of the two out"]),
        ({"rings.0.n": 8}, ["rings.0", "a ring with a preset takes no n"]),
    ],
)
def test_bad_overrides(overrides: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(NttforgeError) as caught:
        load_design("ml-kem", overrides)
    assert all(word in str(caught.value) for word in words), str(caught.value)


NUMBERS = [
    (model, heading.strip("[]"), key, schema)
    for heading, model in tables(Design)
    for key, schema in model.model_json_schema()["properties"].items()
    if {"integer", "number"} & {each.get("type") for each in schema.get("anyOf", [schema])}
]


def overridden(heading: str, key: str, value: object) -> Design:
    family = "iterative" if heading == "iterative" else heading or "pipeline"
    data: dict[str, Any] = {"name": "mine", "rings": [{"n": 16, "q": 97}]}
    if heading in get_args(Family):
        data["family"] = family
    if heading == "rings":
        data["rings"][0][key] = value
    else:
        data[heading] = {key: value}
    return parse_design(data, "test")


@pytest.mark.parametrize(
    ("model", "heading", "key", "schema"), NUMBERS, ids=[f"{n[1]}.{n[2]}" for n in NUMBERS]
)
def test_every_number_has_a_range(
    model: type[BaseModel], heading: str, key: str, schema: dict[str, Any]
) -> None:
    """One declared range a key: what the RTL's parameters hold, and nothing beyond it."""
    each = next(s for s in schema.get("anyOf", [schema]) if s.get("type") != "null")
    if "enum" in each:
        outside = [-1, 0, max(each["enum"]) + 1]
    else:
        outside = [each["minimum"] - 1, each["maximum"] + 1]
        wide = 1 << (256 if key in ("q", "root", "generator", "coset") else 31)
        assert each["maximum"] <= wide - 1, "the RTL's parameter has no more bits"
    outside += [(1 << 32) + 1, -(1 << 70), 1 << 14_000, 10**5000]
    if each["type"] == "number":
        outside += [math.nan, math.inf, -math.inf, 1e308, 0.0]
    for value in outside:
        with pytest.raises(NttforgeError) as caught:
            overridden(heading, key, value)
        if not (key in ("q", "root", "generator", "coset") and value == (1 << 32) + 1):
            assert caught.value.field.endswith(key), str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = " + "[" * 10_000, "nested too deeply"),
        ("a = " + "{b = " * 10_000, "nested too deeply"),
        ('name = "a"\nrings = [{n = 16, q = 97}]\n' + ".".join("a" * 900) + " = 1", "unknown key"),
        ("n = " + "9" * 20_000, "is not TOML"),
        ('name = "a"\nrings = [{n = 16, q = 0x' + "f" * 20_000 + "}]", "80000 bits"),
        ('name = "a"\nrings = [{n = 16, q = "' + "9" * 20_000 + '"}]', "rings.0.q"),
        (f'name = "{"a" * 300}"\nrings = [{{n = 16, q = 97}}]', "at most 64 characters"),
        (f'{"k" * 100_000} = 1\nname = "a"\nrings = [{{n = 16, q = 97}}]', "unknown key"),
        ('name = "a"\nrings = [{n = 16, q = 97}]\nshell.clock_mhz = nan', "nan is not from"),
        ('name = "a"\nrings = [{n = 16, q = 97}]\npipeline = 1979-05-27', "pipeline"),
        ('name = "a"\nrings = [{n = 16, q = "\\u0661\\u0662"}]', "rings.0.q"),
        ("\0", "is not TOML"),
        ("a = 1\nb" * 2, "is not TOML"),
        ("", "is missing"),
    ],
)
def test_hostile_designs_end_in_one_short_line(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(NttforgeError, match=words) as caught:
        load_design(written(tmp_path, text))
    assert len(f"error: {caught.value}") <= 300
    assert "\n" not in str(caught.value)


def test_overrides_replace_and_add() -> None:
    design = load_design("mlkem-mldsa", {"pipeline.seamless": True, "name": "other"})
    assert design.table(PipelineTable).seamless
    assert design.name == "other"
    assert not load_design("mlkem-mldsa").table(PipelineTable).seamless


def test_overrides_reach_a_ring_of_several() -> None:
    design = load_design("mlkem-mldsa", {"rings.1.generator": 10, "rings.0.root": "0x11"})
    assert [design.ring(number).generator for number in range(2)] == [None, 10]
    assert [design.ring(number).root for number in range(2)] == [17, pow(10, 16368, 8380417)]


def test_equal_designs_are_equal() -> None:
    data = {"name": "a", "rings": [{"preset": "ml-kem"}]}
    assert parse_design(data, "x") == parse_design(data, "y")
    assert hash(parse_design(data, "x")) == hash(parse_design(data, "y"))


@pytest.mark.parametrize(("n", "hint"), [(2, "change it"), (1 << 40, "the family decomposed")])
def test_a_size_is_mended_where_it_is_wrong(n: int, hint: str) -> None:
    with pytest.raises(NttforgeError, match=hint):
        parse_design({"name": "x", "rings": [{"n": n, "q": 7681}]}, "here")


FORMER_DESIGNS = [
    ("mlkem", {"rounds_per_cycle": 2}, {"standards": ("ml-kem",), "rounds_per_cycle": 2}),
    ("mldsa", {"registers": False}, {"standards": ("ml-dsa",), "registers": False}),
    ("pqc", {"verify_signatures": True}, {"standards": ("ml-kem", "ml-dsa")}),
]


@pytest.mark.parametrize(("family", "keys", "expected"), FORMER_DESIGNS)
def test_a_former_family_is_accepted_and_its_new_name_said(
    family: str, keys: dict[str, Any], expected: dict[str, Any]
) -> None:
    rings = [{"preset": name} for name in expected["standards"]]
    data = {"name": "mine", "family": family, "rings": rings, family: keys}
    with pytest.warns(RenamedWarning, match=r'is now family = "lattice", with standards = \["ml-'):
        design = parse_design(data, "mine.toml")
    lattice = {"standards": list(expected["standards"]), **keys}
    assert design == parse_design({"name": "mine", "family": "lattice", "lattice": lattice}, "new")
    assert expected.items() <= design.model_dump()["lattice"].items()


def test_a_former_table_sets_the_new_one() -> None:
    with pytest.warns(RenamedWarning, match=r"the table \[mldsa\] is now \[lattice\]"):
        design = load_design("ml-dsa-core", {"mldsa.rounds_per_cycle": 4})
    assert design.model_dump()["lattice"]["rounds_per_cycle"] == 4
    with pytest.raises(NttforgeError, match="mldsa: unknown key"):
        load_design("mlkem-mldsa", {"mldsa.rounds_per_cycle": 4})


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"standards": ["ml-dsa"], "butterflies": 4}, "butterflies is of ML-KEM alone"),
        ({"standards": ["ml-kem", "ml-dsa"], "keccak_cores": 2}, "keccak_cores is of ML-KEM alone"),
        ({"registers": False}, "ML-KEM alone always has registers"),
        ({"verify_signatures": True}, "verify_signatures is of ML-DSA"),
        ({"equal_tries": True}, "equal_tries is of ML-DSA"),
        ({"standards": ["ml-kem", "ml-kem"]}, "a standard is listed twice"),
        ({"standards": ["slh-dsa"]}, "Input should be 'ml-kem' or 'ml-dsa'"),
        ({"standards": []}, "at least 1 item"),
        ({"standards": "ml-kem"}, "standards"),
    ],
)
def test_keys_that_the_standards_do_not_have_are_refused(
    keys: dict[str, Any], problem: str
) -> None:
    with pytest.raises(NttforgeError, match=problem):
        parse_design({"name": "mine", "family": "lattice", "lattice": keys}, "mine.toml")


def test_the_order_of_standards_does_not_matter() -> None:
    one = load_design("pqc-core")
    other = load_design("pqc-core", {"lattice.standards": ["ml-dsa", "ml-kem"]})
    assert one == other
