# SPDX-License-Identifier: Apache-2.0
"""Papers' tables beside our measured figures.

A paper's figures are data of its module, each with the table it is from; ours are measured when
the verb runs: cycles by simulation, area by Yosys, clocks by nextpnr.
"""

from nttforge.reproduce.kyber import reproduce_kyber
from nttforge.reproduce.r2mdc import reproduce_r2mdc
from nttforge.reproduce.sam import reproduce_sam
from nttforge.reproduce.scalable import reproduce_scalable
from nttforge.reproduce.streamntt import reproduce_streamntt
from nttforge.reproduce.table import Reproduction

__all__ = ["PAPERS", "Reproduction"]

PAPERS = {
    "r2mdc": reproduce_r2mdc,
    "streamntt": reproduce_streamntt,
    "scalable": reproduce_scalable,
    "sam": reproduce_sam,
    "kyber": reproduce_kyber,
}
"""The papers by name: functions of (what takes long too, progress), which measure ours."""
