# SPDX-License-Identifier: Apache-2.0
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from nttforge.errors import NttforgeError
from nttforge.synthesize import yosys
from nttforge.synthesize.nextpnr import place_and_route
from nttforge.synthesize.static_timing import NameResolver, TimingGraph, delays, slowest_paths
from nttforge.synthesize.yosys import synthesize

SOURCE = Path(__file__).with_name("counter.sv")


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    shutil.copy(SOURCE, tmp_path)
    (tmp_path / "files.f").write_text("counter.sv\n")
    return tmp_path


def mapped(folder: Any, part: Any) -> Any:
    result = synthesize(folder, "counter", "ecp5", part=part)
    return result, json.loads(result.netlist.read_text())["modules"][result.top]


@pytest.mark.parametrize("part", ["gen_count[1].u_count", "u_count", "counter_unit"])
def test_a_part_is_mapped_alone_between_registers(folder: Any, part: str) -> None:
    result, module = mapped(folder, part)
    assert result.top == "counter_unit"
    assert result.counts["ff"] == 8 and result.counts["dsp"] == 0  # its own, not those at its ports
    registers = [cell for cell in module["cells"].values() if cell["type"] == "TRELLIS_FF"]
    assert len(registers) == 8 + 1 + 8
    names = NameResolver(module)
    found = slowest_paths(TimingGraph(module, delays(8)), names, 9)
    assert {(path.start, path.end) for path, _ in found} == {
        ("count_o", "count_o"),
        ("port.enable_i", "count_o"),
        ("count_o", "port.count_o"),
    }


def test_what_comes_from_a_port_is_timed(folder: Any) -> None:
    """The product has no register in front of it: the path through it begins at the port."""
    result, module = mapped(folder, "u_product")
    slowest, _ = slowest_paths(TimingGraph(module, delays(8)), NameResolver(module), 1)[0]
    assert slowest.start.startswith("port.") and slowest.end == "p_o"
    placed = place_and_route(result.netlist, seed=1)
    assert 1000 / placed.fmax_mhz == pytest.approx(slowest.delay_ns, rel=0.25)


def test_an_unknown_part_is_one_line(
    folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    with pytest.raises(NttforgeError, match=r"part: there is no instance u_produkt; .*u_product"):
        mapped(folder, "u_produkt")


def test_parts_of_a_design_are_elaborated_together(
    folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NTTFORGE_CACHE", str(tmp_path / "cache"))
    run, begun = yosys._run_yosys, []

    def no_further(passes: list[str], *rest: Any) -> None:
        begun.append(passes[0].split()[0])
        if begun[-1] != "read_slang":
            raise NttforgeError("here", "it ends", "as it should")
        run(passes, *rest)

    monkeypatch.setattr(yosys, "_run_yosys", no_further)
    for part in ("u_count", "u_product", ""):
        with pytest.raises(NttforgeError, match="it ends"):
            mapped(folder, part)
    assert begun == [*("read_slang", "read_rtlil"), "read_rtlil", *("read_slang", "read_rtlil")]
