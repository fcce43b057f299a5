# SPDX-License-Identifier: Apache-2.0
"""A trace of the VCD format, read: what signals were in each cycle."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TextIO

#: Kind, bits, code and name of a signal; its range is a word of its own, if it has one.
_VAR = re.compile(r"\s*\$var \w+ (\d+) (\S+) (.*?)(?: \[\d+:\d+\])? \$end")
_SCOPE = re.compile(r"\s*\$scope \w+ (\S+) \$end")
CLOCK = "TOP.clk_i"


def paths(file: TextIO) -> Iterator[tuple[str, str, int]]:
    """Path, code and bits of each signal; the file is then where its values begin."""
    scopes: list[str] = []
    for line in file:
        if found := _SCOPE.match(line):
            scopes.append(found[1])
        elif "$upscope" in line:
            scopes.pop()
        elif found := _VAR.match(line):
            yield ".".join([*scopes, found[3]]), found[2], int(found[1])
        elif "$enddefinitions" in line:
            return


def cycles(path: Path, wanted: Iterable[str]) -> Iterator[Mapping[str, int]]:
    """Values of the selected signals before each rise of the clock."""
    with path.open(encoding="ascii") as file:
        code_of = {name: code for name, code, _ in paths(file)}
        codes = {name: code_of[name] for name in wanted}
        clock = code_of[CLOCK]
        kept = {clock, *codes.values()}
        values: dict[str, int] = dict.fromkeys(kept, 0)
        pending: dict[str, int] = {}
        for line in file:
            if line.startswith("#"):
                if pending.get(clock) and not values[clock]:
                    yield {name: values[code] for name, code in codes.items()}
                values |= pending
                pending.clear()
                continue
            bits, _, code = line.rstrip().rpartition(" ")
            if not bits:
                bits, code = line[0], line[1:].rstrip()
            if code in kept:
                pending[code] = int(bits.lstrip("b"), 2)
        if pending.get(clock) and not values[clock]:
            yield {name: values[code] for name, code in codes.items()}
