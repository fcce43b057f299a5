# SPDX-License-Identifier: Apache-2.0
"""A design as TOML: what was given, overrides included, so that it can be generated again."""

import json
from collections.abc import Iterator, Mapping

from nttforge.design import Design

_INTEGER_BITS = 63  # of TOML's integers, besides the sign


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        # The keys that take larger ones take them as strings.
        return str(value) if abs(value).bit_length() <= _INTEGER_BITS else f'"{value}"'
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in text)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    raise TypeError(f"{type(value).__name__} in a design")


def _tables(table: Mapping[str, object], path: str = "") -> Iterator[str]:
    """Lines of a table: its own keys, then the tables in it."""
    inner = []
    for key, value in table.items():
        if isinstance(value, Mapping):
            inner.append((f"[{path}{key}]", value))
        elif isinstance(value, list | tuple) and value and isinstance(value[0], Mapping):
            inner += [(f"[[{path}{key}]]", each) for each in value]
        else:
            yield f"{key} = {_value(value)}"
    for title, each in inner:
        yield from ("", title, *_tables(each, f"{path}{title.strip('[]')}."))


def design_toml(design: Design) -> str:
    """The keys that were given, as TOML: reading it gives an equal design."""
    given = design.model_dump(exclude_unset=True, exclude_none=True)
    return "\n".join(_tables(given)) + "\n"
