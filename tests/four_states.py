# SPDX-License-Identifier: Apache-2.0
"""Hosts, streams and memories around a netlist in four states, from power-on.

All flip-flops and memories are X at first. An input is X unless it is driven: the payload of a bus
while its valid is low, a byte that is not written, and every payload that a cycle does not name;
valids, readies and levels that it does not name are low. After the reset every valid, ready and
level that comes out, and every payload while its valid is high, must be known in each cycle.

What was driven and what must come out is kept, so that another simulator can repeat it.
"""

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nttforge.hw.register_map import WORD_BYTES, Register, RegisterMap
from nttforge.hw.wrapper import Wrapper
from tests.netlist import Netlist, Word, synthesised
from tests.undriven import passes

#: Signal of a bus -> the valid that it comes with; others are always known.
_COMES_WITH = {
    **dict.fromkeys(("tdata", "tlast", "tuser", "tkeep"), "tvalid"),
    **dict.fromkeys(("rdata", "rresp", "rlast", "rid"), "rvalid"),
    **dict.fromkeys(("wdata", "wstrb", "wlast"), "wvalid"),
    **{f"{way}{name}": f"{way}valid" for way in ("ar", "aw") for name in ("addr", "len")},
    **dict.fromkeys(("bresp", "bid"), "bvalid"),
}
#: What inputs are driven with, by name.
Drive = Mapping[str, int | Word]

_RESET_CYCLES = 3
_OKAY, _ERROR = 0, 2
_PATIENCE = 2000


def looked_at(name: str, width: int, ports: Mapping[str, int]) -> int:
    """The bits of an output that mean something in this cycle."""
    bus, _, signal = name.rpartition("_")
    if signal == "tuser" and not ports.get(f"{bus}_tlast"):
        # The error bit of a `tuser` comes with the last beat.
        return valid_bits(name, width, ports) >> 1
    return valid_bits(name, width, ports)


def valid_bits(name: str, width: int, ports: Drive) -> int:
    """The bits of a port that its valid and its strobes stand for; all of them if it has none."""
    bus, _, signal = name.rpartition("_")
    if signal in _COMES_WITH and not ports.get(f"{bus}_{_COMES_WITH[signal]}"):
        return 0
    if signal == "wdata":  # bytes with a strobe
        strobes = ports.get(f"{bus}_wstrb", 0)
        assert isinstance(strobes, int)
        return sum(0xFF << 8 * i for i in range(width // 8) if strobes >> i & 1)
    return (1 << width) - 1


def driven(name: str, width: int, ports: Drive) -> Word:
    """An input in a cycle in which a bench drives these."""
    value = ports.get(name, 0)
    if isinstance(value, Word):
        return value
    if name in ports or name.rpartition("_")[2] not in _COMES_WITH:
        return Word.of(value, width, valid_bits(name, width, ports))
    return Word(0, 0, width)


class UnknownError(AssertionError):
    """Something that must be known is X."""


@dataclass(frozen=True)
class Cycle:
    """Inputs of a cycle, and outputs, in which what means nothing is X."""

    inputs: Mapping[str, Word]
    outputs: Mapping[str, Word]


class FourStates:
    """A netlist that is driven as a compiled model is, from power-on and a reset.

    Parameters
    ----------
    netlist
        Of a top with the ports of a wrapper.
    clock, reset
        Names of ports.

    Attributes
    ----------
    inputs, outputs
        Widths by name, without clock and reset.
    cycles
        All until now.
    """

    def __init__(self, netlist: Netlist, clock: str, reset: str) -> None:
        self._netlist, self._reset = netlist, reset
        self.inputs = {n: len(b) for n, b in netlist.inputs.items() if n not in (clock, reset)}
        self.outputs = {name: len(bits) for name, bits in netlist.outputs.items()}
        self.cycles: list[Cycle] = []
        for _ in range(_RESET_CYCLES):
            self._cycle({}, running=0)

    def _cycle(self, ports: Drive, running: int = 1) -> dict[str, int]:
        assert set(ports) <= set(self.inputs), set(ports) - set(self.inputs)
        given = {name: driven(name, width, ports) for name, width in self.inputs.items()}
        given[self._reset] = Word.of(running, 1)
        words = self._netlist.step(given)
        seen = {name: word.ones for name, word in words.items()}
        masks = {n: running and looked_at(n, width, seen) for n, width in self.outputs.items()}
        unknown = [n for n, word in words.items() if masks[n] & ~(word.ones | word.zeros)]
        if unknown:
            raise UnknownError(f"X in cycle {len(self.cycles)}: {', '.join(sorted(unknown))}")
        outputs = {n: Word.of(seen[n], width, masks[n]) for n, width in self.outputs.items()}
        self.cycles.append(Cycle(given, outputs))
        return seen

    # As of a compiled model, `nttforge.simulate.cycles.CycleModel`: its hosts work here, too.

    def step(self, **inputs: int | Word) -> dict[str, int]:
        """Drive the inputs, read the outputs, then clock once."""
        return self._cycle(inputs)

    def packed(self, inputs: Mapping[str, int]) -> int:
        """Inputs as one number, with a bit for each that says that it is driven."""
        vector, at = 0, 0
        for name, width in self.inputs.items():
            if name in inputs:
                vector |= (inputs[name] % (1 << width) << 1 | 1) << at
            at += width + 1
        return vector

    def _unpacked(self, vector: int) -> Iterator[tuple[str, int]]:
        for name, width in self.inputs.items():
            if vector & 1:
                yield name, vector >> 1 & (1 << width) - 1
            vector >>= width + 1

    @staticmethod
    def mask(*names: str) -> tuple[str, ...]:
        """Outputs of a bit, as `until` takes them."""
        return names

    def until(
        self, watched: Sequence[str], counted: Sequence[str], given: Sequence[int], most: int = 1
    ) -> tuple[int, dict[str, int], int]:
        """Steps until a watched output is high: how many, the last one's outputs, and in how many
        a counted one was."""
        gone, tally, seen = 0, 0, dict[str, int]()
        for vector in given if len(given) > 1 else most * list(given):
            seen = self._cycle(dict(self._unpacked(vector)))
            gone, tally = gone + 1, tally + any(seen[name] for name in counted)
            if any(seen[name] for name in watched):
                break
        return gone, seen, tally


@dataclass
class _Burst:
    """Words of a burst that are still to come."""

    address: int
    left: int

    def advance(self, size: int) -> bool:
        """After a word; whether it was the last one."""
        self.address, self.left = self.address + size, self.left - 1
        return not self.left


class Channel:
    """A memory behind one channel: a word a cycle, as it is asked for.

    Parameters
    ----------
    bus
        The channel's prefix.
    model
        Who has it.
    data
        Bytes by address; channels share it.
    end
        Addresses from here on are answered with errors.
    """

    def __init__(self, bus: str, model: FourStates, data: dict[int, int], end: int) -> None:
        self._bus, self._data, self._end = f"{bus}_", data, end
        self._has_reads, self._has_writes = (
            f"{bus}_{valid}" in model.inputs for valid in ("rvalid", "bvalid")
        )
        self._read_bytes = model.inputs.get(f"{bus}_rdata", 0) // 8
        self._write_bytes = model.outputs.get(f"{bus}_wdata", 0) // 8
        self._reads: list[_Burst] = []
        self._writes: list[_Burst] = []
        self._words: list[tuple[int, int]] = []
        self._answers: list[int] = []
        #: It takes requests and answers none.
        self.silent = False

    def _word(self, address: int) -> Word:
        """What is read: bytes that were never written are X, and nothing is beyond the end."""
        known = [self._data.get(address + at) for at in range(self._read_bytes)]
        ones, mask = (
            int.from_bytes(bytes(each), "little")
            for each in (
                (byte or 0 for byte in known),
                (0xFF * (byte is not None) for byte in known),
            )
        )
        return Word.of(ones, 8 * self._read_bytes, mask)

    def drive(self) -> dict[str, int | Word]:
        """The channel's inputs in this cycle."""
        ports: dict[str, int | Word] = {"arready": 1} if self._has_reads else {}
        if self._has_writes:
            ports |= {"awready": 1, "wready": 1}
        if self._reads and not self.silent:
            burst = self._reads[0]
            refused = burst.address >= self._end
            ports |= {"rvalid": 1, "rdata": self._word(burst.address)}
            ports |= {"rresp": _ERROR if refused else _OKAY, "rlast": int(burst.left == 1)}
        if self._answers and not self.silent:
            ports |= {"bvalid": 1, "bresp": self._answers[0]}
        return {self._bus + name: value for name, value in ports.items()}

    def see(self, seen: Mapping[str, int]) -> None:
        """The channel's outputs in this cycle."""
        out = {n.removeprefix(self._bus): v for n, v in seen.items() if n.startswith(self._bus)}
        if self.silent:
            out |= {"rready": 0, "bready": 0}
        if self._reads and out["rready"] and self._reads[0].advance(self._read_bytes):
            del self._reads[0]
        if out.get("arvalid"):
            self._reads.append(_Burst(out["araddr"], out["arlen"] + 1))
        if self._answers and out["bready"]:
            del self._answers[0]
        if out.get("awvalid"):
            self._writes.append(_Burst(out["awaddr"], out["awlen"] + 1))
        if out.get("wvalid"):
            self._words.append((out["wdata"], out["wstrb"]))
        while self._writes and self._words:
            self._write(*self._words.pop(0))

    def _write(self, data: int, strobes: int) -> None:
        burst = self._writes[0]
        for at in range(self._write_bytes):
            if strobes >> at & 1:
                self._data[burst.address + at] = data >> 8 * at & 0xFF
        start = burst.address
        if burst.advance(self._write_bytes):
            del self._writes[0]
            self._answers.append(_ERROR if start >= self._end else _OKAY)


class JobHost:
    """A host of something that does jobs: its registers, its memory, its interrupt.

    Parameters
    ----------
    model
        A wrapper of a kernel.
    registers
        Its own.
    end
        Of the memory.

    Attributes
    ----------
    data
        The memory's bytes, by address.
    channels
        Of the memory.
    """

    def __init__(self, model: FourStates, registers: RegisterMap, end: int = 1 << 40) -> None:
        self._model, self._registers = model, registers
        self.data: dict[int, int] = {}
        buses = sorted({n.rpartition("_")[0] for n in model.inputs if n.startswith("m_axi")})
        self.channels = [Channel(bus, model, self.data, end) for bus in buses]

    def tick(self, **control: int) -> dict[str, int]:
        """A cycle with these inputs of the registers' port."""
        ports: dict[str, int | Word] = {
            f"s_axi_control_{name}": value for name, value in control.items()
        }
        for channel in self.channels:
            ports |= channel.drive()
        seen = self._model.step(**ports)
        for channel in self.channels:
            channel.see(seen)
        return seen

    def _await(self, name: str, **control: int) -> dict[str, int]:
        for _ in range(_PATIENCE):
            seen = self.tick(**control)
            if seen[name]:
                return seen
        raise AssertionError(f"{name} stays low in {_PATIENCE} cycles")

    def put(self, address: int, content: bytes) -> None:
        """Have these bytes in the memory."""
        self.data.update(enumerate(content, address))

    def get(self, address: int, size: int) -> npt.NDArray[np.uint8]:
        """Bytes of the memory, all of which were written."""
        return np.array([self.data[address + at] for at in range(size)], np.uint8)

    def write(self, address: int, value: int, strobes: int = 15) -> int:
        """Write a word: the response."""
        given = {"awvalid": 1, "awaddr": address, "wvalid": 1, "wdata": value, "wstrb": strobes}
        self._await("s_axi_control_awready", **given)
        return self._await("s_axi_control_bvalid", bready=1)["s_axi_control_bresp"]

    def read(self, address: int) -> tuple[int, int]:
        """Read a word: it, and the response."""
        self._await("s_axi_control_arready", arvalid=1, araddr=address)
        seen = self._await("s_axi_control_rvalid", rready=1)
        return seen["s_axi_control_rdata"], seen["s_axi_control_rresp"]

    def read_all(self) -> dict[str, int]:
        """Every register, by name."""
        found = {}
        for register in self._registers:
            for name, addresses in places(register):
                words = [self.read(address) for address in addresses]
                assert all(response == _OKAY for _, response in words), name
                found[name] = sum(word << 32 * at for at, (word, _) in enumerate(words))
        return found

    def check_registers(self, **values: int) -> None:
        """Every register is known, and has its value before the first job, or one of these.

        Only `control`, whose idle bit is set, and what tells the hardware apart are not 0.
        """
        expected = {"control": 0b100} | values
        found = self.read_all()
        assert found == {name: expected.get(name, 0) for name in found}

    def check_access(self) -> None:
        """Accesses to addresses that are not there are refused, and read as 0."""
        last = max(at for r in self._registers for _, addresses in places(r) for at in addresses)
        for address in (last + 2 * WORD_BYTES, last + 1, 0xFFC):
            assert self.read(address) == (0, _ERROR)
            assert self.write(address, 0xFFFFFFFF) == _ERROR

    def set(self, name: str, value: int, instance: int = 0) -> None:
        """Write a register of one or two words."""
        register = self._registers[name]
        for at in range(register.words):
            address = register.address + register.stride * instance + WORD_BYTES * at
            assert self.write(address, value >> 32 * at & 0xFFFFFFFF) == _OKAY

    def start(self) -> tuple[int, int, int]:
        """Start a job and wait for its interrupt: status, channel and address."""
        for name in ("global_interrupt", "interrupt_enable", "control"):
            self.set(name, 1)
        self._await("interrupt")
        found = self.read_all()
        self.set("interrupt_status", 1)
        return found["status"] & 0xFF, found["status"] >> 8, found["fault"]


def places(register: Register) -> Iterator[tuple[str, list[int]]]:
    """Names and addresses of the words of a register, of each instance."""
    for number in range(register.count):
        name = f"{register.name}{number}" if register.stride else register.name
        at = register.address + register.stride * number
        yield name, [at + WORD_BYTES * word for word in range(register.words)]


class StreamHost:
    """Both sides of a stream: beats go in, and come out into a sink that now and then waits."""

    def __init__(self, model: FourStates, waits: int = 3) -> None:
        self._model, self._waits = model, waits

    def run(self, packets: Sequence[tuple[int, Sequence[int]]], results: int) -> list[list[int]]:
        """Packets go in, each an operation and its beats: the beats of so many that come out.

        The operation is driven with the first beat alone; now and then the source rests.
        """
        beats = [beat for number, packet in enumerate(packets) for beat in _beats(number, *packet)]
        came: list[list[int]] = [[]]
        for cycle in range(_PATIENCE):
            beat = beats[0] if beats else {}
            ready = int(cycle % self._waits != 0)
            seen = self._model.step(**beat, m_axis_tready=ready)
            if beats and (not beat or seen["s_axis_tready"]):
                del beats[0]
            if ready and seen["m_axis_tvalid"]:
                came[-1].append(seen["m_axis_tdata"])
                if seen["m_axis_tlast"]:
                    came.append([])
            if len(came) > results:
                return came[:-1]
        raise AssertionError(f"{len(came) - 1} of {results} results in {_PATIENCE} cycles")


def _beats(number: int, operation: int, words: Sequence[int]) -> Iterator[dict[str, int]]:
    """What drives a packet's beats; nothing in cycles of rest, of which each packet has another
    number between two beats, and after its last one."""
    for at, word in enumerate(words):
        beat = {"tvalid": 1, "tdata": word, "tlast": int(at == len(words) - 1)}
        if at == 0:
            beat["tuser"] = operation
        yield {f"s_axis_{name}": value for name, value in beat.items()}
        if at in (number % len(words), len(words) - 1):
            yield from [{}] * (number % 5)


def opened(
    sources: Sequence[Path], wrapper: Wrapper, scratch: Path, *, strict: bool = True
) -> FourStates:
    """A design's wrapper as a netlist, powered on and reset; `strict` is the netlist's."""
    netlist = synthesised(sources, wrapper.name, scratch, strict=strict)
    return FourStates(netlist, wrapper.clock, wrapper.reset)


_BENCH = """\
module bench;
  reg clock = 0;
  reg [{ins}:0] given [1:{count}];
  reg [{outs}:0] wanted [1:{count}], masks [1:{count}];
  reg [{ins}:0] in;
  wire [{outs}:0] out;
  reg [{outs}:0] mask;
  integer at, wrong;
  {top} dut (.{clock}(clock), {connections});
  initial begin
    $readmemb("given.txt", given);
    $readmemb("wanted.txt", wanted);
    $readmemb("masks.txt", masks);
    wrong = 0;
    for (at = 1; at <= {count} && wrong < 20; at = at + 1) begin
      in = given[at];
      #4 mask = (out ^ wanted[at]) & masks[at];
{checks}
      #1 clock = 1;
      #5 clock = 0;
    end
    $display("DONE %0d", at - 1);
  end
endmodule
"""


def icarus(
    model: FourStates, sources: Sequence[Path], wrapper: Wrapper, where: Path
) -> tuple[int, list[str]]:
    """Repeat all cycles of a model in Icarus, on the Verilog that Yosys writes of the sources.

    Processes are still there, so that an `if` whose condition is X takes its `else` branch.

    Returns
    -------
    tuple
        Cycles, and what differed or was X: a cycle and an output each.
    """
    files = " ".join(map(str, sources))
    where.mkdir()
    passes(
        where,
        f"read_slang --no-proc --unroll-limit 1048576 --top {wrapper.name} {files}",
        "chformal -remove",
        "bmuxmap",
        "bwmuxmap",
        "opt_clean",
        "write_verilog -noattr netlist.v",
    )
    first = model.cycles[0]
    texts: dict[str, list[str]] = {"given": [], "wanted": [], "masks": []}
    for cycle in model.cycles:
        inputs, outputs = (tuple(words.values()) for words in (cycle.inputs, cycle.outputs))
        texts["given"].append("".join(map(str, reversed(inputs))))
        texts["wanted"].append("".join(f"{word.ones:0{word.width}b}" for word in reversed(outputs)))
        known = (f"{word.ones | word.zeros:0{word.width}b}" for word in reversed(outputs))
        texts["masks"].append("".join(known))
    for name, lines in texts.items():
        (where / f"{name}.txt").write_text("\n".join([*lines, ""]), "ascii")
    ins, outs = _slices(first.inputs), _slices(first.outputs)
    checks = [
        f"      if (mask[{part}] !== 0) begin\n"
        f'        $display("WRONG %0d {name}", at - 1);\n        wrong = wrong + 1;\n      end'
        for name, part in outs.items()
    ]
    text = _BENCH.format(
        top=wrapper.name,
        clock=wrapper.clock,
        ins=len(texts["given"][0]) - 1,
        outs=len(texts["wanted"][0]) - 1,
        count=len(model.cycles),
        connections=", ".join(
            f".{name}({vector}[{part}])"
            for vector, parts in (("in", ins), ("out", outs))
            for name, part in parts.items()
        ),
        checks="\n".join(checks),
    )
    (where / "bench.v").write_text(text, "ascii")
    for command in (
        ["iverilog", "-g2005", "-o", "bench", "bench.v", "netlist.v"],
        ["vvp", "bench"],
    ):
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    lines = done.stdout.splitlines()
    (cycles,) = (int(line.split()[1]) for line in lines if line.startswith("DONE "))
    return cycles, [line.removeprefix("WRONG ") for line in lines if line.startswith("WRONG ")]


def _slices(words: Mapping[str, Word]) -> dict[str, str]:
    """Where each word is in a vector that has them one above the other."""
    found, at = {}, 0
    for name, word in words.items():
        found[name] = f"{at + word.width - 1}:{at}"
        at += word.width
    return found
