# SPDX-License-Identifier: Apache-2.0
"""Traces: what they show is what the simulation reported, and viewers find the named signals."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.design import load_design, parse_design
from nttforge.emit.toml import design_toml
from nttforge.errors import NttforgeError
from nttforge.flow.backends import backend_of
from nttforge.flow.prepare import Prepared, prepare, prepare_any
from nttforge.flow.reference import random_polynomials
from nttforge.flow.trace import check, traced, traced_replay
from nttforge.hw import StreamCore
from nttforge.kinds.stream.verify import verify
from nttforge.simulate.build import build_simulator
from nttforge.simulate.stream import StallPattern, StreamRun
from nttforge.simulate.waves import cycles, paths
from tests.mutants import mutated
from tests.unit.cli.cli_calls import call

ROW = {
    "name": "traced-row",
    "family": "iterative",
    "rings": [{"n": 16, "q": 97}],
    "iterative": {"butterflies": 2},
}
PLAIN = {"name": "traced-plain", "rings": [{"n": 16, "q": 97}]}
SHELLED = {"name": "traced-shell", "rings": [{"n": 16, "q": 97}]}
STALLED = StallPattern.random(0.3)


@pytest.fixture(scope="module")
def plain() -> Any:
    return prepare(parse_design(PLAIN, "plain"))


@pytest.fixture(scope="module")
def row() -> Any:
    return prepare(parse_design(ROW, "row"))


def streamed(prepared: Prepared[StreamCore], trace: Path | None) -> tuple[StreamRun, Any]:
    """Every operation twice, under stalls."""
    operations = [*prepared.core.operations] * 2
    rng = np.random.default_rng(1)
    given = np.concatenate([random_polynomials(op.ring, 1, rng) for op in operations])
    with traced(prepared, trace), prepared.simulator() as simulator:
        run = simulator.stream(operations, given, source=STALLED, sink=STALLED, seed=5)
    return run, given


def viewed(trace: Path) -> tuple[str, set[str]]:
    """Scope of the view in a trace, and all signals."""
    with trace.open() as file:
        names = {name for name, _, _ in paths(file)}
    (scope,) = {name.removesuffix(".cycle") for name in names if name.endswith("u_view.cycle")}
    return scope, names


def beats(trace: Path, tap: str, moves: str) -> Iterator[tuple[int, str, dict[int, int]]]:
    """(cycle, operation, index -> value) of each beat that a tap shows."""
    scope, names = viewed(trace)
    here = f"{scope}.{tap}"
    lanes = sorted(
        name.removesuffix(".index")
        for name in names
        if name.startswith(f"{here}.lane_") and name.endswith(".index")
    )
    ports = [f"{lane}.{what}" for lane in lanes for what in ("index", "value")]
    asked = [f"{scope}.cycle", f"{here}.operation", f"{here}.valid", moves, *ports, "TOP.rst_ni"]
    for seen in cycles(trace, asked):
        if seen["TOP.rst_ni"] and seen[f"{here}.valid"] and seen[moves]:
            text = seen[f"{here}.operation"]
            name = text.to_bytes((text.bit_length() + 7) // 8, "big").decode().strip()
            words = {seen[f"{lane}.index"]: seen[f"{lane}.value"] for lane in lanes}
            yield seen[f"{scope}.cycle"], name, words


def joined(found: list[tuple[int, str, dict[int, int]]], size: int) -> list[dict[int, int]]:
    """The beats of each transform together."""
    return [
        {index: value for _, _, words in found[at : at + size] for index, value in words.items()}
        for at in range(0, len(found), size)
    ]


@pytest.mark.parametrize("kind", ["pipeline", "iterative"])
def test_a_trace_shows_what_was_streamed(kind: str, plain: Any, row: Any, tmp_path: Path) -> None:
    prepared = plain if kind == "pipeline" else row
    trace = tmp_path / "x.vcd"
    run, given = streamed(prepared, trace)
    plain, _ = streamed(prepared, None)
    assert (run.outputs == plain.outputs).all() and run.cycles == plain.cycles
    core, size = prepared.core, prepared.core.stream.beats
    names = [operation.name for operation in core.operations] * 2
    for side, data, first, last in (
        ("s_axis", given, run.first_in, run.last_in),
        ("m_axis", run.outputs, run.first_out, run.last_out),
    ):
        found = list(beats(trace, side, f"TOP.{side}_tready"))
        assert [at for at, _, _ in found[::size]] == first.tolist()
        assert [at for at, _, _ in found[size - 1 :: size]] == last.tolist()
        assert [name for _, name, _ in found[::size]] == names
        for words, polynomial in zip(joined(found, size), data, strict=True):
            assert [words[i] for i in range(16)] == polynomial.tolist()
    scope, _ = viewed(trace)
    if kind == "pipeline":
        found = list(beats(trace, "butterflies_0", f"{scope}.t1_moves"))
        seen = joined(found, size)
    else:
        every = list(beats(trace, "butterflies", f"{scope}.t1_moves"))
        seen = joined([each for each in every if each[1].endswith(" 0")], size)
    assert [[words[i] for i in range(16)] for words in seen] == given.tolist()


def test_both_formats_say_the_same(row: Any, tmp_path: Path) -> None:
    pywellen = pytest.importorskip("pywellen")
    files = [tmp_path / "x.vcd", tmp_path / "x.fst"]
    for file in files:
        streamed(row, file)
    assert files[1].stat().st_size < files[0].stat().st_size / 4
    ours, theirs = (
        {each.full_name: each for each in pywellen.Waveform(str(file)).all_vars()} for file in files
    )
    views = {name for name in ours if ".u_view." in name and "words" not in name}
    assert len(views) > 50 and views <= set(theirs)  # arrays are called differently
    changes = 0
    for name in set(ours) & set(theirs):
        one, other = list(ours[name].signal), list(theirs[name].signal)
        assert one == other, name
        changes += len(one)
    assert changes > 10_000


def shown_names(folder: Path) -> tuple[list[str], list[str]]:
    """Signals that the files for both viewers name."""
    (save,), (commands,) = folder.glob("*.gtkw"), folder.glob("*.sucl")
    gtkwave = [line for line in save.read_text().splitlines() if line.startswith("TOP.")]
    return gtkwave, re.findall(r"variable_add (\S+)", commands.read_text())


def widths(trace: Path) -> Mapping[str, int]:
    with trace.open() as file:
        return {name: bits for name, _, bits in paths(file)}


def ranged(name: str, bits: int) -> str:
    return name if bits == 1 else f"{name}[{bits - 1}:0]"


def check_viewers(folder: Path, trace: Path) -> None:
    there = widths(trace)
    gtkwave, surfer = shown_names(folder)
    assert len(gtkwave) == len(surfer) > 10
    assert set(surfer) <= set(there)
    assert [ranged(name, there[name]) for name in surfer] == gtkwave


@pytest.mark.parametrize("design", ["plain", "row"])
def test_viewers_find_every_signal(design: str, request: Any, tmp_path: Path) -> None:
    streamed(request.getfixturevalue(design), tmp_path / "x.vcd")
    check_viewers(tmp_path, tmp_path / "x.vcd")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shell", "sam-tiny"])
def test_viewers_find_every_signal_of_engines_in_memory(name: str, tmp_path: Path) -> None:
    with_shell = {**SHELLED, "shell": {"instances": 2}}
    prepared = prepare_any(parse_design(with_shell, name) if name == "shell" else load_design(name))
    bench = backend_of(prepared.core)
    n = 16 if name == "shell" else 1 << prepared.core.least  # type: ignore[attr-defined]
    with traced(prepared, tmp_path / "x.vcd"):
        next(iter(bench.functions(prepared).values()))(np.arange(n))
    check_viewers(tmp_path, tmp_path / "x.vcd")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [("kem", "keygen", "--parameter-set", "512"), ("dsa", "keygen", "--set", "44")]
)
def test_viewers_find_every_signal_of_a_coprocessor(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path / "x.vcd"
    code, said, _ = call(capsys, *words, "--trace", trace)
    assert code == 0 and str(trace) in said
    check_viewers(tmp_path, trace)
    scope, _ = viewed(trace)
    assert any(name == "ntt" for _, name, _ in beats(trace, "s_axis", f"{scope}.t0_moves"))


@pytest.mark.slow
def test_what_failed_is_traced_alone(small: Any, tmp_path: Path) -> None:
    package = next(small.folder.glob("*_pkg.sv")).name
    word = re.findall(r"'h([0-9a-f]+)", (small.folder / package).read_text())[0]
    wrong = f"{int(word, 16) ^ 1:0{len(word)}x}"
    broken = mutated(small, tmp_path / "broken", package, f"'h{word}", f"'h{wrong}")
    result = verify(broken, transforms=20)
    trace = tmp_path / "x.vcd"
    assert not result.ok and traced_replay(broken, result.replay, trace, lambda _: None)
    first = result.mismatches[0]
    found = list(beats(trace, "m_axis", "TOP.m_axis_tready"))
    size = small.core.stream.beats
    seen = [found[at : at + size] for at in range(len(found) - size + 1)]
    words = [{i: v for _, _, beat in part for i, v in beat.items()} for part in seen]
    assert any(each.get(first.coefficient) == int(first.got) for each in words)
    assert len(found) < 4 * size  # the chunk has many more
    assert result.replay is not None and found[-1][0] <= result.replay.last
    right = verify(small, transforms=20)
    assert right.replay is None and not traced_replay(small, right.replay, trace, lambda _: None)


def test_what_is_not_traced_is_as_before(row: Any, tmp_path: Path) -> None:
    before = build_simulator(row.folder, row.core.name)
    streamed(row, tmp_path / "x.vcd")
    assert build_simulator(row.folder, row.core.name) == before
    assert b"nttforge_trace" not in before.read_bytes()


def test_what_cannot_be_traced_is_said_first(tmp_path: Path) -> None:
    with pytest.raises(NttforgeError, match=r"use .fst, or .vcd"):
        check(tmp_path / "x.wave")
    with pytest.raises(NttforgeError, match="no such folder"):
        check(tmp_path / "nowhere" / "x.vcd")
    check(None)


def test_the_command_writes_a_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    design = tmp_path / "d.toml"
    design.write_text(design_toml(parse_design(ROW, "row")))
    given = tmp_path / "x.txt"
    given.write_text(" ".join(map(str, range(16))))
    trace = tmp_path / "t.vcd"
    words = ("run", design, "--op", "ntt", "--input", given, "--output", tmp_path / "y.txt")
    code, said, _ = call(capsys, *words, "--trace", trace)
    assert code == 0 and "gtkwave" in said
    found = list(beats(trace, "m_axis", "TOP.m_axis_tready"))
    got = joined(found, 4)[0]
    assert [got[i] for i in range(16)] == list(map(int, (tmp_path / "y.txt").read_text().split()))
