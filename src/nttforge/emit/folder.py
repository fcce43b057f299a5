# SPDX-License-Identifier: Apache-2.0
"""Write a core as a design folder: generated SystemVerilog, library files, lists, a README.

Only what depends on numbers is generated; the rest is copied from the RTL library unchanged.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path, PurePath

from jinja2 import Environment

from nttforge import __version__
from nttforge.design import Design
from nttforge.emit.text import Escaping
from nttforge.emit.verilog import hexadecimal, packed, pattern, wrap
from nttforge.families.core import Hardware
from nttforge.families.engine import Engine
from nttforge.output import filling
from nttforge.rtl_library import rtl_root

FILE_LIST = "files.f"


@dataclass(frozen=True)
class DesignFolder:
    """A written design folder.

    Attributes
    ----------
    path
        The folder.
    top
        Name of the top module.
    files
        SystemVerilog files relative to the folder, packages first, the top last.
    """

    path: Path
    top: str
    files: tuple[str, ...]


def design_hash(design: Design) -> str:
    """Twelve hexadecimal digits that stand for all of a design's keys."""
    canonical = json.dumps(design.model_dump(mode="json"), sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def _environment(name: str) -> Environment:
    """What renders a generated file of that name."""
    environment = Escaping(PurePath(name).suffix)
    environment.filters["hex"] = hexadecimal
    environment.filters["packed"] = packed
    environment.filters["pattern"] = pattern
    return environment


def file_order(core: Hardware) -> tuple[str, ...]:
    """SystemVerilog files of a core's folder in compile order: packages first, the tops last."""
    packages = [name for name in core.templates if name.endswith("_pkg.sv")]
    tops = [name for name in core.templates if name.endswith(".sv") and name not in packages]
    library = [f"rtl/{source}" for source in core.sources]
    library_packages = [name for name in library if name.endswith("_pkg.sv")]
    modules = [name for name in library if name not in library_packages]
    return (*library_packages, *packages, *modules, *tops)


def render(core: Hardware, design: Design) -> dict[str, str]:
    """The generated files of a core, as text by name."""
    common = {
        "core": core,
        "design": design,
        # A template's own variables may name another design: that of a part.
        "whole": design,
        "design_hash": design_hash(design),
        "version": __version__,
        "files": file_order(core),
    }
    texts = {
        name: _environment(name).get_template(template).render({**common, **variables})
        for name, (template, variables) in core.templates.items()
    }
    return {name: wrap(text) if name.endswith(".sv") else text for name, text in texts.items()}


def render_engine(engine: Engine) -> str:
    """Declarations of an engine's parameters, for a package; see ntt_pipeline.sv."""
    text = _environment("pkg.sv").get_template("engine_parameters.j2").render(engine=engine)
    return wrap(text)


def write(core: Hardware, design: Design, folder: Path) -> DesignFolder:
    """Write `core` into `folder`, which is made if need be.

    Raises
    ------
    NttforgeError
        If the folder cannot be written.
    """
    root = rtl_root()
    generated = render(core, design)
    files = file_order(core)
    with filling(folder, "choose a folder you can write to") as scratch:
        for source in core.sources:
            target = scratch / "rtl" / source
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((root / source).read_bytes())
        for name, text in generated.items():
            (scratch / name).write_text(text, "utf-8")
        (scratch / FILE_LIST).write_text("".join(f"{name}\n" for name in files), "utf-8")
    return DesignFolder(folder, core.name, files)
