# SPDX-License-Identifier: Apache-2.0
"""What tries to catch defects: the benches of each room, in turn; cheap ones first."""

import contextlib
import io
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from nttforge.design import load_design, parse_design
from nttforge.designs import KEM_SMALL
from nttforge.flow.backends import backend_of
from nttforge.flow.prepare import Prepared, prepare, prepare_kind, silent
from nttforge.kinds.decomposed.core import DecomposedCore
from nttforge.kinds.decomposed.verify import verify_decomposed
from nttforge.kinds.lattice.bus import open_core
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.mldsa.program import SETS
from nttforge.kinds.lattice.mldsa.verify import verify_mldsa
from nttforge.kinds.lattice.mlkem.measure import rare_seed, usual_seed
from nttforge.kinds.lattice.mlkem.verify import verify_mlkem
from nttforge.kinds.rns.cases import OPERATIONS
from nttforge.kinds.rns.machine import Machine
from nttforge.options.verbs import VerifyOptions
from nttforge.reduction import plan_half_rate, plan_multiplier, plan_shifts
from nttforge.simulate.cycles import CycleModel, Ports
from nttforge.standards.ml_kem.parameters import ML_KEM_512, ML_KEM_1024, SEED_BYTES
from nttforge.standards.oracle import kyber_py
from tests.drawn import figures_hold
from tests.rtl import (
    arith_bench,
    prim_bench,
    test_iterative,
    test_mldsa_core,
    test_mod_corrections,
    test_pqc,
)
from tests.rtl.frames import check_frames, frame_model, random_frame
from tests.rtl.kem_port import open_kem
from tests.rtl.pipeline import test_loaded
from tests.rtl.plan_space import drawn
from tests.rtl.rns import bench, test_engine, test_expand
from tests.rtl.small_cores import TWO_RINGS, design_data
from tests.rtl.test_mod_mul import mul_unit, shift_unit
from tests.rtl.test_mod_mul_half import half_unit


@dataclass(frozen=True)
class Killer:
    """A test that a right library passes.

    Attributes
    ----------
    holds
        Whether all is right; an exception is as good as a no.
    """

    name: str
    holds: Callable[[], bool]


_GOLDILOCKS, _DENSE = 2**64 - 2**32 + 1, 0xC6A4A7A100000001
_LONG = 0x9E3779B97F4A7C15F39CC0605DB00001
_VECTORS = 60


# Of `plan_space`, and how wide: shifts, two wide moduli and a pair, a sparse factor that varies,
# quotients that are not centred.
_DRAWN, _BITS = (14, 62, 64, 86, 103), 32


def _units() -> Iterator[arith_bench.Unit]:
    """Multipliers of every kind and several widths, and the corrections."""
    pair = [3329, 8380417]
    plans = {
        kind: plan_multiplier(pair, kind=kind, adders_per_stage=2)
        for kind in ("solinas", "word-montgomery", "montgomery", "barrett")
    }
    plans |= {
        "three moduli": plan_multiplier([12289, 3329, 7681], adders_per_stage=1),
        "tiles of LUTs": plan_multiplier([3329], prefer="lut"),
        "an ECP5": plan_multiplier([8380417], adders_per_stage=8, target="ecp5"),
        "goldilocks": plan_multiplier([_GOLDILOCKS], kind="goldilocks"),
        "64 bits, few blocks": plan_multiplier([_DENSE], prefer="dsp"),
        "64 bits, few LUTs": plan_multiplier([_DENSE], prefer="lut", operands="residues"),
        "128 bits": plan_multiplier([_LONG]),
        "128 bits, few blocks": plan_multiplier([_LONG], prefer="dsp"),
    }
    number = 0
    for name, plan in plans.items():
        yield mul_unit(name, number, plan, _VECTORS, number)
        number += 1
    powers = {_GOLDILOCKS: {pow(2, 3 * e, _GOLDILOCKS) for e in range(64)}, 65537: {1, 4, 16, 64}}
    for q, factors in powers.items():
        shifts = plan_shifts([q], [factors])
        assert shifts is not None
        yield shift_unit(f"shifts modulo {q}", number, shifts, factors)
        number += 1
    for q in (257, _DENSE):
        yield half_unit(number, plan_half_rate(q), _VECTORS)
        number += 1
    for seed in _DRAWN:
        yield drawn(seed, number, _BITS)[0]
        number += 1
    yield from (u for u in test_mod_corrections.every() if "(3,)" in u.name or "3329, 8" in u.name)


def arith(where: Path, rtl: Path) -> list[Killer]:
    """All units in one model; products in LUTs; residues that grow; two products in one's tiles."""
    units = list(_units())
    executable = arith_bench.build(units, where / "units", rtl)
    rings, keys = test_iterative.PAIRS
    return [
        Killer("units", lambda: not arith_bench.failures(units, executable)),
        *(products(where, rtl, "ntf_mul_booth", sizes) for sizes in _SMALL),
        *(products(where, rtl, "ntf_mul_sparse", sizes, Latency=0) for sizes in _SMALL),
        design("growing", design_data({"n": 64, "q": 257}, adders_per_stage=1)),
        design("two in one", {"rings": rings, "iterative": keys | {"butterflies": 2}}),
        *loaded(),
        suite("tests/rtl/test_loaded_mul.py"),
    ]


_LOADED = (
    "loaded",
    "loaded_entry",
    "loaded_registers",
    "loaded_writes",
    "chain",
    "chain_registers",
    "product",
    "automorphism",
)
# Bits of the operands and of the product.
_SMALL = ((5, 4, 9), (4, 5, 6))


def products(
    where: Path, rtl: Path, module: str, sizes: tuple[int, int, int], **more: int
) -> Killer:
    """Every product of a few bits, whole or cut."""
    a_bits, b_bits, out = sizes
    clock = dict.fromkeys(("clk_i", "en_i"), 1) if more else {}
    ports = Ports({"a_i": a_bits, "b_i": b_bits} | clock, {"p_o": out}, common=())
    given = {"AW": a_bits, "BW": b_bits, "OutW": out} | more
    sources = [rtl / "prim" / "ntf_prim_pipe.sv", rtl / "arith" / f"{module}.sv"]
    values = {name: str(value) for name, value in given.items()}
    folder = where / f"{module}{out}"

    def holds() -> bool:
        model = CycleModel.build(folder, sources, module, ports, values)
        pairs = [
            (a, b)
            for a in range(-1 << a_bits - 1, 1 << a_bits - 1)
            for b in range(-1 << b_bits - 1, 1 << b_bits - 1)
        ]
        words = [{"a_i": a % (1 << a_bits), "b_i": b % (1 << b_bits)} for a, b in pairs]
        seen = model.run([word | dict.fromkeys(clock, 0) for word in words])
        return [s["p_o"] for s in seen] == [a * b % (1 << out) for a, b in pairs]

    return Killer(f"{module}, {out} bits", holds)


def design(name: str, data: dict[str, Any], transforms: int = 42) -> Killer:
    """A whole design: its values under all stalls, and its figures."""
    family = "iterative" if "iterative" in data else "pipeline"
    prepared = prepare(parse_design({"name": "dut", "family": family} | data, name))

    def holds() -> bool:
        given = VerifyOptions(count=transforms, seed=1)
        if not backend_of(prepared.core).verify(prepared, given, silent).ok:
            return False
        figures_hold(prepared, 16)
        return True

    return Killer(name, holds)


def loaded() -> list[Killer]:
    """Pipelines of every shape whose moduli are loaded; wrong loads, registers, chains."""

    def shape(name: str) -> Killer:
        prepared = prepare(test_loaded.design_of(name))

        def holds() -> bool:
            test_loaded.test_all_operations_under_every_stall(prepared)
            test_loaded.test_drawn_primes_against_flint(prepared)
            return True

        return Killer(f"loaded, {name}", holds)

    tests = (suite(f"tests/rtl/pipeline/test_{name}.py") for name in _LOADED)
    return [*(shape(name) for name in test_loaded.SHAPES), *tests]


def frames(name: str, data: dict[str, Any], where: Path) -> Killer:
    """Good and bad frames at a design's ports."""
    family = "iterative" if "iterative" in data else "pipeline"
    prepared = prepare(parse_design({"name": "dut", "family": family} | data, name))

    def holds() -> bool:
        rng = random.Random(1)
        sent = [random_frame(prepared.core, rng) for _ in range(60)]
        for stall in (0.0, 0.4):
            check_frames(prepared.core, frame_model(prepared, where), sent, stall)
        return True

    return Killer(name, holds)


def pipeline(where: Path, _: Path) -> list[Killer]:
    """Engines with every kind of delay, memory, wire and factor; what else has such parts."""
    rings, keys = test_iterative.PAIRS
    block = {"ram_block_from": 2, "rom_block_from": 2}
    ring = {"n": 16, "q": 97}
    return [
        design("two rings", design_data(*TWO_RINGS)),
        design("seamless", design_data(*TWO_RINGS, seamless=True, butterflies=2)),
        design("block memories", design_data(*TWO_RINGS, **block)),
        design("mirrored", design_data(ring, butterflies=4, order="mirrored", short=True)),
        design("a transform a beat", design_data(ring, butterflies=8)),
        design(
            "one way, a transform a beat", design_data(ring, butterflies=8, operations=["intt"])
        ),
        design("fused", design_data(*TWO_RINGS, fused=True)),
        design("three registers in front", design_data(*TWO_RINGS, adders_per_stage=1)),
        design("growing", design_data({"n": 64, "q": 257}, adders_per_stage=1, **block)),
        frames("frames", design_data(*TWO_RINGS, {"name": "c", "n": 16, "q": 193}), where),
        design("credits", design_data(*TWO_RINGS, flow_control="credits")),
        design("butterflies with a multiplier outside", {"rings": rings, "iterative": keys}),
        large(),
        suite("tests/rtl/test_flush.py"),
        *loaded(),
    ]


# Of the cases of test_iterative, those that differ most.
_ENGINES = ("one butterfly, block RAM", "registers, short", "a tile in LUTs")
_PRODUCTS = (
    *("pairs, block RAM", "two rings, fast clock", "short, all at once"),
    "several under way",
)
# Either direction reads the other's factors.
SHARED = ({"n": 512, "q": 8380417}, {"butterflies": 2})
# Some passes have a table of their own.
TABLES = ({"n": 1024, "q": 1073750017}, {"butterflies": 2})
# Groups of lanes have an address each, and passes are longer than the way to the output: words are
# read from memory while no results are accepted.
WIDE = ({"n": 512, "q": 12289}, {"butterflies": 8, "adders_per_stage": 1, "memory": "banks"})


def iterative(where: Path, _: Path) -> list[Killer]:
    """Engines with every kind of memory and operation."""

    def case(rings: Any, keys: dict[str, Any], operations: Sequence[str]) -> dict[str, Any]:
        listed = rings if isinstance(rings, list) else [rings]
        return {"rings": listed, "iterative": keys, "operations": list(operations)}

    both = ("ntt", "intt")
    cases = {name: case(*test_iterative.CASES[name], both) for name in _ENGINES}
    products = {
        name: case(*test_iterative.PRODUCTS[name], test_iterative.EVERYTHING) for name in _PRODUCTS
    }
    rings, keys = test_iterative.PAIRS
    every = products | {"pairs": case(rings, keys | {"butterflies": 4}, both)} | cases
    framed = case({"n": 8, "q": 97}, {"butterflies": 2}, ["ntt", "mac", "polymul"])
    return [
        *(design(name, data) for name, data in every.items()),
        design("shared factors", case(*SHARED, both)),
        design("several tables", case(*TABLES, both)),
        design("a wide row", case(*WIDE, both)),
        frames("frames", framed, where),
    ]


def suite(*paths: str) -> Killer:
    """The room's own tests that simulate; not those that are slow or have defects of their own."""
    arguments = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow"]
    arguments += ["-k", "not mutant and not mutation and not lint and not area", *paths]

    def holds() -> bool:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            ended = pytest.main(arguments)
        assert ended == pytest.ExitCode.OK, said.getvalue()
        return True

    return Killer(" ".join(Path(path).stem for path in paths), holds)


_SMALL_ENGINE = ({"q": 998244353}, {"n": 16, "t": 4, "b": 2, "l_max": 14})
_WIDE_ENGINE = ({"q": 7681}, {"n": 32, "t": 8, "b": 2, "l_max": 9})
#: Rounds of one group and of many, and what engines with many channels have besides.
_MANY_ENGINES = (
    _SMALL_ENGINE[0],
    {
        **{"n": 16, "t": 4, "b": 2, "l_max": 13, "digit": 3, "kernels": 2, "engines": 2},
        **{"own_channels": True, "port_bits": 64, "memory": "hbm2", "clock_mhz": 300.0},
    },
)


def large(
    ring: Mapping[str, Any] = _SMALL_ENGINE[0],
    table: Mapping[str, Any] = _SMALL_ENGINE[1],
    *,
    largest: int = 9,
) -> Killer:
    """A decomposed engine, at its smallest sizes if nothing else is said."""
    data = {"name": "dut", "family": "decomposed", "rings": [ring], "decomposed": table}
    prepared = prepare_kind(parse_design(data, "small"), DecomposedCore)
    name = f"sizes up to {1 << largest}, {len(table)} keys, {table['t']} words a beat"
    return Killer(name, lambda: verify_decomposed(prepared, largest=largest, seed=1).ok)


def decomposed(_: Path, __: Path) -> list[Killer]:
    """Three machines, the registers, then the room's tests."""
    tests = (suite(f"tests/rtl/decomposed{path}") for path in ("/test_control.py", ""))
    return [large(), large(*_WIDE_ENGINE), large(*_MANY_ENGINES, largest=12), *tests]


def exchanges(prepared: Prepared[LatticeCore]) -> Killer:
    """Keys, secrets, and a refusal, of the smallest and the largest set; matrices of both kinds."""
    z, m = (bytes([i]) * SEED_BYTES for i in (2, 3))

    def holds() -> bool:
        for p in (ML_KEM_512, ML_KEM_1024):
            core, oracle = open_kem(prepared), kyber_py(p.name)
            for d in (usual_seed(p), rare_seed(p, random.Random(1))):
                ek, dk = oracle._keygen_internal(d, z)
                secret, c = oracle._encaps_internal(ek, m)
                bad = bytes([c[0] ^ 1]) + c[1:]
                rejected = oracle._decaps_internal(dk, bad)
                if core.keygen(p, d, z) != (ek, dk) or core.encaps(p, ek, m) != (secret, c):
                    return False
                if core.decaps(p, dk, c) != secret or core.decaps(p, dk, bad) != rejected:
                    return False
        return True

    return Killer(f"exchanges of {prepared.core.name}", holds)


def signing_keys() -> Killer:
    """Keys of the smallest and the largest set of ML-DSA, with stalls."""
    core = test_mldsa_core.prepared()
    seed = bytes([7]) * SEED_BYTES

    def holds() -> bool:
        model = open_core(core)
        return all(
            test_mldsa_core.keys(model, p, seed, 0.3) == oracle._keygen_internal(seed)
            for p, oracle in test_mldsa_core.ORACLES.items()
            if p.name != "ML-DSA-65"
        )

    return Killer("keys", holds)


def signatures() -> list[Killer]:
    """Tries of ML-DSA that hints end; then signatures that are made and judged, right and wrong."""
    core = test_mldsa_core.prepared()

    def made() -> bool:
        model, many = open_core(core), test_mldsa_core.MANY_HINTS.items()
        return all(test_mldsa_core.signs_alike(model, p, n) for p, ns in many for n in ns)

    def judged() -> bool:
        with patch("nttforge.kinds.lattice.verify.golden_vectors", lambda _: []):
            return verify_mldsa(open_core(core), "dut", cases=2, seed=1, sets=SETS[:2]).ok

    return [Killer("signatures", made), Killer("signatures judged", judged)]


def mlkem(_: Path, __: Path) -> list[Killer]:
    """Exchanges of two sets, with one Keccak, several, and one of a cycle; the room's tests."""
    prepared = prepare_kind(load_design("ml-kem-coprocessor"), LatticeCore)

    def holds() -> bool:
        sets = [ML_KEM_512]
        return verify_mlkem(open_core(prepared), "dut", cases=4, seed=5, sets=sets).ok

    others = {
        "several": {"keccak_cores": 4, "rounds_per_cycle": 2, "butterflies": 4},
        "at once": {"rounds_per_cycle": 24, "butterflies": 1},
    }
    designs = [{"name": "dut", "family": "lattice", "lattice": keys} for keys in others.values()]
    more = [exchanges(prepare_kind(parse_design(data, "others"), LatticeCore)) for data in designs]
    rooms = ("units", "verdict", "registers", "coprocessor", "wipe")
    tests = suite(*(f"tests/rtl/test_mlkem_{name}.py" for name in rooms))
    return [exchanges(prepared), *more, Killer("cases", holds), tests]


def lattice(_: Path, __: Path) -> list[Killer]:
    """The tests of the units that both coprocessors share, and both coprocessors."""
    prepared = prepare_kind(load_design("ml-kem-coprocessor"), LatticeCore)
    units = suite("tests/rtl/test_mldsa_units.py", "tests/rtl/test_mlkem_units.py")
    registers = suite("tests/rtl/test_mlkem_registers.py")
    return [units, signing_keys(), *signatures(), exchanges(prepared), registers]


def mldsa(_: Path, __: Path) -> list[Killer]:
    """Keys, signatures, then the room's tests."""
    rooms = ("units",), ("tries", "verdict", "release", "registers"), ("core",)
    tests = (suite(*(f"tests/rtl/test_mldsa_{name}.py" for name in of)) for of in rooms)
    rails = suite("tests/rtl/test_mldsa_faults.py::test_rails_that_differ_are_a_fault")
    return [signing_keys(), *signatures(), *tests, rails]


def scaled(_: Path, __: Path) -> list[Killer]:
    """Exchanges of the small core, then its tests and those of the units."""
    prepared = prepare_kind(load_design(KEM_SMALL), LatticeCore)
    units = (
        "scaled_units",
        "dual_engine",
        "dsa_products",
        "dual_fields",
        "dual_samplers",
        "dual_ball",
        "rounding_lane",
    )
    parts = (suite(f"tests/rtl/test_{name}.py") for name in (*units, "mlkem_small"))
    return [exchanges(prepared), *parts]


def shell(_: Path, __: Path) -> list[Killer]:
    """Parts and whole shells; a large engine, which has its bursts from here."""
    parts, shells = (("movers", "parts"), ("shell", "operands"))
    tests = (suite(*(f"tests/rtl/shell/test_{n}.py" for n in of)) for of in (parts, shells))
    return [*tests, large()]


def board(_: Path, __: Path) -> list[Killer]:
    """The memory and its bus; the bridge with a design behind it, as a host sees it."""
    return [suite("tests/board/test_memory.py"), suite("tests/board/test_board.py")]


def pqc(_: Path, __: Path) -> list[Killer]:
    """Operations of both standards in turn, with stalls too; the room's tests."""

    def turn(number: int, stall: float) -> Killer:
        name = f"in turn, {stall} of all cycles stall"
        core = test_pqc.prepared()
        return Killer(name, lambda: not test_pqc.turns(open_core(core), number, stall))

    return [turn(0, 0.0), turn(1, 0.5), suite("tests/rtl/test_pqc.py")]


def rns(_: Path, __: Path) -> list[Killer]:
    """Drawn operations, with stalls and near borders too; the tests of engines and their errors."""

    def drawn_operations(count: int, n: int = 64, **table: int) -> Killer:
        prepared = bench.prepared(n, **table)

        def holds() -> bool:
            return not test_engine.wrong_operations(prepared, random.Random(1), count)

        return Killer(f"{count} of {len(OPERATIONS)} operations, {table}", holds)

    few = drawn_operations(8)  # of the engine that the suite has
    more = drawn_operations(24, butterflies=8, targets=3)
    # Their moduli take no inverse.
    expanding = {"n": 1024, "keccaks": 3}
    seeds = drawn_operations(8, **expanding)

    def several() -> bool:
        with Machine.of(bench.prepared(**expanding)) as machine:
            test_expand.test_seeds_of_one_program_follow_each_other(machine)
        return True

    suites = (suite(f"tests/rtl/rns/test_{name}.py") for name in ("fraction", "engine"))
    return [few, *suites, more, seeds, Killer("several seeds", several)]


def prim(where: Path, rtl: Path) -> list[Killer]:
    """Every primitive by itself, then what uses them most: engines, a large one, a shell."""
    alone = Killer("alone", lambda: not prim_bench.failures(rtl, where / "alone", 1, 1000))
    return [alone, *pipeline(where, rtl), *shell(where, rtl)]


ROOMS: dict[str, Callable[[Path, Path], list[Killer]]] = {
    "arith": arith,
    "board": board,
    "decomposed": decomposed,
    "iterative": iterative,
    "lattice": lattice,
    "mldsa": mldsa,
    "mlkem": mlkem,
    "pipeline": pipeline,
    "pqc": pqc,
    "prim": prim,
    "rns": rns,
    "scaled": scaled,
    "shell": shell,
}
