# SPDX-License-Identifier: Apache-2.0
"""AXI4-Stream, AXI4-Lite and AXI4 of whole tops, by rules that know nothing of our code.

Streams by induction: for ever, from any state. A port of registers likewise, alone; and in large
tops each of its channels, and all streams of the coprocessor: there, memories and what computes may
do anything at all, so that what holds, holds whatever they do. A shell with its engine for a number
of cycles from reset, in which registers have been written and a job, whose arguments may be
anything, has asked for words; the engine for large transforms likewise, by the top that has all of
its handshakes. The same rules are bound in simulation.
"""

from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from nttforge.cache import design_files
from nttforge.design import parse_design
from nttforge.flow.prepare import Prepared, prepare_any
from nttforge.kinds.decomposed.verify import verify_decomposed
from nttforge.kinds.stream.verify import verify
from tests.formal.buses import RULES, bound, from_reset
from tests.formal.proof import HERE, broken, holds, library, write_smt
from tests.modules import SMALL

RING = {"n": 16, "q": 97}
TOPS: dict[str, dict[str, Any]] = {
    "pipeline": {"rings": [RING]},
    "iterative": {"rings": [RING], "family": "iterative"},
    "flushed": {"rings": [RING], "pipeline": {"flush": True}},
}
SHELL = {"rings": [RING], "shell": {"data_width": 64, "burst_bytes": 64, "latency_cycles": 1}}
LITE = ("shell/ntf_shell_pkg.sv", "shell/ntf_axi_lite_port.sv")
SLICE = "prim/ntf_prim_axis_slice.sv"


def prepared(keys: dict[str, Any]) -> Prepared[Any]:
    return prepare_any(parse_design({"name": "dut"} | keys, "test"))


#: What computes in the large tops, by family.
_FREE = """
decomposed ntf_decomposed_datapath
mlkem      ntf_prim_ram_1r1w ntf_prim_rom ntf_keccak_f1600 ntf_pipeline ntf_mlkem_reduce basemul
mldsa      ntf_prim_ram_1r1w ntf_prim_rom ntf_keccak_f1600 ntf_pipeline ntf_mldsa_mac power2round
"""
FREE = {family: modules for family, *modules in map(str.split, _FREE.split("\n")[1:-1])}
FREE["pqc"] = list(dict.fromkeys(FREE["mlkem"] + FREE["mldsa"]))


#: Of both standards the core, whose commands are streams: registers are those of the others.
BOTH = {"standards": ["ml-kem", "ml-dsa"], "registers": False}
WHOLE = SMALL | {"pqc": {"family": "lattice", "lattice": BOTH}}


def _ends(port: str, *names: str) -> str:
    return " | ".join(f"{port}.{name}" for name in names)


def _kem_ends(core: str) -> dict[str, str]:
    ends = ("ctrl_i.wipe", "ctrl_i.cut", "ctrl_i.abandon", "closing_o")
    return dict.fromkeys(("m_pub", "m_sec"), _ends(f"{core}.u_output", *ends))


def _dsa_ends(core: str) -> dict[str, str]:
    ends = ("wipe_i", "abort_i", "abandon_i", "closing_q")
    ports = {"m_pub": "u_output.u_port", "m_sec": "u_sec_port"}
    return {bus: _ends(f"{core}.{port}", *ends) for bus, port in ports.items()}


_KEM, _DSA = _kem_ends("u_kem"), _dsa_ends("u_dsa")
#: Wiping gives up what a coprocessor offers, and a word of zeros ends the packet. In the core of
#: both standards a port is that of the one whose turn it is, which changes between idle ones; an
#: operation ends once.
GIVEN_UP = {
    "mlkem": _kem_ends("u_core"),
    "mldsa": _dsa_ends("u_core"),
    "pqc": {bus: f"(kem ? {_KEM[bus]} : {_DSA[bus]}) | u_control.given" for bus in _KEM}
    | {"m_result": "u_control.given | (kem & status.done)"},
}


def model(keys: dict[str, Any], folder: Path, *mutant: str, **rules: Any) -> Path:
    """The top of a design with the rules; `mutant` is a file, what it has, and what it has then."""
    made = prepared(keys)
    files = design_files(made.folder)
    if mutant:
        name, good, bad = mutant
        files = [broken(f, good, bad, folder) if f.name == Path(name).name else f for f in files]
    wrapper = made.core.wrapper
    sources = [*files, *bound(wrapper, folder, **rules), from_reset(wrapper, folder)]
    free = FREE.get(keys.get("family", ""), ())
    return write_smt(folder, "bus_proof", sources, own=False, free=free)


@pytest.mark.parametrize("name", TOPS)
def test_streams(name: str, tmp_path: Path) -> None:
    smt = model(TOPS[name], tmp_path)
    assert holds(smt, 8)
    assert holds(smt, 3, induction=True)


@pytest.mark.parametrize("name", TOPS)
def test_proofs_of_streams_can_fail(name: str, tmp_path: Path) -> None:
    """An output that is taken back."""
    smt = model(TOPS[name], tmp_path, SLICE, "if (give) valid_q <=", "valid_q <=")
    assert not holds(smt, 3, induction=True)


def lite(folder: Path, take_reg: int, *mutant: str) -> Path:
    package, port = library(*LITE)
    port = broken(port, mutant[0], mutant[1], folder) if mutant else port
    sources = [package, port, *RULES, HERE / "lite_proof.sv"]
    return write_smt(folder, "lite_proof", sources, {"TakeReg": take_reg})


@pytest.mark.parametrize("take_reg", [0, 1])
def test_registers(take_reg: int, tmp_path: Path) -> None:
    smt = lite(tmp_path, take_reg)
    assert holds(smt, 8)
    assert holds(smt, 4, induction=True)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("else if (ctrl_req_i.bready) bvalid_q", "else bvalid_q"),
        ("(~bvalid_q | ctrl_req_i.bready)", "1'b1"),
        ("arready: ~rvalid_q", "arready: 1'b1"),
        ("{berror_q, 1'b0}", "{1'b0, berror_q}"),
        (" & ~reading", ""),
        (" & ~writing", ""),
    ],
)
def test_proofs_of_registers_can_fail(tmp_path: Path, good: str, bad: str) -> None:
    assert not holds(lite(tmp_path, 1, good, bad), 8)


@pytest.mark.slow
def test_a_shell(tmp_path: Path) -> None:
    assert holds(model(SHELL, tmp_path), 24)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "good", "bad"),
    [
        ("ntf_axi_bursts.sv", "else if (aready_i) avalid_q", "else avalid_q"),
        ("ntf_axi_lite_port.sv", "else if (ctrl_req_i.bready) bvalid_q", "else bvalid_q"),
    ],
)
def test_the_proof_of_a_shell_can_fail(tmp_path: Path, file: str, good: str, bad: str) -> None:
    assert not holds(model(SHELL, tmp_path, file, good, bad), 24)


def coprocessor(family: str, folder: Path, *mutant: str) -> Path:
    buses = prepared(WHOLE[family]).core.wrapper.buses
    return model(WHOLE[family], folder, *mutant, channels=buses, given_up=GIVEN_UP[family])


@pytest.mark.slow
@pytest.mark.parametrize("family", GIVEN_UP)
def test_a_coprocessor(family: str, tmp_path: Path) -> None:
    """All its ports, for ever, but for a packet that the wiping ends."""
    smt = coprocessor(family, tmp_path)
    assert holds(smt, 4)
    assert holds(smt, 4, induction=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "file", "good", "bad"),
    [
        ("mlkem", "ntf_mlkem_output.sv", "m_pub_ready_i | ctrl_i.wipe", "1'b1"),
        ("mlkem", "ntf_axi_lite_port.sv", "else if (ctrl_req_i.bready) bvalid_q", "else bvalid_q"),
        ("mlkem", "ntf_prim_axis_slice.sv", "if (give) valid_q <=", "valid_q <="),
        ("mldsa", "ntf_prim_axis_slice.sv", "if (give) valid_q <=", "valid_q <="),
        ("mldsa", "ntf_packet_port.sv", "m_tready | wipe_i", "1'b1"),
        ("pqc", "ntf_packet_port.sv", "m_tready | wipe_i", "1'b1"),
        ("pqc", "ntf_pqc_control.sv", "end else if (ready_i) begin", "end else begin"),
    ],
)
def test_the_proof_of_a_coprocessor_can_fail(
    tmp_path: Path, family: str, file: str, good: str, bad: str
) -> None:
    smt = coprocessor(family, tmp_path, file, good, bad)
    assert not holds(smt, 4, induction=True)


@pytest.mark.slow
def test_the_registers_of_the_decomposed_engine(tmp_path: Path) -> None:
    smt = model(SMALL["decomposed"], tmp_path, channels=["s_axi_control"])
    assert holds(smt, 4)
    assert holds(smt, 4, induction=True)


#: Engines for large transforms, with a memory port and with two.
LARGE = {
    "one port": SMALL["decomposed"],
    "two ports": SMALL["decomposed"]
    | {"decomposed": {"l_max": 8, "n": 32, "t": 8, "port_bits": 64}},
}
#: Cycles from reset: enough for a job to begin, and to ask for words.
DEPTH = 28


def paced(keys: dict[str, Any], folder: Path, *mutant: str) -> Path:
    """The engine that has all handshakes of the whole one, and no words."""
    made = prepared(keys)
    core, outside = made.core, made.core.wrapper
    files = list(design_files(made.folder))
    (wrapper,) = (path for path in files if path.stem == outside.name)
    files.remove(wrapper)
    files += [
        made.folder / f"{core.cycles}.sv",
        broken(wrapper, f"  {core.name} u_top", f"  {core.cycles} u_top", folder),
    ]
    if mutant:
        name, good, bad = mutant
        files = [broken(f, good, bad, folder) if f.name == name else f for f in files]
    rules = bound(replace(outside, top=core.cycles), folder)
    sources = [*dict.fromkeys(files), *rules, from_reset(outside, folder)]
    return write_smt(folder, "bus_proof", sources, own=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_the_decomposed_engine(name: str, tmp_path: Path) -> None:
    assert holds(paced(LARGE[name], tmp_path), DEPTH)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize(
    ("file", "good", "bad"),
    [
        ("ntf_burst_reader.sv", "else if (read_rsp_i.arready) arvalid_q", "else arvalid_q"),
        ("ntf_burst_walker.sv", "len:    ahead_len_q", "len:    8'd255"),
    ],
)
def test_the_proof_of_the_decomposed_engine_can_fail(
    tmp_path: Path, name: str, file: str, good: str, bad: str
) -> None:
    assert not holds(paced(LARGE[name], tmp_path, file, good, bad), DEPTH)


def watched(made: Prepared[Any], folder: Path, *mutant: str) -> Prepared[Any]:
    """The design with the rules in it, which simulation checks as it does all assertions."""
    copy = folder / "watched"
    copytree(made.folder, copy)
    with (copy / "files.f").open("a", encoding="utf-8") as files:
        for path in bound(made.core.wrapper, folder):
            (copy / path.name).write_text(path.read_text())
            files.write(f"{path.name}\n")
    if mutant:
        (file,) = copy.rglob(mutant[0])
        _, good, bad = mutant
        broken(file, good, bad, file.parent)
    return replace(made, folder=copy)


@pytest.mark.parametrize(
    "keys",
    [TOPS["pipeline"], pytest.param(SHELL, marks=pytest.mark.slow)],
    ids=["pipeline", "shell"],
)
def test_simulation_keeps_to_the_rules(keys: dict[str, Any], tmp_path: Path) -> None:
    """Under all stalls, random ones too."""
    assert verify(watched(prepared(keys), tmp_path), transforms=60, seed=3).ok


@pytest.mark.slow
@pytest.mark.parametrize("keys", LARGE.values(), ids=LARGE)
def test_simulation_of_large_engines_keeps_to_the_rules(
    keys: dict[str, Any], tmp_path: Path
) -> None:
    result = verify_decomposed(watched(prepared(keys), tmp_path), count=1, seed=3, largest=8)
    assert result.ok, result.violation


def test_simulation_looks_at_the_rules(tmp_path: Path) -> None:
    """What the harness finds it finds a clock before the rules: so it is a rule that is broken."""
    mutant = ("axi_stream_rules.sv", "Stays_A : assert (stays)", "Stays_A : assert (~stays)")
    result = verify(watched(prepared(TOPS["pipeline"]), tmp_path, *mutant), transforms=20, seed=3)
    assert not result.ok and "axi_stream_rules" in str(result.violation)
