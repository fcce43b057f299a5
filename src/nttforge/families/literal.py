# SPDX-License-Identifier: Apache-2.0
"""Words of programs, as SystemVerilog has them."""

from collections.abc import Mapping
from dataclasses import dataclass

#: Of a struct: names, or (value, bits).
Fields = Mapping[str, str | tuple[int, int]]


def _number(value: int, bits: int) -> str:
    if not 0 <= value < 1 << bits:
        raise ValueError(f"{value} does not fit {bits} bits")
    return f"{bits}'d{int(value)}"


def literal(kind: str, fields: Fields) -> str:
    """A struct's literal.

    Raises
    ------
    ValueError
        If a value does not fit.
    """
    words = (
        f"{name}: {value if isinstance(value, str) else _number(*value)}"
        for name, value in fields.items()
    )
    return f"{kind}'{{{', '.join(words)}}}"


@dataclass(frozen=True)
class Table:
    """The jobs of one unit in all programs, as SystemVerilog's package has them.

    Attributes
    ----------
    jobs
        (the number, what it does, the literal) of each.
    bases
        Where each program's begin.
    """

    jobs: list[tuple[int, str, str]]
    bases: list[int]
