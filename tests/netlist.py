# SPDX-License-Identifier: Apache-2.0
"""Netlists in four states, simulated with nothing but numpy.

A net has two bits: that it is known to be one, and that it is known to be zero; with neither, it is
X. Gates compute both at once, so that an inverter exchanges them and costs nothing. All gates of a
kind and of a level are one operation on arrays, and a cycle of a hundred thousand gates takes
milliseconds.

Flip-flops and memories begin as X, as those of a chip may. A write whose address is X makes an X of
all that it may have written, a read from such an address is X. What a gate makes of X follows from
that gate alone, so that a value in which two X would cancel counts as X, and never the other way
round.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.undriven import passes

Bits = NDArray[np.uint8]
Literals = NDArray[np.intp]

# A literal is twice a net, and one more if it is the net and not its inverse. Net 0 is constant,
# net 1 an X.
_CONSTANTS: Mapping[int | str, int] = {"0": 1, "1": 0, "x": 3}
_FLOPS = {"$_DFF_P_": None, "$_DFF_PN0_": 0, "$_DFF_PN1_": 1}


def _and(holds: Bits, y: Literals, a: Literals, b: Literals) -> None:
    holds[y] = holds[a] & holds[b]
    holds[y ^ 1] = holds[a ^ 1] | holds[b ^ 1]


def _or(holds: Bits, y: Literals, a: Literals, b: Literals) -> None:
    _and(holds, y ^ 1, a ^ 1, b ^ 1)


def _xor(holds: Bits, y: Literals, a: Literals, b: Literals) -> None:
    one, zero, other, none = holds[a], holds[a ^ 1], holds[b], holds[b ^ 1]
    holds[y] = one & none | zero & other
    holds[y ^ 1] = one & other | zero & none


def _xnor(holds: Bits, y: Literals, a: Literals, b: Literals) -> None:
    _xor(holds, y ^ 1, a, b)


def _mux(holds: Bits, y: Literals, a: Literals, b: Literals, s: Literals) -> None:
    """Of two equal words the choice does not matter."""
    for flip in (0, 1):
        this, that = holds[a ^ flip], holds[b ^ flip]
        holds[y ^ flip] = holds[s] & that | holds[s ^ 1] & this | this & that


def _strict_mux(holds: Bits, y: Literals, a: Literals, b: Literals, s: Literals) -> None:
    """Of an unknown choice, whatever the words are, nothing is known."""
    for flip in (0, 1):
        holds[y ^ flip] = holds[s] & holds[b ^ flip] | holds[s ^ 1] & holds[a ^ flip]


_GATES: Mapping[str, tuple[str, Callable[..., None]]] = {
    "$_AND_": ("YAB", _and),
    "$_OR_": ("YAB", _or),
    "$_XOR_": ("YAB", _xor),
    "$_XNOR_": ("YAB", _xnor),
    "$_MUX_": ("YABS", _mux),
}


@dataclass(frozen=True)
class Word:
    """A value in four states.

    Attributes
    ----------
    ones, zeros
        Bits known to be one, and to be zero.
    width
        Bits.
    """

    ones: int
    zeros: int
    width: int

    @classmethod
    def of(cls, value: int, width: int, known: int = -1) -> "Word":
        """A value, of which the bits outside `known` are X."""
        known &= (1 << width) - 1
        return cls(value & known, ~value & known, width)

    def __str__(self) -> str:
        """Bits, the highest first."""
        places = reversed(range(self.width))
        return "".join("x10x"[(self.ones >> i & 1) + 2 * (self.zeros >> i & 1)] for i in places)

    @property
    def known(self) -> bool:
        """Whether no bit is X."""
        return self.ones | self.zeros == (1 << self.width) - 1


@dataclass(frozen=True)
class _Port:
    """A port of a memory; one that writes has an enable for each bit."""

    memory: str
    address: Literals
    data: Literals
    enable: Literals


def synthesised(
    sources: Sequence[Path],
    top: str,
    scratch: Path,
    faults: Sequence[str] = (),
    *,
    strict: bool = False,
) -> "Netlist":
    """A design as gates of two inputs, flip-flops and memories; `faults` are passes that break it.

    `strict` is as of :class:`Netlist`.

    Raises
    ------
    AssertionError
        If Yosys refuses it.
    """
    files = " ".join(map(str, sources))
    passes(
        scratch,
        f"read_slang --unroll-limit 1048576 --top {top} {files}",
        "chformal -remove",
        # Not `synth`, and with `-keepdc`: what is an X stays one, instead of whatever is cheapest.
        f"hierarchy -top {top}",
        "flatten",
        "opt_expr -keepdc",
        "opt_clean",
        "opt_merge",
        "opt_dff -nodffe -nosdff -keepdc",
        "wreduce -keepdc",
        "memory -nomap",
        # Registers of memories are flip-flops again, and a port has one word.
        "memory_narrow",
        "memory_nordff",
        "opt_expr -keepdc",
        "opt_merge",
        "alumacc",
        "opt_clean",
        "techmap",
        "opt_expr -keepdc -fine",
        "opt_merge",
        "opt_clean",
        *faults,
        f"dfflegalize {' '.join(f'-cell {name} x' for name in _FLOPS)}",
        "simplemap",
        "opt_expr -keepdc",
        "opt_merge",
        "opt_clean -purge",
        "write_json netlist.json",
    )
    modules = json.loads((scratch / "netlist.json").read_text())["modules"]
    return Netlist(modules[top], strict=strict)


class Netlist:
    """A netlist that goes on a cycle at a time.

    Parameters
    ----------
    module
        As in the JSON of Yosys.
    strict
        An `if` with an unknown condition makes an X of all that it assigns; otherwise of what its
        branches disagree about.

    Raises
    ------
    AssertionError
        If it has cells that `synthesised` does not leave, several clocks, or a loop of gates.
    """

    def __init__(self, module: Mapping[str, Any], *, strict: bool = False) -> None:
        self._compute = {kind: compute for kind, (_, compute) in _GATES.items()}
        if strict:
            self._compute["$_MUX_"] = _strict_mux
        cells = list(module["cells"].items())
        kinds = {cell["type"] for _, cell in cells}
        assert kinds <= {*_GATES, *_FLOPS, "$_NOT_", "$mem_v2"}, kinds
        wires = [cell["connections"] for _, cell in cells if cell["type"] == "$_NOT_"]
        self._inverse = {wire["Y"][0]: wire["A"][0] for wire in wires}
        self._literal = dict(_CONSTANTS)
        flops = [cell for _, cell in cells if cell["type"] in _FLOPS]
        assert len({tuple(flop["connections"]["C"]) for flop in flops}) == 1
        self._data, self._state = (self._pins(flops, pin) for pin in "DQ")
        cleared = [flop for flop in flops if _FLOPS[flop["type"]] is not None]
        self._reset, self._cleared = (self._pins(cleared, pin) for pin in "RQ")
        self._cleared ^= np.array([1 - (_FLOPS[f["type"]] or 0) for f in cleared], np.intp)
        self._words: dict[str, tuple[Bits, Bits]] = {}
        self._reads: list[_Port] = []
        self._writes: list[_Port] = []
        for name, cell in cells:
            if cell["type"] == "$mem_v2":
                self._memory(name, cell["parameters"], cell["connections"])
        self.inputs, self.outputs = (
            {
                name: self._literals(port["bits"])
                for name, port in module["ports"].items()
                if port["direction"] == direction
            }
            for direction in ("input", "output")
        )
        gates = [cell for _, cell in cells if cell["type"] in _GATES]
        self.size = {"gates": len(gates), "flip-flops": len(flops), "memories": len(self._words)}
        self._levels = self._levelled(gates)
        self._holds = np.zeros(2 * len(self._literal) + 4, np.uint8)
        self._holds[_CONSTANTS["1"]] = 1

    def step(self, inputs: Mapping[str, int | Word]) -> dict[str, Word]:
        """The outputs of a cycle, of which these are the inputs; then the clock rises.

        An input that was never given is an X.
        """
        for name, value in inputs.items():
            places = self.inputs[name]
            word = value if isinstance(value, Word) else Word.of(value, len(places))
            self._holds[places] = _bits(word.ones, len(places))
            self._holds[places ^ 1] = _bits(word.zeros, len(places))
        self._settle()
        seen = {name: self._word(places) for name, places in self.outputs.items()}
        after = self._holds[self._data], self._holds[self._data ^ 1]
        resets = self._holds[self._reset], self._holds[self._reset ^ 1]
        for port in self._writes:
            self._write(port)
        self._holds[self._state], self._holds[self._state ^ 1] = after
        self._clear(*resets)
        return seen

    def _settle(self) -> None:
        """Gates, and what is reset without a clock, until nothing changes."""
        while True:
            for groups, reads in self._levels:
                for compute, pins in groups:
                    compute(self._holds, *pins)
                for port in reads:
                    self._read(port)
            if not self._clear(self._holds[self._reset], self._holds[self._reset ^ 1]):
                return

    def _clear(self, runs: Bits, resets: Bits) -> bool:
        """Flip-flops that are reset without a clock; whether any changes."""
        before = self._holds[self._cleared], self._holds[self._cleared ^ 1]
        after = before[0] | resets, before[1] & runs
        self._holds[self._cleared], self._holds[self._cleared ^ 1] = after
        return any((a != b).any() for a, b in zip(before, after, strict=True))

    def _word(self, places: Literals) -> Word:
        ones, zeros = (
            int.from_bytes(np.packbits(self._holds[p], bitorder="little").tobytes(), "little")
            for p in (places, places ^ 1)
        )
        return Word(ones, zeros, len(places))

    def _read(self, port: _Port) -> None:
        address = self._word(port.address)
        ones, zeros = self._words[port.memory]
        known = address.known and address.ones < len(ones)
        self._holds[port.data] = ones[address.ones] if known else 0
        self._holds[port.data ^ 1] = zeros[address.ones] if known else 0

    def _write(self, port: _Port) -> None:
        never = self._holds[port.enable ^ 1]
        if never.all():
            return
        address = self._word(port.address)
        here = slice(address.ones, address.ones + 1) if address.known else slice(None)
        # Without a certain address, a word may be written and may not be.
        surely = self._holds[port.enable] if address.known else np.zeros_like(never)
        for words, bits in zip(self._words[port.memory], (port.data, port.data ^ 1), strict=True):
            data, old = self._holds[bits], words[here]
            words[here] = surely & data | never & old | data & old

    # Construction.

    def _of(self, bit: int | str) -> int:
        """The literal of a bit of the file."""
        if bit not in self._literal:
            flips, source = 0, bit
            while source in self._inverse:
                flips, source = flips ^ 1, self._inverse[source]
            if source not in self._literal:
                self._literal[source] = 2 * len(self._literal) + 1
            self._literal[bit] = self._literal[source] ^ flips
        return self._literal[bit]

    def _literals(self, bits: Iterable[int | str]) -> Literals:
        return np.array([self._of(bit) for bit in bits], np.intp)

    def _pins(self, cells: Iterable[Mapping[str, Any]], pin: str) -> Literals:
        return self._literals(cell["connections"][pin][0] for cell in cells)

    def _memory(self, name: str, given: Mapping[str, str], pins: Mapping[str, list[Any]]) -> None:
        size, width, address = (int(given[key], 2) for key in ("SIZE", "WIDTH", "ABITS"))
        assert not int(given["OFFSET"], 2)
        assert "1" not in given["RD_CLK_ENABLE"]
        first = np.array(list(given["INIT"][::-1].ljust(size * width, "x")))
        cells = first[: size * width].reshape(size, width)
        self._words[name] = ((cells == "1").astype(np.uint8), (cells == "0").astype(np.uint8))
        for way, ports in (("RD", self._reads), ("WR", self._writes)):
            for number in range(int(given[f"{way}_PORTS"], 2)):
                taken = slice(number * width, (number + 1) * width)
                ports.append(
                    _Port(
                        name,
                        self._literals(pins[f"{way}_ADDR"][number * address :][:address]),
                        self._literals(pins[f"{way}_DATA"][taken]),
                        self._literals(pins["WR_EN"][taken] if way == "WR" else ()),
                    )
                )

    def _levelled(
        self, gates: Sequence[Mapping[str, Any]]
    ) -> list[tuple[list[tuple[Callable[..., None], list[Literals]]], list[_Port]]]:
        """Gates and reads by level, those of a kind together."""
        nodes: list[tuple[Mapping[str, Any] | _Port, list[int], list[int]]] = []
        for gate in gates:
            y, *rest = (self._of(gate["connections"][p][0]) for p in _GATES[gate["type"]][0])
            nodes.append((gate, [y], rest))
        nodes += [(port, port.data.tolist(), port.address.tolist()) for port in self._reads]
        made = {y >> 1 for _, outputs, _ in nodes for y in outputs}
        waits = [len({a >> 1 for a in needs} & made) for _, _, needs in nodes]
        users: dict[int, list[int]] = defaultdict(list)
        for number, (_, _, needs) in enumerate(nodes):
            for net in {a >> 1 for a in needs} & made:
                users[net].append(number)
        level = [number for number, count in enumerate(waits) if not count]
        levels, placed = [], 0
        while level:
            kinds: dict[str, list[list[int]]] = defaultdict(list)
            reads, following = [], []
            for number in level:
                node, outputs, needs = nodes[number]
                if isinstance(node, _Port):
                    reads.append(node)
                else:
                    kinds[node["type"]].append([*outputs, *needs])
                for net in {y >> 1 for y in outputs}:
                    for user in users[net]:
                        waits[user] -= 1
                        if not waits[user]:
                            following.append(user)
            groups = [
                (self._compute[k], list(np.array(pins, np.intp).T)) for k, pins in kinds.items()
            ]
            levels.append((groups, reads))
            placed += len(level)
            level = following
        assert placed == len(nodes), "gates in a loop"
        return levels


def _bits(value: int, width: int) -> Bits:
    data = np.frombuffer(value.to_bytes(-(-width // 8), "little"), np.uint8)
    return np.unpackbits(data, bitorder="little")[:width]
