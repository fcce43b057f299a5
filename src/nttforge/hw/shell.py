# SPDX-License-Identifier: Apache-2.0
"""The memory shell around a core: its format in memory, its registers, its ports.

Every instance of the core has a pair of AXI4 channels, one that is read and one that is written
(StreamNTT, section IV-C); rtl/shell has the modules.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd

import numpy as np
import numpy.typing as npt

from nttforge.config.shell_table import ShellTable
from nttforge.errors import NttforgeError
from nttforge.hw.job_registers import job_driver, job_registers
from nttforge.hw.register_map import RegisterMap
from nttforge.hw.vitis import CHANNELS, Argument, VitisKernel, channels, die
from nttforge.hw.wrapper import CONTROL_BUS, Wrapper, memory_wrapper
from nttforge.targets import TARGETS, Target

ADDRESS_WIDTH = 64
COUNT_WIDTH = 32
BURST_WORDS_MAX = 256  # AXI4's limit

# Registers of the control, byte addresses; rtl/shell/ntf_job_control.sv, ntf_shell_arguments.sv.
CONTROL, GLOBAL_INTERRUPT, INTERRUPT_ENABLE, INTERRUPT_STATUS = 0x00, 0x04, 0x08, 0x0C
OPERATION, STATUS, FAULT, CYCLES, INSTANCES = 0x10, 0x18, 0x20, 0x28, 0x30
ARGUMENTS, ARGUMENTS_STRIDE = 0x40, 0x20
SOURCE, TARGET, COUNT = 0x00, 0x08, 0x10  # within an instance's arguments

# For which a memory may answer nothing beside its latency: refreshed, or busy with another burst.
_BUSY_CYCLES = 256

STATUSES = {
    0: "ok",
    1: "no work",
    2: "unknown operation",
    3: "misaligned",
    4: "out of range",
    5: "overlap",
    6: "read error",
    7: "write error",
    8: "read timeout",
    9: "write timeout",
}
"""What the status register's low byte says; rtl/shell/ntf_shell_pkg.sv."""


@dataclass(frozen=True)
class StreamFormat:
    """Shape of both AXI4-Stream ports: `lanes` words of `word_bits` bits a beat, lane 0 lowest.

    With `byte_lanes` a lane is as many bytes as its word needs; the bits above the word are not
    looked at on the way in, and zero on the way out.
    """

    lanes: int
    word_bits: int
    beats: int
    user_bits: int
    byte_lanes: bool = False

    @property
    def lane_bits(self) -> int:
        """Bits from a lane to the next one."""
        return -(-self.word_bits // 8) * 8 if self.byte_lanes else self.word_bits

    @property
    def data_bits(self) -> int:
        """Bits of `tdata`."""
        return self.lanes * self.lane_bits

    @property
    def keep_bits(self) -> int:
        """Bits of `tkeep`, 0 if there is none."""
        return self.data_bits // 8 if self.byte_lanes else 0

    def beat(self, words: Iterable[int]) -> int:
        """`tdata` of the words of all lanes."""
        bits, together = self.lane_bits, 0
        for lane, word in enumerate(words):
            together |= int(word) << lane * bits
        return together

    def all_beats(self, words: npt.NDArray[np.object_]) -> list[int]:
        """`tdata` of each beat of Python's integers, those of whole beats."""
        together = words[:: self.lanes]
        for lane in range(1, self.lanes):
            together = together | words[lane :: self.lanes] << lane * self.lane_bits
        return list(together)


@dataclass(frozen=True)
class Traffic:
    """Traffic of an operation: beats in, of all operands, beats out, and cycles of the core."""

    read: int
    write: int
    cycles: int


@dataclass(frozen=True)
class Shell:
    """A shell worked out.

    - `core`: name of the core's module.
    - `instances`: engines, each with a pair of channels.
    - `data_width`: bits of a channel's word.
    - `store_bits`: bits that a coefficient takes in memory.
    - `burst_bytes`: length of a whole burst.
    - `read_words`: words that can be on their way from memory, a channel.
    - `timeout_cycles`: cycles that a channel may owe an answer; 0 is for ever.
    - `lanes`, `word_bits`: as in the core's stream.
    - `unit_beats`: beats of which every operation reads and writes a multiple.
    - `reads`, `writes`: by operation's code: units that it reads, all operands one after the other,
      and writes.
    - `intervals`: by operation's code: cycles that the core takes in the steady state.
    - `clock_mhz`: what it is meant to run at.
    - `late_memory`: whether words that were read go from block RAM into registers alone, and those
      to be written wait in block RAM.
    """

    core: str
    instances: int
    data_width: int
    store_bits: int
    burst_bytes: int
    read_words: int
    timeout_cycles: int
    lanes: int
    word_bits: int
    unit_beats: int
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    intervals: tuple[int, ...]
    clock_mhz: float
    address_width: int = ADDRESS_WIDTH
    late_memory: bool = False

    @property
    def top(self) -> str:
        """Module with the channels as arrays."""
        return f"{self.core}_shell"

    @property
    def word_bytes(self) -> int:
        """Bytes of a channel's word, to which buffers are aligned."""
        return self.data_width // 8

    @property
    def unit_bytes(self) -> int:
        """Bytes of a unit in memory."""
        return self.unit_beats * self.lanes * self.store_bits // 8

    @property
    def units_width(self) -> int:
        """Bits of a number of units."""
        return max(*self.reads, *self.writes).bit_length()

    def read_bytes(self, code: int) -> int:
        """Bytes of an operation's operands in memory."""
        return self.reads[code] * self.unit_bytes

    def write_bytes(self, code: int) -> int:
        """Bytes of an operation's result in memory."""
        return self.writes[code] * self.unit_bytes

    @property
    def bytes_width(self) -> int:
        """Bits of a buffer's length: the largest count of operations does not overflow it."""
        most = max(*self.reads, *self.writes) * self.unit_bytes
        return max(48, COUNT_WIDTH + most.bit_length())

    def bound_cycles(self, code: int) -> float:
        """Cycles an operation of the slower one of core and channel, of a word a cycle."""
        most = max(self.read_bytes(code), self.write_bytes(code))
        return max(float(self.intervals[code]), most / self.word_bytes)

    @cached_property
    def vitis(self) -> VitisKernel:
        """The kernel: each instance on a pair of neighbouring channels."""
        arguments: list[Argument] = [("operation", CONTROL_BUS, OPERATION, 4)]
        places, dies = {}, []
        for i in range(self.instances):
            at = self.arguments(i)
            arguments += [
                (f"in{i}", f"m_axi_in{i}", at + SOURCE, 8),
                (f"out{i}", f"m_axi_out{i}", at + TARGET, 8),
                (f"count{i}", CONTROL_BUS, at + COUNT, 4),
            ]
            for k, way in enumerate(("in", "out")):
                places[f"m_axi_{way}{i}"] = channels((2 * i + k) % CHANNELS)
            dies.append((die(i, self.instances), f"*u_shell/gen_instance[{i}].u_*"))
        about = "each instance on a pair of neighbouring HBM channels"
        return VitisKernel(
            self.wrapper, self.data_width, tuple(arguments), places, about, tuple(dies)
        )

    def registers(self, operations: Sequence[str]) -> RegisterMap:
        """Of the control, for operations in the order of their codes."""
        return job_registers(
            operations,
            STATUSES,
            without=("log_size", "shape", "scratch", "stripe", "padding"),
            instances=self.instances,
            stride=ARGUMENTS_STRIDE,
        )

    def driver(self, operations: Sequence[str]) -> dict[str, object]:
        """Variables of the driver's templates."""
        return job_driver(self.registers(operations), operations, STATUSES, self.instances)

    def arguments(self, instance: int) -> int:
        """Address of an instance's first argument."""
        return ARGUMENTS + ARGUMENTS_STRIDE * instance

    @cached_property
    def wrapper(self) -> Wrapper:
        """The kernel."""
        pairs = [(f"m_axi_in{i}", f"m_axi_out{i}") for i in range(self.instances)]
        return memory_wrapper(
            f"{self.core}_kernel", self.top, pairs, self.data_width, self.address_width
        )


def store_bits(table: ShellTable, word_bits: int) -> int:
    """Bits of a stream's word in memory: all that it has, or 16, 32, 64, ... bits."""
    if table.packing == "packed":
        return word_bits
    return max(16, 1 << (word_bits - 1).bit_length())


def build_shell(
    table: ShellTable,
    core: str,
    stream: StreamFormat,
    traffic: Sequence[Traffic],
    target: Target = "xcup",
) -> Shell:
    """The shell of a core whose operations have that `traffic`, by code, for a `target`."""
    bits = store_bits(table, stream.word_bits)
    beat_bits = stream.lanes * bits
    width = table.data_width or min(512, max(64, 1 << (beat_bits - 1).bit_length()))
    word = width // 8
    if not word <= table.burst_bytes <= BURST_WORDS_MAX * word:
        raise NttforgeError(
            "shell.burst_bytes",
            f"{table.burst_bytes} is not from {word} to {BURST_WORDS_MAX * word}: "
            f"a burst is 1 to {BURST_WORDS_MAX} words of {width} bits",
            "choose a power of two between them",
        )
    unit = gcd(*(beats for each in traffic for beats in (each.read, each.write)))
    if stream.lanes * unit * bits % 8:
        raise NttforgeError(
            "shell.packing",
            f"{stream.lanes * unit} words of {bits} bits are not a whole number of bytes",
            'use packing = "words"',
        )
    if 0 < table.timeout_cycles < table.latency_cycles + _BUSY_CYCLES:
        raise NttforgeError(
            "shell.timeout_cycles",
            f"{table.timeout_cycles} may be over before a memory with a latency of "
            f"{table.latency_cycles} cycles has answered",
            f"use {table.latency_cycles + _BUSY_CYCLES} or more, or 0 to wait for ever",
        )
    # What is on its way during the latency, and a burst that is being asked for at either end.
    ahead = table.latency_cycles + 2 * table.burst_bytes // word + 32
    return Shell(
        core=core,
        instances=table.instances,
        data_width=width,
        store_bits=bits,
        burst_bytes=table.burst_bytes,
        read_words=1 << (ahead - 1).bit_length(),
        timeout_cycles=table.timeout_cycles,
        lanes=stream.lanes,
        word_bits=stream.word_bits,
        unit_beats=unit,
        reads=tuple(each.read // unit for each in traffic),
        writes=tuple(each.write // unit for each in traffic),
        intervals=tuple(each.cycles for each in traffic),
        clock_mhz=table.clock_mhz,
        late_memory=TARGETS[target].late_memory,
    )
