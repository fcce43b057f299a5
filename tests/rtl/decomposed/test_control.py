# SPDX-License-Identifier: Apache-2.0
"""The registers, refusals and the end of a job of `ntf_decomposed_control`, with a play engine."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from nttforge.kinds.decomposed.rounds import Order
from tests.rtl.decomposed.unit_bench import RTL, Structures, unit, width

CONTROL, ENABLE, DONE_ENABLE, PENDING, OPERATION, SIZE, STATUS = 0, 4, 8, 12, 16, 20, 24
FAULT, CYCLES, SHAPE, SOURCE, TARGET, COUNT, WORK = 0x20, 0x28, 0x30, 0x40, 0x48, 0x50, 0x58
STRIPE, PADDING = 0x60, 0x68
OK, NO_WORK, UNKNOWN, MISALIGNED, RANGE, OVERLAP, READ, WRITE, LATE, _, BAD_SIZE = range(11)
TIMEOUT_LOG = 6
BURST = 64
LARGEST = 36  # of all l_max

ARGUMENTS = {
    SOURCE: 0x10000,
    TARGET: 0x20000,
    WORK: 0x30000,
    COUNT: 2,
    OPERATION: 0,
    SIZE: 7,
    PADDING: 0,
}
"""Two transforms of 2^7 words of 4 bytes, which take two rounds."""


REQUEST = (
    *(("awvalid", 1), ("awaddr", 12), ("wvalid", 1), ("wdata", 32), ("wstrb", 4)),
    *(("bready", 1), ("arvalid", 1), ("araddr", 12), ("rready", 1)),
)
"""lite_req_t."""
RESPONSE = (
    *(("awready", 1), ("wready", 1), ("bvalid", 1), ("bresp", 2)),
    *(("arready", 1), ("rvalid", 1), ("rdata", 32), ("rresp", 2)),
)
"""lite_rsp_t."""
CHANNELS = (("moved", 1), ("pending", 2), ("error", 2), ("error_addr", 128), ("port", 14))
"""channels_t."""


def control(
    where: Path, rtl: Path = RTL, striped: bool = False, log_max: int = 8, log_blowup: int = 2
) -> Structures:
    # Ports of 32 bits either way, and bursts of 64 bytes.
    sizes = (
        f"log_kernel: 4, log_beat: 2, log_burst: 4, store_bits: {32 << striped}, "
        f"ports: {striped:d}, log_min: 5, log_max: {log_max}, "
        f"log_max_negacyclic: 7, coset: 1, log_blowup: {log_blowup}, timeout_log: {TIMEOUT_LOG}, "
        # Of the engine, which is not there: the least that is legal.
        "max_rounds: 1, num_seeds: 1, factor_latency: 1, kernel_latency: 64, blocks: 4, "
        "read_depth: 2, write_depth: 2"
    )
    package = where / "generated" / "control_pkg.sv"
    package.parent.mkdir(parents=True)
    package.write_text(
        "package control_pkg;\n"
        f"localparam ntf_decomposed_pkg::engine_cfg_t Engine = '{{{sizes}, default: '0}};\n"
        "endpackage\n"
    )
    model = unit(
        where,
        "ntf_decomposed_control",
        {
            "ctrl_req_i": width(REQUEST),
            "busy_i": 1,
            "channels_i": width(CHANNELS),
        },
        {
            "ctrl_rsp_o": width(RESPONSE),
            "interrupt_o": 1,
            "awake_o": 1,
            "run_o": 1,
            "stop_o": 1,
            "inverse_o": 1,
            "negacyclic_o": 1,
            "coset_o": 1,
            "order_o": 2,
            "size_o": 6,
            "count_o": 32,
            "source_o": 64,
            "work_o": 64,
            "target_o": 64,
            "stripe_o": 64,
            "spread_o": 1,
            "pad_o": 6,
            "named_o": 7,
        },
        needs=(
            *("shell/ntf_shell_pkg.sv", "shell/ntf_axi_lite_port.sv", "shell/ntf_job_registers.sv"),
            *("shell/ntf_job_control.sv", "shell/ntf_buffer_check.sv", "shell/ntf_axi_watch.sv"),
            *("decomposed/ntf_decomposed_check.sv", str(package)),
        ),
        rtl=rtl,
        Cfg="control_pkg::Engine",
        Several=f"{log_max - 4}'b{'1' * (log_max - 6)}00",
        Pads="{" + "6'd2, " * (log_max - 6) + "6'd1, 6'd0}",
    )
    return Structures(
        model, {"ctrl_req_i": REQUEST, "channels_i": CHANNELS}, {"ctrl_rsp_o": RESPONSE}
    )


class Host:
    """Writes and reads registers of a model; `engine` is what the engine's wires say meanwhile."""

    def __init__(self, model: Structures) -> None:
        self.model = model
        self.engine: dict[str, int] = {}
        self.seen: dict[str, int] = {}
        model.reset()

    def tick(self, **inputs: int) -> dict[str, int]:
        self.seen = self.model.step(**self.engine, **inputs)
        return self.seen

    def write(self, address: int, value: int, strobe: int = 15) -> int:
        asked = {"awvalid_i": 1, "wvalid_i": 1, "awaddr_i": address, "wdata_i": value}
        while not self.tick(**asked, wstrb_i=strobe)["awready_o"]:
            pass
        response = self._answer("b")
        return response["bresp_o"]

    def read(self, address: int) -> tuple[int, int]:
        while not self.tick(arvalid_i=1, araddr_i=address)["arready_o"]:
            pass
        response = self._answer("r")
        return response["rdata_o"], response["rresp_o"]

    def _answer(self, channel: str) -> dict[str, int]:
        """That of the second cycle after what is asked: it waits for a register."""
        assert not self.tick(**{f"{channel}ready_i": 1})[f"{channel}valid_o"]
        response = self.tick(**{f"{channel}ready_i": 1})
        assert response[f"{channel}valid_o"]
        return response

    def start(self, arguments: dict[int, int], interrupt: bool = True) -> None:
        for address, value in arguments.items():
            assert self.write(address, value & 0xFFFFFFFF) == 0
            if address in (SOURCE, TARGET, WORK):
                assert self.write(address + 4, value >> 32) == 0
        for address in (ENABLE, DONE_ENABLE):
            assert self.write(address, int(interrupt)) == 0
        assert self.write(CONTROL, 1) == 0

    def wait(self, name: str, cycles: int = 40) -> int:
        """Cycles until a wire is high."""
        for cycle in range(cycles):
            if self.tick()[name]:
                return cycle
        raise AssertionError(f"{name} stays low")

    def end(self) -> tuple[int, int, int]:
        """(code, channel, fault) of a job that has ended."""
        assert self.read(CONTROL)[0] & 0b111 == 0b110
        assert self.write(PENDING, 1) == 0
        assert not self.tick()["interrupt_o"]
        status = self.read(STATUS)[0]
        fault = self.read(FAULT)[0] | self.read(FAULT + 4)[0] << 32
        return status & 0xFF, status >> 8, fault


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Structures:
    return control(tmp_path_factory.mktemp("control"))


def run(host: Host, arguments: dict[int, int], cycles: int = 20) -> tuple[int, int, int]:
    """A job whose engine is busy for some cycles, if it is let run."""
    host.engine = {"busy_i": 1}
    host.start(arguments)
    while not (host.tick()["run_o"] or host.seen["interrupt_o"]):
        pass
    if host.seen["run_o"]:
        for _ in range(cycles):
            assert host.tick()["run_o"]
        host.engine = {}
        host.wait("interrupt_o")
    return host.end()


def check_course(model: Structures) -> None:
    host = Host(model)
    assert run(host, ARGUMENTS, 100) == (OK, 0, 0)
    assert 100 < host.read(CYCLES)[0] < 130
    seen = host.seen
    assert [seen[f"{name}_o"] for name in ("source", "target", "work")] == [
        ARGUMENTS[at] for at in (SOURCE, TARGET, WORK)
    ]
    assert (seen["size_o"], seen["count_o"]) == (7, 2)
    assert host.read(SHAPE) == (8 << 16 | 2 << 8 | 4, 0)
    # Done is cleared by reading, arguments stay.
    assert host.read(CONTROL)[0] == 0b0100
    assert host.read(TARGET) == (0x20000, 0)
    assert run(host, {OPERATION: 3, SIZE: 5}) == (OK, 0, 0)
    assert host.tick()["inverse_o"] and host.seen["negacyclic_o"] and host.seen["size_o"] == 5
    assert host.seen["order_o"] == Order.NATURAL
    for code, order in ((4, Order.TO_REVERSED), (7, Order.FROM_REVERSED), (12, Order.TO_REVERSED)):
        assert run(host, {OPERATION: code}) == (OK, 0, 0)
        assert host.tick()["order_o"] == order and host.seen["coset_o"] == code >> 3


def test_course(model: Structures) -> None:
    check_course(model)


BATCH = 2 * 4 << 7
REFUSED: dict[str, tuple[dict[int, int], tuple[int, int, int]]] = {
    "more zeros than there may be": ({PADDING: 3}, (BAD_SIZE, 0, 0)),
    "more zeros than its size has": ({PADDING: 2, SIZE: 6}, (BAD_SIZE, 0, 0)),
    "zeros of an inverse": ({PADDING: 1, OPERATION: 1}, (BAD_SIZE, 0, 0)),
    "a padded source in its target": ({PADDING: 1, TARGET: 0x10000}, (OVERLAP, 0, 0x10000)),
    "a padded source in the work area": (
        {PADDING: 2, WORK: 0x10000 - BATCH + BURST},
        (OVERLAP, 2, 0x10000 - BATCH + BURST),
    ),
    "operation": ({OPERATION: 16}, (UNKNOWN, 0, 0)),
    "negacyclic on a coset": ({OPERATION: 10}, (UNKNOWN, 0, 0)),
    "no way back from a coset": ({OPERATION: 9}, (UNKNOWN, 0, 0)),
    "too small": ({SIZE: 4}, (BAD_SIZE, 0, 0)),
    "too large": ({SIZE: 9}, (BAD_SIZE, 0, 0)),
    "far too large": ({SIZE: 0x107}, (BAD_SIZE, 0, 0)),
    "negacyclic": ({SIZE: 8, OPERATION: 2}, (BAD_SIZE, 0, 0)),
    "count": ({COUNT: 0}, (NO_WORK, 0, 0)),
    "source misaligned": ({SOURCE: 0x10000 + BURST // 2}, (MISALIGNED, 0, 0x10000 + BURST // 2)),
    "target misaligned": ({TARGET: 0x20004}, (MISALIGNED, 1, 0x20004)),
    "work misaligned": ({WORK: 0x30001}, (MISALIGNED, 2, 0x30001)),
    "range": ({TARGET: (1 << 64) - BURST}, (RANGE, 1, (1 << 64) - BURST)),
    "long": ({COUNT: 1 << 31, SOURCE: (1 << 64) - (1 << 39)}, (RANGE, 0, (1 << 64) - (1 << 39))),
    "target in source": ({TARGET: 0x10000 + BATCH - BURST}, (OVERLAP, 0, 0x10000)),
    "target in source, one round": (
        {SIZE: 6, TARGET: 0x10000 + BATCH // 2 - BURST},
        (OVERLAP, 0, 0x10000),
    ),
    "source in target": ({TARGET: 0x10000 - BURST}, (OVERLAP, 0, 0x10000)),
    "work in target": ({WORK: 0x20000 + BURST}, (OVERLAP, 1, 0x20000)),
    "work is target": ({WORK: 0x20000}, (OVERLAP, 1, 0x20000)),
    "source in work": ({WORK: 0x10000 - BATCH + BURST}, (OVERLAP, 2, 0x10000 - BATCH + BURST)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(model: Structures, name: str) -> None:
    given, expected = REFUSED[name]
    host = Host(model)
    host.start(ARGUMENTS | given)
    while not host.tick()["interrupt_o"]:
        assert not host.seen["run_o"]
    assert host.end() == expected
    assert run(host, ARGUMENTS) == (OK, 0, 0)


def test_no_batch_is_too_long_to_be_told(tmp_path: Path) -> None:
    """Of the largest transforms that there may be: from all addresses to the largest count."""
    host = Host(control(tmp_path, log_max=LARGEST))
    given = ARGUMENTS | {SIZE: LARGEST, OPERATION: 4, SOURCE: 0, TARGET: 0}
    every = 64 - LARGEST - 2
    assert run(host, given | {COUNT: (1 << every) - 1}) == (OK, 0, 0)
    for count in (*(1 << log for log in range(every, 32)), (1 << 32) - 1):
        host.start(given | {COUNT: count})
        host.wait("interrupt_o")
        assert host.end() == (RANGE, 0, 0), count


@pytest.mark.parametrize("gap", range(12))
def test_a_check_that_is_broken_off_leaves_no_verdict(model: Structures, gap: int) -> None:
    """An argument is put right while what was wrong with it is being compared."""
    host = Host(model)
    assert run(host, ARGUMENTS | {COUNT: 200})[0] == OVERLAP
    assert host.write(SIZE, ARGUMENTS[SIZE]) == 0  # the check starts again
    for _ in range(gap):
        host.tick()
    assert run(host, {COUNT: 2}) == (OK, 0, 0)


TAKEN: dict[str, dict[int, int]] = {
    "in place": {TARGET: 0x10000},
    "work in the source": {WORK: 0x10000},
    "touching": {TARGET: 0x10000 + BATCH, WORK: 0x10000 - BATCH},
    "touching the other way": {TARGET: 0x10000 - BATCH, WORK: 0x10000 + BATCH},
    "up to the end": {TARGET: (1 << 64) - BATCH},
    "one round needs no work area": {SIZE: 6, WORK: 0x20001},
    "one round in place": {SIZE: 6, TARGET: 0x10000, WORK: 0x10000},
    "negacyclic": {OPERATION: 2},
    "on a coset": {OPERATION: 8, SIZE: 8},
    "touching a padded source": {PADDING: 2, TARGET: 0x10000 + BATCH // 4, WORK: 0x10000 - BATCH},
    "work touching a padded source": {PADDING: 2, WORK: 0x10000 + BATCH // 4},
    "a padded one of one round": {PADDING: 1, SIZE: 6, OPERATION: 12},
    "another order needs no work area": {OPERATION: 5, TARGET: 0x10000, WORK: 0x10001},
}


@pytest.mark.parametrize("name", TAKEN)
def test_taken(model: Structures, name: str) -> None:
    assert run(Host(model), ARGUMENTS | TAKEN[name]) == (OK, 0, 0)


def started(model: Structures, **engine: int) -> Host:
    host = Host(model)
    host.start(ARGUMENTS)
    host.wait("run_o")
    host.engine = {"busy_i": 1, **engine}
    for _ in range(20):
        host.tick(moved_i=1)
    return host


@pytest.mark.parametrize(("channel", "status"), [(0, READ), (1, WRITE)])
def test_an_error_ends_the_job(model: Structures, channel: int, status: int) -> None:
    host = started(model, pending_i=3)
    error: dict[str, Any] = {
        "error_i": 1 << channel,
        "error_addr_i": 0x1234_5678_9ABC << 64 * channel,
    }
    host.engine |= error
    host.wait("stop_o", 5)
    # It waits for the answers that are under way.
    for _ in range(30):
        assert host.tick(moved_i=1)["run_o"] and not host.seen["interrupt_o"]
    host.engine |= {"pending_i": 0}
    host.wait("interrupt_o")
    host.engine = {}
    assert host.end() == (status, channel, 0x1234_5678_9ABC)
    assert run(host, ARGUMENTS) == (OK, 0, 0)


def check_timeout(model: Structures, channel: int, stopped: bool) -> None:
    host = started(model, pending_i=1 << channel)
    if stopped:
        host.engine |= {"error_i": 1}
        host.wait("stop_o", 5)
    # A movement starts the time again.
    for _ in range(3):
        for _ in range((1 << TIMEOUT_LOG) - 8):
            assert not host.tick()["interrupt_o"]
        host.tick(moved_i=1)
    # At once: a late answer, known a cycle later, is reported without waiting any further.
    assert host.wait("interrupt_o", 2 << TIMEOUT_LOG) == (1 << TIMEOUT_LOG) + 1
    assert host.end()[:2] == (LATE + channel, channel)
    # As long as an answer is owed the movers keep what they have promised, and nothing begins.
    assert host.write(CONTROL, 1) == 0
    assert host.write(COUNT, 1) == 2
    for _ in range(2 << TIMEOUT_LOG):
        host.tick()
        assert host.seen["awake_o"] and host.seen["stop_o"] and not host.seen["run_o"]
    assert host.seen["interrupt_o"] and host.end()[:2] == (LATE + channel, channel)
    host.engine = {}
    assert run(host, ARGUMENTS) == (OK, 0, 0)


@pytest.mark.parametrize(("channel", "stopped"), [(0, False), (1, False), (1, True)])
def test_a_memory_that_never_answers(model: Structures, channel: int, stopped: bool) -> None:
    check_timeout(model, channel, stopped)


def test_no_timeout_while_nothing_is_asked_for(model: Structures) -> None:
    host = started(model, pending_i=0)
    for _ in range(4 << TIMEOUT_LOG):
        assert host.tick()["run_o"] and not host.seen["interrupt_o"]


def test_an_interrupt_that_is_enabled_late_is_not_lost(model: Structures) -> None:
    host = Host(model)
    host.start(ARGUMENTS, interrupt=False)
    while not host.read(CONTROL)[0] & 2:
        assert not host.seen["interrupt_o"]
    assert host.read(PENDING) == (1, 0)
    assert host.write(ENABLE, 1) == 0 and not host.tick()["interrupt_o"]
    assert host.write(DONE_ENABLE, 1) == 0 and host.tick()["interrupt_o"]
    assert host.write(PENDING, 1) == 0 and not host.tick()["interrupt_o"]


def test_registers(model: Structures) -> None:
    host = started(model)
    assert host.write(SOURCE, 1) == 2  # while a job runs
    assert host.write(CONTROL, 1) == 0  # ignored
    assert host.read(SOURCE) == (0x10000, 0)
    host.engine = {}
    host.wait("interrupt_o")
    assert host.read(STRIPE)[1] == host.write(STRIPE, 0) == 2
    assert host.read(0x02)[1] == 2
    assert host.write(STATUS, 1) == 2
    assert host.write(SOURCE, 0xAABBCCDD, strobe=0b0101) == 0
    assert host.read(SOURCE) == (0x00BB00DD, 0)
    assert not host.tick()["run_o"]


def registers_hold(
    host: Host, kept: set[int], elsewhere: set[int], zero: set[int]
) -> dict[int, int]:
    """Registers' whole space: a byte at a time, read back; an error where there is none.

    `zero` are those of the kept that are 0 whatever is written, `elsewhere` those whose values
    others test: there is no error in reading them.
    Returns what is there at the end.
    """
    rng = Random(3)
    values = dict.fromkeys(sorted(kept), 0)
    for at in values:
        assert host.write(at, 0) == 0
    for _ in range(3000):
        at = rng.choice((*values, rng.randrange(0x200), rng.randrange(1 << 12)))
        if at in elsewhere:
            continue
        error = 0 if at in values else 2
        if rng.random() < 0.5:
            data, strobe = rng.getrandbits(32), rng.choice((15, rng.getrandbits(4)))
            assert host.write(at, data, strobe) == error, hex(at)
            mask = sum(255 << 8 * b for b in range(4) if strobe >> b & 1)
            if at in values and at not in zero:
                values[at] = values[at] & ~mask | data & mask
        else:
            assert host.read(at) == (values.get(at, 0), error), hex(at)
    for at in range(max(values) + 128):
        if at not in values:
            assert host.read(at)[1] == (0 if at in elsewhere else 2), hex(at)
        if at not in {*values, *elsewhere}:
            assert host.write(at, 1) == 2, hex(at)
    return values


COMMON = {CONTROL, ENABLE, DONE_ENABLE, PENDING, STATUS, FAULT, FAULT + 4, CYCLES, CYCLES + 4}


def test_registers_are_read_back(model: Structures) -> None:
    pointers = {at + half for at in (SOURCE, TARGET, WORK) for half in (0, 4)}
    kept = {OPERATION, SIZE, COUNT, COUNT + 4, PADDING} | pointers
    registers_hold(Host(model), kept, COMMON | {SHAPE}, {COUNT + 4})


def test_there_is_no_padding_where_nothing_is_padded(tmp_path: Path) -> None:
    host = Host(control(tmp_path, log_blowup=0))
    assert host.read(PADDING)[1] == host.write(PADDING, 0) == 2


def test_the_stripe_of_several_ports(tmp_path: Path) -> None:
    """Both halves read as they were written, in whole pages; there it is no unknown register."""
    host = Host(control(tmp_path, striped=True))
    stripe = 0x1234_5678_9ABC_DEF0
    for half in (0, 4):
        assert host.write(STRIPE + half, stripe >> 8 * half & 0xFFFFFFFF) == 0
    assert [host.read(STRIPE + half) for half in (0, 4)] == [(0x9ABCD000, 0), (0x12345678, 0)]
    assert host.tick()["stripe_o"] == stripe & ~0xFFF
