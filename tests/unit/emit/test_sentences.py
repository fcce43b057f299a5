# SPDX-License-Identifier: Apache-2.0
"""What a README says of a design, read back and compared with what was derived for it."""

import re
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from nttforge.design import Design, load_design
from nttforge.emit.design_folder import render
from nttforge.flow.generate import generate
from nttforge.flow.prepare import prepare
from nttforge.hw import StreamCore, build
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa.standard import REGISTERS as MLDSA_REGISTERS
from nttforge.kinds.lattice.mlkem.program import SETS, KemOperation, program_of
from nttforge.kinds.lattice.mlkem.standard import REGISTERS
from nttforge.kinds.stream.measure import measure
from nttforge.rtl_library import rtl_root
from nttforge.table import Table
from tests.coprocessors import register
from tests.marks import first
from tests.unit.emit.draws import draw, drawn, seeds_of

_STREAMS = seeds_of("pipeline", "iterative")


def built(seed: int) -> tuple[Any, Design, dict[str, str]]:
    design = drawn(seed)
    core = build(design)
    return core, design, render(core, design)


def table(text: str, heading: str) -> list[dict[str, str]]:
    """The rows of the first table that begins with `heading`, by column."""
    lines = text[text.index(f"\n{heading}") + 1 :].split("\n")
    rows = [
        [
            cell.strip().strip("`") if at == 0 else cell.strip()
            for cell in line.strip("|").split("|")
        ]
        for at, line in enumerate(lines)
    ]
    end = next(i for i, line in enumerate(lines) if not line.startswith("|"))
    return [dict(zip(rows[0], row, strict=True)) for row in rows[2:end]]


@pytest.mark.long
@pytest.mark.parametrize("seed", _STREAMS[:24])
def test_streams(seed: int) -> None:
    core, _, files = built(seed)
    assert isinstance(core, StreamCore)
    text, stream = files["README.md"], core.stream
    rows = table(text, "| `tuser`")
    assert len(rows) == len(core.operations)
    for row, operation in zip(rows, core.operations, strict=True):
        assert row["operation"] == f"`{operation.name}`"
        assert int(row["tuser"]) == operation.code
        assert int(row["operands"]) == operation.operands
        assert int(row["latency"]) == operation.latency
        intervals: Any = core.facts["intervals"]
        assert int(row["cycles"]) == intervals[operation.code]
        beats = operation.operands * operation.input_layout.beats
        assert int(row["idle"]) == max(0, int(row["cycles"]) - beats)
    ports = {row["signal"]: row for row in table(text, "| signal")}
    data = ports["`s_axis_tdata`, `m_axis_tdata`"]
    ((lanes, what, bits),) = re.findall(r"(\d+) (\w+?)s? of (\d+) bits", data["meaning"])[:1]
    assert (int(lanes), int(bits)) == (stream.lanes, stream.word_bits)
    sizes = re.findall(r"each lane (\d+) bytes?,", data["meaning"])
    assert int(data["bits"]) == int(lanes) * (8 * int(sizes[0]) if sizes else int(bits))
    assert bool(sizes) == stream.byte_lanes == ("`s_axis_tkeep`, `m_axis_tkeep`" in ports)
    odd = f"A beat of {stream.data_bits} bits is not a whole number of bytes" in text
    assert odd == (stream.data_bits % 8 != 0)
    packed = [op for op in core.operations if op.packed_bits]
    assert (what == "word") == bool(packed)
    for operation in packed:
        assert f"two coefficients of {operation.packed_bits} bits" in data["meaning"]
        assert f"`{operation.name}`" in data["meaning"]
    lengths = {
        int(found) for found in re.findall(r"(\d+) beats?\b", ports["`s_axis_tuser`"]["meaning"])
    }
    assert lengths == {operation.output_layout.beats for operation in core.operations}
    assert int(ports["`s_axis_tuser`"]["bits"]) == stream.user_bits
    assert int(ports["`m_axis_tuser`"]["bits"]) == stream.user_bits + 1
    unknown = len(core.operations) < 1 << stream.user_bits
    assert ("no known operation" in ports["`m_axis_tuser`"]["meaning"]) == unknown


@pytest.mark.parametrize("seed", first(_STREAMS[:24], 6))
def test_factors_and_turns(seed: int) -> None:
    core, design, files = built(seed)
    assert isinstance(core, StreamCore)
    text = files["README.md"]
    said = dict(re.findall(r"`([\w.-]+)` divides by (\d+)", text))
    assert {name: int(by) for name, by in said.items()} == {
        op.name: 1 << op.ring.layers for op in core.operations if op.inverse
    }
    contexts: Any = core.facts.get("contexts", 1)
    several = int(contexts)
    assert (f"With {several} operations under way" in text) == (several > 1)
    free = "Any operation follows any other without an idle cycle" in text
    if design.family == "iterative" or len(core.operations) == 1:
        assert not free and "| `" + core.operations[0].name + "` |" in text
        assert ("depend on both" in text) == (len(core.operations) > 1)
        return
    pairs = {
        (a.name, b.name): core.turnaround(a, b) for a in core.operations for b in core.operations
    }
    assert free == (not any(pairs.values()))
    if not free:
        rows = table(text[text.index("Idle cycles between") :], "| |")
        shown = {
            (row[""].strip("`"), name.strip("`")): int(row[name])
            for row in rows
            for name in row
            if name
        }
        assert shown == pairs


@pytest.mark.parametrize(
    "seed", first([s for s in _STREAMS if "shell.packing" in draw(s)[1]][:10], 3)
)
def test_shells(seed: int) -> None:
    core, _, files = built(seed)
    assert isinstance(core, StreamCore) and core.shell is not None
    text, top = files["README.md"], files[f"{core.shell.top}.sv"]
    assert f"the top module is `{core.shell.top}`." in text
    engines = f"{core.shell.instances} engine{'s' if core.shell.instances > 1 else ''}"
    assert f"has {engines}, each" in text and f"shell: {engines}, each" in top
    word = core.shell.store_bits * core.stream.lanes / 8
    for operation in core.operations:
        read, written = (int(word * operation.beats * n) for n in (operation.operands, 1))
        assert f"| `{operation.name}` | {read} | {written} |" in text


@pytest.mark.parametrize("seed", seeds_of("decomposed")[:6])
def test_large_engines(seed: int) -> None:
    core, _, files = built(seed)
    assert isinstance(core, DecomposedCore)
    text = files["README.md"]
    found = re.search(
        r"Modulus (\d+); sizes 2\^(\d+) to 2\^(\d+) \(negacyclic to 2\^(\d+)\).*\n"
        r"points use the root w = (\d+)\^\(2\^\((\d+) - L\)\), negacyclic ones psi, which\n"
        r"is (\d+)\^\(2\^\((\d+) - L\)\), so that psi\^2 = w\.",
        text,
    )
    assert found is not None
    q, least, largest, negacyclic, root, order, same, psi_order = map(int, found.groups())
    assert (q, least, largest) == (core.ring.q, core.least, core.largest)
    assert (same, psi_order) == (root, order - 1)
    generator = re.search(r"With the generator g = (\d+) these are w = g\^\(\(q-1\)/2\^L\)", text)
    assert (generator and int(generator.group(1))) == core.ring.generator
    if generator is not None:
        assert pow(int(generator.group(1)), (q - 1) >> order, q) == root
    for operation in core.operations:
        most = core.largest_of(operation)
        assert most == (negacyclic if operation.negacyclic else largest)
        for size in range(least, most + 1):
            used = pow(root, 1 << order - size, q)
            assert used == pow(core.root(operation, size), 1 + operation.negacyclic, q)
    rows = table(text, "| operation")
    assert [(row["operation"].strip("`"), int(row["code"])) for row in rows] == [
        (operation.name, operation.code) for operation in core.operations
    ]
    for row, operation in zip(rows, core.operations, strict=True):
        assert ("x^N + 1" in row[""]) == operation.negacyclic
        assert ("back" in row[""]) == operation.inverse


@pytest.mark.parametrize("seed", seeds_of("mlkem")[:4])
def test_coprocessors(seed: int) -> None:
    core, _, files = built(seed)
    assert isinstance(core, LatticeCore)
    text, command = files["README.md"], register("command")
    operations, sets = table(text, "| code | operation"), table(text, "| code | parameter")
    # The last one has the code of Decaps, and a flag.
    seeded = operations.pop()
    assert (seeded["operation"], seeded["code"]) == ("`decaps_seed`", "2, with `seed`")
    assert [row["operation"].strip("`") for row in operations] == list(
        command.field("operation").values
    )
    assert [row["parameter set"] for row in sets] == [
        f"ML-KEM-{v}" for v in command.field("set").values
    ]
    assert all(int(row["code"]) == at for rows in (operations, sets) for at, row in enumerate(rows))
    rounds = core.rounds_per_cycle
    assert f"Keccak does {rounds} round{'s' if rounds > 1 else ''} a cycle" in text
    # However many cores share them.
    cores = core.keccak_cores
    assert (f"has {cores} cores" in text) == (cores > 1)
    for row in table(text, "| | ML-KEM-512"):
        for p in SETS:
            whole = program_of(cast("KemOperation", row[""].strip("`")), p)
            assert int(row[p.name]) == whole.permutations


@pytest.mark.parametrize("name", ["ml-dsa-core", "ml-dsa-coprocessor", "pqc-core"])
def test_streams_of_every_operation(name: str, tmp_path: Path) -> None:
    """What it takes and gives is said of each that has a code."""
    generate(load_design(name), tmp_path / "core")
    rows = table((tmp_path / "core/README.md").read_text(), "| operation | `s_sec`")
    said = {row["operation"].split("`")[1] for row in rows if "ML-KEM" not in row["operation"]}
    assert said == set(MLDSA_REGISTERS["command"].field("operation").values)


@pytest.mark.parametrize(
    ("name", "of"),
    [("ml-kem-coprocessor", "ML-KEM"), ("ml-dsa-core", "ML-DSA"), ("pqc-core", "both")],
)
def test_codes_on_the_terminal_are_those_of_the_registers(
    name: str, of: str, tmp_path: Path
) -> None:
    blocks = generate(load_design(name), tmp_path / "core").shown()
    shown = next(block for block in blocks if isinstance(block, Table))
    rows = [dict(zip(shown.columns, row, strict=True)) for row in shown.rows]
    for standard, registers in {"ML-KEM": REGISTERS, "ML-DSA": MLDSA_REGISTERS}.items():
        command = registers["command"]
        rows_of_it = [row for row in rows if row.get("standard", of) == standard]
        codes = {row["operation"]: str(row["code"]) for row in rows_of_it}
        if of not in (standard, "both"):
            assert not codes
            continue
        seeded = codes.pop("decaps_seed", None)
        assert seeded == ("2, with `seed`" if standard == "ML-KEM" else None)
        assert codes == {v: str(n) for n, v in enumerate(command.field("operation").values)}
        sets = [f"{standard}-{v}" for v in command.field("set").values]
        assert all(row["parameter sets, by code"] == ", ".join(sets) for row in rows_of_it)


def test_registers_of_a_folder_are_those_of_the_rtl() -> None:
    """Addresses of the C header against the constants of the decoders."""
    for name, decoder in (
        ("sam-tiny", "ntf_decomposed_control"),
        ("streamntt-12289", "ntf_shell_arguments"),
    ):
        design = load_design(name)
        core = build(design)
        prefix = core.name.upper()
        header = render(core, design)[f"{core.name}.h"]
        room = decoder.removeprefix("ntf_").split("_")[0]
        files = (f"{room}/{decoder}.sv", "shell/ntf_job_control.sv", "shell/ntf_job_registers.sv")
        rtl = "".join((rtl_root() / file).read_text() for file in files)
        known = {n: int(v, 16) for n, v in re.findall(r"Addr(\w+)\s*=\s*12'h([0-9a-f]+);", rtl)}
        names = {"OPERATION": "Operation", "STATUS": "Status", "FAULT": "Fault", "CYCLES": "Cycles"}
        names |= {"LOG_SIZE": "Size", "SOURCE": "Source", "TARGET": "Target", "COUNT": "Count"}
        names |= {"SCRATCH": "Work", "SHAPE": "Shape", "INSTANCES": "Instances"}
        names |= {"CONTROL": "Control", "GLOBAL_INTERRUPT": "Gie", "INTERRUPT_ENABLE": "Ier"}
        names |= {"INTERRUPT_STATUS": "Isr"}
        met = 0
        for macro, address in re.findall(rf"^#define {prefix}_(\w+) 0x(\w+)u$", header, re.M):
            if macro in names and names[macro] in known:
                assert int(address, 16) == known[names[macro]], macro
                met += 1
        assert met >= 9


@pytest.mark.slow
def test_an_iterative_folder_says_what_is_observed() -> None:
    """Idle cycles of operations after their own kind, as `measure` sees them."""
    design = load_design("ml-kem", {"family": "iterative", "iterative.butterflies": 2})
    prepared = prepare(design)
    rows = table((prepared.folder / "README.md").read_text(), "| `tuser`")
    seen = measure(prepared, transforms=40)
    for row in rows:
        operation = row["operation"].strip("`")
        assert seen.operations[operation].cycles_per_transform == int(row["cycles"])
    assert any(turn.input_idle_cycles for turn in seen.turnarounds)
    assert np.all([int(row["idle"]) > 0 for row in rows])
