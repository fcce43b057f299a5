# SPDX-License-Identifier: Apache-2.0
import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from nttforge.design import load_design
from nttforge.hw import StreamCore
from nttforge.hw import build as build_any
from nttforge.kinds.stream.build import build_transforms as build
from nttforge.layout.layout import halves, natural
from nttforge.ring.presets import PRESETS
from nttforge.show.contract import beats, pipeline_contract, scaling, values
from tests.unit.cli.cli_calls import call

PAGE = Path(__file__).parents[3] / "docs" / "contracts.md"
BLOCKS = re.findall(r"^```console\n\$ (.*)\n((?:.*\n)*?)```$", PAGE.read_text(), re.MULTILINE)
RINGS = pytest.mark.parametrize("ring", [p.ring for p in PRESETS.values()], ids=list(PRESETS))


def test_the_page_has_its_tables() -> None:
    assert len(BLOCKS) == PAGE.read_text().count("```console") > 0


@pytest.mark.parametrize(("command", "output"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_the_page_says_what_the_command_prints(
    command: Any, output: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    command, _, lines = command.partition(" | head -")
    name, *words = shlex.split(command)
    assert name == "nttforge"
    code, printed, _ = call(capsys, *words)
    shown = printed.splitlines(keepends=True)[: int(lines) if lines else None]
    assert (code, "".join(shown)) == (0, output)


def test_the_code_on_the_page_runs() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 0


@RINGS
def test_the_formula_of_the_values_gives_the_roots(ring: Any) -> Any:
    formula = values(ring).removesuffix(")") if ring.leaf_degree == 1 else values(ring)
    match = re.search(r"(\d+)\^(.*)$", formula.removeprefix("word k is f("))
    assert match is not None
    base, exponent = int(match[1]), match[2]
    assert base == ring.root
    found = re.search(r"BitRev(\d+)", exponent)
    assert found is not None
    width = int(found[1])

    def power(k: int) -> int:
        reverse = int(f"{k:0{width}b}"[::-1], 2)
        steps = exponent.replace("2 Bit", "2 * Bit").replace(f"BitRev{width}(k)", str(reverse))
        return int(pow(base, eval(steps), ring.q))

    assert [power(k) for k in range(2**width)] == list(ring.leaf_roots)


@RINGS
def test_the_scaling_is_the_inverse_of_the_division(ring: Any) -> None:
    assert scaling(ring, False) == "none"
    divisor, factor = map(int, re.findall(r"\d+", scaling(ring, True))[:2])
    assert divisor * ring.leaf_degree == ring.n
    assert divisor * factor % ring.q == 1


@pytest.mark.parametrize("lanes", [2, 4, 16, 256])
def test_every_row_is_what_the_layouts_say(lanes: int) -> None:
    lane_bits = lanes.bit_length() - 1
    before, after = halves(8, lane_bits), natural(8, lane_bits)
    heading, *rows = beats(before, after)
    assert heading.startswith("beat")
    seen: list[Any] = []
    for row in rows:
        if row.strip() == "...":
            assert seen[-1] < 256 // lanes - 2
            continue
        beat, *words = map(int, row.split())
        assert words == [*before.order()[beat], *after.order()[beat]]
        seen.append(beat)
    assert seen[0] == 0
    assert seen[-1] == 256 // lanes - 1


def test_two_lanes_of_256_coefficients() -> None:
    forward, inverse = pipeline_contract("ml-kem", 2).split("\n\n")
    assert re.search(r"^ +127 +127 255 +254 255$", forward, re.MULTILINE)
    assert re.search(r"^ +127 +254 255 +127 255$", inverse, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["ml-kex"], "ring"),
        (["ml-kem", "--lanes", "1"], "lanes"),
        (["ml-kem", "--lanes", "3"], "lanes"),
        (["ml-kem", "--lanes", "512"], "lanes"),
        (["ml-kem", "--order", "mirored"], "order"),
    ],
)
def test_bad_arguments(
    arguments: list[Any], field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(capsys, "show", "contract", *arguments)
    assert (code, out) == (1, "")
    named = field if field == "ring" else f"--{field}"  # an argument, and options
    assert err.startswith(f"error: {named}: ")


@pytest.mark.parametrize("name", ["mlkem-mldsa", "scalable-kyber", "streamntt-12289"])
def test_a_design_has_the_contract_of_each_transform(name: str, capsys: Any, tmp_path: Any) -> None:
    code, out, _ = call(capsys, "show", "contract", name)
    core = build_any(load_design(name))
    assert isinstance(core, StreamCore)
    transforms = [operation for operation in core.operations if operation.product is None]
    assert code == 0 and len(out.split("\n\n")) == len(transforms) > 1
    for text, operation in zip(out.split("\n\n"), transforms, strict=True):
        assert text.startswith(f"{operation.name}\n") and operation.ring.describe() in text
        assert "\n  ".join(beats(operation.input_layout, operation.output_layout)) in text
        packed = f"word i is words 2i and 2i + 1 of these, {operation.packed_bits} bits each"
        assert (packed in text) == bool(operation.packed_bits)


def test_a_file_has_the_contract_of_its_design(capsys: Any, tmp_path: Any) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nrings = [{ preset = "ml-kem" }]\n[pipeline]\nbutterflies = 2\n')
    code, out, _ = call(capsys, "show", "contract", path)
    assert code == 0
    assert out == pipeline_contract("ml-kem", 4).replace("ml-kem.", "") + "\n"
    for option in (["--lanes", "4"], ["--order", "natural"]):
        code, _, err = call(capsys, "show", "contract", path, *option)
        assert (code, f"{option[0]}: {path} has its own" in err) == (1, True)
    code, _, err = call(capsys, "show", "contract", "sam-tiny")
    assert (code, "sam-tiny: is an engine for transforms of many sizes" in err) == (1, True)
    code, _, err = call(capsys, "show", "contract", tmp_path / "none.toml")
    assert (code, "there is no such file" in err) == (1, True)


def test_the_order_is_that_of_a_design() -> None:
    printed = pipeline_contract("newhope-1024", 16, "mirrored")
    for operation in build(load_design("streamntt-12289")).operations:
        assert "\n  ".join(beats(operation.input_layout, operation.output_layout)) in printed
    assert printed != pipeline_contract("newhope-1024", 16)
