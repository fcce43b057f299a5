# SPDX-License-Identifier: Apache-2.0
"""A design: the short description that everything else is made from.

Designs are TOML files, checked here; `designs/` has those that come with nttforge, and any ring
preset's name is a design too (a pipeline of one butterfly a stage, both directions).
"""

import hashlib
import itertools
import json
import os
import tomllib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args

from pydantic import (
    BaseModel,
    Field,
    ValidationError,
    create_model,
    field_validator,
    model_validator,
)

from nttforge.config.family import FamilyConfig
from nttforge.config.fields import (
    FREE_TEXT,
    ConfigTable,
    Direction,
    Name,
    OperationName,
    Prefer,
    Product,
)
from nttforge.config.ring_table import RingTable
from nttforge.config.shell_table import ShellTable
from nttforge.errors import NttforgeError, RenamedWarning, shown
from nttforge.kinds import FAMILIES, FORMER
from nttforge.kinds import part as part_of
from nttforge.module_names import reserved_reason
from nttforge.names import did_you_mean
from nttforge.output import read_toml
from nttforge.ring.presets import PRESETS
from nttforge.ring.ring import Ring
from nttforge.targets import Target

if TYPE_CHECKING:
    Family = str
else:
    Family = Literal[tuple(FAMILIES)]

T = TypeVar("T", bound=FamilyConfig)
_MEND = "give the path of a design"


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


class _Design(ConfigTable):
    """One validated description of an accelerator."""

    name: Name
    """The design's name; with `_` for `-` it is the top module's."""
    description: Annotated[str, Field(max_length=1000), FREE_TEXT] = ""
    """One line for people."""
    family: Family = "pipeline"
    """The architecture."""
    target: Target = "xcup"
    """What multipliers are cut for, and which measured costs `reduction = "auto"` goes by. The
    SystemVerilog is valid for any device."""
    prefer: Prefer = "balanced"
    """Resource that wide multipliers save: DSP blocks, LUTs, or balanced."""
    # TOML's arrays are lists, so tuples are not strict.
    rings: tuple[RingTable, ...] = Field(min_length=1, max_length=64, strict=False)
    operations: tuple[OperationName, ...] = Field(
        default=("ntt", "intt"), min_length=1, strict=False
    )
    """What to build, in the order of their codes: `ntt` forward and `intt` back; of the iterative
    family also `pointwise` (the product of two transforms), `mac` (the same and a third transform
    added) and `polymul` (the product of two polynomials). A pipeline of loaded moduli may have
    `polymul` alone: its second operands come as a stream of keys (docs/rns.md)."""
    shell: ShellTable | None = None

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, data: Any) -> Any:
        """With what its family knows of itself: the rings of a standard."""
        family = str(data.get("family", "pipeline")) if isinstance(data, Mapping) else ""
        complete = family in FAMILIES and getattr(part_of(family, "config"), "complete", None)
        return complete(dict(data)) if complete else data

    @field_validator("name")
    @classmethod
    def _free(cls, value: str) -> str:
        problem = reserved_reason(value.replace("-", "_"))
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
    def _labels_differ(self) -> "_Design":
        labels = [ring.label for ring in self.rings]
        if len(set(labels)) != len(labels):
            raise ValueError("two rings have the same name; give each a name of its own")
        return self

    @model_validator(mode="after")
    def _tables_of_the_family(self) -> "_Design":
        for name in FAMILIES:
            if name != self.family and name in self.model_fields_set:
                raise ValueError(
                    f"the {self.family} family takes no table [{name}]; "
                    f'write [{self.family}], or family = "{name}"'
                )
        return self

    def table(self, kind: type[T]) -> T:
        """The keys of the design's family. Raises NttforgeError if the family has another table."""
        found = getattr(self, self.family)
        if not isinstance(found, kind):
            wanted = next(name for name in FAMILIES if isinstance(getattr(self, name), kind))
            problem = f"{self.name} is of the family {self.family}"
            raise NttforgeError("design", problem, f"name one of the family {wanted}")
        return found

    def ring(self, number: int) -> Ring:
        """Ring number `number`; of the largest size if the family takes every size.

        Raises NttforgeError if there is no such preset or no such ring.
        """
        return self.table(FamilyConfig).ring(self.rings[number])

    @property
    def directions(self) -> tuple[Direction, ...]:
        """Those of the operations that are transforms."""
        return tuple(found for o in self.operations if (found := direction_of(o)) is not None)

    @property
    def module(self) -> str:
        """Name of the top module."""
        return self.name.replace("-", "_")


def _table(family: str) -> Any:
    """The keys of a family as pydantic's field, all of them with their defaults if not given."""
    room = part_of(family, "config")
    kind = next(
        found
        for found in vars(room).values()
        if isinstance(found, type)
        and issubclass(found, FamilyConfig)
        and found.__module__ == room.__name__
    )
    return kind, kind()


if TYPE_CHECKING:

    class Design(_Design):
        """One validated description of an accelerator."""

else:
    Design = create_model(
        "Design",
        __base__=_Design,
        __module__=__name__,
        __doc__=_Design.__doc__,
        **{family: _table(family) for family in FAMILIES},
    )


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


def _key_path(location: Sequence[str | int]) -> tuple[str | int, ...]:
    """`location` up to a key that holds no table: pydantic names a union's alternatives there."""
    model: type[BaseModel] | None = Design
    for end, key in enumerate(location, 1):
        if isinstance(key, int) or model is None:
            continue
        field = model.model_fields.get(key)
        if field is None:
            break
        model = model_in(field.annotation)
        if model is None:
            indices = itertools.takewhile(lambda part: isinstance(part, int), location[end:])
            return (*location[:end], *indices)
    return tuple(location)


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
    location = _key_path(first["loc"])
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
        large = first["type"] == "less_than_equal" and location[-1] == "n"
        hint = "use the family decomposed for a larger n" if large else "change it"
        return NttforgeError(f"{source}: {where}", f"{shown(given)} is not from {span}", hint)
    value = f"{shown(given)}: " if isinstance(given, str | int | float | bool) else ""
    return NttforgeError(f"{source}: {where}", f"{value}{problem}", "see docs/designs.md")


def _renamed(data: Mapping[str, Any], source: str) -> Mapping[str, Any]:
    """The same with the family and the table that a former family's keys are in now."""
    former = data.get("family")
    family, own = FORMER.get(str(former), (str(former), {}))
    tables = [name for name, (now, _) in FORMER.items() if now == family and name in data]
    if own:
        keys = ", ".join(f"{key} = {json.dumps(value)}" for key, value in own.items())
        text = f'family = "{former}" is now family = "{family}", with {keys} in [{family}]'
        warnings.warn(f"{source}: {text}", RenamedWarning, stacklevel=4)
    elif tables:
        text = f"the table [{tables[0]}] is now [{family}]"
        warnings.warn(f"{source}: {text}", RenamedWarning, stacklevel=4)
    if not (own or tables) or not all(isinstance(data[name], Mapping) for name in tables):
        return data
    kept = {name: value for name, value in data.items() if name not in tables}
    merged = dict(own)
    for table in (*(data[name] for name in tables), data.get(family, {})):
        merged |= table
    return {**kept, "family": family, family: merged}


def parse_design(data: Mapping[str, Any], source: str) -> Design:
    """Check a design that was read from `source`.

    Raises NttforgeError naming the first key that is wrong, and for an unknown key the nearest
    right one.
    """
    try:
        design = Design.model_validate(_renamed(data, source))
    except ValidationError as error:
        raise _explain(error, source) from None
    for number in range(len(design.rings)):
        try:
            design.ring(number)
        except NttforgeError as error:
            raise NttforgeError(
                f"{source}: rings.{number}.{error.field}", error.problem, error.hint
            ) from None
    return design


def design_hash(design: Design) -> str:
    """Twelve hexadecimal digits that stand for all of a design's keys."""
    keys = design.model_dump(mode="json")
    for ring in keys["rings"]:
        for late in ("bits", "moduli"):  # what came later leaves the others' digits alone
            if ring[late] is None:
                del ring[late]
    if keys["pipeline"]["ram_ultra_from"] is None:
        del keys["pipeline"]["ram_ultra_from"]
    canonical = json.dumps(keys, sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def design_names() -> tuple[str, ...]:
    """Names of the designs that come with nttforge."""
    folder = resources.files("nttforge") / "designs"
    return tuple(
        sorted(e.name.removesuffix(".toml") for e in folder.iterdir() if e.name.endswith(".toml"))
    )


def _overridden(data: dict[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """`data` with values by dotted key; a number chooses an array's element: `rings.0.root`."""
    for path, value in overrides.items():
        table: Any = data
        *outer, key = path.split(".")
        for part in outer:
            if isinstance(table, list):
                table = table[_index(table, part, path)]
            else:
                table = table.setdefault(part, {})
            if not isinstance(table, dict | list):
                raise NttforgeError(f"--set {path}", f"{part} is not a table", "name a key in one")
        table[_index(table, key, path) if isinstance(table, list) else key] = value
    return data


def _index(array: list[Any], part: str, path: str) -> int:
    """The element of an array that a part of a dotted key names."""
    if part.isascii() and part.isdecimal() and len(part) < 4 and int(part) < len(array):
        return int(part)
    problem = f"{shown(part)} names no element of the array, which has {len(array)}"
    hint = f"use a number below {len(array)}" if array else "give the whole array"
    raise NttforgeError(f"--set {path}", problem, hint)


def read_fragment(path: Path) -> dict[str, Any]:
    """Some keys of a design, from a TOML file, as overrides: {"pipeline.seamless": True}.

    Raises NttforgeError if the file cannot be read, or is not TOML.
    """

    def flat(table: Mapping[str, Any], before: str) -> Iterator[tuple[str, Any]]:
        for key, value in table.items():
            if isinstance(value, dict):
                yield from flat(value, f"{before}{key}.")
            else:
                yield f"{before}{key}", value

    return dict(flat(read_toml(path, _MEND), ""))


def parse_settings(settings: Sequence[str] | None) -> dict[str, Any]:
    """Overrides of a design, from texts as `pipeline.seamless=true` or names of TOML files.

    Raises NttforgeError if one is neither, or a file cannot be read.
    """
    overrides: dict[str, Any] = {}
    for setting in settings or ():
        key, equals, value = setting.partition("=")
        if not equals and key.endswith(".toml"):
            overrides |= read_fragment(Path(key))
        elif not equals or not key.strip():
            hint = "write key=value, or name a TOML file"
            raise NttforgeError("--set", f"{setting!r} is not KEY=VALUE", hint)
        else:
            overrides[key.strip()] = _value(value.strip())
    return overrides


def _value(text: str) -> object:
    """A value as TOML reads it; text that is not TOML is a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, KeyError, RecursionError):
        return text


def is_design(name_or_path: str) -> bool:
    """Whether it names a design, or a file to be read as one, but no ring preset."""
    if name_or_path in design_names() or Path(name_or_path).suffix == ".toml":
        return True
    return os.path.isfile(name_or_path)  # noqa: PTH113  (any text is a path to it)


def load_design(name_or_path: str, overrides: Mapping[str, Any] | None = None) -> Design:
    """Find and check a design.

    - `name_or_path`: name of a design or ring preset, or path of a TOML file.
    - `overrides`: values that replace those of the file, by dotted key: {"pipeline.seamless":
      True}.

    Raises NttforgeError if there is no such design, or it is wrong.
    """
    overrides = overrides or {}
    if name_or_path in design_names():
        text = (resources.files("nttforge") / "designs" / f"{name_or_path}.toml").read_text("utf-8")
    elif name_or_path in PRESETS:
        text = f'name = "{name_or_path}"\nrings = [{{ preset = "{name_or_path}" }}]\n'
    elif is_design(name_or_path):
        data = read_toml(Path(name_or_path), _MEND)
        return parse_design(_overridden(data, overrides), name_or_path)
    else:
        raise NttforgeError(
            "design",
            f"{name_or_path} is neither a preset nor a file",
            did_you_mean(name_or_path, [*design_names(), *PRESETS]),
        )
    return parse_design(_overridden(tomllib.loads(text), overrides), name_or_path)
