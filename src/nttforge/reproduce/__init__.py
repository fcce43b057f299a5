# SPDX-License-Identifier: Apache-2.0
"""Papers' tables beside our measured figures.

A paper's figures are data of its module, each with the table it is from; ours are measured when
the verb runs: cycles by simulation, area by Yosys, clocks by nextpnr.
"""

from nttforge.reproduce.clocks import CLOCKS
from nttforge.reproduce.hbm2 import reproduce_hbm2
from nttforge.reproduce.kyber import reproduce_kyber
from nttforge.reproduce.peers import PEERS
from nttforge.reproduce.pqc import reproduce_pqc
from nttforge.reproduce.r2mdc import reproduce_r2mdc
from nttforge.reproduce.sam import reproduce_sam
from nttforge.reproduce.scalable import reproduce_scalable
from nttforge.reproduce.scaling import reproduce_scaling
from nttforge.reproduce.streamntt import PUBLISHED, one_configuration, reproduce_streamntt
from nttforge.reproduce.streamntt_ideas import reproduce_streamntt_ideas
from nttforge.reproduce.table import Paper, Reproduction

__all__ = ["PAPERS", "Paper", "Reproduction"]

PAPERS: dict[str, Paper] = {
    "r2mdc": reproduce_r2mdc,
    "streamntt": reproduce_streamntt,
    **{f"streamntt-{row.modulus}": one_configuration(row) for row in PUBLISHED},
    "streamntt-ideas": reproduce_streamntt_ideas,
    "scaling": reproduce_scaling,
    "scalable": reproduce_scalable,
    "kyber": reproduce_kyber,
    "pqc": reproduce_pqc,
    **PEERS,
    **CLOCKS,
    "sam": reproduce_sam,
    "hbm2": reproduce_hbm2,
}
"""The papers by name."""
