# SPDX-License-Identifier: Apache-2.0
"""A design folder alone: its bench passes in an empty place with nothing but Verilator, broken
hardware fails it, and its own TOML writes it again."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from nttforge.design import Design, design_names, load_design, parse_design
from nttforge.flow.generate import generate
from tests.benches import QUICK, make, verdict, with_runtime
from tests.folders import contents

KEM = "ml-kem-coprocessor"
SMALL: dict[str, dict[str, Any]] = {
    "stream": {
        "rings": [{"n": 16, "q": 97, "name": "a"}, {"n": 16, "q": 3329, "layers": 3, "name": "b"}],
        "pipeline": {"butterflies": 2},
    },
    "products": {
        "family": "iterative",
        "rings": [{"n": 16, "q": 7681}],
        "operations": ["ntt", "intt", "pointwise", "mac", "polymul"],
    },
    "chain": {
        "rings": [{"n": 16, "q": "runtime", "bits": 30, "moduli": 2}],
        "operations": ["polymul"],
    },
    "shell": {
        "rings": [{"n": 16, "q": 97}],
        "operations": ["intt", "ntt"],
        "shell": {"instances": 2, "data_width": 64, "burst_bytes": 64},
    },
    "large": {
        "family": "decomposed",
        "rings": [{"q": 7681}],
        "decomposed": {"l_max": 6, "n": 16, "t": 4},
    },
}
FAMILIES = [*SMALL, KEM]
# Several engines at one memory, in rounds of several groups.
TWO: dict[str, Any] = {
    "family": "decomposed",
    "rings": [{"q": 998244353}],
    "decomposed": {
        **{"n": 16, "t": 4, "b": 2, "digit": 3, "l_max": 11},
        **{"engines": 2, "port_bits": 64},
    },
}
# The same, each with a part of the memory to read from.
OWN = TWO | {"decomposed": TWO["decomposed"] | {"own_channels": True}}
# Its signatures are verified before they leave.
CHECKED = "checked"
SLOW = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in ("ml-dsa-coprocessor", CHECKED, "two", "own")
]
# A port of the design that the wrapper loses, by what the bench looks at.
LOST = [
    ("stream", "m_axis_tlast"),
    ("stream", "m_axis_tuser"),
    ("stream", "s_axis_tuser"),
    ("shell", "m_axi_wlast"),
    ("shell", "m_axi_wstrb"),
    ("shell", "interrupt_o"),
    ("large", "m_axi_arlen"),
    ("large", "m_axi_bready"),
]


def design_of(name: str) -> Design:
    if name == CHECKED:
        return load_design("ml-dsa-coprocessor", {"lattice.verify_signatures": True})
    small = SMALL | {"two": TWO, "own": OWN}
    if name not in small:
        return load_design(name)
    return parse_design({"name": f"small-{name}", **small[name]}, name)


def alone(name: str, place: Path) -> Path:
    """The folder of a design, with nothing else of the project near it."""
    generate(design_of(name), place / "folder")
    return place / "folder"


def passes(folder: Path, *arguments: str) -> bool:
    with_runtime(folder / "build")
    return verdict(make(folder, *QUICK, *arguments))


def other_digit(file: Path, behind: str) -> None:
    """Another number in the hardware's tables: the first one after a word, one bit changed."""
    text = file.read_text()
    found = re.compile(r"'h([0-9a-f]+)").search(text, text.index(behind))
    assert found is not None
    at = found.end() - 1
    file.write_text(text[:at] + f"{int(text[at], 16) ^ 1:x}" + text[at + 1 :])


def broken(folder: Path, name: str) -> None:
    """The folder with a wrong factor."""
    module = design_of(name).module
    match name:
        case "large":
            other_digit(folder / f"{module}_pkg.sv", "Modulus")
        case "chain":
            file = folder / f"{module}.sv"
            file.write_text(file.read_text().replace("f_user[1+:PlaceW]", "~f_user[1+:PlaceW]"))
        case _ if name == KEM:
            other_digit(folder / f"{module}_program_pkg.sv", "zetas: {")
        case _:
            other_digit(folder / f"{module}_pkg.sv", "Twiddles[")


@pytest.mark.parametrize("name", [*FAMILIES, *SLOW])
def test_the_bench_passes_and_can_fail(name: str, tmp_path: Path) -> None:
    """Under several seeds; with one bit of what must come out changed, it fails."""
    folder = alone(name, tmp_path)
    before = contents(folder)
    assert passes(folder)
    assert contents(folder) == before
    module = design_of(name).module

    def run(seed: int) -> str:
        command = [str(folder / "build" / f"{module}_bench"), f"+seed={seed}"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert f"seed {seed}" in done.stdout
        assert ("PASS: " in done.stdout) == (done.returncode == 0)
        return str(done.stdout)

    shown = {run(seed) for seed in range(2, 7)}
    assert len(shown) == 5 and all("PASS: " in text for text in shown)
    files = sorted((folder / "bench").glob("m_*.hex"))
    file = next(path for path in files if not path.name.endswith("_before.hex"))
    lines = file.read_text().splitlines()
    lines[-1] = f"{int(lines[-1], 16) ^ 2:0{len(lines[-1])}x}"
    file.write_text("\n".join(lines) + "\n")
    assert "PASS: " not in run(1)


@pytest.mark.parametrize(
    "name", ["stream", *(pytest.param(n, marks=pytest.mark.slow) for n in FAMILIES[1:])]
)
def test_broken_hardware_fails(name: str, tmp_path: Path) -> None:
    folder = alone(name, tmp_path)
    broken(folder, name)
    assert not passes(folder)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "port"), LOST)
def test_a_lost_wire_fails(name: str, port: str, tmp_path: Path) -> None:
    """By what the bench sees: assertions of the design, which may come first, say nothing."""
    folder = alone(name, tmp_path)
    (wrapper,) = folder.glob("*.v")
    text = wrapper.read_text()
    found = re.search(rf"\.{port}\((.*)\)", text)
    assert found is not None
    inside = ""
    if port.startswith("s_"):
        width = re.search(rf"input +wire \[(\d+):0\] +{port},", text)
        assert width is not None
        inside = f"{{{int(width[1]) + 1}{{1'b1}}}}"
    wrapper.write_text(text.replace(found[0], f".{port}({inside})"))
    assert not passes(folder, "SEED=1 +verilator+noassert")


@pytest.mark.slow
@pytest.mark.parametrize("name", design_names())
def test_folders_of_all_presets(name: str, tmp_path: Path) -> None:
    """As the README says, with the flags that it has."""
    folder = alone(name, tmp_path)
    for seed in (1, 2):
        done = make(folder, f"SEED={seed}")
        assert done.returncode == 0 and "PASS: " in done.stdout, done.stdout[-3000:] + done.stderr


def test_lint_goes_with_the_folder(tmp_path: Path) -> None:
    folder = alone("shell", tmp_path)
    done = make(folder, "lint")
    assert done.returncode == 0 and "%Warning" not in done.stderr, done.stderr
    file = folder / "rtl/shell/ntf_gearbox.sv"
    file.write_text(file.read_text().replace("endmodule", "logic nobody;\nendmodule"))
    assert make(folder, "lint").returncode != 0
