# SPDX-License-Identifier: Apache-2.0
"""From a design of the decomposed family to its core."""

import dataclasses
import itertools

from nttforge.design import Design
from nttforge.errors import NttforgeError
from nttforge.hw.drivers import driver_files
from nttforge.kinds.decomposed.area import PIECES, parts
from nttforge.kinds.decomposed.config import DecomposedTable
from nttforge.kinds.decomposed.core import DecomposedCore, seed_rows
from nttforge.kinds.decomposed.kernel_engine import KernelEngine
from nttforge.kinds.decomposed.maps import Map
from nttforge.kinds.decomposed.rounds import Order, Round, all_rounds, least_size
from nttforge.kinds.decomposed.shape import PAGE, Shape
from nttforge.kinds.decomposed.twiddles import Seeds
from nttforge.reduction import MultiplierPlan, plan_multiplier
from nttforge.ring.roots import log_order
from nttforge.rtl_library import sources_of


def shape_of(design: Design) -> Shape:
    """The machine's sizes."""
    table = design.table(DecomposedTable)
    v, t, b = ((size - 1).bit_length() for size in (table.n, table.t, table.b))
    return Shape(v, t, b, table.digit, rising=table.own_channels)


def seed_words(plan: MultiplierPlan, seeds: Seeds) -> list[int]:
    """The seed ROM, encoded for the multiplier, row by row."""
    words = itertools.chain.from_iterable(seed_rows(seeds))
    return [plan.encode(word) % (1 << plan.modulus_width) for word in words]


def coset_shift(g: int, q: int, largest: int) -> int:
    """g, checked."""
    order = 1 << largest
    if 1 < g < q and pow(g, order, q) != 1:
        return g
    problem = f"{g} is not in [2, {q})"
    log = log_order(g, q) if 0 < g < q else None
    if log is not None:
        what = "ntt" if log < 2 else f"negacyclic.ntt at 2^{log - 1} words, and of ntt at more"
        problem = f"{g} is a root of unity of order 2^{log}: its coset is that of {what}"
    other = next((x for x in range(2, q) if pow(x, order, q) != 1), None)
    hint = "leave it out: q has none" if other is None else f"use {other}, for instance"
    raise NttforgeError(
        "decomposed.coset", problem, f"use that operation; for a coset at every size {hint}"
    )


#: Beats of a burst of an AXI3 port.
LONGEST_HBM2 = 16
#: Memory ports that a job's status can name.
MOST_PORTS = 128

Plans = tuple[tuple[Round, ...], ...]


def round_table(shape: Shape, largest: int) -> tuple[tuple[str, Plans], ...]:
    """The rounds of every order, and of every size of it, the least one first."""
    names = (order.name.lower().replace("_", " ") for order in Order)
    return tuple(zip(names, all_rounds(shape, largest), strict=True))


def build(design: Design) -> DecomposedCore:
    """Make the core of a decomposed design."""
    table, shape = design.table(DecomposedTable), shape_of(design)
    if len(design.rings) != 1:
        raise NttforgeError(
            "rings",
            f"there are {len(design.rings)}, and a decomposed engine has one modulus",
            "give one ring; for more, generate an engine each, or for n up to 65,536 use the "
            "family pipeline or iterative",
        )
    if design.shell is not None:
        raise NttforgeError("shell", "the decomposed family has its own", "leave the table out")
    if set(design.operations) != {"ntt", "intt"}:
        raise NttforgeError("operations", "the engine has all directions", "leave the key out")
    ring, least = design.ring(0), least_size(shape)
    if table.l_max < least:
        raise NttforgeError(
            "decomposed.l_max",
            f"{table.l_max} is below {least}, the least for this n and t",
            f"use {least} or more",
        )
    if 2 * table.made > table.t:
        raise NttforgeError(
            "decomposed.made",
            f"{table.made} is more than half of t = {table.t}",
            f"use {table.t // 2} or less",
        )
    if table.own_channels and table.engines == 1:
        raise NttforgeError(
            "decomposed.own_channels", "there is one engine", "use engines = 2 or 4, or false"
        )
    if table.own_channels and table.blowup > 1:
        raise NttforgeError(
            "decomposed.blowup", "sources that are padded have no map of channels", "leave it out"
        )
    store_bits = max(16, 1 << (ring.width - 1).bit_length())
    table_of_rounds = round_table(shape, table.l_max)
    plans = (
        plan_multiplier(
            [ring.q],
            kind=table.reduction,
            adders_per_stage=table.adders_per_stage,
            target=design.target,
            prefer=design.prefer,
            operands=operands,
        )
        for operands in ("residues", "constant")
    )
    plan, kernel_plan = plans
    order = table.l_max + ring.negacyclic
    shift = 0 if table.coset is None else coset_shift(table.coset, ring.q, table.l_max)
    back = table.coset_inverse
    seeds = Seeds.create(ring.q, order, ring.root, shift=shift, sizes=table.l_max, back=back)
    back_sizes = range(least, table.l_max + 1) if seeds.shift_inverses else ()
    engine = KernelEngine(shape, seeds, kernel_plan, tuple(back_sizes))
    core = DecomposedCore(
        name=design.module,
        sources=sources_of("ntf_decomposed", "ntf_decomposed_cycles"),
        templates={},
        pieces=PIECES,
        piecewise=True,
        parts=parts(table.engines, table.kernels),
        shape=shape,
        ring=ring,
        plan=plan,
        seeds=seeds,
        least=least,
        largest=table.l_max,
        largest_negacyclic=table.l_max if ring.negacyclic else table.l_max - 1,
        store_bits=store_bits,
        turn=engine.turn(plan),
        board=table,
    )
    if core.port_bytes << shape.b > PAGE:
        raise NttforgeError(
            "decomposed.b",
            f"bursts of {table.b} words of {8 * core.port_bytes} bits are longer than {PAGE} bytes",
            f"use {PAGE // core.port_bytes} or less",
        )
    if core.dram is not None and table.b > LONGEST_HBM2:
        raise NttforgeError(
            "decomposed.b",
            f"bursts of {table.b} beats are longer than those of HBM2's ports",
            f"use {LONGEST_HBM2} or less",
        )
    if core.dram is None and 4 * core.burst_cycles > core.timeout_cycles:
        raise NttforgeError(
            "decomposed.burst_ns",
            f"with these rates a burst takes {core.burst_cycles:,.0f} cycles, of "
            f"{core.timeout_cycles:,} after which a memory is given up",
            "use less, a higher channel_gbytes_s or peak_gbytes_s, or a lower clock_mhz",
        )
    if core.channels > MOST_PORTS:
        raise NttforgeError(
            "decomposed.port_bits" if core.engines == 1 else "decomposed.engines",
            f"{core.channels} memory ports are more than {MOST_PORTS}",
            "use wider ports or fewer engines",
        )
    top, kernel = "decomposed_top.sv.j2", core.vitis
    variables = {
        "large": core,
        "engine": engine,
        "rounds": table_of_rounds,
        "most_rounds": max(len(plan) for _, plans in table_of_rounds for plan in plans),
        "maps": _byte_maps(core) if core.sets > 1 else (),
        "seed_words": seed_words(plan, seeds),
        "kernel_latency": engine.latency(0) - engine.beats,
    }
    return dataclasses.replace(
        core,
        templates={
            f"{core.name}_pkg.sv": ("decomposed_pkg.sv.j2", variables),
            f"{core.name}_kernel_pkg.sv": ("decomposed_kernel_pkg.sv.j2", variables),
            f"{core.cycles}.sv": (top, {**variables, "top": core.cycles, "words": False}),
            f"{core.name}.sv": (top, {**variables, "top": core.name, "words": True}),
            **driver_files(core.name, "job", core.driver),
            **(kernel.files if kernel else {}),
            "README.md": ("decomposed_readme.md.j2", {**variables, "kernel": kernel}),
        },
        facts={
            "multiplier": plan.describe(),
            "seed_bits": core.seed_bits,
            "multipliers": multipliers(core, engine),
        },
    )


def _byte_maps(core: DecomposedCore) -> tuple[tuple[str, tuple[tuple[Map, ...], ...]], ...]:
    """The maps of every order and size, of offsets in bytes of a port."""
    shift = core.word_bytes.bit_length() - core.ports.bit_length()

    def of_bytes(at: Map) -> Map:
        return Map(at.owner + shift, at.row + shift)

    return tuple(
        (order.name.lower(), tuple(tuple(map(of_bytes, buffers)) for buffers in sizes))
        for order, sizes in zip(Order, core.all_maps, strict=True)
    )


def multipliers(core: DecomposedCore, engine: KernelEngine) -> dict[str, tuple[int, int]]:
    """Multipliers of each part that are not shifts alone, and the DSP blocks of one, as planned."""
    stages = sum(1 for stage in engine.plan_of if stage == 0)
    each, paths = core.plan.cost().dsp, core.engines * core.kernels
    return {
        "kernel": (paths * stages * engine.lines, engine.plan.cost().dsp),
        "twiddles": (paths * 2 * core.lanes, each),
        "generator": (paths * core.board.made, each),
    }
