# SPDX-License-Identifier: Apache-2.0
"""What a chip prints on a serial line: characters from levels, and output until it ends."""

from collections.abc import Callable, Mapping

import numpy as np

from nttforge.errors import NttforgeError
from nttforge.simulate.cycles import CycleModel

#: The last line of every firmware here.
PASSED, FAILED = "PASS", "FAIL"
_BATCH = 1 << 18
_BITS = 10  # of a character: start, eight, stop


def characters(levels: np.ndarray, bit: int) -> tuple[str, int]:
    """Characters on a UART's line, one level per cycle; and the number of cycles used."""
    falls = np.flatnonzero((levels[:-1] == 1) & (levels[1:] == 0)) + 1
    text: list[str] = []
    used = 0
    for fall in falls:
        if fall < used:
            continue
        if fall + _BITS * bit > len(levels):
            return "".join(text), max(used, int(fall) - 1)
        middles = fall + bit // 2 + bit * np.arange(1, _BITS)
        bits = levels[middles]
        if not bits[-1]:
            raise NttforgeError("serial_tx", "has a character without an end", "it is a defect")
        text.append(chr(int(np.packbits(bits[:8], bitorder="little")[0])))
        used = int(middles[-1])
    return "".join(text), max(used, len(levels) - 1)


def output_of(
    simulated: CycleModel,
    idle_line: Mapping[str, int],
    *,
    bit: int,
    most: int,
    progress: Callable[[str], None] = lambda _: None,
    printed: Callable[[str], None] = lambda _: None,
) -> str:
    """What a chip prints until `PASS` or `FAIL`, whose one output is the serial line."""
    idle = simulated.vectors([idle_line]) * _BATCH
    text, left = "", np.ones(1, np.uint8)
    for cycle in range(0, most, _BATCH):
        raw = np.frombuffer(simulated.replay(idle), np.uint8).reshape(_BATCH, -1)
        levels = np.concatenate([left, raw[:, 0] & 1])
        more, used = characters(levels, bit)
        left, text = levels[used:], text + more
        printed(more)
        progress(f"{cycle + _BATCH:,} cycles")
        if any(f"{end}\n" in text for end in (PASSED, FAILED)):
            return text
    problem = f"has not ended after {most:,} cycles; it last said {text[-80:]!r}"
    raise NttforgeError("firmware", problem, "look for what it waits for")
