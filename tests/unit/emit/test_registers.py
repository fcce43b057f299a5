# SPDX-License-Identifier: Apache-2.0
"""One description of registers: SystemRDL, the C header and the tables say the same."""

import re
from pathlib import Path

import pytest
from systemrdl.compiler import RDLCompiler
from systemrdl.messages import RDLCompileError
from systemrdl.node import RegNode

from nttforge.design import load_design
from nttforge.emit.design_folder import RDL_MODES, render
from nttforge.hw import build
from nttforge.hw.register_map import WORD_BITS, Bits
from nttforge.table import markdown
from tests.marks import first

NAMES = ("ml-kem-coprocessor", "ml-dsa-coprocessor", "sam-tiny", "streamntt-12289")


def elaborated(text: str, folder: Path) -> dict[str, tuple[int, int, dict[str, object]]]:
    """Register -> (address, bits, field -> (high, low, access)), by an independent compiler."""
    (folder / "registers.rdl").write_text(text, "utf-8")
    compiler = RDLCompiler()
    compiler.compile_file(str(folder / "registers.rdl"))
    return {
        register.get_path().partition(".")[2]: (
            register.absolute_address,
            register.get_property("regwidth"),
            {f.inst_name: (f.high, f.low, f.get_property("sw").name) for f in register.fields()},
        )
        for register in compiler.elaborate().top.descendants(unroll=True)
        if isinstance(register, RegNode)
    }


@pytest.mark.parametrize("name", first(NAMES))
def test_systemrdl_says_what_the_description_says(name: str, tmp_path: Path) -> None:
    design = load_design(name)
    core = build(design)
    assert core.registers is not None
    expected = {}
    for r in core.registers:
        bits = r.words * WORD_BITS
        fields = {
            b.name: (b.low + b.width - 1, b.low, RDL_MODES[b.access or r.access])
            for b in r.fields or (Bits("value", 0, bits, ""),)
        }
        for i in range(r.count):
            segment = f"instance[{i}].{r.name}" if r.stride else r.name
            expected[segment] = (r.address + i * r.stride, bits, fields)
    assert elaborated(render(core, design)[f"{core.name}.rdl"], tmp_path) == expected


@pytest.mark.parametrize("name", first(NAMES))
def test_the_header_has_every_address_and_mask(name: str) -> None:
    design = load_design(name)
    core = build(design)
    assert core.registers is not None
    header = render(core, design)[f"{core.name}.h"]
    known = dict(re.findall(r"^#define (\w+(?:\(i\))?) (\S[^/\n]*)", header, re.MULTILINE))
    for r in core.registers:
        macro = f"{core.name}_{r.name}".upper()
        assert f"0x{r.address:02x}u" in known[f"{macro}(i)" if r.stride else macro]
        for b in r.fields:
            assert int(known[f"{macro}_{b.name.upper()}_MASK"].strip("u "), 0) == b.mask
    table = markdown([core.registers.table()])
    assert all(f"`{r.name}`" in table for r in core.registers)


def test_fields_and_registers_do_not_overlap() -> None:
    for name in NAMES:
        registers = build(load_design(name)).registers
        assert registers is not None
        taken: set[int] = set()
        for r in registers:
            assert sum(b.mask for b in r.fields) < 1 << WORD_BITS * r.words
            masks = [b.mask for b in r.fields]
            assert all(not a & b for i, a in enumerate(masks) for b in masks[:i])
            places = {
                r.address + i * r.stride + at for i in range(r.count) for at in range(4 * r.words)
            }
            assert not taken & places
            taken |= places


def test_an_overlap_is_seen(tmp_path: Path) -> None:
    """The compiler that reads the file complains of what cannot be."""
    core = build(load_design("sam-tiny"))
    text = render(core, load_design("sam-tiny"))[f"{core.name}.rdl"]
    with pytest.raises(RDLCompileError):
        elaborated(text.replace("@ 0x04;", "@ 0x00;"), tmp_path)
