# SPDX-License-Identifier: Apache-2.0
"""ntf_loaded_product between three sources and a sink that stall as they like."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nttforge.kinds.stream.product import key_word, sum_of_products
from nttforge.reduction.loaded import LoadedPlan
from nttforge.rtl_library import library, needed
from nttforge.simulate.cycles import CycleModel, Ports

MODULE = "ntf_loaded_product"
#: Cycles in which nothing moves that are a hang.
PATIENCE = 3000


@dataclass(frozen=True)
class Shape:
    """A unit: its multiplier, and how much it takes at once."""

    plan: LoadedPlan
    places: int
    beats: int
    lanes: int
    keys: int
    block_from: int = 256

    @property
    def bits(self) -> int:
        return self.plan.taken.bits

    @property
    def place_bits(self) -> int:
        return max(1, (self.places - 1).bit_length())

    @property
    def ports(self) -> Ports:
        taken, words = self.plan.taken, self.lanes * self.bits
        user = self.place_bits + 1
        return Ports(
            {"write_i": 1, "write_place_i": self.place_bits}
            | {"given_i": taken.inverse + taken.factor_width, "c_valid_i": 1, "c_data_i": 3}
            | {"s_valid_i": 1, "s_user_i": user, "s_data_i": words, "k_valid_i": 1, "k_last_i": 1}
            | {"k_data_i": self.keys * words, "m_ready_i": 1},
            {"c_ready_o": 1, "s_ready_o": 1, "k_ready_o": 1, "m_valid_o": 1, "m_last_o": 1}
            | {"m_user_o": user, "m_data_o": self.keys * words},
        )

    def top(self) -> str:
        """A module with these parameters and ports."""
        ports = self.ports
        declared = ["input logic clk_i", "input logic rst_ni"]
        for way, fields in (("input", ports.inputs), ("output", ports.outputs)):
            declared += [f"{way} logic [{bits - 1}:0] {name}" for name, bits in fields.items()]
        names = [".clk_i", ".rst_ni", *(f".{name}" for name in (*ports.inputs, *ports.outputs))]
        return "\n".join(
            [
                f"module product_top ({', '.join(declared)});",
                self.plan.sv_config("P"),
                f"  {MODULE} #(.Mul(PCfg), .Moduli(PModuli), .Steps(PSteps),",
                f"    .Places({self.places}), .Beats({self.beats}), .Lanes({self.lanes}),",
                f"    .Keys({self.keys}), .BlockFrom({self.block_from})) u_dut (",
                f"    {', '.join(names)});",
                "endmodule\n",
            ]
        )


@dataclass(frozen=True)
class Transform:
    """A transform with its command and its key, as sent."""

    place: int
    words: Sequence[Sequence[int]]  # by beat, lane
    key: Sequence[Sequence[Sequence[int]]]  # by beat, result, lane; of the multiplier's form
    first: bool = True
    last: bool = True
    constant: bool = False
    error: bool = False

    @property
    def key_mismatch(self) -> bool:
        """Whether it is not as long as it must be."""
        return len(self.key) != (1 if self.constant else len(self.words))

    def key_at(self, beat: int) -> Sequence[Sequence[int]]:
        """The key's words for a beat."""
        return self.key[0 if self.constant else beat]


#: A sum that comes out: its user, and beats; none where the error bit is set.
Sum = tuple[int, list[int]]


@dataclass
class Port:
    """A source: beats, and whether one is offered now."""

    beats: list[dict[str, int]]
    valid: str
    ready: str
    pace: float
    after: int = 0
    at: int = 0
    offered: bool = False
    gone: list[int] = field(default_factory=list)

    def offer(self, cycle: int, rng: random.Random) -> dict[str, int]:
        """What it drives in this cycle: once offered, a beat stays."""
        there = self.at < len(self.beats) and cycle >= self.after
        self.offered = there and (self.offered or rng.random() < self.pace)
        return {self.valid: 1, **self.beats[self.at]} if self.offered else {}

    def step(self, out: dict[str, int], cycle: int) -> None:
        if self.offered and out[self.ready]:
            self.at, self.offered = self.at + 1, False
            self.gone.append(cycle)


def packed(values: Sequence[int], bits: int) -> int:
    """Words of a beat, the first one lowest."""
    return sum(value << bits * at for at, value in enumerate(values))


class Bench:
    """A unit that was compiled, maybe with defects."""

    def __init__(self, shape: Shape, folder: Path, sources: Sequence[Path] | None = None) -> None:
        self.shape = shape
        folder.mkdir(parents=True, exist_ok=True)
        top = folder / "product_top.sv"
        top.write_text(shape.top(), "utf-8")
        found = sources or [library()[name] for name in needed(MODULE, library())]
        self.model = CycleModel.build(folder / "model", [*found, top], "product_top", shape.ports)

    def results(self, moduli: Sequence[int], transforms: Sequence[Transform]) -> Iterator[Sum]:
        """(user, beats) of each sum that comes out; no beats where the error bit says so."""
        shape = self.shape
        group: list[Transform] = []
        for each in transforms:
            group = [each] if each.first else [*group, each]
            if not each.last:
                continue
            q = moduli[each.place]
            wrong = any(
                one.error
                or one.key_mismatch
                or any(word >= q for beat in one.key for row in beat for word in row)
                for one in group
            )
            beats = [
                packed(
                    [
                        sum_of_products(
                            shape.plan,
                            q,
                            [(one.words[beat][lane], one.key_at(beat)[key][lane]) for one in group],
                        )
                        for key in range(shape.keys)
                        for lane in range(shape.lanes)
                    ],
                    shape.bits,
                )
                for beat in range(shape.beats)
                if not wrong
            ]
            yield (int(wrong) << shape.place_bits | each.place, beats)

    def load(self, moduli: Sequence[int]) -> None:
        """Write the constants of all places."""
        taken = self.shape.plan.taken
        for place, q in enumerate(moduli):
            given = taken.inverse_word(q) << taken.factor_width | q >> taken.zeros
            self.model.step(write_i=1, write_place_i=place, given_i=given)

    def play(
        self,
        moduli: Sequence[int],
        transforms: Sequence[Transform],
        *,
        seed: int = 0,
        paces: tuple[float, float, float, float] = (1, 1, 1, 1),
        late: tuple[int, int, int] = (0, 0, 0),
    ) -> list[int]:
        """Stream them, and compare what comes out: the cycles of its beats.

        Parameters
        ----------
        paces
            How often transforms, keys, commands and the sink are ready when they could be.
        late
            Cycles before which nothing of transforms, keys and commands comes.
        """
        shape, rng = self.shape, random.Random(seed)
        bits = shape.bits
        self.model.reset()
        self.load(moduli)
        sent = [
            {"s_user_i": place | int(error) << shape.place_bits, "s_data_i": packed(words, bits)}
            for each in transforms
            for at, words in enumerate(each.words)
            for final in [at == len(each.words) - 1]
            # The place is asked for with the first beat alone, the error with the last one.
            for place in [each.place if at == 0 else rng.randrange(shape.places)]
            for error in [each.error if final else rng.random() < 0.5]
        ]
        keys = [
            {
                "k_data_i": packed([word for row in beat for word in row], bits),
                "k_last_i": int(at == len(each.key) - 1),
            }
            for each in transforms
            for at, beat in enumerate(each.key)
        ]
        commands = [
            {"c_data_i": each.constant << 2 | each.last << 1 | each.first} for each in transforms
        ]
        ports = [
            Port(beats, f"{name}_valid_i", f"{name}_ready_o", pace, after)
            for beats, name, pace, after in zip(
                (sent, keys, commands), "skc", paces[:3], late, strict=True
            )
        ]
        wanted = list(self.results(moduli, transforms))
        got: list[int] = []
        seen: list[int] = []
        cycle = waited = 0
        while wanted:
            ready = int(rng.random() < paces[3])
            given: dict[str, int] = {}
            for port in ports:
                given |= port.offer(cycle, rng)
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
                    user, beats = wanted.pop(0)
                    assert out["m_user_o"] == user
                    assert len(got) == shape.beats
                    assert not beats or got == beats
                    got = []
            waited = 0 if moved or cycle < max(late) else waited + 1
            assert waited < PATIENCE, "it hangs"
            cycle += 1
        # A key that is too long is dropped when the next one is asked for.
        assert all(port.at == len(port.beats) for port in ports[::2])
        return seen


def drawn_transform(
    shape: Shape, moduli: Sequence[int], rng: random.Random, place: int, **given: bool
) -> Transform:
    """Of corners and random words."""
    q = moduli[place]

    def word() -> int:
        return rng.choice((0, 1, q // 2, q // 2 + 1, q - 1, rng.randrange(q), rng.randrange(q)))

    beats = 1 if given.get("constant") else shape.beats
    return Transform(
        place,
        [[word() for _ in range(shape.lanes)] for _ in range(shape.beats)],
        [
            [
                [key_word(shape.plan, q, word()) for _ in range(shape.lanes)]
                for _ in range(shape.keys)
            ]
            for _ in range(beats)
        ],
        **given,
    )


def drawn_sums(
    shape: Shape, moduli: Sequence[int], rng: random.Random, count: int, most: int = 4
) -> list[Transform]:
    """So many sums of any places behind each other, of one product and more."""
    transforms = []
    for _ in range(count):
        place, size = rng.randrange(shape.places), rng.randint(1, most)
        transforms += [
            drawn_transform(
                shape,
                moduli,
                rng,
                place,
                first=at == 0,
                last=at == size - 1,
                constant=rng.random() < 0.3,
            )
            for at in range(size)
        ]
    return transforms
