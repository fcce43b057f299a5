# SPDX-License-Identifier: Apache-2.0
"""Ports of a compiled module, driven cycle by cycle from Python."""

import ctypes
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from nttforge.hw.wrapper import Wrapper
from nttforge.simulate import waveform as trace
from nttforge.simulate.build import CYCLE_HARNESS, build_simulator
from nttforge.simulate.shared_library import CompiledModel

_TOP = "cycle_wrapper"
# Verilator's ports of up to 64 bits are plain integers; more than that keeps all of them alike.
_LEAST_BITS = 65


@dataclass(frozen=True)
class Ports:
    """Ports beside `clk_i` and `rst_ni`: name -> bits; probes: name -> (signal path, bits)."""

    inputs: Mapping[str, int]
    outputs: Mapping[str, int]
    common: tuple[str, ...] = ("clk_i", "rst_ni")
    probes: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, wrapper: Wrapper) -> Self:
        """Those of a top whose wrapper has the same ports by the same names."""
        inputs, outputs = (
            {port.name: port.width for port in wrapper.ports if port.direction == way}
            for way in ("input", "output")
        )
        return cls(inputs, outputs)

    @property
    def read(self) -> dict[str, int]:
        """Widths of all that is read: outputs, then probes."""
        return {**self.outputs, **{name: bits for name, (_, bits) in self.probes.items()}}


def wrapper_text(module: str, parameters: Mapping[str, str], ports: Ports) -> str:
    """SystemVerilog of a wrapper with one input vector and one output vector."""
    given = ", ".join(f".{name}({value})" for name, value in parameters.items())
    connections = [f".{name}" for name in ports.common]
    for vector, fields in (("in_i", ports.inputs), ("out_o", ports.outputs)):
        offset = 0
        for name, bits in fields.items():
            connections.append(f".{name}({vector}[{offset}+:{bits}])")
            offset += bits
    read = sum(ports.read.values())
    offset = sum(ports.outputs.values())
    tie = []
    for path, bits in ports.probes.values():
        tie.append(f"  assign out_o[{offset}+:{bits}] = u_dut.{path};")
        offset += bits
    spare = _bits(ports.read) - read
    tie += [f"  assign out_o[{_bits(ports.read) - 1}-:{spare}] = '0;"] if spare else []
    return "\n".join(
        [
            "// verilator lint_off UNUSEDSIGNAL",
            f"module {_TOP} (input logic clk_i, input logic rst_ni,",
            f"  input logic [{_bits(ports.inputs) - 1}:0] in_i,",
            f"  output logic [{_bits(ports.read) - 1}:0] out_o);",
            f"  {module} #({given}) u_dut (",
            ",\n".join(f"    {connection}" for connection in connections),
            "  );",
            *tie,
            "endmodule\n",
        ]
    )


def _bits(fields: Mapping[str, int]) -> int:
    return max(_LEAST_BITS, sum(fields.values()))


def places(fields: Mapping[str, int]) -> Iterator[tuple[str, int, int]]:
    """(name, offset in the vector, mask) of each field."""
    offset = 0
    for name, bits in fields.items():
        yield name, offset, (1 << bits) - 1
        offset += bits


class CycleModel(CompiledModel):
    """A compiled module whose ports are read and written a cycle at a time."""

    def __init__(self, library: Path, ports: Ports) -> None:
        self.ports = ports
        super().__init__(library, prefix="nttforge_cycles")
        many = ctypes.c_uint64
        self._reset = self._declare("reset", ctypes.c_void_p)
        self._cycles = self._declare("run", ctypes.c_void_p, many, ctypes.c_char_p, ctypes.c_char_p)
        self._until = self._declare(
            "until",
            *(ctypes.c_void_p, many, ctypes.c_char_p, many),
            *(ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(many)),
            gives=many,
        )
        self._play = self._declare("play", *(ctypes.c_void_p,) * 2, gives=many)
        self._settle = self._declare("settle", ctypes.c_void_p)
        self._play_bytes: int = self._declare("play_size", gives=many)()
        self._state = self._declare("state", ctypes.c_void_p, gives=ctypes.c_void_p)
        self._registers = self._declare("registers", ctypes.c_void_p, gives=ctypes.c_char_p)
        self._state_bytes: int = self._declare("state_bytes", gives=many)()
        self._in_bytes: int = self._declare("in_bytes", gives=many)()
        self._out_bytes: int = self._declare("out_bytes", gives=many)()
        self._places = {name: (at, mask) for name, at, mask in places(ports.inputs)}
        self._shown = list(places(ports.read))
        self._bits = {name: 1 << at for name, at, _ in self._shown}
        self._buffer = ctypes.create_string_buffer(self._out_bytes)

    @staticmethod
    def compiled(
        folder: Path,
        sources: Sequence[Path],
        module: str,
        ports: Ports,
        parameters: Mapping[str, str] | None = None,
    ) -> Path:
        """Write a wrapper of `module` into `folder`, compile it with `sources`: the library."""
        folder.mkdir(parents=True, exist_ok=True)
        names = []
        for source in sources:
            (folder / source.name).write_bytes(source.read_bytes())
            names.append(source.name)
        (folder / f"{_TOP}.sv").write_text(wrapper_text(module, parameters or {}, ports), "utf-8")
        (folder / "files.f").write_text("\n".join([*names, f"{_TOP}.sv", ""]), "utf-8")
        library = build_simulator(folder, _TOP, CYCLE_HARNESS, called=module)
        asked = trace.current()
        if asked is not None:
            asked.scope += ".u_dut"
        return library

    @classmethod
    def kept(cls, sources: Sequence[Path], module: str, ports: Ports) -> Path:
        """Like :meth:`compiled`, in the build cache."""
        with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
            return cls.compiled(Path(scratch), sources, module, ports)

    @classmethod
    def build(
        cls,
        folder: Path,
        sources: Sequence[Path],
        module: str,
        ports: Ports,
        parameters: Mapping[str, str] | None = None,
    ) -> Self:
        """As :meth:`compiled`, and open it."""
        return cls(cls.compiled(folder, sources, module, ports, parameters), ports)

    def reset(self) -> None:
        """Pulse the reset."""
        self._reset(self._handle)

    def state(self) -> bytes:
        """All that the model holds: registers, memories and wires, in no order that is promised."""
        return ctypes.string_at(self._state(self._handle), self._state_bytes)

    def restore(self, state: bytes) -> None:
        """Go back to what :meth:`state` gave, of this same model."""
        ctypes.memmove(self._state(self._handle), state, self._state_bytes)

    def settle(self) -> None:
        """Evaluate after a register was written at its address (`public_flat_rd`)."""
        self._settle(self._handle)

    def registers(self) -> dict[str, tuple[int, int]]:
        """Bits and address, by path, of what a file of Verilator's settings made public."""
        lines = self._registers(self._handle).decode().splitlines()
        return {name: (int(bits), int(at)) for name, bits, at in map(str.split, lines)}

    def step(self, **inputs: int) -> dict[str, int]:
        """Drive the inputs (default 0), return the outputs before the clock's edge, then clock."""
        vector = self.packed(inputs).to_bytes(self._in_bytes, "little")
        self._cycles(self._handle, 1, vector, self._buffer)
        return self._unpacked(self._buffer.raw)

    def until(
        self, watched: bytes, counted: bytes, given: Sequence[int], most: int = 1
    ) -> tuple[int, dict[str, int], int]:
        """Step until an output of `watched` is high, `most` cycles at most; counts `counted`."""
        stride = self._in_bytes if len(given) > 1 else 0
        vectors = b"".join(vector.to_bytes(self._in_bytes, "little") for vector in given)
        tally = ctypes.c_uint64()
        count = len(given) if stride else most
        gone: int = self._until(
            *(self._handle, count, vectors, stride),
            *(watched, counted, self._buffer, ctypes.byref(tally)),
        )
        return gone, self._unpacked(self._buffer.raw), tally.value

    def mask(self, *names: str) -> bytes:
        """Outputs of a bit, as :meth:`until` takes them."""
        return sum(self._bits[name] for name in names).to_bytes(self._out_bytes, "little")

    def play(self, job: ctypes.Structure) -> int:
        """Stream words as the job says, see `Stimulus` in simulate/cycles.h; how it ended."""
        if ctypes.sizeof(job) != self._play_bytes:
            raise RuntimeError("the harness sees the job differently")
        ended: int = self._play(self._handle, ctypes.addressof(job))
        return ended

    def offset(self, name: str) -> int:
        """Offset of a port, in the vector of inputs or in that of outputs."""
        if name in self._places:
            return self._places[name][0]
        return next(at for shown, at, _ in self._shown if shown == name)

    def fields(self, stream: str) -> list[tuple[str, int, int]]:
        """Signals of a stream that are no handshake: name, offset behind `_tvalid`, and mask."""
        valid = self.offset(f"{stream}_tvalid")
        either = self.ports.inputs if f"{stream}_tvalid" in self._places else self.ports.read
        handshake = {f"{stream}_tvalid", f"{stream}_tready"}
        return [
            (name.removeprefix(f"{stream}_"), at - valid - 1, mask)
            for name, at, mask in places(either)
            if name.startswith(f"{stream}_") and name not in handshake
        ]

    def run(self, cycles: Sequence[Mapping[str, int]]) -> list[dict[str, int]]:
        """Several steps at once, for inputs that do not depend on outputs."""
        return list(self.outputs(self.replay(self.vectors(cycles))))

    def vectors(self, cycles: Sequence[Mapping[str, int]]) -> bytes:
        """Inputs as :meth:`replay` takes them."""
        return b"".join(self.packed(c).to_bytes(self._in_bytes, "little") for c in cycles)

    def replay(self, vectors: bytes) -> bytes:
        """Steps over inputs that were packed before; the packed outputs, a vector a cycle."""
        count = len(vectors) // self._in_bytes
        out = ctypes.create_string_buffer(self._out_bytes * count)
        self._cycles(self._handle, count, vectors, out)
        return out.raw

    def outputs(self, raw: bytes) -> Iterator[dict[str, int]]:
        """Outputs of :meth:`replay`, cycle by cycle."""
        for at in range(0, len(raw), self._out_bytes):
            yield self._unpacked(raw[at : at + self._out_bytes])

    def packed(self, inputs: Mapping[str, int]) -> int:
        """Inputs as a vector of bits; those that are not named are 0."""
        vector = 0
        for name, value in inputs.items():
            offset, mask = self._places[name]
            vector |= (value & mask) << offset
        return vector

    def _unpacked(self, raw: bytes) -> dict[str, int]:
        vector = int.from_bytes(raw, "little")
        return {name: vector >> offset & mask for name, offset, mask in self._shown}
