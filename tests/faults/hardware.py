# SPDX-License-Identifier: Apache-2.0
"""The coprocessors with all their registers open, and which registers are control."""

from collections.abc import Mapping
from pathlib import Path

from nttforge.cache import design_files
from nttforge.design import load_design
from nttforge.flow.prepare import Prepared, prepare_any
from nttforge.hw.core import Core
from nttforge.simulate.cycles import CycleModel, Ports
from tests.coprocessors import BOTH_PORTS, DSA_PORTS, KEM_PORTS
from tests.formal.proof import broken
from tests.rtl.faulty import READ, Register, settings, without_assertions

KEM, DSA, BOTH = "ml-kem-coprocessor", "ml-dsa-coprocessor", "pqc-core"
SMALL, MIDDLE = "ml-kem-small", "ml-kem-middle"
#: Of fewer bytes a cycle than the others.
SCALED = (SMALL, MIDDLE)
#: Which verify, make keys, and sign; they are not in the campaign.
VERIFIER, KEYS, SIGNER = "ml-dsa-verify-small", "ml-dsa-keygen-small", "ml-dsa-small"
#: The same with eight bytes a cycle.
WIDE_SIGNER = "ml-dsa-middle"
#: Both standards with one engine each, by bytes a cycle; their commands are streams.
NARROW_BOTH = {4: "pqc-small", 8: "pqc-middle"}
#: With two cores, one of which is idle.
WITH_BOTH = (BOTH, *NARROW_BOTH.values())
PORTS: dict[str, Ports] = {
    **{KEM: KEM_PORTS, DSA: DSA_PORTS},
    **dict.fromkeys(WITH_BOTH, BOTH_PORTS),
    **dict.fromkeys(SCALED, KEM_PORTS),
    **dict.fromkeys((VERIFIER, KEYS, SIGNER, WIDE_SIGNER), DSA_PORTS),
}
OPEN = {"*": "*_q"}
#: Multipliers of ML-DSA's engine, which ML-KEM has in its turn.
LENT = "u_engine.gen_lane["
#: Where both cores hold their seeds, and what says that these have come.
SEEDS_UNIT = "u_seeds."
#: What decides about tries to sign.
TRIES_UNIT = "u_tries."
# Of registers: wider ones are data, but for states and rails that are kept against faults.
WIDEST = 20
KEPT = ("kept_q", "rail_q", "rails_q")
# Narrower ones that are data on their way: samples, coefficients, bytes of packed words.
DATA = ("sample_data", "coded", "fetched", "hold_q", "compared_q", "differs_q")


def hardware(name: str) -> Prepared[Core]:
    """The design folder of a coprocessor."""
    streams = {"lattice.registers": False} if name in NARROW_BOTH.values() else {}
    return prepare_any(load_design(name, streams))


def build(
    name: str, folder: Path, defects: Mapping[str, tuple[str, str]] | None = None
) -> CycleModel:
    """A coprocessor whose registers can be flipped, with other text in the modules with defects."""
    prepared = hardware(name)
    opened = settings(folder / "settings", OPEN, READ)
    # A chip has no assertions either.
    files = [_with_defect(path, folder, defects or {}) for path in design_files(prepared.folder)]
    sources = [opened, without_assertions(folder), *files]
    return CycleModel.build(folder / "model", sources, prepared.core.name, PORTS[name])


def _with_defect(path: Path, folder: Path, defects: Mapping[str, tuple[str, str]]) -> Path:
    return broken(path, *defects[path.stem], folder) if path.stem in defects else path


def is_control(register: Register) -> bool:
    """Whether a register decides something: all that is no wide data."""
    leaf = register.name.rpartition(".")[2]
    if leaf in KEPT:
        return True
    return register.bits <= WIDEST and not any(name in leaf for name in DATA)


def core_of(register: Register) -> str:
    """Which core of two a register belongs to: `kem`, `dsa`, or `shared`."""
    if LENT in register.name:
        return "shared"
    unit = register.name.partition(".")[0]
    return {"u_kem": "kem", "u_dsa": "dsa"}.get(unit, "shared")
