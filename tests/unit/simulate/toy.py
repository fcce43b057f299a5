# SPDX-License-Identifier: Apache-2.0
"""A core that is no transform but keeps, or breaks, the stream contract."""

import re
from pathlib import Path

from nttforge.hw.core import Operation, StreamCore, StreamFormat
from nttforge.layout.layout import halves, natural
from nttforge.ring.ring import Ring

SOURCE = Path(__file__).with_name("toy_stream.sv")


def toy_core(*, lanes: int = 2, word_bits: int = 23, beats: int = 4, fault: int = 0) -> StreamCore:
    """A core whose operations add 1 and 2, with one of the faults of toy_stream.sv."""
    code = 2 * fault
    n = lanes * beats
    depth, lane_bits = n.bit_length() - 1, lanes.bit_length() - 1
    ring = Ring.create(n, 12289)
    plain = natural(depth, lane_bits)
    layouts = plain, halves(depth, lane_bits) if lane_bits else plain
    return StreamCore(
        name="toy_stream",
        operations=(
            Operation("ntt", code, ring, False, layouts[0], layouts[1], beats + 1),
            Operation("intt", code + 1, ring, True, layouts[1], layouts[0], beats + 1),
        ),
        stream=StreamFormat(lanes, word_bits, beats, 5),
        sources=(),
        templates={},
    )


def toy_folder(folder: Path, core: StreamCore, with_reset: int = 1) -> Path:
    """Write the design folder of a toy core."""
    form = core.stream
    values = {
        "Lanes": form.lanes,
        "WordBits": form.word_bits,
        "Beats": form.beats,
        "WithReset": with_reset,
    }
    text = SOURCE.read_text()
    for name, value in values.items():
        text, count = re.subn(rf"(int unsigned {name} =) \d+", rf"\1 {value}", text)
        assert count == 1
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "toy_stream.sv").write_text(text)
    (folder / "files.f").write_text("toy_stream.sv\n")
    return folder
