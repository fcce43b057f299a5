# SPDX-License-Identifier: Apache-2.0
"""Proof of the turn of the core for both standards: it changes between idle cores alone.

The controls of both cores are the real ones; ML-DSA's wiping is shortened. Bounded, from reset:
both cores wipe, and operations of both follow one another, are zeroized, and end in faults.
"""

from pathlib import Path

import pytest

from tests.formal.proof import HERE, broken, holds, library, write_smt

SWEEP = ("Sweep = 9'd264", "Sweep = 9'd2")
COMMON = (
    *("prim/ntf_prim_kept.sv", "prim/ntf_prim_rails.sv", "prim/ntf_prim_voted.sv"),
    *(
        "prim/ntf_prim_pkg.sv",
        "arith/ntf_arith_pkg.sv",
        "mlkem/ntf_mlkem_pkg.sv",
        "mldsa/ntf_mldsa_pkg.sv",
        "mlkem/ntf_wipe_words.sv",
    ),
)
CONTROLS = {
    f"ntf_{room}_control": f"{room}/ntf_{room}_control.sv" for room in ("pqc", "mlkem", "mldsa")
}
#: Wiping after reset, an operation, and the turn of the other core.
BOUND = 64


def model(folder: Path, mutant: tuple[str, str, str] | None = None) -> Path:
    paths = dict(zip(CONTROLS, library(*CONTROLS.values()), strict=True))
    paths["ntf_mldsa_control"] = broken(paths["ntf_mldsa_control"], *SWEEP, folder)
    if mutant:
        name, good, bad = mutant
        paths[name] = broken(paths[name], good, bad, folder)
    files = [*library(*COMMON), *paths.values(), HERE / "handover_proof.sv"]
    return write_smt(folder, "handover_proof", files)


def test_turn_changes_between_idle_cores(tmp_path: Path) -> None:
    assert holds(model(tmp_path), BOUND)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("ntf_pqc_control", "& dsa_i.idle & (state.kem | kem_i.idle)", ""),
        ("ntf_pqc_control", "~state.command[7] & kem_i.idle", "~state.command[7]"),
        ("ntf_mlkem_control", "idle: cmd_ready_o & (&gone)", "idle: cmd_ready_o"),
    ],
)
def test_proof_of_the_turn_can_fail(tmp_path: Path, name: str, good: str, bad: str) -> None:
    assert not holds(model(tmp_path, (name, good, bad)), BOUND)
