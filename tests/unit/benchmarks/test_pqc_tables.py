# SPDX-License-Identifier: Apache-2.0
"""Rows of `pqc`: a set each, area once, of what was measured."""

from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks import subject
from benchmarks.reproduce import papers, reproduce
from nttforge.design import Design
from nttforge.designs import COPROCESSOR, DSA_CORE, PQC_CORE
from nttforge.results import Timed

KEM = ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024")
DSA = ("ML-DSA-44", "ML-DSA-65", "ML-DSA-87")


def test_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [
        *(f"{each} {name}" for each in KEM for name in ("keygen", "encaps", "decaps")),
        *(f"{each} {name}" for each in DSA for name in ("keygen", "sign", "verify")),
    ]
    timed = {name: Timed(at + 0.4, 0.0) for at, name in enumerate(names)}
    area = {PQC_CORE: 3, COPROCESSOR: 1, DSA_CORE: 2}
    timed_on: list[str] = []

    def measuring(core: Design) -> Any:
        assert core.name == PQC_CORE  # the others are not simulated
        return SimpleNamespace(measure=lambda *_: SimpleNamespace(timed=timed))

    def synthesized(of: Any, *_: object, **__: object) -> SimpleNamespace:
        return SimpleNamespace(lut_total=area[of.core.name], ff=0, dsp=0, bram18=0)

    def estimated(of: Any, **_: object) -> SimpleNamespace:
        timed_on.append(of.core.target)
        return SimpleNamespace(fmax_mhz=2.0 * area[of.core.name])

    monkeypatch.setattr(subject, "prepare_any", lambda design: SimpleNamespace(core=design))
    monkeypatch.setattr(subject, "backend_of", measuring)
    monkeypatch.setattr(subject, "synth", synthesized)
    monkeypatch.setattr(subject, "timing", estimated)
    made = reproduce("pqc", clock=True)
    rows = made.rows[len(papers()["pqc"][0].published()) :]
    assert [row[1] for row in rows] == [*KEM, *DSA, "all", "all"]
    assert [row[3] for row in rows] == [3, *[None] * 5, 1, 2]
    cycles = [cell for row in rows[:6] for cell in row[7:10]]
    assert cycles == list(range(18))
    assert [row[10] for row in rows] == [*[6.0] * 6, 2.0, 4.0] and timed_on == ["ecp5"] * 3
    assert [cell for row in rows[:6] for cell in row[11:]] == [round(n / 6, 2) for n in range(18)]
    # Without a clock there is no time.
    assert [row[10:] for row in reproduce("pqc", False).rows[-8:]] == [[None] * 4] * 8
