# SPDX-License-Identifier: Apache-2.0
"""Key switching whose keys come from channels of HBM2: `python -m tests.rtl.rns.key_channels`.

An engine of 4 coefficients a cycle at 300 MHz takes eight words of 64 bits of the key in a clock:
one of 32 takes as much from eight times the channels. Channels are read from one end to the other,
at the rate and with the latency of the model of an Alveo U280 (docs/hbm.md), into a queue of 512
beats.
With `run` it is simulated and recorded, otherwise the record is printed.
"""

import random
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

from nttforge.hw.dram import HBM2_U280
from nttforge.kinds.rns.cases import Shape, draw_moduli, run_case, switching_case
from nttforge.kinds.rns.core import HALVES
from nttforge.kinds.rns.program import Op
from nttforge.kinds.rns.switching import Job
from nttforge.simulate.dram_model import linear
from nttforge.simulate.word_streams import Supply
from tests.lattigo.parameter_sets import engine
from tests.tally import keep, kept, markdown

RECORD = "key-channels"
COLUMNS = ("limbs", "channels", "transforms", "key", "cycles", "wrong rows")
CLOCK_MHZ, WORD_BYTES, DEPTH = 300.0, 8, 512
LIMBS, CHANNELS = ((6, 1), (6, 2), (14, 3)), (None, 3, 2, 1)


def supply(lanes: int, channels: int) -> Supply:
    """A beat of keys from so many channels, in cycles."""
    per_ns = CLOCK_MHZ / 1e3
    interval = HALVES * lanes * WORD_BYTES / (channels * linear(HBM2_U280)) * per_ns
    return Supply(interval, HBM2_U280.latency * per_ns, DEPTH)


def rows() -> Iterator[dict[str, Any]]:
    """Each setting and number of channels."""
    with engine(10) as machine:
        core = machine.core
        for q, p in LIMBS:
            rng = random.Random(q)
            machine.load(draw_moduli(core, rng, 50)[: q + p])
            case = switching_case(machine, Shape("key_switch", "lattigo", q, q, p, p), rng)
            job = Job(machine.limbs)
            case.make(job)
            transforms = sum(c.op is Op.TRANSFORM for c in job.draft.commands) * core.beats
            beats = sum(len(digits) for digits, _ in job.packets) * core.beats
            # The first program waits until the roots of the moduli are checked.
            run_case(machine, case)
            for channels in CHANNELS:
                made = None if channels is None else supply(core.lanes, channels)
                key = beats if made is None else round(beats * max(1, made.interval))
                if channels is not None:
                    machine.key_memory = partial(supply, core.lanes, channels)
                done = run_case(machine, case)
                machine.key_memory = None
                yield {
                    "limbs": f"{q} + {p}",
                    "channels": channels or "a beat a clock",
                    "transforms": transforms,
                    "key": key,
                    "cycles": done.cycles,
                    "wrong rows": len(done.wrong) + len(done.outcome.errors),
                }


def main() -> None:
    if sys.argv[1:] == ["run"]:
        keep(RECORD, {"rows": list(rows())})
    found = kept(RECORD)["rows"]
    print(markdown(COLUMNS, [[row[name] for name in COLUMNS] for row in found], text=2))


if __name__ == "__main__":
    main()
