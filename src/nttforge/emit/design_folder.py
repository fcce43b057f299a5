# SPDX-License-Identifier: Apache-2.0
"""Write a core as a design folder: generated SystemVerilog, library files, lists, a README.

Only what depends on numbers is generated; the rest is copied from the RTL library unchanged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from jinja2 import Environment

from nttforge.design import Design, design_hash
from nttforge.emit.namespace import prefixed
from nttforge.emit.sentences import SENTENCES
from nttforge.emit.stimulus import FOLDER as BENCH_FOLDER
from nttforge.emit.stimulus import Stimulus
from nttforge.emit.text import Escaping
from nttforge.emit.toml import design_toml
from nttforge.emit.verilog import (
    hexadecimal,
    indexed,
    packed,
    pattern,
    rows,
    sized,
    unpacked,
    wires,
    wrap,
)
from nttforge.hw.core import Core
from nttforge.hw.engine import Engine
from nttforge.output import atomic_folder
from nttforge.rtl_library import licence, rtl_root, source_path, whole_library
from nttforge.table import markdown
from nttforge.version import __version__

FILE_LIST = "files.f"
LINT = ("waivers.vlt", "slang.f")

#: How software may access a field, as SystemRDL says it.
RDL_MODES = {"ro": "r", "rw": "rw", "wo": "w"}

#: File -> (template, variables).
Templates = dict[str, tuple[str, Mapping[str, object]]]


@dataclass(frozen=True)
class Extra:
    """Files of a folder that `generate` writes only if asked.

    - `option`: what asks for them.
    - `folder`: where they are, in the design's folder.
    - `about`: what they are.
    - `texts`: their texts, by their names in the design's folder.
    """

    option: str
    folder: str
    about: str
    texts: Mapping[str, str]


@dataclass(frozen=True)
class DesignFolder:
    """A written design folder.

    - `path`: the folder.
    - `top`: name of the top module.
    - `files`: SystemVerilog files relative to the folder, packages first, the tops last.
    """

    path: Path
    top: str
    files: tuple[str, ...]


def _environment(name: str) -> Environment:
    """Template environment of a generated file of that name."""
    environment = Escaping(PurePath(name).suffix)
    environment.filters["hex"] = hexadecimal
    environment.filters["indexed"] = indexed
    environment.filters["table"] = lambda table: markdown([table])
    environment.filters["packed"] = packed
    environment.filters["pattern"] = pattern
    environment.filters["rows"] = rows
    environment.filters["sized"] = sized
    environment.filters["unpacked"] = unpacked
    environment.filters["wires"] = wires
    environment.globals.update(SENTENCES)
    return environment


def file_order(core: Core) -> tuple[str, ...]:
    """SystemVerilog files of a core's folder in compile order: packages first, the tops last."""
    packages = [name for name in core.templates if name.endswith("_pkg.sv")]
    tops = [name for name in core.templates if name.endswith(".sv") and name not in packages]
    library = [f"rtl/{source}" for source in core.sources]
    library_packages = [name for name in library if name.endswith("_pkg.sv")]
    modules = [name for name in library if name not in library_packages]
    return (*library_packages, *packages, *modules, *tops, f"{core.wrapper.name}.v")


def made_files(core: Core) -> tuple[str, ...]:
    """Those of :func:`file_order` that are the design's or its kind's own, not the library's."""
    shared = {f"rtl/{name}" for name in whole_library()}
    return tuple(name for name in file_order(core) if name not in shared)


def _common_templates(core: Core, design: Design, stimulus: Stimulus | None) -> Templates:
    """Templates of what every folder has, whatever its family."""
    ports = core.wrapper.ports
    sides = {
        f"{way}s": list(dict.fromkeys(p.inside for p in ports if p.direction == way and p.inside))
        for way in ("input", "output")
    }
    made: Templates = {
        f"{core.wrapper.name}.v": ("wrapper.v.j2", {}),
        f"{core.name}.xdc": ("constraints.j2", sides),
        f"{core.name}.sdc": ("constraints.j2", sides),
        f"{design.name}.toml": ("design.toml.j2", {"keys": design_toml(design)}),
    }
    if core.registers is not None:
        made[f"{core.name}.rdl"] = ("registers.rdl.j2", {"modes": RDL_MODES})
    if stimulus is None:
        return made
    text = f"{BENCH_FOLDER}/{core.name}_bench.sv"
    return made | {
        text: ("bench.sv.j2", stimulus.connections()),
        "Makefile": ("Makefile.j2", {"bench_file": text}),
        f"{core.name}.core": ("fusesoc.core.j2", {"bench_file": text, "made": made_files(core)}),
    }


def render(
    core: Core,
    design: Design,
    stimulus: Stimulus | None = None,
    extras: Sequence[Extra] = (),
    *,
    prefix: str = "",
) -> dict[str, str]:
    """The generated files of a core, as text by name; those of a bench and extra ones if any."""
    templates = {**core.templates, **_common_templates(core, design, stimulus)}
    texts = render_templates(core, design, templates, stimulus, extras, prefix=prefix)
    texts |= stimulus.files() if stimulus else {}
    return texts | {name: text for extra in extras for name, text in extra.texts.items()}


def render_templates(
    core: Core,
    design: Design,
    templates: Templates,
    stimulus: Stimulus | None = None,
    extras: Sequence[Extra] = (),
    *,
    prefix: str = "",
) -> dict[str, str]:
    """Files of a core as text by name; a template knows the core and its design."""
    common = {
        "core": core,
        "design": design,
        # A template's own variables may name another design: that of a part.
        "whole": design,
        "design_hash": design_hash(design),
        "version": __version__,
        "files": file_order(core),
        "wrapper": core.wrapper,
        "stimulus": stimulus,
        "extras": extras,
        "names_prefix": prefix,
        "header": next((name for name in core.templates if name == f"{core.name}.h"), None),
    }
    texts = {
        name: _environment(name).get_template(template).render({**common, **variables})
        for name, (template, variables) in templates.items()
    }
    return {name: wrap(text) if name.endswith(".sv") else text for name, text in texts.items()}


def render_engine(engine: Engine) -> str:
    """Declarations of an engine's parameters, for a package; see ntf_pipeline.sv."""
    text = _environment("pkg.sv").get_template("engine_parameters.j2").render(engine=engine)
    return wrap(text)


def write(
    core: Core,
    design: Design,
    folder: Path,
    stimulus: Stimulus | None = None,
    extras: Sequence[Extra] = (),
    *,
    prefix: str = "",
) -> DesignFolder:
    """Write `core` into `folder`, which is made if need be; with a bench it is complete by itself.

    - `prefix`: what the name of the design begins with, up to its first `-`; all names of the
      folder then do, with `_` for `-`.
    """
    root = rtl_root()
    texts = render(core, design, stimulus, extras, prefix=prefix)
    copies = {f"rtl/{source}": source_path(source) for source in core.sources}
    if stimulus is not None:
        # The FuseSoC core depends on the library's, which names all of its files.
        copies |= {f"rtl/{name}": path for name, path in whole_library().items()}
    copies |= {"LICENSE": licence(), **{name: root / name for name in LINT}}
    texts = {name: source.read_text("utf-8") for name, source in copies.items()} | texts
    texts[FILE_LIST] = "".join(f"{name}\n" for name in file_order(core))
    if prefix:
        texts = prefixed(texts, prefix, core.name)
    with atomic_folder(folder, "choose a folder you can write to") as scratch:
        for name, text in texts.items():
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            (scratch / name).write_text(text, "utf-8")
    return DesignFolder(folder, core.name, tuple(texts[FILE_LIST].split()))
