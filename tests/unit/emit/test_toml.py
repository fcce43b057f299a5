# SPDX-License-Identifier: Apache-2.0
"""A folder's own TOML says all that the design is: from it the same folder is written again."""

import tomllib
from pathlib import Path

import pytest

from nttforge.design import Design, design_names, load_design
from nttforge.emit.design_folder import render
from nttforge.emit.toml import design_toml
from nttforge.flow.generate import generate
from nttforge.hw import build
from nttforge.ring.presets import PRESETS
from tests.folders import contents
from tests.unit.emit.draws import draw


def drawn(seed: int, folder: Path) -> Design:
    """The design as a user gives it: a file, and `--set` for the rest."""
    keys, overrides = draw(seed)
    file = folder / "given.toml"
    file.write_text(design_toml(Design.model_validate(keys)), "utf-8")
    return load_design(str(file), overrides)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60))
def test_a_design_is_read_back_as_it_was(seed: int, tmp_path: Path) -> None:
    design = drawn(seed, tmp_path)
    text = design_toml(design)
    again = Design.model_validate(tomllib.loads(text))
    assert again == design and again.model_fields_set >= design.model_fields_set
    assert design_toml(again) == text
    if seed < 20:
        assert render(build(again), again) == render(build(design), design)


@pytest.mark.parametrize("name", [*design_names(), *PRESETS])
def test_presets_are_read_back(name: str) -> None:
    design = load_design(name)
    assert Design.model_validate(tomllib.loads(design_toml(design))) == design


@pytest.mark.parametrize("seed", range(3))
def test_a_folder_writes_itself_again(seed: int, tmp_path: Path) -> None:
    design = drawn(seed, tmp_path)
    generate(design, tmp_path / "first")
    own = tmp_path / "first" / f"{design.name}.toml"
    generate(load_design(str(own)), tmp_path / "second")
    assert contents(tmp_path / "second") == contents(tmp_path / "first")
    # With one key of another value it is another folder.
    generate(load_design(str(own), {"description": "another"}), tmp_path / "third")
    assert contents(tmp_path / "third") != contents(tmp_path / "first")


def test_every_generated_file_names_the_design_that_is_there(tmp_path: Path) -> None:
    """What a header says can be done: the file that it names lies in the folder."""
    design = load_design("ml-kem", {"name": "mine", "pipeline.butterflies": 2})
    generate(design, tmp_path)
    named = 0
    for path in tmp_path.rglob("*"):
        if path.is_file() and b"nttforge generate " in path.read_bytes():
            after = path.read_text("utf-8").split("nttforge generate ")[1].split()[0]
            assert after == "mine.toml" and (tmp_path / after).is_file()
            named += 1
    assert named >= 8
