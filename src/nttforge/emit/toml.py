# SPDX-License-Identifier: Apache-2.0
"""A design as TOML, with overrides, so that it can be generated again."""

from collections.abc import Mapping
from typing import Any

import tomli_w

from nttforge.design import Design

_INTEGER_BITS = 63  # of TOML's integers, besides the sign


def _writable(value: Any) -> Any:
    """The keys that take integers beyond TOML's take them as strings."""
    if isinstance(value, Mapping):
        return {key: _writable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(each) for each in value]
    return str(value) if isinstance(value, int) and value.bit_length() > _INTEGER_BITS else value


def to_toml(keys: Mapping[str, Any]) -> str:
    """Keys of a design as TOML; what cannot be seen stands there as its code."""
    text = tomli_w.dumps(_writable(keys))
    return "".join(c if c.isprintable() or c == "\n" else f"\\U{ord(c):08x}" for c in text)


def toml_value(value: Any) -> str:
    """A key's value in a line of TOML, as `--set` takes it."""
    if isinstance(value, Mapping):
        inside = (f"{_key(key)} = {toml_value(each)}" for key, each in value.items())
        return f"{{{', '.join(inside)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    return to_toml({"x": value}).partition(" = ")[2].strip()


def _key(name: str) -> str:
    """A key, quoted where TOML wants it."""
    return to_toml({name: 0}).partition(" = ")[0]


def design_toml(design: Design) -> str:
    """The keys that were given, as TOML: reading it gives an equal design."""
    return to_toml(design.model_dump(exclude_unset=True, exclude_none=True))
