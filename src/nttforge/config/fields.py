# SPDX-License-Identifier: Apache-2.0
"""Types of keys that several tables have, and what all tables are."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from nttforge.errors import warn_renamed
from nttforge.ring.primes import MAX_MODULUS_BITS

Direction = Literal["ntt", "intt"]
Product = Literal["pointwise", "mac", "polymul"]
OperationName = Literal["ntt", "intt", "pointwise", "mac", "polymul"]
Prefer = Literal["balanced", "dsp", "lut"]
#: How coefficients are shared out to beats.
Order = Literal["natural", "mirrored"]
#: How a sink that is not ready holds the source.
FlowControl = Literal["enable", "credits"]
Reduction = Literal["auto", "barrett", "montgomery", "word-montgomery", "solinas", "goldilocks"]


def integer(value: object) -> object:
    """A string that is an integer as one, because TOML's end at 64 bits; anything else as it is."""
    if isinstance(value, str):
        try:
            return int(value, 0)
        except ValueError:
            return value
    return value


_LARGEST_MODULUS = (1 << MAX_MODULUS_BITS) - 1
Modulus = Annotated[int, Field(ge=3, le=_LARGEST_MODULUS), BeforeValidator(integer)]
Root = Annotated[int, Field(ge=1, le=_LARGEST_MODULUS), BeforeValidator(integer)]
#: Names become names of files and modules.
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=64)]
#: Marks free text: code that writes it into a file escapes it for its language.
FREE_TEXT = "free text"
#: A depth of a memory, as the RTL's parameters hold it.
Depth = Annotated[int, Field(ge=2, le=(1 << 31) - 1)]
#: Coefficients of the largest transform that a core keeps whole, with all its factors.
LARGEST = 1 << 16
#: Of the largest one whose moduli are loaded, which makes its factors.
LARGEST_LOADED = 1 << 17
# Beyond these, figures of memories and clocks are mistakes.
Rate = Annotated[float, Field(ge=0.001, le=100_000, allow_inf_nan=False)]


class ConfigTable(BaseModel):
    """A table of a design. What stands below a key is its meaning, on the page and in editors."""

    # Strict: `seamless = 1` and `n = 16.0` are mistakes, not spellings.
    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True
    )
    #: Keys of the last release, which are still accepted with a warning -> keys of this one.
    FORMER: ClassVar[Mapping[str, str]] = {}

    @model_validator(mode="before")
    @classmethod
    def _present_names(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        for former in cls.FORMER.keys() & data.keys():
            warn_renamed(f"the key {former}", cls.FORMER[former])
        return {cls.FORMER.get(name, name): value for name, value in data.items()}
