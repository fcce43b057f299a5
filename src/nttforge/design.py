# SPDX-License-Identifier: Apache-2.0
"""A design: the short description that everything else is made from.

Designs are TOML files, checked here; `designs/` has those that come with nttforge, and any ring
preset's name is a design too (a pipeline of one butterfly a stage, both directions).
"""

import hashlib
import json
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from nttforge.errors import NttforgeError, shown
from nttforge.module_names import taken
from nttforge.names import did_you_mean
from nttforge.output import reading
from nttforge.ring.presets import PRESETS, find_preset
from nttforge.ring.primes import MAX_MODULUS_BITS
from nttforge.ring.ring import Ring
from nttforge.targets import Target

#: Each has a table of its name in the design file.
Family = Literal["pipeline", "iterative", "decomposed", "mlkem"]
Direction = Literal["ntt", "intt"]
Product = Literal["pointwise", "mac", "polymul"]
OperationName = Literal["ntt", "intt", "pointwise", "mac", "polymul"]
Prefer = Literal["balanced", "dsp", "lut"]
#: How coefficients are shared out to beats.
Order = Literal["natural", "mirrored"]
Reduction = Literal["auto", "barrett", "montgomery", "word-montgomery", "solinas", "goldilocks"]


def direction_of(name: OperationName) -> Direction | None:
    """The operation's direction, if it is a transform."""
    match name:
        case "ntt" | "intt":
            return name
        case _:
            return None


def product_of(name: OperationName) -> Product | None:
    """The operation's product, if it is one."""
    match name:
        case "pointwise" | "mac" | "polymul":
            return name
        case _:
            return None


def _integer(value: object) -> object:
    """Integers may be written as strings, because TOML's end at 64 bits."""
    if isinstance(value, str):
        try:
            return int(value, 0)
        except ValueError:
            return value
    return value


_LARGEST_MODULUS = (1 << MAX_MODULUS_BITS) - 1
Modulus = Annotated[int, Field(ge=3, le=_LARGEST_MODULUS), BeforeValidator(_integer)]
Root = Annotated[int, Field(ge=1, le=_LARGEST_MODULUS), BeforeValidator(_integer)]
#: Names become names of files and modules.
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=64)]
#: Marks what a user may write freely: whoever puts it into a file escapes it for its language.
FREE_TEXT = "free text"
#: A depth of a memory, as the RTL's parameters hold it.
Depth = Annotated[int, Field(ge=2, le=(1 << 31) - 1)]
#: Coefficients of the largest transform that a core keeps whole, with all its factors.
LARGEST = 1 << 16
_LARGEST_FILE = 1 << 20  # bytes of a design
# Beyond these, figures of memories and clocks are mistakes.
Rate = Annotated[float, Field(ge=0.001, le=100_000, allow_inf_nan=False)]


class _Table(BaseModel):
    # Strict: `seamless = 1` and `n = 16.0` are mistakes, not spellings.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class RingTable(_Table):
    """A ring: a preset's name, or n and q with what differs from the defaults.

    Attributes
    ----------
    preset
        Name of a ring that comes with nttforge (`nttforge presets` lists them); then none of the
        keys below but `name`.
    name
        What its operations are called by, if there are several rings; else the preset's name, or
        `q` and the modulus.
    n
        Coefficients, a power of two from 4 to 65,536. All rings of a design have the same. The
        decomposed family takes every size, and has no n here.
    q
        The modulus, an odd prime of at most 256 bits. Beyond 63 bits write it as a string, decimal
        or hexadecimal.
    form
        What polynomials are reduced by: negacyclic or cyclic.
    layers
        Layers of butterflies: log2(n) of them, a complete transform, if left out. With fewer the
        transform is incomplete, as ML-KEM's, and q needs fewer roots of unity.
    root
        The root of unity that fixes which value stands where; one is found if it is left out.
    """

    preset: str | None = None
    name: Name | None = None
    n: int | None = Field(default=None, ge=4, le=LARGEST)
    q: Modulus | None = None
    form: Literal["x^n+1", "x^n-1"] = "x^n+1"
    layers: int | None = Field(default=None, ge=1, le=16)
    root: Root | None = None

    @model_validator(mode="after")
    def _one_way(self) -> "RingTable":
        own = {"n", "q", "form", "layers", "root"} & self.model_fields_set
        if self.preset is None and self.q is None:
            raise ValueError("a ring needs a preset, or n and q")
        if self.preset is not None and own:
            raise ValueError(f"a ring with a preset takes no {sorted(own)[0]}")
        return self

    @property
    def label(self) -> str:
        """Name by which operations of several rings are told apart."""
        return self.name or self.preset or f"q{self.q}"

    def ring(self) -> Ring:
        """The ring itself, checked.

        Raises
        ------
        NttforgeError
            If there is no such preset or no such ring.
        """
        if self.preset is not None:
            return find_preset(self.preset).ring
        if self.n is None:
            raise NttforgeError("n", "is missing", "add it: a ring needs a preset, or n and q")
        return Ring.create(
            self.n,
            self.modulus,
            negacyclic=self.form == "x^n+1",
            layers=self.layers,
            root=self.root,
        )

    @property
    def modulus(self) -> int:
        """The modulus, of the preset if there is one.

        Raises
        ------
        NttforgeError
            If there is no such preset.
        """
        if self.preset is not None:
            return find_preset(self.preset).ring.q
        assert self.q is not None
        return self.q

    def ring_of_size(self, size: int) -> Ring:
        """The ring of 2^size coefficients modulo q, whatever this table's own size.

        Negacyclic if q has the roots for it, else cyclic; a transform of either kind of a smaller
        size takes powers of its root.

        Raises
        ------
        NttforgeError
            If there is no such preset or no such ring, or the table fixes what it must not.
        """
        for key in ("n", "form", "layers"):
            if key in self.model_fields_set:
                raise NttforgeError(
                    key, "the decomposed family takes every size and form", "leave it out"
                )
        both = (self.modulus - 1) % (2 << size) == 0
        return Ring.create(1 << size, self.modulus, negacyclic=both, root=self.root)


class PipelineTable(_Table):
    """Parameters of the pipeline family.

    Attributes
    ----------
    butterflies
        Butterflies a stage; a beat has twice as many coefficients.
    seamless
        Pad the commutators so that any operation follows any other without a bubble.
    adders_per_stage
        Adder rows between two registers: 1 for the highest clock, more for a shorter pipeline. Up
        to 2 there is a register behind every memory, too.
    order
        How coefficients and values are shared out to beats. `natural`: values in order,
        coefficients as two halves in order. `mirrored`: with several butterflies and both
        directions, each commutator and wire serves both of them, which takes fewer LUTs.
    short
        Stages of three clocks, for the least latency: reduction and last additions have one clock
        together, which is slower. It takes no notice of `adders_per_stage`.
    fused
        A stage's last additions share a clock with the next one's exchange, and the input has no
        register slice: a register less a stage, for an engine within something larger.
    reduction
        Kind of the modular reduction; `auto` takes the one of least measured cost.
    lut_tile
        A multiplier tile of at most so many bits on one side is made of LUTs instead of a DSP
        block: 12 takes all of ML-KEM's.
    ram_block_from, rom_block_from
        Depth from which commutators and twiddle tables are block RAM.
    """

    butterflies: int = Field(default=1, ge=1, le=LARGEST // 2)
    order: Order = "natural"
    seamless: bool = False
    lut_tile: int = Field(default=0, ge=0, le=12)
    short: bool = False
    fused: bool = False
    adders_per_stage: int = Field(default=2, ge=1, le=8)
    reduction: Reduction = "auto"
    ram_block_from: Depth = 256
    rom_block_from: Depth = 128


class ShellTable(_Table):
    """Parameters of the memory shell; a design with this table gets one.

    Attributes
    ----------
    instances
        Engines, each with a memory channel to read and one to write.
    data_width
        Bits of a channel's word, a power of two from 64 to 1024; if it is not given, what carries
        a beat, but 512 at most.
    packing
        `packed`: a coefficient takes ceil(log2 q) bits in memory; `words`: 16, 32, 64, ... bits.
    burst_bytes
        Length of a whole burst, a power of two up to 4096.
    latency_cycles
        Latency of the memory that reading must hide.
    timeout_cycles
        A job ends with an error when a channel has owed an answer for so many cycles; 0 is never.
    channel_gbytes_s, clock_mhz
        Bandwidth and clock from which the number of butterflies is chosen if it is not given.
    """

    instances: int = Field(default=1, ge=1, le=64)
    data_width: Literal[64, 128, 256, 512, 1024] | None = None
    packing: Literal["packed", "words"] = "packed"
    burst_bytes: Literal[64, 128, 256, 512, 1024, 2048, 4096] = 1024
    latency_cycles: int = Field(default=160, ge=1, le=4096)
    timeout_cycles: int = Field(default=1 << 20, ge=0, le=(1 << 31) - 1)
    channel_gbytes_s: Rate = 8.3
    clock_mhz: Rate = 306.0

    def butterflies(self, n: int, width: int) -> int:
        """Butterflies a stage that a channel can feed: StreamNTT, section IV-C.

        EBW / (width * f_clk), rounded down to a power of two from 1 to n/2.
        """
        fed = self.channel_gbytes_s * 8e3 / (width * self.clock_mhz)
        return min(n // 2, 1 << (max(1, int(fed)).bit_length() - 1))


class IterativeTable(_Table):
    """Parameters of the iterative family.

    Attributes
    ----------
    butterflies
        Butterflies in the one row that every pass uses; a beat has twice as many coefficients.
    memory
        `registers`, or `banks` of distributed or block RAM; `auto` takes what costs least by
        measured area.
    short
        Butterflies of two clocks, for as few cycles as possible where a pass has few groups: the
        clock is slower. It takes no notice of `adders_per_stage`.
    adders_per_stage
        Adder rows between two registers: 1 for the highest clock, more for fewer cycles where a
        pass has few groups. Up to 2 there are registers at the stream's edges and behind memories,
        too.
    reduction
        Kind of the modular reduction; `auto` takes the one of least measured cost.
    lut_tile
        A multiplier tile of at most so many bits on one side is made of LUTs instead of a DSP
        block; without it, those that cost less so, as far as `adders_per_stage` allows: two bits
        take an adder row. 0 makes all of them DSP blocks; 6 bits are one of two in a product of 23.
    pairs
        Rings of narrow moduli whose transform ends with pairs of coefficients, as ML-KEM's, beside
        one of a wide modulus: a word is such a pair, and each butterfly two narrow ones.
    slots
        Polynomials that the core keeps, 0 for as few as its operations need: one for transforms,
        two for products, three in rings whose transform ends with pairs. With more of them
        operations fill each other's waiting.
    ram_block_from
        Words a bank from which banks are block RAM, instead of what costs least.
    rom_block_from
        Factors a table from which it is block RAM.
    """

    butterflies: int = Field(default=1, ge=1, le=LARGEST // 2)
    memory: Literal["auto", "registers", "banks"] = "auto"
    short: bool = False
    adders_per_stage: int = Field(default=2, ge=1, le=8)
    reduction: Reduction = "auto"
    lut_tile: int | None = Field(default=None, ge=0, le=12)
    pairs: bool = False
    slots: int = Field(default=0, ge=0, le=1024)
    ram_block_from: Depth | None = None
    rom_block_from: Depth = 128


class MlkemTable(_Table):
    """Parameters of the mlkem family, the ML-KEM coprocessor.

    Attributes
    ----------
    rounds_per_cycle
        Rounds of Keccak a cycle, a divisor of 24: more of them for fewer cycles and a slower clock.
    butterflies
        Butterflies a stage of the transform: a beat has twice as many coefficients.
    keccak_cores
        Keccak cores: all but the first sample the matrix.
    """

    butterflies: Literal[1, 2, 4] = 2
    keccak_cores: Literal[1, 2, 3, 4] = 1
    rounds_per_cycle: Literal[1, 2, 3, 4, 6, 8, 12, 24] = 1


class DecomposedTable(_Table):
    """Parameters of the decomposed family, for transforms that do not fit on the chip.

    Attributes
    ----------
    n
        Size of the kernel, a power of two.
    t
        Words a beat of the memory and of the kernel, a power of two.
    b
        Beats of a memory's burst, a power of two.
    l_max
        log2 of the largest transform.
    made
        Twiddles that the generator makes a cycle, a power of two up to t/2, with a multiplier each:
        more of them let small transforms start sooner.
    adders_per_stage
        Adder rows between two registers: 1 for the highest clock.
    reduction
        Kind of the modular reduction; `auto` takes the one of least measured cost.
    clock_mhz
        Clock by which simulations turn the memory's speed into words a cycle.
    channel_gbytes_s, peak_gbytes_s, burst_ns
        What a memory channel does in one direction: a burst takes the longer one of its bytes at
        the first rate, and of its bytes at the second one and so many nanoseconds.
    latency_cycles
        Latency of the memory that reading must hide.
    """

    n: int = Field(default=64, ge=8, le=256)
    t: int = Field(default=16, ge=4, le=64)
    b: int = Field(default=8, ge=2, le=256)
    l_max: int = Field(default=28, ge=4, le=36)
    made: int = Field(default=1, ge=1, le=32)
    adders_per_stage: int = Field(default=4, ge=1, le=8)
    reduction: Reduction = "auto"
    clock_mhz: Rate = 165.0
    channel_gbytes_s: Rate = 11.0
    peak_gbytes_s: Rate = 19.2
    burst_ns: Rate = 40.0
    latency_cycles: int = Field(default=100, ge=1, le=4096)

    @field_validator("n", "t", "b", "made")
    @classmethod
    def _power_of_two(cls, value: int) -> int:
        if value & (value - 1):
            raise ValueError("it is not a power of two")
        return value


class Design(_Table):
    """One validated description of an accelerator.

    Attributes
    ----------
    name
        The design's name; with `_` for `-` it is the top module's.
    description
        One line for people.
    family
        The architecture.
    target
        What multipliers are cut for, and which measured costs `reduction = "auto"` goes by. The
        SystemVerilog is valid for any device.
    prefer
        What wide multipliers shall save: DSP blocks, LUTs, or neither of them more.
    operations
        What to build, in the order of their codes: `ntt` forward and `intt` back; of the iterative
        family also `pointwise` (the product of two transforms), `mac` (the same and a third
        transform added) and `polymul` (the product of two polynomials).
    """

    name: Name
    description: Annotated[str, Field(max_length=1000), FREE_TEXT] = ""
    family: Family = "pipeline"
    target: Target = "xcup"
    prefer: Prefer = "balanced"
    # TOML's arrays are lists, so tuples are not strict.
    rings: tuple[RingTable, ...] = Field(min_length=1, max_length=64, strict=False)
    operations: tuple[OperationName, ...] = Field(
        default=("ntt", "intt"), min_length=1, strict=False
    )
    pipeline: PipelineTable = PipelineTable()
    shell: ShellTable | None = None
    iterative: IterativeTable = IterativeTable()
    decomposed: DecomposedTable = DecomposedTable()
    mlkem: MlkemTable = MlkemTable()

    @field_validator("name")
    @classmethod
    def _free(cls, value: str) -> str:
        problem = taken(value.replace("-", "_"))
        if problem:
            raise ValueError(f"{problem}; use another name")
        return value

    @field_validator("operations")
    @classmethod
    def _once(cls, value: tuple[OperationName, ...]) -> tuple[OperationName, ...]:
        if len(set(value)) != len(value):
            raise ValueError("an operation is listed twice")
        return value

    @model_validator(mode="after")
    def _labels_differ(self) -> "Design":
        labels = [ring.label for ring in self.rings]
        if len(set(labels)) != len(labels):
            raise ValueError("two rings have the same name; give each a name of its own")
        return self

    @model_validator(mode="after")
    def _tables_of_the_family(self) -> "Design":
        for name in get_args(Family):
            if name != self.family and name in self.model_fields_set:
                raise ValueError(
                    f"the {self.family} family takes no table [{name}]; "
                    f'write [{self.family}], or family = "{name}"'
                )
        return self

    def ring(self, number: int) -> Ring:
        """Ring number `number`; of the largest size if the family takes every size.

        Raises
        ------
        NttforgeError
            If there is no such preset or no such ring.
        """
        table = self.rings[number]
        if self.family == "decomposed":
            return table.ring_of_size(self.decomposed.l_max)
        return table.ring()

    @property
    def directions(self) -> tuple[Direction, ...]:
        """Those of the operations that are transforms."""
        return tuple(found for o in self.operations if (found := direction_of(o)) is not None)

    @property
    def module(self) -> str:
        """Name of the top module."""
        return self.name.replace("-", "_")


def model_in(annotation: Any) -> type[BaseModel] | None:
    """The table that a key of this type holds, or holds an array of."""
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


def _table_at(location: Sequence[str | int]) -> type[BaseModel]:
    """The table at `location` of a design."""
    model: type[BaseModel] = Design
    for key in location:
        field = model.model_fields.get(str(key))
        model = (field and model_in(field.annotation)) or model
    return model


def _power(value: float) -> str:
    if value == int(value) and value >= 1 << 20 and not int(value) & (int(value) + 1):
        return f"2^{int(value).bit_length()} - 1"
    return f"{value:g}" if isinstance(value, float) else str(value)


def limits(schema: Mapping[str, Any]) -> str | None:
    """The range of a key's numbers in words, from its JSON schema; None if it has none."""
    for each in schema.get("anyOf", [schema]):
        if "minimum" in each and "maximum" in each:
            return f"{_power(each['minimum'])} to {_power(each['maximum'])}"
    return None


def _explain(error: ValidationError, source: str) -> NttforgeError:
    """The first of pydantic's complaints as one line of ours."""
    first = error.errors(include_url=False, include_context=False)[0]
    location = first["loc"]
    table = _table_at(location[:-1])
    where = ".".join(str(part) for part in location) or "design"
    if first["type"] == "extra_forbidden":
        key = str(location[-1])
        return NttforgeError(
            f"{source}: {where}", "unknown key", did_you_mean(key, list(table.model_fields))
        )
    if first["type"] == "missing":
        return NttforgeError(f"{source}: {where}", "is missing", "add it")
    problem = first["msg"].removeprefix("Value error, ")
    given = first.get("input")
    if first["type"] in ("greater_than_equal", "less_than_equal", "finite_number"):
        span = limits(table.model_json_schema()["properties"][location[-1]])
        mend = "use the family decomposed for a larger n" if location[-1] == "n" else "change it"
        return NttforgeError(f"{source}: {where}", f"{shown(given)} is not from {span}", mend)
    value = f"{shown(given)}: " if isinstance(given, str | int | float | bool) else ""
    return NttforgeError(f"{source}: {where}", f"{value}{problem}", "see docs/designs.md")


def parse_design(data: Mapping[str, Any], source: str) -> Design:
    """Check a design that was read from `source`.

    Raises
    ------
    NttforgeError
        Naming the first key that is wrong, and for an unknown key the nearest right one.
    """
    try:
        design = Design.model_validate(data)
    except ValidationError as error:
        raise _explain(error, source) from None
    for number in range(len(design.rings)):
        try:
            design.ring(number)
        except NttforgeError as error:
            raise NttforgeError(
                f"{source}: rings.{number}.{error.field}", error.problem, error.mend
            ) from None
    return design


def design_hash(design: Design) -> str:
    """Twelve hexadecimal digits that stand for all of a design's keys."""
    canonical = json.dumps(design.model_dump(mode="json"), sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def design_names() -> tuple[str, ...]:
    """Names of the designs that come with nttforge."""
    folder = resources.files("nttforge") / "designs"
    return tuple(
        sorted(e.name.removesuffix(".toml") for e in folder.iterdir() if e.name.endswith(".toml"))
    )


def _overridden(data: dict[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    for path, value in overrides.items():
        table = data
        *outer, key = path.split(".")
        for part in outer:
            table = table.setdefault(part, {})
            if not isinstance(table, dict):
                raise NttforgeError(f"--set {path}", f"{part} is not a table", "name a key in one")
        table[key] = value
    return data


def _text(path: Path) -> str:
    with reading(path, "give the path of a design"):
        if path.stat().st_size > _LARGEST_FILE:
            raise NttforgeError(str(path), "is too large for a design", "give a TOML file")
        return path.read_text("utf-8")


def _toml(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:  # one of TOML's, or Python's of a number with too many digits
        raise NttforgeError(where, f"is not TOML: {error}", "mend the line it names") from None
    except RecursionError:
        raise NttforgeError(where, "is nested too deeply", "write a flat design") from None


def read_fragment(path: Path) -> dict[str, Any]:
    """Some keys of a design, from a TOML file, as overrides: {"pipeline.seamless": True}.

    Raises
    ------
    NttforgeError
        If the file cannot be read, or is not TOML.
    """

    def flat(table: Mapping[str, Any], before: str) -> Iterator[tuple[str, Any]]:
        for key, value in table.items():
            if isinstance(value, dict):
                yield from flat(value, f"{before}{key}.")
            else:
                yield f"{before}{key}", value

    return dict(flat(_toml(_text(path), str(path)), ""))


def load_design(name_or_path: str, overrides: Mapping[str, Any] | None = None) -> Design:
    """Find and check a design.

    Parameters
    ----------
    name_or_path
        Name of a design or ring preset, or path of a TOML file.
    overrides
        Values that replace those of the file, by dotted key: {"pipeline.seamless": True}.

    Raises
    ------
    NttforgeError
        If there is no such design, or it is wrong.
    """
    overrides = overrides or {}
    path = Path(name_or_path)
    if name_or_path in design_names():
        text = (resources.files("nttforge") / "designs" / f"{name_or_path}.toml").read_text("utf-8")
    elif name_or_path in PRESETS:
        text = f'name = "{name_or_path}"\nrings = [{{ preset = "{name_or_path}" }}]\n'
    elif path.suffix == ".toml" or os.path.isfile(path):  # noqa: PTH113  (any text is a path to it)
        text = _text(path)
    else:
        raise NttforgeError(
            "design",
            f"{name_or_path} is neither a preset nor a file",
            did_you_mean(name_or_path, [*design_names(), *PRESETS]),
        )
    data = _toml(text, str(path))
    return parse_design(_overridden(data, overrides), name_or_path)
