# SPDX-License-Identifier: Apache-2.0
"""AXI4 and AXI4-Lite with independent bus models (cocotbext-axi): movers, and whole kernels."""

from importlib import import_module
from pathlib import Path

import pytest

from nttforge.cache import design_files
from nttforge.flow.prepare import prepare
from nttforge.rtl_library import rtl_root
from tests.cocotb.stream_bench import HERE, run

MOVERS = ("ntf_axi_bursts", "ntf_axi_watch", "ntf_axi_reader", "ntf_axi_writer")


def movers(folder: Path, mutant: tuple[str, str, str] | None = None) -> None:
    """Run the movers' cases, on a library in which one place of one module is changed."""
    paths = {name: rtl_root() / "shell" / f"{name}.sv" for name in MOVERS}
    if mutant:
        name, good, bad = mutant
        text = paths[name].read_text("utf-8")
        assert text.count(good) == 1, (name, good)
        paths[name] = folder / f"{name}.sv"
        paths[name].write_text(text.replace(good, bad), "utf-8")
    names = (
        "prim/ntf_prim_pkg",
        "prim/ntf_prim_ram_1r1w",
        "prim/ntf_prim_fifo",
        "shell/ntf_shell_pkg",
    )
    below = [rtl_root() / f"{name}.sv" for name in names]
    sources = [*below, *paths.values(), HERE / "axi_movers.sv"]
    run("axi_movers", sources, "tests.cocotb.mover_cases", folder)


def test_movers(tmp_path: Path) -> None:
    movers(tmp_path)


def test_kernel(tmp_path: Path) -> None:
    cases = import_module("tests.cocotb.kernel_cases")  # which builds its core
    prepared = prepare(cases.DESIGN)
    shell = prepared.core.shell
    assert shell is not None
    run(shell.vitis.name, design_files(prepared.folder), cases.__name__, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mutant",
    [
        ("ntf_axi_bursts", "(room_i) >= 32'(whole_q)", "(room_i) >= 32'd1"),
        ("ntf_axi_reader", "pending_q <= pending_q - CountW'(got)", "pending_q <= pending_q"),
        ("ntf_axi_reader", ".halt_i  (stop_i | error_q)", ".halt_i  (stop_i)"),
        ("ntf_axi_writer", ".halt_i  (stop_i | error_q)", ".halt_i  (error_q)"),
        ("ntf_axi_writer", "final_word_q ? last_strb_i : '1", "last_strb_i"),
        ("ntf_axi_writer", "= wvalid_q;", "= queue_valid;"),
    ],
)
def test_movers_can_fail(tmp_path: Path, mutant: tuple[str, str, str]) -> None:
    with pytest.raises(AssertionError):
        movers(tmp_path, mutant)
