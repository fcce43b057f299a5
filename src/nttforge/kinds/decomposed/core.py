# SPDX-License-Identifier: Apache-2.0
"""The core of the decomposed family: one engine for transforms of every size."""

from dataclasses import dataclass
from typing import ClassVar

from nttforge.hw import shell
from nttforge.hw.core import Core
from nttforge.hw.dram import HBM2, Banks, Dram
from nttforge.hw.job_registers import job_driver, job_registers
from nttforge.hw.register_map import WORD_BYTES, RegisterMap
from nttforge.hw.shell import ADDRESS_WIDTH
from nttforge.hw.vitis import (
    CHANNELS,
    Argument,
    VitisKernel,
    channels,
    die,
)
from nttforge.hw.wrapper import CONTROL_BUS, Wrapper, memory_wrapper
from nttforge.kinds.decomposed.config import DecomposedTable
from nttforge.kinds.decomposed.maps import ROW_BITS, Map, maps
from nttforge.kinds.decomposed.rounds import Order, Round, padded, rounds
from nttforge.kinds.decomposed.shape import PAGE, Shape, memory_ports
from nttforge.kinds.decomposed.twiddles import Seeds
from nttforge.reduction import MultiplierPlan
from nttforge.ring.ring import Ring

# Registers of ntf_decomposed, byte addresses; those before and between are the shell's.
LOG_SIZE, ID, SOURCE, TARGET, COUNT, SCRATCH, STRIPE = 0x14, 0x30, 0x40, 0x48, 0x50, 0x58, 0x60
PADDING = 0x68
#: Registers that say what a job is.
_ARGUMENTS = (
    *("operation", "log_size", "source", "target", "count", "scratch", "stripe", "padding"),
)

STATUSES = {**shell.STATUSES, 10: "size not supported"}
"""What the status register's low byte says; rtl/shell/ntf_shell_pkg.sv."""


@dataclass(frozen=True)
class DecomposedOperation:
    """A transform of any size.

    Bits of its code: 0 inverse (with N^-1), 1 negacyclic, 2 bit-reversed at one end and in place, 3
    values at g w^k (`coset`).
    """

    name: str
    code: int
    inverse: bool
    negacyclic: bool
    order: Order = Order.NATURAL
    coset: bool = False

    @property
    def order_text(self) -> str:
        """Orders of the words before and after it."""
        before, behind = (
            "bit-reversed" if self.order is order else "natural"
            for order in (Order.FROM_REVERSED, Order.TO_REVERSED)
        )
        return f"from {before} to {behind} order"


def operation_of(code: int) -> DecomposedOperation:
    """Operation of a code's bits, supported or not."""
    inverse, negacyclic, reversed_, coset = (bool(code >> bit & 1) for bit in range(4))
    where = "negacyclic." * negacyclic + "coset." * coset
    name = f"{where}{'intt' if inverse else 'ntt'}{'.reversed' * reversed_}"
    order = Order.FROM_REVERSED if inverse else Order.TO_REVERSED
    return DecomposedOperation(
        name, code, inverse, negacyclic, order if reversed_ else Order.NATURAL, coset
    )


#: Of all engines; and of those that have a coset.
OPERATIONS = tuple(operation_of(code) for code in range(8))
COSET_OPERATIONS = tuple(operation_of(code) for code in (8, 9, 12, 13))


def seed_rows(seeds: Seeds) -> list[tuple[int, ...]]:
    """The rows of the seed ROM, each with a word for every order of a root."""
    rows = [seeds.roots, seeds.inverses, seeds.scales]
    for powers in (seeds.shifts, seeds.shift_inverses) if seeds.shifts else ():
        rows.append(powers + (0,) * (len(seeds.roots) - len(powers)))
    return rows


@dataclass(frozen=True, kw_only=True)
class DecomposedCore(Core):
    """An engine of the decomposed family, as data.

    - `shape`: its sizes.
    - `ring`: the largest ring: its root is the one that all others are powers of.
    - `plan`: its modular multiplier.
    - `seeds`: its roots, plain.
    - `least`, `largest`: log2 of the smallest and the largest transform.
    - `largest_negacyclic`: the same of negacyclic ones, which need a root of twice the order.
    - `store_bits`: bits of a coefficient in memory.
    - `turn`: cycles of a pass from a beat's reading to its writing.
    - `board`: the design's own table: clock and memory.
    """

    kind_label: ClassVar[str] = "an engine for transforms of many sizes"
    usage_hint: ClassVar[str] = "use run, verify or measure, which take it"

    shape: Shape
    ring: Ring
    plan: MultiplierPlan
    seeds: Seeds
    least: int
    largest: int
    largest_negacyclic: int
    store_bits: int
    turn: int
    board: DecomposedTable

    @property
    def cycles(self) -> str:
        """The top that takes as long and calculates nothing, for simulation."""
        return f"{self.name}_cycles"

    @property
    def timeout_log(self) -> int:
        """log2 of the cycles that memory may owe an answer."""
        return 20

    @property
    def timeout_cycles(self) -> int:
        """Cycles that memory may owe an answer."""
        return 1 << self.timeout_log

    @property
    def wrapper(self) -> Wrapper:
        """With buses that are read and written."""
        name, channels = f"{self.name}_wrapper", [(bus, bus) for bus in self.buses]
        return memory_wrapper(name, self.name, channels, 8 * self.port_bytes, ADDRESS_WIDTH)

    @property
    def buses(self) -> tuple[str, ...]:
        """Of the wrapper: its memory ports."""
        count = self.channels
        return ("m_axi",) if count == 1 else tuple(f"m_axi{p}" for p in range(count))

    @property
    def vitis(self) -> VitisKernel | None:
        """As a kernel of a card with as many channels; ports connect to those of their stripe."""
        sides, shared = 2 * self.stripes, self.sets == 1
        if self.dram is None or sides > CHANNELS:
            return None
        places = {
            bus: channels(p % self.ports, p % self.ports + self.stripes)
            if shared
            else channels(0, sides - 1)
            for p, bus in enumerate(self.buses)
        }
        first, *others = self.buses
        pointers = dict.fromkeys(("source", "target", "scratch"), first)
        arguments: list[Argument] = [
            (r.name, pointers.get(r.name, CONTROL_BUS), r.address, WORD_BYTES * r.words)
            for r in self.registers
            if r.name in _ARGUMENTS
        ]
        # Each bus has an argument, which says what memory the host may allocate.
        source = self.registers["source"].address
        arguments += [(f"at_{bus}", bus, source, 8) for bus in others]
        paths = self.engines * self.kernels
        cells = [
            *((die(e, self.engines), f"*u_machine/gen_engine[{e}].*") for e in range(self.engines)),
            *((die(k, paths), f"*u_engine/gen_engine[{k}].u_data*") for k in range(paths)),
        ]
        return VitisKernel(
            wrapper=self.wrapper,
            data_width=8 * self.port_bytes,
            arguments=tuple(arguments),
            places=places,
            about=f"{sides} HBM channels, one half for each of two buffers of a round",
            dies=tuple(cells) if paths > 1 else (),
        )

    @property
    def clock_mhz(self) -> float:
        """The board's."""
        return self.board.clock_mhz

    @property
    def dram(self) -> Dram | None:
        """A channel of the board's memory, if it is more than a rate and a latency."""
        return HBM2 if self.board.memory == "hbm2" else None

    @property
    def banks(self) -> Banks:
        """Address bits that choose a bank of the board's memory, if they are known."""
        return Banks() if self.dram is None else self.dram.banks

    @property
    def striped(self) -> bool:
        """There is a register that says where the ports' parts of a buffer are."""
        return self.stripes > 1 or self.banks.bits > 0

    @property
    def memory_latency(self) -> int:
        """Cycles of the board's memory from a request to its first word."""
        if self.dram is None:
            return self.board.latency_cycles
        return round(self.dram.latency * self.clock_mhz / 1e3)

    def beats_a_cycle(self, gbytes_s: float) -> float:
        """A rate of the board's memory in its clock, of a channel as wide as a beat."""
        return gbytes_s * 1e3 / (self.clock_mhz * self.beat_bytes)

    @property
    def own_burst_cycles(self) -> float:
        """Overhead of a burst in the board's memory, in cycles."""
        return self.board.burst_ns * self.clock_mhz / 1e3

    @property
    def burst_cycles(self) -> float:
        """Cycles of a burst, by the rates of the board's memory."""
        board = self.board
        slowest = min(1.0, *map(self.beats_a_cycle, (board.channel_gbytes_s, board.peak_gbytes_s)))
        return (1 << self.shape.b) / slowest + self.own_burst_cycles

    @property
    def registers(self) -> RegisterMap:
        """Of its AXI4-Lite port."""
        there = {"stripe": self.striped, "padding": self.board.blowup > 1}
        without = ("instances", *(name for name, has in there.items() if not has))
        return job_registers(self._names, STATUSES, without=without)

    @property
    def _names(self) -> list[str]:
        """Operations by code; those that there are not are empty."""
        names = {operation.code: operation.name for operation in self.operations}
        return [names.get(code, "") for code in range(max(names) + 1)]

    @property
    def driver(self) -> dict[str, object]:
        """Variables of the driver's templates."""
        shape = self.shape.v | self.shape.t << 8 | self.largest << 16
        layout = {"layout": self if self.sets > 1 else None}
        return job_driver(self.registers, self._names, STATUSES, shape) | layout

    @property
    def blocks(self) -> int:
        """Blocks that the kernel's pass walker has room for, a power of two."""
        beats = 1 << self.shape.v - self.shape.t
        return max(64, 1 << (self.turn // beats + 4).bit_length())

    @property
    def operations(self) -> tuple[DecomposedOperation, ...]:
        """In the order of their codes."""
        there, back = self.seeds.shifts, self.seeds.shift_inverses
        return OPERATIONS + tuple(o for o in COSET_OPERATIONS if (back if o.inverse else there))

    @property
    def lanes(self) -> int:
        """Words a beat."""
        return 1 << self.shape.t

    @property
    def shares(self) -> int:
        """Its lanes."""
        return self.engines * self.lanes

    @property
    def word_bytes(self) -> int:
        """Bytes of a coefficient in memory."""
        return self.store_bits // 8

    @property
    def beat_bytes(self) -> int:
        """Bytes of a beat."""
        return self.lanes * self.word_bytes

    @property
    def ports(self) -> int:
        """Memory ports of an engine, a power of two: each carries an equal part of every beat."""
        return memory_ports(8 * self.beat_bytes, self.board.port_bits)

    @property
    def engines(self) -> int:
        """Engines that share the groups of each round, a power of two."""
        return self.board.engines

    @property
    def kernels(self) -> int:
        """Kernels of an engine, each with a buffer: one gives its words to the other."""
        return self.board.kernels

    @property
    def channels(self) -> int:
        """Memory ports of all engines, the first one's first. Port p of each sees one memory."""
        return self.engines * self.ports

    @property
    def port_bytes(self) -> int:
        """Bytes of a memory port's word."""
        return self.beat_bytes // self.ports

    @property
    def sets(self) -> int:
        """Sets of memory channels, one for each engine to read from; 1 if they share all."""
        return self.engines if self.board.own_channels else 1

    @property
    def log_sets(self) -> int:
        """log2 of them."""
        return self.sets.bit_length() - 1

    @property
    def stripes(self) -> int:
        """Parts of a buffer: one for each port in each set of channels."""
        return self.sets * self.ports

    def part(self, size: int, batch: int) -> int:
        """Bytes of a stripe of a buffer of so many transforms of 2^size words."""
        # Sets have parts of each transform, or transforms as a whole.
        shares = batch * self.word_bytes << size
        if self.sets > 1 and len(self.rounds(size)) == 1:
            shares = self.sets * (-(-batch // self.sets) * self.word_bytes << size)
        return self.whole_pages(shares // self.stripes)

    def whole_pages(self, extent: int) -> int:
        """Bytes of a stripe that has so many: of pages or blocks, if there is a register for it."""
        unit = max(PAGE, self.banks.block)
        return -(-extent // unit) * unit if self.striped else extent

    @property
    def all_maps(self) -> list[list[tuple[Map, Map, Map]]]:
        """:meth:`maps` of every order, and of every size of it from the least on."""
        sizes = range(self.least, self.largest + 1)
        return [[self.maps(order, size) for size in sizes] for order in Order]

    @property
    def row_bits(self) -> int:
        """Bits of a word's number that its map puts after a burst's."""
        return ROW_BITS

    def maps(self, order: Order, size: int) -> tuple[Map, Map, Map]:
        """Address maps of source, target and work area, with channels of each engine's own."""
        return maps(self.shape, size, order, self.log_sets)

    @property
    def seed_bits(self) -> int:
        """Bits of the seed ROM."""
        return len(seed_rows(self.seeds)) * len(self.seeds.roots) * self.plan.modulus_width

    def rounds(
        self, size: int, order: Order = Order.NATURAL, padding: int = 0
    ) -> tuple[Round, ...]:
        """The rounds of a transform of 2^size words, 2^padding for each that its source has."""
        first, *more = rounds(self.shape, size, order)
        return padded(first, padding), *more

    def needs_work(self, operation: DecomposedOperation, size: int) -> bool:
        """Whether a transform of 2^size words takes a work area beside its source and target."""
        return operation.order is Order.NATURAL and len(self.rounds(size)) > 1

    def most_padding(self, operation: DecomposedOperation, size: int) -> int:
        """log2 of a transform's words for one of its source's, at most; the others are zeros."""
        if operation.inverse:
            return 0
        return min(self.board.blowup.bit_length() - 1, self.rounds(size)[0].most_pad)

    def largest_of(self, operation: DecomposedOperation) -> int:
        """log2 of the largest transform of an operation."""
        return self.largest_negacyclic if operation.negacyclic else self.largest

    def root(self, operation: DecomposedOperation, size: int) -> int:
        """Root of the transform of 2^size: psi of order 2^(size+1) if negacyclic, else w."""
        return self.seeds.roots[size + operation.negacyclic]

    def shift(self, operation: DecomposedOperation, size: int) -> int:
        """Values are at this times powers of w: psi, a coset's g, or 1."""
        if operation.negacyclic:
            return self.root(operation, size)
        return self.seeds.shifts[-1] if operation.coset else 1
