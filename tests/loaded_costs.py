# SPDX-License-Identifier: Apache-2.0
"""What a modulus that is loaded costs beside one that is fixed: multipliers of 54 bits, mapped.

`python -m tests.loaded_costs` prints the table that was recorded; `--measure` maps all of it again,
which takes minutes, and records it. `--factors` counts what factors of large transforms take, all
of them in tables or made on the fly. `--designs` prints the areas of whole pipelines of 4,096
coefficients that were recorded, `--designs --measure` maps those that were not. `--units` and
`--units --measure` are the same of what stands beside a pipeline: products and automorphisms.
`--reordering` counts the memories of commutators, in block RAM alone and with UltraRAM.
"""

import argparse
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nttforge.cache import FILE_LIST
from nttforge.design import Design, parse_design
from nttforge.flow.prepare import prepare
from nttforge.flow.timing import timing
from nttforge.hw.common import block_rams
from nttforge.kinds.stream.loaded import LoadedPipeline, work_out_loaded
from nttforge.layout.layout import Layout
from nttforge.layout.streams import stream_layout
from nttforge.output import write_text
from nttforge.reduction import MultiplierPlan, plan_multiplier
from nttforge.reduction.loaded import plan_loaded
from nttforge.reduction.top import TOP, write_folder
from nttforge.rtl_library import library, needed
from nttforge.synthesize.yosys import synthesize
from nttforge.targets import Target
from tests.rtl.pipeline.product_bench import Shape
from tests.rtl.pipeline.test_automorphism import place_parameter
from tests.tally import markdown

RECORD = Path(__file__).parents[1] / "docs" / "records" / "loaded.json"
DESIGNS = RECORD.with_name("loaded-designs.json")
UNITS = RECORD.with_name("loaded-units.json")
#: A prime of 54 bits without a form, and one with: both are 1 modulo 2^13, for n = 4096.
DENSE, SPARSE = 0x337FB62FEAA001, (1 << 54) - (1 << 30) + 1
BITS, ZEROS = 54, 13
TARGETS = ("xcup", "ecp5")
#: Of whole pipelines.
FLOW = ("ecp5", "xcup")
ADDERS = 2  # a pipeline's default


def plans(target: str) -> Iterator[tuple[str, MultiplierPlan]]:
    """The multipliers, by name."""
    for name, q in (("fixed, without a form", DENSE), ("fixed, with a form", SPARSE)):
        yield name, plan_multiplier([q], adders_per_stage=ADDERS, target=target)
    yield "loaded", plan_loaded(BITS, ZEROS, adders_per_stage=ADDERS, target=target, every=2048)


def measure() -> list[dict[str, Any]]:
    """A row a multiplier and family."""
    rows = []
    for target in TARGETS:
        for name, plan in plans(target):
            with tempfile.TemporaryDirectory() as folder:
                write_folder(plan, Path(folder))
                counts = synthesize(Path(folder), TOP, target).counts
            rows.append(
                {
                    "family": target,
                    "modulus": name,
                    "LUT": counts["lut_total"],
                    "FF": counts["ff"],
                    "DSP": counts["dsp"],
                    "latency": plan.latency,
                }
            )
    return rows


#: What is mapped once for all stages: it is the same in each.
PIECES = ("ntf_mod_mul", "ntf_loaded_mul")
#: A stage whose clock is estimated, if none makes its factors.
STAGE = 6


def designs(target: Target) -> dict[str, Design]:
    """Pipelines of 4,096 coefficients and 54 bits, one butterfly a stage, by name."""
    loaded = {"n": 4096, "q": "runtime", "bits": BITS}
    rows: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "fixed, without a form": ({"n": 4096, "q": DENSE}, {}),
        "fixed, with a form": ({"n": 4096, "q": SPARSE}, {}),
        "loaded": (loaded, {}),
        "loaded, factors made": (loaded, {"twiddles": "made"}),
    }
    return {
        name: parse_design(
            {"name": "cost", "target": target, "rings": [ring], "pipeline": table}, "costs"
        )
        for name, (ring, table) in rows.items()
    }


def recorded_designs() -> list[dict[str, Any]]:
    """Rows that were mapped; none before the first one."""
    rows: list[dict[str, Any]] = json.loads(DESIGNS.read_text("utf-8")) if DESIGNS.exists() else []
    return rows


def measure_designs() -> list[dict[str, Any]]:
    """A row a design and family; what is recorded stays, so an interruption costs one row."""
    rows = recorded_designs()
    known = {(row["family"], row["modulus"]) for row in rows}
    for target in FLOW:
        for name, design in designs(target).items():
            if (target, name) in known:
                continue
            prepared = prepare(design)
            core = prepared.core
            loaded = core.facts.get("loaded")
            made = loaded.made if isinstance(loaded, LoadedPipeline) else ()
            stage = made.index(True) if any(made) else STAGE
            instance = f"u_pipeline.gen_stage[{stage + 1}].gen_next.u_stage"
            clock = timing(prepared, instance=instance).fmax_mhz if target == "ecp5" else None
            counts = synthesize(prepared.folder, core.name, target, pieces=PIECES).counts
            rows.append(
                {
                    "family": target,
                    "modulus": name,
                    "LUT": counts["lut_total"],
                    "FF": counts["ff"],
                    "DSP": counts["dsp"],
                    "BRAM": counts.get("bram18", counts.get("bram", 0)),
                    "latency": max(operation.latency for operation in core.operations),
                    "stage": stage,
                    "MHz of the stage": clock,
                }
            )
            write_text(DESIGNS, json.dumps(rows, indent=1) + "\n")
            print(rows[-1], flush=True)
    return rows


def units() -> Iterator[tuple[str, str, str]]:
    """What stands beside a pipeline of 4,096 coefficients: name, module, top module's text."""
    plan = plan_loaded(BITS, ZEROS, adders_per_stage=ADDERS, limit=1, every=2048, inverse=0)
    for keys in (1, 2):
        text = Shape(plan, places=16, beats=2048, lanes=2, keys=keys).top()
        yield f"product, 2 lanes, results: {keys}", "ntf_loaded_product", text
    for order, lanes in (("natural", 1), ("natural", 4), ("mirrored", 4)):
        layout = stream_layout(order, 12, lanes, coefficients=False)
        name = f"automorphism, {order} order, {1 << lanes} lanes"
        yield name, "ntf_automorphism", automorphism_top(layout, BITS)


def automorphism_top(layout: Layout, width: int) -> str:
    """A top module that holds nothing but an automorphism of such a stream."""
    size = len(layout.bits)
    data, user = width * layout.lanes, 1 + 1 + size + 1
    return f"""
module automorphism_top (
  input  logic clk_i, rst_ni, s_valid_i, s_last_i, m_ready_i,
  input  logic [{user - 1}:0] s_user_i,
  input  logic [{data - 1}:0] s_data_i,
  output logic s_ready_o, m_valid_o, m_last_o,
  output logic [1:0] m_user_o,
  output logic [{data - 1}:0] m_data_o
);
  ntf_automorphism #(
    .Width({width}), .SizeBits({size}), .LaneBits({layout.lane_bits}),
    .Place({place_parameter(layout)})
  ) u_dut (.*);
endmodule
"""


def measure_units() -> list[dict[str, Any]]:
    """A row a unit."""
    rows = []
    for name, module, text in units():
        with tempfile.TemporaryDirectory() as folder:
            sources = [library()[each] for each in needed(module, library())]
            for source in sources:
                (Path(folder) / source.name).write_bytes(source.read_bytes())
            (Path(folder) / "top.sv").write_text(text, "utf-8")
            names = [source.name for source in sources]
            (Path(folder) / FILE_LIST).write_text("\n".join([*names, "top.sv", ""]), "utf-8")
            top = re.findall(r"^module (\w+)", text, re.MULTILINE)[0]
            counts = synthesize(Path(folder), top, "xcup").counts
        rows.append(
            {
                "unit": name,
                "LUT": counts["lut_total"],
                "FF": counts["ff"],
                "DSP": counts["dsp"],
                "BRAM18": counts["bram18"],
            }
        )
        print(rows[-1], flush=True)
    return rows


def lut_ram(depth: int, width: int) -> int:
    """Look-up tables of UltraScale+ as a memory with a port to write and one to read."""
    if depth > 32:
        return -(-depth // 64) * 8 * -(-width // 7)
    return 8 * -(-width // 14)


def factors(bits: int, twiddles: str, moduli: int = 32) -> dict[str, Any]:
    """What factors of 2^16 coefficients, 32 a cycle, take."""
    ring = {"n": 1 << 16, "q": "runtime", "bits": bits, "moduli": moduli}
    table = {"butterflies": 16, "twiddles": twiddles}
    data = {"name": "factors", "rings": [ring], "pipeline": table}
    pipeline = work_out_loaded(parse_design(data, "factors"))
    depths = pipeline.factor_memories
    blocks = [depth for depth in depths if depth >= pipeline.options.rom_block_from]
    butterflies = pipeline.stages * pipeline.lines
    makers = pipeline.makers
    return {
        "factors": "made" if makers else "all in tables",
        "bits": bits,
        "multipliers": butterflies + makers,
        "DSP": butterflies * round(pipeline.loaded.cost().dsp)
        + makers * round(pipeline.maker.cost().dsp),
        "words a modulus": sum(depths) // moduli,
        "BRAM18": sum(block_rams(depth, bits) for depth in blocks),
        "LUTs of LUT RAM": sum(
            lut_ram(depth, bits) for depth in depths if depth < pipeline.options.rom_block_from
        ),
        "clocks ahead": pipeline.ahead,
    }


#: Bits and words of an UltraRAM, and the depth from which it is half full.
ULTRA_BITS, ULTRA_WORDS, ULTRA_FROM = 72, 4096, 2048


def reordering(n: int, butterflies: int, ultra: bool, bits: int = 60) -> dict[str, Any]:
    """Memories of a pipeline's commutators; what is short is in look-up tables."""
    ring = {"n": n, "q": "runtime", "bits": bits}
    table = {"butterflies": butterflies, "twiddles": "made"}
    data = {"name": "reordering", "rings": [ring], "pipeline": table}
    pipeline = work_out_loaded(parse_design(data, "reordering"))
    blocks = ultras = 0
    for width, delays in zip(pipeline.growth.widths, pipeline.delays, strict=False):
        depth, row = max(delays), 2 * butterflies * width
        if ultra and depth >= ULTRA_FROM:
            ultras += -(-row // ULTRA_BITS) * -(-depth // ULTRA_WORDS)
        elif depth >= pipeline.options.ram_block_from:
            blocks += block_rams(depth, row)
    return {
        "n": n,
        "words a beat": 2 * butterflies,
        "cycles a transform": pipeline.beats,
        "ram_ultra_from": ULTRA_FROM if ultra else None,
        "BRAM18": blocks,
        "URAM": ultras,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--factors", action="store_true")
    parser.add_argument("--designs", action="store_true")
    parser.add_argument("--units", action="store_true")
    parser.add_argument("--reordering", action="store_true")
    given = parser.parse_args()
    if given.designs:
        rows = measure_designs() if given.measure else recorded_designs()
        if not rows:
            print(
                "no areas are recorded: --designs --measure maps these pipelines, which takes hours"
            )
            return
        print(markdown(list(rows[0]), [list(row.values()) for row in rows], text=2))
        return
    if given.reordering:
        rows = [
            reordering(1 << size, butterflies, ultra)
            for size, butterflies in ((16, 2), (17, 2), (17, 4), (17, 16))
            for ultra in (False, True)
        ]
        table = [[f"{v:,}" if v is not None else "" for v in row.values()] for row in rows]
        print(markdown(list(rows[0]), table, text=0))
        return
    if given.units:
        if given.measure:
            write_text(UNITS, json.dumps(measure_units(), indent=1) + "\n")
        rows = json.loads(UNITS.read_text("utf-8"))
        print(markdown(list(rows[0]), [list(row.values()) for row in rows]))
        return
    if given.factors:
        rows = [factors(bits, twiddles) for bits in (54, 60) for twiddles in ("tables", "made")]
        table = [[f"{v:,}" if isinstance(v, int) else v for v in row.values()] for row in rows]
        print(markdown(list(rows[0]), table))
        return
    if given.measure:
        write_text(RECORD, json.dumps(measure(), indent=1) + "\n")
    rows = json.loads(RECORD.read_text("utf-8"))
    print(markdown(list(rows[0]), [list(row.values()) for row in rows], text=2))


if __name__ == "__main__":
    main()
