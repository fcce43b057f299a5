# SPDX-License-Identifier: Apache-2.0
"""The scalable core's table: peers stand beside ours, and verdicts can be against us."""

from typing import Any

import pytest

from benchmarks.reproduce import papers
from benchmarks.scalable import below, formula

PAPER, _ = papers()["scalable"]
PEERS = PAPER.published()[1:]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: f"{peer['design']}-{peer['butterflies']}")
def test_every_peer_has_one_of_ours_beside_it(peer: Any) -> None:
    rows = {
        (f"{ring.n}, {ring.q}", ours.butterflies)
        for ours in PAPER.subjects()
        for ring in [ours.design.rings[0].ring()]
    }
    assert (peer["n, q"], peer["butterflies"]) in rows


@pytest.mark.parametrize(
    ("ntt", "intt", "lut", "dsp", "above"),
    [
        (256, 256, 2699, 4, 2),
        (304, 256, 2699, 4, 1),
        (256, 296, 2699, 4, 1),
        (256, 256, 4887, 4, 1),
        (256, 256, 2699, 8, 1),
        (256, 256, 2699, 60, 0),
    ],
)
def test_a_verdict_needs_less_of_everything(
    ntt: int, intt: int, lut: int, dsp: int, above: int
) -> None:
    same = {"n, q": "256, 8380417", "butterflies": 4}
    ours = {"ntt": ntt, "intt": intt, "LUT": lut, "DSP": dsp}
    assert below(PAPER.published(), same, ours) == f"{above} of 2"
    assert below(PAPER.published(), {**same, "butterflies": 2}, ours) is None


def test_the_papers_formula() -> None:
    assert formula(256, 7, 128) == 14
