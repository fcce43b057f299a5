# SPDX-License-Identifier: Apache-2.0
"""What a model of options is made of: a field has a type, a default, limits, and its flags.

The command line and its completion, the grid of a sweep and the keywords of Python are derived from
these fields, and each value is checked here, once.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, Self

from annotated_types import Ge, Le
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)
from pydantic.fields import FieldInfo

from nttforge.errors import NttforgeError, shown, warn_renamed
from nttforge.targets import TARGETS, one_of

#: Largest count, and last seed.
MOST, LAST_SEED = 100_000_000, (1 << 63) - 1
_REQUIRED = ...


class Flag(NamedTuple):
    """A field's flags on the command line.

    - `names`: its flags; made of the field's name if there are none.
    - `metavar`: what stands for its value in the help text.
    - `complete`: the function of :mod:`nttforge.cli.completion` that proposes values.
    - `argument`: it has no flag: its value is given by its place.
    - `former`: its flag in the last release, which is still accepted with a warning.
    """

    names: tuple[str, ...] = ()
    metavar: str | None = None
    complete: str = ""
    argument: bool = False
    former: str = ""


def option(
    text: str,
    default: object = None,
    *names: str,
    metavar: str | None = None,
    complete: str = "",
    least: float | None = None,
    most: float | None = None,
    former: str = "",
) -> Any:
    """A field that is an option; `text` is its help, `least` and `most` are its limits."""
    extra: Any = {"flag": Flag(names, metavar, complete, former=former)}
    bounds: Any = {"allow_inf_nan": False} if isinstance(least, float) else {}
    return Field(default, description=text, ge=least, le=most, json_schema_extra=extra, **bounds)


def argument(text: str, default: object = _REQUIRED, metavar: str = "", complete: str = "") -> Any:
    """A field that is an argument."""
    extra: Any = {"flag": Flag((), metavar or None, complete, True)}
    return Field(default, description=text, json_schema_extra=extra)


def required(text: str, *names: str, metavar: str | None = None) -> Any:
    """An option that must be given."""
    return option(text, _REQUIRED, *names, metavar=metavar)


def flag_of(field: FieldInfo) -> Flag:
    """A field's flags on the command line."""
    extra: Any = field.json_schema_extra
    found: Flag = extra["flag"]
    return found


def _numbers(value: object) -> object:
    if not isinstance(value, str):
        return value
    if not re.fullmatch(r"\s*\d{1,9}\s*(,\s*\d{1,9}\s*)*", value, re.ASCII):
        raise ValueError("is not a list of numbers; write 16,18,20")
    return [int(word) for word in value.split(",")]


def _integer(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return int(value, 0)
    except ValueError:
        raise ValueError("is not an integer; use 3329 or 0xd01") from None


def _target(*more: str) -> AfterValidator:
    """Refuses what is neither a family nor one of these names."""

    def check(value: str) -> str:
        if value not in (*TARGETS, *more):
            raise ValueError(f"is not known; use {one_of(*more)}")
        return value

    return AfterValidator(check)


#: Numbers, which the command line takes as `16,18,20`.
Numbers = Annotated[tuple[int, ...], BeforeValidator(_numbers)]
#: A number of any size, decimal or hexadecimal.
Integer = Annotated[int, BeforeValidator(_integer)]
#: A family of FPGAs.
Target = Annotated[str, _target()]
#: A family of FPGAs, or none.
TargetOrNone = Annotated[str, _target("none")]


class Options(BaseModel):
    """Options of a verb; the docstring of its model is its help text."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """The options of which some were given, checked."""
        try:
            return cls.model_validate(cls._with_present_names(given))
        except ValidationError as errors:
            error = errors.errors()[0]
        name, value = str(error["loc"][0]), error["input"]
        if error["type"] == "extra_forbidden":
            raise NttforgeError(name, "is no option here", f"use {', '.join(cls.model_fields)}")
        if error["type"] in ("greater_than_equal", "less_than_equal", "finite_number"):
            raise NttforgeError(name, *_beyond(value, cls.model_fields[name]))
        if error["type"] == "value_error":
            # Of the validators above: a problem and a hint.
            problem, _, hint = str(error["ctx"]["error"]).partition("; ")
            raise NttforgeError(name, f"{shown(value)} {problem}", hint)
        raise NttforgeError(name, f"{shown(value)}: {error['msg']}", "correct it")

    @classmethod
    def former_flags(cls) -> dict[str, str]:
        """Flags of the last release -> flags of this one."""
        flags = ((flag_of(field).former, name) for name, field in cls.model_fields.items())
        return {former: cls.flag(name) for former, name in flags if former}

    @classmethod
    def _with_present_names(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        former = {
            flag_of(field).former.removeprefix("--").replace("-", "_"): name
            for name, field in cls.model_fields.items()
            if flag_of(field).former
        }
        for name in given:
            if name in former and name not in cls.model_fields:
                warn_renamed(name, former[name])
        return {
            name if name in cls.model_fields else former.get(name, name): value
            for name, value in given.items()
        }

    @classmethod
    def flag(cls, name: str) -> str:
        """Flag of a field on the command line; another name unchanged."""
        if name not in cls.model_fields:
            return name
        found = flag_of(cls.model_fields[name])
        if found.argument:
            return name
        long = [each for each in found.names if each.startswith("--")]
        return " / ".join(long) or f"--{name.replace('_', '-')}"

    def given(self, *names: str) -> dict[str, Any]:
        """Those of some options that have a value; of all if none are named."""
        values = ((name, getattr(self, name)) for name in names or type(self).model_fields)
        return {name: value for name, value in values if value is not None}

    def only(self, model: "type[Options]", *names: str, **refused: tuple[str, str]) -> None:
        """Refuse options of a model beside some that a kind of core takes.

        - `names`: fields of `model` that the kind takes.
        - `refused`: problem and hint of those of which there is more to say.
        """
        plain = ("is no option here", f"use {', '.join(names)}" if names else "leave it out")
        for name in self.given(*model.model_fields):
            if name not in names:
                raise NttforgeError(name, *refused.get(name, plain))


def _beyond(value: object, field: FieldInfo) -> tuple[str, str]:
    """Problem and hint of a number beyond its limits."""
    least = next((each.ge for each in field.metadata if isinstance(each, Ge)), None)
    most = next((each.le for each in field.metadata if isinstance(each, Le)), None)
    if most is None:
        return f"{_short(value)} is less than {least}", f"use {least} or more"
    problem = f"{_short(value)} is not from {_short(least)} to {_short(most)}"
    return problem, "use a number in this range"


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else shown(value)
