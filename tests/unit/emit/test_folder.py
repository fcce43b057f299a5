# SPDX-License-Identifier: Apache-2.0
import re
from pathlib import Path

import numpy as np
import pytest

from nttforge import __version__
from nttforge.design import design_hash, load_design, parse_design
from nttforge.emit import write
from nttforge.emit.verilog import (
    JOINED,
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
from nttforge.errors import NttforgeError
from nttforge.hw import build
from nttforge.hw.shell import StreamFormat
from nttforge.kinds.stream.build import elaborate
from nttforge.rtl_library import rtl_root
from tests.folders import contents

DATA = {
    "name": "two-rings",
    "rings": [{"name": "a", "n": 16, "q": 97}, {"name": "b", "n": 16, "q": 3329, "layers": 3}],
    "pipeline": {"butterflies": 2},
}


def emitted(folder: Path, data: dict[str, object] | None = None) -> dict[str, bytes]:
    design = parse_design(data or DATA, "test")
    write(build(design), design, folder)
    return contents(folder)


def test_a_folder_is_a_function_of_its_design(tmp_path: Path) -> None:
    first = emitted(tmp_path / "first")
    assert first == emitted(tmp_path / "second")
    assert first == emitted(tmp_path / "first")  # again into the same one
    assert not any(str(tmp_path).encode() in text for text in first.values())


def test_another_design_is_another_folder(tmp_path: Path) -> None:
    first = emitted(tmp_path / "first")
    other = emitted(tmp_path / "other", {**DATA, "pipeline": {"butterflies": 4}})
    assert first.keys() == other.keys()
    assert {name for name in first if first[name] != other[name]} >= {
        "two_rings_pkg.sv",
        "two_rings.sv",
    }


def test_library_files_are_copied_unchanged(tmp_path: Path) -> None:
    library = {name: text for name, text in emitted(tmp_path).items() if name.startswith("rtl/")}
    assert len(library) > 10
    for name, text in library.items():
        assert (rtl_root().parent / name).read_bytes() == text


def test_the_list_has_every_file_once_and_packages_first(tmp_path: Path) -> None:
    files = emitted(tmp_path)
    listed = files["files.f"].decode().split()
    assert sorted(listed) == sorted(name for name in files if name.endswith((".sv", ".v")))
    packages = [name.endswith("_pkg.sv") for name in listed]
    assert packages == sorted(packages, reverse=True)
    assert listed[-2:] == ["two_rings.sv", "two_rings_wrapper.v"]
    seen: set[str] = set()
    for name in listed:
        text = re.sub(r"//.*", "", files[name].decode())
        modules = {Path(other).stem for other in listed} - {Path(name).stem}
        used = {module for module in modules if re.search(rf"\b{module}\s+#?\(|\b{module}::", text)}
        assert used <= seen, f"{name} uses {used - seen} before they are there"
        seen.add(Path(name).stem)


def test_generated_files_say_where_they_are_from(tmp_path: Path) -> None:
    design = parse_design(DATA, "test")
    files = emitted(tmp_path)
    for name in ("two_rings_pkg.sv", "two_rings.sv"):
        lines = files[name].decode().splitlines()
        assert lines[0] == "// SPDX-License-Identifier: Apache-2.0"
        assert f"nttforge {__version__} from design two-rings ({design_hash(design)})" in lines[1]
        assert "nttforge generate two-rings.toml" in lines[2]
        assert max(map(len, lines)) <= 100, name
        assert not [line for line in lines if line != line.rstrip()], name


def test_the_package_holds_what_was_derived(tmp_path: Path) -> None:
    """Read back, the factors are those of the tables, in their order."""
    text = emitted(tmp_path)["two_rings_pkg.sv"].decode()
    pipeline = elaborate(parse_design(DATA, "test"))
    body = text[text.index("Twiddles[") :]
    words = [int(word, 16) for word in re.findall(r"12'h([0-9a-f]+)", body)]
    assert words == pipeline.twiddle_words
    assert f"beats: 16'd{pipeline.beats}," in text
    assert "Moduli = {12'hd01, 12'h061}" in text


def test_the_hash_stands_for_every_key() -> None:
    designs = [
        load_design("ml-kem"),
        load_design("ml-dsa"),
        load_design("ml-kem", {"description": "x"}),
        load_design("ml-kem", {"pipeline.seamless": True}),
        load_design("ml-kem", {"target": "ecp5"}),
    ]
    assert len({design_hash(design) for design in designs}) == len(designs)
    assert re.fullmatch("[0-9a-f]{12}", design_hash(designs[0]))


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NttforgeError, match="choose a folder you can write to") as caught:
        emitted(tmp_path / "file")
    assert str(tmp_path / "file") in str(caught.value)


@pytest.mark.parametrize(
    ("value", "width", "text"),
    [(5, 4, "4'h5"), (-1, 4, "4'hf"), (-1, 5, "5'h1f"), (0, 12, "12'h000"), (97, 7, "7'h61")],
)
def test_hexadecimal(value: int, width: int, text: str) -> None:
    assert hexadecimal(value, width) == text


def test_packed_arrays_are_written_from_the_highest_index_down() -> None:
    assert packed([1, 2, 3]) == "{32'd3, 32'd2, 32'd1}"
    assert packed([1], 2) == "{2'd1}"
    assert rows([1, 2, 3, 4, 5, 6], 3, 4) == [1, 2, 3, 0, 4, 5, 6, 0]


def test_wires_are_bits_of_a_lane_number() -> None:
    assert wires([0, 1]) == "'{flip: 16'h0, from: 64'h0}"
    assert wires([0, 2, 1, 3]) == "'{flip: 16'h0, from: 64'h01}"
    assert wires([3, 1, 2, 0]) == "'{flip: 16'h3, from: 64'h01}"
    for sources in ([0, 0], [0, 1, 3, 2], [0, 3, 1, 2]):
        with pytest.raises(ValueError, match="no wires of bits"):
            wires(sources)


def test_the_first_elements_of_an_array_are_written_in_their_order() -> None:
    assert indexed(sized([7, 9], 4)) == "'{0: 4'd7, 1: 4'd9, default: '0}"


def test_tables_wrap_and_keep_their_order() -> None:
    text = pattern(range(100), 8)
    assert max(map(len, text.splitlines())) <= 100
    assert [int(word, 16) for word in re.findall("8'h(..)", text)] == list(range(99, -1, -1))
    many = pattern(range(20_000), 16)
    assert [int(word, 16) for word in re.findall("16'h(....)", many)] == [*range(19_999, -1, -1)]
    innermost = re.findall(r"\{([^{}]+)\}", many)
    assert max(block.count("'h") for block in innermost) <= 10 * JOINED  # ten a line
    wide = pattern([1, 2], 700)  # a literal that is wider than a line stands alone
    assert len(wide.splitlines()) == 4


def test_unpacked_tables_are_written_from_word_0_on() -> None:
    text = unpacked(range(100), 8)
    assert max(map(len, text.splitlines())) <= 100
    assert [int(word, 16) for word in re.findall("8'h(..)", text)] == [*range(100)]
    assert text.startswith("'{") and text.count("{") == 1


def test_long_lines_are_broken_where_one_may() -> None:
    code = "  localparam A = {" + ", ".join(f"32'd{i}" for i in range(60)) + "};"
    comment = "  // " + "word " * 60
    for line in (code, comment):
        parts = wrap(line).split("\n")
        assert len(parts) > 3
        assert max(map(len, parts)) <= 100
        joined = " ".join(part.strip().removeprefix("// ").strip() for part in parts)
        assert joined.split() == line.replace("// ", "").split()
    assert wrap("x" * 200) == "x" * 200
    assert wrap("a\n\nb\n") == "a\n\nb\n"


@pytest.mark.parametrize("width", [3, 61, 64])
def test_a_table_is_made_of_literals(width: int) -> None:
    words = [-3, 0, 7, (1 << 61) - 2, 1 << 61]
    literals = ",".join(hexadecimal(word, width) for word in words)
    assert "".join(unpacked(words, width, columns=1000).split()) == f"'{{{literals}}}"


@pytest.mark.parametrize(("lanes", "byte_lanes"), [(1, False), (4, True), (8, False)])
def test_all_beats_are_those_of_each(lanes: int, byte_lanes: bool) -> None:
    stream = StreamFormat(lanes, 61, 16 // lanes, 1, byte_lanes)
    words = np.array([(i + 1) ** 20 % ((1 << 61) - 1) for i in range(16)], dtype=object)
    beats = [stream.beat(words[at : at + lanes]) for at in range(0, 16, lanes)]
    assert stream.all_beats(words) == beats
