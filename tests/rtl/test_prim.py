# SPDX-License-Identifier: Apache-2.0
"""The primitives, each in all of its shapes, against references cycle by cycle."""

from pathlib import Path

from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.faulty import bits, registers, settings
from tests.rtl.mlkem_bench import RTL
from tests.rtl.prim_bench import failures, shapes

#: Constants.
# The second is part of the multiplier of test_loaded_mul.
ELSEWHERE = {"ntf_prim_pkg", "ntf_hold"}


def test_every_shape_does_what_it_says(tmp_path: Path) -> None:
    assert not failures(RTL, tmp_path, seed=1)


def test_every_primitive_is_there() -> None:
    listed = {path.stem for path in (RTL / "prim").glob("*.sv")}
    assert {shape.module for shape in shapes()} == listed - ELSEWHERE


def test_a_flipped_bit_is_outvoted(tmp_path: Path) -> None:
    """Of any copy: the word stays, the fault is there for a cycle, and the bit is corrected."""
    prim = [RTL / f"prim/ntf_prim_{name}.sv" for name in ("kept", "rails", "voted")]
    sources = [settings(tmp_path / "settings", {"ntf_prim_kept": "*_q"}), *prim]
    ports = Ports(inputs={"d_i": 8}, outputs={"q_o": 8, "fault_o": 1})
    model = CycleModel.build(tmp_path / "model", sources, "ntf_prim_voted", ports, {"Width": "8"})
    flipped = list(bits(registers(model)))
    assert len(flipped) == 3 * 8
    for register, bit in flipped:
        model.step(d_i=0x5A)
        register.flip(bit)
        shown = [model.step(d_i=0x5A), model.step(d_i=0x5A)]
        assert [each["q_o"] for each in shown] == [0x5A, 0x5A]
        assert [each["fault_o"] for each in shown] == [1, 0]
