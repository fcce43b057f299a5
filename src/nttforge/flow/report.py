# SPDX-License-Identifier: Apache-2.0
"""`report`: results of the other verbs for a design, as one data sheet."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import Field, SerializeAsAny, SerializerFunctionWrapHandler, model_serializer

from nttforge.design import Design
from nttforge.draw import floor_plan as plan
from nttforge.emit.page import page
from nttforge.flow import scaling
from nttforge.flow.backends import backend_of, measured, verified
from nttforge.flow.prepare import Progress, prepare_any, silent
from nttforge.flow.synth import PnrResult, SynthResult, pnr, synth
from nttforge.options.verbs import MeasureOptions, VerifyOptions
from nttforge.output import check_writable, write_text
from nttforge.results import Measurement, Result, Verification, timed
from nttforge.table import Block, Line, html, verdict
from nttforge.targets import Target


class Report(Result):
    """A design and what was found about it; parts that were not wanted are None."""

    design: str
    ok: bool
    contract: str = Field(exclude=True)
    drawing: str | None = Field(exclude=True)
    timeline: str | None = Field(exclude=True)
    scale: str | None = Field(exclude=True)
    verify: SerializeAsAny[Verification]
    measure: SerializeAsAny[Measurement]
    synth: SynthResult | None
    pnr: PnrResult | None
    seconds: float = 0.0

    @model_serializer(mode="wrap")
    def _found(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Without what was not wanted."""
        return {name: part for name, part in whole(self).items() if part is not None}

    def shown(self) -> Iterator[Block]:
        """The figures in short."""
        yield from self.measure.shown()
        if self.synth is not None:
            yield Line(f"{self.synth.lut_total:,} LUT, {self.synth.dsp} DSP")
        if self.pnr is not None:
            yield Line(f"{self.pnr.fmax_mhz} MHz on {self.pnr.device}")

    def sheet(self) -> str:
        """The data sheet as HTML."""
        parts = {
            "Verification": self.verify,
            "Cycles": self.measure,
            "Area": self.synth,
            "Clock": self.pnr,
        }
        sections = [(title, html(part.shown())) for title, part in parts.items() if part]
        drawn = {"Timeline": self.timeline, "Cycles against time": self.scale}
        if self.synth is not None:
            drawn["Where look-up tables go"] = plan.draw(*self.synth.floor_plan)
        sections += [(title, drawing) for title, drawing in drawn.items() if drawing]
        return page(self.contract, self.drawing, sections, f"nttforge report {self.design}")


@timed
def report(
    design: Design,
    *,
    target: Target | None = "xcup",
    place: bool = False,
    seed: int = 0,
    progress: Progress = silent,
) -> Report:
    """Verify, measure and map a design of any family; `place` also places it on an ECP5-85F."""
    chosen = {} if target is None else {"target": target}
    made = design.model_copy(update=chosen)
    prepared = prepare_any(made)
    backend = backend_of(prepared.core)
    progress("verifying")
    right = verified(prepared, VerifyOptions(seed=seed), progress)
    progress("measuring")
    seeded = MeasureOptions(seed=seed if backend.has_data else None)
    cycles = measured(prepared, seeded, progress)
    area = synth(prepared, target, progress=progress) if target else None
    placed = None
    if place:
        on_ecp5 = design.model_copy(update={"target": "ecp5"})
        placed = pnr(prepare_any(on_ecp5), progress=progress)
    return Report(
        design=prepared.core.name,
        ok=right.ok,
        contract=(prepared.folder / "README.md").read_text("utf-8"),
        drawing=backend.drawing(design),
        timeline=backend.timeline(design),
        scale=scaling.drawn(design),
        verify=right,
        measure=cycles,
        synth=area,
        pnr=placed,
    ).with_provenance(made)


def write_report(
    design: Design,
    output: Path,
    *,
    family: Target = "xcup",
    place: bool = False,
    seed: int = 0,
    progress: Progress = silent,
) -> Report:
    """Write the data sheet of a design as HTML, see :func:`report`; without area of `none`."""
    check_writable(output)
    target = None if family == "none" else family
    result = report(design, target=target, place=place, seed=seed, progress=progress)
    write_text(output, result.sheet())
    good = f"{output} is written, in {result.seconds:.0f} s"
    return result.with_line(verdict(result.ok, good, f"{output} is written, but the RTL is WRONG"))
