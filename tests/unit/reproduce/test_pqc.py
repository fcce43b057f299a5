# SPDX-License-Identifier: Apache-2.0
"""Rows of `reproduce pqc`: a set each, area once, of what was measured."""

from types import SimpleNamespace

import pytest

from nttforge.design import Design
from nttforge.limits import COPROCESSOR, DSA_CORE, PQC
from nttforge.reproduce import pqc
from nttforge.results import Timed

KEM = ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024")
DSA = ("ML-DSA-44", "ML-DSA-65", "ML-DSA-87")


def test_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [
        *(f"{each} {name}" for each in KEM for name in ("keygen", "encaps", "decaps")),
        *(f"{each} {name}" for each in DSA for name in ("keygen", "sign", "verify")),
    ]
    timed = {name: Timed(at + 0.4, 0.0) for at, name in enumerate(names)}
    area = {PQC: 3, COPROCESSOR: 1, DSA_CORE: 2}
    facts = {"multiplier_latency": 3}
    core = SimpleNamespace(parameter_sets={"ML-KEM": KEM, "ML-DSA": DSA}, facts=facts)
    monkeypatch.setattr(pqc, "prepare_kind", lambda *_: SimpleNamespace(core=core))
    monkeypatch.setattr(pqc, "prepare_any", lambda design: design)
    monkeypatch.setattr(pqc, "open_core", lambda *_: None)
    monkeypatch.setattr(pqc, "measure_pqc", lambda *_, **__: SimpleNamespace(timed=timed))
    monkeypatch.setattr(
        pqc,
        "synth",
        lambda of, *_, **__: SimpleNamespace(lut_total=area[of.name], ff=0, dsp=0, bram18=0),
    )
    timed_on: list[str] = []

    def estimated(of: Design, **_: object) -> SimpleNamespace:
        timed_on.append(of.target)
        return SimpleNamespace(fmax_mhz=2.0 * area[of.name])

    monkeypatch.setattr(pqc, "timing", estimated)
    made = pqc.reproduce_pqc(clock=True)
    rows = made.rows[len(pqc.TABLE) :]
    assert all(len(row) == len(made.columns) for row in made.rows)
    assert [row[1] for row in rows] == [*KEM, *DSA, "all", "all"]
    assert [row[3] for row in rows] == [3, *[None] * 5, 1, 2]
    cycles = [cell for row in rows[:6] for cell in row[7:10]]
    assert cycles == list(range(18))
    assert [row[10] for row in rows] == [*[6.0] * 6, 2.0, 4.0] and timed_on == ["ecp5"] * 3
    assert [cell for row in rows[:6] for cell in row[11:]] == [round(n / 6, 2) for n in range(18)]
    # Without a clock there is no time.
    assert [row[10:] for row in pqc.reproduce_pqc().rows[-8:]] == [[None] * 4] * 8
