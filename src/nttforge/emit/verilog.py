# SPDX-License-Identifier: Apache-2.0
"""Numbers and tables as SystemVerilog literals."""

from collections.abc import Iterable, Sequence

#: Lines of a table, or blocks of them, in one concatenation.
JOINED = 16


def hexadecimal(value: int, width: int) -> str:
    """A sized hexadecimal literal; negative values in two's complement."""
    return f"{width}'h{value % (1 << width):0{(width + 3) // 4}x}"


def packed(values: Sequence[int], width: int = 32) -> str:
    """A packed array's value on one line; element 0 comes last, as packed arrays are read."""
    return "{" + ", ".join(f"{width}'d{value}" for value in reversed(values)) + "}"


def rows(values: Sequence[int], length: int, stride: int) -> list[int]:
    """Rows of `length` elements with zeros after each: as many elements as a power of two has."""
    starts = range(0, len(values), length)
    return [n for at in starts for n in (*values[at : at + length], *[0] * (stride - length))]


def sized(values: Iterable[int], width: int) -> list[str]:
    """Sized decimal literals."""
    return [f"{width}'d{value}" for value in values]


def wires(sources: Sequence[int]) -> str:
    """The lane that feeds each lane, as a wires_t (ntf_pipeline_pkg.sv)."""
    bits = range((len(sources) - 1).bit_length())
    flip = sources[0]
    turned = [sources[1 << bit] ^ flip for bit in bits]  # by each bit of the own number
    origin = [next((own for own in bits if turned[own] >> bit & 1), 0) for bit in bits]
    for lane, source in enumerate(sources):
        if source != flip ^ sum((lane >> own & 1) << bit for bit, own in enumerate(origin)):
            raise ValueError(f"{sources} are no wires of bits")
    digits = "".join(f"{own:x}" for own in reversed(origin))
    return f"'{{flip: 16'h{flip:x}, from: 64'h{digits}}}"


def indexed(items: Iterable[str], rest: str = "'0") -> str:
    """The first elements of an array as a pattern, in their order; the others are `rest`."""
    return "'{" + ", ".join([*(f"{i}: {v}" for i, v in enumerate(items)), f"default: {rest}"]) + "}"


def pattern(words: Sequence[int], width: int, indent: int = 4, columns: int = 100) -> str:
    """A packed table of constants as wrapped literals, highest index first, nested if long."""
    margin = " " * indent
    parts = _lines(words[::-1], width, indent, columns)
    while len(parts) > JOINED:
        parts = [
            f"{margin}{{\n" + ",\n".join(parts[start : start + JOINED]) + f"\n{margin}}}"
            for start in range(0, len(parts), JOINED)
        ]
    return "{\n" + ",\n".join(parts) + "\n" + " " * (indent - 2) + "}"


def unpacked(words: Sequence[int], width: int, indent: int = 4, columns: int = 100) -> str:
    """An unpacked table of constants as wrapped lines of literals, word 0 first.

    A packed one may have 65,536 bits, as far as the standard promises; this one, 2^24 words.
    """
    lines = _lines(words, width, indent, columns)
    return "'{\n" + ",\n".join(lines) + "\n" + " " * (indent - 2) + "}"


def _lines(words: Sequence[int], width: int, indent: int, columns: int) -> list[str]:
    form, mask = f"{width}'h%0{(width + 3) // 4}x", (1 << width) - 1
    literals = [form % (word & mask) for word in words]  # as `hexadecimal`, for very many
    a_line = max(1, (columns - indent) // (len(literals[0]) + 2))
    return [
        " " * indent + ", ".join(literals[start : start + a_line])
        for start in range(0, len(literals), a_line)
    ]


def wrap(text: str, columns: int = 100) -> str:
    """Break lines that are too long at a blank: in code after a comma, if there is one."""
    return "\n".join(part for line in text.split("\n") for part in _wrap_line(line, columns))


def _wrap_line(line: str, columns: int) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())]
    comment = next((mark for mark in ("///", "//") if line.startswith(mark, len(indent))), None)
    more = f"{indent}{comment}   " if comment else f"{indent}  "
    lines = []
    while len(line) > columns:
        comma = -1 if comment else line.rfind(", ", len(more), columns) + 1
        cut = comma if comma > 0 else line.rfind(" ", len(more), columns + 1)
        if cut < 0:
            break
        lines.append(line[:cut])
        line = more + line[cut + 1 :]
    return [*lines, line]
