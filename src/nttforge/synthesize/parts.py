# SPDX-License-Identifier: Apache-2.0
"""A part of a design as a design of its own, with registers at its ports put in after mapping."""

import re
from collections.abc import Sequence
from itertools import count
from typing import Any

from nttforge.errors import NttforgeError
from nttforge.names import did_you_mean

_MODULE = re.compile(r"^module (\\\S+)$", re.MULTILINE)
_TOP = re.compile(r"^attribute \\top 1\n", re.MULTILINE)
PORTS = "port"
"""Where the registers are, as an instance path."""
_CLOCK, _RESET = "clk_i", "rst_ni"


def take_part(rtlil: str, part: str) -> tuple[str, str]:
    r"""Make an instance the top of an elaborated design.

    - `rtlil`: what `read_slang --keep-hierarchy; write_rtlil` gives: the top first, and of each
      instance a module named `\module$top.path`.
    - `part`: an instance: its path, the end of its path, or its module; the first one that there
      is. The top itself is one, too.
    """
    name = _find(_MODULE.findall(rtlil), part)
    top = name[1:].partition("$")[0]
    design = _TOP.sub("", rtlil)
    # Its name ends where its path begins.
    return design.replace(f"module {name}\n", f"attribute \\top 1\nmodule \\{top}\n"), top


def _find(modules: Sequence[str], part: str) -> str:
    found = []
    for name in modules:
        kind, is_instance, place = name[1:].partition("$")
        path = place.partition(".")[2]
        if is_instance:
            exact = part != path, not path.endswith(f".{part}") and part != kind
            found.append((*exact, path.count("."), path, name))
        elif part == kind:
            return name
    found.sort()
    if not found or found[0][:2] == (True, True):
        known = dict.fromkeys(path.rpartition(".")[2] for *_, path, _ in found)
        hint = did_you_mean(part, known) if known else "leave it out: the design is one module"
        raise NttforgeError("part", f"there is no instance {part}", hint)
    return found[0][-1]


def between_registers(module: dict[str, Any]) -> None:
    """Put a register at each port, but clock and reset, of a `write_json` module; changes it."""
    ports, cells, nets = module["ports"], module["cells"], module["netnames"]
    bits = (net["bits"] for net in nets.values())
    fresh = count(
        1 + max((bit for word in bits for bit in word if isinstance(bit, int)), default=1)
    )
    clock = ports.setdefault(_CLOCK, {"direction": "input", "bits": [next(fresh)]})["bits"]
    for name, port in ports.items():
        if name in (_CLOCK, _RESET):
            continue
        outside = []
        for index, inside in enumerate(port["bits"]):
            if not isinstance(inside, int):  # a constant
                outside.append(inside)
                continue
            outside.append(next(fresh))
            way = {"input": (outside[-1], inside), "output": (inside, outside[-1])}
            cells[f"{PORTS}.{name}[{index}]"] = _register(name, clock, *way[port["direction"]])
        port["bits"] = outside


def _register(name: str, clock: list[int], data: int, output: int) -> dict[str, Any]:
    return {
        "hide_name": 0,
        "type": "TRELLIS_FF",
        "parameters": {
            "CEMUX": "1 ",  # so Yosys distinguishes a string from a number
            "CLKMUX": "CLK",
            "GSR": "DISABLED",
            "LSRMUX": "LSR",
            "REGSET": "RESET",
        },
        "attributes": {"src": f"@|={PORTS}.{name}"},
        "port_directions": {"CLK": "input", "DI": "input", "Q": "output"},
        "connections": {"CLK": clock, "DI": [data], "Q": [output]},
    }
