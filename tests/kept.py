# SPDX-License-Identifier: Apache-2.0
"""Registers of ntf_prim_kept in mapped netlists: `python -m tests.kept NAME --target TARGET`.

Each bit of a `kept_q` in the elaborated design must be a flip-flop of its own in the mapped one,
through inverters and buffers if there are any. NAME is a module of the library or an example;
TARGET is a family, or `gates`: Yosys's own cells with flip-flops that can be reset and not set, as
those of most cell libraries. There the inverted rail of a pair is the same flip-flop as the other
one, between two inverters, and is merged unless its attribute reaches it. A bit that synthesis has
shown to be constant has no flip-flop, on neither rail: such bits are counted apart.

Exit code 1: a flip-flop is missing.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nttforge.cache import design_files
from nttforge.design import load_design
from nttforge.flow.prepare import prepare_any
from nttforge.rtl_library import alone, library
from nttforge.synthesize.yosys import KEEP, synthesize
from nttforge.targets import TARGETS
from tests.rails import BLOCK, elaborate, rails_of
from tests.undriven import elaborated

WORD = ".kept_q"
NETLIST = "mapped.json"
GATES = "gates"


@contextmanager
def design_of(name: str) -> Iterator[tuple[Path, str]]:
    """The folder and the top of a module of the library, or of an example."""
    if name in library():
        with alone(name) as folder:
            yield folder, name
    else:
        made = prepare_any(load_design(name))
        yield made.folder, made.core.name


def expected(sources: Sequence[Path], top: str) -> dict[str, int]:
    """The kept registers of an elaborated design, and how many of their bits anything reads.

    Copies for speed, one for each unit, are left out: they may have bits that are constant.
    """
    with tempfile.TemporaryDirectory(prefix="nttforge-") as scratch:
        netlist = elaborate(sources, top, Path(scratch))
    kept = [register for register in netlist.registers if register.name.endswith(WORD)]
    rails = rails_of([register.name for register in kept], [])
    return {r.name: r.width for r in kept if r.name in rails or not BLOCK.fullmatch(r.name)}


def gates(
    sources: Sequence[Path], top: str, liberty: Path | None = None, keep: Sequence[str] = (KEEP,)
) -> dict[str, Any]:
    """A design in Yosys's gates, or in cells of a library; `keep` is run before it is mapped."""
    cells = f"-liberty {liberty.resolve()}" if liberty else ""
    library_first = (f"read_liberty -lib {liberty.resolve()}",) if liberty else ()
    flops = f"dfflibmap {cells}" if liberty else "dfflegalize -cell $_DFF_P_ x -cell $_DFF_PN0_ x"
    with tempfile.TemporaryDirectory(prefix="nttforge-") as folder:
        scratch = Path(folder)
        elaborated(
            sources,
            top,
            scratch,
            *library_first,
            "proc",
            "flatten",
            *keep,
            f"synth -top {top} -run coarse:fine",
            # Memories are not gates, here as on a chip.
            "chtype -set memory t:$mem_v2",
            # abc comes below: it does not touch flip-flops, and is slow for a large core.
            f"synth -top {top} -run fine:check -noabc",
            flops,
            # Where identical flip-flops would be merged.
            "opt",
            f"abc -script +strash;map {cells or '-g AND,OR,XOR,MUX'}",
            "opt_clean",
            f"write_json {NETLIST}",
        )
        modules: dict[str, dict[str, Any]]
        modules = json.loads((scratch / NETLIST).read_text("utf-8"))["modules"]
    return modules[top]


def words_of(module: Mapping[str, Any]) -> dict[str, list[int | str]]:
    """The bits of each kept register: numbers of nets, or constants."""
    return {name: net["bits"] for name, net in module["netnames"].items() if name.endswith(WORD)}


def constants(wanted: Mapping[str, int], module: Mapping[str, Any]) -> dict[str, int]:
    """How many bits of each kept register never change."""
    words = words_of(module)
    return {name: sum(bit in ("0", "1") for bit in words.get(name, [])) for name in wanted}


def flops_of(module: Mapping[str, Any]) -> dict[str, list[str | None]]:
    """The flip-flop of each bit of each kept register; None: it is none, or not there."""
    drivers: dict[int, tuple[str, str, Mapping[str, Any]]] = {}
    for name, cell in module["cells"].items():
        for pin, bits in cell["connections"].items():
            if cell.get("port_directions", {}).get(pin) == "output":
                drivers.update({bit: (name, pin, cell) for bit in bits if isinstance(bit, int)})

    def flop(bit: int | str) -> str | None:
        while isinstance(bit, int) and bit in drivers:
            name, pin, cell = drivers[bit]
            if pin.startswith("Q"):
                return name
            inputs = [
                source
                for other, bits in cell["connections"].items()
                if cell["port_directions"][other] == "input"
                for source in bits
                if isinstance(source, int)
            ]
            if len(inputs) != 1:
                return None
            bit = inputs[0]
        return None

    return {name: [flop(bit) for bit in bits] for name, bits in words_of(module).items()}


def lost(wanted: Mapping[str, int], module: Mapping[str, Any]) -> dict[str, int]:
    """The kept registers that have fewer flip-flops of their own than they need, and how many."""
    found, constant = flops_of(module), constants(wanted, module)
    every = [flop for flops in found.values() for flop in flops]
    missing = {}
    for name, width in wanted.items():
        own = sum(flop is not None and every.count(flop) == 1 for flop in {*found.get(name, [])})
        missing[name] = width - constant[name] - own
    return {name: count for name, count in missing.items() if count > 0}


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("name", help="module of the library, or example")
    parser.add_argument("--target", choices=[*TARGETS, GATES], default=GATES, help="default: gates")
    parser.add_argument("--liberty", type=Path, help="map to the cells of this library instead")
    args = parser.parse_args()
    with design_of(args.name) as (folder, top):
        sources = design_files(folder)
        wanted = expected(sources, top)
        if args.liberty or args.target == GATES:
            module = gates(sources, top, args.liberty)
        else:
            module = synthesize(folder, top, args.target).module()
        missing = lost(wanted, module)
    for name, count in missing.items():
        print(f"{name}: {count} of {wanted[name]} flip-flops are missing", file=sys.stderr)
    bits = f"{len(wanted)} kept registers, {sum(wanted.values()):,} bits"
    still = sum(constants(wanted, module).values())
    print(f"{args.name}: {bits}, {still} of them constant, {sum(missing.values())} missing")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
