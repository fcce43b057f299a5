# SPDX-License-Identifier: Apache-2.0
"""`report`: everything that the other verbs find out about a design, for one data sheet."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nttforge.design import Design
from nttforge.emit.page import page
from nttforge.flow.benches import bench_of
from nttforge.flow.prepare import Progress, prepare_any, silent
from nttforge.flow.synth import PnrResult, SynthResult, pnr, synth
from nttforge.results import Measurement, Verification
from nttforge.table import Block, Line, Shown, html
from nttforge.targets import Target


@dataclass(frozen=True)
class Report(Shown):
    """A design, and what was found out about it.

    Attributes
    ----------
    design
        Its name.
    contract
        Ports, operations, orders and latencies, in Markdown: the folder's README.
    drawing
        The engine as SVG, if its family has a drawing.
    verified, measured
        The RTL compared with the references, and its cycles.
    area
        After Yosys, or None if it was not wanted.
    clock
        After place and route, or None.
    seconds
        Wall time of it all.
    """

    design: str
    contract: str
    drawing: str | None
    verified: Verification
    measured: Measurement
    area: SynthResult | None
    clock: PnrResult | None
    seconds: float

    def as_dict(self) -> Mapping[str, Any]:
        """The object that `--json` prints."""
        parts = {
            "verify": self.verified,
            "measure": self.measured,
            "synth": self.area,
            "pnr": self.clock,
        }
        found = {name: part.model_dump(mode="json") for name, part in parts.items() if part}
        return {
            "design": self.design,
            "ok": self.verified.ok,
            **found,
            "seconds": self.seconds,
        }

    def shown(self) -> Iterator[Block]:
        """The figures in short."""
        yield from self.measured.shown()
        if self.area is not None:
            yield Line(f"{self.area.lut_total:,} LUT, {self.area.dsp} DSP")
        if self.clock is not None:
            yield Line(f"{self.clock.fmax_mhz} MHz on {self.clock.device}")

    def sheet(self) -> str:
        """The data sheet as HTML."""
        parts = {
            "Verification": self.verified,
            "Cycles": self.measured,
            "Area": self.area,
            "Clock": self.clock,
        }
        sections = [(title, html(part.shown())) for title, part in parts.items() if part]
        return page(self.contract, self.drawing, sections, f"nttforge report {self.design}")


def report(
    design: Design,
    *,
    target: Target | None = "xcup",
    clock: bool = False,
    seed: int = 0,
    progress: Progress = silent,
) -> Report:
    """Verify, measure and map a design.

    Parameters
    ----------
    design
        Of any family.
    target
        What its area is counted on, or None for no area.
    clock
        Also place and route on an ECP5-85F.
    seed
        Of everything random.
    progress
        Is told how far it has got.

    Raises
    ------
    NttforgeError
        If a tool is missing or fails.
    """
    start = time.monotonic()
    chosen = {} if target is None else {"target": target}
    made = design.model_copy(update=chosen)
    prepared = prepare_any(made)
    bench = bench_of(prepared.core)
    progress("verifying")
    verified = bench.verify(prepared, {"seed": seed}, progress)
    progress("measuring")
    seeded = {"seed": seed} if "seed" in bench.measure_options.model_fields else {}
    measured = bench.measure(prepared, seeded, progress)
    area = synth(prepared, target, progress=progress) if target else None
    placed = None
    if clock:
        on_ecp5 = design.model_copy(update={"target": "ecp5"})
        placed = pnr(prepare_any(on_ecp5), progress=progress).made_of(on_ecp5)
    return Report(
        design=prepared.core.name,
        contract=(prepared.folder / "README.md").read_text("utf-8"),
        drawing=bench.drawing(design),
        verified=verified.made_of(made),
        measured=measured.made_of(made),
        area=area and area.made_of(made),
        clock=placed,
        seconds=round(time.monotonic() - start, 2),
    )
