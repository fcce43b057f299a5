# SPDX-License-Identifier: Apache-2.0
"""What a modulus that is loaded costs beside one that is fixed: multipliers of 54 bits, mapped.

`python -m tests.loaded_costs` prints the table that was recorded; `--measure` maps all of it again,
which takes minutes, and records it. `--factors` counts what factors of large transforms take, all
of them in tables or made on the fly. `--designs` prints the areas of whole pipelines of 4,096
coefficients that were recorded, `--designs --measure` maps those that were not. `--units` and
`--units --measure` are the same of what stands beside a pipeline: products and automorphisms.
`--stages` and `--stages --measure` are of a stage alone for ECP5, with its estimated clock: one in
the middle, and one that makes its factors. `--reordering` counts the memories of commutators, in
block RAM alone and with UltraRAM. `--whole` counts the multiplier blocks of whole pipelines on
ECP5. `--latency` shows cycles beside those of a fixed prime without a form. `--by-module` and
`--by-module --measure` are whole pipelines mapped module by module, beside flat ones if small.
"""

import argparse
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from nttforge.cache import FILE_LIST
from nttforge.design import Design, parse_design
from nttforge.flow.prepare import Prepared, prepare, silent
from nttforge.flow.synth import on_ecp5, synth
from nttforge.flow.timing import timing
from nttforge.hw.common import block_rams
from nttforge.hw.core import StreamCore
from nttforge.kinds.stream.build import elaborate
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
STAGES = RECORD.with_name("loaded-stages.json")
BY_MODULE = RECORD.with_name("loaded-by-module.json")
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


def stage_of(prepared: Prepared[StreamCore]) -> int:
    """The stage whose clock is looked at: the first one that makes its factors, if any does."""
    loaded = prepared.core.facts.get("loaded")
    made = loaded.made if isinstance(loaded, LoadedPipeline) else ()
    return made.index(True) if any(made) else STAGE


def instance_of(stage: int) -> str:
    """Its path."""
    return f"u_pipeline.gen_stage[{stage + 1}].gen_next.u_stage"


def measure_stages() -> list[dict[str, Any]]:
    """A stage of each design alone, between registers."""
    rows = []
    for name, design in designs("ecp5").items():
        prepared = prepare(design)
        stage = stage_of(prepared)
        clock = timing(prepared, instance=instance_of(stage)).fmax_mhz
        mapped = on_ecp5(
            prepared, instance=instance_of(stage), shell=False, time_limit=3600, progress=silent
        )
        counts = mapped.counts
        rows.append(
            {
                "modulus": name,
                "stage": stage,
                "LUT": counts["lut_total"],
                "FF": counts["ff"],
                "DSP": counts["dsp"],
                "BRAM": counts["bram18"],
                "MHz": clock,
            }
        )
        print(rows[-1], flush=True)
    return rows


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
                }
            )
            write_text(DESIGNS, json.dumps(rows, indent=1) + "\n")
            print(rows[-1], flush=True)
    return rows


#: Whole pipelines: n, bits, moduli, the table, and whether they can be mapped flat.
WHOLE: tuple[tuple[int, int, int, dict[str, Any], bool], ...] = (
    (16, 12, 2, {"twiddles": "tables"}, True),
    (16, 20, 2, {"twiddles": "made", "made_from": 4, "butterflies": 2}, True),
    (1 << 16, 60, 32, {"twiddles": "made", "butterflies": 16}, False),
    (1 << 16, 54, 32, {"twiddles": "made", "butterflies": 16}, False),
)


def measure_by_module() -> list[dict[str, Any]]:
    """A row a pipeline and way; what is recorded stays, so an interruption costs one row."""
    rows: list[dict[str, Any]] = []
    if BY_MODULE.exists():
        rows = json.loads(BY_MODULE.read_text("utf-8"))
    for n, bits, moduli, table, flat in WHOLE:
        ring = {"n": n, "q": "runtime", "bits": bits, "moduli": moduli}
        name = "little" if flat else f"rns-{bits}"
        design = {"name": name, "rings": [ring], "pipeline": table}
        for by_module in (True, False) if flat else (True,):
            row = {
                "n": n,
                "bits": bits,
                "moduli": moduli,
                "words a beat": 2 * int(table.get("butterflies", 1)),
                "factors": table["twiddles"],
                "mapped": "by module" if by_module else "flat",
            }
            if any(row.items() <= known.items() for known in rows):
                continue
            area = synth(prepare(parse_design(design, name)), by_module=by_module)
            row |= {"LUT": area.lut_total, "FF": area.ff, "DSP": area.dsp}
            rows.append(row | {"BRAM18": area.bram18, "URAM": area.uram})
            write_text(BY_MODULE, json.dumps(rows, indent=1) + "\n")
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


#: Primes without a form: n, butterflies a stage, the prime.
FIXED = (
    (64, 1, 0x3F87B9AC0D4081),
    (4096, 1, 0x228EF2BD30C001),
    (4096, 1, 0x8AC1B2E9828C001),
    (65536, 16, 0x3FFF11D9040001),
    (65536, 16, 0xF7966D18AA60001),
)


def latency(n: int, butterflies: int, q: int) -> dict[str, Any]:
    """Cycles of a transform, from the first beat in to the last one out."""
    lines = {"butterflies": butterflies}

    def design(ring: dict[str, Any], table: dict[str, Any]) -> Design:
        return parse_design({"name": "latency", "rings": [ring], "pipeline": table}, "latency")

    fixed = elaborate(design({"n": n, "q": q}, lines))
    ring = {"n": n, "q": "runtime", "bits": q.bit_length(), "moduli": 32}
    tables, made = (
        work_out_loaded(design(ring, lines | {"twiddles": twiddles}))
        for twiddles in ("tables", "made")
    )
    return {
        "n": n,
        "bits": q.bit_length(),
        "words a beat": 2 * butterflies,
        "stages": fixed.stages,
        "cycles a transform": fixed.beats,
        "fixed": fixed.latency(0),
        "loaded": tables.latency(0),
        "factors made": made.latency(0),
    }


#: Multiplier blocks of an ECP5-85F.
BLOCKS = 156


def whole(n: int) -> dict[str, Any]:
    """Multiplier blocks of whole pipelines of 54 bits on ECP5, one butterfly a stage."""

    def design(ring: dict[str, Any], table: dict[str, Any]) -> Design:
        data = {"name": "whole", "target": "ecp5", "rings": [{"n": n, **ring}], "pipeline": table}
        return parse_design(data, "whole")

    fixed = elaborate(design({"q": DENSE}, {}))
    loaded = {"q": "runtime", "bits": BITS}
    tables, made = (
        work_out_loaded(design(loaded, {"twiddles": way})) for way in ("tables", "made")
    )
    counts = [
        each.stages * each.lines * round(each.multiplier.cost().dsp)
        for each in (fixed, tables, made)
    ]
    counts[2] += made.makers * round(made.maker.cost().dsp)
    names = ("fixed, without a form", "loaded", "loaded, factors made")
    return {
        "n": n,
        "stages": fixed.stages,
        **dict(zip(names, counts, strict=True)),
        "fits": "all" if max(counts) <= BLOCKS else "fixed" if counts[0] <= BLOCKS else "none",
    }


def counted(what: str) -> list[dict[str, Any]]:
    """Rows of a table that needs no tool."""
    if what == "latency":
        return [latency(*each) for each in FIXED]
    if what == "whole":
        return [whole(1 << size) for size in (6, 7, 8, 10, 12)]
    if what == "reordering":
        return [
            reordering(1 << size, butterflies, ultra)
            for size, butterflies in ((16, 2), (17, 2), (17, 4), (17, 16))
            for ultra in (False, True)
        ]
    return [factors(bits, twiddles) for bits in (54, 60) for twiddles in ("tables", "made")]


#: Tables that need no tool: columns of words.
COUNTED = {"factors": 1, "reordering": 0, "latency": 0, "whole": 0}
#: Those that are mapped: where they are recorded, what measures them, columns of words.
MAPPED: dict[str, tuple[Path, Callable[[], list[dict[str, Any]]], int]] = {
    "multipliers": (RECORD, measure, 2),
    "designs": (DESIGNS, measure_designs, 2),
    "units": (UNITS, measure_units, 1),
    "stages": (STAGES, measure_stages, 1),
    "by-module": (BY_MODULE, measure_by_module, 0),
}


def shown(cell: Any) -> str:
    """A figure with its thousands apart; nothing for none."""
    return f"{cell:,}" if isinstance(cell, int) else "" if cell is None else str(cell)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", action="store_true")
    for name in (*COUNTED, *MAPPED):
        parser.add_argument(f"--{name}", dest="what", action="store_const", const=name)
    given = parser.parse_args()
    what = given.what or "multipliers"
    if what in COUNTED:
        rows, text = counted(what), COUNTED[what]
        cells = [list(map(shown, row.values())) for row in rows]
    else:
        record, measured, text = MAPPED[what]
        if given.measure:
            write_text(record, json.dumps(measured(), indent=1) + "\n")
        rows = json.loads(record.read_text("utf-8"))
        cells = [list(row.values()) for row in rows]
    print(markdown(list(rows[0]), cells, text=text))


if __name__ == "__main__":
    main()
