# SPDX-License-Identifier: Apache-2.0
"""The coprocessor's registers as a table: `nttforge show registers`."""

from nttforge.families.mlkem.registers import REGISTERS, address


def table() -> str:
    """The registers as Markdown, a row a field."""
    lines = [
        "| address | register | access | bits | field | meaning |",
        "|---|---|---|---|---|---|",
    ]
    for r in REGISTERS:
        lines.append(f"| `{address(r.name):#04x}` | `{r.name}` | {r.access} | | | {r.text} |")
        for f in r.fields:
            bits = f"{f.low + f.width - 1}:{f.low}" if f.width > 1 else f"{f.low}"
            names = ", ".join(f"{value} {name}" for value, name in enumerate(f.values))
            lines.append(f"| | | | {bits} | `{f.name}` | {f.text}{': ' if names else ''}{names} |")
    return "\n".join(lines)
