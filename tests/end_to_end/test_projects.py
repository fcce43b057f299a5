# SPDX-License-Identifier: Apache-2.0
"""Several designs in one project: elaborated, linted and simulated together, each file once."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from nttforge import __version__
from nttforge.cache import design_files
from nttforge.design import Design, design_names, load_design, parse_design
from nttforge.emit.namespace import declared
from nttforge.flow.generate import generate, with_prefix
from tests.benches import QUICK, make, verdict, with_runtime
from tests.end_to_end.test_folder_bench import SMALL
from tests.projects import (
    CHIP,
    CHIP_NAME,
    OTHER_NAME,
    resolved,
    sources,
    waivers,
    write_opentitan,
    write_project,
)
from tests.slang import complaints
from tests.test_style import verilator_lint

VERILATOR = frozenset({"tool_verilator"})
#: Presets that are written in little time, one of each family.
QUICK_PRESETS = ("ml-kem", "scalable-kyber", "sam-tiny", "streamntt-7681", "ml-kem-coprocessor")
PAIRS = [
    ("stream", "products"),
    pytest.param(("shell", "large"), marks=pytest.mark.slow),
    pytest.param(("ml-kem-coprocessor", "streamntt-7681"), marks=pytest.mark.slow),
]


def small(name: str) -> Design:
    if name not in SMALL:
        return load_design(name)
    return parse_design({"name": f"small-{name}", **SMALL[name]}, name)


@pytest.mark.parametrize(
    "names",
    [QUICK_PRESETS, pytest.param((*design_names(), "ml-kem"), marks=pytest.mark.slow)],
    ids=["some", "all"],
)
def test_presets_elaborate_together(names: Sequence[str], tmp_path: Path) -> None:
    """Through the core files and through nothing else; no module or package is there twice."""
    write_project(tmp_path, names)
    files = sources(resolved(tmp_path, CHIP_NAME))
    stems = [path.stem for path in files]
    assert sorted(stems) == sorted(set(stems))
    assert {path.name for name in names for path in (tmp_path / name).glob("*.*v")} <= {
        path.name for path in files
    }
    assert not complaints(files, CHIP)


def test_a_chip_lints_with_what_its_dependencies_bring(tmp_path: Path) -> None:
    """With -Wall, alone by its own target and as a dependency of a chip by `default`."""
    wrappers = write_project(tmp_path, [small(name) for name in ("stream", "products")])
    inside = resolved(tmp_path, CHIP_NAME, "lint", VERILATOR)
    (waived,) = waivers(inside)
    assert not verilator_lint(sources(inside), CHIP, waived)
    for name, wrapper in wrappers.items():
        core = f"nttforge:generated:{name}:1.0.0"
        alone = resolved(tmp_path, core, "lint", VERILATOR)
        (waived,) = waivers(alone)
        assert not verilator_lint(sources(alone), wrapper.name, waived)
    # What the waivers are for: without them the chip's lint ends here.
    nothing = tmp_path / "nothing.vlt"
    nothing.write_text("`verilator_config\n")
    assert "SYNCASYNCNET" in verilator_lint(sources(inside), CHIP, nothing)


def test_another_technology_replaces_the_librarys(tmp_path: Path) -> None:
    """Of a dependency too, by the flag."""
    write_project(tmp_path, [small("stream")])
    usual, own = (
        {path.stem for path in resolved(tmp_path, CHIP_NAME, flags=frozenset(flags))}
        for flags in ((), ("own_technology",))
    )
    memories = {
        *("ntf_prim_ram_1r1rw", "ntf_prim_ram_1r1w", "ntf_prim_ram_ultra", "ntf_prim_rom"),
    }
    assert usual - own == {"ntf_prim_kept", "ntf_prim_rst", *memories}
    assert own <= usual


def test_a_core_names_the_files_that_the_folder_lists(tmp_path: Path) -> None:
    """With its dependency at least those of files.f, in an order that suits the packages."""
    folder = tmp_path / "folder"
    generate(small("large"), folder)
    files = resolved(tmp_path, "nttforge:generated:small_large:1.0.0")
    assert set(design_files(folder)) <= set(files)
    packages = [path for path in files if path.stem.endswith("_pkg")]
    assert files.index(folder / "small_large_pkg.sv") > max(
        files.index(path) for path in packages if path.parent.parent.name == "rtl"
    )
    for target in ("synth", "lint", "sim"):
        for path in resolved(tmp_path, "nttforge:generated:small_large:1.0.0", target):
            assert path.is_file(), path


@pytest.mark.skipif(not shutil.which("fusesoc"), reason="pip install fusesoc: it is not asked")
def test_fusesoc_resolves_the_same(tmp_path: Path) -> None:
    write_project(tmp_path, [small("stream"), small("shell")])
    command = ["fusesoc", "--cores-root", ".", "run", "--setup", "--target", "lint", CHIP_NAME]
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (described,) = tmp_path.glob("build/**/*.eda.yml")
    names = re.findall(r"^- .*\n(?:  .*\n)*?  name: (\S+)$", described.read_text(), re.MULTILINE)
    named = [Path(name).name for name in names]
    expected = resolved(tmp_path, CHIP_NAME, "lint", VERILATOR)
    assert sorted(named) == sorted(path.name for path in expected)
    # Which of the two designs comes first is FuseSoC's choice; the library comes before both.
    library = resolved(tmp_path, f"nttforge:rtl:library:{__version__}", flags=VERILATOR)
    assert named[: len(library)] == [path.name for path in library]


_BOTH = """\
module both;
  {0}_bench u_0 ();
  {1}_bench u_1 ();
  initial begin
    wait (u_0.passed && u_1.passed);
    $display("PASS: both");
    $finish;
  end
endmodule
"""
_MAKEFILE = """\
VERILATOR ?= verilator
both:
\t$(VERILATOR) --binary --assert --timing -Wno-fatal -j 0 --output-split 200000 \\
\t  -CFLAGS -std=gnu++20 -MAKEFLAGS PYTHON3=python3 -MAKEFLAGS CFG_CXXFLAGS_PCH_I=-include \\
\t  -MAKEFLAGS CFG_GCH_IF_CLANG= --top-module both --Mdir build -o both {}
\tbuild/both +seed=3
"""


def simulate_together(project: Path, designs: Sequence[Design], top: str = _BOTH) -> bool:
    """Run the benches of both at once, of a project that is written; each file is there once."""
    files = sources(resolved(project, CHIP_NAME))
    benches = (path for d in designs for path in (project / d.name / "rtl/bench").glob("*.sv"))
    files += {path.name: path for path in benches}.values()
    for design in designs:
        path = project / design.name / "bench" / f"{design.module}_bench.sv"
        # Each has its own vectors, and goes on when it has passed.
        text = path.read_text().replace('"bench/', f'"{design.name}/bench/')
        assert text.count("$finish;") == 1
        text = text.replace("$finish;", "passed = 1'b1;")
        path.write_text(text.replace("_bench;\n", "_bench;\n  bit passed;\n", 1))
        files.append(path)
    both = project / "both.sv"
    both.write_text(top.format(*(design.module for design in designs)))
    names = " ".join(str(path.relative_to(project)) for path in (*files, both))
    (project / "Makefile").write_text(_MAKEFILE.format(names))
    with_runtime(project / "build")
    return verdict(make(project, *QUICK))


@pytest.mark.parametrize("pair", PAIRS)
def test_pairs_are_simulated_together(pair: tuple[str, str], tmp_path: Path) -> None:
    designs = [small(name) for name in pair]
    write_project(tmp_path, designs)
    assert simulate_together(tmp_path, designs)


def another_release(folder: Path) -> None:
    """Make a folder one of another release: its version, and ports and functions of its library."""
    for path in (*folder.rglob("*.core"), *folder.rglob("*.sv"), *folder.rglob("*.v")):
        text = path.read_text("utf-8").replace(f"library:{__version__}", "library:0.0.9")
        path.write_text(re.sub(r"\b(clk_i|d_i|q_o|idx_width)\b", r"former_\1", text), "utf-8")


@pytest.mark.parametrize("names", [("stream", "stream"), ("products", "shell")])
def test_two_releases_in_one_project(names: tuple[str, str], tmp_path: Path) -> None:
    """One of them under a prefix: elaborated, linted and simulated, also of the same design."""
    designs = [small(names[0]), with_prefix(small(names[1]), "old-2")]
    write_project(tmp_path, designs, {designs[1].name: "old-2"})
    another_release(tmp_path / designs[1].name)
    inside = resolved(tmp_path, CHIP_NAME, "lint", VERILATOR)
    files = sources(inside)
    texts = {path: path.read_text("utf-8") for path in files}
    modules = [name for text in texts.values() for name in declared(text).modules]
    assert sorted(modules) == sorted(set(modules))
    former = [text for path, text in texts.items() if tmp_path / designs[1].name in path.parents]
    assert all(name.startswith("old_2_") for name in declared(*former).modules)
    assert not complaints(files, CHIP)
    merged = tmp_path / "both.vlt"
    merged.write_text("\n".join(path.read_text() for path in waivers(inside)))
    assert not verilator_lint(files, CHIP, merged)
    assert simulate_together(tmp_path, designs)


_BESIDE = """\
module both;
  {0}_bench u_0 ();
  wire [2:0] other;
  prim_fifo u_other (.q_o(other));
  initial begin
    wait (u_0.passed);
    if (other == 3'd4) $display("PASS: beside");
    $finish;
  end
endmodule
"""


def test_beside_a_library_with_opentitans_names(tmp_path: Path) -> None:
    """Elaborated and simulated in one project, without a prefix."""
    design = small("stream")
    write_opentitan(tmp_path / "other")
    write_project(tmp_path, [design], others=[OTHER_NAME])
    files = sources(resolved(tmp_path, CHIP_NAME))
    assert {"prim_pkg", "ntf_prim_pkg"} <= {path.stem for path in files}
    assert not complaints(files, CHIP)
    assert simulate_together(tmp_path, [design], _BESIDE)
