# SPDX-License-Identifier: Apache-2.0
"""Rows of `reproduce pqc`: a set each, area once, of what was measured."""

from types import SimpleNamespace

import pytest

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
    core = SimpleNamespace(parameter_sets={"ML-KEM": KEM, "ML-DSA": DSA})
    monkeypatch.setattr(pqc, "prepare_kind", lambda *_: SimpleNamespace(core=core))
    monkeypatch.setattr(pqc, "prepare_any", lambda design: design.name)
    monkeypatch.setattr(pqc, "open_pqc", lambda *_: None)
    monkeypatch.setattr(pqc, "measure_pqc", lambda *_, **__: SimpleNamespace(timed=timed))
    monkeypatch.setattr(
        pqc,
        "synth",
        lambda name, *_, **__: SimpleNamespace(lut_total=area[name], ff=0, dsp=0, bram18=0),
    )
    made = pqc.reproduce_pqc()
    rows = made.rows[len(pqc.TABLE) :]
    assert all(len(row) == len(made.columns) for row in made.rows)
    assert [row[1] for row in rows] == [*KEM, *DSA, "all", "all"]
    assert [row[3] for row in rows] == [3, *[None] * 5, 1, 2]
    assert [cell for row in rows[:6] for cell in row[7:]] == list(range(18))
