# SPDX-License-Identifier: Apache-2.0
"""Transform, product with a stream of keys, sum, and back: two cores and what joins them."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from flint import nmod_poly

from nttforge.cache import design_files
from nttforge.design import parse_design
from nttforge.flow.prepare import Prepared, prepare
from nttforge.hw.core import StreamCore
from nttforge.kinds.stream.loaded import ring_of
from nttforge.kinds.stream.product import key_word, product_plan
from nttforge.ring.ring import Ring
from nttforge.rtl_library import library, needed
from nttforge.simulate.cycles import CycleModel, Ports
from tests.known_primes import drawn, largest, smallest
from tests.loaded_primes import engine, values_by_flint
from tests.mutation.sites import CHOSEN, Mutant, spoiled
from tests.rtl.pipeline.product_bench import Port, packed

N, BITS, PLACES, LANES = 32, 54, 3, 2
PLACE_BITS = 2
INPUT, RETURN, PRODUCT = "ntf_chain_input", "ntf_chain_return", "ntf_loaded_product"
#: Cycles in which nothing moves that are a hang.
PATIENCE = 20_000


def prepared(name: str, operation: str) -> Prepared[StreamCore]:
    """One direction alone."""
    ring = {"n": N, "q": "runtime", "bits": BITS, "moduli": PLACES}
    table = {"twiddles": "made", "made_from": 24}
    design = {"name": name, "rings": [ring], "operations": [operation], "pipeline": table}
    return prepare(parse_design(design, "test"))


def top_text(plan_text: str, commands: int) -> str:
    """Both cores, the product between them, and the stream of keys."""
    words = LANES * BITS
    return f"""
module chain_top import ntf_pipeline_pkg::*; (
  input  logic clk_i, rst_ni,
  input  logic s_valid_i, s_last_i, k_valid_i, k_last_i, m_ready_i,
  input  logic [{PLACE_BITS + 3}:0] s_user_i,
  input  logic [{words - 1}:0] s_data_i, k_data_i,
  output logic s_ready_o, k_ready_o, m_valid_o, m_last_o,
  output logic [{PLACE_BITS + 2}:0] m_user_o,
  output logic [{words - 1}:0] m_data_o
);
{plan_text}
  logic a_valid, a_ready, a_last, f_valid, f_ready, f_last, l_valid, l_ready;
  logic c_valid, c_ready, write, p_valid, p_ready, p_last, b_valid, b_ready, b_last;
  logic [{PLACE_BITS + 1}:0] a_user, b_user;
  logic [{PLACE_BITS + 2}:0] f_user;
  logic [{PLACE_BITS}:0] p_user;
  logic [{words - 1}:0] a_data, f_data, p_data, b_data;
  logic [ntf_arith_pkg::given_width(PModuli)-1:0] given;
  product_cmd_t c_data;

  ntf_chain_input #(
    .Moduli(PModuli), .Places({PLACES}), .Lanes({LANES}), .Depth({commands})
  ) u_input (
    .clk_i, .rst_ni, .s_valid_i, .s_ready_o, .s_last_i, .s_user_i, .s_data_i,
    .leaves_i(m_valid_o && m_ready_i && m_last_o),
    .a_valid_o(a_valid), .a_ready_i(a_ready), .a_last_o(a_last), .a_user_o(a_user),
    .a_data_o(a_data), .l_valid_o(l_valid), .l_ready_i(l_ready),
    .c_valid_o(c_valid), .c_ready_i(c_ready), .c_data_o(c_data), .write_o(write), .given_o(given)
  );
  fwd u_forward (
    .clk_i, .rst_ni,
    .s_axis_tvalid(a_valid), .s_axis_tready(a_ready), .s_axis_tlast(a_last),
    .s_axis_tuser(a_user), .s_axis_tdata(a_data),
    .m_axis_tvalid(f_valid), .m_axis_tready(f_ready), .m_axis_tlast(f_last),
    .m_axis_tuser(f_user), .m_axis_tdata(f_data)
  );
  {PRODUCT} #(
    .Mul(PCfg), .Moduli(PModuli), .Steps(PSteps), .Places({PLACES}), .Beats({N // LANES}),
    .Lanes({LANES}), .Keys(1)
  ) u_product (
    .clk_i, .rst_ni,
    .write_i(write), .write_place_i(a_user[1+:{PLACE_BITS}]), .given_i(given),
    .c_valid_i(c_valid), .c_ready_o(c_ready), .c_data_i(c_data),
    .s_valid_i(f_valid), .s_ready_o(f_ready),
    .s_user_i({{f_user[{PLACE_BITS + 2}], f_user[1+:{PLACE_BITS}]}}), .s_data_i(f_data),
    .k_valid_i, .k_ready_o, .k_last_i, .k_data_i,
    .m_valid_o(p_valid), .m_ready_i(p_ready), .m_last_o(p_last), .m_user_o(p_user),
    .m_data_o(p_data)
  );
  ntf_chain_return #(.PlaceW({PLACE_BITS}), .DataW({words})) u_return (
    .clk_i, .rst_ni,
    .p_valid_i(p_valid), .p_ready_o(p_ready), .p_last_i(p_last), .p_user_i(p_user),
    .p_data_i(p_data),
    .l_valid_i(l_valid), .l_ready_o(l_ready), .l_last_i(s_last_i),
    .l_place_i(a_user[1+:{PLACE_BITS}]), .l_data_i(a_data),
    .b_valid_o(b_valid), .b_ready_i(b_ready), .b_last_o(b_last), .b_user_o(b_user),
    .b_data_o(b_data)
  );
  inv u_inverse (
    .clk_i, .rst_ni,
    .s_axis_tvalid(b_valid), .s_axis_tready(b_ready), .s_axis_tlast(b_last),
    .s_axis_tuser(b_user), .s_axis_tdata(b_data),
    .m_axis_tvalid(m_valid_o), .m_axis_tready(m_ready_i), .m_axis_tlast(m_last_o),
    .m_axis_tuser(m_user_o), .m_axis_tdata(m_data_o)
  );
  logic unused;
  assign unused = ^{{f_last, f_user}};
endmodule
"""


@dataclass(frozen=True)
class Term:
    """A polynomial, and what it is multiplied by: another one, or a number."""

    words: Sequence[int]
    key: Sequence[int] | int
    short: bool = False  # the key is a beat too short
    cut: bool = False  # the polynomial is


#: A place, and what is loaded into it.
Load = tuple[int, Ring]


@dataclass(frozen=True)
class Sum:
    """Terms modulo what a place has."""

    place: int
    terms: Sequence[Term]


class Chain:
    """The chain, compiled, maybe with defects."""

    def __init__(
        self, folder: Path, changed: dict[str, Path] | None = None, *, commands: int = 32
    ) -> None:
        self.forward, self.inverse = prepared("fwd", "ntt"), prepared("inv", "intt")
        self.plan = product_plan(engine(self.forward.core))
        folder.mkdir(parents=True, exist_ok=True)
        top = folder / "chain_top.sv"
        top.write_text(top_text(self.plan.sv_config("P"), commands), "utf-8")
        found = {path.name: path for path in design_files(self.forward.folder)}
        tops = {path.name: path for path in design_files(self.inverse.folder)}
        for name in {*needed(PRODUCT, library()), *needed(INPUT, library())} | {RETURN}:
            found.setdefault(f"{name}.sv", library()[name])
        found = {name: path for name, path in found.items() if not name.endswith("_wrapper.v")}
        found |= {name: path for name, path in tops.items() if name.startswith("inv")}
        found = {name: path for name, path in found.items() if not name.endswith("_wrapper.v")}
        found |= changed or {}
        packages = [path for name, path in found.items() if name.endswith("_pkg.sv")]
        others = [path for name, path in found.items() if not name.endswith("_pkg.sv")]
        words = LANES * BITS
        ports = Ports(
            {"s_valid_i": 1, "s_last_i": 1, "k_valid_i": 1, "k_last_i": 1, "m_ready_i": 1}
            | {"s_user_i": PLACE_BITS + 4, "s_data_i": words, "k_data_i": words},
            {"s_ready_o": 1, "k_ready_o": 1, "m_valid_o": 1, "m_last_o": 1}
            | {"m_user_o": PLACE_BITS + 3, "m_data_o": words},
        )
        self.ports = ports
        self.library = CycleModel.compiled(
            folder / "model", [*packages, *others, top], "chain_top", ports
        )
        self.reopen()

    def reopen(self) -> None:
        """Open the model, with what the environment says of defects now."""
        self.model = CycleModel(self.library, self.ports)

    def loads(self, place: int, ring: Ring) -> list[list[dict[str, int]]]:
        """Of both pipelines, and of the product with the first one."""
        loads = []
        for second, core in enumerate((self.forward.core, self.inverse.core)):
            words = list(engine(core).load_words(ring))
            user = 1 << PLACE_BITS + 3 | place << 3 | second
            loads.append(
                [
                    {"s_user_i": user, "s_data_i": word, "s_last_i": int(at == len(words) - 1)}
                    for at, word in enumerate(words)
                ]
            )
        return loads

    def transform(self, place: int, term: Term, command: int) -> list[dict[str, int]]:
        layout = self.forward.core.operations[0].input_layout
        rows = [[term.words[i] for i in row] for row in layout.order().tolist()]
        rows = rows[:-1] if term.cut else rows
        return [
            {
                "s_user_i": place << 3 | command,
                "s_data_i": packed(row, BITS),
                "s_last_i": int(row is rows[-1]),
            }
            for row in rows
        ]

    def key(self, ring: Ring, term: Term) -> list[dict[str, int]]:
        layout = self.forward.core.operations[0].output_layout
        if isinstance(term.key, int):
            rows = [[term.key] * LANES]
        else:
            values = values_by_flint(ring, term.key)
            rows = [[values[i] for i in row] for row in layout.order().tolist()]
        rows = rows[:-1] if term.short else rows
        return [
            {
                "k_data_i": packed([key_word(self.plan, ring.q, word) for word in row], BITS),
                "k_last_i": int(row is rows[-1]),
            }
            for row in rows
        ]

    def play(
        self,
        script: Sequence[Load | Sum],
        *,
        seed: int = 0,
        paces: tuple[float, float, float] = (1, 1, 1),
        late: int = 0,
    ) -> list[int]:
        """Loads and sums behind each other, compared with polynomials; cycles of what comes out."""
        rng = random.Random(seed)
        rings: dict[int, Ring] = {}

        def noisy(beats: list[dict[str, int]]) -> list[dict[str, int]]:
            """Behind the first beat the user means nothing."""
            noise = ({"s_user_i": rng.getrandbits(PLACE_BITS + 4)} for _ in beats[1:])
            return [beats[0], *(beat | more for beat, more in zip(beats[1:], noise, strict=True))]

        sent: list[dict[str, int]] = []
        keys: list[dict[str, int]] = []
        wanted: list[tuple[int, list[int] | None]] = []
        for step in script:
            if not isinstance(step, Sum):
                sent += [beat for load in self.loads(*step) for beat in noisy(load)]
                rings[step[0]] = step[1]
                continue
            ring = rings.get(step.place, next(iter(rings.values())))
            for at, term in enumerate(step.terms):
                command = isinstance(term.key, int) << 2
                command |= (at == len(step.terms) - 1) << 1 | (at == 0)
                sent += noisy(self.transform(step.place, term, command))
                keys += self.key(ring, term)
            bad = step.place not in rings or any(term.short or term.cut for term in step.terms)
            wanted.append((step.place, None if bad else self.right(ring, step.terms)))
        ports = [
            Port(sent, "s_valid_i", "s_ready_o", paces[0]),
            Port(keys, "k_valid_i", "k_ready_o", paces[1], late),
        ]
        layout = self.inverse.core.operations[0].output_layout.order().tolist()
        got: list[int] = []
        seen: list[int] = []
        cycle = waited = 0
        self.model.reset()
        while wanted:
            ready = int(rng.random() < paces[2])
            given = {name: v for port in ports for name, v in port.offer(cycle, rng).items()}
            out = self.model.step(m_ready_i=ready, **given)
            before = sum(port.at for port in ports)
            for port in ports:
                port.step(out, cycle)
            moved = sum(port.at for port in ports) != before
            if out["m_valid_o"] and ready:
                moved = True
                got.append(out["m_data_o"])
                seen.append(cycle)
                if out["m_last_o"]:
                    place, words = wanted.pop(0)
                    user = (words is None) << PLACE_BITS + 2 | place << 1
                    assert out["m_user_o"] == user
                    assert len(got) == len(layout)
                    if words is not None:
                        assert got == [packed([words[i] for i in row], BITS) for row in layout]
                    got = []
            waited = 0 if moved else waited + 1
            assert waited < PATIENCE, "it hangs"
            cycle += 1
        assert all(port.at == len(port.beats) for port in ports)
        return seen

    def right(self, ring: Ring, terms: Sequence[Term]) -> list[int]:
        """The sum of products modulo x^n + 1, by FLINT."""
        whole = nmod_poly([], ring.q)
        for term in terms:
            key = [term.key] if isinstance(term.key, int) else list(term.key)
            whole += nmod_poly(list(term.words), ring.q) * nmod_poly(key, ring.q)
        whole %= nmod_poly([1, *[0] * (N - 1), 1], ring.q)
        return [int(whole[i]) for i in range(N)]

    def rings(self, rng: random.Random, count: int = PLACES) -> list[Ring]:
        taken, design = self.plan.taken, engine(self.forward.core).design
        moduli = [largest(BITS, taken.zeros), smallest(taken.zeros)]
        moduli += [drawn(BITS, taken.zeros, rng) for _ in range(count - 2)]
        return [ring_of(design, q) for q in moduli]


def drawn_term(ring: Ring, rng: random.Random, **wrong: bool) -> Term:
    def words() -> list[int]:
        return [rng.choice((0, 1, ring.q - 1, rng.randrange(ring.q))) for _ in range(N)]

    if wrong.get("short") or rng.random() < 0.8:
        return Term(words(), words(), **wrong)
    return Term(words(), rng.randrange(ring.q), **wrong)


def drawn_sums(rings: Sequence[Ring], rng: random.Random, count: int, most: int = 3) -> list[Sum]:
    sums = []
    for _ in range(count):
        place = rng.randrange(len(rings))
        terms = [drawn_term(rings[place], rng) for _ in range(rng.randint(1, most))]
        sums.append(Sum(place, terms))
    return sums


def wrong_sums(rings: Sequence[Ring], rng: random.Random) -> list[Sum]:
    """Each between good ones: a place that is not loaded, keys and polynomials that are short."""
    script: list[Sum] = []
    for number in range(6):
        ring = rings[0]
        bad = (
            Sum(3, [drawn_term(ring, rng)]),
            Sum(0, [drawn_term(ring, rng), drawn_term(ring, rng, short=True)]),
            Sum(0, [drawn_term(ring, rng, cut=True), drawn_term(ring, rng)]),
        )[number % 3]
        script += [bad, *drawn_sums(rings, rng, 2)]
    return script


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Chain:
    return Chain(tmp_path_factory.mktemp("chain"))


@pytest.mark.parametrize(
    ("paces", "late"),
    [((1, 1, 1), 0), ((0.7, 0.7, 0.7), 0), ((1, 0.2, 1), 0), ((1, 1, 0.3), 0), ((1, 1, 1), 3000)],
)
def test_sums_of_products(paces: tuple[float, float, float], late: int, chain: Chain) -> None:
    """Of polynomials modulo three primes, whatever stalls; keys that are late lose nothing."""
    rng = random.Random(1)
    rings = chain.rings(rng)
    script: list[Load | Sum] = [*enumerate(rings), *drawn_sums(rings, rng, 16)]
    chain.play(script, seed=2, paces=paces, late=late)


def test_products_follow_each_other(chain: Chain) -> None:
    """A beat every clock from end to end, moduli mixed."""
    rng = random.Random(3)
    rings = chain.rings(rng)
    seen = chain.play([*enumerate(rings), *drawn_sums(rings, rng, 10, most=1)])
    assert seen == list(range(seen[0], seen[0] + 10 * N // LANES))


def test_moduli_change_between_sums(chain: Chain) -> None:
    """A load waits for all before it, and those behind it have the new modulus."""
    rng = random.Random(4)
    first, second = chain.rings(rng), chain.rings(rng, 4)[::-1][:3]
    script: list[Load | Sum] = [*enumerate(first), *drawn_sums(first, rng, 5)]
    script += [*enumerate(second), *drawn_sums(second, rng, 5)]
    chain.play(script, seed=5, paces=(0.9, 0.9, 0.5))


def test_what_is_wrong_is_marked(chain: Chain) -> None:
    rng = random.Random(6)
    rings = chain.rings(rng)
    for pace in (1, 0.6):
        chain.play([*enumerate(rings), *wrong_sums(rings, rng)], seed=7, paces=(pace,) * 3)


#: Name -> module, pattern of an expression, what it becomes.
MUTANTS = {
    "a load does not wait": (INPUT, r"inside_q == '0", "1'b1"),
    "a load waits for ever": (INPUT, r"(?<= - InsideW'\()leaves_i", "1'b0"),
    "all loads are the first core's": (INPUT, r"first_q \? s_user_i\[0\] : second_q", "1'b0"),
    "a command for each beat": (INPUT, r"s_valid_i && first_q && !load(?=;)", "s_valid_i && !load"),
    "commands of loads": (INPUT, r"first_q && !load(?=;)", "first_q"),
    "commands too early": (INPUT, r"command && a_ready_i", "command"),
    "transforms without commands": (INPUT, r"!first_q \|\| room(?=\);\n  assign take)", "1'b1"),
    "no constants": (INPUT, r"(?<=assign writes = )take", "1'b0"),
    "any place": (INPUT, r"first_q \? s_user_i\[3\+:PlaceW\] : place_q", "s_user_i[3+:PlaceW]"),
    "errors end here": (RETURN, r"p_last_i && !p_user_i\[PlaceW\]", "p_last_i"),
    "no beat more": (RETURN, r"p_last_i && p_user_i\[PlaceW\](?=;)", "1'b0"),
    "sums while there are more": (RETURN, r"b_ready_i && !more_q && !l_valid_i", "b_ready_i"),
    "loads are sums": (RETURN, r"\{1'b1, l_place_i, 1'b0\}", "{1'b0, l_place_i, 1'b0}"),
}


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Chain]:
    """With all defects, of which the environment chooses one, by the commands that may wait."""
    folder, changed = tmp_path_factory.mktemp("spoilt"), {}
    for module in (INPUT, RETURN):
        data, found = library()[module].read_text("ascii"), {}
        for number, (where, good, bad) in enumerate(MUTANTS.values(), start=1):
            if where == module:
                matches = list(re.finditer(good, data))
                assert len(matches) == 1, good
                found[number] = Mutant(module, 0, "", *matches[0].span(), matches[0][0], bad)
        changed[f"{module}.sv"] = folder / f"{module}.sv"
        changed[f"{module}.sv"].write_text(spoiled(data.encode("ascii"), found), "ascii")
    return cache(lambda commands: Chain(folder / str(commands), changed, commands=commands))


def check(chain: Chain) -> None:
    """All that is promised, in short."""
    rng = random.Random(8)
    rings, others = chain.rings(rng), chain.rings(rng, 5)[::-1][:3]
    for seed, pace in enumerate((1, 0.7)):
        script: list[Load | Sum] = [*enumerate(rings), *drawn_sums(rings, rng, 8)]
        script += wrong_sums(rings, rng)
        script += [*enumerate(others), *drawn_sums(others, rng, 4)]
        chain.play(script, seed=seed, paces=(pace,) * 3)
    chain.play([*enumerate(rings), *drawn_sums(rings, rng, 6)], seed=9, late=600)


@pytest.mark.parametrize("name", [None, *MUTANTS])
def test_a_defect_is_seen(
    name: str | None, spoilt: Callable[[int], Chain], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first core is ready for every transform that few commands let in.
    chain = spoilt(32 if name == "commands too early" else 4)
    monkeypatch.setenv(CHOSEN, str(0 if name is None else [*MUTANTS].index(name) + 1))
    chain.reopen()
    if name is None:
        check(chain)
        return
    with pytest.raises(AssertionError):
        check(chain)
