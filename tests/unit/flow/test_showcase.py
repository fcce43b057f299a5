# SPDX-License-Identifier: Apache-2.0
"""The main job on the real engine; only the synthesis, which has tests of its own, is left out."""

import json
from pathlib import Path
from typing import Any

import pytest

from nttforge.cli import main
from nttforge.flow import demo as showcase
from nttforge.flow import demo_steps
from nttforge.flow.synth import SynthResult
from nttforge.kinds.lattice.functions import Functions, Verdict
from nttforge.synthesize.area import COLUMNS


@pytest.fixture
def without_synthesis(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: dict[str, Any] = dict.fromkeys(COLUMNS, 1)
    area = SynthResult(
        design="x", target="xcup", cells={}, blocks={"u_x": counts}, log="", seconds=0, **counts
    )
    monkeypatch.setattr(showcase, "synth", lambda *_, **__: area)


def test_every_byte_is_equal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, without_synthesis: Any
) -> None:
    for words in (["--json"], []):
        with pytest.raises(SystemExit) as ended:
            main(["demo", "-o", str(tmp_path / "engine"), "--seed", "7", *words])
        assert ended.value.code == 0
        out = capsys.readouterr().out
        if words:
            result = json.loads(out)
            assert result["ok"] and all(c["equal"] for c in result["keys"]["comparisons"])
            assert result["keys"]["transforms_total"] == 46
            signed = result["signatures"]
            assert signed["ok"] and [*signed["accepted"].values()] == [True, False]
            assert all(c["equal"] for c in signed["comparisons"])
            assert result["cycles"]["cycles_per_transform"] == 128
            assert result["cycles"]["mixed_rings"]["ntt"]["cycles_per_transform"] == 128
            assert result["cycles"]["latency_cycles"] <= 330
        else:
            assert "Every byte is equal." in out and "the forged one is refused." in out
            assert str(tmp_path / "engine") in out.replace("\n", "")


@pytest.mark.parametrize("wrong_part", ["keys", "signatures"])
def test_what_is_wrong_fails(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    without_synthesis: Any,
    monkeypatch: pytest.MonkeyPatch,
    wrong_part: str,
) -> Any:
    simulated = demo_steps.simulated

    def wrong(simulator: Any) -> Any:
        right = simulated(simulator)

        def run(operation: Any, polynomials: Any) -> Any:
            result = right(operation, polynomials)
            if operation == "ml-dsa.ntt":
                result[0, 0] ^= 1
            return result

        return run

    def other(core: Functions, *_: Any, **__: Any) -> Verdict:
        return Verdict(accepted=True, reason="none", cycles=1, keccak_cycles=0)

    if wrong_part == "keys":
        monkeypatch.setattr(showcase, "simulated", wrong)
    else:
        monkeypatch.setattr(Functions, "verify", other, raising=False)
    with pytest.raises(SystemExit) as ended:
        main(["demo", "-o", str(tmp_path), "--json"])
    assert ended.value.code == 1
    result = json.loads(capsys.readouterr().out)
    parts = ("keys", "signatures")
    assert [p for p in parts if not result[p]["ok"]] == [wrong_part] and not result["ok"]
