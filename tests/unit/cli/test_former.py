# SPDX-License-Identifier: Apache-2.0
"""Flags and keys of the last release: accepted, with one line that names the new one."""

import subprocess
import sys

import pytest

from nttforge.cli.app import VERBS, run
from nttforge.config.family import StreamConfig
from nttforge.config.requirements import Requirements
from nttforge.design import load_design
from nttforge.errors import RenamedWarning
from nttforge.kinds.lattice.options import DsaSign
from nttforge.options.model import Options
from nttforge.options.verbs import Measure, Pnr

FORMER = [(verb, *pair) for verb, (m, _) in VERBS.items() for pair in m.former_flags().items()]


def test_each_former_flag_has_one_that_replaces_it() -> None:
    assert len(FORMER) > 15
    for verb, former, present in FORMER:
        model, _ = VERBS[verb]
        flags = {model.flag(name) for name in model.model_fields}
        assert present in flags and former not in flags, verb


def test_a_former_flag_works_and_is_named() -> None:
    """In a process of its own: what is warned of is printed there."""
    words = "explore", "ml-kem", "--throughput=128", "--max-dsp", "40"
    command = [sys.executable, "-m", "nttforge", *words]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0 and "ml-kem" in ended.stdout
    assert ended.stderr.count("warning: ") == 1
    assert "warning: --throughput is now --interval" in ended.stderr


def test_a_flag_of_another_verb_is_none() -> None:
    assert run(["measure", "ml-kem", "--throughput", "3"]) == 2


@pytest.mark.parametrize(
    ("model", "given", "field"),
    [
        (Measure, {"design": "ml-kem", "clock": True}, "place"),
        (Pnr, {"design": "ml-kem", "part": "u_mul"}, "instance"),
        (DsaSign, {"set": "44"}, "parameter_set"),
    ],
)
def test_a_grid_may_have_former_names(
    model: type[Options], given: dict[str, object], field: str
) -> None:
    with pytest.warns(RenamedWarning, match=f"is now {field}"):
        assert getattr(model.read(given), field) == list(given.values())[-1]


def test_former_keys_of_tables() -> None:
    with pytest.warns(RenamedWarning, match="the key throughput is now interval"):
        assert load_design("ml-kem", {"pipeline.throughput": 32}).table(StreamConfig).interval == 32
    with pytest.warns(RenamedWarning, match="the key each_us is now interval_us"):
        data = {"rings": "ml-kem", "each_us": 2.0}
        assert Requirements.model_validate(data).interval_us == 2.0
