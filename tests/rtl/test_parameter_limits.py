# SPDX-License-Identifier: Apache-2.0
"""Every module of the library at and beyond the limits of each of its parameters."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.rtl.arith_bench import run_verilator
from tests.rtl.parameter_limits import LIMITS, declared, set_names, sources, top_text
from tests.slang import elaboration_errors

#: What slang puts in front of a module's own message.
_OWN = re.compile(r"\$error encountered: (\w+): (.*)")


@cache
def errors() -> dict[tuple[str, str], list[str]]:
    """(module, point) -> errors of it, of all points of the table."""
    points = [
        (module, point)
        for module, limits in LIMITS.items()
        for point in (*limits.legal_points, *(whole for whole, _, _ in limits.illegal_points))
    ]
    tops = [(sources(module), top_text(module, point)) for module, point in points]
    found = elaboration_errors(tops)
    return dict(zip(points, found, strict=True))


def test_every_module_has_its_limits() -> None:
    assert LIMITS.keys() == declared().keys()


@pytest.mark.parametrize("module", LIMITS)
def test_every_parameter_is_bounded_or_free(module: str) -> None:
    limits = LIMITS[module]
    illegal = [set_names(point) for _, point, _ in limits.illegal_points]
    names = {parameter.name for parameter in declared()[module][1]}
    assert set().union(*illegal, limits.free_names) == names
    # What is free has no limit of its own.
    assert not [free for free in limits.free_names if {free} in illegal]


@pytest.mark.long
@pytest.mark.parametrize("module", LIMITS)
def test_what_is_legal_elaborates(module: str) -> None:
    found = {point: errors()[module, point] for point in LIMITS[module].legal_points}
    assert not {point: messages for point, messages in found.items() if messages}


@pytest.mark.long
@pytest.mark.parametrize("module", LIMITS)
def test_what_is_illegal_is_refused_by_name(module: str) -> None:
    wrong = {}
    for whole, point, part in LIMITS[module].illegal_points:
        messages = errors()[module, whole]
        own = [m[2] for m in map(_OWN.match, messages) if m and m[1] == (part or module)]
        names = "|".join(set_names(point)) if not part else r"\w+"
        if not any(re.search(rf"\b({names})\b", message) for message in own):
            wrong[point] = messages
    assert not wrong


@pytest.mark.parametrize(
    ("module", "point"),
    [
        ("ntf_prim_fifo", "Depth=6"),
        ("ntf_prim_fifo", "Width=0"),
        ("ntf_axi_bursts", "DataW=32 & BurstBytes=4096"),
        ("ntf_axi_reader", "Depth=64 & BurstBytes=4096"),
        ("ntf_shell_lengths", "BytesW=41"),
        ("ntf_mod_reduce", "Steps.split=0"),
        ("ntf_pipeline", "Cfg.beats=96"),
    ],
)
def test_verilator_refuses_it_too(module: str, point: str, tmp_path: Path) -> None:
    top = tmp_path / "top.sv"
    top.write_text(top_text(module, point), "utf-8")
    flags = ["--lint-only", "-Wno-PINMISSING", "--top-module", "top"]
    done = run_verilator([*flags, *sources(module), top], tmp_path)
    assert done.returncode != 0 and f"{module}: " in done.stderr, done.stderr
