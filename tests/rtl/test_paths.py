# SPDX-License-Identifier: Apache-2.0
"""No output of a top depends on an input in the same cycle, as AXI asks: no valid on its ready.

Looked for in the elaborated design, a word of a cell at a time, which finds more than there is and
misses nothing. Clocks and resets are no inputs here.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from nttforge.cache import design_files
from nttforge.design import design_names, parse_design
from nttforge.flow.prepare import prepare_any
from tests.test_style import LARGE, prepared
from tests.undriven import elaborated

RING = {"n": 16, "q": 97}
SMALL: dict[str, dict[str, Any]] = {
    "pipeline": {"rings": [RING]},
    "iterative": {"rings": [RING], "family": "iterative"},
    "shell": {"rings": [RING], "shell": {"instances": 2}},
    "iterative in a shell": {"rings": [RING], "family": "iterative", "shell": {}},
    "mlkem": {"family": "lattice"},
    "mldsa": {"family": "lattice", "lattice": {"standards": ["ml-dsa"]}},
    "pqc": {"family": "lattice", "lattice": {"standards": ["ml-kem", "ml-dsa"]}},
}

#: Those on memory channels are the same modules around engines that take hours.
OTHERS = [n for n in design_names() if not n.startswith(("streamntt", "rns", *LARGE, "sam-tiny"))]


def reached(sources: Sequence[Path], top: str, scratch: Path) -> set[str]:
    """Outputs that inputs reach without a register between them."""
    elaborated(
        sources,
        top,
        scratch,
        "proc",
        "opt_clean",
        "splitnets",
        "select -set inputs i:* i:*clk* %d i:*rst_n* %d i:aresetn %d",
        "tee -o reached.txt select -list @inputs %coe* o:* %i",
    )
    return {line.rpartition("/")[2] for line in (scratch / "reached.txt").read_text().split()}


@pytest.mark.parametrize(
    "name", [*SMALL, "sam-tiny", *(pytest.param(n, marks=pytest.mark.slow) for n in OTHERS)]
)
def test_no_output_depends_on_an_input(name: str, tmp_path: Path) -> None:
    if name in SMALL:
        made = prepare_any(parse_design({"name": "dut"} | SMALL[name], "test"))
    else:
        made = prepared(name)
    assert not reached(design_files(made.folder), made.core.wrapper.name, tmp_path)


def test_a_path_is_found(tmp_path: Path) -> None:
    """A ready that looks at valid."""
    made = prepare_any(parse_design({"name": "dut"} | SMALL["shell"], "test"))
    sources = design_files(made.folder)
    texts = {path.name: path.read_text() for path in sources}
    good = "awready: write_q"
    (changed,) = (name for name, text in texts.items() if good in text)
    texts[changed] = texts[changed].replace(good, f"{good} & ctrl_req_i.awvalid")
    paths = [tmp_path / name for name in texts]
    for path in paths:
        path.write_text(texts[path.name])
    assert reached(paths, made.core.wrapper.name, tmp_path) == {"s_axi_control_awready"}
