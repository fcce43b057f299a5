# SPDX-License-Identifier: Apache-2.0
"""`generate` and `presets`: the design folder, and the designs that have a name."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from nttforge.cache import FILE_LIST
from nttforge.design import Design, design_names, load_design, parse_design
from nttforge.emit import write
from nttforge.emit.blackbox import blackbox as black_box
from nttforge.emit.plain_verilog import verilog_folder
from nttforge.flow.backends import backend_of
from nttforge.flow.prepare import prepare_core
from nttforge.hw import build
from nttforge.output import check_folder
from nttforge.results import Generated, Result
from nttforge.ring.presets import PRESETS
from nttforge.synthesize.yosys import plain_verilog
from nttforge.table import Block, Table


def check_design_folder(folder: Path) -> None:
    """Refuse a folder that holds something else than a design, before the work for it."""
    check_folder(folder, FILE_LIST, "a design folder")


def with_prefix(design: Design, prefix: str) -> Design:
    """The design under a name that begins with `PREFIX-`: itself, if it has such a name."""
    if design.name.startswith(f"{prefix}-"):
        return design
    keys = design.model_dump(exclude_unset=True, exclude_none=True)
    return parse_design(keys | {"name": f"{prefix}-{design.name}"}, "--prefix")


def generate(
    design: Design,
    folder: Path,
    *,
    blackbox: bool = False,
    verilog: bool = False,
    prefix: str = "",
) -> Generated:
    """Write a design folder that is complete by itself, with a bench.

    `blackbox` adds a folder for Vitis HLS, `verilog` one in Verilog-2005; `prefix` begins all
    global names, the design's and the library's.
    """
    check_design_folder(folder)
    if prefix:
        design = with_prefix(design, prefix)
    core = build(design)
    backend = backend_of(core)
    stimulus = backend.stimulus(core)
    extras = [black_box(core, design)] if blackbox else []
    if verilog:
        sources = prepare_core(core, design).folder
        netlist = plain_verilog(sources, core.wrapper.name, f"{core.name}__")
        extras.append(verilog_folder(core, design, stimulus, netlist))
    written = write(core, design, folder, stimulus, extras, prefix=prefix)
    common = Generated(
        design=design.name, folder=str(folder), top=written.top, files=list(written.files)
    )
    return backend.generated(core, common)


class RingFacts(BaseModel):
    """A ring that has a name."""

    name: str
    description: str
    ring: str
    n: int
    q: str
    layers: int


class DesignFacts(BaseModel):
    """A design that has a name."""

    name: str
    description: str
    family: str
    rings: list[str]


class PresetsResult(Result):
    """Everything that can be named as DESIGN; a ring's name is a design with that ring alone."""

    designs: list[DesignFacts]
    rings: list[RingFacts]

    def shown(self) -> Iterator[Block]:
        """Designs, then rings."""
        yield Table(
            "Designs",
            ("name", "family", "rings", ""),
            [(d.name, d.family, ", ".join(d.rings), d.description) for d in self.designs],
        )
        yield Table(
            "Rings; the name of one is a design too",
            ("name", "n", "bits of q", "layers", ""),
            [(r.name, r.n, int(r.q).bit_length(), r.layers, r.description) for r in self.rings],
        )


def presets() -> PresetsResult:
    """List the named designs and rings."""
    designs = [load_design(name) for name in design_names()]
    return PresetsResult(
        designs=[
            DesignFacts(
                name=design.name,
                description=design.description,
                family=design.family,
                rings=[table.label for table in design.rings],
            )
            for design in designs
        ],
        rings=[
            RingFacts(
                name=preset.name,
                description=preset.description,
                ring=preset.ring.describe(),
                n=preset.ring.n,
                q=str(preset.ring.q),
                layers=preset.ring.layers,
            )
            for preset in PRESETS.values()
        ],
    )
