# SPDX-License-Identifier: Apache-2.0
"""A third standard for lattice coprocessors, in a package of its own: installed and found."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.drivers.compilers import STRICT, command_of
from tests.extending.test_extending import defect, ended, environment, install, nttforge, python

PACKAGE = Path(__file__).parent / "standard"
MOST_LINES = 150
API = """
import sys
import nttforge
from nttforge import host
text = bytes(range(1, 33))
core = nttforge.open(sys.argv[1])
print(core.stamp(4, text, key=b"\\xff" * 8).stamped.hex())
with host.open(sys.argv[1]) as device:
    print(device.sum("STAMP-4", text).total.hex())
try:
    core.sum(8, text)
except nttforge.NttforgeError as error:
    print(error)
"""

# Its commands are processes of their own.
pytestmark = [pytest.mark.sim, pytest.mark.synth]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(PACKAGE, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def design(site: Path) -> Path:
    return site / "stamp.toml"


def test_it_is_small() -> None:
    """A table, a program and a reference; its RTL does not count."""
    texts = (path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    assert sum(len(text.splitlines()) for text in texts) < MOST_LINES


def test_it_is_verified_and_measured(site: Path, design: Path) -> None:
    found = json.loads(nttforge(site, "verify", design, "--transforms", "4", "--json"))
    assert found["ok"] and found["compared"]["STAMP-8"] == {"stamp": 4, "sum": 4}
    rows = json.loads(nttforge(site, "measure", design, "--json"))["operations"]
    # Key, texts in and out, and the sum; with a cycle between each two of them.
    cycles = {name: row["latency_cycles"] for name, row in rows.items()}
    assert cycles["STAMP-8 stamp"] - cycles["STAMP-4 stamp"] == 8
    assert cycles["STAMP-8 sum"] - cycles["STAMP-4 sum"] == 4


def test_it_is_called_from_python(site: Path, design: Path) -> None:
    stamped, total, refused = python(site, "-c", API, design).splitlines()
    text = bytes(range(1, 33))
    assert bytes.fromhex(stamped) == bytes(255 - byte for byte in text)
    words = (text[at : at + 8] for at in range(0, 32, 8))
    added = sum(int.from_bytes(word, "little") for word in words) % (1 << 64)
    assert bytes.fromhex(total) == added.to_bytes(8, "little")
    assert refused.startswith("text: 32 bytes long, not 64")


def test_a_folder_of_it_checks_itself(site: Path, design: Path, tmp_path: Path) -> None:
    written = json.loads(nttforge(site, "generate", design, "-o", tmp_path / "stamp", "--json"))
    assert written["codes"] == {"Stamp": {"stamp": "0", "sum": "1"}}
    done = subprocess.run(
        ["make", "-C", str(tmp_path / "stamp")],
        env=environment(site) | {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "PASS" in done.stdout, done.stdout + done.stderr


def test_a_c_program_drives_it(site: Path, design: Path, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    nttforge(site, "host", design, "-o", folder)
    header = (folder / "stamp_driver.h").read_text("utf-8")
    assert "int stamp_sum(stamp *device, uint32_t set, const uint8_t *text, size_t" in header
    links = ("-L.", "-lnttforge", "-Wl,-rpath,.")
    command = [*command_of("gcc"), *STRICT, "-I.", "example.c", "-o", "example", *links]
    subprocess.run(command, cwd=folder, check=True)
    done = subprocess.run(["./example"], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("done after ")


def test_a_soc_drives_it(site: Path, design: Path, tmp_path: Path) -> None:
    for name in ("litex", "ziglang", "pythondata_cpu_vexriscv"):
        pytest.importorskip(name, reason="pip install litex pythondata-cpu-vexriscv ziglang")
    made = json.loads(nttforge(site, "soc", design, "-o", tmp_path / "soc", "--run", "--json"))
    assert made["ok"] and made["log"].count(" right") == 2 * 2 * 2  # ways, sets, operations


def test_it_is_mapped_and_described(site: Path, design: Path, tmp_path: Path) -> None:
    area = json.loads(nttforge(site, "synth", design, "--target", "ecp5", "--json"))
    assert area["ff"] > 2 * 64  # key and sum, among others
    assert "0 stamp, 1 sum" in nttforge(site, "show", "registers", design)
    nttforge(site, "report", design, "--target", "none", "-o", tmp_path / "stamp.html")
    assert "STAMP-8 sum" in (tmp_path / "stamp.html").read_text()


def test_a_fault_in_it_is_found(site: Path, design: Path) -> None:
    """The comparison can fail: a key that is forgotten."""
    source = site / "nttforge_stamp" / "templates" / "stamp.sv.j2"
    with defect(source, "^ key_q;", "^ 64'd0;"):
        done = ended(site, "-m", "nttforge", "verify", design)
    assert done.returncode == 1 and "answers are wrong" in done.stdout


def test_standards_that_no_coprocessor_has_together_are_refused(site: Path, tmp_path: Path) -> None:
    both = 'name = "both"\nfamily = "lattice"\nlattice.standards = ["ml-kem", "stamp"]\n'
    (tmp_path / "both.toml").write_text(both + 'rings = [{ preset = "ml-kem" }]\n')
    done = ended(site, "-m", "nttforge", "verify", tmp_path / "both.toml")
    assert done.returncode == 1 and "no coprocessor has these together" in done.stderr
