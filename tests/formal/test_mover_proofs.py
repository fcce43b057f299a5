# SPDX-License-Identifier: Apache-2.0
"""Proofs of the shell's movers: credits, bursts, promises; from reset, whatever the memory does."""

from pathlib import Path

import pytest

from tests.formal.proof import HERE, broken, holds, library, write_smt

COMMON = (
    *("prim/ntf_prim_pkg.sv", "prim/ntf_prim_ram_1r1w.sv", "prim/ntf_prim_fifo.sv"),
    *("shell/ntf_shell_pkg.sv", "shell/ntf_axi_watch.sv"),
)
FILES = {name: f"shell/ntf_axi_{name}.sv" for name in ("bursts", "reader", "writer")}
#: Cycles from reset: two bursts, their answers, and what follows.
BOUND = {"reader": 14, "writer": 10}


def model(
    folder: Path, mover: str, mutant: tuple[str, str, str] | None = None, **parameters: int
) -> Path:
    sources = {name: path for name, path in FILES.items() if name in ("bursts", mover)}
    paths = dict(zip(sources, library(*sources.values()), strict=True))
    if mutant:
        name, good, bad = mutant
        paths[name] = broken(paths[name], good, bad, folder)
    top = f"{mover}_proof"
    files = [*library(*COMMON), *paths.values(), HERE / f"{top}.sv"]
    return write_smt(folder, top, files, parameters)


@pytest.mark.parametrize("mover", BOUND)
def test_movers(tmp_path: Path, mover: str) -> None:
    assert holds(model(tmp_path, mover), BOUND[mover])


def test_words_to_be_written_may_wait_in_block_ram(tmp_path: Path) -> None:
    assert holds(model(tmp_path, "writer", Block=1), BOUND["writer"])


@pytest.mark.parametrize(
    ("mover", "file", "good", "bad"),
    [
        ("reader", "bursts", "(room_i) >= 32'(whole_q)", "(room_i) >= 32'd1"),
        ("reader", "bursts", "(~avalid_q | aready_i)", "1'b1"),
        ("reader", "reader", "+ CountW'(gone_q)", "+ CountW'(1)"),
        ("reader", "reader", "asking | owed_q", "asking"),
        ("reader", "reader", "(read_rsp_i.rresp != '0)", "read_rsp_i.rresp[1]"),
        ("reader", "reader", " | (read_rsp_i.rlast != final_place)", ""),
        ("reader", "reader", " | (pending_q == CountW'(1))", ""),
        ("reader", "reader", "rvalid & owed_q", "rvalid"),
        ("reader", "reader", "(~owed_q | ", "("),
        ("writer", "writer", ".room_i  (free_q)", ".room_i  (stored)"),
        ("writer", "writer", "final_word_q | final_place", "final_place"),
        ("writer", "writer", "wvalid | owed_q", "wvalid"),
        ("writer", "writer", "(write_rsp_i.bresp != '0)", "write_rsp_i.bresp[1]"),
        ("writer", "writer", "bvalid & owed_q", "bvalid"),
        ("writer", "writer", "(~owed_q | ", "("),
        (
            "writer",
            "bursts",
            "addr_q + (AddrW'(len_o) << WordShift)",
            "addr_q + AddrW'(BurstWords)",
        ),
    ],
)
def test_movers_proof_can_fail(tmp_path: Path, mover: str, file: str, good: str, bad: str) -> None:
    assert not holds(model(tmp_path, mover, (file, good, bad)), BOUND[mover])
