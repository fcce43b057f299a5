# SPDX-License-Identifier: Apache-2.0
"""The hostile host: a small sample, what it sees in spoilt hardware, and (slow) all of it."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from nttforge.errors import FaultError
from tests.host import driver_fuzz as fuzz
from tests.tally import keep, kept

SAMPLE, ALL = 3000, 1_000_000
Outputs = dict[str, int]


@pytest.mark.parametrize("name", fuzz.FUZZERS)
def test_a_sample(name: str) -> None:
    counted = fuzz.run(name, SAMPLE, seed=1)
    assert not counted["broken"] and counted["right"], counted
    assert fuzz.transactions(counted) >= SAMPLE and 0 < counted["refused"] < SAMPLE


@pytest.mark.slow
@pytest.mark.parametrize("name", fuzz.FUZZERS)
def test_all(name: str) -> None:
    counted = fuzz.run(name, ALL)
    assert not counted["broken"], counted
    keep(fuzz.RECORD, kept(fuzz.RECORD) | {name: counted})


def _flip(name: str, bits: int, when: str) -> Callable[[Outputs], None]:
    """Spoils what a port shows, in cycles in which another one is high."""

    def spoil(seen: Outputs) -> None:
        if seen[when]:
            seen[name] ^= bits

    return spoil


#: What a defect would show at the ports.
SPOILT = {
    "never ready": ("both", lambda seen: seen.update(s_axi_awready=0, s_axi_wready=0)),
    "no answer": ("both", lambda seen: seen.update(s_axi_rvalid=0)),
    "accepts all": ("both", lambda seen: seen.update(s_axi_bresp=0)),
    "reads all": ("both", lambda seen: seen.update(s_axi_rresp=0)),
    "refuses all": ("both", lambda seen: seen.update(s_axi_bresp=2)),
    "a wrong register": ("both", _flip("s_axi_rdata", 1 << 1, "s_axi_rvalid")),
    "never idle": ("ML-KEM coprocessor", lambda seen: seen.update(idle_o=0)),
    "an alert": ("ML-KEM coprocessor", lambda seen: seen.update(alert_o=1)),
    "a wrong secret": ("ML-KEM coprocessor", _flip("m_sec_tdata", 1 << 9, "m_sec_tvalid")),
    "a wrong result": ("memory shell", _flip("m_axi_wdata", 1 << 9, "m_axi_wvalid")),
    "a wrong place": ("memory shell", _flip("m_axi_awaddr", 1 << 3, "m_axi_awvalid")),
    "a wrong strobe": ("memory shell", _flip("m_axi_wstrb", 1 << 1, "m_axi_wlast")),
    "a missing end": ("memory shell", lambda seen: seen.update(m_axi_wlast=0)),
}


@pytest.mark.parametrize("defect", SPOILT)
def test_defects_are_seen(defect: str) -> None:
    where, spoil = SPOILT[defect]
    for name, make in fuzz.FUZZERS.items():
        if where not in ("both", name):
            continue
        fuzzer = make(random.Random(3))
        step: Any = fuzzer.model.step

        def spoilt(step: Any = step, spoil: Any = spoil, **inputs: int) -> Outputs:
            seen: Outputs = step(**inputs)
            spoil(seen)
            return seen

        fuzzer.model.step = spoilt  # type: ignore[method-assign]
        with pytest.raises((AssertionError, FaultError)):
            for _ in range(20):
                fuzzer.episode(300)


def test_the_record_as_a_table() -> None:
    counts = dict.fromkeys((*fuzz._COUNTED, "refused", "right", "broken", "moved"), 1)
    text = fuzz.shown({"ML-KEM coprocessor": counts | {"ended: none": 2}})
    assert "| ML-KEM coprocessor | 5 |" in text and "none 2" in text
    assert "Nothing" in fuzz.shown({})
