# SPDX-License-Identifier: Apache-2.0
"""Parts of rtl/shell by themselves, against what their ports promise in every order of events."""

from collections import deque
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest

from tests.rtl.decomposed.test_control import (
    COMMON,
    CONTROL,
    DONE_ENABLE,
    ENABLE,
    FAULT,
    LATE,
    OK,
    OPERATION,
    OVERLAP,
    PENDING,
    READ,
    REQUEST,
    RESPONSE,
    STATUS,
    Host,
    registers_hold,
)
from tests.rtl.decomposed.unit_bench import Structures, fields, width
from tests.rtl.mlkem_bench import pack, unit, unpack

ADDR_W, ERRORS_FROM = 12, 2560
#: access_t.
ACCESS = (
    *(("write", 1), ("waddr", 12), ("wdata", 32), ("wstrb", 4)),
    *(("read", 1), ("raddr", 12)),
)


def _port(where: Path, byte_writes: int, take_reg: int) -> Structures:
    model = unit(
        where,
        "ntf_axi_lite_port",
        {"ctrl_req_i": width(REQUEST), "write_error_i": 1, "rdata_i": 32, "read_error_i": 1},
        {"ctrl_rsp_o": width(RESPONSE), "access_o": width(ACCESS)},
        ByteWrites=byte_writes,
        TakeReg=take_reg,
    )
    answers = {"ctrl_rsp_o": RESPONSE, "access_o": ACCESS}
    return Structures(model, {"ctrl_req_i": REQUEST}, answers)


def _answers_wait(seen: dict[str, int], answers: dict[str, deque[tuple[int, ...]]]) -> None:
    """An answer is there the cycle after what it answers, stays, and goes when it is taken."""
    answered = {"b": (seen["bresp_o"],), "r": (seen["rresp_o"], seen["rdata_o"])}
    for channel, now in answered.items():
        assert seen[f"{channel}valid_o"] == bool(answers[channel])
        assert not answers[channel] or now == answers[channel][0]


@pytest.mark.parametrize("byte_writes", [0, 1])
@pytest.mark.parametrize("take_reg", [0, 1])
@pytest.mark.parametrize("stall", [0.0, 0.5])
def test_registers_are_written_and_read_once(
    byte_writes: int, take_reg: int, stall: float, tmp_path: Path
) -> None:
    """Address and data in any order, answers that wait, strobes, and what is refused after it."""
    model = _port(tmp_path, byte_writes, take_reg)
    rng = Random(f"{byte_writes} {stall}")
    words = [(rng.getrandbits(ADDR_W), rng.getrandbits(32)) for _ in range(300)]
    strobes = [rng.choice((15, 15, rng.getrandbits(4))) for _ in words]
    sent: dict[str, deque[tuple[int, ...]]] = {
        "aw": deque((at,) for at, _ in words),
        "w": deque((word, strobe) for (_, word), strobe in zip(words, strobes, strict=True)),
        "ar": deque((rng.getrandbits(ADDR_W),) for _ in words),
    }
    answers: dict[str, deque[tuple[int, ...]]] = {"b": deque(), "r": deque()}
    done: list[tuple[int, int, int]] = []
    held, waits = dict.fromkeys(sent, False), dict.fromkeys(sent, 0)
    # Of the cycle before, which with registers is answered in this one.
    came: dict[str, tuple[int, ...] | None] = {"w": None, "r": None}
    cycles = 0
    model.reset()
    while any(sent.values()) or any(answers.values()) or any(came.values()):
        held = {c: bool(sent[c]) and (held[c] or rng.random() >= stall) for c in sent}
        ready = {channel: rng.random() >= stall for channel in answers}
        noise = Random(cycles)
        (at,) = sent["aw"][0] if held["aw"] else (noise.getrandbits(ADDR_W),)
        noisy = (noise.getrandbits(32), noise.getrandbits(4))
        word, strobe = sent["w"][0] if held["w"] else noisy
        (read_at,) = sent["ar"][0] if held["ar"] else (noise.getrandbits(ADDR_W),)
        value = noise.getrandbits(32)
        seen = model.step(
            **{f"{channel}valid_i": valid for channel, valid in held.items()},
            **{f"{channel}ready_i": taken for channel, taken in ready.items()},
            awaddr_i=at,
            wdata_i=word,
            wstrb_i=strobe,
            araddr_i=read_at,
            write_error_i=(came["w"] or (at,))[0] >= ERRORS_FROM,
            rdata_i=value,
            read_error_i=(came["r"] or (read_at,))[0] >= ERRORS_FROM,
        )
        _answers_wait(seen, answers)
        took = {channel: held[channel] and seen[f"{channel}ready_o"] for channel in sent}
        # Nothing waits for long that could go on.
        waiting = {"ar": answers["r"] or came["r"]}
        free = {c: not waiting.get(c, answers["b"] or came["w"]) for c in sent}
        free["aw"] = free["w"] = free["aw"] and held["aw"] and held["w"]
        waits = {c: waits[c] + 1 if held[c] and free[c] and not took[c] else 0 for c in sent}
        assert max(waits.values()) <= 2, waits
        for channel in filter(lambda c: ready[c] and answers[c], answers):
            answers[channel].popleft()
        assert took["aw"] == took["w"], "address and data are taken together"
        comes: dict[str, tuple[int, ...] | None] = {
            "w": (at, word, strobe) if took["aw"] else None,
            "r": (read_at,) if took["ar"] else None,
        }
        now_there, came = (came, comes) if take_reg else (comes, came)
        write, read = now_there["w"], now_there["r"]
        whole = write is not None and (bool(byte_writes) or write[2] == 15)
        assert (seen["write_o"], seen["read_o"]) == (whole, read is not None)
        if write is not None:
            answers["b"].append((2 * (write[0] >= ERRORS_FROM or not whole),))
            done += [(seen["waddr_o"], seen["wdata_o"], seen["wstrb_o"])] if whole else []
        if read is not None:
            assert seen["raddr_o"] == read[0]
            answers["r"].append((2, 0) if read[0] >= ERRORS_FROM else (0, value))
        assert all(len(answer) < 2 for answer in answers.values()), "an answer is overwritten"
        for channel in filter(took.__getitem__, sent):
            held[channel] = False
            sent[channel].popleft()
        cycles += 1
    kept = [(*word, strobe) for word, strobe in zip(words, strobes, strict=True)]
    assert done == [write for write in kept if byte_writes or write[2] == 15]
    if not stall:  # a write in two cycles, or three
        assert cycles <= (2 + take_reg) * len(words) + 8


@pytest.mark.parametrize("timeout", [0, 1, 6])
def test_what_is_owed_too_long_is_late(timeout: int, tmp_path: Path) -> None:
    model = unit(
        tmp_path, "ntf_axi_watch", {"owed_i": 1, "moved_i": 1}, {"late_o": 1}, Timeout=timeout
    )
    rng = Random(timeout)
    model.reset()
    quiet = 0
    for _ in range(3000):
        owed, moved = rng.random() < 0.95, rng.random() < 0.1
        assert model.step(owed_i=owed, moved_i=moved)["late_o"] == (0 < timeout <= quiet)
        quiet = 0 if moved or not owed else quiet + 1


@pytest.mark.parametrize("burst_words", [1, 2, 8, 256])
@pytest.mark.parametrize("room", ["any", "exact"])
def test_bursts_cover_a_buffer(burst_words: int, room: str, tmp_path: Path) -> None:
    """Each to a multiple of its size or the end, when there is room; nothing after a halt."""
    data_w, addr_w, words_w = 32, 20, 12
    length_w = burst_words.bit_length()
    model = unit(
        tmp_path,
        "ntf_axi_bursts",
        {
            **{"start_i": 1, "addr_i": addr_w, "words_i": words_w, "halt_i": 1, "allow_i": 1},
            **{"room_i": length_w, "aready_i": 1},
        },
        {
            **{"busy_o": 1, "ask_o": 1, "len_o": length_w},
            **{"avalid_o": 1, "aaddr_o": addr_w, "alen_o": 8},
        },
        AddrW=addr_w,
        DataW=data_w,
        WordsW=words_w,
        BurstBytes=4 * burst_words,
        RoomW=length_w,
    )
    rng = Random(f"{burst_words} {room}")
    model.reset()
    for _ in range(120):
        first, words = (
            rng.randrange(1 << 10),
            rng.choice((0, 1, 2, 7, 8, 9, 40, *[600] * (burst_words > 40))),
        )
        halt_at = rng.randrange(60) if rng.random() < 0.2 else None
        exact, lazy = room == "exact", rng.choice((0.0, 0.4))
        want, at = [], first
        while at < first + words:
            end = min(first + words, (at // burst_words + 1) * burst_words)
            want.append((4 * at, end - at))
            at = end
        model.step(start_i=1, addr_i=4 * first, words_i=words)
        got: list[tuple[int, int]] = []
        asked: deque[int] = deque()
        seen = {"busy_o": 1, "len_o": 0}
        offered, room_before = None, 0
        for cycle in range(2000):
            allow, ready = rng.random() >= lazy, rng.random() >= lazy
            wanted = want[len(got) + len(asked)][1] if len(got) + len(asked) < len(want) else 1
            space = wanted if exact else rng.randrange(burst_words + 1)
            halt = halt_at is not None and cycle >= halt_at
            seen = model.step(halt_i=halt, allow_i=allow, room_i=space, aready_i=ready)
            if not seen["busy_o"]:
                break
            if seen["avalid_o"]:
                burst = (seen["aaddr_o"], seen["alen_o"] + 1)
                assert offered in (None, burst), "a burst changed while it waited"
                offered = None if ready else burst
                assert burst[1] == asked[0]
                if ready:
                    got.append(burst)
                    asked.popleft()
            else:
                assert offered is None and not asked
            if seen["ask_o"]:
                assert allow and not halt
                assert seen["len_o"] <= (room_before if burst_words > 1 else space)
                asked.append(seen["len_o"])
            room_before = space
        else:
            pytest.fail("it has no end")
        if halt_at is None or cycle < halt_at:
            assert got == want
            if exact and not lazy:  # one each two cycles, if it is of several words
                assert cycle <= 3 + len(want) * (1 + (burst_words > 1))
        else:
            assert got == want[: len(got)] and not asked
        model.step(halt_i=1)
        model.step()


@pytest.mark.parametrize(("length_w", "shift"), [(20, 5), (70, 3)])
def test_pairs_of_buffers_are_judged(length_w: int, shift: int, tmp_path: Path) -> None:
    """Aligned, within the address space, apart: three cycles after the addresses."""
    model = unit(
        tmp_path,
        "ntf_buffer_check",
        {"clear_i": 1, "valid_i": 1, "tag_i": 4, "addr_i": 128, "length_i": 2 * length_w},
        {
            **{"busy_o": 1, "valid_o": 1, "tag_o": 4, "addr_o": 128},
            **{"misaligned_o": 2, "beyond_o": 2, "meet_o": 1, "equal_o": 1},
        },
        LengthW=length_w,
        AlignShift=shift,
        TagW=4,
    )
    rng = Random(length_w)
    model.reset()
    top = 1 << 64
    line: deque[tuple[int, list[int], list[int]] | None] = deque([None] * 3)
    lengths_before = [0, 0]
    for number in range(4000):
        length = [rng.choice((0, 1, 1 << shift, rng.getrandbits(length_w))) for _ in range(2)]
        first = rng.choice((rng.getrandbits(64), top - length[0] % top, 1 << 20)) % top
        near = first + rng.choice((0, length[0], length[0] - 1, -length[1], 1 - length[1]))
        second = rng.choice((near, rng.getrandbits(64), top - length[1] % top)) % top
        valid, clear = rng.random() < 0.8, rng.random() < 0.02
        seen = model.step(
            clear_i=clear,
            valid_i=valid,
            tag_i=number,
            addr_i=pack([first, second], 64),
            length_i=pack(lengths_before, length_w),
        )
        now = line.popleft()
        assert seen["valid_o"] == (now is not None)
        assert seen["busy_o"] == any(one is not None for one in line)
        if now is not None:
            tag, starts, sizes = now
            ends = [at + size for at, size in zip(starts, sizes, strict=True)]
            assert seen["tag_o"] == tag % 16 and unpack(seen["addr_o"], 64, 2) == starts
            wrong = [int(at % (1 << shift) != 0) for at in starts]
            assert unpack(seen["misaligned_o"], 1, 2) == wrong
            assert unpack(seen["beyond_o"], 1, 2) == [int(end > top) for end in ends]
            if max(ends) <= top:  # else they are refused, and need not be apart
                meets = starts[0] < ends[1] and starts[1] < ends[0] and all(sizes)
                assert seen["meet_o"] == meets
            assert seen["equal_o"] == (starts[0] == starts[1])
        line.append((number, [first, second], length) if valid else None)
        line = deque([None] * 3) if clear else line
        lengths_before = length


@pytest.mark.parametrize("pace", [1.0, 0.4])
def test_a_countdown_knows_its_last_step(pace: float, tmp_path: Path) -> None:
    """Of any number of steps, from the cycle after a load on, in a row or with pauses."""
    ports = {"load_i": 1, "count_i": 9, "step_i": 1}
    model = unit(tmp_path, "ntf_countdown", ports, {"last_o": 1}, Width=9)
    rng = Random(5)
    model.reset()
    for count in [*range(1, 40), *(rng.randrange(40, 512) for _ in range(12)), 511]:
        model.step(load_i=1, count_i=count, step_i=rng.getrandbits(1))
        left = count if rng.random() < 0.9 else rng.randrange(1, count + 1)  # or is cut
        for remaining in range(count, count - left, -1):
            while rng.random() >= pace:
                seen = model.step(load_i=0, count_i=rng.getrandbits(9), step_i=0)
                assert seen["last_o"] == (remaining == 1)
            seen = model.step(load_i=0, count_i=rng.getrandbits(9), step_i=1)
            assert seen["last_o"] == (remaining == 1), (count, remaining)


def test_the_registers_of_a_job(tmp_path: Path) -> None:
    """Start, done, and the interrupt, under accesses of every address, strobe and value."""
    registers = unit(
        tmp_path,
        "ntf_job_registers",
        {
            **{"ctrl_req_i": width(REQUEST), "taken_i": 1, "idle_i": 1, "over_i": 1},
            **{"write_error_i": 1, "rdata_i": 32, "read_error_i": 1},
        },
        {
            **{"ctrl_rsp_o": width(RESPONSE), "interrupt_o": 1, "start_o": 1},
            "access_o": width(ACCESS),
        },
    )
    answers = {"ctrl_rsp_o": RESPONSE, "access_o": ACCESS}
    model = Structures(registers, {"ctrl_req_i": REQUEST}, answers)
    rng = Random(7)
    model.reset()
    start = done = gie = ier = isr = False
    places = (CONTROL, ENABLE, DONE_ENABLE, PENDING, OPERATION, 0x404, 0xFFC)
    answer: tuple[int, int] | None = None
    came = (False, 0, 0, 0, False, 0)  # in the cycle before: what is looked at in this one
    for _ in range(20000):
        waddr, raddr = (rng.choice(places) for _ in "wr")
        data, strobe = rng.getrandbits(32), rng.choice((15, 0, 1, rng.getrandbits(4)))
        writes, reads = rng.random() < 0.6, rng.random() < 0.3
        idle, taken, over = rng.random() < 0.7, rng.random() < 0.2, rng.random() < 0.1
        bad = rng.random() < 0.3
        # Whoever holds arguments has 0 where it has none.
        others = 0 if came[5] in (CONTROL, ENABLE, DONE_ENABLE, PENDING) else rng.getrandbits(32)
        seen = model.step(
            awvalid_i=writes,
            awaddr_i=waddr,
            wvalid_i=writes,
            wdata_i=data,
            wstrb_i=strobe,
            bready_i=1,
            arvalid_i=reads,
            araddr_i=raddr,
            rready_i=1,
            taken_i=taken,
            idle_i=idle,
            over_i=over,
            write_error_i=bad,
            rdata_i=others,
            read_error_i=bad,
        )
        assert (seen["start_o"], seen["interrupt_o"]) == (start, gie and ier and isr)
        if answer is not None:
            assert (seen["rvalid_o"], seen["rdata_o"], seen["rresp_o"]) == (1, *answer)
        takes = writes and bool(seen["awready_o"])
        comes = (takes, waddr, data, strobe, reads and bool(seen["arready_o"]), raddr)
        (write, waddr, data, strobe, read, raddr), came = came, comes
        assert (seen["write_o"], seen["read_o"]) == (write, read)
        if seen["write_o"]:
            assert (seen["waddr_o"], seen["wdata_o"], seen["wstrb_o"]) == (waddr, data, strobe)
        control = done << 3 | (idle and not start) << 2 | done << 1 | (not idle or start)
        own = {CONTROL: control, ENABLE: int(gie), DONE_ENABLE: int(ier), PENDING: int(isr)}
        answer = None
        if read:
            assert seen["raddr_o"] == raddr
            other = (0, 2) if bad else (others, 0)
            answer = (own[raddr], 0) if raddr in own else other
        bit = bool(data & strobe & 1)
        start = not taken and (idle if write and waddr == CONTROL and bit else start)
        gie = bool(data & 1) if write and waddr == ENABLE and strobe & 1 else gie
        ier = bool(data & 1) if write and waddr == DONE_ENABLE and strobe & 1 else ier
        isr = over or (isr and not (write and waddr == PENDING and bit))
        done = over or (done and not (read and raddr == CONTROL))


SETTLES = 9  # cycles of a run at least: its verdict, seven, and that in which it ends
INSTANCES = 5  # numbers of three bits, not all of which are there
MOVER = 5 + 2 * 64  # bits of movers_t
SMALL_JOB = {OPERATION: 0, 0x40: 4096, 0x48: 8192, 0x50: 1}  # of the first instance


def _shell_control(where: Path) -> Host:
    registers = unit(
        where,
        "ntf_shell_control",
        {"ctrl_req_i": width(REQUEST), "movers_i": INSTANCES * MOVER},
        {
            **{"ctrl_rsp_o": width(RESPONSE), "interrupt_o": 1, "run_o": 1, "start_o": 1},
            **{"stop_o": 1, "operation_o": 1, "read_units_o": 1, "source_o": 64 * INSTANCES},
            **{"target_o": 64 * INSTANCES, "count_o": 32 * INSTANCES},
            **{"read_bytes_o": 48 * INSTANCES, "write_bytes_o": 48 * INSTANCES},
        },
        NumInst=INSTANCES,
    )
    return Host(Structures(registers, {"ctrl_req_i": REQUEST}, {"ctrl_rsp_o": RESPONSE}))


def test_arguments_are_kept_and_others_refused(tmp_path: Path) -> None:
    """Every address of the registers' space: a byte at a time, read back, or an error."""
    host = _shell_control(tmp_path)
    arguments = {0x40 + 32 * i + 4 * r for i in range(INSTANCES) for r in range(6)}
    # Upper halves of counts are 0.
    upper = {at for at in arguments if at % 32 == 20}
    values = registers_hold(host, {OPERATION} | arguments, COMMON | {0x30}, upper)
    assert host.read(0x30) == (INSTANCES, 0)
    seen = host.tick()
    for i in range(INSTANCES):
        words = [values[0x40 + 32 * i + 4 * r] for r in range(5)]
        assert unpack(seen["source_o"], 64, INSTANCES)[i] == words[1] << 32 | words[0]
        assert unpack(seen["target_o"], 64, INSTANCES)[i] == words[3] << 32 | words[2]
        assert unpack(seen["count_o"], 32, INSTANCES)[i] == words[4]


def test_a_run_lasts_until_it_is_known_who_is_busy(tmp_path: Path) -> None:
    """Seven cycles without a busy mover: their signals reach the control through registers."""
    host = _shell_control(tmp_path)
    for register, value in SMALL_JOB.items():
        assert host.write(register, value) == 0
    host.start({})
    host.wait("run_o", 1000)
    ran = 1
    while host.tick()["run_o"]:
        ran += 1
    assert (ran, host.end()) == (SETTLES, (OK, 0, 0))


WAYS = ("read", "write")
ADDRESSES = (0x1111000, 0x2222000)  # of the first instance


def mover(at: int, late: str = "", error: str = "") -> int:
    """movers_i of one busy instance: which way has an error or is late, the addresses of both."""
    flags = ((1, 1), *((error == way, 1) for way in WAYS), *((late == way, 1) for way in WAYS))
    return fields(*flags, *((address + at, 64) for address in ADDRESSES)) << at * MOVER


def test_a_start_behind_a_start_is_none(tmp_path: Path) -> None:
    """Written at any moment while the first one is checked, begins and runs."""
    host = _shell_control(tmp_path)
    again = {"awvalid_i": 1, "awaddr_i": CONTROL, "wvalid_i": 1, "wdata_i": 1, "wstrb_i": 15}
    for gap in range(90):
        host.model.reset()
        host.engine = {"movers_i": mover(0)}
        host.start(SMALL_JOB)
        starts, asks = 0, True
        for cycle in range(300):
            if cycle == 120:
                host.engine = {}  # it ends
            asked = again if asks and cycle >= gap else {}
            seen = host.tick(bready_i=1, **asked)
            asks = asks and not (asked and seen["awready_o"])
            starts += seen["start_o"]
        assert (starts, asks) == (1, False), gap


@pytest.mark.parametrize("gap", [0, 1, 2])
@pytest.mark.parametrize("ways", list(product(WAYS, WAYS)), ids="-".join)
def test_an_error_is_told_with_its_own_address(
    ways: tuple[str, str], gap: int, tmp_path: Path
) -> None:
    """Also if another instance has one in the same cycle, or a little later."""
    host = _shell_control(tmp_path)
    for first, second in permutations(range(INSTANCES), 2):
        host.model.reset()
        host.engine = {"movers_i": mover(first) | mover(second)}
        host.start(SMALL_JOB)
        host.wait("run_o", 1000)
        failed = mover(first, error=ways[0])
        for engine, ticks in (
            (mover(first) | mover(second), 20),
            (failed | mover(second), gap),
            (failed | mover(second, error=ways[1]), 20),
            (0, 40),
        ):
            host.engine = {"movers_i": engine}
            for _ in range(ticks):
                host.tick()
        status = host.read(STATUS)[0]
        instance, write = divmod(status >> 8, 2)
        assert (instance, WAYS[write]) in ((first, ways[0]), (second, ways[1]))
        assert (status & 0xFF, host.read(FAULT)[0]) == (READ + write, ADDRESSES[write] + instance)


@pytest.mark.parametrize("way", ["read", "write"])
def test_who_was_late_is_told_if_it_is_no_more(way: str, tmp_path: Path) -> None:
    """An answer that comes when its time is up, or some cycles later."""
    host = _shell_control(tmp_path)
    for inst in range(INSTANCES):
        for cycles in (1, 2, 3, 20):
            host.model.reset()
            host.engine = {"movers_i": mover(inst)}
            host.start(SMALL_JOB)
            host.wait("run_o", 1000)
            for engine, ticks in ((mover(inst), 20), (mover(inst, way), cycles)):
                host.engine = {"movers_i": engine}
                for _ in range(ticks):
                    host.tick()
            host.engine = {"movers_i": mover(inst)}
            for _ in range(5):
                host.tick()
            write = int(way == "write")
            assert host.read(STATUS)[0] == LATE + write | 2 * inst + write << 8, (inst, cycles)
            assert host.read(FAULT)[0] == ADDRESSES[write] + inst


def test_each_pair_of_buffers_is_compared(tmp_path: Path) -> None:
    """The target of each instance with either buffer of each; the first overlap is reported."""
    host = _shell_control(tmp_path)
    every = [(i, side) for i in range(INSTANCES) for side in (0, 1)]  # 1: the target
    pairs = [(i, other) for i in range(INSTANCES) for other in every if other != (i, 1)]
    assert host.write(OPERATION, 0) == 0
    for i, other in [(0, (0, 1)), *pairs]:
        places = {buffer: 1 + number << 20 for number, buffer in enumerate(every)}
        places[i, 1] = places[other]
        for (instance, side), at in places.items():
            register = 0x40 + 32 * instance
            assert (
                host.write(register + 8 * side, at) == host.write(register + 8 * side + 4, 0) == 0
            )
            assert host.write(register + 16, 1) == 0
        host.start({})
        while not host.tick()["interrupt_o"]:
            pass
        first = min(i, other[0]) if other[1] else i
        met = (OVERLAP, 2 * first + 1, places[other])
        assert host.end() == ((OK, 0, 0) if other == (i, 1) else met)


BURST_WORDS = 16


@pytest.mark.parametrize("seed", range(3))
def test_bursts_are_asked_for_as_soon_as_there_is_room(seed: int, tmp_path: Path) -> None:
    """Exactly enough is enough: room for all words of a burst in the cycle before, and not less."""
    model = unit(
        tmp_path,
        "ntf_axi_bursts",
        {
            **{"start_i": 1, "addr_i": 32, "words_i": 20, "halt_i": 1, "allow_i": 1},
            **{"room_i": 7, "aready_i": 1},
        },
        {"busy_o": 1, "ask_o": 1, "len_o": 5, "avalid_o": 1, "aaddr_o": 32, "alen_o": 8},
        AddrW=32,
        DataW=64,
        WordsW=20,
        BurstBytes=8 * BURST_WORDS,
        RoomW=7,
    )
    rng = Random(seed)
    for _ in range(40):
        at, words = rng.randrange(4 * BURST_WORDS), rng.randint(1, 3 * BURST_WORDS)
        lengths, left = [], words
        while left:
            here = at + words - left
            lengths.append(min(left, BURST_WORDS - here % BURST_WORDS))
            left -= lengths[-1]
        model.reset()
        job = {"addr_i": 8 * at, "words_i": words, "allow_i": 1, "aready_i": 1}
        model.run([job | {"start_i": 1, "room_i": rng.choice((0, lengths[0], 99))}])
        for length in lengths:
            for _ in range(rng.randrange(4)):
                assert not model.run([job | {"room_i": length - 1}])[0]["ask_o"]
            assert not model.run([job | {"room_i": length}])[0]["ask_o"]
            seen = model.run([job | {"room_i": 0}])[0]
            assert seen["ask_o"] and seen["len_o"] == length
        assert not model.run([job])[0]["ask_o"]
