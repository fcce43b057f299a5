# SPDX-License-Identifier: Apache-2.0
"""Units by themselves: what they need, what their ports are, what they cost."""

from pathlib import Path

import pytest

from nttforge import rtl_library
from nttforge.show import units
from tests.unit.cli.cli_calls import call

TESTS = Path(__file__).parents[2] / "rtl"


def test_a_unit_needs_what_it_contains() -> None:
    known = rtl_library.library()
    names = rtl_library.needed("ntf_sponge", known)
    assert names[0] == "ntf_sponge_pkg"
    assert names[-1] == "ntf_sponge"
    assert names.index("ntf_keccak_round") < names.index("ntf_keccak_f1600")


def test_every_unit_has_a_sheet() -> None:
    for name in units.units():
        text = units.sheet(name)
        assert text.startswith(f"### `{name}`\n\n")
        inputs, outputs = (text.count(f"| {way} |") for way in ("input", "output"))
        assert inputs and outputs


def test_ports_are_those_of_the_module() -> None:
    source = rtl_library.library()["ntf_keccak_f1600"].read_text()
    found = {name: (way, bits) for name, way, bits, _ in units.ports(source)}
    assert found["start_i"] == ("input", "1")
    assert found["state_o"] == ("output", "1600")
    assert found["block_i"] == ("input", "`BlockBits`")


def test_a_unit_is_synthesized_alone() -> None:
    counts = units.area("ntf_sample_cbd")
    assert 100 < counts["lut"] < 200
    assert counts["ff"] == counts["dsp"] == 0


@pytest.mark.parametrize("more", [[], ["--ports"]])
def test_an_unknown_unit_is_one_line(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, _, complaint = call(capsys, "show", "units", "keccak", *more)
    assert code == 1
    complaint = complaint.splitlines()[-1]
    assert "ntf_keccak_f1600" in complaint
