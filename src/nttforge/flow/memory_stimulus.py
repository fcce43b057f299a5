# SPDX-License-Identifier: Apache-2.0
"""Common parts of benches of designs with memory channels: buffers, jobs, a host."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nttforge.emit.stimulus import HostStimulus, MemoryStimulus, Stimulus
from nttforge.hw import shell as shell_registers
from nttforge.hw.wrapper import CONTROL_BUS

# Words between two buffers: odd, so that bursts meet 4 KB borders at any place.
_GAP_WORDS = 3
RUBBISH = 0x5A
_MEMORY_BITS = 40  # of the addresses within a memory
_PASSES = 16  # times that a word may be moved
#: Cycles a beat that random pauses on both sides may cost, and for what is not beats.
SLACK, START = 64, 200_000


@dataclass
class Memory:
    """Buffers in a memory that is filled from the lowest address up."""

    number: int
    word_bytes: int
    before: bytearray = field(default_factory=bytearray)
    behind: bytearray = field(default_factory=bytearray)

    @property
    def base(self) -> int:
        """Address of the first byte."""
        return self.number + 1 << _MEMORY_BITS

    def place(self, data: bytes, result: bytes | None = None, align: int = 1) -> int:
        """Address of a new buffer with `data` in it, or `result` after the jobs."""
        align *= self.word_bytes
        gap = _GAP_WORDS * self.word_bytes
        start = -(-(len(self.before) + gap) // align) * align
        for image, content in ((self.before, data), (self.behind, result or data)):
            image.extend(bytes([RUBBISH]) * (start - len(image)) + content)
            image.extend(bytes([RUBBISH]) * (-len(image) % self.word_bytes))
        return self.base + start

    def result(self, result: bytes, align: int = 1) -> int:
        """Address of a buffer that the jobs fill."""
        return self.place(bytes([RUBBISH]) * len(result), result, align)

    def stimulus(self, read: str, write: str, scratch: int = 0, name: str = "") -> MemoryStimulus:
        """The memory, with so many bytes at its end that are not compared."""
        size = self.word_bytes

        def words(image: bytes | bytearray) -> tuple[int, ...]:
            return tuple(
                int.from_bytes(image[at : at + size], "little") for at in range(0, len(image), size)
            )

        before = words(self.before + bytes(scratch))
        return MemoryStimulus(read, write, self.base, 8 * size, before, words(self.behind), name)


def add_job(host: HostStimulus, writes: Sequence[tuple[int, int, int]], status: int) -> None:
    """A job with interrupt: writes of (address, value, words), and its status."""
    for write in writes:
        host.write(*write)
    host.write(shell_registers.CONTROL, 1)
    host.wait(1)
    host.read(shell_registers.STATUS, status, 0xFF)
    host.write(shell_registers.INTERRUPT_STATUS, 1)
    host.wait(0)


def job_host() -> HostStimulus:
    """A host that has enabled the interrupt."""
    host = HostStimulus(CONTROL_BUS, 12, "interrupt")
    host.write(shell_registers.GLOBAL_INTERRUPT, 1)
    host.write(shell_registers.INTERRUPT_ENABLE, 1)
    return host


def status_code(text: str, statuses: Mapping[int, str]) -> int:
    """The code of a status."""
    return next(code for code, name in statuses.items() if name == text)


def host_stimulus(
    memories: tuple[MemoryStimulus, ...], host: HostStimulus, latency: int
) -> Stimulus:
    """The play of memories and a host."""
    words = sum(len(memory.before) for memory in memories)
    return Stimulus(
        about="It does jobs of every operation, as a host does, and one that must be refused.",
        cycles=START + SLACK * (words * _PASSES + len(host.lines) * (1 + latency)),
        memories=memories,
        host=host,
    )
