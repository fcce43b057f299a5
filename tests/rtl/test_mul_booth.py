# SPDX-License-Identifier: Apache-2.0
"""The multiplier in look-up tables, against Python's product."""

import random
from pathlib import Path

import pytest

from nttforge.simulate.cycles import CycleModel, Ports
from tests.rtl.mlkem_bench import RTL


@pytest.mark.parametrize(
    ("aw", "bw", "outw"), [(5, 4, 9), (5, 5, 10), (5, 6, 11), (14, 12, 26), (14, 12, 9)]
)
def test_every_sign(tmp_path: Path, aw: int, bw: int, outw: int) -> None:
    plain = aw + bw == 11
    ports = Ports({"a_i": aw, "b_i": bw}, {"p_o": outw}, common=())
    given = {"AW": str(aw), "BW": str(bw), "OutW": str(outw), "Plain": f"1'b{plain:d}"}
    model = CycleModel.build(
        tmp_path, [RTL / "arith" / "ntf_mul_booth.sv"], "ntf_mul_booth", ports, given
    )
    rng = random.Random(aw + bw)
    low = (-(1 << aw - 1), -1, 0, 1, (1 << aw - 1) - 1)
    small = aw + bw < 12
    pairs = [
        (a, b)
        for a in (range(-(1 << aw - 1), 1 << aw - 1) if small else low)
        for b in range(-(1 << bw - 1), 1 << bw - 1)
    ]
    pairs = [(a, b) for a, b in pairs if b >= 0 or not plain]
    pairs += [(rng.randrange(-(1 << aw - 1), 1 << aw - 1), b) for _, b in pairs]
    seen = model.run([{"a_i": a % (1 << aw), "b_i": b % (1 << bw)} for a, b in pairs])
    assert [s["p_o"] for s in seen] == [a * b % (1 << outw) for a, b in pairs]
