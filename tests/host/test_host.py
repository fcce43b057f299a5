# SPDX-License-Identifier: Apache-2.0
"""`nttforge.host`: one API, simulated and on stand-ins of boards."""

import random
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024

from nttforge import host
from nttforge.errors import NttforgeError
from nttforge.flow.prepare import prepare_any
from nttforge.flow.reference import random_polynomials, reference
from nttforge.simulate.native import from_limbs, native_transform, random_words
from tests.end_to_end.test_folder_bench import design_of
from tests.host.board_models import (
    IDENTITY,
    MEMORY,
    REGISTERS,
    SECONDS,
    SIZE,
    WAYS,
    EtherboneServer,
    Space,
    pyxrt,
)

KEM = "ml-kem-coprocessor"
REFERENCE = {512: ML_KEM_512, 768: ML_KEM_768, 1024: ML_KEM_1024}


def _begins(wanted: tuple[bytes, bytes], got: Any) -> bool:
    return bool(got[:2] == wanted)


def _secret(wanted: bytes, got: Any) -> bool:
    return bool(got.secret == wanted)


def test_many_requests_under_way() -> None:
    """From several threads, refused ones among them: each future has its own result."""
    rng = random.Random(5)
    with host.open(KEM, stall=0.2, seed=3) as core:
        wanted: list[tuple[Any, Callable[[Any], bool]]] = []
        for name, r in REFERENCE.items():
            d, z, m = (rng.randbytes(32) for _ in range(3))
            ek, dk = r._keygen_internal(d, z)
            secret, c = r._encaps_internal(ek, m)
            bad = b"\xff" * 384 + ek[384:]
            wanted += [
                (("keygen", name, d, z), partial(_begins, (ek, dk))),
                (("encaps", name, bad, m), lambda got: "modulus" in str(got)),
                (("encaps", name, ek, m), partial(_begins, (secret, c))),
                (("decaps", name, dk, c), partial(_secret, secret)),
                (("decaps", name, dk[:-8], c), lambda got: "dk" in str(got)),
                (("decaps_seed", name, d + z, c), partial(_secret, secret)),
                (("decaps_seed", name, d, c), lambda got: "seed" in str(got)),
            ]
        rng.shuffle(wanted)
        futures: dict[int, Any] = {}

        def ask(first: int) -> None:
            for i in range(first, len(wanted), 3):
                futures[i] = core.start(*wanted[i][0])

        threads = [threading.Thread(target=ask, args=(first,)) for first in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for i, (_, right) in enumerate(wanted):
            error = futures[i].exception()
            assert right(error or futures[i].result()), wanted[i][0][:2]


def test_batches_tell_how_fast_they_go() -> None:
    messages: list[str] = []
    with host.open(KEM) as core:
        pairs = core.batch("keygen", [(512,)] * 5, messages.append)
        sent = core.batch("encaps", [(512, pair.ek) for pair in pairs])
        found = core.batch("decaps", [(512, p.dk, s.c) for p, s in zip(pairs, sent, strict=True)])
    assert [f.secret for f in found] == [s.secret for s in sent]
    assert len({p.ek for p in pairs}) == 5 and all(f.cycles > 600 for f in found)
    assert messages[-1].startswith("5 of 5 keygen, ") and messages[-1].endswith(" a second")


def test_a_future_is_cancelled_until_its_operation_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    cancelled: list[bool] = []
    with host.open(KEM) as core:
        submit = core._submit

        def late(call: Any) -> bool:
            go.wait(10)
            begun: bool = submit(call)
            cancelled.append(call.future.cancel())
            return begun

        monkeypatch.setattr(core, "_submit", late)
        futures = [core.start("keygen", 512) for _ in range(3)]
        assert futures[1].cancel()
        go.set()
        assert all(len(futures[i].result(10).ek) == 800 for i in (0, 2))
    assert cancelled == [False, True, False]


def test_what_is_started_beside_close_ends() -> None:
    core = host.open(KEM)
    closer = threading.Thread(target=core.close)

    class Seed(bytes):
        """The device is closed while it is examined."""

        def __len__(self) -> int:
            if closer.ident is None:
                closer.start()
                closer.join(0.5)
            return super().__len__()

    started = core.start("keygen", 512, Seed(32), bytes(32))
    assert len(started.result(10).ek) == 800
    closer.join(10)
    with pytest.raises(NttforgeError, match="closed"):
        core.start("keygen", 512)


def test_each_close_waits_for_what_has_been_started() -> None:
    core = host.open(KEM, stall=0.9)
    futures = [core.start("keygen", 1024) for _ in range(4)]
    closers = [threading.Thread(target=core.close) for _ in range(2)]
    for closer in closers:
        closer.start()
    core.close()
    assert all(future.done() for future in futures)
    for closer in closers:
        closer.join(10)


def test_a_callback_may_close(caplog: pytest.LogCaptureFixture) -> None:
    core = host.open(KEM)
    future = core.start("keygen", 512)
    future.add_done_callback(lambda _: core.close())
    assert future.result().cycles > 600
    core.close()
    assert not caplog.records


def test_wrong_arguments_are_told_by_the_future() -> None:
    """As all devices do: of one item that is wrong, the others come to no harm."""
    seeds: list[Any] = ["a" * 32, [300] * 32, 32, bytes(32)]
    with host.open(KEM) as core:
        futures = [core.start("keygen", 512, seed, bytes(32)) for seed in seeds]
        futures += [core.start("keygen"), core.start("keygen", 512, seed=3)]
        errors = [type(future.exception(10)) for future in futures]
    assert errors == [NttforgeError] * 3 + [type(None)] + [NttforgeError] * 2


def test_any_design_is_a_device() -> None:
    design = design_of("stream")
    with host.open(design) as engine:
        x = np.arange(16)
        futures = [engine.start("a.ntt", x + i) for i in range(4)]
        back = engine.batch("a.intt", [(f.result(),) for f in futures])
        assert all((y == x + i).all() for i, y in enumerate(back))
        with pytest.raises(NttforgeError, match=r"a\.ntt"):
            engine.start("a.nttt", x)
        assert isinstance(engine.start("a.ntt", x[:3]).exception(), NttforgeError)
    with pytest.raises(NttforgeError, match="closed"):
        engine.start("a.ntt", x)


@pytest.fixture
def closing() -> Iterator[list[Callable[[], None]]]:
    things: list[Callable[[], None]] = []
    yield things
    for close in things:
        close()


@pytest.fixture(params=WAYS)
def boards(request: Any, tmp_path: Path, closing: Any) -> Any:
    """Makes a board with a design on it."""
    return lambda prepared: WAYS[request.param](prepared, tmp_path, closing).board


def test_a_shell_on_a_board(boards: Any) -> None:
    design = design_of("shell")
    prepared: Any = prepare_any(design)
    rng = np.random.default_rng(2)
    with host.open(design, boards(prepared)) as engine:
        for operation in prepared.core.operations:
            for count in (1, 3):
                x = random_polynomials(operation.ring, count, rng)
                assert (engine.start(operation.name, x).result() == reference(operation, x)).all()
        one = engine.ntt(np.arange(16))
        assert one.shape == (16,) and (engine.intt(one) == np.arange(16)).all()
        with pytest.raises(NttforgeError, match="memory"):
            engine.ntt(np.zeros((1 << 16, 16), int))


def test_a_large_engine_on_a_board(boards: Any) -> None:
    design = design_of("large")
    prepared: Any = prepare_any(design)
    core, rng = prepared.core, np.random.default_rng(2)
    with host.open(design, boards(prepared)) as engine:
        for operation in core.operations[:2]:
            size = core.least + 1
            words = random_words(core.ring.q, (2, 1 << size), rng)
            x = from_limbs(words)
            root = core.root(operation, size)
            wanted = native_transform(core.ring.q, root, words, inverse=operation.inverse)
            assert (engine.start(operation.name, x).result() == from_limbs(wanted)).all()


def test_what_goes_wrong_with_a_board() -> None:
    design = design_of("shell")
    prepared = prepare_any(design)
    space = Space(prepared)
    board = host.Board(space, REGISTERS, MEMORY, SIZE)
    x = np.arange(16)
    with host.open(design, board) as engine:
        space.broken = True
        with pytest.raises(NttforgeError, match="no cable"):
            engine.ntt(x)
        space.broken = False
        assert (engine.intt(engine.ntt(x)) == x).all()
    # A design without registers, another hardware.
    with pytest.raises(NttforgeError, match="shell"):
        host.open(design_of("stream"), board)
    with pytest.raises(NttforgeError, match="C driver"):
        host.open(KEM, board)
    space.rtl.values[0x30] += 1
    with pytest.raises(NttforgeError, match="another hardware"):
        host.open(design, board)


def test_a_mapped_file_ends_where_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "memory"
    path.write_bytes(bytes(4096))
    way = host.Mapped(path, 4096, base=0x10000)
    way.write(0x10FF8, [1, 0xFFFFFFFF])
    assert way.read(0x10FF8, 2) == [1, 0xFFFFFFFF]
    for address, count in ((0xFFFC, 1), (0x10FFC, 2), (0x10002, 1)):
        _refused("what is mapped, from 0x10000 to 0x10fff", partial(way.read, address, count))
    way.close()
    assert path.read_bytes()[-8:] == b"\1\0\0\0\xff\xff\xff\xff"


X = np.arange(16)


def _refused(match: str, ask: Callable[[], Any]) -> str:
    """What ends in an error says so at once, and in a line."""
    begun = time.monotonic()
    with pytest.raises(NttforgeError, match=match) as caught:
        ask()
    assert time.monotonic() - begun < 10 * SECONDS and len(str(caught.value)) <= 300
    return str(caught.value)


@pytest.mark.parametrize("way", WAYS)
def test_misuse_ends_in_an_error(way: str, tmp_path: Path, closing: Any) -> None:
    """Wrong lengths, a job that never ends, a core that is busy, and a way that is cut."""
    design = design_of("shell")
    plugged = WAYS[way](prepare_any(design), tmp_path, closing)
    with host.open(design, plugged.board) as engine:
        for wrong in (X[:-1], np.arange(17), np.zeros((2, 3, 15), int), X - 1, X + 97, X / 2):
            _refused("operand", partial(engine.ntt, wrong))
        assert (engine.intt(engine.ntt(X)) == X).all()
        plugged.rtl.hung = True
        _refused("for too long", lambda: engine.ntt(X))
        _refused("failed before", lambda: engine.ntt(X))
    _refused("something runs", lambda: host.open(design, plugged.board))


@pytest.mark.parametrize("way", [way for way in WAYS if way != "direct"])
def test_addresses_that_a_way_does_not_reach(way: str, tmp_path: Path, closing: Any) -> None:
    design = design_of("shell")
    board = WAYS[way](prepare_any(design), tmp_path, closing).board
    for registers in (1 << 34, -4096, board.registers + 2):
        if way in ("xrt", "pynq") and registers > board.registers:
            continue  # their registers have no end
        wrong = replace(board, registers=registers)
        _refused("^address: 4 bytes at ", partial(host.open, design, wrong))
    with host.open(design, replace(board, memory=1 << 34)) as engine:
        _refused("^address: [0-9]+ bytes at 0x400000000 are", lambda: engine.ntt(X))
    with host.open(design, board) as engine:
        assert (engine.intt(engine.ntt(X)) == X).all()


def test_etherbone_reaches_its_probe() -> None:
    for probe in (1 << 32, -4, 2):
        udp = partial(host.Etherbone.udp, "127.0.0.1", probe=probe, local_port=0)
        _refused("^address: 4 bytes at .* Etherbone", udp)


def test_what_a_platform_raises_comes_through_the_driver() -> None:
    """An error of a user's own way is no "Exception ignored" of C's, and no wrong register."""
    design = design_of("shell")
    prepared = prepare_any(design)
    space = Space(prepared)
    board = host.Board(space, REGISTERS, MEMORY, SIZE, wait=[].pop, seconds=SECONDS)
    with host.open(design, board) as engine:
        space.rtl.hung = True
        with pytest.raises(IndexError, match="pop from empty list"):
            engine.ntt(X)
    way: Any = SimpleNamespace(read=lambda _address, _count: [])
    with pytest.raises(IndexError, match="index out of range"):
        host.open(design, host.Board(way, REGISTERS, MEMORY, SIZE))
    space.rtl.close()


CUTS = {
    "direct": ("no cable",),
    "uart": ("no cable", "port gone", "takes nothing", "short"),
    "mapped": ("unmapped",),
    "pcie": ("pulled out", "unmapped"),
    "etherbone-udp": ("silent", "closed", "short", "noise", "unplugged"),
    "etherbone-tcp": ("silent", "closed", "short", "noise", "unplugged"),
    "xrt": ("card gone",),
    "pynq": ("card gone",),
}


@pytest.mark.parametrize(("way", "cut"), [(way, cut) for way, cuts in CUTS.items() for cut in cuts])
def test_a_way_that_is_cut(way: str, cut: str, tmp_path: Path, closing: Any) -> None:
    design = design_of("shell")
    plugged = WAYS[way](prepare_any(design), tmp_path, closing)
    assert plugged.cuts.keys() == set(CUTS[way])
    with host.open(design, plugged.board) as engine:
        assert (engine.intt(engine.ntt(X)) == X).all()
        plugged.cuts[cut]()
        _refused("the board does not answer|the bus", lambda: engine.ntt(X))
    _refused("the bus", lambda: host.open(design, plugged.board))


def test_a_late_answer_is_not_the_next_one() -> None:
    """A serial port and a stream are not used again; datagrams have numbers."""
    came = iter([b"12", b"", b"34", b"5678"])
    port: Any = SimpleNamespace(write=len, read=lambda _: next(came))
    uart = host.Uart(port)
    for problem in ("2 of 4 bytes", "failed before"):
        with pytest.raises(OSError, match=problem):
            uart.read(0, 1)
    answer = struct.Struct(">HBBIBBBBII")
    for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
        ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
        ours.settimeout(0.05)
        with ours, theirs:
            way = host.Etherbone(ours, probe=0)
            with pytest.raises(OSError, match="no answer"):
                way.read(0, 1)
            if kind == socket.SOCK_STREAM:
                with pytest.raises(OSError, match="descriptor"):
                    way.read(0, 1)
                continue
            for number in (1, 2):
                theirs.send(answer.pack(0x4E6F, 0x10, 0x44, 0, 0, 15, 1, 0, number, 10 * number))
            assert way.read(0, 1) == [20]


def test_xrt_opens_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    design = design_of("shell")
    space = Space(prepare_any(design))
    monkeypatch.setitem(sys.modules, "pyxrt", pyxrt(space))
    way = host.Xrt.open("x.xclbin", "small_shell", SIZE, argument=1)
    with host.open(design, way.board()) as engine:
        assert (engine.intt(engine.ntt(X)) == X).all()
    _refused("the buffer", lambda: way.read(MEMORY + SIZE, 1))
    monkeypatch.setattr(type(way._kernel).__mro__[1], "read_register", property())
    _refused("pyxrt", lambda: host.Xrt(pyxrt(space), way._kernel, way._buffer))
    space.broken = True
    _refused("no such device", lambda: host.Xrt.open("x", "k", SIZE, argument=1))
    monkeypatch.setitem(sys.modules, "pyxrt", None)
    _refused("not installed", lambda: host.Xrt.open("x", "k", SIZE, argument=1))
    space.rtl.close()


def test_litex_speaks_the_same_etherbone(closing: Any) -> None:
    """LiteX's client to the stand-in, and this package's to LiteX's server."""
    reason = "LiteX is not installed (pip install litex): its Etherbone is not compared"
    udp = pytest.importorskip("litex.tools.remote.comm_udp", reason=reason)
    tcp = pytest.importorskip("litex.tools.litex_server", reason=reason)
    space = Space(prepare_any(design_of("shell")))
    closing.append(space.rtl.close)
    words = [(i * 0x01234567) % (1 << 32) for i in range(40)]
    stand_in = EtherboneServer(space, socket.SOCK_DGRAM)
    closing.insert(0, stand_in.close)
    client = udp.CommUDP("127.0.0.1", stand_in.port, timeout=SECONDS)
    client.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    client.socket.settimeout(SECONDS)
    closing.insert(0, client.socket.close)
    client.write(MEMORY, words)
    assert client.read(MEMORY, 40) == words == space.read(MEMORY, 40)

    class Comm:
        def open(self) -> None: ...
        def close(self) -> None: ...

        def read(self, address: int, length: int, burst: str) -> list[int]:
            assert burst == "incr"
            return space.read(address, length)

        def write(self, address: int, data: list[int]) -> None:
            space.write(address, data)

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    server = tcp.RemoteServer(Comm(), "127.0.0.1", port)
    server.open()
    server.start(1)
    way = host.Etherbone.tcp("127.0.0.1", port, probe=REGISTERS + IDENTITY)
    way.write(MEMORY + 4, words[::-1])
    assert way.read(MEMORY + 4, 40) == words[::-1] == space.read(MEMORY + 4, 40)
    with host.open(design_of("shell"), host.Board(way, REGISTERS, MEMORY, SIZE)) as engine:
        assert (engine.intt(engine.ntt(X)) == X).all()
    way.close()
    server.socket.close()
