# SPDX-License-Identifier: Apache-2.0
"""`demo`: generate, verify with real keys, measure, map; sign and verify."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import SerializeAsAny

from nttforge.calls import Operations
from nttforge.design import load_design
from nttforge.designs import DSA_CORE, ENGINE
from nttforge.flow.backends import backend_of, measured
from nttforge.flow.demo_signatures import SignedResult, demo_signatures
from nttforge.flow.demo_steps import DemoResult, demo, simulated
from nttforge.flow.generate import check_design_folder, generate
from nttforge.flow.prepare import Progress, prepare, prepare_any, silent
from nttforge.flow.synth import SynthResult, synth
from nttforge.options.verbs import MeasureOptions
from nttforge.results import Generated, Measurement, Result, timed
from nttforge.table import Block, Line


class Showcase(Result):
    """Everything that the demo made; `ok`: every byte equal, and the forgery refused."""

    ok: bool
    folder: SerializeAsAny[Generated]
    keys: DemoResult
    signatures: SignedResult
    cycles: SerializeAsAny[Measurement]
    area: SynthResult
    seconds: float = 0.0

    def shown(self) -> Iterator[Block]:
        """Cycles, area, files, and last whether every byte is equal, of keys and of signatures."""
        for part in (self.cycles, self.area, self.folder, self.keys, self.signatures):
            yield from part.shown()
        yield Line(f"All of it took {self.seconds:.0f} s.")


@timed
def showcase(folder: Path, *, seed: int = 0, progress: Progress = silent) -> Showcase:
    """Generate the ML-KEM + ML-DSA engine in `folder`, compute keys, sign with ML-DSA's core."""
    design = load_design(ENGINE)
    check_design_folder(folder)
    prepared = prepare(design)
    with prepared.simulator() as simulator:
        keys = demo(simulated(simulator), seed=seed, progress=progress)
    cycles = measured(prepared, MeasureOptions(), progress)
    area = synth(prepared, progress=progress)
    core = load_design(DSA_CORE)
    signer = prepare_any(core)
    functions = backend_of(signer.core).functions(signer)
    signatures = demo_signatures(Operations(core.name, functions), seed=seed, progress=progress)
    progress(f"writing {folder}")
    written = generate(design, folder)
    return Showcase(
        ok=keys.ok and signatures.ok,
        folder=written.with_provenance(design),
        keys=keys.with_provenance(design),
        signatures=signatures.with_provenance(core),
        cycles=cycles,
        area=area,
    ).with_provenance(design)
