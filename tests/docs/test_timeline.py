# SPDX-License-Identifier: Apache-2.0
"""The coprocessor's timelines in the docs are those of a simulated run."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from nttforge.designs import (
    DSA_COPROCESSOR,
    DSA_MIDDLE,
    DSA_VERIFIER,
    KEM_SMALL,
    PQC,
    PQC_SMALL,
)
from nttforge.draw import timeline
from nttforge.errors import NttforgeError
from nttforge.kinds.lattice import trace
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.mlkem.build import coprocessor_design
from nttforge.kinds.lattice.mlkem.program import OPERATIONS
from nttforge.standards.ml_kem.parameters import ML_KEM_512
from tests.unit.cli.cli_calls import call

# Beats of a transform in the preset.
TRANSFORM = 256 // (2 * coprocessor_design().table(LatticeTable).butterflies)
DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_drawings_in_the_docs_are_drawn_anew(
    operation: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("show", "timeline", operation, "768", "-o", tmp_path / "x.svg")
    assert call(capsys, *words)[0] == 0
    drawn = (tmp_path / "x.svg").read_text("utf-8")
    assert drawn == (DOCS / f"mlkem-768-{operation}.svg").read_text("utf-8")
    ElementTree.fromstring(drawn)


@pytest.mark.sim
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_trace_has_every_job_and_every_beat(operation: str) -> None:
    view, op, p = trace.parse(operation, "512")
    assert p == ML_KEM_512
    found = view.traced(op, p)
    program = view.program(op, p)
    jobs = {unit: [s for s in found if s.unit == unit] for unit in view.units}
    planned = [job.label for job in program.hashes if job.permutations]
    assert [s.label for s in jobs["Keccak"]] == planned
    assert [s.works for s in jobs["Keccak"]] == [
        24 * job.permutations for job in program.hashes if job.permutations
    ]
    for unit, labels in (
        ("products", [job.label for job in program.macs[:-1]]),
        ("transform, in", [job.label for job in program.ntts[:-1]]),
        ("transform, out", [job.label for job in program.ntts[:-1]]),
        (
            "matrix sampler",
            [
                job.label
                for job in program.hashes
                if job.permutations == 3 and job.kind.name == "XOF"
            ],
        ),
    ):
        assert [s.label for s in jobs[unit]] == labels
        beats = TRANSFORM if "transform" in unit else 32
        # A label names each product of a job, and each takes its beats.
        assert [s.works for s in jobs[unit]] == [beats * (1 + label.count(",")) for label in labels]
    # 16 coefficients a cycle.
    assert {s.works for s in jobs["noise sampler"]} == {16}
    table = trace.table(found, view.units)
    assert table.count("\n") == len(found) + 1
    first = min(s.first for s in found)
    assert first == 0


def works(found: Sequence[timeline.Span], unit: str) -> list[tuple[str, int]]:
    return [(span.label, span.works) for span in found if span.unit == unit]


@pytest.mark.slow
def test_the_core_of_ml_dsa_does_every_job() -> None:
    view, op, p = trace.parse("verify", "44")
    found, program = view.traced(op, p), view.program("verify", p)
    products = [job.label for job in program.macs if job.stop is None]
    assert works(found, "products") == [(label, 32) for label in products]
    transforms = [(job.label, 32) for job in program.ntts if job.stop is None]
    assert works(found, "transform, in") == works(found, "transform, out") == transforms
    keccak = works(found, "Keccak")
    assert [label for label, _ in keccak] == [job.label for job in program.hashes]
    assert all(cycles % 24 == 0 for _, cycles in keccak)
    assert works(found, "public out") == [("public out", 1)]


@pytest.mark.slow
def test_the_core_of_both_works_as_that_of_ml_kem() -> None:
    """Twice as many coefficients a beat; and whose parameter set it has not is refused."""
    (view, op, p), (of_both, *_) = (trace.parse("keygen", "512", each) for each in (None, PQC))
    alone, both = view.traced(op, p), of_both.traced(op, p)
    for unit in ("public in", "secret in", "Keccak", "noise sampler", "products"):
        assert works(both, unit) == works(alone, unit)
    halves = [(label, cycles // 2) for label, cycles in works(alone, "transform, in")]
    assert works(both, "transform, in") == halves
    with pytest.raises(NttforgeError, match="not an ML-KEM coprocessor"):
        trace.parse("keygen", "512", DSA_COPROCESSOR)


@pytest.mark.sim
@pytest.mark.parametrize(
    ("design", "operation", "name", "permutation"),
    [
        (KEM_SMALL, "keygen", "512", 96),
        (PQC_SMALL, "verify", "44", 48),
        (DSA_MIDDLE, "keygen", "44", 24),
    ],
)
def test_narrower_cores_do_every_job(
    design: str, operation: str, name: str, permutation: int
) -> None:
    view, op, p = trace.parse(operation, name, design)
    found, program = view.traced(op, p), view.program(op, p)
    # The last unit is the encoder, or that of coefficients.
    listed = ({"Keccak"}, {"engine", "products"}, {view.units[-3]})
    for labels, units in zip(program.labels, listed, strict=True):
        planned = [*itertools.takewhile(lambda label: not label.startswith("end"), labels)]
        worked = sorted((s for s in found if s.unit in units), key=lambda span: span.first)
        assert [s.label for s in worked] == planned
    assert all(cycles % permutation == 0 for _, cycles in works(found, "Keccak"))
    transforms = {cycles for label, cycles in works(found, "engine") if "NTT" in label}
    assert transforms == {96: {460, 524}, 48: {256}, 24: {131}}[permutation]
    assert len(works(found, "public out")) == 1
    assert program.described().count("\n") == max(map(len, program.labels)) + 2


def test_a_core_without_an_operation_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("show", "timeline", "keygen", "44", "--design", DSA_VERIFIER)
    code, _, err = call(capsys, *words)
    assert code == 1
    assert err == (
        "error: ml-dsa-verify-small: has no operation `keygen`; it has `verify` and `verify_mu`\n"
    )


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("words", [["encap", "768"], ["encaps", "700"]])
def test_a_mistake_is_one_line(
    drawn: bool, words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    more = ["-o", tmp_path / "x.svg"] if drawn else []
    code, _, err = call(capsys, "show", "timeline", *words, *more)
    assert (code, err.count("\n")) == (1, 1)


def test_a_drawing_shows_who_waits() -> None:
    spans = [
        timeline.Span("Keccak", "A00", ((0, 71),)),
        timeline.Span("products", "A00 y0", ((30, 40), (60, 80))),
    ]
    drawn = timeline.draw("encaps of ML-KEM-768", trace.VIEWS[0].units, spans)
    words = ["".join(e.itertext()) for e in ElementTree.fromstring(drawn).iter()]
    assert "A00: cycles 0 to 71, works in 72" in words
    assert "A00 y0: cycles 30 to 80, works in 32" in words
    assert "81 cycles, Keccak works in 72 of them" in words
