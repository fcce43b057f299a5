# SPDX-License-Identifier: Apache-2.0
"""What the hardware does wrong is a finding, whatever simulates it, and never a traceback."""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from nttforge import simulate
from nttforge.cache import keep_log
from nttforge.cli.outcome import FAILED
from nttforge.cli.session import run_verb
from nttforge.errors import FaultError
from nttforge.kinds.lattice.mlkem.verify import verify_mlkem
from tests.coprocessors import KEM_PORTS
from tests.rtl.mlkem_bench import RegisterKem

ROOM = Path(simulate.__file__).parent


class Stuck:
    """A coprocessor's ports, none of which ever moves, but for those that are named."""

    def __init__(self, **high: int) -> None:
        self._shown = dict.fromkeys(KEM_PORTS.outputs, 0) | high

    ports = KEM_PORTS

    def step(self, **_: int) -> dict[str, int]:
        return self._shown

    def packed(self, inputs: Mapping[str, int]) -> int:
        return len(inputs)

    def mask(self, *names: str) -> bytes:
        return " ".join(names).encode()

    def until(self, *_: object) -> tuple[int, dict[str, int], int]:
        return 1, self._shown, 0


def stuck(**high: int) -> RegisterKem:
    model: Any = Stuck(**high)
    return RegisterKem(model)


@pytest.mark.parametrize(
    ("high", "kind"),
    [
        ({}, "hang"),
        ({"idle_o": 1}, "bus"),
        ({"idle_o": 1, "s_axi_awready": 1, "s_axi_wready": 1, "s_axi_bresp": 2}, "bus"),
    ],
)
def test_a_coprocessor_that_hangs_is_a_finding(
    high: dict[str, int], kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def job(_: object) -> Any:
        return stuck(**high).read("status") if high else stuck().run_all([])

    with pytest.raises(FaultError) as found:
        job(None)
    assert found.value.kind == kind
    assert run_verb("x", False, job) == FAILED
    assert "defect" not in capsys.readouterr().err


def test_verify_says_what_hangs() -> None:
    result = verify_mlkem(stuck().core, "dut", cases=1)
    assert not result.ok
    assert "hangs" in (result.violation or "")


@pytest.mark.parametrize("path", sorted(ROOM.glob("*.py")), ids=lambda path: path.stem)
def test_no_check_of_hardware_is_an_assertion(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert)]


def test_logs_are_named_by_content(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path))
    first, again, other = (keep_log("tool", text) for text in ("a", "a", "b"))
    assert first == again != other
    assert (first.read_text(), other.read_text()) == ("a", "b")
