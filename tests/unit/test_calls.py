# SPDX-License-Identifier: Apache-2.0
"""Calls from Python: arguments that do not fit are refused in one line, before any work."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import nttforge
import nttforge.host
from nttforge import host
from nttforge.calls import checked
from nttforge.errors import NttforgeError
from nttforge.flow.synth import pnr
from nttforge.kinds.lattice.functions import Opened
from nttforge.kinds.lattice.operation import Function
from nttforge.kinds.lattice.standard import ML_DSA
from tests import api_fuzz

SIXTEEN = {"name": "sixteen", "rings": [{"n": np.int64(16), "q": 97}]}


def seal(key: bytes, text: str = "", *, rounds: int = 1, fast: bool = False) -> tuple[object, ...]:
    return key, text, rounds, fast


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: f("x" * 32), "key: is str, not bytes; pass bytes"),
        (lambda f: f(np.zeros(32, np.uint8)), "key: is ndarray, not bytes; pass bytes"),
        (lambda f: f(), "seal: missing a required argument: 'key'; use seal(key, text='', *, "),
        (lambda f: f(b"", round=2), "seal: got an unexpected keyword argument 'round'; use seal("),
        (lambda f: f(b"", rounds=True), "rounds: is bool, not an integer"),
        (lambda f: f(b"", rounds=1.0), "rounds: is float, not an integer"),
        (lambda f: f(b"", fast=1), "fast: is int, not True or False"),
        (lambda f: f(b"", "a\0b"), "text: has a NUL character"),
    ],
)
def test_arguments_that_do_not_fit(call: Callable[..., object], message: str) -> None:
    with pytest.raises(NttforgeError) as caught:
        call(checked(seal))
    assert str(caught.value).startswith(message)


class Unreadable(list[int]):
    def __iter__(self) -> Any:
        raise RuntimeError("not now")

    __repr__ = __len__ = __iter__


def unreadable() -> Any:
    return Unreadable()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: host.Board(nothing=1), "Board: missing a required argument: 'way'; use Board("),  # type: ignore[call-arg]
        (lambda: host.Uart(nothing=1), "Uart: missing a required argument: 'port'; use U"),  # type: ignore[call-arg]
        (lambda: nttforge.open("ml-kem", rings=unreadable()), "rings: a value of type Unreadable"),
        (lambda: nttforge.open("ml-kem", pipeline={"butterflies": unreadable()}), "pipeline: a v"),
        (lambda: nttforge.open(unreadable()), "design: a value of type Unreadable cannot be read"),
        (lambda: checked(seal)(unreadable()), "key: a value of type Unreadable cannot be read"),
    ],
)
def test_constructors_and_values_that_cannot_be_read(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(NttforgeError) as caught:
        call()
    assert str(caught.value).startswith(message)


def test_numbers_of_numpy_and_buffers_are_taken() -> None:
    call: Callable[..., tuple[object, ...]] = checked(seal)
    given = call(bytearray(b"ab"), rounds=np.int64(3), fast=np.bool_(True))
    assert given == (b"ab", "", 3, True) and type(given[2]) is int
    assert call(memoryview(b"ab")) == (b"ab", "", 1, False)
    assert call(b"ab", rounds=np.array(3)) == (b"ab", "", 3, False)


def test_no_imaginary_part_is_dropped() -> None:
    with pytest.raises(NttforgeError, match="valid integer"):
        nttforge.open("ml-kem", pipeline__butterflies=np.array(4 + 1j))


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"frequency_mhz": float("nan")}, "frequency_mhz: is nan; use a finite number"),
        ({"frequency_mhz": 0}, "frequency_mhz: is 0; use greater than or equal to 1"),
        ({"seeds": "12"}, "seeds: is str, not a sequence, each element an integer"),
        ({"jobs": 0}, "jobs: is 0; use greater than or equal to 1"),
    ],
)
def test_options_out_of_range(option: dict[str, object], message: str) -> None:
    with pytest.raises(NttforgeError) as caught:
        checked(pnr, fixed={"prepared": None})(**option)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_operations_stand_apart_from_verbs() -> None:
    engine = nttforge.open("ml-dsa-coprocessor")
    assert set(engine.ops) == set(engine.functions) and "verify" in dir(engine.ops)
    with pytest.raises(NttforgeError, match=r"verb here .*use engine.ops.verify"):
        engine.verify(44, b"", b"", b"")
    with pytest.raises(NttforgeError, match=r"^message: is str, not bytes"):
        engine.ops.sign(44, bytes(2560), "text")
    with pytest.raises(NttforgeError, match=r"^operation: .* has no veri; did you mean verify"):
        _ = engine.ops.veri


def test_masked_arrays_and_options_of_other_kinds_are_refused() -> None:
    engine = nttforge.open("ml-kem", **SIXTEEN)
    masked = np.ma.masked_array(range(16), mask=[True] + [False] * 15)
    with pytest.raises(NttforgeError, match="masked values"):
        engine.ntt(masked)
    with pytest.raises(NttforgeError, match="masked values"):
        engine.ntt([masked, masked])
    with pytest.raises(NttforgeError, match="unexpected keyword argument 'padding'"):
        engine.ntt(range(16), padding=1)


class Elsewhere:
    """What a tensor library has on another device."""

    def __array__(self, *_: object, **__: object) -> None:
        raise TypeError("use Tensor.cpu() first")

    def __repr__(self) -> str:
        raise RuntimeError("not here")


def test_objects_that_fail_are_refused() -> None:
    engine = nttforge.open("ml-kem", **SIXTEEN)
    for given in (Elsewhere(), [Elsewhere()] * 16):
        with pytest.raises(NttforgeError, match=r"^operand 0: .*: use Tensor.cpu\(\) first; "):
            engine.ntt(given)
    with pytest.raises(NttforgeError, match="no a value of type Elsewhere"):
        engine[Elsewhere()]  # type: ignore[index]
    view = memoryview(bytes(32))
    view.release()
    with pytest.raises(NttforgeError, match=r"^key: is memoryview, not bytes"):
        checked(seal)(view)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nothing": 1}, "^open: got an unexpected keyword argument 'nothing'; use open"),
        ({"seed": 1}, "^open: got an unexpected keyword argument 'seed'"),
        ({"board": 5}, "^board: is int; pass a host.Board"),
        ({"progress": 5}, "^progress: is int, not a function"),
    ],
)
def test_options_of_devices_are_checked(options: dict[str, object], message: str) -> None:
    design = nttforge.open("ml-kem", **SIXTEEN).design
    with pytest.raises(NttforgeError, match=message):
        nttforge.host.open(design, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stall": "x"}, "^stall: is str, not a number"),
        ({"stall": float("nan")}, "^stall: is nan; use"),
        ({"seed": -1}, "^seed: is -1; use greater than or equal to 0"),
        ({"seed": 1 << 70}, "^seed: is 1180591620717411303424; use less"),
        ({"nothing": 1}, r"use open\(\*, stall=0.0, seed=0\)"),
    ],
)
def test_options_of_coprocessors_are_checked(options: dict[str, object], message: str) -> None:
    with pytest.raises(NttforgeError, match=message):
        nttforge.host.open("ml-kem-coprocessor", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("way", "message"),
    [
        (lambda: host.Mapped("/no/such", 4096), "^/no/such: cannot be opened: No such file"),
        (lambda: host.Mapped("/dev/zero", -1), "^/dev/zero: cannot be opened: .*positive"),
        (lambda: host.Mapped("a\0", 4096), "cannot be opened: embedded null"),
        (lambda: host.Mapped("/dev/zero", "3"), "^size: is str, not an integer"),  # type: ignore[arg-type]
        (lambda: host.Pcie(np.array(["a"]), 4096), "^slot: is ndarray, not a string"),  # type: ignore[arg-type]
        (lambda: host.Pcie("0000:77:00.0", 4096), "^0000:77:00.0: cannot be opened: No such"),
        (lambda: host.Etherbone.tcp("127.0.0.1", 1, probe=0), "^127.0.0.1:1: cannot be opened"),
        (lambda: host.Etherbone.udp("127.0.0.1", -5, probe=0), "^127.0.0.1:-5: cannot be opened"),
        (
            lambda: host.Etherbone.udp("127.0.0.1", probe=3, local_port=0),
            "^address: 4 bytes at",
        ),
    ],
)
def test_a_way_that_is_not_there_is_refused(way: Callable[[], object], message: str) -> None:
    with pytest.raises(NttforgeError, match=message):
        way()


def test_devices_list_their_operations() -> None:
    with nttforge.host.open(nttforge.open("ml-kem", **SIXTEEN).design) as device:
        assert {"ntt", "intt", "start"} <= set(dir(device)) and "ntt" in device.ops
        for inputs in (5, np.array(None)):
            with pytest.raises(NttforgeError, match="not iterable"):
                device.batch("ntt", inputs)  # type: ignore[arg-type]
        with pytest.raises(AttributeError, match="did you mean ntt"):
            _ = device.nt


class Fickle:
    """A coprocessor that refuses, and one call of which is cut off."""

    def keygen(self, given: object, how: str = "") -> object:
        if how == "refuse":
            raise NttforgeError("how", "is refused", "ask for something else")
        if how == "break":
            raise KeyboardInterrupt
        return self, given


def test_a_coprocessor_is_opened_once_and_again_after_a_call_that_was_cut_off() -> None:
    acts = {"keygen": Function("keygen", options={"how": (str, "")})}
    opens: Any = lambda: Fickle()  # noqa: E731, PLW0108
    act = Opened(replace(ML_DSA, functions=acts), opens).functions()["keygen"]
    first, given = act("44")
    with pytest.raises(NttforgeError):
        act(44, "refuse")
    assert act(44) == (first, given) and given == ML_DSA.sets[0]
    with pytest.raises(KeyboardInterrupt):
        act(44, how="break")
    assert act(44)[0] is not first


@pytest.mark.long
@pytest.mark.parametrize(
    ("designs", "calls"),
    [(api_fuzz.QUICK, 300), pytest.param(tuple(api_fuzz.DESIGNS), 3000, marks=pytest.mark.slow)],
)
def test_hostile_calls_end_in_an_error_of_one_line(designs: tuple[str, ...], calls: int) -> None:
    _, wrong = api_fuzz.tried(range(calls), designs)
    assert not wrong
