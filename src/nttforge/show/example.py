# SPDX-License-Identifier: Apache-2.0
"""Each family with 16 coefficients modulo 97: `nttforge show example pipeline`."""

from pathlib import Path

from nttforge.errors import NttforgeError
from nttforge.kinds import FAMILIES, FORMER, has_part, part
from nttforge.names import find
from nttforge.table import markdown


def example(family: str, svg: Path | None = None) -> str:
    """A family's example as Markdown, or as a picture for a file."""
    named = {name: name for name in FAMILIES} | {name: to for name, (to, _) in FORMER.items()}
    known = {name: to for name, to in named.items() if has_part(to, "example")}
    of = part(find("family", family, known, f"{family} has no example"), "example")
    if svg is None:
        return "\n\n".join(markdown([block]) for block in of.example())
    drawing = getattr(of, "drawing", None)
    if drawing is None:
        hint = "`nttforge show figure` and `timeline` draw whole designs"
        raise NttforgeError("family", f"{family} has no drawing", hint)
    return str(drawing())
