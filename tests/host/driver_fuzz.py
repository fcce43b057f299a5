# SPDX-License-Identifier: Apache-2.0
"""A hostile host: random transactions at registers and streams of compiled RTL.

Accesses have any address, data, strobes and order of their channels, and answers are taken late.
The ML-KEM coprocessor's streams get packets of right and wrong lengths, good keys and noise, with
gaps; between them it is zeroized and reset. The memory shell starts jobs from whatever is in its
registers, with a memory that stalls, refuses or says nothing for longer than the shell waits.

Each access ends, with the answer that the registers' tables demand. After some thousand
transactions the host stops: then the design is idle within what its page says, and does something
right: an operation of ML-KEM beside kyber-py, a job beside the definition.

`python -m tests.host.driver_fuzz N` does N transactions on each and keeps what was counted;
`python -m tests.host.driver_fuzz` prints it.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024

from nttforge.errors import FaultError
from nttforge.flow.prepare import Prepared, prepare_kind
from nttforge.flow.reference import random_polynomials, reference
from nttforge.hw.shell import ARGUMENTS, ARGUMENTS_STRIDE, INSTANCES, STATUSES
from nttforge.kinds.lattice.bus import Coprocessor, Request, open_core
from nttforge.kinds.lattice.commands import QUEUE_DEPTH
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mlkem.build import coprocessor_design
from nttforge.kinds.lattice.mlkem.program import SETS
from nttforge.kinds.lattice.mlkem.standard import ERRORS, REGISTERS, rotate_key
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.simulate.shell_simulator import to_memory
from tests.coprocessors import address, kem_request, register
from tests.rtl.shell.shells import prepare_shell
from tests.tally import keep, kept, markdown

RECORD = "transactions"
EPISODE = 2000
#: Cycles in which an access has its answer, if the host takes it.
ANSWERED = 200


class BrokenError(AssertionError):
    """What must not be."""


@dataclass
class Access:
    """A write, or (`data` is None) a read, and how far it has got."""

    address: int
    data: int | None
    strobes: int = 15
    age: int = 0
    parts: set[str] = field(default_factory=set)


class Lite:
    """One side of an AXI4-Lite port: a read and a write at a time, at random."""

    def __init__(self, rng: random.Random, pace: float) -> None:
        self._rng = rng
        self._pace = pace
        self._shown: set[str] = set()
        self.write: Access | None = None
        self.read: Access | None = None

    def drive(self) -> dict[str, int]:
        """What is driven in this cycle; what is offered stays."""
        go, drive = self._rng.random, {}
        if write := self.write:
            for part in ("aw", "w"):
                if part not in write.parts and (part in self._shown or go() < self._pace):
                    self._shown.add(part)
                    drive[f"s_axi_{part}valid"] = 1
                    if part == "aw":
                        drive["s_axi_awaddr"] = write.address
                    else:
                        drive["s_axi_wdata"] = write.data or 0
                        drive["s_axi_wstrb"] = write.strobes
            drive["s_axi_bready"] = int(go() < self._pace)
        if read := self.read:
            if "ar" not in read.parts:
                drive["s_axi_arvalid"], drive["s_axi_araddr"] = 1, read.address
            drive["s_axi_rready"] = int(go() < self._pace)
        return drive

    def see(
        self, drive: Mapping[str, int], seen: Mapping[str, int]
    ) -> Iterator[tuple[Access, int]]:
        """What ends in this cycle: the access, and its response."""
        for name, access, asked, answer in (
            ("write", self.write, ("aw", "w"), "b"),
            ("read", self.read, ("ar",), "r"),
        ):
            if access is None:
                continue
            access.age += 1
            if access.age > ANSWERED:
                raise BrokenError(f"no answer to {access}")
            # An answer may come with the cycle after the request at the earliest.
            if seen[f"s_axi_{answer}valid"] and drive.get(f"s_axi_{answer}ready"):
                if access.parts != set(asked):
                    raise BrokenError(f"an answer before {access} was asked for")
                setattr(self, name, None)
                yield access, seen[f"s_axi_{answer}resp"]
                continue
            for part in asked:
                if drive.get(f"s_axi_{part}valid") and seen[f"s_axi_{part}ready"]:
                    access.parts.add(part)
                    self._shown.discard(part)


class Fuzzer:
    """Transactions on one model; what is common to all.

    Parameters
    ----------
    model
        The design.
    rng
        All that is random.
    """

    def __init__(self, model: CycleModel, rng: random.Random) -> None:
        self.model = model
        self.rng = rng
        self.counts: Counter[str] = Counter()
        self.lite = Lite(rng, 1.0)
        self._rate = 0.5
        #: What a register may hold, as far as it is known.
        self.shadow: dict[int, set[int]] = {}

    def cycle(self) -> dict[str, int]:
        """One cycle: drive, see, judge."""
        drive = self.lite.drive() | self.others()
        seen = self.model.step(**drive)
        self.watch(drive, seen)
        for access, response in self.lite.see(drive, seen):
            kind = "reads" if access.data is None else "writes"
            self.counts[kind] += 1
            self.counts["refused"] += response != 0
            self.judge(access, response, seen["s_axi_rdata"])
        return seen

    def access(self, at: int, data: int | None = None) -> int:
        """An access of a correct host: what was read."""
        while self.lite.read or self.lite.write:
            self.cycle()
        asked = Access(at, data)
        if data is None:
            self.lite.read = asked
        else:
            self.lite.write = asked
        while self.lite.read or self.lite.write:
            seen = self.cycle()
        return seen["s_axi_rdata"]

    def begin(self, draw: Callable[[], Access]) -> None:
        """Perhaps begin accesses."""
        if self.lite.write is None and self.rng.random() < self._rate:
            self.lite.write = draw()
        if self.lite.read is None and self.rng.random() < self._rate:
            self.lite.read = draw()
            self.lite.read.data = None

    def held(self, at: int) -> set[int]:
        """What a register may show: a write whose answer waits may have happened."""
        known, write = self.shadow.get(at, set()), self.lite.write
        if not known or write is None or write.address != at or "aw" not in write.parts:
            return known
        return known | self._written(write)

    def _written(self, write: Access) -> set[int]:
        mask = sum(255 << 8 * byte for byte in range(4) if write.strobes >> byte & 1)
        data = (write.data or 0) & mask
        if mask == (1 << 32) - 1:
            return {data}
        return {value & ~mask | data for value in self.shadow.get(write.address, set())}

    def remember(self, write: Access) -> None:
        """A write was accepted; a read that is under way may still show what was before."""
        read, before = self.lite.read, self.shadow.get(write.address, set())
        after = self._written(write)
        if read is not None and read.address == write.address:
            after = after | before if before else set()
        self.shadow[write.address] = after

    def others(self) -> dict[str, int]:
        """What else is driven."""
        raise NotImplementedError

    def watch(self, drive: Mapping[str, int], seen: Mapping[str, int]) -> None:
        """What else is seen."""
        raise NotImplementedError

    def judge(self, access: Access, response: int, data: int) -> None:
        """Whether that is the answer."""
        raise NotImplementedError

    def episode(self, size: int) -> None:
        """So many transactions at random, an end, and something right."""
        raise NotImplementedError

    def expect(self, held: bool, what: object) -> None:
        """A rule.

        Raises
        ------
        BrokenError
            If it does not hold.
        """
        if not held:
            raise BrokenError(str(what))


_WORD = 8
#: Cycles after `zeroize` (docs/threat-model.md).
_WIPED = 512
_AFTER_RESET = {address("interrupt_enable"): {0}}


class KemFuzzer(Fuzzer):
    """The ML-KEM coprocessor."""

    def __init__(self, rng: random.Random) -> None:
        model = open_core(prepare_kind(coprocessor_design(), LatticeCore))._model
        super().__init__(model, rng)
        self._cases = [case for _ in range(2) for case in _cases(rng)]
        self._good = {
            "pub": [b"".join(r.public) for r, _ in self._cases if r.public],
            "sec": [r.secret for r, _ in self._cases],
        }
        self._packets: dict[str, list[tuple[int, int]]] = {"pub": [], "sec": []}
        self._offered: set[str] = set()
        self._stall = 0.0
        self._hostile = False
        self._zeroize = 0.0
        #: What the host mostly asks for.
        self._focus: Request | None = None
        self.shadow = dict(_AFTER_RESET)
        self._word = rng.getrandbits(64)

    def _packet(self, port: str) -> list[tuple[int, int]]:
        rng = self.rng
        data = rng.choice(self._good[port])
        if self._focus is not None and rng.randrange(8):
            given = b"".join(self._focus.public) if port == "pub" else self._focus.secret
            data = given or data
        match rng.randrange(12):
            case 0:  # it ends early
                data = data[: _WORD * rng.randrange(1, len(data) // _WORD + 1)]
            case 1:  # or late
                data += rng.randbytes(_WORD * rng.randrange(1, 20))
            case 2:
                data = rng.randbytes(len(data))
            case 3:
                data = rng.randbytes(_WORD * rng.randrange(1, 12))
        words = np.frombuffer(data, "<u8").tolist()
        return [(word, int(at == len(words) - 1)) for at, word in enumerate(words)]

    def others(self) -> dict[str, int]:
        """Streams, if the host is hostile."""
        if not self._hostile:
            return {}
        go, drive = self.rng.random, {}
        for port, left in self._packets.items():
            if not left:
                left.extend(self._packet(port))
            if port in self._offered or go() >= self._stall:
                self._offered.add(port)
                word, last = left[0]
                drive[f"s_{port}_tvalid"], drive[f"s_{port}_tdata"] = 1, word
                drive[f"s_{port}_tlast"] = last
            drive[f"m_{port}_tready"] = int(go() >= self._stall)
        drive["entropy_tvalid"], drive["entropy_tdata"] = int(go() >= self._stall), self._word
        drive["zeroize_i"] = int(go() < self._zeroize)
        self.counts["zeroize"] += drive["zeroize_i"]
        return drive

    def watch(self, drive: Mapping[str, int], seen: Mapping[str, int]) -> None:
        """Streams, and that no fault is seen where there is none."""
        self.expect(not seen["alert_o"], "an alert")
        for port, left in self._packets.items():
            if drive.get(f"s_{port}_tvalid") and seen[f"s_{port}_tready"]:
                self._offered.discard(port)
                self.counts["packets"] += left.pop(0)[1]
            if drive.get(f"m_{port}_tready") and seen[f"m_{port}_tvalid"]:
                self.counts["moved"] += seen[f"m_{port}_tlast"]

    def judge(self, access: Access, response: int, data: int) -> None:
        """As the table says."""
        known = next((r for r in REGISTERS if address(r.name) == access.address), None)
        if access.data is None:
            refused = known is None or known.access == "wo"
            self.expect(bool(response) == refused and not (refused and data), (access, response))
            if known is not None and known.name == "identity":
                self.expect(data >> 24 == QUEUE_DEPTH, hex(data))
            if known is not None and known.name == "interrupt_enable":
                self.expect(data in {value & 3 for value in self.held(access.address)}, hex(data))
            return
        if known is None or known.access == "ro" or access.strobes != 15:
            self.expect(response != 0, (access, response))
        elif known.name in ("interrupt_enable", "zeroize"):
            self.expect(response == 0, (access, response))
            self.counts["zeroize"] += known.name == "zeroize" and access.data & 1
        if known is not None and known.name == "interrupt_enable" and not response:
            self.remember(access)

    def _draw(self) -> Access:
        rng = self.rng
        at = (
            address(rng.choice(REGISTERS.registers).name) if rng.randrange(8) else rng.randrange(64)
        )
        if at == address("zeroize") and rng.random() > self._zeroize * 20:
            at = address("command")
        data = rng.getrandbits(32) if rng.randrange(2) else rng.getrandbits(6)
        if at == address("command") and self._focus is not None and rng.randrange(8):
            data = self._focus.word(rng.getrandbits(8)) ^ (rng.getrandbits(1) << 4)
        return Access(at, data, 15 if rng.randrange(6) else rng.randrange(16))

    def episode(self, size: int) -> None:
        """See :class:`Fuzzer`."""
        rng = self.rng
        self._hostile = True
        self._stall = rng.choice((0.0, 0.1, 0.5, 0.95))
        self._zeroize = rng.choice((0.0, 0.0, 0.0005, 0.01))
        self._rate = rng.choice((0.5, 0.5, 0.1))
        self._focus = rng.choice((None, rng.choice(self._cases)[0], rng.choice(self._cases)[0]))
        self.lite._pace = rng.choice((0.3, 0.7, 1.0))
        end = self._done() + size
        while self._done() < end:
            self.begin(self._draw)
            self.cycle()
            if rng.random() < 0.0001:
                self.model.reset()
                self.lite = Lite(rng, self.lite._pace)
                self.shadow = dict(_AFTER_RESET)
                self._offered.clear()
                self._packets = {"pub": [], "sec": []}
                self.counts["resets"] += 1
        # The host stops in the middle of whatever it does, and says twice that all shall end.
        self._hostile = False
        self._offered.clear()
        self._packets = {"pub": [], "sec": []}
        for _ in range(QUEUE_DEPTH + 2):
            for _ in range(2):
                self.access(address("zeroize"), 1)
                for _ in range(_WIPED):
                    seen = self.cycle()
            status = register("status")
            while status.field("results").get(self.access(address("status"))):
                result = self.access(address("result"))
                self.counts[f"ended: {ERRORS[register('result').field('error').get(result)]}"] += 1
                self.access(address("acknowledge"), 1)
            if seen["idle_o"]:
                break
        self.expect(bool(self.model.step()["idle_o"]), "it does not become idle")
        request, wanted = rng.choice(self._cases)
        run = Coprocessor(self.model).run_all(
            [request], stall=rng.choice((0.0, 0.2)), seed=rng.randrange(1 << 30)
        )[0]
        self.expect((run.public, run.secret, run.reason) == (*wanted, "none"), request.operation)
        self.counts["right"] += 1

    def _done(self) -> int:
        return transactions(self.counts)


KEM_TOP = "ml_kem_coprocessor"


def _cases(rng: random.Random) -> Iterator[tuple[Request, tuple[bytes, bytes]]]:
    """Operations, and what their streams give."""
    for p, kem in zip(SETS, (ML_KEM_512, ML_KEM_768, ML_KEM_1024), strict=True):
        d, z, m = (rng.randbytes(32) for _ in range(3))
        ek, dk = kem._keygen_internal(d, z)
        secret, c = kem._encaps_internal(ek, m)
        yield kem_request("keygen", p, b"", d + z), (ek, dk)
        yield kem_request("encaps", p, ek, m), (c, secret)
        yield kem_request("decaps", p, c, rotate_key(dk), check=True), (b"", secret)
        wrong = bytes([c[0] ^ 1]) + c[1:]
        yield (
            kem_request("decaps_standard", p, wrong, dk),
            (b"", kem._decaps_internal(dk, wrong)),
        )
        yield kem_request("decaps_seed", p, c, d + z), (b"", secret)


_MEMORY = 1 << 14
_TIMEOUT = 300
_RING = {"n": 16, "q": 97}
#: Words of memory that a job reads and writes at most before it meets an end, and what it waits.
_IDLE = 4 * _MEMORY // _WORD + 8 * _TIMEOUT


@dataclass
class Channel:
    """What one pair of AXI4 channels is owed: bursts as [address, words left]."""

    reads: list[list[int]] = field(default_factory=list)
    writes: list[list[int]] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    bad: int = 0
    r: tuple[int, int] | None = None
    b: int | None = None
    mute: int = 0


class ShellFuzzer(Fuzzer):
    """A memory shell of two small engines."""

    def __init__(self, rng: random.Random, prepared: Prepared[Any] | None = None) -> None:
        self.prepared = prepared or shell()
        self.shell = self.prepared.core.shell
        self.count = self.shell.instances
        names = (self.prepared.folder / "files.f").read_text().split()
        sources = [self.prepared.folder / name for name in names if name.endswith(".sv")]
        ports = shell_ports(self.count)
        model = CycleModel(CycleModel.kept(sources, self.shell.top, ports), ports)
        super().__init__(model, rng)
        self.memory = bytearray(_MEMORY)
        self.channels = [Channel() for _ in range(self.count)]
        self._stall = 0.0
        self._mute = 0.0

    def others(self) -> dict[str, int]:
        """What the memory drives."""
        go = self.rng.random
        drive = dict.fromkeys(
            [f"m_axi_{p}" for p in ("arready", "awready", "wready", "rvalid", "bvalid")], 0
        ) | {"m_axi_rdata": 0, "m_axi_rresp": 0, "m_axi_rlast": 0, "m_axi_bresp": 0}
        for i, c in enumerate(self.channels):
            c.mute = c.mute - 1 if c.mute else 2 * _TIMEOUT * (go() < self._mute)
            if c.r is None and c.reads and not c.mute and go() >= self._stall:
                at = c.reads[0][0]
                inside = at + _WORD <= _MEMORY
                data = self.memory[at : at + _WORD] if inside else b"\xa5" * _WORD
                c.r = (int.from_bytes(data, "little"), 0 if inside else 2)
            if c.b is None and c.answers and not c.mute and go() >= self._stall:
                c.b = c.answers.pop(0)
            if c.r is not None:
                drive["m_axi_rvalid"] |= 1 << i
                drive["m_axi_rdata"] |= c.r[0] << 64 * i
                drive["m_axi_rresp"] |= c.r[1] << 2 * i
                drive["m_axi_rlast"] |= (c.reads[0][1] == 1) << i
            if c.b is not None:
                drive["m_axi_bvalid"] |= 1 << i
                drive["m_axi_bresp"] |= c.b << 2 * i
            drive["m_axi_arready"] |= (len(c.reads) < 8 and go() >= self._stall) << i
            drive["m_axi_awready"] |= (len(c.writes) < 8 and go() >= self._stall) << i
            drive["m_axi_wready"] |= (bool(c.writes) and not c.mute and go() >= self._stall) << i
        return drive

    def watch(self, drive: Mapping[str, int], seen: Mapping[str, int]) -> None:
        """What the memory sees."""

        def both(valid: str, ready: str, i: int) -> bool:
            sides = ({**seen, **drive}[f"m_axi_{name}"] >> i & 1 for name in (valid, ready))
            return all(sides)

        for i, c in enumerate(self.channels):
            if both("rvalid", "rready", i):
                c.r = None
                c.reads[0][0] += _WORD
                c.reads[0][1] -= 1
                if not c.reads[0][1]:
                    c.reads.pop(0)
            if both("bvalid", "bready", i):
                c.b = None
            if both("wvalid", "wready", i):
                burst = c.writes[0]
                strobes = seen["m_axi_wstrb"] >> _WORD * i & 255
                data = (seen["m_axi_wdata"] >> 64 * i & ((1 << 64) - 1)).to_bytes(_WORD, "little")
                for byte in range(_WORD):
                    if strobes >> byte & 1 and burst[0] + byte < _MEMORY:
                        self.memory[burst[0] + byte] = data[byte]
                c.bad |= burst[0] + _WORD > _MEMORY
                burst[0] += _WORD
                burst[1] -= 1
                self.expect((burst[1] == 0) == bool(seen["m_axi_wlast"] >> i & 1), "wlast")
                if not burst[1]:
                    c.writes.pop(0)
                    c.answers.append(2 * c.bad)
                    c.bad = 0
            for valid, queue in (("ar", c.reads), ("aw", c.writes)):
                if both(f"{valid}valid", f"{valid}ready", i):
                    at = seen[f"m_axi_{valid}addr"] >> 64 * i & ((1 << 64) - 1)
                    self.counts["moved"] += 1
                    queue.append([at, (seen[f"m_axi_{valid}len"] >> 8 * i & 255) + 1])

    def judge(self, access: Access, response: int, data: int) -> None:
        """As the table says; an argument is what was accepted last."""
        at, end = access.address, ARGUMENTS + ARGUMENTS_STRIDE * self.count
        if access.data is None:
            if at % 4 or at >= end:
                self.expect(response != 0 and data == 0, (access, response))
            elif at == INSTANCES:
                self.expect((response, data) == (0, self.count), (access, data))
            elif held := self.held(at):
                self.expect(response == 0 and data in held, (access, data, held))
            return
        if at % 4 or at >= end or 0x10 < at < ARGUMENTS:
            self.expect(response != 0, (access, response))
        elif at <= 12:
            self.expect(response == 0, (access, response))
        elif not response and (at - ARGUMENTS) % ARGUMENTS_STRIDE < 0x14:
            self.remember(access)

    def _draw(self) -> Access:
        rng, arguments = self.rng, ARGUMENTS_STRIDE * self.count
        match rng.randrange(8):
            case 0:
                at = rng.randrange(1 << 12)
            case 1 | 2:
                at = 4 * rng.randrange(16)
            case 3:
                at = 0
            case _:
                at = ARGUMENTS + 4 * rng.randrange(arguments // 4)
        offset = (at - ARGUMENTS) % ARGUMENTS_STRIDE
        data = rng.getrandbits(32)
        if at >= ARGUMENTS and rng.randrange(10):
            data = (
                (8 * rng.randrange(_MEMORY // 8), 0)[offset % 8 == 4] if offset < 16 else data % 40
            )
        elif at == 0x10:
            data %= 3
        return Access(at, data, 15 if rng.randrange(6) else rng.randrange(16))

    def _settle(self) -> None:
        """The host does nothing, and the memory answers."""
        self._stall = self._mute = 0.0
        for c in self.channels:
            c.mute = 0
        for _ in range(0, _IDLE, 50):
            if self.access(0) & 4 and not any(
                c.reads or c.writes or c.answers or c.r or c.b is not None for c in self.channels
            ):
                return
            for _ in range(50):
                self.cycle()
        raise BrokenError("it does not become idle")

    def episode(self, size: int) -> None:
        """See :class:`Fuzzer`."""
        rng = self.rng
        self._stall = rng.choice((0.0, 0.2, 0.7))
        self._mute = rng.choice((0.0, 0.0, 0.001))
        self.lite._pace = rng.choice((0.3, 0.7, 1.0))
        end = transactions(self.counts) + size
        while transactions(self.counts) < end:
            self.begin(self._draw)
            self.cycle()
            if rng.random() < 0.0001:
                self.model.reset()
                self.lite = Lite(rng, self.lite._pace)
                self.channels = [Channel() for _ in range(self.count)]
                self.shadow.clear()
                self.counts["resets"] += 1
        self._settle()
        self.counts[f"ended: {STATUSES[self.access(0x18) & 255]}"] += 1
        self._job()

    def _job(self) -> None:
        """One that is right."""
        rng, operations = self.rng, self.prepared.core.operations
        operation = rng.choice(operations)
        self._stall = rng.choice((0.0, 0.3))
        polynomials = [
            random_polynomials(
                operation.ring, rng.randrange(1, 6), np.random.default_rng(rng.getrandbits(32))
            )
            for _ in range(self.count)
        ]
        self.memory[:] = rng.randbytes(_MEMORY)
        wanted = bytearray(self.memory)
        self.access(0x10, operation.code)
        for i, batch in enumerate(polynomials):
            source, target = (2 * i * _MEMORY // 8, (2 * i + 1) * _MEMORY // 8)
            data = to_memory(self.shell, operation.pack(batch)).tobytes()
            result = to_memory(self.shell, _results(operation, batch)).tobytes()
            self.memory[source : source + len(data)] = data
            wanted[source : source + len(data)] = data
            wanted[target : target + len(result)] = result
            at = ARGUMENTS + ARGUMENTS_STRIDE * i
            for offset, value in ((0, source), (4, 0), (8, target), (12, 0), (16, len(batch))):
                self.access(at + offset, value)
        self.access(0, 1)
        for _ in range(0, _IDLE, 20):
            if self.access(0) & 4:
                break
            for _ in range(20):
                self.cycle()
        status = self.access(0x18)
        self.expect(status & 255 == 0, f"status {status:#x}")
        self.expect(self.memory == wanted, f"{operation.name} is wrong")
        self.counts["right"] += 1


def _results(operation: Any, batch: Any) -> Any:
    """What the engine writes: words of the results in the stream's order."""
    found = np.asarray(reference(operation, batch)).astype(np.uint64)
    # `unpack` is a permutation of words: where each one goes is seen by unpacking their numbers.
    count = found.shape[-1]
    places = operation.unpack(np.arange(count, dtype=np.uint64)[None])[0].astype(int)
    words = np.empty_like(found)
    words[:, places] = found
    return words


def shell() -> Prepared[Any]:
    """That of :class:`ShellFuzzer`: it waits for an answer for 300 cycles."""
    return prepare_shell(
        _RING,
        2,
        instances=2,
        data_width=64,
        burst_bytes=128,
        latency_cycles=44,
        timeout_cycles=_TIMEOUT,
    )


def shell_ports(count: int) -> Ports:
    """Ports of a shell's top, of so many instances of 64 bits."""
    lite_in = {"awvalid": 1, "awaddr": 12, "wvalid": 1, "wdata": 32, "wstrb": 4, "bready": 1}
    lite_in |= {"arvalid": 1, "araddr": 12, "rready": 1}
    lite_out = {"awready": 1, "wready": 1, "bvalid": 1, "bresp": 2, "arready": 1}
    lite_out |= {"rvalid": 1, "rdata": 32, "rresp": 2}
    full_in = {"arready": 1, "rvalid": 1, "rdata": 64, "rresp": 2, "rlast": 1}
    full_in |= {"awready": 1, "wready": 1, "bvalid": 1, "bresp": 2}
    request = {"valid": 1, "addr": 64, "len": 8, "size": 3, "burst": 2, "cache": 4, "prot": 3}
    full_out = {f"a{k}{name}": bits for k in "rw" for name, bits in request.items()}
    full_out |= {"rready": 1, "wvalid": 1, "wdata": 64, "wstrb": 8, "wlast": 1, "bready": 1}
    return Ports(
        inputs={
            "test_mode_i": 1,
            **{f"s_axi_{name}": bits for name, bits in lite_in.items()},
            **{f"m_axi_{name}": count * bits for name, bits in full_in.items()},
        },
        outputs={
            "interrupt_o": 1,
            **{f"s_axi_{name}": bits for name, bits in lite_out.items()},
            **{f"m_axi_{name}": count * bits for name, bits in full_out.items()},
        },
    )


FUZZERS: Mapping[str, Callable[[random.Random], Fuzzer]] = {
    "ML-KEM coprocessor": KemFuzzer,
    "memory shell": ShellFuzzer,
}
_COUNTED = ("reads", "writes", "packets", "zeroize", "resets")


def transactions(counts: Mapping[str, int]) -> int:
    """How many there were."""
    return sum(counts.get(name, 0) for name in _COUNTED)


def run(name: str, count: int, seed: int = 0) -> dict[str, Any]:
    """So many transactions on one of :data:`FUZZERS`: what was counted, and what broke a rule."""
    fuzzer = FUZZERS[name](random.Random(f"{name} {seed}"))
    broken = ""
    try:
        while transactions(fuzzer.counts) < count:
            fuzzer.episode(min(EPISODE, count))
    except (AssertionError, FaultError) as error:
        broken = f"{name}, seed {seed}: {error}"
        print(broken, flush=True)
    counts = {"broken": int(bool(broken)), "right": 0, "moved": 0, **dict.fromkeys(_COUNTED, 0)}
    return {"seed": seed, **counts, **dict(sorted(fuzzer.counts.items()))}


def shown(record: Mapping[str, Any]) -> str:
    """The record as a table."""
    if not record:
        return "Nothing is recorded yet."
    rows = []
    for name, counts in record.items():
        kinds = [counts[kind] for kind in (*_COUNTED, "refused", "right", "broken")]
        rows.append((name, *(f"{n:,}" for n in (transactions(counts), *kinds))))
    head = ("", "transactions", *_COUNTED, "refused", "right afterwards", "broke a rule")
    said = []
    for name, counts in record.items():
        ends = {kind[7:]: n for kind, n in counts.items() if kind.startswith("ended: ")}
        listed = ", ".join(f"{kind} {n:,}" for kind, n in ends.items())
        said.append(
            f"{name}: {counts['moved']:,} packets or bursts came out; how its last operations had "
            f"ended when the host stopped: {listed}."
        )
    return "\n\n".join((markdown(head, rows), *said))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("count", nargs="?", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.count is None:
        print(shown(kept(RECORD)))
        sys.exit(0)
    with ProcessPoolExecutor(len(FUZZERS)) as pool:
        jobs = {name: pool.submit(run, name, given.count, given.seed) for name in FUZZERS}
        counted = {name: job.result() for name, job in jobs.items()}
    keep(RECORD, counted)
    print(shown(counted))
    sys.exit(1 if any(counts["broken"] for counts in counted.values()) else 0)
