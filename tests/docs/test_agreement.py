# SPDX-License-Identifier: Apache-2.0
"""What several tables of the pages say of one thing is the same: all were recorded of one tree."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

FIGURES = Path(__file__).parents[2] / "docs" / "figures"
AREA = {"lut_total": "LUT", "ff": "FF", "dsp": "DSP", "bram18": "BRAM18"}
KEM, DSA = "ml-kem-coprocessor", "ml-dsa-core"
#: What rows of comparisons call a preset.
CALLED = {"ours, 1 round a cycle": KEM, "ours, 2 rounds a cycle": f"{KEM}, 2 rounds"}

Row = Mapping[str, Any]
#: (thing, quantity), value.
Fact = tuple[tuple[str, str], Any]


def rows(table: Mapping[str, Any]) -> Iterator[Row]:
    """By heading: of one that is there twice the first."""
    for row in table["rows"]:
        yield dict(reversed(list(zip(table["columns"], row, strict=True))))


def measured(command: str, table: Mapping[str, Any]) -> Iterator[Fact]:
    """Of `measure`: cycles of a transform, or of an operation."""
    words = shlex.split(command)
    changed = " ".join(words[at + 1] for at, word in enumerate(words) if word == "--set")
    design = f"{Path(words[2]).stem} {changed}".strip()
    title = str(table["title"])
    for row in rows(table):
        if ", one transform" in title:
            operation = title.split(", ")[1]
            yield (f"{design}, {row['words']}", f"cycles of {operation}"), row["cycles"]
        elif title.endswith("cycles observed in simulation") and design == KEM:
            yield (f"{design}, {row['operation']}", "cycles"), row["latency"]


def synthesized(command: str, table: Mapping[str, Any]) -> Iterator[Fact]:
    """Of `synth`: what all of a design takes."""
    words = shlex.split(command)
    target = words[words.index("--target") + 1] if "--target" in words else "xcup"
    for row in rows(table):
        if "--set" not in words and (row.get("block") or row.get("part")) == "all":
            yield from ((((f"{words[2]}, {target}"), AREA[key]), row[key]) for key in AREA)


def reproduced(_: str, table: Mapping[str, Any]) -> Iterator[Fact]:
    """Of the benchmarks: what is said of presets."""
    for row in rows(table):
        design = str(row.get("design", ""))
        design = CALLED.get(design, design)
        if design and row.get("flow") == "Yosys, xcup":
            yield from (((f"{design}, xcup", name), row.get(name)) for name in AREA.values())
        if row.get("part") == "all":
            yield (design, "estimated, MHz"), row["estimated, MHz"]
            yield (design, "nextpnr, MHz"), row["nextpnr, MHz"]
        elif row.get("from") == "nextpnr" and design == KEM:
            yield (design, "nextpnr, MHz"), row["MHz"]
            yield (f"{design}, {row['what']}", "cycles"), row["cycles"]
        elif design == KEM and "KeyGen, 1000/s" in " ".join(row):
            yield (design, "nextpnr, MHz"), row["MHz"]
            yield (f"{design}, ML-KEM-{row['set']} keygen", "cycles"), row["KeyGen, cycles"]
            yield (f"{design}, ML-KEM-{row['set']} encaps", "cycles"), row["Encaps"]
            yield (f"{design}, ML-KEM-{row['set']} decaps", "cycles"), row["Decaps"]
        elif "Encaps or Sign" in row and design in (KEM, DSA):
            yield (design, "estimated, MHz"), row["MHz"]
        elif "design, words" in row:
            yield (row["design, words"], "cycles of ntt"), row["ours, cycles"]


def facts(figures: Mapping[str, Any]) -> Iterator[Fact]:
    """What the tables of a page say."""
    said = {"measure": measured, "synth": synthesized, "-m": reproduced}
    for command, figure in figures.items():
        say = said.get(shlex.split(command)[1])
        for table in figure["page"]:
            if say and "columns" in table:
                yield from say(command, table)


def disagreements(pages: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], list[Any]]:
    """What is said differently, with all that is said of it."""
    said: dict[tuple[str, str], list[Any]] = {}
    for what, value in (fact for page in pages for fact in facts(page)):
        if value is not None and value not in (values := said.setdefault(what, [])):
            values.append(value)
    return {what: values for what, values in said.items() if len(values) > 1}


def test_tables_agree() -> None:
    pages = [json.loads(path.read_text("utf-8")) for path in sorted(FIGURES.glob("*.json"))]
    assert not disagreements(pages), "record the older of them anew"


def test_no_table_has_the_time_that_its_command_took() -> None:
    """It would be another one on each machine, and each day."""
    for path in FIGURES.glob("*.json"):
        for figure in json.loads(path.read_text("utf-8")).values():
            assert not any("seconds" in table.get("columns", ()) for table in figure["page"]), path


def test_a_table_that_is_left_behind_is_seen() -> None:
    names = ("large-tables", "comparisons")
    page, other = (json.loads((FIGURES / f"{name}.json").read_text("utf-8")) for name in names)
    (table,) = page["nttforge measure sam-64 --sizes 28 --markdown"]["page"]
    at = table["columns"].index("cycles")
    table["rows"][0][at] += 1
    assert ("sam-64, 2^28", "cycles of ntt") in disagreements([page, other])
