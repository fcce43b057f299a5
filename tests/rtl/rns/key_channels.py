# SPDX-License-Identifier: Apache-2.0
"""Key switching whose keys come from channels of HBM2: `python -m tests.rtl.rns.key_channels`.

An engine of 4 coefficients a cycle at 300 MHz takes eight words of 64 bits of the key in a clock:
one of 32 takes as much from eight times the channels. Channels are read from one end to the other,
at the rate and with the latency of the model of an Alveo U280 (docs/hbm.md), into a queue of 512
beats.
With `run` it is simulated and recorded, otherwise the record is printed. `--seeds run` is the same
of a smaller engine that expands half of the key from a seed, with several numbers of Keccaks, and
`--area run` maps what expands it alone.
"""

import random
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from docs.tools.key_switching import CHUNK_CYCLES
from nttforge.cache import FILE_LIST, design_files
from nttforge.flow.prepare import Prepared
from nttforge.hw.dram import HBM2_U280
from nttforge.kinds.rns.cases import Shape, draw_moduli, run_case, switching_case
from nttforge.kinds.rns.core import HALVES, RnsCore
from nttforge.kinds.rns.machine import Machine
from nttforge.kinds.rns.program import Op
from nttforge.kinds.rns.switching import Job
from nttforge.kinds.stream.loaded import sample_moduli
from nttforge.simulate.dram_model import linear
from nttforge.simulate.word_streams import Supply
from nttforge.standards.rns.expansion import CHUNK
from nttforge.synthesize.yosys import synthesize
from tests.lattigo.parameter_sets import engine
from tests.rtl.rns.bench import prepared
from tests.tally import keep, kept, markdown

RECORD = "key-channels"
COLUMNS = ("limbs", "channels", "transforms", "key", "cycles", "wrong rows")
CLOCK_MHZ, WORD_BYTES, DEPTH = 300.0, 8, 512
LIMBS, CHANNELS = ((6, 1), (6, 2), (14, 3)), (None, 3, 2, 1)
SEEDED_COLUMNS = (*COLUMNS[:2], "Keccaks", *COLUMNS[2:4], "expansion", *COLUMNS[4:])
AREA_COLUMNS = ("Keccaks", "values a cycle", "LUT", "FF", "BRAM18")
#: None, so that keys are read in whole; and channels: half of one is that of 8 coefficients.
KECCAKS, SEEDED_CHANNELS = (0, 1, 3, 5), (None, 1, 0.5)


def supply(lanes: int, channels: float) -> Supply:
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


def seeded_engine(keccaks: int) -> Prepared[RnsCore]:
    """Of 512 coefficients of 54 bits, 4 a cycle."""
    return prepared(512, keccaks=keccaks, banks=16)


def seeded_rows(keccaks: int) -> Iterator[dict[str, Any]]:
    """Each setting, whose uniform half so many Keccaks expand; 0: it is read."""
    with Machine.of(seeded_engine(keccaks)) as machine:
        core = machine.core
        machine.load(sample_moduli(core.pipeline.design))
        machine.settle()
        places = core.pipeline.places
        for p in (1, 2):
            shape = Shape("key_switch", "lattigo", places - p, places - p, p, p, seeded=keccaks > 0)
            case = switching_case(machine, shape, random.Random(p))
            job = Job(machine.limbs)
            case.make(job)
            transforms = sum(c.op is Op.TRANSFORM for c in job.draft.commands) * core.beats
            steps = sum(len(digits) for digits, _ in job.packets) * core.beats
            chunks = steps * core.lanes // CHUNK
            beats = steps // 2 if keccaks else steps
            for channels in SEEDED_CHANNELS:
                made = None if channels is None else supply(core.lanes, channels)
                if channels is not None:
                    machine.key_memory = partial(supply, core.lanes, channels)
                done = run_case(machine, case)
                machine.key_memory = None
                yield {
                    "limbs": f"{places - p} + {p}",
                    "channels": channels or "a beat a clock",
                    "Keccaks": keccaks or "none",
                    "transforms": transforms,
                    "key": beats if made is None else round(beats * max(1, made.interval)),
                    "expansion": -(-chunks * CHUNK_CYCLES // keccaks) if keccaks else "",
                    "cycles": done.cycles,
                    "wrong rows": len(done.wrong) + len(done.outcome.errors),
                }


def areas() -> Iterator[dict[str, Any]]:
    """What expands keys, mapped alone for UltraScale+."""
    for keccaks in KECCAKS[1:]:
        made = seeded_engine(keccaks)
        top = "expand_top"
        package = f"{made.core.name}_pkg"
        text = f"""
module {top} import ntf_arith_pkg::*; import ntf_rns_pkg::*; import {package}::*; (
  input  logic clk_i, rst_ni, seed_valid_i, word_valid_i, put_i, ready_i,
  input  logic [given_width(Rns.moduli)+8:0] constant_i,
  input  logic [WordW-1:0] word_i,
  output logic seed_ready_o, valid_o,
  output logic [data_width(Rns)-1:0] data_o
);
  ntf_rns_expand #(.Cfg(Rns)) u_dut (.*);
endmodule
"""
        files = [each for each in design_files(made.folder) if each.stem != made.core.name]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            names = []
            for source in files:
                (folder / source.name).write_bytes(source.read_bytes())
                names.append(source.name)
            (folder / "top.sv").write_text(text, "utf-8")
            (folder / FILE_LIST).write_text("\n".join([*names, "top.sv", ""]), "utf-8")
            counts = synthesize(folder, top, "xcup").counts
        yield {
            "Keccaks": keccaks,
            "values a cycle": f"{keccaks * CHUNK / CHUNK_CYCLES:.2f}",
            "LUT": counts["lut_total"],
            "FF": counts["ff"],
            "BRAM18": counts["bram18"],
        }


def main() -> None:
    given = sys.argv[1:]
    columns: tuple[str, ...] = COLUMNS
    name, text = "rows", 2
    if "--seeds" in given:
        name, columns, text = "seeds", SEEDED_COLUMNS, 3
    elif "--area" in given:
        name, columns, text = "areas", AREA_COLUMNS, 0
    if "run" in given:
        seeds = (row for keccaks in KECCAKS for row in seeded_rows(keccaks))
        found = {"rows": rows, "seeds": lambda: seeds, "areas": areas}[name]
        keep(RECORD, kept(RECORD) | {name: list(found())})
    table = [[row[column] for column in columns] for row in kept(RECORD)[name]]
    print(markdown(columns, table, text))


if __name__ == "__main__":
    main()
