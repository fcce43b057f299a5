# SPDX-License-Identifier: Apache-2.0
"""The scalable core's table: peers stand beside ours, and verdicts can be against us."""

from dataclasses import dataclass
from typing import Any, cast

import pytest

from nttforge.flow.synth import SynthResult
from nttforge.keys.iterative import IterativeTable
from nttforge.reproduce.scalable import BESIDE_PEERS, COLUMNS, PEERS, formula, peers_of


@dataclass
class Area:
    lut_total: int
    dsp: int


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: f"{peer.name}-{peer.butterflies}")
def test_every_peer_has_one_of_ours_beside_it(peer: Any) -> None:
    rows = {
        (f"{ring.n}, {ring.q}", ours.design().table(IterativeTable).butterflies)
        for ours in BESIDE_PEERS
        for ring in [ours.design().rings[0].ring()]
    }
    assert (peer.ring, peer.butterflies) in rows
    assert len(peer.row) == len(COLUMNS)
    assert peer in peers_of(peer.ring, peer.butterflies)


@pytest.mark.parametrize(
    ("cycles", "lut", "dsp", "below"),
    [
        ((256, 256), 2699, 4, True),
        ((304, 256), 2699, 4, False),
        ((256, 296), 2699, 4, False),
        ((256, 256), 4887, 4, False),
        ((256, 256), 2699, 8, False),
    ],
)
def test_a_verdict_needs_less_of_everything(
    cycles: tuple[Any, ...], lut: int, dsp: int, below: bool
) -> None:
    (peer,) = [peer for peer in PEERS if peer.name.startswith("GMU")]
    assert peer.is_above(cycles, cast(SynthResult, Area(lut, dsp))) is below


def test_the_papers_formula() -> None:
    assert formula(256, 7, 128) == 14
