# SPDX-License-Identifier: Apache-2.0
"""The black box for Vitis HLS: its C++ model and its RTL against the core's own RTL.

The model is compiled with the open `ap_types` headers if hls4ml is installed, whose wheel has them,
else with a stand-in of a few lines. Vitis HLS itself is not here: of the JSON, fields and ports are
compared with what UG1399 names, and with the RTL's.
"""

import importlib.util
import json
import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from nttforge.cache import design_files
from nttforge.cli import main
from nttforge.design import load_design
from nttforge.errors import NttforgeError
from nttforge.flow.generate import generate
from nttforge.flow.prepare import Prepared, prepare
from nttforge.flow.reference import reference
from nttforge.hw import StreamCore, build_kind
from nttforge.simulate.cycles import CycleModel, Ports
from tests.drivers.compilers import run
from tests.folders import contents

DESIGN = "mlkem-mldsa"
#: Code of the operation, words in, words out.
Job = tuple[int, list[int], list[int]]
_MAIN = """
#include <cstdio>
#include "{name}_hls.h"
int main() {{
  unsigned operation, beats;
  unsigned long long word;
  while (std::scanf("%u %u", &operation, &beats) == 2) {{
    hls::stream<{name}_beat> in, out;
    for (unsigned i = 0; i < beats; ++i) {{
      {name}_beat beat = 0;
      for (int l = 0; l < {lanes}; ++l) {{
        if (std::scanf("%llu", &word) != 1) return 1;
        beat.range({bits} * l + {bits} - 1, {bits} * l) = word;
      }}
      in.write(beat);
    }}
    {name}_hls(operation, in, out);
    while (!out.empty()) {{
      {name}_beat beat = out.read();
      for (int l = 0; l < {lanes}; ++l) {{
        word = beat.range({bits} * l + {bits} - 1, {bits} * l).to_uint64();
        std::printf("%llu ", word);
      }}
    }}
    std::puts("");
  }}
}}
"""
_TOP = """
module dut (input logic clk_i, input logic rst_ni, input logic ap_ce, input logic ap_start,
  output logic ap_ready, output logic ap_done, output logic ap_idle, input logic ap_continue,
  input logic [{user}-1:0] operation, input logic [{data}-1:0] in_dout, input logic in_empty_n,
  output logic in_read, output logic [{data}-1:0] out_din, input logic out_full_n,
  output logic out_write);
  {name}_hls u_dut (.*, .ap_clk(clk_i), .ap_rst(~rst_ni));
endmodule
"""


@pytest.fixture(scope="module")
def prepared() -> Prepared[StreamCore]:
    return prepare(load_design(DESIGN))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("design")
    generate(load_design(DESIGN), made, blackbox=True)
    return made


def headers() -> Path:
    """Of an HLS tool's, or a stand-in."""
    found = importlib.util.find_spec("hls4ml")
    for place in found.submodule_search_locations or () if found else ():
        return Path(place) / "templates" / "vivado" / "ap_types"
    return Path(__file__).with_name("standin")


def jobs(core: StreamCore, seed: int, count: int) -> Iterator[Job]:
    """Code, words in and words out of random transforms, in the streams' orders."""
    rng = np.random.default_rng(seed)
    for at in range(count):
        operation = core.operations[at % len(core.operations)]
        q = operation.ring.q
        polynomial = rng.integers(0, q, (1, operation.ring.n), np.uint64).astype(object)
        if at < len(core.operations):
            polynomial[:] = q - 1
        into = operation.pack(polynomial)[0]
        out = operation.pack_result(reference(operation, polynomial).astype(object))[0]
        yield operation.code, [int(w) for w in into], [int(w) for w in out]


def modelled(core: StreamCore, folder: Path, place: Path, asked: Sequence[Job]) -> list[list[int]]:
    """What the C++ model makes of jobs."""
    stream = core.stream
    program, source = place / "program", place / "main.cpp"
    text = _MAIN.format(name=core.name, lanes=stream.lanes, bits=stream.word_bits)
    source.write_text(text, "utf-8")
    include = (f"-I{headers()}", f"-I{folder}/hls")
    model = folder / "hls" / f"{core.name}_hls.cpp"
    done = run("g++", "-std=c++14", "-O1", "-Wall", *include, model, source, "-o", program)
    assert done.returncode == 0, done.stderr
    lines = (
        f"{code} {len(into) // stream.lanes} {' '.join(map(str, into))}\n"
        for code, into, _ in asked
    )
    said = subprocess.run(program, input="".join(lines), capture_output=True, text=True, check=True)
    return [[int(word) for word in line.split()] for line in said.stdout.splitlines()]


def test_the_model_computes_what_the_core_does(
    prepared: Prepared[StreamCore], folder: Path, tmp_path: Path
) -> None:
    core = prepared.core
    asked = list(jobs(core, 1, 12))
    results = modelled(core, folder, tmp_path, asked)
    simulator = prepared.simulator()
    for (code, into, out), result in zip(asked, results, strict=True):
        assert result == out, code
        # The RTL itself, from the same words.
        operation = core.operations[code]
        polynomial = np.empty((1, operation.ring.n), object)
        polynomial[:, operation.input_layout.order().reshape(-1)] = into
        (computed,) = simulator.transform([(operation, polynomial)])
        assert [int(w) for w in operation.pack_result(computed.astype(object))[0]] == out


def test_a_modulus_of_64_bits(tmp_path: Path) -> None:
    ring = tmp_path / "wide.toml"
    ring.write_text('name = "wide"\n[[rings]]\nn = 64\nq = "0xffffffff00000001"\n')
    design = load_design(str(ring))
    generate(design, tmp_path / "box", blackbox=True)
    core = build_kind(design, StreamCore)
    asked = list(jobs(core, 4, 6))
    assert modelled(core, tmp_path / "box", tmp_path, asked) == [out for *_, out in asked]


@pytest.fixture(scope="module")
def blackbox(
    prepared: Prepared[StreamCore], folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> CycleModel:
    name, stream = prepared.core.name, prepared.core.stream
    place = tmp_path_factory.mktemp("blackbox")
    top = place / "dut.sv"
    top.write_text(_TOP.format(name=name, user=stream.user_bits, data=stream.data_bits))
    ports = Ports(
        inputs={
            **dict.fromkeys(("ap_ce", "ap_start", "ap_continue", "in_empty_n", "out_full_n"), 1),
            "operation": stream.user_bits,
            "in_dout": stream.data_bits,
        },
        outputs={
            **dict.fromkeys(("ap_ready", "ap_done", "ap_idle", "in_read", "out_write"), 1),
            "out_din": stream.data_bits,
        },
    )
    sources = [*design_files(folder), folder / "hls" / f"{name}_hls.v", top]
    return CycleModel.build(place / "model", sources, "dut", ports)


@pytest.mark.parametrize("stall", [0.0, 0.4])
def test_calls_of_the_box(
    prepared: Prepared[StreamCore], blackbox: CycleModel, stall: float
) -> None:
    """As HLS calls it: ap_start until ap_ready, ap_done until ap_continue."""
    core, rng = prepared.core, random.Random(3)
    stream, asked = core.stream, list(jobs(core, 2, 9))
    words = [stream.beat(i[at : at + stream.lanes]) for _, i, _ in asked for at in _beats(i, core)]
    awaited = [
        [stream.beat(o[at : at + stream.lanes]) for at in _beats(o, core)] for *_, o in asked
    ]
    blackbox.reset()
    assert blackbox.step(ap_ce=1)["ap_idle"]
    taken, started, came, ended = 0, 0, [[]], 0  # type: ignore[var-annotated]
    for _ in range(20_000):
        goes = {name: int(rng.random() >= stall) for name in ("ce", "in", "out", "continue")}
        seen = blackbox.step(
            ap_ce=goes["ce"],
            ap_start=int(started < len(asked)),
            ap_continue=goes["continue"],
            operation=asked[min(started, len(asked) - 1)][0],
            in_empty_n=int(taken < len(words)) & goes["in"],
            in_dout=words[min(taken, len(words) - 1)],
            out_full_n=goes["out"],
        )
        assert not (seen["out_write"] and not (goes["ce"] and goes["out"]))
        taken += seen["in_read"]
        started += seen["ap_ready"]
        if seen["out_write"]:
            came[-1].append(seen["out_din"])
        if seen["ap_done"] and goes["continue"] and goes["ce"]:
            assert came[-1] == awaited[ended], ended
            ended += 1
            came.append([])
        if ended == len(asked):
            break
    assert ended == started == len(asked) and taken == len(words) and came[-1] == []
    assert blackbox.step(ap_ce=1)["ap_idle"]


def _beats(words: list[int], core: StreamCore) -> range:
    return range(0, len(words), core.stream.lanes)


def test_the_json_names_what_is_there(prepared: Prepared[StreamCore], folder: Path) -> None:
    name = f"{prepared.core.name}_hls"
    described = json.loads((folder / "hls" / f"{name}.json").read_text())
    verilog = (folder / "hls" / f"{name}.v").read_text()
    model = (folder / "hls" / f"{name}.cpp").read_text()
    assert described["c_function_name"] == described["rtl_top_module_name"] == name
    assert "nttforge generate --hls-blackbox " in verilog
    assert f"module {name} (" in verilog and f"void {name}(" in model
    assert all((folder / "hls" / file).is_file() for file in described["rtl_files"])
    assert [file["c_file"] for file in described["c_files"]] == [f"{name}.cpp"]
    ports = set(re.findall(r"^  (?:input|output) +wire (?:\[.*\] )?(\w+),?$", verilog, re.M))
    named = {port for p in described["c_parameters"] for port in p["rtl_ports"].values()}
    assert ports == named | set(described["rtl_common_signal"].values())
    arguments = re.search(rf"void {name}\((.*?)\) {{", model, re.S)
    assert arguments is not None
    assert [p["c_name"] for p in described["c_parameters"]] == re.findall(
        r"(\w+)(?:,|$)", arguments[1]
    )


def test_the_folder_s_own_command_writes_it_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readme = (folder / "README.md").read_text()
    again = re.search(r"`nttforge (.*) DIR` writes this folder again", readme)
    assert again is not None
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as ended:
        main([*again[1].split(), str(tmp_path / "again")])
    assert ended.value.code == 0 and contents(tmp_path / "again") == contents(folder)


@pytest.mark.parametrize(
    ("design", "problem"),
    [
        ("ml-kem-coprocessor", "--hls-blackbox: ml_kem_coprocessor is an ML-KEM coprocessor"),
        ("sam-tiny", "--hls-blackbox: sam_tiny is an engine for"),
        ("streamntt-12289", "--hls-blackbox: streamntt_12289 has other ports than two streams"),
    ],
)
def test_what_is_no_box_is_refused(
    design: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["generate", design, "--hls-blackbox", "-o", str(tmp_path / "x")])
    said = capsys.readouterr().err
    assert ended.value.code == 1 and problem in said and len(said.splitlines()[-1]) < 300
    assert not (tmp_path / "x").exists()
    with pytest.raises(NttforgeError):
        generate(load_design(design), tmp_path / "y", blackbox=True)
