# SPDX-License-Identifier: Apache-2.0
"""`multiplier`: area of all modular multipliers of one modulus, as Yosys maps them."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from nttforge.flow.prepare import Progress, silent
from nttforge.reduction import HalfRatePlan, MultiplierPlan, plan_half_rate, plan_multiplier
from nttforge.reduction.constant import LUTS_PER_DSP
from nttforge.reduction.top import TOP, write_folder
from nttforge.results import Result
from nttforge.ring.primes import check_modulus
from nttforge.synthesize.yosys import synthesize
from nttforge.table import Block, Table
from nttforge.targets import Target


class MultiplierArea(BaseModel):
    """A mapped multiplier: clocks per product, latency in clocks, reduction, resources."""

    name: str
    prefer: str
    clocks: int
    latency: int
    reduction: str
    lut: int
    ff: int
    dsp: int


class MultiplierResult(Result):
    """All multipliers of one modulus."""

    q: str
    target: Target
    rows: list[MultiplierArea]

    def shown(self) -> Iterator[Block]:
        """A line a multiplier."""
        yield Table(
            f"Multipliers modulo {self.q} on {self.target}",
            ("multiplier", "saving", "reduction", "clocks", "latency", "LUT", "FF", "DSP"),
            [
                (r.name, r.prefer, r.reduction, r.clocks, r.latency, r.lut, r.ff, r.dsp)
                for r in self.rows
            ],
        )


def multiplier(
    q: int, target: Target = "xcup", *, adders_per_stage: int = 4, progress: Progress = silent
) -> MultiplierResult:
    """Plan and map the multipliers of an odd modulus of 8 to 256 bits: minutes for 256."""
    check_modulus(q, "Q")
    rows = []
    for name, prefer, plan in list(_plans(q, target, adders_per_stage)):
        progress(f"mapping {name}, saving {prefer}")
        with tempfile.TemporaryDirectory() as folder:
            write_folder(plan, Path(folder))
            counts = synthesize(Path(folder), TOP, target).counts
        half = isinstance(plan, HalfRatePlan)
        core = plan.core if isinstance(plan, HalfRatePlan) else plan
        rows.append(
            MultiplierArea(
                name=name,
                prefer=prefer,
                clocks=2 if half else 1,
                latency=plan.latency,
                reduction=core.reductions[0].kind,
                lut=counts["lut_total"],
                ff=counts["ff"],
                dsp=counts["dsp"],
            )
        )
    return MultiplierResult(q=str(q), target=target, rows=rows)


def _plans(
    q: int, target: Target, adders_per_stage: int
) -> Iterator[tuple[str, str, MultiplierPlan | HalfRatePlan]]:
    """Plans that differ, with their names and what they save."""
    seen: list[MultiplierPlan] = []
    for prefer in LUTS_PER_DSP:
        plan = plan_multiplier([q], adders_per_stage=adders_per_stage, target=target, prefer=prefer)
        if any((p.product, p.reductions) == (plan.product, plan.reductions) for p in seen):
            continue
        seen.append(plan)
        yield "by a constant", prefer, plan
    both = plan_multiplier(
        [q], adders_per_stage=adders_per_stage, target=target, operands="residues"
    )
    yield "two residues", "balanced", both
    half = plan_half_rate(q, adders_per_stage=adders_per_stage, target=target)
    yield "by a constant, half rate", "balanced", half
