# SPDX-License-Identifier: Apache-2.0
"""What moves words in rtl/shell: widths that change, bursts that are read and written."""

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.rtl.decomposed.unit_bench import Structures, width
from tests.rtl.mlkem_bench import unit

ADDR_W, DATA_W = 64, 40
#: read_req_t, read_rsp_t, write_req_t, write_rsp_t.
READ_REQ = (("arvalid", 1), ("araddr", ADDR_W), ("arlen", 8), ("rready", 1))
READ_RSP = (("arready", 1), ("rvalid", 1), ("rresp", 2), ("rlast", 1))
WRITE_REQ = (
    *(("awvalid", 1), ("awaddr", ADDR_W), ("awlen", 8)),
    *(("wvalid", 1), ("wlast", 1), ("bready", 1)),
)
WRITE_RSP = (("awready", 1), ("wready", 1), ("bvalid", 1), ("bresp", 2))


def bits_of(words: list[int], width: int) -> int:
    return sum(word << width * i for i, word in enumerate(words))


@pytest.mark.parametrize(
    ("in_w", "out_w"),
    [
        *(
            (24, 24),
            (48, 16),
            (40, 24),
            (60, 48),
            (12, 36),
            (20, 32),
            (30, 48),
            (28, 64),
            (16, 128),
        ),
        *((1, 1), (1, 16), (16, 1), (16, 15)),
    ],
)
def test_bits_pass_a_change_of_width(in_w: int, out_w: int, tmp_path: Path) -> None:
    """None lost, none added, in their order; the narrower side moves each cycle if both may."""
    ports = {"valid_i": 1, "data_i": in_w, "ready_i": 1}
    model = unit(
        tmp_path,
        "ntf_gearbox",
        ports,
        {"ready_o": 1, "valid_o": 1, "data_o": out_w},
        InW=in_w,
        OutW=out_w,
    )
    rng = Random(f"{in_w} {out_w}")
    for source, sink in ((1.0, 1.0), (0.5, 1.0), (1.0, 0.4), (0.6, 0.6), (0.95, 0.05)):
        model.reset()
        given: list[int] = []
        got: list[int] = []
        word, held, offered = 0, False, None
        for _ in range(600):
            valid, ready = held or rng.random() < source, rng.random() < sink
            word = word if held else rng.getrandbits(in_w)
            seen = model.step(valid_i=valid, data_i=word if valid else ~word, ready_i=ready)
            if offered is not None:
                assert (seen["valid_o"], seen["data_o"]) == (1, offered), "a word changed"
            offered = seen["data_o"] if seen["valid_o"] and not ready else None
            if seen["valid_o"] and ready:
                got.append(seen["data_o"])
            held = valid and not seen["ready_o"]
            if valid and seen["ready_o"]:
                given.append(word)
        given += [word] if held else []  # of which parts may have left
        whole = bits_of(given, in_w)
        assert bits_of(got, out_w) == whole % (1 << out_w * len(got))
        left = in_w * len(given) - out_w * len(got)
        assert 0 <= left < 4 * max(in_w, out_w)
        if source == sink == 1.0:
            assert min(in_w, out_w) * 590 <= max(in_w * len(given), out_w * len(got))
    # While they are not accepted, three whole words are put together and wait.
    model.reset()
    taken = sum(seen["ready_o"] for seen in model.run([{"valid_i": 1}] * 60))
    assert in_w > out_w or taken * in_w >= (3 if in_w < out_w else 1) * out_w


BURST = {"valid_i": 1, "addr_i": ADDR_W, "len_i": 8, "stop_i": 1}
STATE = {"ready_o": 1, "busy_o": 1, "error_o": 1, "error_addr_o": ADDR_W}


AHEAD = 4  # bursts that the writer announces before their words


def ends(rng: Random, end: str) -> tuple[int | None, int | None]:
    """The burst at which it is stopped, and the one that is answered with an error."""
    at = rng.randrange(20, 50)
    return (at if end == "stop" else None), (at if end == "error" else None)


def state(
    seen: dict[str, int], bad: int | None, channel: str, asked: tuple[int, int] | None
) -> None:
    """What a mover says of errors, and of the burst that it asks for."""
    assert seen["error_o"] == (bad is not None)
    assert bad is None or seen["error_addr_o"] == bad
    assert seen[f"{channel}valid_o"] == (asked is not None)
    burst = seen[f"{channel}addr_o"], seen[f"{channel}len_o"] + 1
    assert asked is None or burst == asked


def bursts(rng: Random, depth: int) -> list[tuple[int, int]]:
    """(Address, words) of some: powers of two, up to all that the queue takes."""
    sizes = [1 << rng.randrange(depth.bit_length()) for _ in range(60)]
    return [(rng.getrandbits(ADDR_W), size) for size in sizes]


@pytest.mark.parametrize("end", ["done", "error", "stop"])
@pytest.mark.parametrize(("depth", "asked"), [(4, 2), (8, 4)])
def test_bursts_are_read(depth: int, asked: int, end: str, tmp_path: Path) -> None:
    """Asked for in order when there is room for all words, and none after an error or a stop."""
    reader = unit(
        tmp_path,
        "ntf_burst_reader",
        {**BURST, "ready_i": 1, "read_rsp_i": width(READ_RSP), "rdata_i": DATA_W},
        {**STATE, "valid_o": 1, "data_o": DATA_W, "read_req_o": width(READ_REQ)},
        DataW=DATA_W,
        Depth=depth,
        Asked=asked,
    )
    model = Structures(reader, {"read_rsp_i": READ_RSP}, {"read_req_o": READ_REQ})
    for lazy in (0.0, 0.5):
        rng = Random(f"{depth} {end} {lazy}")
        model.reset()
        jobs = bursts(rng, depth)
        stop_at, bad_at = ends(rng, end)
        owed: deque[int] = deque()  # words, by the numbers of their bursts
        expected: deque[int] = deque()
        asking = held = False
        first_bad: int | None = None
        room, number, over = depth, 0, False
        while not over or owed or asking or expected:
            at, size = jobs[min(number, len(jobs) - 1)]
            valid = number < len(jobs) and (held or rng.random() >= lazy)
            stop = stop_at is not None and number >= stop_at
            give, data = bool(owed) and rng.random() >= lazy, rng.getrandbits(DATA_W)
            bad = give and owed[0] == bad_at
            ready, arready = rng.random() >= lazy, rng.random() >= lazy
            noise = rng.getrandbits(ADDR_W)
            seen = model.step(
                valid_i=valid,
                addr_i=at if valid else noise,
                len_i=size - 1,
                stop_i=stop,
                ready_i=ready,
                arready_i=arready,
                rvalid_i=give,
                rdata_i=data,
                rresp_i=rng.randint(1, 3) if bad else 0,
                rlast_i=give and owed.count(owed[0]) == 1,
            )
            waiting = {*owed, *([number - 1] if asking else [])}
            free = (arready or not asking) and room >= size and len(waiting) < asked
            assert seen["ready_o"] == (free and not stop and first_bad is None)
            assert seen["rready_o"] and seen["busy_o"] == bool(waiting)
            state(seen, first_bad, "ar", jobs[number - 1] if asking else None)
            if seen["valid_o"] and ready:
                assert seen["data_o"] == expected.popleft()
                room += 1
            if give:
                expected.append(data)
                burst = owed.popleft()
                first_bad = jobs[burst][0] if bad and first_bad is None else first_bad
            if asking and arready:
                owed.extend([number - 1] * jobs[number - 1][1])
                asking = False
            held = valid and not seen["ready_o"]
            if valid and seen["ready_o"]:
                asking, room, number = True, room - size, number + 1
            over = stop or first_bad is not None or number == len(jobs)
        assert (end == "done") == (number == len(jobs))


MOVER = {"start_i": 1, "addr_i": ADDR_W, "words_i": 40, "stop_i": 1}
OF_MOVER = {"busy_o": 1, "error_o": 1, "late_o": 1, "error_addr_o": ADDR_W}
OWED: dict[str, Any] = {"DataW": 64, "BurstBytes": 64, "Timeout": 20}


def owed_behind_an_error(
    model: Structures, always: dict[str, int], answers: Sequence[dict[str, int]]
) -> list[int]:
    """Reported addresses of two bursts: some answers, of which one is bad, and no more."""
    model.reset()
    model.step(start_i=1, addr_i=0x1000, words_i=16)
    reported: list[int] = []
    for answer in (*[{}] * 40, *answers, *[{}] * 30):
        seen = model.step(**always, **answer)
        if seen["error_o"] and seen["error_addr_o"] not in reported:
            reported.append(seen["error_addr_o"])
    assert seen["late_o"]
    return reported


def axi_reader(where: Path) -> Structures:
    reader = unit(
        where,
        "ntf_axi_reader",
        {**MOVER, "ready_i": 1, "read_rsp_i": width(READ_RSP), "rdata_i": 64},
        {**OF_MOVER, "valid_o": 1, "data_o": 64, "read_req_o": width(READ_REQ)},
        Depth=16,
        **OWED,
    )
    return Structures(reader, {"read_rsp_i": READ_RSP}, {"read_req_o": READ_REQ})


def axi_writer(where: Path) -> Structures:
    writer = unit(
        where,
        "ntf_axi_writer",
        {**MOVER, "last_strb_i": 8, "valid_i": 1, "data_i": 64, "write_rsp_i": width(WRITE_RSP)},
        {
            **{**OF_MOVER, "ready_o": 1, "wdata_o": 64, "wstrb_o": 8},
            "write_req_o": width(WRITE_REQ),
        },
        Depth=16,
        **OWED,
    )
    return Structures(writer, {"write_rsp_i": WRITE_RSP}, {"write_req_o": WRITE_REQ})


def test_what_a_reader_is_owed_is_told_behind_an_error(tmp_path: Path) -> None:
    model = axi_reader(tmp_path)
    answers = [{"rvalid_i": 1}, {"rvalid_i": 1, "rresp_i": 2}]
    assert owed_behind_an_error(model, {"arready_i": 1}, answers) == [0x1008, 0x1010]


def test_what_a_writer_is_owed_is_told_behind_an_error(tmp_path: Path) -> None:
    model = axi_writer(tmp_path)
    always = {"awready_i": 1, "wready_i": 1, "valid_i": 1}
    bad = {"bvalid_i": 1, "bresp_i": 2}
    assert owed_behind_an_error(model, always, [bad]) == [0x1000, 0x1040]


#: What is wrong with a burst's words, by word.
READS: dict[str, dict[int, dict[str, int]]] = {
    "nothing": {},
    "EXOKAY": {1: {"rresp_i": 1}},
    "SLVERR": {1: {"rresp_i": 2}},
    "a last word that is not marked": {-1: {"rlast_i": 0}},
    "a mark on another word": {0: {"rlast_i": 1}},
}


def read_rules(model: Structures, begin: dict[str, int], words: int) -> None:
    """A job of so many words, a burst, for each of :data:`READS`, and with a word too many."""
    for what, wrong in READS.items():
        for more in (0, 1):
            model.reset()
            model.step(**begin)
            for _ in range(20):
                model.step(arready_i=1)
            answers = [{"rdata_i": 7 + n, "rlast_i": n == words - 1} for n in range(words)]
            answers = [
                {**each, **wrong.get(n, wrong.get(n - words, {}))} for n, each in enumerate(answers)
            ]
            answers += [{"rdata_i": 99, "rlast_i": 1}] * more
            seen = [model.step(rvalid_i=1, **each) for each in answers]
            assert all(each["busy_o"] for each in seen[:words])
            seen = [model.step(ready_i=1) for _ in range(20)]
            assert seen[-1]["error_o"] == bool(wrong or more), what
            assert not seen[-1]["busy_o"], what
            came = [each["data_o"] for each in seen if each["valid_o"]]
            assert came == [7 + n for n in range(words)], what


def test_a_reader_knows_an_answer_that_breaks_a_rule(tmp_path: Path) -> None:
    """Of a burst that ends at a multiple of its length, and of one that ends with the job."""
    model = axi_reader(tmp_path)
    for at in (0x1028, 0x1000):
        read_rules(model, {"start_i": 1, "addr_i": at, "words_i": 3}, 3)
    # A word before any was asked for, which is no part of the job.
    model.reset()
    assert not model.step(rvalid_i=1, rlast_i=1)["error_o"]
    seen = model.step()
    assert (seen["error_o"], seen["busy_o"], seen["valid_o"]) == (1, 0, 0)


def test_a_reader_of_bursts_knows_an_answer_that_breaks_a_rule(tmp_path: Path) -> None:
    reader = unit(
        tmp_path,
        "ntf_burst_reader",
        {**BURST, "ready_i": 1, "read_rsp_i": width(READ_RSP), "rdata_i": DATA_W},
        {**STATE, "valid_o": 1, "data_o": DATA_W, "read_req_o": width(READ_REQ)},
        DataW=DATA_W,
        Depth=8,
        Asked=4,
    )
    model = Structures(reader, {"read_rsp_i": READ_RSP}, {"read_req_o": READ_REQ})
    read_rules(model, {"valid_i": 1, "addr_i": 0x40, "len_i": 3}, 4)


@pytest.mark.parametrize("mover", ["ntf_axi_writer", "ntf_burst_writer"])
def test_a_writer_knows_an_answer_that_breaks_a_rule(mover: str, tmp_path: Path) -> None:
    """EXOKAY, an error, and one answer too many, after a burst of two words."""
    if mover == "ntf_axi_writer":
        model = axi_writer(tmp_path)
        begin = {"start_i": 1, "addr_i": 0x1000, "words_i": 2}
        word = {"valid_i": 1}
    else:
        model = _writer(tmp_path, 8, 4)
        begin, word = {}, {"words_valid_i": 1, "valid_i": 1, "len_i": 1}
    for answers in ([0], [1], [2], [0, 0]):
        model.reset()
        model.step(**begin)
        given = 0
        for _ in range(20):
            drive = word if given < 2 else {}
            seen = model.step(awready_i=1, wready_i=1, **drive)
            given += (
                bool(drive) and seen["ready_o" if mover == "ntf_axi_writer" else "words_ready_o"]
            )
        assert seen["busy_o"] and not seen["error_o"]
        for answer in answers:
            model.step(bvalid_i=1, bresp_i=answer)
        seen = [model.step() for _ in range(8)][-1]
        assert seen["error_o"] == (answers != [0]), answers
        assert not seen["busy_o"], answers


def _writer(where: Path, depth: int, asked: int) -> Structures:
    writer = unit(
        where,
        "ntf_burst_writer",
        {
            **{**BURST, "mark_i": 1, "words_valid_i": 1, "words_data_i": DATA_W},
            "write_rsp_i": width(WRITE_RSP),
        },
        {
            **{**STATE, "answered_o": 1, "words_ready_o": 1, "wdata_o": DATA_W},
            "write_req_o": width(WRITE_REQ),
        },
        DataW=DATA_W,
        Depth=depth,
        Asked=asked,
    )
    return Structures(writer, {"write_rsp_i": WRITE_RSP}, {"write_req_o": WRITE_REQ})


@pytest.mark.parametrize("end", ["done", "error", "stop"])
@pytest.mark.parametrize(("depth", "asked"), [(8, 2), (16, 8)])
def test_bursts_are_written(depth: int, asked: int, end: str, tmp_path: Path) -> None:
    """Announced when the last word comes, answered with their marks; none after an error."""
    model = _writer(tmp_path, depth, asked)
    for lazy in (0.0, 0.5):
        rng = Random(f"{depth} {end} {lazy}")
        model.reset()
        jobs = bursts(rng, depth // 2)
        marks = [rng.getrandbits(1) for _ in jobs]
        stop_at, bad_at = ends(rng, end)
        words: deque[int] = deque()  # that came and have not left
        to_send: deque[list[int]] = deque()  # (burst, words left)
        sent: deque[int] = deque()  # whole, not announced or not answered
        asking = held = offer = over = False
        first_bad: int | None = None
        here = number = answered = word = 0
        while not over or answered < number:
            at, size = jobs[min(number, len(jobs) - 1)]
            valid = number < len(jobs) and (held or rng.random() >= lazy)
            stop = stop_at is not None and number >= stop_at
            new = rng.getrandbits(DATA_W), rng.random() >= lazy
            word, offer = (word, True) if offer else new
            give = bool(sent) and not (asking and sent[0] == number - 1) and rng.random() >= lazy
            bad = give and sent[0] == bad_at
            awready, wready = rng.random() >= lazy, rng.random() >= lazy
            seen = model.step(
                valid_i=valid,
                addr_i=at if valid else ~at,
                len_i=size - 1,
                mark_i=marks[min(number, len(jobs) - 1)],
                stop_i=stop,
                words_valid_i=offer,
                words_data_i=word,
                awready_i=awready,
                wready_i=wready,
                bvalid_i=give,
                bresp_i=rng.randint(1, 3) if bad else 0,
            )
            put = offer and seen["words_ready_o"]
            free = (awready or not asking) and number - answered < asked and len(to_send) < AHEAD
            free = free and here + put >= size
            assert seen["ready_o"] == (free and not stop and first_bad is None)
            assert seen["words_ready_o"] == (len(words) < depth)
            assert seen["bready_o"] and seen["busy_o"] == (answered < number)
            state(seen, first_bad, "aw", jobs[number - 1] if asking else None)
            answers = give and not bad and marks[sent[0]]
            assert (seen["wvalid_o"], seen["answered_o"]) == (bool(to_send), answers)
            given = (words[0], to_send[0][1] == 1) if to_send else None
            assert given in (None, (seen["wdata_o"], seen["wlast_o"]))
            if to_send and wready:
                words.popleft()
                to_send[0][1] -= 1
                sent.extend([to_send.popleft()[0]] if to_send[0][1] == 0 else [])
            if give:
                burst = sent.popleft()
                answered += 1
                first_bad = jobs[burst][0] if bad and first_bad is None else first_bad
            words += [word] if put else []
            here, offer, asking = here + put, offer and not put, asking and not awready
            held = valid and not seen["ready_o"]
            if valid and seen["ready_o"]:
                to_send.append([number, size])
                asking, here, number = True, here - size, number + 1
            over = stop or first_bad is not None or number == len(jobs)
        assert (end == "done") == (number == len(jobs))
